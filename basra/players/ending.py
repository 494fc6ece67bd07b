"""The last deal between two sides of one seat each, when every hand is known: solved to the end.

With the pack empty the cards that a seat cannot see are the other's hand, so nothing is left
to chance.  The value of a position is exact: the points still to come for the side to play
less those of the other, with basras, card points, the majority and what goes to the side that
captures last.
"""

from __future__ import annotations

from functools import cache

from ..captures import Captures, Play, bonus, card_points, kind_of, point_cards
from ..cards import Card, Cards
from ..rules import Rules

_Move = tuple[int, int, Cards, Cards, Play]  # points, cards, the ground and the hand after, the play
_FAR = 1 << 40  # more points than there are


class Ending:
    """The solver for one rule set; `Ending.under(rules)` gives it.

    `majority` is what the majority is worth, where games before may have added to it.
    """

    SIZE = 1 << 15  # cards with the ground that they are played to, kept

    def __init__(self, rules: Rules, majority: int) -> None:
        self.rules = rules
        self.majority = majority
        self._plays = Captures.under(rules).plays
        self._pointed = sum(which for _, which, each in point_cards(rules) if each)
        self._moves: dict[tuple[Card, Cards, bool], tuple[tuple[int, int, Cards, Play], ...]] = {}
        self._known: dict[tuple[Cards, Cards, Cards, int, int], tuple[int, int]] = {}

    @staticmethod
    def under(rules: Rules, carry: int = 0) -> Ending:
        """Return the solver of a rule set; `carry` is what is added to the majority."""
        return _under(rules, rules.majority + carry)

    def solve(
        self,
        mine: Cards,
        theirs: Cards,
        ground: Cards,
        lead: int = 0,
        taker: int = 0,
        *,
        every: bool = False,
    ) -> list[tuple[int, Play]]:
        """Return the plays of the side to play with their values in points, the best first.

        `mine` is its hand; `lead` is how many more cards lie in its pile than in the other's;
        `taker` is 1 where it captured last, -1 where the other did, 0 where nobody has.  The
        value of the first is exact, and with `every` those of all; without it another's that
        is less is not more than stated.
        """
        self._known.clear()
        found: list[tuple[int, Play]] = []
        best = -_FAR
        for points, cards, after, left, play in self._ordered(mine, ground, not theirs):
            high = _FAR if every else points - best
            value = points - self._value(
                theirs, left, after, -lead - cards, -1 if cards else -taker, -_FAR, high
            )
            found.append((value, play))
            best = max(best, value)
        found.sort(key=lambda each: -each[0])
        return found

    def _value(
        self, mine: Cards, theirs: Cards, ground: Cards, lead: int, taker: int, low: int, high: int
    ) -> int:
        """Return the value for the side to play: exact within the window, else a bound beyond it."""
        if not theirs:
            return self._last(mine, ground, lead, taker)
        rest = (mine | theirs | ground).bit_count()
        if lead > rest:
            lead = 53  # the majority is settled, so how it was does not matter
        elif lead < -rest:
            lead = -53
        key = mine, theirs, ground, lead, taker
        least, most = self._known.get(key, _UNKNOWN)
        if least >= high or least == most:
            return least
        if most <= low:
            return most
        low, high = max(low, least), min(high, most)
        best, bound = -_FAR, low
        for points, cards, after, left, _ in self._ordered(mine, ground, False):
            value = points - self._value(
                theirs, left, after, -lead - cards, -1 if cards else -taker, points - high, points - bound
            )
            if value > best:
                best = value
                if value > bound:
                    bound = value
                    if value >= high:
                        break
        if best >= high:
            least = max(least, best)
        elif best <= low:
            most = min(most, best)
        else:
            least = most = best
        self._known[key] = least, most
        return best

    def _last(self, mine: Cards, ground: Cards, lead: int, taker: int) -> int:
        """Return the value where the side to play has the last card of the game, or nobody has one."""
        if not mine:
            return self._end(ground, lead, taker)
        return max(
            points - self._end(after, -lead - cards, -1 if cards else -taker)
            for points, cards, after, _, _ in self._ordered(mine, ground, True)
        )

    def _end(self, ground: Cards, lead: int, taker: int) -> int:
        lead += taker * ground.bit_count()
        value = self.majority if lead > 0 else -self.majority if lead else 0
        return value + taker * card_points(ground, self.rules) if ground & self._pointed else value

    def _ordered(self, hand: Cards, ground: Cards, last: bool) -> list[_Move]:
        """List what can be played, what gains most first."""
        moves: list[_Move] = []
        rest = hand
        while rest:
            bit = rest & -rest
            rest ^= bit
            card = bit.bit_length() - 1
            found = self._moves.get((card, ground, last)) or self._of(card, ground, last)
            left = hand ^ bit
            moves += [(points, cards, after, left, play) for points, cards, after, play in found]
        moves.sort(reverse=True)
        return moves

    def _of(self, card: Card, ground: Cards, last: bool) -> tuple[tuple[int, int, Cards, Play], ...]:
        """List, for each play of a card, points at once, cards taken, the ground after, the play."""
        found: list[tuple[int, int, Cards, Play]] = []
        for play in self._plays(card, ground):
            taken = play.take and play.take | 1 << card
            points = card_points(taken, self.rules) if taken & self._pointed else 0
            if taken and play.take == ground:
                points += bonus(kind_of(play, ground, self.rules, last=last), self.rules)
            found.append((points, taken.bit_count(), ground ^ (play.take or 1 << card), play))
        if len(self._moves) >= self.SIZE:
            self._moves.clear()
        moves = self._moves[card, ground, last] = tuple(found)
        return moves


_UNKNOWN = -_FAR, _FAR


@cache
def _under(rules: Rules, majority: int) -> Ending:
    return Ending(rules, majority)
