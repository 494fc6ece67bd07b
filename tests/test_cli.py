"""The command line: options in, exit status out."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers import cards
from terminals import LONG, PROGRAM, TESTS, as_program, clean_environment

import basra_cli
from basra import KEYS, in_pack_order, name

EXAMPLE = TESTS / "example.basra"
BODY = "".join(EXAMPLE.read_text().partition("game 1")[1:])
COMMANDS = list(basra_cli.cli.commands)


def right(run):
    """Check that a run went well and return what it printed."""
    assert run.err == ""
    assert run.status == 0
    return run.out


# ---- moves ---------------------------------------------------------------------------------

#: The worked cases of section 9 of the rules: ground, card, what it may take.
#: `|` parts choices, `*` marks a basra, `**` a jack basra; `-` is nothing: the card is dropped.
WORKED = """
3H 4S          | 7C  | 3H 4S*
3H 4S KD       | 7C  | 3H 4S
3H 4S 7S       | 7C  | 7S | 3H 4S | 3H 4S 7S*
2H 4C 4D       | 6S  | 2H 4C | 2H 4D
4H 5C 6D 3S 2H | 9S  | 4H 5C | 6D 3S | 4H 5C 6D 3S | 4H 3S 2H
KD 6H KC       | KS  | KD | KC | KD KC
QD JH          | 5S  | -
KD 6H          | JS  | KD 6H
JD             | JS  | JD**
JD JH          | JS  | JD JH
-              | JS  | -
7D             | KS  | 7D*
7D             | JS  | 7D**
7D 3H          | 10S | 7D | 7D 3H*
7D 5H          | 5S  | 7D | 5H | 7D 5H*
JD             | 7D  | JD**
3H 4S KD       | 7D  | 3H 4S KD | KD | 3H | 4S | 3H 4S
KD 5H          | 7D  | KD 5H | KD | 5H
"""
ROWS = [[cell.strip() for cell in line.split("|")] for line in WORKED.strip().splitlines()]
KINDS = {0: ("capture", 0), 1: ("basra", 10), 2: ("jack-basra", 30)}


def takes(text):
    """Read one choice of the table into (cards, kind, points)."""
    if text == "-":
        return (), "drop", 0
    kind, points = KINDS[text.count("*")]
    return tuple(map(name, in_pack_order(cards(text.rstrip("*"))))), kind, points


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[1]} on {row[0]}")
def test_moves_lists_what_every_worked_case_of_the_rules_may_take(basra, row):
    ground, card, *choices = row
    ground = "" if ground == "-" else ground
    listed = json.loads(right(basra("moves", "--ground", ground, "--hand", card, "--json")))
    assert [play["card"] for play in listed] == [card] * len(choices)
    found = [(tuple(play["take"]), play["kind"], play["points"]) for play in listed]
    assert sorted(found) == sorted(map(takes, choices))


def test_the_komi_takes_the_basra_of_its_worked_case_or_every_smaller_capture(basra):
    """On 10H 6C 4D: 10H 6C 4D as a ten is a basra; each card alone, 6C 4D and 10H with none else."""
    listed = json.loads(right(basra("moves", "--ground", "10H 6C 4D", "--hand", "7D", "--json")))
    found = {(*sorted(play["take"]), play["kind"], play["points"]) for play in listed}
    assert found == {
        ("10H", "4D", "6C", "basra", 10),
        ("10H", "capture", 0),
        ("4D", "capture", 0),
        ("6C", "capture", 0),
        ("4D", "6C", "capture", 0),
    }


def test_moves_as_json_is_a_list_of_card_take_kind_and_points(basra):
    out = right(basra("moves", "--ground", "4S 3H", "--hand", "7D 2C", "--json"))
    listed = json.loads(out)
    assert {"card": "7D", "take": ["3H", "4S"], "kind": "basra", "points": 10} in listed
    assert {"card": "2C", "take": [], "kind": "drop", "points": 0} in listed
    assert len({(play["card"], *play["take"]) for play in listed}) == len(listed)


def test_moves_follow_the_rule_set(basra):
    position = ["moves", "--ground", "3H 4S", "--hand", "7D", "--json"]
    classic = json.loads(right(basra(*position, "--rules", "classic")))
    assert classic == [{"card": "7D", "take": ["3H", "4S"], "kind": "basra", "points": 10}]
    plain = json.loads(right(basra(*position, "--set", "komi=plain", "--set", "basra=12")))
    assert plain == [{"card": "7D", "take": ["3H", "4S"], "kind": "basra", "points": 12}]


def test_moves_in_text_name_the_cards_in_rank_order_and_what_they_earn(basra):
    assert right(basra("moves", "--ground", "4S 3H", "--hand", "7C KD")) == (
        "7C takes 3H 4S (3+4)   basra, 10 points\nKD is dropped\n"
    )
    words = right(basra("moves", "--ground", "3h+4s", "--hand", "7♣", "--words"))
    assert "three of hearts, four of spades. 3 plus 4. Basra, 10 points." in " ".join(words.split())


@pytest.mark.parametrize(
    ("ground", "hand", "message"),
    [
        ("7X", "7D", "7X is not a card"),
        ("3H 3H", "7D", "3H stands twice"),
        ("7D", "7D", "7D stands twice"),
        (
            "AC 2C 3C 4C 5C 6C 7C 8C 9C 10C QC KC AD 2D 3D 4D 5D",
            "7D",
            "a ground has at most 16 cards, not 17",
        ),
    ],
)
def test_a_position_that_cannot_be_is_wrong_usage(basra, ground, hand, message):
    run = basra("moves", "--ground", ground, "--hand", hand)
    assert (run.status, run.out) == (2, "")
    assert run.err.startswith(f"basra: {message}")
    assert run.err.count("\n") == 1


# ---- pack and rules ------------------------------------------------------------------------


def test_pack_prints_the_published_pack_of_seed_42(basra):
    assert right(basra("pack", "--seed", "42")) == (
        "pack AH 8D 9H JC 2S 6H 3D 5H 5S 3H 5D AS 6S 6C 9D 9C 10C 3S 6D 10S 8C 4H QD 7H JS 2D AD 7D 2C 7S "
        "JD 2H 9S QH 8H 3C 8S KC KS 4C AC JH 10H 4S QC 10D 5C KH 7C QS KD 4D\n"
    )
    assert right(basra("pack", "--seed", "42", "--game", 2)).startswith("pack 5C 5D 4H QC QD 7D 10H AD ")
    assert right(basra("pack", "--seed", "42", "--cut", "hello")).startswith(
        "pack 10H JC 2D KH 7S 8H 10C 8D "
    )


def test_rules_are_one_screen_and_name_the_rule_sets(basra):
    out = right(basra("rules"))
    assert len(out.splitlines()) <= 24
    assert "egyptian, classic" in out


@pytest.mark.parametrize(("rule_set", "value"), [("egyptian", "komi = wild"), ("classic", "komi = sweep")])
def test_rules_with_a_name_explains_every_key(basra, rule_set, value):
    out = right(basra("rules", rule_set))
    assert value in out
    for key in KEYS:
        assert f"{key} = " in out


# ---- help and usage ---------------------------------------------------------------------------


def test_version_says_the_version(basra):
    assert right(basra("--version")) == f"basra {basra_cli.__version__}\n"


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_lists_every_command(basra, flag):
    out = right(basra(flag))
    for word, command in basra_cli.cli.commands.items():
        assert (f"\n  {word} " in out) is not command.hidden
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_every_command_explains_every_option_and_the_exit_status(basra, command):
    out = right(basra(command, "-h"))
    assert out == right(basra(command, "--help"))
    assert out.startswith(f"Usage: basra {command}")
    assert max(map(len, out.splitlines())) <= 80
    assert "Exit status: 0" in out
    for parameter in basra_cli.cli.commands[command].params:
        for option in parameter.opts:
            assert not option.startswith("-") or option in out
        if option.startswith("-"):
            assert parameter.help


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nonsense"], "nonsense"),
        (["play", "--nonsense"], "--nonsense"),
        (["play", "extra"], "extra"),
        (["play", "--target", "x"], "'x' is not a valid whole number"),
        (["simulate", "easy", "easy", "-n", "1.5"], "'1.5' is not a valid whole number"),
        (["play", "--target", "0"], "target"),
        (["play", "--target", "100001"], "target"),
        (["play", "--target", "51", "--set", "target=52"], "--target 51 and --set target=52 exclude"),
        (
            ["simulate", "easy", "easy", "-n", "1", "--set", "target=52", "--target", "51"],
            "exclude each other",
        ),
        (["play", "--rules", "french"], "french"),
        (["play", "--set", "komi"], "KEY=VALUE"),
        (["play", "--set", "komi=tame"], "komi cannot be tame: it is wild, sweep or plain"),
        (["play", "--set", "sauce=hot"], "sauce is not a rule"),
        (["play", "--seats", "5"], "5"),
        (["play", "--teams", "--seats", "3"], "teams need 4 seats, not 3"),
        (["play", "--against", "nobody"], "nobody is not a player"),
        (["play", "--against", "easy", "--against", "easy"], "2 opponents are too many for 2 seats"),
        (["play", "--people", "--against", "easy"], "--people"),
        (["play", "--seed", ""], "the seed is empty"),
        (["play", "--seed", "a#b"], "the seed a#b has a character"),
        (["play", "--cut", "a\tb"], "the cut a?b has a character"),
        (["play", "--name", "x" * 201], "201 characters"),
        (["play", "--name", "Mona bot:easy"], "bot:"),
        (["play", "--pace", "-1"], "-1"),
        (["play", "--color", "sometimes"], "sometimes"),
        (["pack"], "--seed"),
        (["pack", "--seed", "42", "--game", "0"], "0"),
        (["rules", "french"], "french"),
        (["rules", ""], '"" is not a rule set'),
        (["play", "--set", ""], '--set wants KEY=VALUE, not ""'),
        (["play", "--set", "="], '"" is not a rule'),
        (["play", "--against", ""], '"" is not a player'),
        (["play", "--against", "normal "], '"normal " is not a player'),
        (["play", "--against", "cmd:'x"], "cmd:'x is no command: a quotation mark is missing"),
        (["play", "--record", ""], "'--record': the name is empty"),
        (["play", "--script", ""], "'--script': the name is empty"),
        (["simulate", "easy", "easy", "-n", "1", "--records", ""], "'--records': the name is empty"),
        (["check", "some", ""], "the name is empty"),
        (["replay", ""], "the name is empty"),
        (["resume", ""], "the name is empty"),
        (["analyse", ""], "the name is empty"),
    ],
    ids=" ".join,
)
def test_wrong_usage_is_one_line_on_standard_error_and_status_2(basra, arguments, message):
    run = basra(*arguments)
    assert run.status == 2
    assert run.out == ""
    assert run.err.startswith("basra: ")
    assert run.err.count("\n") == 1
    assert message in run.err


@pytest.mark.parametrize(
    ("variable", "value"), [("BASRA_WORDS", "maybe"), ("BASRA_TARGET", "x"), ("BASRA_COLOR", "red")]
)
def test_what_is_wrong_in_the_environment_is_named(basra, variable, value):
    run = basra("play", "--people", **{variable: value})
    assert (run.status, run.out) == (2, "")
    assert run.err.startswith(f"basra: Invalid value for '{variable}': '{value}' is not ")
    typed = basra("play", "--people", "--target", "y", **{variable: value})
    assert typed.status == 2
    assert "BASRA_TARGET" not in typed.err


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="it is the file that cannot be read")
@pytest.mark.parametrize("command", ["analyse", "replay", "resume", "check", "play --people --script"])
def test_a_file_that_cannot_be_read_is_no_terminal_that_is_gone(tmp_path, command):
    run = as_program(tmp_path, *command.split(), "/proc/self/mem")
    assert run.status == 1
    assert (run.out if command == "check" else run.err).endswith("/proc/self/mem: Input/output error\n")


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_script_that_nobody_writes_is_not_waited_for_by_who_is_told_to_end(tmp_path, number, status):
    os.mkfifo(tmp_path / "script")
    words = [sys.executable, PROGRAM, "play", "--people", "--script", "script"]
    run = subprocess.Popen(
        words, cwd=tmp_path, env=clean_environment(tmp_path), stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        until = time.monotonic() + LONG
        while run.poll() is None and time.monotonic() < until:
            run.send_signal(number)
            time.sleep(1)
        assert run.wait(1) in (status, -number)  # the latter while it was only starting
        assert run.stderr.read() == b""
    finally:
        run.kill()


def test_an_interrupt_before_the_program_has_begun_ends_it_without_a_word(tmp_path):
    (tmp_path / "click.py").write_text(
        "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(60)\n"
    )
    run = as_program(tmp_path, "play", PYTHONPATH=str(tmp_path))
    assert (run.status, run.out, run.err) == (-signal.SIGINT, "", "")


@pytest.mark.parametrize("file", ["missing", "."])
def test_a_script_that_cannot_be_read_fails_with_status_1(basra, file):
    run = basra("play", "--script", file)
    assert run.status == 1
    assert run.err.startswith("basra: ")
    assert file in run.err
    assert run.err.count("\n") == 1


# ---- play from a script ----------------------------------------------------------------------


def test_the_body_of_a_record_piped_in_plays_exactly_that_match(basra):
    out = right(basra("play", "--people", "--seed", "42", "--target", "51", typed=BODY))
    assert out.count(" drops ") + out.count(" plays ") == 48 + 1  # "North plays first"
    assert "North wins the match, 60 to 0, in 1 game.\nseed 42\n" in out
    events = right(basra("play", "--people", "--seed", "42", "--target", "51", "--json", typed=BODY))
    plays = [event for event in map(json.loads, events.splitlines()) if event["event"] == "play"]
    told = [
        f"{play['seat']} play {play['card']}" + (f" take {','.join(play['take'])}" if play["take"] else "")
        for play in plays
    ]
    assert told == [line for line in BODY.splitlines() if " play " in line]


def test_the_same_match_is_recorded_line_by_line(basra, tmp_path):
    right(basra("play", "--people", "--seed", "42", "--target", "51", "--record", "match.basra", typed=BODY))
    assert (tmp_path / "match.basra").read_text() == EXAMPLE.read_text()


def test_script_is_read_from_a_file_or_standard_input(basra, tmp_path):
    (tmp_path / "opening.txt").write_text("jc\nxx\n")
    play = ["play", "--people", "--seed", "42"]
    from_file = basra(*play, "--script", "opening.txt", typed="nonsense\n")
    from_input = basra(*play, "--script", "-", typed="jc\nxx\n")
    assert from_file.status == from_input.status == 3
    assert from_file.out == from_input.out == basra(*play, typed="jc\nxx\n").out
    assert from_file.err == "opening.txt:2: xx is not a command: help lists them\n"
    assert from_input.err == "stdin:2: xx is not a command: help lists them\n"


def test_a_script_keeps_no_match(basra, tmp_path):
    right(basra("play", "--people", "--seed", "42", typed="jc\n"))
    assert list(tmp_path.rglob("*")) == []


def test_the_last_line_counts_without_a_line_end_and_crlf_is_a_line_end(basra):
    play = ["play", "--people", "--seed", "42"]
    assert basra(*play, typed="jc\r\n6h") == basra(*play, typed="jc\n6h\n")


def test_letters_and_no_colour_wherever_standard_output_is_no_terminal(basra):
    out = right(basra("play", "--people", "--seed", "42", typed="jc\n"))
    assert out.isascii()
    assert "\x1b" not in out
    coloured = right(basra("play", "--people", "--seed", "42", "--color", "always", typed="jc\n"))
    assert "\x1b[" in coloured


def test_a_name_is_written_in_utf_8_everywhere(basra):
    out = right(basra("play", "--people", "--seed", "42", "--name", "منى", typed="jc\n"))
    assert "منى deals, North plays first." in out


@pytest.mark.parametrize(
    "typed",
    [
        b"x" * (1 << 20),
        b"x" * (1 << 20) + b"\n",
        b"\xff\xfe\x00\n",
        b"\x00\n",
        b"jc\xe2\x99\n",
        "٧♦\n".encode(),
        b"\x1b[A\n",
        b"9" * 4096 + b"\n",
        b"moves ,\n",
        b"save a\x00b\n",
        b"p " + b"," * 4000 + b"\n",
        b"jc take " + b"3 " * 2000 + b"\n",
    ],
    ids=lambda data: repr(data[:12]),
)
def test_odd_bytes_are_refused_on_one_line_and_the_next_line_counts(basra, typed):
    play = ["play", "--people", "--seed", "42", "--keep-going"]
    run = basra(*play, typed=typed.removesuffix(b"\n") + b"\njc\n")
    assert run.status == 3
    assert run.err.startswith("stdin:1: ")
    assert run.err.count("\n") == 1
    assert len(run.err) < 200
    assert run.err[:-1].isprintable()
    assert "North plays JC and sweeps AS 3H 5D 5S." in run.out


def test_only_the_first_refused_line_counts_without_keep_going(basra):
    run = basra("play", "--people", "--seed", "42", typed="xx\nyy\njc\n")
    assert run.status == 3
    assert run.err.count("\n") == 1
    assert "North plays" not in run.out.replace("North plays first", "")


# ---- the table ----------------------------------------------------------------------------------


def first_event(basra, *arguments, **more):
    return json.loads(right(basra("play", "--json", "--seed", "42", *arguments, **more)).splitlines()[0])


@pytest.mark.parametrize(
    ("arguments", "seats", "teams", "players"),
    [
        ([], 2, False, [None, "normal"]),
        (["--against", "easy"], 2, False, [None, "easy"]),
        (["--people"], 2, False, [None, None]),
        (["--against", "person"], 2, False, [None, None]),
        (["--seats", "3", "--against", "easy"], 3, False, [None, "easy", "easy"]),
        (["--seats", "4", "--against", "easy", "--against", "person"], 4, False, [None, "easy", None, None]),
        (["--teams"], 4, True, [None, "normal", "normal", "normal"]),
        (["--teams", "--people"], 4, True, [None] * 4),
    ],
    ids=str,
)
def test_against_seats_the_players_and_the_last_fills_the_rest(basra, arguments, seats, teams, players):
    event = first_event(basra, *arguments)
    assert (event["seats"], event["teams"], event["players"]) == (seats, teams, players)


@pytest.mark.parametrize(
    ("arguments", "variables", "key", "value"),
    [
        (["--target", "51"], {}, "target", 51),
        (["--set", "target=51"], {}, "target", 51),
        ([], {"BASRA_TARGET": "41"}, "target", 41),
        (["--target", "51"], {"BASRA_TARGET": "41"}, "target", 51),
        (["--set", "target=51"], {"BASRA_TARGET": "41"}, "target", 51),
        (["--set", "target=51", "--target", "51"], {"BASRA_TARGET": "41"}, "target", 51),
        (["--rules", "classic"], {}, "komi", "sweep"),
        ([], {"BASRA_RULES": "classic"}, "komi", "sweep"),
        (["--rules", "egyptian"], {"BASRA_RULES": "classic"}, "komi", "wild"),
        (["--rules", "classic", "--set", "komi=wild"], {}, "komi", "wild"),
        (["--set", "last_card_basra=false"], {}, "last_card_basra", False),
        (["--set", "basra=5", "--set", "basra=6"], {}, "basra", 6),
    ],
    ids=str,
)
def test_an_option_beats_a_variable(basra, arguments, variables, key, value):
    assert first_event(basra, *arguments, **variables)["rules"][key] == value


def test_the_taste_of_the_environment_counts(basra):
    assert first_event(basra, BASRA_AGAINST="easy")["players"] == [None, "easy"]
    assert first_event(basra, "--people", BASRA_AGAINST="easy")["players"] == [None, None]
    out = right(basra("play", "--people", "--seed", "42", BASRA_WORDS="1"))
    assert "Ground: ace of spades" in out
    out = right(basra("play", "--people", "--seed", "42", BASRA_COLOR="always"))
    assert "\x1b[" in out


# ---- the border ----------------------------------------------------------------------------------


def test_the_same_bytes_come_out_whatever_the_order_of_sets(tmp_path):
    """The same seed, options and script give the same bytes, with every PYTHONHASHSEED."""
    lines = "moves\n1\nscore\nlast\n" * 14 + "help\nrules\n"
    arguments = ["play", "--against", "normal", "--seed", "42", "--teams", "--keep-going"]
    runs = [as_program(tmp_path, *arguments, typed=lines, PYTHONHASHSEED=seed) for seed in "12"]
    assert runs[0] == runs[1]
    assert runs[0].out.count("drops") > 20


@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("command", ["play --people --seed 42", "rules"])
def test_a_closed_stream_brings_no_traceback(tmp_path, closed, command):
    done = subprocess.run(
        ["sh", "-c", f"exec {sys.executable} {PROGRAM} {command} {closed}"],
        input=b"jc\n",
        capture_output=True,
        timeout=LONG,
        cwd=tmp_path,
        env=clean_environment(tmp_path),
    )
    assert done.returncode == (1 if ">&-" in closed else 0)
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device that is always full")
@pytest.mark.parametrize("command", ["play --people --seed 42", "rules", "pack --seed 42"])
def test_output_that_cannot_be_written_fails_with_status_1(tmp_path, command):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, PROGRAM, *command.split()],
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=LONG,
            cwd=tmp_path,
            env=clean_environment(tmp_path),
        )
    assert done.returncode == 1
    assert done.stderr == b"basra: output: No space left on device\n"


# ---- what is said can be used as it stands ----------------------------------------------------


@pytest.mark.parametrize("manner", [{}, {"COLUMNS": "20"}, {"BASRA_WORDS": "1"}])
def test_the_lines_that_check_a_deal_are_shown_as_they_are_to_be_typed(basra, manner):
    done = right(basra("play", "--people", "--seed", "a b", "--cut", "x", typed="help fairness\n", **manner))
    lines = [line.strip() for line in done.splitlines()]
    assert "seed='a b'" in lines
    assert "printf '%s\\n' 'basra 1' commit \"seed $seed\" | sha256sum" in lines
    assert 'basra pack --seed "$seed" --game 1 --cut x' in lines


def test_the_keys_of_a_rule_set_in_words_are_spelled_as_they_are_set(basra):
    shown = right(basra("rules", "egyptian", "--words"))
    for key in KEYS:
        assert f"\n{key} = " in shown


@pytest.mark.parametrize("command", [["play"], ["simulate", "random", "random", "-n", "2"]])
def test_rules_by_which_nobody_can_score_are_wrong_usage(basra, command):
    zeros = [word for key in ("basra", "jack_basra", "majority") for word in ("--set", f"{key}=0")]
    done = basra(*command, *zeros)
    assert (done.status, done.out) == (2, "")
    assert done.err == "basra: by these rules nobody can score: at least one thing has to earn points\n"
    assert basra("moves", "--ground", "", "--hand", "JC", *zeros).status == 0


def test_a_pace_is_a_number_of_seconds(basra):
    assert basra("play", "--pace", "nan").status == 2


def test_a_seat_number_may_stand_before_the_number_of_a_play(basra):
    done = right(basra("play", "--people", "--seed", "42", typed="moves\n2 4\n"))
    assert "North plays JC and sweeps AS 3H 5D 5S." in done


def test_a_name_is_written_as_it_is_and_alike_everywhere(basra):
    shown = right(basra("play", "--people", "--seed", "42", "--name", "é" * 200))
    assert "É" not in shown
    assert set(shown.replace(",", " ").split()) >= {"é" * 37 + "..."}


def test_a_line_without_an_end_ends_a_script(tmp_path):
    with open("/dev/zero", "rb") as endless:
        done = subprocess.run(
            [sys.executable, PROGRAM, "play", "--people", "--seed", "42", "--keep-going"],
            stdin=endless,
            capture_output=True,
            timeout=LONG,
            env=clean_environment(tmp_path),
        )
    assert done.returncode == 3
    assert done.stderr == b"stdin:1: the line is too long: at most 4,096 bytes\n"
