"""Thinking ahead: deal out what cannot be seen, play it out, and see what came of it.

Every card that was ever seen is remembered: only those that a seat cannot place are dealt out
afresh, each sample to the hands and the pack as they may really lie.  Each play is tried on
the same samples; every seat then plays by `Judgement`, knowing no more than it would at the
table, to the end of the deal, and what stands there is worth what `Standing` says.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from ..captures import Play, choices
from ..cards import FULL, Cards, in_pack_order
from ..view import View
from .judgement import Judged, Judgement, Weights, chance_of
from .standing import Standing

# Fitted by playing weights against each other, a thousand pairs of games at a time.
WEIGHTS = Weights(
    card=1.29,
    keep_jack=4.7,
    keep_komi=6.0,
    risk_points=1.07,
    risk_cards=0.48,
    own_points=0.19,
    own_cards=0.22,
    clear=0.0,
)
PLAYS = 10  # how many plays are thought about: those that promise most at a glance


class Thought(NamedTuple):
    """A play, and what it is worth on average in points."""

    play: Play
    worth: float


class Samples:
    """The ways in which the cards that a seat cannot see may lie, each as likely as another."""

    def __init__(self, view: View) -> None:
        self.view = view
        count = view.seats.count
        self.placed: list[Cards] = [0] * count
        known = 0
        # Buried cards lie at the bottom of the pack in their order, and are dealt from there.
        for up, card in enumerate(reversed(view.buried), 1):
            if up <= view.to_deal:
                known |= 1 << card
            elif view.unseen >> card & 1:
                packet = (view.to_deal + 4 * count - up) // 4
                self.placed[(view.dealer + packet) % count] |= 1 << card
        self.loose = list(in_pack_order(view.unseen & ~known & ~sum(self.placed)))
        self.placed[view.seat - 1] = view.hand
        self.need = [holds - hand.bit_count() for holds, hand in zip(view.holds, self.placed)]

    def draw(self, rng: random.Random) -> list[Cards]:
        """Draw the hands, one a seat."""
        loose, chance = self.loose, rng.random
        hands = self.placed[:]
        at = 0
        for place, need in enumerate(self.need):
            for _ in range(need):
                other = at + int(chance() * (len(loose) - at))
                loose[at], loose[other] = loose[other], loose[at]
                hands[place] |= 1 << loose[at]
                at += 1
        return hands


class Line:
    """A deal played on in thought: whose turn it is, and where the cards have come to lie.

    It moves cards as `Game` does, but for the check, which plays from `Judgement` do not need:
    they come from `Captures`, and so does what they are.  Seats and sides are places from 0.
    `points` counts what each side has made since, but for the majority.
    """

    __slots__ = ("ground", "hands", "new", "piles", "points", "sides", "taker", "turn")

    def __init__(self, view: View, hands: Sequence[Cards]) -> None:
        """Stand where a view does, with these hands."""
        self.hands = list(hands)
        self.ground = view.ground
        self.piles = list(view.piles)
        self.points = [0] * view.seats.sides
        self.sides = tuple(view.seats.side(seat) - 1 for seat in range(1, view.seats.count + 1))
        self.taker = view.last_taker - 1
        self.turn = view.seat - 1
        self.new = 4 if view.to_deal else 0

    def copy(self) -> Line:
        """Return an independent copy."""
        other = Line.__new__(Line)
        other.hands = self.hands[:]
        other.ground = self.ground
        other.piles = self.piles[:]
        other.points = self.points[:]
        other.sides = self.sides
        other.taker = self.taker
        other.turn = self.turn
        other.new = self.new
        return other

    def glance(self, judgement: Judgement, tried: list[tuple[float, Judged]] | None = None) -> Judged:
        """Return what the seat at its turn would play by judgement, knowing what it would know."""
        hands, turn = self.hands, self.turn
        hand = hands[turn]
        unseen = FULL & ~hand & ~self.ground
        for pile in self.piles:
            unseen &= ~pile
        holds = hands[(turn + 1) % len(hands)].bit_count() or self.new
        chance = holds / unseen.bit_count() if holds else 0.0
        return judgement.best(hand, self.ground, unseen, chance, tried)

    def play(self, judged: Judged, judgement: Judgement) -> bool:
        """Make a play; return whether the deal goes on."""
        play, _, _, points, after = judged
        turn = self.turn
        bit = 1 << play.card
        hands = self.hands
        hands[turn] ^= bit
        goes_on = any(hands)
        if play.take:
            side = self.sides[turn]
            if not goes_on and not self.new:
                points = judgement.points(play, self.ground, last=True)
            self.points[side] += points
            self.piles[side] |= play.take | bit
            self.taker = side
        self.ground = after
        self.turn = (turn + 1) % len(hands)
        return goes_on

    def play_out(self, judgement: Judgement) -> None:
        """Play the deal to its end, every seat by judgement."""
        while self.play(self.glance(judgement), judgement):
            pass


class Likely(Samples):
    """The ways in which they may lie, those more often that go with what the others have played.

    A sample is kept with a chance that falls with what each seat would have given up, by
    `Judgement`, by the plays that it has made since the deal.
    """

    DOUBT = 3.0  # points given up at which a play is half as likely
    TRIES = 24  # samples drawn for one at most

    def __init__(self, view: View, judgement: Judgement) -> None:
        super().__init__(view)
        self.judgement = judgement
        self.made = self._history()

    def _history(self) -> list[tuple[int, Cards, Play, Cards, Cards, float]]:
        """List what the others have played since the deal, as each stood before it.

        The place of the seat, what it has played since, the play, the ground, the cards in
        sight, and the chance of the next seat to hold any one other card.
        """
        view = self.view
        count = view.seats.count
        number = sum(4 - holds for holds in view.holds)
        made: list[tuple[int, Cards, Play, Cards, Cards, float]] = []
        ground, piles = view.ground, 0
        for pile in view.piles:
            piles |= pile
        played = [0] * count
        place = view.seat - 1
        for play in reversed(view.plays[-number:] if 0 < number <= len(view.plays) else ()):
            place = (place - 1) % count
            bit = 1 << play.card
            if play.take:
                ground |= play.take
                piles &= ~(play.take | bit)
            else:
                ground &= ~bit
            played[place] |= bit
            after = (place + 1) % count
            holds = view.holds[after] + played[after].bit_count() or (4 if view.to_deal else 0)
            if place != view.seat - 1:
                hand = view.holds[place] + played[place].bit_count()
                hidden = 52 - (ground | piles).bit_count() - hand
                made.append((place, played[place], play, ground, piles, holds / hidden if hidden else 0.0))
        return made

    def draw(self, rng: random.Random) -> list[Cards]:
        """Draw the hands, as likely as they are after what was played."""
        hands = super().draw(rng)
        for _ in range(self.TRIES if self.made else 0):
            if rng.random() < self._likely(hands):
                break
            hands = super().draw(rng)
        return hands

    def _likely(self, hands: list[Cards]) -> float:
        likely = 1.0
        for place, since, made, ground, piles, chance in self.made:
            hand = hands[place] | since
            tried: list[tuple[float, Judged]] = []
            self.judgement.best(hand, ground, FULL & ~hand & ~ground & ~piles, chance, tried)
            best = max(value for value, _ in tried)
            given_up = best - next((value for value, judged in tried if judged.play == made), best)
            likely /= 1.0 + (given_up / self.DOUBT) ** 2
        return likely


def promising(view: View, judgement: Judgement, also: Sequence[Play] = ()) -> list[Judged]:
    """Return the plays worth thinking about, each of those that come to the same once; `also` first."""
    tried: list[tuple[float, Judged]] = []
    judgement.best(view.hand, view.ground, view.unseen, chance_of(view, view.unseen), tried)
    tried.sort(key=lambda each: -each[0])
    known = {judged.play: judged for _, judged in tried}
    for play in also:  # one of those captures of a card that are not looked at, perhaps
        if play not in known:
            points, after = judgement.points(play, view.ground), view.ground ^ (play.take or 1 << play.card)
            known[play] = Judged(play, 0.0, (), points, after)
    return [known[play] for play in choices((*also, *known), view.rules)[: PLAYS + len(also)]]


def think(
    view: View,
    rng: random.Random,
    samples: int,
    *,
    likely: bool = False,
    batch: int = 16,
    also: Sequence[Play] = (),
) -> list[Thought]:
    """Try every play on samples of what cannot be seen; return them, the best first.

    `samples` says on how many one play at most is tried.  After each `batch` those are
    dropped that are surely worse than the best so far; what they are worth is told from the
    samples that they share with the best.  With `likely` the samples are those that go with
    what the others have played.  `also` are tried whatever they promise.
    """
    judgement = Judgement.under(view.rules, WEIGHTS)
    plays = promising(view, judgement, also)
    if len(plays) == 1:
        return [Thought(plays[0].play, 0.0)]
    standing = Standing.under(view.rules, view.carry)
    side = view.side
    tried: dict[Play, list[float]] = {judged.play: [] for judged in plays}
    left = list(plays)
    best = left[0].play
    dealt = Likely(view, judgement) if likely else Samples(view)
    for number in range(1, samples + 1):
        start = Line(view, dealt.draw(rng))
        for judged in left:
            line = start.copy()
            if line.play(judged, judgement):
                line.play_out(judgement)
            tried[judged.play].append(standing.worth(line, side))
        if number % batch and number < samples:
            continue
        best = max((judged.play for judged in left), key=lambda play: sum(tried[play]))
        left = [
            judged
            for judged in left
            if judged.play == best or not _surely_less(tried[judged.play], tried[best])
        ]
        if len(left) == 1:
            break
    mean = sum(tried[best]) / len(tried[best])
    thoughts = [Thought(play, mean - _behind(worth, tried[best])) for play, worth in tried.items()]
    return sorted(thoughts, key=lambda thought: -thought.worth)


def _behind(worth: list[float], best: list[float]) -> float:
    """Return by how much one play did worse than the best on the samples that both were tried on."""
    return sum(b - w for b, w in zip(best, worth)) / len(worth)


def _surely_less(worth: list[float], best: list[float]) -> bool:
    """Say whether one play did worse than another on the same samples by over 2.5 standard errors."""
    number = len(worth)
    mean = _behind(worth, best)
    squares = sum((b - w - mean) ** 2 for b, w in zip(best, worth))
    return mean > 0 and mean * mean * number * (number - 1) > 6.25 * squares
