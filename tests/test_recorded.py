"""Recorded matches: told again, and checked, however hostile the file."""

import gc
import json
import os
import pty
import random
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest
from terminals import LONG, PROGRAM, TESTS, Terminal, clean_environment, in_process
from typist import plays_shown, plays_written, read_file

from basra import Match, Rules, Seats
from basra.record import LARGEST_FILE, Record, lines
from basra.terminal.recorded import check

EXAMPLE = TESTS / "example.basra"
CARDS = plays_written(read_file(EXAMPLE))


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Run the program in this process, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return lambda *arguments, **more: in_process(monkeypatch, *arguments, **more)


def long_match(games, **more):
    """Play at random until so many games are over."""
    rng = random.Random(games)
    match = Match(Rules(target=100_000), seed="long", **more)
    while len(match.counts) < games:
        game = match.begin_game()
        while not game.over:
            match.play(rng.choice(game.legal_plays()))
    return match


def write(path, match, **more):
    Path(path).write_text("".join(lines(Record(match, **more))))
    return path


# ---- replay ---------------------------------------------------------------------------------


def played_by_name(text):
    """List the cards that South and North have played."""
    return plays_shown(text.replace("South ", "East "))


def test_a_whole_match_is_told_as_it_was_played_with_every_hand_open(run):
    done = run("replay", str(EXAMPLE))
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("Game 1.  South 0, North 0.  South deals, North plays first.\nDeal 1 of 6.\n")
    assert played_by_name(done.out) == CARDS
    assert done.out.count("  hand ") + done.out.count("'s hand") + done.out.count("  North  ") >= 1
    assert "North wins the match, 60 to 0, in 1 game.\nseed 42\n" in done.out
    assert max(map(len, done.out.splitlines())) <= 80


def test_one_game_alone(run):
    match = long_match(3)
    write("three.basra", match)
    cards = [[str(play).split()[0] for play in game.plays] for game in match.games]
    for number in (1, 2, 3):
        done = run("replay", "three.basra", "--game", str(number))
        assert (done.status, done.err) == (0, "")
        assert f"Game {number}." in done.out
        assert done.out.count("Count of game") == 1
        assert played_by_name(done.out) == cards[number - 1]
    done = run("replay", "three.basra", "--game", "4")
    assert (done.status, done.out) == (2, "")
    assert done.err == "basra: there is no game 4: the record has 3\n"


def test_replay_as_json_tells_all_events(run):
    done = run("replay", "--json", str(EXAMPLE))
    events = [json.loads(line) for line in done.out.splitlines()]
    kinds = [event["event"] for event in events]
    assert kinds[:3] == ["match", "game", "deal"]
    assert kinds[-2:] == ["count", "result"]
    assert [event["card"] for event in events if event["event"] == "play"] == CARDS
    assert events[-1]["seed"] == "42"
    assert all(len(event["hands"]) == 2 for event in events if event["event"] == "deal")


def test_a_resigned_match_and_one_that_stops_early(run):
    match = Match(seed="42")
    match.begin_game()
    write("early.basra", match)
    assert run("replay", "early.basra").out.endswith("\nthe record stops here\n")
    match.resign()
    write("resigned.basra", match)
    assert "North gives the match up.\nSouth wins the match" in run("replay", "resigned.basra").out


def test_a_record_without_a_game_has_little_to_tell(run):
    write("begun.basra", Match(seed="42"))
    done = run("replay", "begun.basra")
    assert (done.status, done.out, done.err) == (0, "the record stops here\n", "")


def test_a_cut_off_line_is_told_of_at_the_end(run):
    Path("cut.basra").write_bytes(EXAMPLE.read_bytes()[:-200])
    done = run("replay", "cut.basra")
    assert done.status == 0
    assert "has no line end: it is left out" in " ".join(done.out.split())
    assert "the record stops here" in done.out


