"""`greedy`: the most points now, then the most cards."""

from __future__ import annotations

import random

from ..captures import Play, bonus, card_points
from ..view import View


def choose(view: View, rng: random.Random) -> Play:
    """Take what counts most at once, in points, then in cards; among equals, the first legal play."""
    rules = view.rules

    def gain(play: Play) -> tuple[int, int]:
        if not play.take:
            return 0, 0
        taken = play.take | 1 << play.card
        return bonus(view.kind_of(play), rules) + card_points(taken, rules), taken.bit_count()

    return max(view.legal_plays(), key=gain)
