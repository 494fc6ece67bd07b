"""What a position between two deals, or at the end of a game, is worth."""

from __future__ import annotations

from functools import cache
from math import sqrt
from typing import TYPE_CHECKING

from ..captures import card_points
from ..cards import FULL, Cards
from ..rules import Rules
from .judgement import Judgement, Weights

if TYPE_CHECKING:
    from .thinking import Line


class Standing:
    """What a position between two deals, or at the end of a game, is worth to a side, in points.

    That is what its basras and cards count, less the average of the other sides; what it can
    expect of the majority; and what the seat that plays next can expect of the ground.
    """

    # Measured over games of the judgement against itself, two seats: the difference in cards
    # still to come has a variance of 2.9 for each card that is in no pile, and 9 for the last
    # capture; the seat that plays first gets a card less of it, and makes 0.57 of the points that
    # the ground offers to a hand of four.
    VARIANCE, LAST, FIRST, OFFERED = 2.9, 9.0, -1, 0.57

    @staticmethod
    def under(rules: Rules, carry: int = 0) -> Standing:
        """Return the standing of a rule set; `carry` is what is added to the majority."""
        return _under(rules, carry)

    def __init__(self, rules: Rules, carry: int) -> None:
        self.rules = rules
        self.majority = rules.majority + carry
        self.pointed = bool(rules.ace or rules.jack or rules.two_of_clubs or rules.ten_of_diamonds)
        self.ground = Judgement.under(rules, Weights(0, 0, 0, 1.0, 0, 0, 0, 0))

    def worth(self, line: Line, side: int) -> float:
        """Return what the end of a deal is worth to a side."""
        points, shares, first, offered = self._stand(line)
        worth = [had + self.majority * share for had, share in zip(points, shares)]
        worth[first] += offered
        mine = worth[side - 1]
        return mine - (sum(worth) - mine) / (len(worth) - 1)

    def _stand(self, line: Line) -> tuple[list[int], list[float], int, float]:
        """Return how things stand at the end of a deal.

        The points of each side but for the majority, its chance of that, the place of the
        side that plays first, and the points that the ground offers it.
        """
        piles, points = line.piles, line.points
        first = line.sides[line.turn]
        if not line.new:
            if line.taker >= 0:
                piles, points = piles[:], points[:]
                piles[line.taker] |= line.ground
                if self.pointed:
                    points[line.taker] += card_points(line.ground, self.rules)
            cards = [pile.bit_count() for pile in piles]
            most = max(cards)
            single = cards.count(most) == 1
            return points, [float(single and number == most) for number in cards], first, 0.0
        cards = [pile.bit_count() for pile in piles]
        unseen = FULL & ~line.ground
        for pile in piles:
            unseen &= ~pile
        offered = 0.0
        for which, each, _ in self.ground.threats(line.ground):
            offered += (which & unseen).bit_count() * each
        offered *= self.OFFERED * 4 / unseen.bit_count()
        spread = sqrt(self.VARIANCE * (52 - sum(cards)) + self.LAST)
        cards[first] += self.FIRST
        shares = []
        for at, number in enumerate(cards):
            share = 1.0
            for other, less in enumerate(cards):
                if other != at:
                    share *= below((number - less) / spread)
            shares.append(share)
        return points, shares, first, offered

    def open(self, ground: Cards, lead: int, left: int) -> float:
        """Return what the end of a deal is worth to the side that plays first, of two, at a quick guess.

        `lead` is how many more cards it has, `left` how many are still to be dealt.
        """
        spread = sqrt(self.VARIANCE * (left + ground.bit_count()) + self.LAST)
        offered = 0.0
        for which, each, _ in self.ground.threats(ground):
            offered += (which & ~ground).bit_count() * each
        share = below((lead + self.FIRST) / spread)
        return self.majority * (2.0 * share - 1.0) + self.OFFERED * offered * 4 / 52


def below(deviations: float) -> float:
    """Return how much of a normal distribution lies below so many deviations.

    An approximation by arithmetic that is the same to the last bit everywhere, which `math.erf` is not.
    """
    slope = deviations * (0.8 + 0.13 * deviations * deviations)
    return 0.5 + 0.5 * slope / sqrt(1.0 + slope * slope)


@cache
def _under(rules: Rules, carry: int) -> Standing:
    return Standing(rules, carry)
