"""Matches on disk: kept as they are played, gone on with, never lost and never overwritten."""

import fcntl
import os
import random
import re
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import threading
from functools import partial
from itertools import takewhile
from pathlib import Path

import pytest
from terminals import LONG, PERSON, PROGRAM, TESTS, Terminal, clean_environment, in_process, table
from typist import (
    PLAIN,
    kept,
    killed,
    my_line,
    only,
    plays_shown,
    plays_written,
    read_file,
    typed,
    typed_lines,
)

from basra import Match, Rules, Seats
from basra.record import Record, lines
from basra.terminal import keeping
from basra.terminal.console import Signals
from basra.terminal.keeping import CannotKeep, Keeper
from basra.terminal.screen import Screen
from basra.terminal.session import Session
from basra.terminal.writing import Signs

EXAMPLE = (TESTS / "example.basra").read_text()
UNFINISHED = "".join(line + "\n" for line in EXAMPLE.splitlines()[:20])


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Run the program in this process, in a folder of its own that holds its state too."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "fsync", lambda _descriptor: None)  # it takes its time, and changes nothing here
    state = {"HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}

    def run(*arguments, typed=(), **environment):
        text = typed if isinstance(typed, bytes) else "".join(line + "\n" for line in typed)
        return in_process(monkeypatch, *arguments, typed=text, **{**state, **PLAIN, **environment})

    return run


@pytest.fixture
def at_terminal(tmp_path):
    """Open the program at a terminal."""
    opened = []

    def at_terminal(*arguments, **environment):
        opened.append(Terminal(tmp_path, *arguments, **{**PLAIN, **environment}))
        return opened[-1]

    yield at_terminal
    for terminal in opened:
        terminal.__exit__()


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


# ---- each play is on disk before it is shown ------------------------------------------------


def test_a_match_at_a_terminal_is_kept_in_files_and_a_folder_for_its_owner_alone(at_terminal, tmp_path):
    """Section 5: files mode 600, folder 700, whatever the umask is."""
    before = os.umask(0)
    try:
        terminal = at_terminal("play", "--seed", "42", XDG_STATE_HOME=str(tmp_path / "state"))
    finally:
        os.umask(before)
    terminal.expect("\n> ")
    path = only(tmp_path / "state")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert path.read_text().endswith("game 1 dealer 1\n2 play JC take 5D,3H,AS,5S\n")
    for line in typed(3):
        terminal.answer(line)
        data = path.read_text()
        assert data.endswith("\n")
        shown, written = plays_shown(terminal.text), plays_written(read_file(path))
        assert written == shown


def test_the_state_folder_is_in_the_home_folder_where_nothing_else_is_said(run, tmp_path):
    run("play", "-i", typed=[""], XDG_STATE_HOME=None)
    run("play", "-i", typed=[""], XDG_STATE_HOME="relative")
    assert len(list((tmp_path / ".local/state/basra").iterdir())) == 2
    assert not (tmp_path / "relative").exists()


def test_a_line_is_written_whole_and_on_disk_before_what_it_says_is_shown(tmp_path, monkeypatch):
    """`kill -9` loses nothing that was shown."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    synced = set()
    fsync = os.fsync

    def note(descriptor):
        fsync(descriptor)
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            synced.add(only(tmp_path).read_text())

    monkeypatch.setattr(os, "fsync", note)
    out = Shown(synced)
    screen = Screen(out, Signs(), lambda: 80, you=1, computers={2: "normal"})
    keeper = Keeper({2: "normal"}, in_state=True)
    session = Session(table("normal", rules=Rules(target=30)), screen, PERSON, Open(), sys.stderr, keeper)
    session.run(Lines(typed(rules=Rules(target=30))))
    assert session.match.outcome
    assert out.plays == plays_written(read_file(only(tmp_path)))
    assert all(text.endswith("\n") for text in synced)


class Shown:
    """A stream that looks, at each play that it is given, whether it is on disk."""

    def __init__(self, synced):
        self.synced = synced
        self.plays = []

    def write(self, text):
        for card in plays_shown(text):
            self.plays.append(card)
            newest = max(self.synced, key=len)
            played = re.findall(r"^[12] play (\w+)", newest, re.MULTILINE)
            assert played[: len(self.plays)] == self.plays
        if "win the match" in text or "wins the match" in text:
            assert max(self.synced, key=len).splitlines()[-1].startswith("result ")

    def flush(self):
        pass


class Lines:
    """A source of lines that then ends."""

    name, number, dropped = "typed", 0, False

    def __init__(self, lines):
        self.lines = list(lines)

    def read(self, _prompt):
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)


class Open(Signals):
    """No signal is taken over."""

    def __init__(self):
        self._pending = None


def test_a_script_keeps_no_match(run, tmp_path):
    run("play", "--seed", "42", typed=typed(5))
    assert not (tmp_path / "basra").exists()


def test_matches_that_begin_in_the_same_second_are_kept_in_files_of_their_own(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    files = [keeping.create_in_state("2026-11-29T20:48:00Z", pytest.fail) for _ in range(3)]
    names = ["2026-11-29T204800Z.basra", "2026-11-29T204800Z-2.basra", "2026-11-29T204800Z-3.basra"]
    assert [file.path.name for file in files] == names
    for file in files:
        file.close()
    assert list((tmp_path / "basra").iterdir()) == []  # nothing was written to them


# ---- going on -------------------------------------------------------------------------------


def test_bare_basra_goes_on_and_says_so_and_how_to_begin_a_new_one(at_terminal, tmp_path):
    first = at_terminal("play", "--seed", "42", "--target", "51")
    first.expect("\n> ")
    first.answer("6h")
    first.type("quit\n")
    assert first.end()[0] == 0
    again = at_terminal()
    shown = again.expect("\n> ")
    assert "A match to 51 against North (normal)" in shown
    assert "This match goes on where it stopped.  basra play begins a new one.\n" in shown
    assert "Game 1.  You 0, North 0.  Deal 1 of 6.\nYou drop 6H.\n" in shown
    assert again.answer("last").startswith("last\nYou drop 6H.\nNorth ")
    again.type("quit\n")
    assert again.end()[0] == 0
    assert len(kept(tmp_path)) == 1


def test_bare_basra_begins_a_match_where_none_is_unfinished(at_terminal, tmp_path):
    write(tmp_path / "basra/over.basra", EXAMPLE)
    write(tmp_path / "basra/empty.basra", "")
    write(tmp_path / "basra/other.txt", UNFINISHED)
    terminal = at_terminal()
    assert "Pack sealed" in terminal.expect("none): ")
    terminal.answer("")
    assert len(kept(tmp_path)) == 3


def test_bare_basra_passes_over_records_that_are_wrong_and_goes_on_with_the_next(at_terminal, tmp_path):
    write(tmp_path / "basra/good.basra", UNFINISHED)
    wrong = {
        "wrong.basra": UNFINISHED.replace("play 6H", "play 6S"),
        "stranger.basra": UNFINISHED.replace("North", "North bot:cmd:./evil"),
    }
    for at, (name, text) in enumerate(wrong.items()):
        path = write(tmp_path / "basra" / name, text)
        os.utime(path, (2e9 + at, 2e9 + at))
    terminal = at_terminal()
    shown = terminal.expect("ready? ")
    assert "wrong.basra:12:6Sisnotinyourhand" in "".join(shown.split())  # wherever it was broken
    assert shown.count("(it is left as it is)") == 2
    assert "goes on where it stopped" in shown
    for name, text in wrong.items():
        assert (tmp_path / "basra" / name).read_text() == text


def test_resume_lists_several_with_opponents_score_and_date(at_terminal, tmp_path):
    texts = [
        UNFINISHED,
        UNFINISHED.replace("commit", "date 2026-11-29T20:48:00Z\ncommit"),
        "basra-record 1\nseats 3\nseat 1 Mona\nseat 2 A bot:easy\nseat 3 B bot:hard\nset target 30\n",
        "basra-record 2\n",
    ]
    for at, text in enumerate(texts):
        path = write(tmp_path / f"basra/{at}.basra", text)
        os.utime(path, (1e9 + at, 1e9 + at))
    terminal = at_terminal("resume")
    listed = terminal.expect("Which one (Enter for the first)? ")
    assert "3.basra:1:thefirstlineisbasra-record2" in "".join(listed.split())  # wherever it was broken
    assert "1    Mona, A (easy), B (hard)  game 0, 0:0:0 of 30\n" in listed
    assert "2  2026-11-29 20:48  South, North  game 1, 0:0 of 51\n" in listed
    assert "3    South, North  game 1, 0:0 of 51\n" in listed
    assert "a number from 1 to 3 is needed" in terminal.answer("4", "first)? ")
    assert "a number from 1 to 3 is needed" in terminal.answer("x", "first)? ")
    assert "Begun 2026-11-29" in terminal.answer("2", "ready? ").replace("\n", " ")
    assert read_file(tmp_path / "basra/1.basra").match.games


@pytest.mark.parametrize("answer", ["quit\n", "\x04"])
def test_who_chooses_no_match_leaves_in_order(answer, at_terminal, tmp_path):
    write(tmp_path / "basra/1.basra", UNFINISHED)
    write(tmp_path / "basra/2.basra", UNFINISHED)
    terminal = at_terminal("resume")
    terminal.expect("first)? ")
    terminal.type(answer)
    assert terminal.end()[0] == 0


def test_resume_says_that_there_is_no_match_to_go_on_with(run):
    done = run("resume")
    assert (done.status, done.out) == (1, "")
    assert done.err == "basra: there is no unfinished match: basra play begins one\n"


def test_a_script_goes_on_with_the_match_played_last(run, tmp_path):
    older = write(tmp_path / "basra/1.basra", UNFINISHED)
    os.utime(older, (1e9, 1e9))
    newer = write(tmp_path / "basra/2.basra", UNFINISHED)
    assert run("resume", typed=[my_line(read_file(newer).match)]).status == 0
    assert older.read_text() == UNFINISHED
    assert len(newer.read_text().splitlines()) == len(UNFINISHED.splitlines()) + 1


TABLES = [
    (["--against", "easy"], {2: "easy"}, Seats(2)),
    (["--against", "random", "--against", "normal", "--seats", "3"], {2: "random", 3: "normal"}, Seats(3)),
    (["--against", "greedy", "--teams"], {2: "greedy", 3: "greedy", 4: "greedy"}, Seats(4, teams=True)),
]


@pytest.mark.parametrize(("options", "players", "seats"), TABLES)
def test_a_match_goes_on_exactly_where_it_stopped(options, players, seats, run, tmp_path):
    """The same cards come and the same computer plays: it is the match that it would have been."""
    text = typed(seed="go", cut="on", players=players, rules=Rules(target=45), seats=seats)
    begin = ("play", "--seed", "go", "--cut", "on", "--target", "45", *options, "--record")
    script = [line for line in text if line]
    assert run(*begin, "whole.basra", typed=script).status == 0
    whole = Path("whole.basra").read_bytes()
    assert whole.splitlines()[-1].startswith(b"result ")
    rng = random.Random(seats.count)
    for at in sorted(rng.sample(range(1, len(script)), 4)):
        Path("part.basra").unlink(missing_ok=True)
        more = rng.randint(at, len(script))
        assert run(*begin, "part.basra", typed=script[:at]).status == 0
        assert run("resume", "part.basra", typed=script[at:more]).status == 0
        assert whole.startswith(Path("part.basra").read_bytes())
        if more < len(script):
            assert run("resume", "part.basra", typed=script[more:]).status == 0
        assert Path("part.basra").read_bytes() == whole


@pytest.mark.parametrize("players", [{2: "easy"}, {2: "normal"}])
def test_a_match_cut_after_any_line_goes_on_to_the_same_end(players, run):
    """Between the lines of one play too: a count that was due, a game that has no play yet."""
    script = [line for line in typed(seed="any", players=players, rules=Rules(target=30)) if line]
    begin = ("play", "--seed", "any", "--target", "30", "--against", players[2], "--record", "whole.basra")
    run(*begin, typed=script)
    whole = Path("whole.basra").read_text().splitlines(keepends=True)
    first = next(at for at, line in enumerate(whole) if line.startswith("game 1"))
    ends = [at for at, line in enumerate(whole) if line.startswith(("game ", "score "))]
    for at in {first, *ends, *(end + 1 for end in ends), *range(first, len(whole) - 1, 7)}:
        Path("part.basra").write_text("".join(whole[:at]))
        mine = sum(line.startswith("1 play") for line in whole[:at])
        done = run("resume", "part.basra", typed=script[mine:])
        assert done.status == 0, done.err
        assert Path("part.basra").read_text() == "".join(whole)


def test_another_match_after_one_that_was_gone_on_with_is_kept_too(run, tmp_path):
    path = write(tmp_path / "basra/1.basra", UNFINISHED)
    done = run("resume", "-i", typed=["", "resign", "", ""])
    assert done.status == 0
    assert path.read_text().splitlines()[-1].startswith("result ")
    assert len(kept(tmp_path)) == 2


def test_a_record_without_a_seed_goes_on_with_a_pack_for_each_game(run):
    match = Match(Rules(target=1000))
    rng = random.Random(1)
    game = match.begin_game(rng.sample(range(52), 52))
    while not game.over:
        match.play(rng.choice(game.legal_plays()))
    Path("hand.basra").write_text("".join(lines(Record(match, {2: "easy"}))))
    done = run("resume", "-i", "hand.basra", typed=[""])
    assert done.status == 0
    record = read_file(Path("hand.basra"))
    assert len(record.match.games) == 2
    assert len(record.match.packs) == 2


# ---- one match, one session -----------------------------------------------------------------


def test_a_match_that_is_being_played_says_by_which_process_and_is_free_when_that_ends(at_terminal, tmp_path):
    first = at_terminal("play", "--seed", "42")
    first.expect("\n> ")
    path = only(tmp_path)
    for arguments in ([], ["resume"], ["resume", str(path)]):
        second = at_terminal(*arguments)
        status, shown = second.end()
        assert status == 1
        message = f"basra: {path} is being played in another session, process {first.process.pid}; "
        message += "basra play begins a new match"
        assert shown.replace("\n", "") == message
    before = path.read_bytes()
    first.process.kill()
    first.process.wait()
    third = at_terminal("resume")
    third.expect("\n> ")
    assert path.read_bytes() == before


def test_a_session_that_is_just_leaving_is_waited_for(run, tmp_path):
    """As when a connection was lost and its end has not been noticed yet."""
    path = write(tmp_path / "basra/1.basra", UNFINISHED)
    with path.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        leaving = threading.Timer(0.3, fcntl.flock, [other, fcntl.LOCK_UN])
        leaving.start()
        assert run("resume").status == 0
        leaving.join()


# ---- records from somebody else -------------------------------------------------------------


@pytest.mark.parametrize("player", ["cmd:./evil", "cmd:evil", "./evil", "evil", "Normal", "__init__", "-c"])
def test_a_record_names_no_program_that_would_be_started(player, run, tmp_path):
    trace = tmp_path / "started"
    evil = write(tmp_path / "evil", f"#!/bin/sh\ntouch {trace}\n")
    evil.chmod(0o755)
    text = UNFINISHED.replace("seat 2 North", f"seat 2 North bot:{player}") + "1 play"
    path = write(tmp_path / "theirs.basra", text)
    done = run("resume", "theirs.basra", PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert done.status == 1
    assert done.out == ""
    assert done.err.startswith(f"basra: theirs.basra: {player}, who plays seat 2, is not a player here")
    assert done.err.count("\n") == 1
    assert path.read_text() == text
    assert not trace.exists()


def test_a_last_line_that_was_cut_off_is_removed_with_a_word_about_it(run, tmp_path):
    path = write(tmp_path / "cut.basra", UNFINISHED + "1 pla")
    done = run("resume", "cut.basra", typed=["score"])
    assert done.status == 0
    assert "cut.basra:21: 1 pla has no line end: it is left out" in done.out
    assert path.read_text() == UNFINISHED


def test_a_match_that_is_over_does_not_go_on(run, tmp_path):
    path = write(tmp_path / "over.basra", EXAMPLE)
    done = run("resume", "over.basra")
    assert (done.status, done.out, done.err) == (1, "", "basra: over.basra: the match is over\n")
    assert path.read_text() == EXAMPLE


def test_what_is_still_due_is_written_to_a_match_that_was_cut_off_at_its_end(run, tmp_path):
    *most, _score, _result = EXAMPLE.splitlines(keepends=True)
    path = write(tmp_path / "cut.basra", "".join(most))
    assert run("resume", "cut.basra").status == 0
    assert path.read_text() == EXAMPLE


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (UNFINISHED.replace("play 6H", "play 6S"), "x.basra:12: 6S is not in your hand"),
        ("\x7fELF\0\0\x1b[2J\n", "x.basra:1: the first line is ?ELF???[2J, not basra-record 1\n"),
        ("", "x.basra:1: the first line is empty, not basra-record 1\n"),
        (None, "x.basra is not a file\n"),
    ],
)
def test_what_is_no_right_record_is_refused_and_left_as_it_is(text, message, run, tmp_path):
    path = tmp_path / "x.basra"
    if text is None:
        path.mkdir()
    else:
        path.write_text(text)
    done = run("resume", "x.basra")
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith(f"basra: {message}")
    assert path.is_dir() if text is None else path.read_text() == text


def test_resume_names_a_file_that_is_not_there(run):
    done = run("resume", "none.basra")
    assert (done.status, done.err) == (1, "basra: none.basra: No such file or directory\n")


def test_a_named_pipe_is_not_waited_for(run, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    done = run("resume", "pipe")
    assert (done.status, done.err) == (1, "basra: pipe is not a file\n")


# ---- --record, record and save --------------------------------------------------------------


def test_record_option_writes_the_match_as_it_is_played(run):
    run("play", "--seed", "42", "--record", "mine.basra", typed=["6h"])
    assert Path("mine.basra").read_text() == "".join(
        lines(Record(read_file(Path("mine.basra")).match, {2: "normal"}))
    )
    assert "date" not in Path("mine.basra").read_text()


@pytest.mark.parametrize("there", ["file", "folder", "link"])
def test_record_option_overwrites_nothing_and_says_so_at_once(there, run):
    path = Path("there")
    if there == "file":
        path.write_text("mine")
    elif there == "folder":
        path.mkdir()
    else:
        path.symlink_to("nowhere")
    done = run("play", "--record", "there")
    assert (done.status, done.out) == (1, "")
    assert done.err == "basra: there is there already: it is not overwritten\n"
    assert there != "file" or path.read_text() == "mine"
    assert not Path("nowhere").exists()


def test_record_option_names_a_folder_that_is_not_there(run):
    done = run("play", "--record", "none/x.basra")
    assert done.status == 1
    assert done.err == "basra: none/x.basra: No such file or directory\n"


def test_save_writes_the_whole_record_and_says_so(run):
    done = run("play", "--seed", "42", typed=["6h", "save mine.basra"])
    assert done.out.endswith("saved in mine.basra\n")
    text = Path("mine.basra").read_text()
    assert "seed 42\n" in text
    assert text.splitlines()[-2] == "1 play 6H"


@pytest.mark.parametrize("cut", [1, 0.5, 0.999])
def test_save_completes_this_very_record_at_an_earlier_line(cut, run):
    run("play", "--seed", "42", typed=[*typed(1), "save mine.basra"])
    text = Path("mine.basra").read_text()
    Path("mine.basra").write_text(text[: int(cut * len(text))])
    done = run("play", "--seed", "42", typed=[*typed(3), "save mine.basra"])
    assert done.out.endswith("mine.basra was there: it holds all of the match now\n")
    assert len(plays_written(read_file(Path("mine.basra")))) == 7


@pytest.mark.parametrize("there", ["", "mine\n", UNFINISHED, None])
def test_save_overwrites_nothing_else(there, run):
    path = Path("there.basra")
    if there is None:
        path.mkdir()
    else:
        path.write_text(there)
    done = run("play", "--seed", "42", "--keep-going", typed=["6h", "save there.basra", "save new.basra"])
    assert done.status == 3
    assert done.err.endswith("there.basra is there already and is not this match: it is not overwritten\n")
    assert path.is_dir() if there is None else path.read_text() == there
    assert done.out.endswith("saved in new.basra\n")


def test_save_leaves_a_longer_record_of_this_match_as_it_is(run):
    run("play", "--seed", "42", typed=[*typed(3), "save mine.basra"])
    text = Path("mine.basra").read_text()
    done = run("play", "--seed", "42", typed=["6h", "save mine.basra"])
    assert "it is not overwritten" in done.err
    assert Path("mine.basra").read_text() == text


@pytest.mark.parametrize("name", ["/dev/full", "none/x", "x" * 300, "~nobody-of-this-name/x"])
def test_save_says_where_it_cannot_write_and_the_match_goes_on(name, run):
    done = run("play", "--seed", "42", "--keep-going", typed=["6h", f"save {name}", "save new.basra"])
    assert done.err.count("\n") == 1
    assert "Traceback" not in done.err
    assert done.out.endswith("saved in new.basra\n")


def test_save_to_a_match_that_another_session_plays_is_refused(run):
    run("play", "--seed", "42", typed=[*typed(1), "save mine.basra"])
    text = Path("mine.basra").read_text()
    with open("mine.basra", "rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        done = run("play", "--seed", "42", typed=[*typed(3), "save mine.basra"])
    assert "is being played in another session" in done.err
    assert Path("mine.basra").read_text() == text


def test_the_seed_is_not_in_what_record_prints_until_the_match_is_over(run, tmp_path):
    done = run("play", "-i", typed=["", "record", "resign", "record"])
    text = only(tmp_path).read_text()
    [seed] = re.findall(r"^seed .*$", text, re.MULTILINE)
    before, after = done.out.split("You give the match up.")
    assert seed not in before
    assert "commit " in before
    assert after.count(seed) == 2  # told at the end, and in the record
    assert text in after


# ---- where nothing can be written -----------------------------------------------------------


def play_limited(tmp_path, limit, *arguments, lines):
    """Play under a limit that the process gives itself; what is shown goes through a pipe."""
    done = subprocess.run(
        [sys.executable, "-B", PROGRAM, "play", "-i", "--seed", "42", *arguments],
        input="".join(line + "\n" for line in lines).encode(),
        capture_output=True,
        timeout=LONG,
        cwd=tmp_path,
        env=clean_environment(tmp_path, **PLAIN, COLUMNS="500"),
        preexec_fn=limit,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize("size", [0, 20, 700])
def test_a_full_disk_is_said_once_and_the_match_is_played_on(size, tmp_path):
    """The largest size that a file may have stands for the room on the disk."""
    script = typed(rules=Rules(target=60))
    limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (size, size))
    status, out, err = play_limited(tmp_path, limit, "--target", "60", lines=script)
    assert (status, err) == (0, "")
    assert out.count("the match can no longer be kept in") == 1
    assert ": File too large; play on; save FILE writes it elsewhere\n" in out
    assert "win the match" in out or "wins the match" in out
    if size < 100:
        assert kept(tmp_path) == []
    else:
        data = only(tmp_path).read_bytes()
        assert data.endswith(b"\n")
        assert len(data) > size - 100
        assert read_file(only(tmp_path)).warning is None


@pytest.mark.parametrize("size", [0, 700])
def test_a_script_whose_record_is_not_whole_has_failed(size, tmp_path):
    done = subprocess.run(
        [sys.executable, "-B", PROGRAM, "play", "--seed", "42", "--target", "60", "--record", "m.basra"],
        input="".join(line + "\n" for line in typed(rules=Rules(target=60))).encode(),
        capture_output=True,
        timeout=LONG,
        cwd=tmp_path,
        env=clean_environment(tmp_path, **PLAIN),
        preexec_fn=partial(resource.setrlimit, resource.RLIMIT_FSIZE, (size, size)),
    )
    assert (done.returncode, done.stderr) == (1, b"basra: m.basra does not have the whole match\n")
    assert b"win" in done.stdout


def test_a_match_that_cannot_be_kept_is_saved_elsewhere(tmp_path):
    full = keeping.create(tmp_path / "full.basra", said := Said())
    match = Match(seed="42")
    keeper = Keeper({}, files=(full,))
    keeper.record = Record(match)
    full.keep(keeper.record)
    os.close(full.descriptor)
    full.descriptor = os.open("/dev/full", os.O_WRONLY)
    game = match.begin_game()
    for _ in range(10):
        match.play(game.legal_plays()[0])
    assert len(said) == 1
    assert "No space left on device" in said[0]
    assert keeper.save(str(tmp_path / "saved.basra")) is False
    assert (tmp_path / "saved.basra").read_text() == "".join(lines(match))


class Said(list):
    """What a keeper has said."""

    def __call__(self, template, **words):
        self.append(CannotKeep(template, **words).__str__())


def test_what_is_missing_is_written_as_soon_as_there_is_room(tmp_path, monkeypatch):
    file = keeping.create(tmp_path / "mine.basra", said := Said())
    match = Match(seed="42")
    file.keep(Record(match))
    game = match.begin_game()
    write_some = os.write
    room = 50

    def write(descriptor, data):
        nonlocal room
        if not room:
            raise OSError(28, "No space left on device")
        done = write_some(descriptor, data[:room])
        room -= done
        return done

    monkeypatch.setattr(os, "write", write)
    for _ in range(12):
        match.play(game.legal_plays()[0])
    assert len(said) == 1
    assert read_file(tmp_path / "mine.basra").warning is None
    monkeypatch.undo()
    match.play(game.legal_plays()[0])
    assert said[1:] == [f"the match is kept in {tmp_path}/mine.basra again"]
    assert (tmp_path / "mine.basra").read_text() == "".join(lines(match))
    monkeypatch.setattr(os, "write", write)
    match.play(game.legal_plays()[0])
    assert len(said) == 3
    monkeypatch.undo()
    keeper = Keeper(files=(file,))
    assert keeper.save(str(tmp_path / "mine.basra")) is True
    assert (tmp_path / "mine.basra").read_text() == "".join(lines(match))


def test_a_record_that_was_removed_while_it_is_played_is_missed(tmp_path):
    file = keeping.create(tmp_path / "mine.basra", said := Said())
    match = Match(seed="42")
    file.keep(Record(match))
    (tmp_path / "mine.basra").unlink()
    match.begin_game()
    assert len(said) == 1
    assert "can no longer be kept" in said[0]
    assert Keeper(files=(file,), players={}).files[0].is_at(tmp_path / "mine.basra") is False


def test_a_record_on_a_full_file_system_goes_on_once_there_is_room(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = os.geteuid() == 0 and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "none", disk], capture_output=True
    )
    if not mounted or mounted.returncode:
        pytest.skip("a small file system can only be mounted by root")
    try:
        fill = disk / "fill"
        with pytest.raises(OSError, match="No space left"):
            fill.write_bytes(bytes(1 << 20))
        script = [*typed(3), "save ../elsewhere.basra"]
        status, out, err = play_limited(disk, None, lines=script)
        assert (status, err) == (0, "")
        assert out.count("No space left on device; play on; save FILE writes it elsewhere\n") == 1
        assert "saved in ../elsewhere.basra\n" in out
        assert len(plays_written(read_file(tmp_path / "elsewhere.basra"))) == 7
        assert kept(disk) == []
    finally:
        subprocess.run(["umount", disk], check=True)


def test_a_home_folder_that_is_none_is_said_once_and_the_match_is_played_on(run, tmp_path):
    (tmp_path / "file").write_text("mine")
    options = {"HOME": str(tmp_path / "file"), "XDG_STATE_HOME": None, "COLUMNS": "500"}
    done = run("play", "-i", "--seed", "42", typed=[*typed(3), "save elsewhere.basra"], **options)
    assert (done.status, done.err) == (0, "")
    reason = "Not a directory; save FILE writes it elsewhere\n"
    assert f"this match is not kept: {tmp_path}/file/.local/state/basra: {reason}" in done.out
    assert done.out.count("not kept") == 1
    assert len(plays_written(read_file(Path("elsewhere.basra")))) == 7
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("may_save", [True, False])
def test_a_guest_whose_match_is_not_kept_is_told_of_no_way_to_save_it(tmp_path, monkeypatch, may_save):
    (tmp_path / "file").write_text("mine")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    said = []
    keeper = Keeper(in_state=True, may_save=may_save, say=lambda template, **words: said.append(template))
    keeper.begin(Match(seed="42"))
    keeper.close()
    assert len(said) == 1
    assert ("save FILE" in said[0]) is may_save


def test_without_any_home_folder_the_match_is_played_all_the_same(run, tmp_path, monkeypatch):
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    done = run("play", "-i", "--seed", "42", typed=["6h"], XDG_STATE_HOME=None)
    assert (done.status, done.err) == (0, "")
    assert done.out.count("no home folder is known") == 1
    assert list(tmp_path.iterdir()) == []
    assert run("resume", XDG_STATE_HOME=None).status == 1


def nobody():
    """Become a user without any right."""
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)


def can_run(become):
    """Say whether the program can be run by somebody else."""
    try:
        return not subprocess.run([sys.executable, PROGRAM, "--version"], preexec_fn=become).returncode
    except PermissionError:
        return False


def test_a_folder_without_write_right_is_said_once_and_the_match_is_played_on():
    become = nobody if os.geteuid() == 0 else None  # root may write everywhere
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        path.chmod(0o755)
        (path / "basra").mkdir(mode=0o555)
        if become and not can_run(become):
            pytest.skip("running as root, and nobody else can run the program here")
        status, out, err = play_limited(path, become, lines=typed(3))
        assert (status, err) == (0, "")
        assert out.count(f"this match is not kept: {path}/basra/") == 1
        assert "Permission denied; save FILE writes it elsewhere\n" in out
        assert list((path / "basra").iterdir()) == []


def test_a_record_that_may_only_be_read_is_played_on_and_not_kept(run, tmp_path, monkeypatch):
    """As root, who may write everywhere, the system is made to refuse."""
    path = write(tmp_path / "theirs.basra", UNFINISHED + "1 pl")
    path.chmod(0o444)
    really = os.open

    def refuse(name, flags, *more, **others):
        if flags & os.O_RDWR:
            raise PermissionError(13, "Permission denied", str(name))
        return really(name, flags, *more, **others)

    monkeypatch.setattr(os, "open", refuse)
    done = run("resume", "theirs.basra", typed=[my_line(read_file(path).match)], COLUMNS="500")
    assert (done.status, done.err) == (0, "")
    assert done.out.count("theirs.basra cannot be written to: what is played now is not kept there") == 1
    assert path.read_text() == UNFINISHED + "1 pl"


# ---- leaving --------------------------------------------------------------------------------


def to_cut(terminal):
    terminal.expect("none): ")


def to_turn(terminal):
    terminal.expect("none): ")
    terminal.answer("")


def to_ready(terminal):
    terminal.expect("none): ")
    terminal.answer("", "ready? ")


def to_between(terminal):
    terminal.expect("Enter deals game 2.\n> ")


def to_over(terminal):
    to_turn(terminal)
    terminal.answer("resign")


def to_stopped(terminal):
    """Interrupt the computer while it thinks."""
    terminal.expect("none): ")
    terminal.type("\n")
    shown = terminal.expect("North plays first.", "you play first.")
    if "you play first" in shown:
        terminal.expect("\n> ")
        terminal.answer("moves")
        terminal.answer("1", "\nYou ")
    terminal.signal(signal.SIGINT)
    terminal.expect("North stopped.  Enter lets North play, quit leaves.\n> ")


PROMPTS = {
    "cut": (to_cut, ["play"]),
    "turn": (to_turn, ["play"]),
    "ready": (to_ready, ["play", "--people"]),
    "between": (to_between, ["resume"]),
    "over": (to_over, ["play"]),
    "stopped": (to_stopped, ["play", "--pace", "60"]),
}
WAYS = ["the terminal is closed", "end of input", "hang-up", "terminate", "interrupt twice"]


@pytest.mark.parametrize("prompt", PROMPTS)
@pytest.mark.parametrize("way", WAYS)
def test_leaving_is_in_order_at_every_prompt_and_the_match_is_kept(prompt, way, at_terminal, tmp_path):
    reach, arguments = PROMPTS[prompt]
    if prompt == "between":
        match = Match(seed="42")
        list(takewhile(bool, typed_lines(match, {2: "normal"})))
        write(tmp_path / "basra/between.basra", "".join(lines(Record(match, {2: "normal"}))))
    terminal = at_terminal(*arguments)
    reach(terminal)
    before = [path.read_bytes() for path in kept(tmp_path)]
    if way == "the terminal is closed":
        terminal.close()
        assert terminal.process.wait(LONG) == 129
    elif way == "end of input":
        terminal.type("\x04")
        assert terminal.end()[0] == 0
    elif way == "interrupt twice":
        terminal.signal(signal.SIGINT)
        terminal.expect("interrupt again to leave, or say quit\n")
        terminal.signal(signal.SIGINT)
        assert terminal.end()[0] == 130
    else:
        number = {"hang-up": signal.SIGHUP, "terminate": signal.SIGTERM}[way]
        terminal.signal(number)
        assert terminal.end()[0] == 128 + number
    assert "Traceback" not in terminal.text
    assert [path.read_bytes() for path in kept(tmp_path)] == before
    assert len(before) == (prompt != "cut")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_leaving_the_choice_of_a_match(number, at_terminal, tmp_path):
    write(tmp_path / "basra/1.basra", UNFINISHED)
    write(tmp_path / "basra/2.basra", UNFINISHED)
    terminal = at_terminal("resume")
    terminal.expect("first)? ")
    terminal.signal(number)
    assert terminal.end()[0] == 128 + number


WAITING = """
import os, signal, sys, threading, time
from basra.terminal.console import Signals, Stream, Terminated

def later():
    time.sleep(0.2)
    signal.pthread_kill(threading.get_ident(), signal.SIGTERM)

signals = Signals()
reader, writer = os.pipe()
threading.Thread(target=later).start()
try:
    with signals.interruptible():
        Stream(os.fdopen(reader, "rb"), "pipe").read("")
except Terminated:
    sys.exit(7)
"""


def test_a_signal_is_taken_in_even_where_it_does_not_break_off_a_read(tmp_path):
    """One that another thread gets stands for one that comes just before the read begins to wait."""
    done = subprocess.run(
        [sys.executable, "-c", WAITING], timeout=LONG, env=clean_environment(tmp_path), capture_output=True
    )
    assert done.returncode == 7, done.stderr


# ---- kill -9 --------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", [0.0, 0.03, 0.1, 0.2, 0.4])
def test_a_killed_match_goes_on_and_has_every_play_that_was_shown(moment, at_terminal, tmp_path):
    script = typed(300, seed="kill", rules=Rules(target=1000))
    terminal = at_terminal("play", "--seed", "kill", "--target", "1000")
    shown = killed(terminal, script, moment) or terminal.text
    path = only(tmp_path)
    written = plays_written(read_file(path))
    told = plays_shown(shown)
    assert told == written[: len(told)]
    again = at_terminal()
    again.expect("This match goes on where it stopped.")
    again.expect("\n> ")
    again.answer(my_line(read_file(path).match))
    after = plays_written(read_file(path))
    assert after[: len(written)] == written
    assert len(after) > len(written) or read_file(path).match.games[-1].plays == []


def test_a_piped_resume_passes_over_a_record_that_is_wrong(run, tmp_path):
    good = write(tmp_path / "basra/good.basra", UNFINISHED)
    wrong = write(tmp_path / "basra/wrong.basra", UNFINISHED + "junk\n")
    os.utime(good, (1e9, 1e9))
    done = run("resume", typed=["score"])
    assert done.status == 0
    assert "goes on where it stopped" in done.out
    assert f"{wrong}:21: junk is not a statement of a record (it is left as it is)" in done.err
