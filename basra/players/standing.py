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

    # Fitted to the ends of 24,000 games of the judgement against itself, two seats: the difference
    # in cards still to come has a variance of 2.8 for each card that is in no pile, and 15 for the
    # last capture.  Of it the seat that plays first gets so much as its best card of four takes of
    # the ground, on average, and the rest comes to the other for the cards that lie there.
    VARIANCE, LAST = 2.8, 15.0
    FIRST, TAKEN, LYING, OFFERED = -3.1, 1.93, -0.82, 1.13

    @staticmethod
    def under(rules: Rules, carry: int = 0) -> Standing:
        """Return the standing of a rule set; `carry` is what is added to the majority."""
        return _under(rules, carry)

    def __init__(self, rules: Rules, carry: int) -> None:
        self.rules = rules
        self.majority = rules.majority + carry
        self.pointed = bool(rules.ace or rules.jack or rules.two_of_clubs or rules.ten_of_diamonds)
        # The points and the cards that each kind of card takes of a ground, the most cards first.
        cards = 30 / rules.majority if rules.majority else 0.0
        self.ground = Judgement.under(rules, Weights(0, 0, 0, 1.0, 0, 0, cards, 0))

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
        offered, more = self._offer(line.ground, unseen)
        spread = sqrt(self.VARIANCE * (52 - sum(cards)) + self.LAST)
        expected = [number + more * (at == first) for at, number in enumerate(cards)]
        shares = []
        for at, number in enumerate(expected):
            share = 1.0
            for other, less in enumerate(expected):
                if other != at:
                    share *= below((number - less) / spread)
            shares.append(share)
        return points, shares, first, offered

    def _offer(self, ground: Cards, unseen: Cards) -> tuple[float, float]:
        """Return the points that the seat that plays first can expect of a ground, and the cards."""
        number = unseen.bit_count()
        points = cards = 0.0
        none = 1.0  # how likely it is that it holds none of the cards so far
        for which, makes, takes in self.ground.threats(ground):
            of = 1.0 - (which & unseen).bit_count() / number
            one = none * (1.0 - of * of * of * of)
            none -= one
            points += one * makes
            cards += one * takes
        more = self.FIRST + self.TAKEN * cards + self.LYING * ground.bit_count()
        return self.OFFERED * points, more


def below(deviations: float) -> float:
    """Return how much of a normal distribution lies below so many deviations.

    An approximation by arithmetic that is the same to the last bit everywhere, which `math.erf` is not.
    """
    slope = deviations * (0.8 + 0.13 * deviations * deviations)
    return 0.5 + 0.5 * slope / sqrt(1.0 + slope * slope)


@cache
def _under(rules: Rules, carry: int) -> Standing:
    return Standing(rules, carry)
