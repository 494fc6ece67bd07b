"""`normal`: the best of the moment by simple rules.

A basra first, then cards; a jack or the komi is kept until it pays; and where it can be
helped no ground is left that the next seat may clear.

What the others have taken it forgets: only `hard` and `master` remember every card.
"""

from __future__ import annotations

import random

from ..captures import Play, card_points
from ..cards import FULL
from ..view import View
from .judgement import Judgement, Weights, chance_of

CARD = 1.2  # what a card in the pile is worth, in points, where the majority is worth 30
KEPT = 3.2  # and what a jack or the komi in hand is, while there is another card to play

# Of the threats on a ground only the points count here.
_POINTS = Weights(0, 0, 0, risk_points=1, risk_cards=0, own_points=0, own_cards=0, clear=0)


def choose(view: View, rng: random.Random) -> Play:
    """Choose the legal play that promises the most points; among equals, the first.  Draws nothing."""
    hand, ground = view.hand, view.ground
    unseen = FULL & ~(hand | ground | view.piles[view.side - 1])
    judgement = Judgement.under(view.rules, _POINTS)
    threats = judgement.threats
    chance = chance_of(view, unseen)
    per_card = CARD * judgement.per_card
    kept = KEPT * judgement.per_card
    sweepers = judgement.sweepers if hand & hand - 1 else 0
    basras = threats(ground)
    best, most = None, -1e9
    for play in judgement.captures.of_hand(hand, ground):
        card, take = play
        bit = 1 << card
        value = 0.0
        if take:
            value = per_card * (1 + take.bit_count())
            if take == ground:
                for cards, points, _ in basras:
                    if cards & bit:
                        value += points
            elif judgement.pointed:
                value += card_points(take | bit, view.rules)
        if bit & sweepers:
            value -= kept
        if value <= most:
            continue  # and what is left to the next seat only takes from it
        for cards, points, _ in threats(ground ^ (take or bit)):
            value -= (cards & unseen).bit_count() * points * chance
        if value > most:
            best, most = play, value
    assert best is not None
    return best
