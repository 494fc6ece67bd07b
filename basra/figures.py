"""Means and shares with their intervals, from sums of whole numbers that are exact.

Sums can be added in any order, so that a figure does not depend on how work was shared out.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

_Z = 1.959963984540054  # standard deviations on each side of a mean that hold 95 %


@dataclass(frozen=True)
class Figure:
    """A mean and its 95 % interval, from `low` to `high`."""

    mean: float
    low: float
    high: float


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
        """Add a unit."""
        self += Sums(1, y, x, y * y, x * y, x * x)

    def __iadd__(self, other: Sums) -> Sums:
        self.units += other.units
        self.y += other.y
        self.x += other.x
        self.yy += other.yy
        self.xy += other.xy
        self.xx += other.xx
        return self

    @property
    def error(self) -> float | None:
        """Return the standard error of the ratio, or None where there is but one unit."""
        if self.units < 2 or not self.x:
            return None
        # The spread of y - ratio * x about nothing, times x squared to stay with whole numbers.
        spread = self.yy * self.x**2 - 2 * self.xy * self.x * self.y + self.xx * self.y**2
        return sqrt(self.units * spread / (self.units - 1)) / self.x**2

    def figure(self, scale: int = 1, *, signed: bool = True) -> Figure | None:
        """Return the ratio, divided by `scale`, or None where nothing was counted.

        What is not `signed` has an interval that does not go below zero.
        """
        if not self.x:
            return None
        half = _Z * (self.error or 0.0)
        mean = self.y / self.x
        low = mean - half if signed else max(0.0, mean - half)
        return Figure(mean / scale, low / scale, (mean + half) / scale)

    def share(self) -> Figure | None:
        """Return the ratio as a share between 0 and 1, with the interval of Wilson.

        It is that of as many independent trials as would have the spread of the units; where
        all units are alike, of as many trials as there are units.
        """
        if not self.x:
            return None
        share, error = self.y / self.x, self.error
        trials = share * (1 - share) / error**2 if error else float(self.units)
        middle = (share + _Z**2 / (2 * trials)) / (1 + _Z**2 / trials)
        half = _Z * sqrt(share * (1 - share) / trials + _Z**2 / (4 * trials**2)) / (1 + _Z**2 / trials)
        return Figure(share, max(0.0, middle - half), min(1.0, middle + half))