def test_a_record_with_packs_and_four_seats(run):
    rng = random.Random(4)
    match = Match(Rules.named("classic"), Seats(4, teams=True), names=["A", "B", "C", "D"], dealer=3)
    game = match.begin_game(rng.sample(range(52), 52))
    while not game.over:
        match.play(rng.choice(game.legal_plays()))
    write("hand.basra", match)
    done = run("replay", "hand.basra")
    assert (done.status, done.err) == (0, "")
    assert "Game 1.  A and C 0, B and D 0.  C deals, D plays first.\n" in done.out


def test_at_a_terminal_enter_shows_the_next_play_and_all_the_rest(tmp_path):
    with Terminal(tmp_path, "replay", "--ascii", "--color", "never", str(EXAMPLE)) as terminal:
        prompt = "Enter: the next play, all: the rest, quit> "
        assert plays_shown(terminal.expect(prompt)) == []
        for number in range(3):
            shown = terminal.answer("", prompt)
            assert played_by_name(shown) == CARDS[number : number + 1]
        terminal.type("all\n")
        status, shown = terminal.end()
        assert status == 0
        assert played_by_name(shown) == CARDS[3:]


@pytest.mark.parametrize(("keys", "status"), [("q\n", 0), ("quit\n", 0), ("\x04", 0), ("\x03", 130)])
def test_leaving_a_replay(keys, status, tmp_path):
    with Terminal(tmp_path, "replay", str(EXAMPLE)) as terminal:
        terminal.expect("quit> ")
        terminal.type(keys)
        assert terminal.end()[0] == status


def test_a_long_replay_is_broken_off_by_an_interrupt(tmp_path):
    write(tmp_path / "long.basra", long_match(100))
    with Terminal(tmp_path, "replay", "long.basra") as terminal:
        terminal.expect("quit> ")
        terminal.type("all\n")
        terminal.expect("Game 2.")
        terminal.type("\x03")
        status, shown = terminal.end()
        assert status == 130
        assert "Count of game 100" not in shown


def test_what_cannot_be_replayed_is_said_in_one_line(run):
    assert run("replay", "none.basra").err == "basra: none.basra: No such file or directory\n"
    Path("bad.basra").write_text("basra-record 1\nseats 7\n")
    done = run("replay", "bad.basra")
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("basra: bad.basra:2: ")
    Path("folder").mkdir()
    done = run("replay", "folder")
    assert (done.status, done.out, done.err) == (1, "", "basra: folder: Is a directory\n")


# ---- check ----------------------------------------------------------------------------------


def test_check_says_one_line_for_each_file_and_fails_if_any_is_wrong(run):
    write("early.basra", long_match(2))
    Path("wrong.basra").write_bytes(EXAMPLE.read_bytes().replace(b"play 6H", b"play 6S"))
    Path("cut.basra").write_bytes(EXAMPLE.read_bytes()[:-10])
    Path("folder").mkdir()
    good = run("check", str(EXAMPLE), "early.basra", "cut.basra")
    totals = ":".join(map(str, long_match(2).totals))
    assert (good.status, good.err) == (0, "")
    first, second, third = good.out.splitlines()
    assert first == f"{EXAMPLE}: right, 1 game, North won, 0:60"
    assert second == f"early.basra: right so far, 2 games, {totals}"
    assert third.startswith("cut.basra: right, 1 game, North won, 0:60; cut.basra:60: result 2 t")
    assert third.endswith(" has no line end: it is left out")
    bad = run("check", "wrong.basra", str(EXAMPLE), "none.basra", "folder")
    assert bad.status == 1
    assert bad.err == ""
    wrong, right, missing, folder = bad.out.splitlines()
    assert wrong.startswith("wrong.basra:12: 6S is not in your hand")
    assert right == first
    assert missing == "none.basra: No such file or directory"
    assert folder == "folder: Is a directory"


