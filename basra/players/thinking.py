"""Thinking ahead: deal out what cannot be seen, play it out, and see what came of it.

Every card that was ever seen is remembered: only those that a seat cannot place are dealt out
afresh, each sample to the hands and the pack as they may really lie.  Each play is tried on
the same samples; every seat then plays by `Judgement`, knowing no more than it would at the
table, to the end of the deal, and what stands there is worth what `Standing` says.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from math import sqrt
from typing import NamedTuple

from ..captures import Play, card_points, choices
from ..cards import FULL, Cards, in_pack_order
from ..engine import Game
from ..rules import Rules
from ..view import View
from .judgement import Judgement, Weights, chance_of

# Fitted by playing the weights against each other, see `master`.
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
    """A play, what it is worth on average in points, and on how many samples it was tried."""

    play: Play
    worth: float
    samples: int


class Samples:
    """The ways in which the cards that a seat cannot see may lie, each as likely as another."""

    def __init__(self, view: View) -> None:
        self.view = view
        count = view.seats.count
        self.placed: list[Cards] = [0] * count
        self.bottom: tuple[int, ...] = ()
        # Buried cards lie at the bottom of the pack in their order, and are dealt from there.
        for up, card in enumerate(reversed(view.buried), 1):
            if up <= view.to_deal:
                self.bottom = (card, *self.bottom)
            elif view.unseen >> card & 1:
                packet = (view.to_deal + 4 * count - up) // 4
                self.placed[(view.dealer + packet) % count] |= 1 << card
        known = sum(self.placed) | sum(1 << card for card in self.bottom)
        self.loose = list(in_pack_order(view.unseen & ~known))

    def draw(self, rng: random.Random) -> tuple[list[Cards], tuple[int, ...]]:
        """Draw the hands, one a seat, and the pack, top first."""
        view, loose = self.view, self.loose
        rng.shuffle(loose)
        at = 0
        hands = self.placed[:]
        for place, holds in enumerate(view.holds):
            if place == view.seat - 1:
                hands[place] = view.hand
                continue
            for _ in range(holds - hands[place].bit_count()):
                hands[place] |= 1 << loose[at]
                at += 1
        return hands, (*loose[at:], *self.bottom)

    def games(self, rng: random.Random) -> Iterator[Game]:
        """Deal out samples without end, each as a game that stands as it does at the table."""
        view = self.view
        while True:
            hands, stock = self.draw(rng)
            yield Game.position(
                hands,
                view.ground,
                stock=stock,
                piles=view.piles,
                turn=view.turn,
                rules=view.rules,
                seats=view.seats,
                last_taker=view.last_taker,
            )


def play_out(game: Game, judgement: Judgement) -> None:
    """Play a game on to the end of the deal, every seat by its own judgement."""
    best, deal, hands, piles = judgement.best, game.deal, game.hands, game.piles
    count = len(hands)
    new = 4 if game.stock else 0
    while game.deal == deal and not game.over:
        turn = game.turn
        hand = hands[turn - 1]
        unseen = FULL & ~hand & ~game.ground
        for pile in piles:
            unseen &= ~pile
        holds = hands[turn % count].bit_count() or new
        chance = holds / unseen.bit_count() if holds else 0.0
        game.play(best(hand, game.ground, unseen, chance))


class Standing:
    """What a position between two deals, or at the end of a game, is worth to a side, in points.

    That is what its basras and cards count, less the average of the other sides; what it can
    expect of the majority; and what the seat that plays next can expect of the ground.
    """

    # Measured over games of the judgement against itself, two seats: the difference in cards
    # still to come has a variance of 3.1 for each card that is in no pile, and 4 for the last
    # capture; the seat that plays first gets 2.1 cards less of it, and makes 0.57 of the points
    # that the ground offers to a hand of four.
    VARIANCE, LAST, FIRST, OFFERED = 3.1, 4.0, -2.1, 0.57

    def __init__(self, rules: Rules, carry: int = 0) -> None:
        self.rules = rules
        self.majority = rules.majority + carry
        self.pointed = bool(rules.ace or rules.jack or rules.two_of_clubs or rules.ten_of_diamonds)
        self.ground = Judgement.under(rules, Weights(0, 0, 0, 1.0, 0, 0, 0, 0))

    def worth(self, game: Game, side: int) -> float:
        """Return what the game is worth to a side."""
        rules, sides = self.rules, len(game.piles)
        cards = [pile.bit_count() for pile in game.piles]
        points = [
            float(basras * rules.basra + jacks * rules.jack_basra)
            for basras, jacks in zip(game.basras, game.jack_basras)
        ]
        if self.pointed:
            for at, pile in enumerate(game.piles):
                points[at] += card_points(pile, rules)
        left = 52 - sum(cards)
        shares = [0.0] * sides
        if game.over:
            most = max(cards)
            if cards.count(most) == 1:
                shares[cards.index(most)] = 1.0
        else:
            first = game.seats.side(game.turn) - 1
            unseen = FULL & ~game.ground
            for pile in game.piles:
                unseen &= ~pile
            offered = 0.0
            for which, each, _ in self.ground.threats(game.ground):
                offered += (which & unseen).bit_count() * each
            points[first] += self.OFFERED * offered * 4 / (unseen.bit_count() or 1)
            spread = sqrt(self.VARIANCE * left + self.LAST)
            ahead = [float(number) for number in cards]
            ahead[first] += self.FIRST
            for at in range(sides):
                share = 1.0
                for other in range(sides):
                    if other != at:
                        share *= below((ahead[at] - ahead[other]) / spread)
                shares[at] = share
        for at, share in enumerate(shares):
            points[at] += self.majority * share
        mine = points[side - 1]
        return mine - (sum(points) - mine) / (sides - 1)


def below(deviations: float) -> float:
    """Return how much of a normal distribution lies below so many deviations.

    An approximation by arithmetic that is the same to the last bit everywhere, which `math.erf` is not.
    """
    slope = deviations * (0.8 + 0.13 * deviations * deviations)
    return 0.5 + 0.5 * slope / sqrt(1.0 + slope * slope)


def promising(view: View, judgement: Judgement) -> list[Play]:
    """Return the plays worth thinking about, each of those that come to the same once."""
    tried: list[tuple[float, Play]] = []
    chance = chance_of(view)
    judgement.best(view.hand, view.ground, view.unseen, chance, tried)
    tried.sort(key=lambda each: -each[0])
    return list(choices(tuple(play for _, play in tried), view.rules)[:PLAYS])


def think(view: View, rng: random.Random, samples: int, batch: int = 16) -> list[Thought]:
    """Try every play on samples of what cannot be seen; return them, the best first.

    `samples` says on how many one play at most is tried.  After each `batch` those are
    dropped that are surely worse than the best so far.
    """
    judgement = Judgement.under(view.rules, WEIGHTS)
    plays = promising(view, judgement)
    if len(plays) == 1:
        return [Thought(plays[0], 0.0, 0)]
    standing = _standing(view.rules, view.carry)
    side = view.side
    tried: dict[Play, list[float]] = {play: [] for play in plays}
    left = list(plays)
    means: dict[Play, float] = {}
    for number, game in enumerate(Samples(view).games(rng), 1):
        for play in left:
            ahead = game.copy()
            ahead.play(play)
            if ahead.deal == game.deal:
                play_out(ahead, judgement)
            tried[play].append(standing.worth(ahead, side))
        if number % batch and number < samples:
            continue
        means = {play: sum(worth) / len(worth) for play, worth in tried.items()}
        best = max(left, key=means.__getitem__)
        left = [play for play in left if play == best or not _surely_less(tried[play], tried[best])]
        if len(left) == 1 or number >= samples:
            break
    thoughts = [Thought(play, means[play], len(worth)) for play, worth in tried.items()]
    return sorted(thoughts, key=lambda thought: (thought.play not in left, -thought.worth))


def _surely_less(worth: list[float], best: list[float]) -> bool:
    """Say whether one play did worse than another on the same samples by over 2.5 standard errors."""
    number = len(worth)
    mean = sum(best) / number - sum(worth) / number
    squares = sum((b - w - mean) ** 2 for b, w in zip(best, worth))
    return mean > 0 and mean * mean * number * (number - 1) > 6.25 * squares


@cache
def _standing(rules: Rules, carry: int) -> Standing:
    return Standing(rules, carry)
