"""`master`: the strongest within a second a move."""

from __future__ import annotations

import random

from ..captures import Play
from ..view import View
from .hard import last_deal, solved
from .judgement import Judgement
from .thinking import WEIGHTS, Likely, think

SAMPLES = 160  # played out by judgement
OPEN = 24  # played with open cards
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
