"""`master`: the strongest within a second a move.

It tries each play on samples of what it cannot see, those more often that go with what the
others have played, as `hard` does but on more of them.  What comes out close is then also
solved with open cards: as if both hands lay on the table as a sample has them.  The first way
has the others play too simply and the second too well; half and half does better than either.

What was tried against `hard`, matches to 101, `egyptian`, two seats, each pack played twice:

| what | wins | matches |
|---|---|---|
| 200 samples, likely ones, for the match (chance to win by totals) instead of points | 47 % ± 12 | 68 |
| 320 samples, likely ones, its own next plays searched in a tree of what it knows | 57 % ± 18 | 28 |
| 160 samples, likely ones, half played out, half on 24 with open cards | 59 % ± 17 | 32 |
| the same, on 40 with open cards (kept) | 54 % ± 14, +5.2 ± 2.6 points a game | 46 |

And by other measures:

- The play given up for want of samples, in points a decision by 1,000 and more of them: 0.22 at a
  glance, 0.18 with 16 samples, 0.15 with 32, 0.08 with 64, 0.03 to 0.05 with 160, 0.02 with 320.
- Weights of the judgement fitted by self-play: +1.4 ± 0.7 points a game over those they began with.
- The last deal solved for the match instead of for points: the same play in 1,200 of 1,200 decisions.
"""

from __future__ import annotations

import random

from ..captures import Play
from ..view import View
from .hard import last_deal, solved
from .judgement import Judgement
from .thinking import WEIGHTS, Likely, think

SAMPLES = 160  # played out by judgement
OPEN = 40  # played with open cards
CLOSE = 4.0  # points by which a play may have been worse and is still looked at with open cards


def choose(view: View, rng: random.Random) -> Play:
    """Choose the play that does best played out by judgement and with open cards, half and half."""
    if not view.to_deal and view.seats.count == 2:
        return last_deal(view)[0][1]
    thoughts = think(view, rng, SAMPLES, likely=True)
    best = thoughts[0]
    close = [
        thought
        for thought in thoughts
        if thought.samples == best.samples or thought.worth > best.worth - CLOSE
    ]
    if len(close) == 1 or view.seats.count > 2:
        return best.play
    worth = {thought.play: thought.worth for thought in close}
    likely = Likely(view, Judgement.under(view.rules, WEIGHTS))
    for _ in range(OPEN):
        for value, play in solved(view, likely.draw(rng)[2 - view.seat], every=True):
            if play in worth:
                worth[play] += value / OPEN
    return max(worth, key=worth.__getitem__)
