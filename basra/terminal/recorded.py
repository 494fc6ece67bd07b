"""Recorded matches: told again, play by play, and checked by the thousand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ..cards import Writer
from ..engine import Event, GameBegan, Match, MatchBegan
from ..errors import BadRecord, Unreadable
from ..record import Record, read
from ..view import View
from .console import Signals
from .session import Source
from .teller import Teller
from .writing import _, ngettext

MOST_LISTED = 20


class Replay:
    """Tell a recorded match, whole or one game of it, with every hand open.

    With a `source` it waits before each play: Enter shows the next one, `all` the rest.
    """

    def __init__(
        self, record: Record, screen: Teller, signals: Signals, source: Source | None, game: int | None
    ) -> None:
        if game is not None and game > len(record.match.games):
            raise Unreadable(
                "there is no game {game}: the record has {count}", game=game, count=len(record.match.games)
            )
        self.record = record
        self.screen = screen
        self.signals = signals
        self.source = source
        self.game = game
        self.number = 0

    def run(self) -> None:
        """Tell it, to the end or until somebody leaves."""
        told = self.record.match
        match = Match(
            told.rules, told.seats, names=told.names, seed=told.seed, cut=told.cut, dealer=told.dealer
        )
        match.listen(self.tell)
        for _step in self.steps(match):
            if not self.wait():
                return
        if not told.outcome:
            self.screen.note(_("the record stops here"))
        if self.record.warning:
            self.screen.refusal(self.record.warning)

    def tell(self, event: Event) -> None:
        """Tell an event, if it belongs to what is to be shown."""
        if isinstance(event, GameBegan):
            self.number = event.number
        if self.game in (None, self.number) or isinstance(event, MatchBegan):
            self.screen.event(event)

    def steps(self, match: Match) -> Iterator[None]:
        """Play the match again, pausing before each play that is shown."""
        told = self.record.match
        for number, game in enumerate(told.games, 1):
            match.begin_game(None if told.seed is not None else told.packs[number - 1])
            for play in game.plays:
                if self.game in (None, number):
                    self.screen.position(View.of(match, match.game.turn))
                    yield
                match.play(play)
            if number == self.game:
                return
        if told.outcome and told.outcome.resigned:
            match.resign()

    def wait(self) -> bool:
        """Wait for Enter; say whether to go on."""
        with self.signals.interruptible():
            if self.source is None:
                return True
            self.screen.out.flush()
            try:
                text = self.source.read(_("Enter: the next play, all: the rest, quit> ")).strip().lower()
            except EOFError:
                self.screen.say()
                return False
        if text in ("a", "all"):
            self.source = None
        return text not in ("q", "quit")


def check(path: str) -> tuple[bool, str]:
    """Read a record; say whether it is right, and in one line what it holds or where it is wrong."""
    letters = Writer()
    try:
        with open(path, "rb") as stream:
            record = read(stream, path)
    except BadRecord as error:
        return False, str(error)
    except OSError as error:
        return False, letters.format("{path:whole}: {reason}", path=path, reason=error.strerror)
    match = record.match
    number = len(match.games)
    games = ngettext("{number} game", "{number} games", number).format(number=number)
    totals = ":".join(map(str, match.totals))
    if match.outcome:
        winners = " and ".join(match.names[seat - 1] for seat in match.seats.of_side(match.outcome.winner))
        text = letters.format(
            _("right, {games}, {winners:whole} won, {totals}"), games=games, winners=winners, totals=totals
        )
    else:
        text = letters.format(_("right so far, {games}, {totals}"), games=games, totals=totals)
    if record.warning:
        text += "; " + letters.format("{warning:error}", warning=record.warning)
    return True, letters.format("{path:whole}: {text:whole}", path=path, text=text)


def choose(paths: Sequence[Path], screen: Teller, source: Source, signals: Signals) -> Path | None:
    """List unfinished matches, the one played last first, and ask for one; Enter takes the first.

    None is the answer of a person who leaves.
    """
    listed: list[Path] = []
    for path in paths[:MOST_LISTED]:
        try:
            with path.open("rb") as stream:
                record = read(stream, str(path))
        except BadRecord as error:
            screen.refusal(error)
            continue
        except OSError:
            continue
        listed.append(path)
        screen.say(f"{len(listed)}  {_listed(record)}")
    if len(paths) > MOST_LISTED:
        screen.note(_("and {number} older ones: resume FILE"), number=len(paths) - MOST_LISTED)
    if not listed:
        return paths[0]
    while True:
        try:
            with signals.interruptible():
                screen.out.flush()
                text = source.read(_("Which one (Enter for the first)? ")).strip().lower() or "1"
        except EOFError:
            screen.say()
            return None
        except Unreadable as error:
            screen.refusal(error)
            continue
        if text in ("q", "quit"):
            return None
        if text.isdecimal() and text.isascii() and 1 <= int(text[:9]) <= len(listed):
            return listed[int(text) - 1]
        screen.note(_("a number from 1 to {last} is needed"), last=len(listed))


def _listed(record: Record) -> str:
    """Say in one line when a match was begun, who plays, and how it stands."""
    match = record.match
    names = [
        f"{name} ({record.players[seat]})" if seat in record.players else name
        for seat, name in enumerate(match.names, 1)
    ]
    return Writer().format(
        _("{date:whole}  {names:whole}  game {game}, {totals} of {target}"),
        date=(record.date or "")[:16].replace("T", " "),
        names=", ".join(names),
        game=len(match.games),
        totals=":".join(map(str, match.totals)),
        target=match.rules.target,
    )
