"""How a session is opened: from what was wished for to rules, table, teller, source and manner."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain, repeat
from pathlib import Path
from typing import TextIO

from ..cards import check_text
from ..engine import Seats
from ..errors import PlayerFailed, Unreadable
from ..players import Player, find, seated
from ..record import Record
from ..rules import Rules
from ..spelling import check_name
from .console import Keyboard, Signals, Stream
from .jsonlines import JsonLines
from .keeping import CannotKeep, File, Keeper, unfinished
from .look import Look, standard_input, standard_output, width
from .recorded import choose
from .screen import Screen
from .session import Manner, Session, Source, Table
from .teller import Teller
from .words import WordsScreen


@dataclass(frozen=True, kw_only=True)
class Options:
    """What was wished for, on the command line or by the environment; not every command has all.

    `typed` names what stands on the command line; `guest` tells that a guest plays.
    """

    guest: bool = False
    typed: frozenset[str] = frozenset()
    against: Sequence[str] = ()
    people: bool = False
    seats: str | None = None
    teams: bool = False
    name: str | None = None
    rules: str = "egyptian"
    changes: Sequence[str] = ()
    target: int | None = None
    seed: str | None = None
    cut: str | None = None
    ascii: bool = False
    words: bool = False
    color: str = "auto"
    as_json: bool = False
    pace: float | None = None
    keep_going: bool = False
    interactive: bool = False
    script: str | None = None
    n: int = 1
    games: bool = False
    paired: bool = True
    jobs: int | None = None
    cluster: str | None = None
    records: str | None = None


def opponents(names: Sequence[str], seats: Sequence[int]) -> dict[int, Player]:
    """Find who plays these seats, the last one those that are left; a person needs no player."""
    filled = chain(names, repeat(names[-1]) if names else ())
    return {seat: find(name) for seat, name in zip(seats, filled) if name != "person"}


def rules(options: Options) -> Rules:
    """Make the rule set; `--set` beats a target of the environment, and may not differ from a typed one."""
    value = Rules.named(options.rules)
    changes = [*options.changes]
    if options.target is not None:
        changes.insert(0, f"target={options.target}")
    for change in changes:
        key, equals, text = change.partition("=")
        if not equals:
            raise Unreadable("--set wants KEY=VALUE, not {change}", change=change)
        value = value.changed(key, text)
    if "target" in options.typed and value.target != options.target:
        raise Unreadable(
            "--target {one} and --set target={other} exclude each other",
            one=options.target,
            other=value.target,
        )
    return value


def seats(options: Options) -> Seats:
    """Count the seats; teams alone mean four."""
    return Seats(int(options.seats or (4 if options.teams else 2)), options.teams)


def table(options: Options) -> Table:
    """Seat the players."""
    places = seats(options)
    others = list(options.against or ("normal",))
    if options.people:
        if "against" in options.typed:
            raise Unreadable("--people and --against exclude each other")
        others = ["person"]
    if len(others) >= places.count:
        raise Unreadable(
            "{others} opponents are too many for {seats} seats", others=len(others), seats=places.count
        )
    return Table(
        rules(options).playable(),
        places,
        () if options.name is None else (check_name(options.name),),
        opponents(others, range(2, places.count + 1)),
        None if options.seed is None else check_text("the seed", options.seed),
        None if options.cut is None else check_text("the cut", options.cut, empty=True),
    )


def teller(options: Options, you: int | None = None, computers: dict[int, str] | None = None) -> Teller:
    """Choose how the match is told, by the options and the terminal."""
    out = standard_output(guest=options.guest)
    if options.as_json:
        return JsonLines(out, computers or {})
    look = Look.of(out, ascii=options.ascii, words=options.words, color=options.color)
    kind = WordsScreen if options.words else Screen
    return kind(out, look.writer, width, color=look.color, you=you, computers=computers)


@contextmanager
def source(
    options: Options, out: TextIO, *, prompts: bool, complete: Callable[[str], list[str]] | None = None
) -> Iterator[Source]:
    """Open what lines are read from: a script, the keyboard, or whatever standard input is."""
    prompted = out if prompts else None
    if options.script not in (None, "-"):
        with open(str(options.script), "rb") as stream:
            yield Stream(stream, str(options.script), prompted)
    elif options.script is None and sys.stdin.isatty() and out.isatty():
        standard_input(guest=options.guest)
        yield Keyboard(complete or (lambda _before: []))
    else:
        yield Stream(sys.stdin.buffer, "stdin", prompted)


def unfinished_matches(options: Options, *, choosing: bool) -> list[Path]:
    """List the matches to go on with, the first that can be.

    `choosing`, a person at a terminal picks one of several, or leaves: then there is none.
    Raises `CannotKeep` where there is no unfinished match.
    """
    paths = unfinished()
    if not paths:
        raise CannotKeep("there is no unfinished match: basra play begins one")
    if len(paths) > 1 and choosing and sys.stdin.isatty() and not options.as_json:
        screen = teller(options)
        with source(options, screen.out, prompts=True) as lines:
            chosen = choose(paths, screen, lines, Signals())
            return [chosen] if chosen else []
    return paths


def play(
    options: Options, seating: Table, keeper: Keeper, kept: tuple[Record, File | None] | None = None
) -> int:
    """Run a session at this terminal or from a script, and return its exit status."""
    interactive = options.interactive or (options.script is None and sys.stdin.isatty())
    prompts = interactive and not options.as_json
    pace = options.pace
    if pace is not None and not 0 <= pace <= 60:
        raise Unreadable("--pace is a number of seconds from 0 to 60")
    if pace is None or not (interactive or "pace" in options.typed):
        pace = 0.6 if prompts and not options.words else 0.0
    keeper.in_state = interactive
    keeper.may_save = not options.guest
    keeper.players = {seat: player.name for seat, player in seating.players.items()}
    screen = teller(options, seating.you, keeper.players)
    manner = Manner(interactive, prompts, options.keep_going, pace)
    signals = Signals()
    try:
        with ExitStack() as table:
            with signals.interruptible():  # a program may take long to greet, and so may who writes a script
                table.enter_context(seated(seating.players.values()))
                session = Session(seating, screen, manner, signals, sys.stderr, keeper)
                lines = table.enter_context(
                    source(options, screen.out, prompts=prompts, complete=session.complete)
                )
            status = session.run(lines, kept)
        if not interactive:  # a person has been told
            keeper.check()
        return status
    except PlayerFailed as error:
        raise _kept_at(keeper, error) from None
    finally:
        keeper.close()


def _kept_at(keeper: Keeper, error: PlayerFailed) -> PlayerFailed:
    """Add to why a program that plays has failed how the match goes on, if it is kept."""
    if not keeper.files:
        return error
    return PlayerFailed(
        "{error:error}; the match is kept: basra resume{file:whole} --against NAME goes on with it",
        error=error,
        file="" if keeper.in_state else f" {keeper.files[0].path}",
        how=error.how,
    )
