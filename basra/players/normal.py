"""`normal`: the best of the moment by simple rules.

A basra first, then cards; a jack or the komi is kept until it pays; and where it can be
helped no ground is left that the next seat may clear.
"""

from __future__ import annotations

import random
from functools import lru_cache

from ..captures import Captures, Play, bonus, kind_of
from ..cards import FULL, Cards, in_pack_order
from ..rules import Rules
from ..view import View

CARD = 1.2  # what a card in the pile is worth, in points, where the majority is worth 30
KEPT = 3.2  # what a sweeper in hand is worth while other cards can be played instead


@lru_cache(maxsize=1 << 14)
def clearers(ground: Cards, rules: Rules) -> tuple[tuple[Cards, int], ...]:
    """List what clears a ground: the cards that would make a basra of it, and its points."""
    found: dict[int, Cards] = {}
    captures = Captures.under(rules)
    for card in in_pack_order(FULL & ~ground):
        play = Play(card, ground)
        if ground and play in captures.plays(card, ground):
            points = bonus(kind_of(play, ground, rules), rules)
            if points:
                found[points] = found.get(points, 0) | 1 << card
    return tuple((cards, points) for points, cards in found.items())


def choose(view: View, rng: random.Random) -> Play:
    """Choose the legal play that promises the most points; among equals, the first."""
    rules, ground = view.rules, view.ground
    unseen = view.unseen
    left = unseen.bit_count() or 1
    chance = view.holds[view.seats.after(view.seat) - 1] / left
    sweepers = Captures.under(rules).sweepers if view.hand & view.hand - 1 else 0
    per_card = CARD * rules.majority / 30
    best, most = None, -1e9
    for play in view.legal_plays():
        card, take = play
        value = 0.0
        after = ground ^ take
        if take:
            value = per_card * (1 + take.bit_count())
            if not after:
                value += bonus(view.kind_of(play), rules)
        else:
            after |= 1 << card
        if sweepers >> card & 1:
            value -= KEPT
        for cards, points in clearers(after, rules):
            value -= (cards & unseen).bit_count() * points * chance
        if value > most:
            best, most = play, value
    assert best is not None
    return best
