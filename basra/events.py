"""What happens in a match, as values: the events that it tells, and the count of a game, explained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .captures import Kind, Play
from .cards import Card, Cards
from .rules import Rules

if TYPE_CHECKING:
    from .engine import Seats


@dataclass(frozen=True)
class Item:
    """One line of a count: what for, how many each side has, and the points for each side.

    `key` is the key of the rule set that gives the points, `each` its value.
    """

    key: str
    each: int
    amounts: tuple[int, ...]
    points: tuple[int, ...]


@dataclass(frozen=True)
class Count:
    """The count of a game, explained: one `Item` for each source of points.

    `carry` is what a level majority adds to the next game's.
    """

    items: tuple[Item, ...]
    cards: tuple[int, ...]
    basras: tuple[int, ...]
    jack_basras: tuple[int, ...]
    carry: int

    @property
    def points(self) -> tuple[int, ...]:
        """Return the points of this game for each side."""
        return tuple(map(sum, zip(*(item.points for item in self.items))))


@dataclass(frozen=True)
class MatchBegan:
    """A match stands ready; `commit` is the seal of its seed, if it is dealt from one."""

    rules: Rules
    seats: Seats
    names: tuple[str, ...]
    commit: str | None


@dataclass(frozen=True)
class GameBegan:
    """Game `number` begins; `totals` are those of the match before it."""

    number: int
    dealer: int
    totals: tuple[int, ...]


@dataclass(frozen=True)
class Dealt:
    """Every seat has been dealt four cards; `buried` went under the pack, face up, just now.

    `piles` counts the cards of each side's pile.
    """

    deal: int
    deals: int
    hands: tuple[Cards, ...]
    ground: Cards
    to_deal: int
    turn: int
    buried: tuple[Card, ...]
    piles: tuple[int, ...]


@dataclass(frozen=True)
class Played:
    """A seat has played; `ground` is what lay there before, `points` what its basra earns."""

    seat: int
    play: Play
    kind: Kind
    points: int
    ground: Cards
    turn: int


@dataclass(frozen=True)
class Counted:
    """A game is over; `left` lay on the ground and went to `left_to` (0: nobody took anything)."""

    number: int
    count: Count
    left: Cards
    left_to: int
    totals: tuple[int, ...]


@dataclass(frozen=True)
class Outcome:
    """The end of a match: the side that has won, the totals, and the seat that gave up, if one did.

    `games` counts the games that were finished.  The seed, which was sealed until now, and
    the cut are shown with it.
    """

    winner: int
    totals: tuple[int, ...]
    games: int
    resigned: int | None = None
    seed: str | None = None
    cut: str = ""


Event = MatchBegan | GameBegan | Dealt | Played | Counted | Outcome
