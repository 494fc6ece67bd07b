"""`master`: the strongest within a second a move."""

from __future__ import annotations

import random

from ..captures import Play
from ..view import View
from .hard import last_deal
from .prospects import Prospects
from .thinking import MatchStanding, think

SAMPLES = 240
LIKELY = True
FOLLOW = False
MATCH = True


def choose(view: View, rng: random.Random) -> Play:
    """Choose the play that wins the match most often."""
    if not view.to_deal and view.seats.count == 2:
        return last_deal(view)[0][1]
    match = MATCH and view.seats.sides == 2 and Prospects.under(view.rules).known
    counts = MatchStanding(view) if match else None
    return think(view, rng, SAMPLES, standing=counts, likely=LIKELY, follow=FOLLOW)[0].play
