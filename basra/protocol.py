"""What the game and a program that plays a seat say to each other, line by line.

Both sides are here: `question` writes a view as lines and `read_answer` reads the play that
comes back; a `Question` reads those lines again for whoever answers.  A question is whole:
an answer needs nothing that was said before.  `man/basra-protocol.7` describes it all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .captures import Play
from .cards import FULL, Card, Cards, in_pack_order, name, names, to_set
from .engine import Match, Seats
from .errors import Illegal, Unreadable
from .record import read_play
from .rules import KEYS, Rules
from .spelling import exact_card, exact_cards, read_number, split
from .view import View

HELLO = "basra-protocol 1"
CHOOSE = "choose"
_HELD = 48  # cards that are dealt to hands in a game, four at a time


# ---- the side that asks ------------------------------------------------------------------


def question(view: View, chance: int) -> list[str]:
    """Write all that a seat may know at its turn, and the number that its chance is to come from."""
    seats = view.seats
    seat = view.dealer
    played = []
    for play in view.plays:
        seat = seats.after(seat)
        played.append(f"played {seat} {play}")
    return [
        f"rules {view.rules.name}",
        *(f"set {key.name} {key.write(getattr(view.rules, key.name))}" for key in KEYS.values()),
        f"seats {seats.count}{' teams' if seats.teams else ''}",
        f"seat {view.seat}",
        f"game {view.game}",
        f"totals {_joined(view.totals)}",
        f"carry {view.carry}",
        f"dealer {view.dealer}",
        _line("first-ground", names(view.first_ground)),
        _line("buried", [name(card) for card in view.buried]),
        *played,
        f"deal {view.deal}",
        f"turn {view.turn}",
        f"to-deal {view.to_deal}",
        f"holds {_joined(view.holds)}",
        *(_line(f"pile {side}", names(pile)) for side, pile in enumerate(view.piles, 1)),
        f"basras {_joined(view.basras)}",
        f"jack-basras {_joined(view.jack_basras)}",
        f"last-taker {view.last_taker}",
        _line("ground", names(view.ground)),
        _line("hand", names(view.hand)),
        f"chance {chance:064x}",
        CHOOSE,
    ]


def _joined(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers))


def _line(key: str, cards: list[str]) -> str:
    return f"{key} {','.join(cards)}" if cards else key


def check_greeting(text: str) -> None:
    """Raise `Unreadable` unless a program greets with the protocol, its name and its version."""
    words = text.split()
    if words[:2] != HELLO.split() or len(words) != 4:
        raise Unreadable("{text} is no greeting: it is {hello} NAME VERSION", text=text, hello=HELLO)


def read_answer(text: str, view: View) -> Play:
    """Read `play CARD [take CARDS]`, exactly as in a record.

    Raises `Unreadable` or `Ambiguous` for what is no play, `Illegal` for one that may not be
    played.
    """
    words = split(text)
    if words[:1] != ["play"]:
        raise Unreadable(
            "{text} cannot be read: it is play CARD or play CARD take CARDS", text=text or "an empty line"
        )
    play = read_play(words[1:], view)
    error = view.why_not(play)
    if error:
        raise error
    return play


# ---- the side that answers ---------------------------------------------------------------


def _read_seats(text: str) -> Seats:
    words = text.split()
    if words[1:] not in ([], ["teams"]):
        raise Unreadable("seats {text} cannot be read: it is seats N or seats 4 teams", text=text)
    return Seats(read_number(words[0] if words else ""), teams=len(words) > 1)


def _read_numbers(text: str) -> tuple[int, ...]:
    return tuple(map(read_number, text.split(",")))


def _read_cards(text: str) -> Cards:
    return exact_cards(text) if text else 0


def _read_chance(text: str) -> int:
    if not re.fullmatch("[0-9a-f]{1,64}", text):
        raise Unreadable("{text} is no chance: 1 to 64 lower-case hexadecimal digits", text=text)
    return int(text, 16)


# How the text after each key that may stand once is read.
_KEYS: dict[str, Callable[[str], Any]] = {
    "rules": Rules.named,
    "seats": _read_seats,
    "seat": read_number,
    "game": read_number,
    "totals": _read_numbers,
    "carry": read_number,
    "dealer": read_number,
    "first-ground": _read_cards,
    "buried": lambda text: tuple(map(exact_card, text.split(","))) if text else (),
    "deal": read_number,
    "turn": read_number,
    "to-deal": read_number,
    "holds": _read_numbers,
    "basras": _read_numbers,
    "jack-basras": _read_numbers,
    "last-taker": read_number,
    "ground": _read_cards,
    "hand": _read_cards,
    "chance": _read_chance,
}
_NEEDED = ("seat", "dealer", "first-ground", "hand")
_FOLLOWING = ("deal", "turn", "to-deal", "holds", "basras", "jack-basras", "last-taker", "ground")


@dataclass
class Question:
    """A question that is being read, line by line: `take` each, then look at `view` and `chance`.

    What follows from the plays may be left out; what stands is checked.
    """

    said: dict[str, Any] = field(default_factory=dict)
    played: list[tuple[int, list[str]]] = field(default_factory=list)

    def take(self, line: str) -> None:
        """Take in a line, or pass over one that begins with a word that is not known.

        Raises `Unreadable` for one that cannot be read or stands twice.
        """
        key, _, text = line.strip().partition(" ")
        text = text.strip()
        if key == "played":
            self._take_played(text)
            return
        if key in ("set", "pile"):
            which, _, text = text.partition(" ")
            key = f"{key} {which}"
        elif key not in _KEYS:
            return
        if key in self.said:
            raise Unreadable("{key} stands twice", key=key)
        self.said[key] = self._read(key, text.strip())

    def _read(self, key: str, text: str) -> Any:
        word, _, which = key.partition(" ")
        if word == "set":
            Rules().changed(which, text)
            return text
        if word == "pile":
            if which not in ("1", "2", "3", "4"):
                raise Unreadable("{which} is not a side", which=which)
            return _read_cards(text)
        return _KEYS[key](text)

    def _take_played(self, text: str) -> None:
        seat, _, play = text.partition(" ")
        if len(self.played) == _HELD - 1:
            raise Unreadable("a game that is not over has at most {most} plays", most=_HELD - 1)
        words = split(play)
        if len(words) not in (1, 3) or words[1:2] not in ([], ["take"]):
            raise Unreadable("played {text} cannot be read: it is played SEAT CARD take CARDS", text=text)
        exact_card(words[0])
        self.played.append((read_number(seat), words))

    @property
    def chance(self) -> int:
        """Return the number that chance is to come from."""
        return int(self.said.get("chance", 0))

    def view(self) -> View:
        """Return the view of the seat that is asked.

        Raises `Unreadable` for what is missing, `Illegal` for what does not fit together:
        there is a way to deal and play a game so that this seat sees just this.
        """
        for key in _NEEDED:
            if key not in self.said:
                raise Unreadable("{key} is missing", key=key)
        rules = self._rules()
        seats: Seats = self.said.get("seats", Seats())
        for key in ("seat", "dealer"):
            if not 1 <= self.said[key] <= seats.count:
                raise Illegal(
                    "{key} {seat} is wrong: there are {count} seats",
                    key=key,
                    seat=self.said[key],
                    count=seats.count,
                )
        match = self._replayed(rules, seats)
        view = View.of(match, self.said["seat"])
        if view.turn != view.seat:
            raise Illegal("it is the turn of seat {turn}, not of seat {seat}", turn=view.turn, seat=view.seat)
        self._check(view)
        return self._in_match(view)

    def _rules(self) -> Rules:
        rules: Rules = self.said.get("rules", Rules())
        for key, value in self.said.items():
            if key.startswith("set "):
                rules = rules.changed(key[4:], value)
        return rules

    def _replayed(self, rules: Rules, seats: Seats) -> Match:
        """Play a game in which the seat sees what it says, as far as the plays go."""
        match = Match(rules, seats, dealer=self.said["dealer"])
        game = match.begin_game(self._pack(seats))
        for seat, words in self.played:
            if seat != game.turn:
                raise Illegal("played {seat} is wrong: it is the turn of {turn}", seat=seat, turn=game.turn)
            match.play(read_play(words, game))
        return match

    def _pack(self, seats: Seats) -> list[Card]:
        """Stack a pack, top first: what the seat has seen is where it saw it, the rest anywhere.

        The 48 cards that go to hands are packets of four, the first one for the seat after
        the dealer.  A card that is buried is one of the last of them.
        """
        buried: tuple[Card, ...] = self.said.get("buried", ())
        first_ground: Cards = self.said["first-ground"]
        a_deal = 4 * seats.count
        packets = [0] * (_HELD // 4)
        for at, (_, words) in enumerate(self.played):
            packets[at // a_deal * seats.count + at % seats.count] |= 1 << exact_card(words[0])
        place = (self.said["seat"] - self.said["dealer"] - 1) % seats.count
        own = len(self.played) // a_deal * seats.count + place
        packets[own] |= self.said["hand"]
        for at, card in enumerate(buried, _HELD - len(buried)):
            packets[at // 4] |= 1 << card
        if first_ground.bit_count() != 4:
            raise Illegal("first-ground needs four cards: {cards:row}", cards=first_ground)
        known = first_ground
        for packet in packets:
            known |= packet
        sizes = [packet.bit_count() for packet in packets]
        once = to_set(buried).bit_count() == len(buried)
        if sizes[own] != 4 or max(sizes) > 4 or known.bit_count() != 4 + sum(sizes) or not once:
            raise Illegal("hand, played, buried and first-ground do not fit together")
        rest = list(in_pack_order(FULL & ~known))
        held: list[Card] = []
        for packet in packets:
            missing = 4 - packet.bit_count()
            held += in_pack_order(packet & ~to_set(buried)) + tuple(rest[:missing])
            rest = rest[missing:]
        return [*held[:a_deal], *buried, *in_pack_order(first_ground), *held[a_deal:]]

    def _check(self, view: View) -> None:
        """Raise `Illegal` where what is said differs from what follows."""
        said = self.said
        if (view.first_ground, view.buried) != (said["first-ground"], said.get("buried", ())):
            raise Illegal("first-ground and buried do not go with the key bury: {bury}", bury=view.rules.bury)
        if view.hand != said["hand"]:
            raise Illegal("hand is wrong")
        right: dict[str, Any] = {key: getattr(view, key.replace("-", "_")) for key in _FOLLOWING}
        right |= {f"pile {side}": pile for side, pile in enumerate(view.piles, 1)}
        for key in said:
            if key.startswith("pile ") and key not in right:
                raise Illegal("{key} is wrong: there are {count} sides", key=key, count=view.seats.sides)
        for key, value in right.items():
            if said.get(key, value) != value:
                raise Illegal("{key} does not follow from the plays", key=key)

    def _in_match(self, view: View) -> View:
        """Put a view where it belongs in the match."""
        rules, sides = view.rules, view.seats.sides
        totals = self.said.get("totals", (0,) * sides)
        if len(totals) != sides:
            raise Illegal("totals needs {count} numbers, one a side", count=sides)
        most = max(totals)
        if most >= rules.target and totals.count(most) == 1:
            raise Illegal(
                "totals is wrong: with {most} of {target} the match is over", most=most, target=rules.target
            )
        carry, game = self.said.get("carry", 0), self.said.get("game", 1)
        if carry and rules.majority_tie != "carry":
            raise Illegal("carry is wrong: by these rules nothing is carried")
        if not game:
            raise Illegal("game is wrong: games are numbered from 1")
        return replace(view, totals=totals, carry=carry, game=game)
