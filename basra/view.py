"""What one seat may know.

A `View` is a snapshot: own hand, ground, how many cards the others hold, piles (they were
taken face up), the public past, the score.  It holds no way to the game: the other hands
and the pack cannot be reached from it, and nothing that is done to it changes the game.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from .captures import Captures, Kind, Play, kind_of, why_not
from .cards import FULL, Card, Cards
from .engine import Dealt, Event, Match, Seats
from .errors import Illegal
from .rules import Rules


@dataclass(frozen=True)
class View:
    """The position as `seat` sees it, at its own turn or at another's.

    `holds` counts the cards of each seat; `piles`, `basras`, `jack_basras` and `totals`
    have one entry a side; `plays` are those of this game from its first, which `dealer`'s
    next seat made; `to_deal` counts the cards still to be dealt; `buried` lie under the pack,
    in this order; `carry` is what level majorities add to this game's.
    """

    seat: int
    rules: Rules
    seats: Seats
    hand: Cards
    ground: Cards
    holds: tuple[int, ...]
    piles: tuple[Cards, ...]
    basras: tuple[int, ...]
    jack_basras: tuple[int, ...]
    last_taker: int
    to_deal: int
    deal: int
    dealer: int
    turn: int
    plays: tuple[Play, ...]
    first_ground: Cards
    buried: tuple[Card, ...]
    totals: tuple[int, ...]
    carry: int
    game: int

    @staticmethod
    def of(match: Match, seat: int) -> View:
        """Look at a match from a seat."""
        game = match.game
        known = {
            "seat": seat,
            "rules": match.rules,
            "seats": match.seats,
            "hand": game.hands[seat - 1],
            "ground": game.ground,
            "holds": tuple(map(int.bit_count, game.hands)),
            "piles": tuple(game.piles),
            "basras": tuple(game.basras),
            "jack_basras": tuple(game.jack_basras),
            "last_taker": game.last_taker,
            "to_deal": len(game.stock),
            "deal": game.deal,
            "dealer": game.dealer,
            "turn": game.turn,
            "plays": tuple(game.plays),
            "first_ground": game.first_ground,
            "buried": game.buried,
            "totals": match.totals,
            "carry": match.counts[-1].carry if match.counts else 0,
            "game": len(match.games),
        }
        # A player looks before every play: to set each field of a frozen value takes twice as long.
        view = object.__new__(View)
        object.__setattr__(view, "__dict__", known)
        return view

    @property
    def side(self) -> int:
        """Return the side of this seat."""
        return self.seats.side(self.seat)

    def legal_plays(self) -> tuple[Play, ...]:
        """List this seat's legal plays, in the order of `Game.legal_plays`."""
        return Captures.under(self.rules).of_hand(self.hand, self.ground)

    def plays_of(self, card: Card) -> tuple[Play, ...]:
        """List the legal plays of one card: none where it is not in hand."""
        return Captures.under(self.rules).of_hand(self.hand & 1 << card, self.ground)

    def why_not(self, play: Play) -> Illegal | None:
        """Say why a play of this seat is not legal, or return None where it is."""
        if not self.hand >> play.card & 1:
            return Illegal("{card:card} is not in your hand: {hand:row}", card=play.card, hand=self.hand)
        return why_not(play, self.ground, self.rules)

    def kind_of(self, play: Play) -> Kind:
        """Say what a legal play of this seat would be now."""
        last = not self.to_deal and sum(self.holds) == 1
        return kind_of(play, self.ground, self.rules, last=last)

    @property
    def unseen(self) -> Cards:
        """Return the cards that this seat cannot place: in another hand or still to be dealt.

        Buried cards lie there in plain sight until they are dealt.
        """
        known = self.hand | self.ground
        for pile in self.piles:
            known |= pile
        return FULL & ~known


def seen_by(event: Event, seats: tuple[int, ...]) -> Event:
    """Return an event as these seats together may know it: the hands of the others are empty."""
    if isinstance(event, Dealt):
        hands = tuple(hand if at in seats else 0 for at, hand in enumerate(event.hands, 1))
        return replace(event, hands=hands)
    return event
