"""The command line of Basra: options in, exit status out."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from basra import Rules
    from basra.terminal.session import Source, Table

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


class Command(click.Command):
    """A command whose options stand in groups."""

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
    PLAY = ("play", "rules")

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, own in (("Play", True), ("Look", False)):
            rows = [
                (name, command.get_short_help_str(60))
                for name, command in self.commands.items()
                if (name in self.PLAY) is own
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


rule_options = _all(
    _option("--target", type=int, metavar="N", section="Rules", envvar="BASRA_TARGET",
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
json_option = _option("--json", "as_json", is_flag=True, section="Text", help="JSON for programs.")


# ---- options into values -----------------------------------------------------------------


def _rules(rules: str, changes: tuple[str, ...], target: int | None) -> Rules:
    """Make the rule set of the options; one that is given beats one from the environment."""
    from basra import Rules

    value = Rules.named(rules)
    source = click.get_current_context().get_parameter_source("target")
    given = target is not None and source is click.core.ParameterSource.COMMANDLINE
    if target is not None and not given:
        value = replace(value, target=target)
    for change in changes:
        key, equals, text = change.partition("=")
        if not equals:
            raise click.UsageError(f"--set wants KEY=VALUE, not {change}")
        value = value.changed(key, text)
    return replace(value, target=target) if given and target is not None else value


def _table(
    rules: Rules,
    seats: str | None,
    teams: bool,
    against: tuple[str, ...],
    people: bool,
    name: str | None,
    seed: str | None,
    cut: str | None,
) -> Table:
    """Seat the players."""
    from basra import Seats
    from basra.cards import check_text
    from basra.players import find
    from basra.record import check_name
    from basra.terminal.session import Table

    places = Seats(int(seats or (4 if teams else 2)), teams)
    if people:
        source = click.get_current_context().get_parameter_source("against")
        if source is click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError("--people and --against exclude each other")
        against = ("person",)
    others = list(against or ("normal",))
    if len(others) >= places.count:
        raise click.UsageError(f"{len(others)} opponents are too many for {places.count} seats")
    others += others[-1:] * (places.count - 1 - len(others))
    players = {seat: find(other) for seat, other in enumerate(others, 2) if other != "person"}
    return Table(
        rules,
        places,
        (check_name(name),) if name is not None else (),
        players,
        None if seed is None else check_text("the seed", seed),
        None if cut is None else check_text("the cut", cut, empty=True),
    )


# ---- commands ----------------------------------------------------------------------------


@click.group(
    cls=Program, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(package_name="basra", message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> int:
    """Play Basra, the card game of Egypt's coffee houses, in a terminal.

    Without a command: a new match to 101 against the computer.
    """
    if ctx.invoked_subcommand is None:
        return int(ctx.invoke(play))
    return 0


@cli.command(context_settings={"max_content_width": 80})
@_option(
    "--against",
    metavar="NAME",
    section="Table",
    multiple=True,
    envvar="BASRA_AGAINST",
    help="The other seats: a computer player or person; again for each seat.  [normal]",
)
@_option("--people", is_flag=True, section="Table", help="A person in every seat, all at this keyboard.")
@_option("--seats", type=click.Choice(["2", "3", "4"]), section="Table", help="How many seats.  [2]")
@_option("--teams", is_flag=True, section="Table", help="Seats 1+3 against 2+4.")
@_option("--name", metavar="NAME", section="Table", help="Your name.")
@rule_options
@_option("--seed", metavar="TEXT", section="Rules", help="Deal from this seed.")
@_option("--cut", metavar="TEXT", section="Rules", help="Cut the pack so.")
@text_options
@_option(
    "--pace",
    type=click.FloatRange(0, 60),
    metavar="SECONDS",
    section="Text",
    envvar="BASRA_PACE",
    help="How long a computer's play takes at least.  [0.6]",
)
@json_option
@_option(
    "--script", metavar="FILE", section="Files", help="Read plays from FILE (-: standard input), no prompts."
)
@_option("--keep-going", is_flag=True, section="Files", help="Go on after a refused line.")
@_option(
    "-i",
    "interactive",
    is_flag=True,
    section="Files",
    help="A person is typing although standard input is no terminal.",
)
@click.pass_context
def play(
    ctx: click.Context,
    /,
    against: tuple[str, ...],
    people: bool,
    seats: str | None,
    teams: bool,
    name: str | None,
    target: int | None,
    rules: str,
    changes: tuple[str, ...],
    seed: str | None,
    cut: str | None,
    ascii: bool,
    words: bool,
    color: str,
    pace: float | None,
    as_json: bool,
    script: str | None,
    keep_going: bool,
    interactive: bool,
) -> int:
    """Play a match at this terminal, or from a script on standard input.

    Example: basra play --against easy --target 51 --set jack_basra=20
    """
    from basra.terminal.console import Keyboard, Signals, Stream
    from basra.terminal.jsonlines import JsonLines
    from basra.terminal.look import Look, standard_output, width
    from basra.terminal.screen import Screen
    from basra.terminal.session import Manner, Session
    from basra.terminal.words import WordsScreen

    table = _table(_rules(rules, changes, target), seats, teams, against, people, name, seed, cut)
    typed = script is None and sys.stdin.isatty()
    interactive = interactive or typed
    prompts = interactive and not as_json
    if pace is None or (
        not interactive and ctx.get_parameter_source("pace") is not click.core.ParameterSource.COMMANDLINE
    ):
        pace = 0.6 if prompts and not words else 0.0
    manner = Manner(interactive, prompts, keep_going, pace)
    out = standard_output()
    computers = {seat: player.name for seat, player in table.players.items()}
    screen: Screen | JsonLines
    if as_json:
        screen = JsonLines(out, computers)
    else:
        look = Look.of(out, ascii=ascii, words=words, color=color)
        kind = WordsScreen if words else Screen
        screen = kind(out, look.writer, width, color=look.color, you=table.you, computers=computers)
    session = Session(table, screen, manner, Signals(), sys.stderr)
    source: Source
    if typed and out.isatty():
        sys.stdin.reconfigure(errors="surrogateescape")  # type: ignore[union-attr]
        source = Keyboard(session.complete)
    elif script in (None, "-"):
        source = Stream(sys.stdin.buffer, "stdin", out if prompts else None)
    else:
        source = Stream(ctx.with_resource(open(script, "rb")), script, out if prompts else None)
    return session.run(source)


@cli.command()
@click.argument("name", required=False)
@text_options
def rules(name: str | None, ascii: bool, words: bool, color: str) -> None:
    """Explain the rules; with NAME, the keys of that rule set."""
    from basra.terminal.helptext import keys_page, rules_overview

    screen = _screen(ascii, words, color)
    screen.page(keys_page(name) if name else rules_overview(screen.writer))


@cli.command()
@_option("--ground", metavar="CARDS", required=True, section="Position", help="What lies on the ground.")
@_option("--hand", metavar="CARDS", required=True, section="Position", help="The cards to play.")
@rule_options
@text_options
@json_option
def moves(
    ground: str,
    hand: str,
    target: int | None,
    rules: str,
    changes: tuple[str, ...],
    ascii: bool,
    words: bool,
    color: str,
    as_json: bool,
) -> None:
    """List every legal play of a position, with what it earns.

    Example: basra moves --ground "3H 4S KD" --hand 7D
    """
    import json

    from basra import read_cards
    from basra.terminal.jsonlines import legal_plays
    from basra.terminal.screen import check_position

    position = read_cards(ground), read_cards(hand)
    check_position(*position)
    value = _rules(rules, changes, target)
    if as_json:
        click.echo(json.dumps(legal_plays(position[1], position[0], value)))
    else:
        _screen(ascii, words, color).legal_plays(*position, value)


@cli.command()
@_option("--seed", metavar="TEXT", required=True, section="Pack", help="The seed of the match.")
@_option(
    "--game", type=click.IntRange(1, 10_000), metavar="N", default=1, section="Pack", help="Which game.  [1]"
)
@_option("--cut", metavar="TEXT", default="", section="Pack", help="The cut, if there was one.")
def pack(seed: str, game: int, cut: str) -> None:
    """Print the pack of a game, to check a deal.

    Example: basra pack --seed 42 --game 2
    """
    from basra import name, pack_of
    from basra.cards import check_text

    cards = pack_of(check_text("the seed", seed), game, check_text("the cut", cut, empty=True))
    click.echo("pack " + " ".join(map(name, cards)))


def _screen(ascii: bool, words: bool, color: str) -> Any:
    from basra.terminal.look import Look, standard_output, width
    from basra.terminal.screen import Screen
    from basra.terminal.words import WordsScreen

    out = standard_output()
    look = Look.of(out, ascii=ascii, words=words, color=color)
    return (WordsScreen if words else Screen)(out, look.writer, width, color=look.color)


# ---- the border --------------------------------------------------------------------------


def _fail(status: int, text: str) -> int:
    """Say on one line of standard error what went wrong."""
    from basra.cards import visible

    print("basra:", visible(" ".join(text.split()), 500), file=sys.stderr)
    return status


def run(arguments: list[str] | None = None) -> int:
    """Run the program and return its exit status; no exception of the user's making gets past it."""
    from basra.errors import BasraError
    from basra.terminal.console import Terminated

    try:
        status = cli.main(arguments, prog_name="basra", standalone_mode=False) or 0
        sys.stdout.flush()
        return int(status)
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "basra"
        return _fail(2, f"{error.format_message()}  ({path} -h tells more)")
    except BasraError as error:
        return _fail(2, str(error))
    except KeyboardInterrupt:
        return 128 + 2
    except Terminated as error:
        return 128 + error.number
    except BrokenPipeError:
        return 128 + 13
    except OSError as error:
        return _fail(1, f"{error.filename or 'output'}: {error.strerror}")


def main() -> None:
    """Run the program as a command."""
    status = run()
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(status)


if __name__ == "__main__":
    main()