HOSTILE = {
    "an endless line": b"basra-record 1\nseat 1 " + b"x" * (1 << 20),
    "a line of 4,097 bytes": b"basra-record 1\n#" + b"x" * 4096 + b"\n",
    "an endless first line": b"x" * (1 << 20),
    "zeros": bytes(1 << 20),
    "a program": b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 100,
    "nothing": b"",
    "no text": b"basra-record 1\nseat 1 \xff\xfe\n",
    "codes for the terminal": b"basra-record 1\nseat 1 \x1b[2J\x1b]0;title\x07\n",
    "codes in an unknown word": b"basra-record 1\n\x1b[31mred\x1b[0m\x9b1m\n",
    "a name that turns the line round": "basra-record 1\nseat 1 a\u202eb\n".encode(),
    "a mark at the start": b"\xef\xbb\xbfbasra-record 1\n",
    "codes in a line that is cut off": b"basra-record 1\n\x1b[2J\x07",
    "a path": b"basra-record 1\ninclude /etc/passwd\n",
    "many seats": b"basra-record 1\nseats 99999999999999999999\n",
    "a huge number": b"basra-record 1\nset target " + b"9" * 4000 + b"\n",
    "a game far away": b"basra-record 1\nseed 1\ngame 1000000000 dealer 1\n",
    "lines of another kind": "basra-record 1\u2028seats 2\n".encode(),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_file_gets_one_clear_line(what, run, tmp_path):
    path = tmp_path / "x.basra"
    path.write_bytes(HOSTILE[what])
    for command in ("check", "replay", "resume"):
        done = run(command, "x.basra")
        text = done.out + done.err
        assert "x.basra:" in text
        assert all(character.isprintable() for character in text.replace("\n", ""))
        assert max(map(len, text.splitlines())) < 400
        if what != "codes in a line that is cut off":  # that is only left out
            assert done.status == 1
            assert text.count("\n") == 1
            assert path.read_bytes() == HOSTILE[what]


def test_a_file_of_17_mib_is_read_no_further_than_16(run, tmp_path):
    line = b"#" + b" " * 4000 + b"\n"
    path = tmp_path / "large.basra"
    path.write_bytes(b"basra-record 1\n" + line * ((LARGEST_FILE + (1 << 20)) // len(line)))
    done = run("check", "large.basra")
    assert done.status == 1
    assert done.out.endswith(": the record is larger than 16 MiB\n")


def test_a_source_without_end_is_not_read_to_it(run):
    for name in ("/dev/zero", "/dev/urandom"):
        done = run("check", name)
        assert done.status == 1
        assert done.out.startswith(f"{name}:1: the first line is ")


def test_a_record_names_no_file_that_is_opened(run, tmp_path, monkeypatch):
    """No path in a record is followed."""
    opened = []

    def note(event, arguments):
        if watching and event in ("open", "os.listdir", "subprocess.Popen", "os.exec", "os.system"):
            opened.append(str(arguments[0]))

    watching = False
    sys.addaudithook(note)
    text = EXAMPLE.read_text().replace("seat 2 North", "seat 2 /etc/passwd bot:/etc/shadow")
    Path("x.basra").write_text(text)
    run("check", "x.basra")  # what is imported is imported
    watching = True
    run("check", "x.basra")
    watching = False
    assert [name for name in opened if "x.basra" not in name] == []


@pytest.mark.parametrize("name", ["a\x1b[2Jb", "a\nb", "a\x7f", "\u202etxt", "\udcff"])
def test_the_name_of_a_file_brings_no_code_to_the_terminal(name, run, tmp_path):
    path = os.fsencode(tmp_path) + b"/" + os.fsencode(name)
    with open(path, "wb") as file:
        file.write(EXAMPLE.read_bytes())
    good = run("check", name)
    assert good.status == 0
    with open(path, "wb") as file:
        file.write(b"basra-record 2\n")
    for command in ("check", "replay", "resume"):
        done = run(command, name)
        assert done.status == 1
        for text in (good.out, done.out + done.err):
            assert text.count("\n") == 1
            assert text[:-1].isprintable()


@pytest.mark.parametrize("character", ["\u00ad", "\U000e0041", "\ufff9", "\ue000"])
def test_format_characters_that_a_record_may_hold_do_not_reach_the_screen(character, run):
    match = Match(
        Rules(target=21),
        names=[f"{seat}{character}b" for seat in "12"],
        seed=f"4{character}2",
        cut=f"c{character}t",
    )
    match.begin_game()
    match.resign()
    write("x.basra", match)
    for command in ("check", "replay"):
        done = run(command, "x.basra")
        assert done.status == 0
        assert character not in done.out
        assert "1?b" in done.out or "2?b" in done.out


def test_names_that_a_terminal_cannot_show_are_shown_as_far_as_it_can(tmp_path):
    match = Match(names=["منى", "Øre"], seed="42")
    match.begin_game()
    match.resign()
    write(tmp_path / "names.basra", match)
    for encoding in ("ascii", "latin-1"):
        done = subprocess.run(
            [sys.executable, PROGRAM, "check", "names.basra"],
            env=clean_environment(tmp_path, PYTHONIOENCODING=encoding, LC_ALL="C"),
            cwd=tmp_path,
            capture_output=True,
            timeout=LONG,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.decode() == "names.basra: right, 1 game, منى won, 0:0\n"


def test_the_lines_are_the_progress_at_a_terminal_and_a_bar_is_where_they_go_elsewhere(tmp_path):
    for number in range(3):
        (tmp_path / f"{number}.basra").write_bytes(EXAMPLE.read_bytes())
    names = [f"{number}.basra" for number in range(3)]
    with Terminal(tmp_path, "check", *names) as terminal:
        assert terminal.end() == (0, "".join(f"{name}: right, 1 game, North won, 0:60\n" for name in names))
    master, slave = pty.openpty()
    done = subprocess.run(
        [sys.executable, PROGRAM, "check", *names],
        env=clean_environment(tmp_path, TERM="xterm"),
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=slave,
        timeout=LONG,
    )
    os.close(slave)
    bar = os.read(master, 65536).decode()
    os.close(master)
    assert done.returncode == 0
    assert done.stdout.count(b"\n") == 3
    assert "100%" in bar
    assert "right" not in bar


def test_thousands_of_games_are_checked_without_holding_their_files(tmp_path):
    """Whatever there are many of: one line of memory at a time, and tables that are bounded."""
    path = tmp_path / "x.basra"
    path.write_bytes(EXAMPLE.read_bytes())
    for _ in range(5):
        check(str(path))
    tracemalloc.start()
    for _ in range(3):
        check(str(path))
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(30):
        check(str(path))
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert after - before < 30_000


# ---- every byte -----------------------------------------------------------------------------


def test_cut_at_every_byte_a_record_is_read_to_its_last_whole_line_or_refused(tmp_path):
    """Never a traceback, never a wrong match."""
    data = EXAMPLE.read_bytes()
    whole = plays_written(read_file(EXAMPLE))
    path = tmp_path / "cut.basra"
    for size in range(len(data) + 1):
        path.write_bytes(data[:size])
        right, text = check(str(path))
        assert text.isprintable()
        if size == 0:
            assert (right, text) == (False, f"{path}:1: the first line is empty, not basra-record 1")
            continue
        assert right, text
        ends_whole = data[:size].endswith(b"\n")
        assert ("has no line end: it is left out" in text) == (not ends_whole)
        if ends_whole or size % 40 == 0:
            record = read_file(path)
            assert (record.warning is None) == ends_whole
            assert record.size == data[:size].rfind(b"\n") + 1
            assert plays_written(record) == whole[: data[: record.size].count(b" play ")]


def test_cut_anywhere_and_ended_it_is_read_or_refused_at_its_last_line(tmp_path):
    """A cut line that somebody has ended is no longer a cut line: it is right as it stands, or an error."""
    data = EXAMPLE.read_bytes()
    path = tmp_path / "cut.basra"
    for size in range(0, len(data), 3):
        path.write_bytes(data[:size] + b"\n")
        right, text = check(str(path))
        assert text.isprintable()
        if not right:  # a seed that is cut does not fit the line before, which is named then
            number = data[:size].count(b"\n") + 1
            assert text.startswith((f"{path}:{number}: ", f"{path}:{number - 1}: "))
