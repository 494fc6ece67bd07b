"""The manual page: clean, complete, and its tables and examples true."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import click
import pytest
from helpers import failure

import basra_cli
from basra import KEYS, NAMED, Match, Rules, read_cards, simulate
from basra.captures import Captures, Kind, kind_of
from basra.players import PLAYERS
from basra.results import Failure
from basra.terminal.language import COMMANDS, read_line, read_play

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "man" / "basra.6"
SOURCE = PAGE.read_text()
ESCAPES = {r"\(aq": "'", r"\(dq": '"', r"\(DI": "♦", r"\e": "\\", r"\&": ""}


def plain(text):
    """Undo the escapes of roff."""
    return re.sub(r"\\\(..|\\.", lambda escape: ESCAPES[escape[0]], text)


def section(title, kind="Sh"):
    """Return a section of the source, or a subsection with `kind` Ss."""
    end = r"\.Sh " if kind == "Sh" else r"\.S[hs] "
    found = re.search(rf"^\.{kind} {re.escape(title)}\n(.*?)(?=^{end}|\Z)", SOURCE, re.MULTILINE | re.DOTALL)
    assert found, title
    return found[1]


def displays(text):
    """List the literal displays of a section."""
    return [plain(found) for found in re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed", text, re.M | re.S)]


def rows(text):
    """List the rows of the table of a section, without its heading."""
    found = re.findall(r"^\.It (.* Ta .*)$", text, re.MULTILINE)
    return [[re.sub(r"^Va ", "", cell) for cell in row.split(" Ta ")] for row in found][1:]


# ---- clean -------------------------------------------------------------------------------


def needs(program):
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")


def output_of(*command):
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    return done.stdout, done.stderr


@needs("mandoc")
def test_mandoc_finds_nothing_to_say():
    """Whether the pages that it names are installed is not the page's fault."""
    lines = "".join(output_of("mandoc", "-T", "lint", "-W", "style", str(PAGE))).splitlines()
    elsewhere = ("referenced manual not found", "outdated mandoc.db")
    assert [line for line in lines if not any(words in line for words in elsewhere)] == []


@needs("groff")
def test_groff_has_no_warning():
    page, warnings = output_of("groff", "-ww", "-mandoc", "-Tutf8", str(PAGE))
    assert warnings == ""
    assert page


@needs("mandoc")
def test_the_page_fits_80_columns():
    page, _errors = output_of("mandoc", "-T", "utf8", str(PAGE))
    assert [line for line in re.sub(".\b", "", page).splitlines() if len(line) > 80] == []


# ---- complete ----------------------------------------------------------------------------


def options():
    """List the options of the program and of its commands."""
    with click.Context(basra_cli.cli, info_name="basra", **basra_cli.CONTEXT) as top:
        for command in (basra_cli.cli, *basra_cli.cli.commands.values()):
            for parameter in command.get_params(click.Context(command, parent=top)):
                if isinstance(parameter, click.Option) and not parameter.hidden:
                    yield from (*parameter.opts, *parameter.secondary_opts)


@pytest.mark.parametrize("name", sorted(basra_cli.cli.commands))
def test_every_command_stands_in_the_page(name):
    if basra_cli.cli.commands[name].hidden:
        pytest.skip(f"{name} is another name of a command")
    assert re.search(rf"^\.Cm {name}$", section("SYNOPSIS"), re.MULTILINE)
    assert re.search(rf"^\.It Nm Cm {name}\b", section("COMMANDS"), re.MULTILINE)


@pytest.mark.parametrize("name", sorted(set(options())))
def test_every_option_stands_in_the_page(name):
    words = re.findall(r"^\.It (?:Fl .*, )?Fl (\S+)", section("COMMANDS"), re.MULTILINE)
    words += re.findall(r"^\.It Fl (\S+) ,", section("COMMANDS"), re.MULTILINE)
    words += re.findall(r"\bFl (\S+)", "".join(re.findall(r"^\.It Nm .*$", SOURCE, re.MULTILINE)))
    assert name[1:] in words


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_of_a_match_stands_in_the_page(command):
    found = re.findall(rf"^\.It Ic {command.name}\b(.*)$", section("COMMANDS DURING A MATCH"), re.MULTILINE)
    assert len(found) == 1
    assert plain(found[0]).endswith(f" Pq Ic {command.short}") is bool(command.short)


def test_every_player_stands_in_the_page():
    found = re.findall(r"^\.It Cm (\S+)\n((?:[^.].*\n)+)", section("COMMANDS"), re.MULTILINE)
    assert [(name, " ".join(about.split())) for name, about in found] == [
        (player.name, player.about) for player in PLAYERS
    ]


def test_every_variable_stands_in_the_page():
    used = {
        parameter.envvar
        for command in basra_cli.cli.commands.values()
        for parameter in command.params
        if parameter.envvar
    }
    assert used <= set(re.findall(r"[A-Z_]+", section("ENVIRONMENT")))


# ---- true --------------------------------------------------------------------------------


