"""`hard`: remembers every card, and plays the last deal exactly.

Before the last deal it tries each play on samples of what it cannot see, played out by
judgement to the end of the deal.
"""

from __future__ import annotations

import random

from ..captures import Play
from ..cards import Cards
from ..view import View
from .ending import Ending
from .thinking import think

SAMPLES = 32  # each play is tried on so many at most
MORE = 4  # times as many with more than two seats, where more is hidden


def choose(view: View, rng: random.Random) -> Play:
    """Choose the play that is best in the last deal, else the one that is best on average."""
    if not view.to_deal and view.seats.count == 2:
        return last_deal(view)[0][1]
    samples = SAMPLES if view.seats.count == 2 else MORE * SAMPLES
    return think(view, rng, samples)[0].play


def last_deal(view: View, *, every: bool = False) -> list[tuple[float, Play]]:
    """Solve the last deal of two seats: the plays with their values, as `Ending.solve` gives them."""
    return solved(view, view.unseen, every=every)


def solved(view: View, theirs: Cards, *, every: bool) -> list[tuple[float, Play]]:
    """Solve the deal of two seats as if the other held `theirs`."""
    other = 3 - view.seat
    lead = view.piles[view.seat - 1].bit_count() - view.piles[other - 1].bit_count()
    taker = {0: 0, view.seat: 1}.get(view.last_taker, -1)
    ending = Ending.under(view.rules, view.carry, view.to_deal)
    return ending.solve(view.hand, theirs, view.ground, lead, taker, every=every)
