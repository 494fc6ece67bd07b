"""What wins the match: how likely a side is to win from the totals after a game, two sides.

A game to come is taken to be one of even players: the majority goes to either side, and each
makes basras by chance, as many as were counted in games of good players.
"""

from __future__ import annotations

from functools import cache
from math import gcd

from ..rules import Rules

BASRAS, JACK_BASRAS = 0.72, 0.017  # made by a side in a game of two seats
_STEPS = 24  # at most so many totals on the way to the target are told apart

Chances = dict[int, float]  # points, and how likely they are


def by_chance(rules: Rules, part: float) -> Chances:
    """Return what the basras of a side in such a part of a game are worth, and how likely that is."""
    chances = {0: 1.0}
    for rate, points in ((BASRAS * part, rules.basra), (JACK_BASRAS * part, rules.jack_basra)):
        if not points:
            continue
        none = 1.0
        for _ in range(16):  # e to the minus rate, by arithmetic that is the same everywhere
            none *= 1.0 - rate / 16 + rate * rate / 512
        often = (none, none * rate, none * rate * rate / 2, 1 - none * (1 + rate + rate * rate / 2))
        more: Chances = {}
        for had, chance in chances.items():
            for number, likely in enumerate(often):
                both = had + number * points
                more[both] = more.get(both, 0.0) + chance * likely
        chances = more
    return chances


class Prospects:
    """The chances under one rule set; `Prospects.under(rules)` gives them."""

    SIZE = 1 << 16  # hopes kept

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.target = rules.target
        self._hopes: dict[tuple[int, int, int], float] = {}
        cards = (4 * rules.ace + 4 * rules.jack + rules.two_of_clubs + rules.ten_of_diamonds) // 2
        basras = by_chance(rules, 1.0)
        self.step = max(gcd(*basras, rules.majority + cards, cards), -(-rules.target // _STEPS), 1)
        self.size = -(-rules.target // self.step)
        games: dict[tuple[int, int], float] = {}
        for mine, chance in basras.items():
            for theirs, likely in basras.items():
                for a, b in ((mine + rules.majority, theirs), (mine, theirs + rules.majority)):
                    got = self._steps(a + cards), self._steps(b + cards)
                    games[got] = games.get(got, 0.0) + chance * likely / 2
        again = games.pop((0, 0), 0.0)
        self.games = (
            [(a, b, chance / (1.0 - again)) for (a, b), chance in games.items()] if again < 0.999 else []
        )
        self._wins: list[list[float]] = [[0.5] * self.size for _ in range(self.size)]
        for total in range(2 * self.size - 2, -1, -1):
            for mine in range(max(0, total - self.size + 1), min(total, self.size - 1) + 1):
                self._wins[mine][total - mine] = self._from(mine, total - mine)

    @staticmethod
    def under(rules: Rules) -> Prospects:
        """Return the chances under a rule set."""
        return _under(rules)

    def _steps(self, points: int) -> int:
        return (2 * points + self.step) // (2 * self.step)

    def _from(self, mine: int, theirs: int) -> float:
        win = 0.0
        for a, b, chance in self.games:
            a += mine
            b += theirs
            if a < self.size and b < self.size:
                win += chance * self._wins[a][b]
            elif a >= b:
                win += chance if a > b else chance / 2
        return win if self.games else 0.5

    @property
    def known(self) -> bool:
        """Say whether a game can be told to bring the match nearer to its end."""
        return bool(self.games)

    def hope(self, mine: int, theirs: int, parts: int) -> float:
        """Return how likely a side is to win with these points when `parts` eighths of a game are left.

        The majority is already among the points; basras are not.
        """
        key = mine, theirs, parts
        hope = self._hopes.get(key)
        if hope is None:
            basras = by_chance(self.rules, parts / 8)
            hope = 0.0
            for a, chance in basras.items():
                for b, likely in basras.items():
                    hope += chance * likely * self.win(mine + a, theirs + b)
            if len(self._hopes) >= self.SIZE:
                self._hopes.clear()
            self._hopes[key] = hope
        return hope

    def win(self, mine: float, theirs: float) -> float:
        """Return how likely the side is to win that has `mine` points after a game."""
        if mine >= self.target or theirs >= self.target:
            return 0.5 if mine == theirs else float(mine > theirs)
        a, b = mine / self.step, theirs / self.step
        i, j = min(int(a), self.size - 1), min(int(b), self.size - 1)
        a, b = a - i, b - j
        here = self._wins[i][j]
        up = self._wins[i + 1][j] if i + 1 < self.size else (1.0 + here) / 2
        down = self._wins[i][j + 1] if j + 1 < self.size else here / 2
        return here + a * (up - here) + b * (down - here)


@cache
def _under(rules: Rules) -> Prospects:
    return Prospects(rules)
