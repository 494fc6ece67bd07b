"""Means and shares with their intervals, from sums of whole numbers that are exact.

Sums can be added in any order, so that a figure does not depend on how work was shared out.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt

_FEW = {1: 12.706204736174694, 2: 4.302652729749462}  # where the expansion is too coarse
# Student's quantile in powers of 1/n, for n degrees of freedom: Abramowitz and Stegun, 26.7.5.
_EXPANSION = 1.959963984540054, 2.372271, 2.822499, 2.555850, 1.589534


def quantile(freedom: int) -> float:
    """Return how many standard errors on each side of a mean hold 95 %, by Student's t.

    >>> [round(quantile(freedom), 2) for freedom in (1, 3, 9, 1000)]
    [12.71, 3.18, 2.26, 1.96]

    It is less than 0.004 off with 3 degrees of freedom, less than 0.001 with more.
    """
    if freedom in _FEW:
        return _FEW[freedom]
    value = 0.0
    for coefficient in reversed(_EXPANSION):
        value = value / freedom + coefficient
    return value


@dataclass(frozen=True)
class Figure:
    """A mean and its 95 % interval, from `low` to `high`: None where the units tell of none.

    That is where there is one alone, or, of a mean, where all are alike: how much others may
    differ is then not to be seen.
    """

    mean: float
    low: float | None
    high: float | None


@dataclass
class Sums:
    """Exact sums over units of a ratio of whole numbers, as points (`y`) to games (`x`)."""

    units: int = 0
    y: int = 0
    x: int = 0
    yy: int = 0
    xy: int = 0
    xx: int = 0

    def add(self, y: int, x: int) -> None:
        """Add a unit, unless there was nothing in it to count."""
        if x:
            self += Sums(1, y, x, y * y, x * y, x * x)

    def __iadd__(self, other: Sums) -> Sums:
        self.units += other.units
        self.y += other.y
        self.x += other.x
        self.yy += other.yy
        self.xy += other.xy
        self.xx += other.xx
        return self

    def _error(self) -> float:
        """Return the standard error of the ratio, from two units or more."""
        # The spread of y - ratio * x about nothing, times x squared to stay with whole numbers.
        spread = self.yy * self.x**2 - 2 * self.xy * self.x * self.y + self.xx * self.y**2
        return sqrt(self.units * spread / (self.units - 1)) / self.x**2

    def figure(self, scale: int = 1, *, least: float = -inf) -> Figure | None:
        """Return the ratio, divided by `scale`, or None where nothing was counted.

        Its interval does not go below the `least` that the ratio can be.
        """
        if not self.units:
            return None
        mean = self.y / self.x
        error = self._error() if self.units > 1 else 0.0
        if not error:
            return Figure(mean / scale, None, None)
        half = quantile(self.units - 1) * error
        return Figure(mean / scale, max(least, mean - half) / scale, (mean + half) / scale)

    def share(self) -> Figure | None:
        """Return the ratio as a share between 0 and 1, with the interval of Wilson, or None as above.

        It is that of as many independent trials as would have the spread of the units; where
        all units are alike, of as many trials as there are units.
        """
        if not self.units:
            return None
        share = self.y / self.x
        if self.units == 1:
            return Figure(share, None, None)
        error, z = self._error(), quantile(self.units - 1)
        trials = share * (1 - share) / error**2 if error else float(self.units)
        middle = (share + z**2 / (2 * trials)) / (1 + z**2 / trials)
        half = z * sqrt(share * (1 - share) / trials + z**2 / (4 * trials**2)) / (1 + z**2 / trials)
        return Figure(share, max(0.0, middle - half), min(1.0, middle + half))
