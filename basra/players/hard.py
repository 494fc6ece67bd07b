"""`hard`: remembers every card, and plays the last deal exactly.

Before the last deal it tries each play on samples of what it cannot see, played out by
judgement to the end of the deal.
"""

from __future__ import annotations

import random

from ..captures import Play
from ..view import View
from .ending import Ending
from .thinking import think

SAMPLES = 10  # each play is tried on so many at most
MORE = 128  # on so many with more than two seats, where more is hidden


def choose(view: View, rng: random.Random) -> Play:
    """Choose the play that is best in the last deal, else the one that is best on average."""
    if all_known(view):
        return last_deal(view)[0][1]
    return think(view, rng, SAMPLES if view.seats.count == 2 else MORE)[0].play


def all_known(view: View) -> bool:
    """Say whether a seat knows every hand: in the last deal of two seats."""
    return not view.to_deal and view.seats.count == 2


def last_deal(view: View, *, every: bool = False) -> list[tuple[int, Play]]:
    """Solve the last deal of two seats: the plays with their values, as `Ending.solve` gives them."""
    mine, theirs = (view.piles[seat - 1].bit_count() for seat in (view.seat, 3 - view.seat))
    taker = {0: 0, view.seat: 1}.get(view.last_taker, -1)
    return Ending.under(view.rules, view.carry).solve(
        view.hand, view.unseen, view.ground, mine - theirs, taker, every=every
    )