def test_the_table_of_the_keys():
    """Rules, section 8."""
    expected = [
        [
            key.name,
            *(key.write(getattr(rules, key.name)) for rules in NAMED.values()),
            key.allowed.replace("a whole number from ", ""),
        ]
        for key in KEYS.values()
    ]
    assert list(NAMED) == ["egyptian", "classic"]
    assert rows(section("Keys", "Ss")) == expected


@pytest.mark.parametrize("row", rows(section("Basra", "Ss")), ids=" - ".join)
def test_the_table_of_what_may_be_taken(row):
    """Rules, section 9."""
    ground, hand = read_cards(row[0].replace("empty", "")), read_cards(row[1])
    marks = {Kind.BASRA: "*", Kind.JACK_BASRA: "**"}
    plays = Captures.under(Rules()).plays(hand.bit_length() - 1, ground)
    may = {(play.take, marks.get(kind_of(play, ground, Rules()), "")) for play in plays if play.take}
    shown = [] if row[2] == "nothing" else row[2].split(" or ")
    assert {(read_cards(text.rstrip("*")), text.lstrip("ACDHJKQS0123456789 ")) for text in shown} == may


@pytest.mark.parametrize(
    ("line", "ground", "hand"),
    [
        ("k", "", "KD"),
        ("9s 3h 4s", "3H 4S", "9S"),
        ("8c", "", "7D 5C JS 2H"),
        ("9s", "4H 5C 6D 3H 2H", "9S"),
    ],
)
def test_the_refusals_that_are_shown(line, ground, hand):
    def say():
        return read_play(read_line(line).words, read_cards(hand), read_cards(ground), Rules())

    assert f"\n.Dl {failure(say)}\n" in section("Refusals", "Ss")


def program(*arguments, script=""):
    command = [sys.executable, str(ROOT / "basra_cli.py"), *arguments]
    env = {key: value for key, value in os.environ.items() if not key.startswith("BASRA_")}
    done = subprocess.run(
        command, input=script, env=env, capture_output=True, text=True, encoding="utf-8", check=False
    )
    return done.stdout


def test_the_json_that_is_shown():
    """Every event is shown with an example, and every example comes from this match."""
    match = Match(Rules(target=51), names=["Mona"], seed="42")
    match.begin_game()
    lines = []
    while not match.outcome:
        play = match.game.legal_plays()[0]
        lines.append(f"play {play}")
        match.play(play)
        if match.waiting:
            match.begin_game()
    lines.insert(40, "hint")  # in the last deal, where the figures are exact
    lines[1:1] = ["p k", "ground", "hand", "score", "last", "moves 3d", "record", "help resign"]
    arguments = "--json --people --keep-going --name Mona --seed 42 --target 51"
    told = program("play", *arguments.split(), script="\n".join(lines))
    events = [json.loads(line) for line in told.splitlines()]
    text = section("What happens", "Ss") + section("Answers to commands", "Ss")
    shown = [json.loads(example) for example in displays(text)]
    assert [example for example in shown if example not in events] == []
    assert [event["event"] for event in shown] == re.findall(r"^\.It Li (\w+)$", text, re.MULTILINE)
    assert {event["event"] for event in shown} == {event["event"] for event in events}
    (plays,) = displays(section("Legal plays", "Ss"))
    assert json.loads(plays) == json.loads(
        program("moves", "--json", "--ground", "3H 4S KD", "--hand", "7C")
    )  # fmt: skip


def test_every_figure_of_many_matches_stands_in_the_page():
    def keys(value):
        if isinstance(value, dict):
            return {*value, *(key for inner in value.values() for key in keys(inner))}
        return {key for inner in value for key in keys(inner)} if isinstance(value, list) else set()

    failed = replace(simulate(["greedy", "random"], 4), failures=(Failure(2, "random", "late", 1, "slow"),))
    told = failed.to_json()
    text = section("Many matches", "Ss")
    missing = [key for key in keys(told) if not re.search(rf"(^| ){key}( |$)", text, re.MULTILINE)]
    assert missing == []


@pytest.fixture
def shell(tmp_path):
    """Run a line as a user would, with the program as `basra`; give its status and all that it prints."""
    folder = tmp_path / "bin"
    folder.mkdir()
    basra = folder / "basra"
    basra.write_text(
        f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {shlex.quote(str(ROOT))}/basra_cli.py "$@"\n'
    )
    basra.chmod(0o755)
    work = tmp_path / "work"
    work.mkdir()
    env = {
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "LC_ALL": "C.UTF-8",
    }

    def run(line):
        if assignment := re.fullmatch(r"(\w+)=(\w+)", line):
            env[assignment[1]] = assignment[2]
            return 0, ""
        done = subprocess.run(
            ["sh", "-c", line],
            cwd=work,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            check=False,
        )
        return done.returncode, done.stdout

    return run


@needs("sh")
@pytest.mark.parametrize("title", ["EXAMPLES", pytest.param("FAIRNESS", marks=needs("sha256sum"))])
def test_the_examples_run(title, shell):
    """Each line gives exit status 0 without a terminal, and prints what is shown below it."""
    for display in displays(section(title)):
        lines = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", display, re.MULTILINE)
        assert lines
        for line, shown in lines:
            status, printed = shell(line)
            assert (line, status, printed) == (line, 0, shown or printed)
