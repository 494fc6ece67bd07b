"""The command line of Basra: options in, exit status out."""

from __future__ import annotations

import os
import signal
import sys

# Run, and not imported by another program: before all that takes time, see `_interruptible`.
if os.path.basename(sys.argv[0]).startswith("basra") and (
    signal.getsignal(signal.SIGINT) is signal.default_int_handler
):
    signal.signal(signal.SIGINT, signal.SIG_DFL)

import errno
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from copy import copy
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource
from click.exceptions import Exit

if TYPE_CHECKING:
    from basra.record import Record
    from basra.terminal.opening import Options

__version__ = "0.1.0"

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 80}
_GO_ON = "basra.go_on"  # in a context: go on with the match played last, whatever others there are
F = TypeVar("F", bound=Callable[..., Any])


# ---- help ------------------------------------------------------------------------------


class Option(click.Option):
    """An option that stands under a heading of its command's help."""

    def __init__(self, *args: Any, section: str = "Options", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.section = section

    def get_help_extra(self, ctx: click.Context) -> Any:
        """Add nothing: the help says itself what it takes."""
        return {}


def _version(_ctx: click.Context, _option: click.Parameter, value: bool) -> None:
    if value:
        click.echo(f"basra {__version__}")
        raise Exit(0)


VERSION = Option(
    ["--version"], is_flag=True, is_eager=True, expose_value=False, callback=_version,
    help="Show the version and exit.",
)  # fmt: skip


class Command(click.Command):
    """A command whose options stand in groups."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params.append(VERSION)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record:
                section = getattr(parameter, "section", "Options")
                sections.setdefault(section, []).append(record)
        for section, records in sections.items():
            with formatter.section(section):
                formatter.write_dl(records)
        formatter.write_paragraph()
        formatter.write_text("Exit status: 0 done, 1 failed, 2 wrong usage, 3 refused line.")


class Program(click.Group):
    """The commands, in two groups."""

    command_class = Command

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params.append(VERSION)

    PLAY = ("play", "resume", "rules")

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, own in (("Play", True), ("Look", False)):
            rows = [
                (name, command.get_short_help_str(70))
                for name, command in self.commands.items()
                if (name in self.PLAY) is own and not command.hidden
            ]
            with formatter.section(title):
                formatter.write_dl(rows)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_options(ctx, formatter)
        formatter.write_paragraph()
        formatter.write_text('"basra COMMAND -h" tells more, "man basra" all.')


def _option(*names: str, section: str, **kwargs: Any) -> Callable[[F], F]:
    return click.option(*names, cls=Option, section=section, **kwargs)


def _all(*options: Callable[[F], F]) -> Callable[[F], F]:
    def add(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return add


class Whole(click.IntRange):
    """A whole number, from a lowest to a highest one."""

    name = "whole number"


class Name(click.types.StringParamType):
    """The name of a file or another thing outside: not empty."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return super().convert(value, param, ctx) or self.fail("the name is empty", param, ctx)


table_options = _all(
    _option("--against", metavar="NAME", section="Table", multiple=True, envvar="BASRA_AGAINST",
            help="The other seats: a computer player, person or cmd:PROGRAM; again for each.  [normal]"),
    _option("--people", is_flag=True, section="Table", help="A person in every seat, all at this keyboard."),
    _option("--seats", type=click.Choice(["2", "3", "4"]), section="Table", help="How many seats.  [2]"),
    _option("--teams", is_flag=True, section="Table", help="Seats 1+3 against 2+4."),
    _option("--name", metavar="NAME", section="Table", help="Your name in the record."),
)  # fmt: skip
rule_options = _all(
    _option("--target", type=Whole(), metavar="N", section="Rules", envvar="BASRA_TARGET",
            help="Points that win the match.  [101]"),
    _option("--rules", metavar="NAME", section="Rules", default="egyptian", envvar="BASRA_RULES",
            help="A rule set: egyptian, classic.  [egyptian]"),
    _option("--set", "changes", metavar="KEY=VALUE", section="Rules", multiple=True,
            help="Change one rule; again for each.  Keys: basra rules NAME."),
)  # fmt: skip
text_options = _all(
    _option("--ascii", is_flag=True, section="Text", envvar="BASRA_ASCII", help="Suits as letters."),
    _option("--words", is_flag=True, section="Text", envvar="BASRA_WORDS", help="Cards in words."),
    _option("--color", type=click.Choice(["auto", "always", "never"]), metavar="WHEN", section="Text",
            default="auto", envvar="BASRA_COLOR", help="auto, always or never.  [auto]"),
)  # fmt: skip
json_option = _option("--json", "as_json", is_flag=True, section="Text", help="One JSON object a line.")
session_options = _all(
    _option("--pace", type=click.FloatRange(0, 60), metavar="SECONDS", section="Text", envvar="BASRA_PACE",
            help="How long a computer's play takes at least.  [0.6]"),
    json_option,
    _option("--keep-going", is_flag=True, section="Files", help="Go on after a refused line."),
    _option("-i", "interactive", is_flag=True, section="Files",
            help="A person is typing although standard input is no terminal."),
)  # fmt: skip
match_options = _all(
    _option("-n", type=Whole(1), metavar="N", required=True, section="Matches", help="How many."),
    _option("--games", is_flag=True, section="Matches", help="Single games instead of matches."),
    _option("--paired/--unpaired", default=True, section="Matches", help="A pack from every seat.  [paired]"),
    _option("--seats", type=click.Choice(["2", "3", "4"]), section="Matches", help="Seats.  [one a player]"),
    _option("--teams", is_flag=True, section="Matches", help="Seats 1+3 against 2+4."),
    _option("--seed", metavar="TEXT", section="Matches", help="Deal from this seed."),
    _option("--jobs", type=Whole(1), metavar="N", section="Work", help="Processes.  [one a core]"),
    _option("--cluster", type=Name(), metavar="ADDRESS", section="Work",
            help="Play on the cluster of that scheduler."),
    _option("--records", type=Name(), metavar="DIR", section="Work",
            help="Write every match there as a record."),
)  # fmt: skip


# ---- options into values -----------------------------------------------------------------


def _options(given: dict[str, Any]) -> Options:
    """Gather what was wished for."""
    from basra.terminal.opening import Options

    ctx = click.get_current_context()
    typed = (name for name in ctx.params if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE)
    return Options(guest=_restricted(), typed=frozenset(typed), **given)


def _restricted() -> bool:
    """Say whether a guest is playing."""
    return bool(click.get_current_context().find_root().params["restricted"])


def _refuse_file(what: str | None) -> None:
    """Raise where a guest names a file."""
    if what is not None and _restricted():
        raise click.UsageError("with --restricted no file is read or written")


def _refuse_program(names: Sequence[str]) -> None:
    """Raise where a guest names a program to play."""
    from basra.players import OUTSIDE

    if _restricted() and any(name.startswith(OUTSIDE) for name in names):
        raise click.UsageError("with --restricted no program is started")


def _read(file: str) -> Record:
    """Read a record, where one may be read."""
    from basra.record import read

    _refuse_file(file)
    with open(file, "rb") as stream:
        return read(stream, file)


def _bar(**more: Any) -> Any:
    """Make a progress bar that fills a line; where that is short, it is the bar and the share alone."""
    from basra.terminal.look import width

    return click.progressbar(file=sys.stderr, width=0, show_eta=width() >= 60, **more)


@contextmanager
def _progress(pace: Callable[[float], str] | None = None) -> Iterator[Callable[[int, int], None]]:
    """Give what shows at a terminal how much is done of how much, and its pace by the seconds for one."""
    bar: Any = None
    with ExitStack() as stack:

        def show(done: int, total: int) -> None:
            nonlocal bar
            if bar is None:
                bar = _bar(length=total, hidden=not sys.stderr.isatty())
                if pace and bar.show_eta:
                    bar.show_pos = True
                    bar.item_show_func = lambda _item: pace(bar.time_per_iteration)
                stack.enter_context(bar)
            bar.update(done - bar.pos)

        yield show


# ---- commands ----------------------------------------------------------------------------


def _guest(_ctx: click.Context, _option: click.Parameter, value: bool) -> bool:
    """Let no environment variable steer a guest's program."""
    if value:
        os.environ.clear()
        os.environ["INPUTRC"] = os.devnull
    return value


@click.group(cls=Program, invoke_without_command=True, context_settings=CONTEXT)
@click.option(
    "--restricted",
    is_flag=True,
    is_eager=True,
    callback=_guest,
    help="For guests: no file but the state folder's, no program, no environment.",
)
@click.pass_context
def cli(ctx: click.Context, restricted: bool) -> int:
    """Play Basra, the card game of Egypt's coffee houses, in a terminal.

    Without a command: your unfinished match, or a new one to 101.
    """
    if ctx.invoked_subcommand is not None:
        return 0
    if sys.stdin.isatty():
        from basra.errors import BadRecord
        from basra.terminal.keeping import CannotKeep, Locked, unfinished

        ctx.meta[_GO_ON] = True
        try:
            if unfinished():
                return _invoke(ctx, resume)
        except Locked:
            raise
        except (BadRecord, CannotKeep) as error:
            _say(f"{error}  (it is left as it is)")
    return _invoke(ctx, play)


def _invoke(ctx: click.Context, command: click.Command) -> int:
    """Run a command as if its name alone had been typed."""
    with command.make_context(command.name, [], parent=ctx) as sub:
        return int(command.invoke(sub))


@cli.command(short_help="Play against the computer, a person, or from a script.")
@table_options
@rule_options
@_option("--seed", metavar="TEXT", section="Rules", help="Deal from this seed.")
@_option("--cut", metavar="TEXT", section="Rules", help="Cut the pack so.")
@text_options
@session_options
@_option("--script", type=Name(), metavar="FILE", section="Files",
         help="Read plays from FILE (-: standard input).")  # fmt: skip
@_option("--record", type=Name(), metavar="FILE", section="Files", help="Write the record there too.")
def play(record: str | None, **given: Any) -> int:
    """Play a match at this terminal, or from a script on standard input.

    Example: basra play --against easy --target 51 --set jack_basra=20
    """
    from pathlib import Path

    from basra.terminal import opening
    from basra.terminal.keeping import Keeper

    options = _options(given)
    _refuse_file(record)
    _refuse_file(options.script)
    _refuse_program(options.against)
    return opening.play(options, opening.table(options), Keeper(also=Path(record) if record else None))


@cli.command(short_help="Go on with the newest unfinished match.")
@click.argument("file", type=Name(), required=False)
@_option("--against", metavar="NAME", section="Table", multiple=True, help="Who plays on; again for each.")
@text_options
@session_options
def resume(file: str | None, against: tuple[str, ...], **given: Any) -> int:
    """Go on with an unfinished match: the one played last, or the record FILE.

    Where there are several, they are listed first.
    """
    from pathlib import Path

    from basra.terminal import opening
    from basra.terminal.keeping import Keeper
    from basra.terminal.session import Table

    options = _options(given)
    _refuse_file(file)
    _refuse_program(against)
    keeper = Keeper()
    newest = click.get_current_context().meta.get(_GO_ON, False)
    paths = [Path(file)] if file else opening.unfinished_matches(options, choosing=not newest)
    if not paths:
        return 0
    record, kept = keeper.reopen_first(paths, _say, against=bool(against))
    match = record.match
    if len(against) > len(record.players):
        raise click.UsageError(
            f"{len(against)} players are too many: a program played {len(record.players)} of the seats"
        )
    players = opening.opponents(against or [*record.players.values()], [*record.players])
    table = Table(match.rules, match.seats, match.names, players)
    return opening.play(options, table, keeper, (record, kept))


@cli.command(short_help="Explain the rules.")
@click.argument("name", required=False)
@text_options
def rules(name: str | None, **given: Any) -> None:
    """Explain the rules; with NAME, the keys of that rule set."""
    from basra.terminal.helptext import keys_page, rules_overview
    from basra.terminal.opening import teller

    screen = teller(_options(given))
    screen.page(rules_overview(screen.writer) if name is None else keys_page(name))


@cli.command(short_help="Show a recorded match.")
@click.argument("file", type=Name())
@_option("--game", type=Whole(1), metavar="N", section="Record", help="Show game N alone.")
@text_options
@json_option
def replay(file: str, game: int | None, **given: Any) -> None:
    """Show a recorded match, play by play; at a terminal Enter shows the next one."""
    from basra.terminal import opening
    from basra.terminal.console import Signals
    from basra.terminal.recorded import Replay

    options = _options(given)
    record = _read(file)
    screen = opening.teller(options)
    stepwise = sys.stdin.isatty() and sys.stdout.isatty() and not options.as_json
    with opening.source(options, screen.out, prompts=True) if stepwise else nullcontext() as source:
        Replay(record, screen, Signals(), source, game).run()


@cli.command(short_help="Show the plays of a match that cost points.")
@click.argument("file", type=Name())
@_option("--seat", type=Whole(1, 4), metavar="N", section="Record", help="Judge seat N alone.")
@text_options
@json_option
def analyse(file: str, seat: int | None, **given: Any) -> None:
    """Show the plays of a recorded match that cost points, and what was better; also: analyze.

    Each is judged by what its seat could know; a match takes some seconds.
    """
    from basra.analysis import analyse as analyse_record
    from basra.terminal.opening import teller

    record = _read(file)
    seats = () if seat is None else (record.match.seats.check(seat),)
    with _progress() as show:
        found = analyse_record(record, seats, show)
    teller(_options(given), computers=dict(record.players)).analysis(record, found)


analyze = copy(analyse)
analyze.hidden = True
cli.add_command(analyze, "analyze")


@cli.command(short_help="Play many matches between computer players.")
@click.argument("players", nargs=-1, required=True, metavar="PLAYER...")
@match_options
@rule_options
@json_option
def simulate(players: tuple[str, ...], **given: Any) -> int:
    """Play many matches between computer players, one PLAYER a seat or a side, and show what comes of it.

    Example: basra simulate hard normal -n 200
    """
    from basra.terminal import simulating

    _refuse_program(players)
    _refuse_file(given["records"])
    if given["cluster"] is not None and _restricted():
        raise click.UsageError("with --restricted no cluster is used")
    options = _options({"against": players, **given})
    with _progress(simulating.pace) as show:
        result = simulating.run(options, show)
    return simulating.tell(options, result)


@cli.command(short_help="Say whether records are right.")
@click.argument("files", type=Name(), nargs=-1, required=True, metavar="FILE...")
def check(files: tuple[str, ...]) -> int:
    """Say of each record whether it is right, one line a file; exit status 1 if any is wrong."""
    from basra.terminal.look import standard_output
    from basra.terminal.recorded import check as check_file

    _refuse_file(files[0])
    out = standard_output()
    status = 0
    # At a terminal that shows the lines they are the progress.
    progress = len(files) > 1 and sys.stderr.isatty() and not out.isatty()
    with _bar(iterable=files) if progress else nullcontext(files) as each:
        for file in each:
            right, text = check_file(file)
            out.write(text + "\n")
            if out.isatty():
                out.flush()
            status = status if right else 1
    return status


@cli.command(short_help="List every legal play of a position.")
@_option("--ground", metavar="CARDS", required=True, section="Position", help="What lies on the ground.")
@_option("--hand", metavar="CARDS", required=True, section="Position", help="The cards to play.")
@rule_options
@text_options
@json_option
def moves(ground: str, hand: str, **given: Any) -> None:
    """List every legal play of a position, with what it earns.

    Example: basra moves --ground "3H 4S KD" --hand 7D
    """
    import json

    from basra import read_cards
    from basra.terminal import opening
    from basra.terminal.jsonlines import legal_plays
    from basra.terminal.screen import Screen, check_position

    options = _options(given)
    position = read_cards(ground), read_cards(hand)
    check_position(*position)
    value = opening.rules(options)
    screen = opening.teller(options)
    if isinstance(screen, Screen):
        screen.legal_plays(*position, value)
    else:
        click.echo(json.dumps(legal_plays(position[1], position[0], value)))


@cli.command(short_help="Print the pack of a game, to check a deal.")
@_option("--seed", metavar="TEXT", required=True, section="Pack", help="The seed of the match.")
@_option("--game", type=Whole(1, 10_000), metavar="N", default=1, section="Pack", help="Game.  [1]")
@_option("--cut", metavar="TEXT", default="", section="Pack", help="The cut, if there was one.")
def pack(seed: str, game: int, cut: str) -> None:
    """Print the pack of a game as a line of a record, top card first.

    Example: basra pack --seed 42 --game 2
    """
    from basra import name, pack_of
    from basra.cards import check_text

    cards = pack_of(check_text("the seed", seed), game, check_text("the cut", cut, empty=True))
    click.echo("pack " + " ".join(map(name, cards)))


@cli.command(short_help="Let another program ask one of our players.")
@_option("--player", metavar="NAME", section="Player", default="normal", help="Who answers.  [normal]")
def protocol(player: str) -> None:
    """Answer the questions of another program, one play a line: man basra-protocol.

    Example: basra play --against "cmd:basra protocol --player hard"
    """
    from basra.players import find
    from basra.terminal.answering import Answering
    from basra.terminal.look import standard_output

    _refuse_program([player])
    found = find(player)
    try:
        Answering(found, __version__, standard_output()).run(sys.stdin.buffer)
    finally:
        found.close()


# ---- the border --------------------------------------------------------------------------


def _say(text: str) -> None:
    """Say on one line of standard error what went wrong."""
    from basra.cards import visible

    print("basra:", visible(" ".join(text.split()), 500), file=sys.stderr)


def _ours() -> tuple[type[BaseException], ...]:
    """Return the exceptions that the game raises; imported only once something was raised."""
    from basra import BasraError
    from basra.terminal.console import Terminated

    return BasraError, Terminated


def _status(error: BaseException) -> int:
    """Say what one of our own exceptions means, and return the exit status for it."""
    from basra import BadRecord
    from basra.errors import PlayerFailed
    from basra.terminal.console import Terminated
    from basra.terminal.keeping import CannotKeep

    if isinstance(error, Terminated):
        return 128 + error.number
    _say(str(error))
    return 1 if isinstance(error, (BadRecord, CannotKeep, PlayerFailed)) else 2


def _name_variable(error: click.UsageError) -> None:
    """Let an error in an option that was not typed name the variable that it came from."""
    if not isinstance(error, click.BadParameter) or not error.ctx or not error.param:
        return
    if error.ctx.get_parameter_source(error.param.name or "") is ParameterSource.ENVIRONMENT:
        error.param_hint = f"'{error.param.envvar}'"


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let an interrupt be an exception; before and after it ends the program without a word."""
    before = signal.getsignal(signal.SIGINT)
    try:
        if before == signal.SIG_DFL:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        yield
    finally:
        if before == signal.SIG_DFL:
            signal.signal(signal.SIGINT, before)


def run(arguments: list[str]) -> int:
    """Run the program and return its exit status; no exception of the user's making gets past it."""
    for stream, mode in (("stdin", "r"), ("stderr", "w")):
        if getattr(sys, stream) is None:  # the program was begun with it closed
            setattr(sys, stream, open(os.devnull, mode))  # noqa: SIM115
    if sys.stdout is None:
        _say("standard output is closed")
        return 1
    try:
        with _interruptible(), cli.make_context("basra", arguments) as ctx:
            status = cli.invoke(ctx)
            sys.stdout.flush()
        return int(status or 0)
    except Exit as error:
        return int(error.exit_code)
    except click.UsageError as error:
        _name_variable(error)
        path = error.ctx.command_path if error.ctx else "basra"
        _say(f"{error.format_message()}  ({path} -h tells more)")
        return 2
    except click.ClickException as error:
        _say(error.format_message())
        return 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except BrokenPipeError:
        return 128 + signal.SIGPIPE
    except OSError as error:
        if error.errno == errno.EIO and error.filename is None:  # the terminal is gone
            return 128 + signal.SIGHUP
        _say(f"{error.filename or 'output'}: {error.strerror}")
        return 1
    except _ours() as error:
        return _status(error)


def main() -> None:
    """Run the program as a command."""
    guest = "--restricted" in sys.argv
    if guest and os.environ.get("PYTHONINSPECT"):  # which has a start-up file for the keyboard read
        os.execve(sys.executable, sys.orig_argv, {})
    status = 1
    try:
        status = run(sys.argv[1:])
        try:
            if sys.stdout is not None:
                sys.stdout.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    finally:
        if guest:
            os._exit(status)  # whatever the environment told the interpreter to do afterwards
    sys.exit(status)


if __name__ == "__main__":
    main()
