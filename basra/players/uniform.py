"""`random`: any play that is legal, each as likely as another."""

from __future__ import annotations

import random

from ..captures import Play
from ..view import View


def choose(view: View, rng: random.Random) -> Play:
    """Draw one of the legal plays."""
    return rng.choice(view.legal_plays())
