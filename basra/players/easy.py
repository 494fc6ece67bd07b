"""`easy`: chance, but it sees a basra when it is there."""

from __future__ import annotations

import random

from ..captures import Play, bonus
from ..view import View


def choose(view: View, rng: random.Random) -> Play:
    """Draw a card and then one of its plays, unless a basra can be made: then one worth the most."""
    plays = view.legal_plays()
    worth = [bonus(view.kind_of(play), view.rules) if play.take == view.ground else 0 for play in plays]
    most = max(worth)
    if most:
        return rng.choice([play for play, points in zip(plays, worth) if points == most])
    card = rng.choice(sorted({play.card for play in plays}))
    return rng.choice([play for play in plays if play.card == card])
