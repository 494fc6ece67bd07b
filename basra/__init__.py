"""Basra, the Egyptian card game: an engine without any user interface.

>>> match = Match(seed="42")
>>> game = match.begin_game()
>>> print(*game.legal_plays(), sep="; ")
JC take 5D,3H,AS,5S; 8D take 5D,3H; 8D take 3H,5S; AH take AS; 9H take 5D,3H,AS; 9H take 3H,AS,5S
"""

from typing import TYPE_CHECKING, Any

from .captures import Captures, Kind, Play
from .cards import KOMI, Card, Cards, in_pack_order, name, names, rank, read_card, read_cards, suit, to_set
from .engine import (
    Count,
    Counted,
    Dealt,
    Event,
    Game,
    GameBegan,
    Item,
    Match,
    MatchBegan,
    Outcome,
    Played,
    Seats,
)
from .errors import Ambiguous, BadRecord, BasraError, Illegal, Unreadable
from .rules import KEYS, NAMED, Rules
from .shuffle import commitment, first_dealer, new_seed, pack_of
from .view import View, seen_by

if TYPE_CHECKING:
    from .results import Result
    from .simulation import simulate

__all__ = [
    "KEYS",
    "KOMI",
    "NAMED",
    "Ambiguous",
    "BadRecord",
    "BasraError",
    "Captures",
    "Card",
    "Cards",
    "Count",
    "Counted",
    "Dealt",
    "Event",
    "Game",
    "GameBegan",
    "Illegal",
    "Item",
    "Kind",
    "Match",
    "MatchBegan",
    "Outcome",
    "Play",
    "Played",
    "Result",
    "Rules",
    "Seats",
    "Unreadable",
    "View",
    "commitment",
    "first_dealer",
    "in_pack_order",
    "name",
    "names",
    "new_seed",
    "pack_of",
    "rank",
    "read_card",
    "read_cards",
    "seen_by",
    "simulate",
    "suit",
    "to_set",
]


def __getattr__(name: str) -> Any:
    """Import what a game does not need only when it is asked for."""
    if name in ("Result", "simulate"):
        from . import simulation

        return getattr(simulation, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
