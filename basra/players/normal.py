"""`normal`: the best of the moment by simple rules.

A basra first, then cards; a jack or the komi is kept until it pays; and where it can be
helped no ground is left that the next seat may clear.
"""

from __future__ import annotations

import random

from ..captures import Play
from ..view import View
from .judgement import Judgement, Weights, chance_of

WEIGHTS = Weights(
    card=1.2,
    keep_jack=3.2,
    keep_komi=3.2,
    risk_points=1.0,
    risk_cards=0.0,
    own_points=0.0,
    own_cards=0.0,
    clear=0.0,
)


def choose(view: View, rng: random.Random) -> Play:
    """Choose the legal play that promises the most points; among equals, the first.  Draws nothing."""
    judgement = Judgement.under(view.rules, WEIGHTS)
    return judgement.best(view.hand, view.ground, view.unseen, chance_of(view)).play
