"""A program as a player: what is said, what can go wrong, and that nothing is left behind."""

import os
import random
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers import RULE_SETS, TABLES, cards, failure, play
from hypothesis import given, settings
from hypothesis import strategies as st
from terminals import LONG, PROGRAM, Terminal, as_program, clean_environment, in_process
from test_manual import needs, output_of, plain

from basra import KEYS, BasraError, Match, Rules, View
from basra.errors import PlayerFailed, Unreadable
from basra.players import Chance, find, outside, seated
from basra.players.outside import Outside
from basra.protocol import Question, question, read_answer
from basra.record import Record, lines, read
from basra.shuffle import player_seed

PAGE = PROGRAM.parent / "man" / "basra-protocol.7"
SOURCE = PAGE.read_text()
DISPLAYS = [plain(found) for found in re.findall(r"^\.Bd -literal\n(.*?)^\.Ed", SOURCE, re.M | re.S)]
EXAMPLE = next(text for text in DISPLAYS if "import sys" in text)
OURS = f"cmd:{shlex.quote(sys.executable)} {shlex.quote(str(PROGRAM))} protocol --player"

HEAR = """
import os, signal, sys, time
def hear():
    asked = {}
    for line in sys.stdin:
        key, _, value = line.strip().partition(" ")
        asked[key] = value
        if key == "choose":
            return asked
    sys.exit()
def say(text):
    print(text, flush=True)
sys.stdin.readline()
"""
GREET = HEAR + 'say("basra-protocol 1 test 1")\n'


def view(seed="42"):
    """Look at the first turn of a match: JC takes all, and AH, 8D and 9H may be played too."""
    match = Match(seed=seed)
    return View.of(match, match.begin_game().turn)


@pytest.fixture
def sit(tmp_path, monkeypatch):
    """Seat programs written in Python, given what follows the greeting; none is left at the end."""
    monkeypatch.setattr(outside, "GRACE", 0.2)
    seated = []

    def seat(body, *, greet=GREET, limit=5.0, patience=5.0):
        script = tmp_path / f"player{len(seated)}.py"
        script.write_text(greet + body)
        command = (sys.executable, "-I", "-S", str(script))
        player = Outside("cmd:test", "a test", 0, "outside", command, limit, patience)
        seated.append(player)
        return player

    yield seat
    for player in seated:
        player.close()


@pytest.fixture
def example(tmp_path):
    """Write the program of the page into a file."""
    path = tmp_path / "example.py"
    path.write_text(EXAMPLE)
    return path


def asked(player, seen=None, number=1):
    """Return what comes of asking: a play, or how it failed and the words of it."""
    try:
        return player.choose(seen or view(), Chance(number))
    except PlayerFailed as error:
        return error.how, str(error)


def is_gone(pid):
    """Say whether a process has ended, soon: one that nobody has waited for counts."""
    for _ in range(500):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        stat = Path(f"/proc/{pid}/stat")
        try:
            if stat.exists() and stat.read_text().rpartition(")")[2].split()[0] in "ZX":
                return True
        except OSError:
            return True
        time.sleep(0.01)
    return False


# ---- what is asked -------------------------------------------------------------------------


def some_views(every=7):
    """Yield views of seats at their turn, by all rules and at all tables."""
    number = 0
    for seats in TABLES:
        for rules in RULE_SETS:
            rng = random.Random(f"{seats} {rules}")
            match = Match(rules, seats, seed="asked")
            for _ in range(2):
                if match.outcome:
                    break
                game = match.begin_game()
                while not game.over:
                    number += 1
                    if number % every == 0:
                        yield View.of(match, game.turn)
                    match.play(rng.choice(game.legal_plays()))


def read_back(said):
    """Read a question as the side that answers does."""
    question = Question()
    for line in said:
        question.take(line)
    return question


FOLLOWS = ["deal", "turn", "to-deal", "holds", "pile", "basras", "jack-basras", "last-taker", "ground"]


def test_a_question_holds_the_whole_view():
    for seen in some_views():
        *said, end = question(seen, 5)
        assert end == "choose"
        again = read_back(said)
        assert again.view() == seen
        assert again.chance == 5


def test_what_follows_from_the_plays_may_be_left_out():
    for seen in some_views(29):
        said = [line for line in question(seen, 5)[:-1] if line.split()[0] not in FOLLOWS]
        assert read_back(said).view() == seen


def test_every_line_of_a_question_stands_in_the_page():
    seen = next(seen for seen in some_views() if seen.plays and seen.seats.teams)
    text = SOURCE[SOURCE.index(".Sh QUESTIONS") : SOURCE.index(".Sh ANSWERS")]
    told = re.findall(r"^\.It Li (\S+)", text, re.M)
    said = [line.split()[0] for line in question(seen, 1)]
    assert list(dict.fromkeys(said)) == told
    assert said.count("set") == len(KEYS)
    assert said.count("played") == len(seen.plays)


FIRST = ["seat 1", "dealer 2", "first-ground 5D,3H,AS,5S", "hand JC,8D,AH,9H"]
AFTER = [*FIRST[:3], "hand JC,8D,9H", "played 1 AH take AS", "played 2 KD"]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (["seat 1"], "dealer is missing"),
        ([*FIRST, "seat 2"], "seat stands twice"),
        ([*FIRST, "set target 51", "set target 51"], "set target stands twice"),
        ([*FIRST, "set luck 1"], "luck is not a rule"),
        ([*FIRST, "rules house"], "house is not a rule set"),
        ([*FIRST, "seats 5"], "there cannot be 5 seats"),
        ([*FIRST, "seats"], "is not a number"),
        ([*FIRST, "seats 4 pairs"], "it is seats N or seats 4 teams"),
        ([*FIRST, "chance x"], "x is no chance"),
        ([*FIRST, "pile 5"], "5 is not a side"),
        ([*FIRST, "pile 3"], "there are 2 sides"),
        ([*FIRST, "turn 2"], "turn does not follow from the plays"),
        ([*FIRST, "ground 5D"], "ground does not follow from the plays"),
        ([*FIRST, "game 0"], "numbered from 1"),
        ([*FIRST, "carry 30"], "nothing is carried"),
        ([*FIRST, "totals 10"], "totals needs 2 numbers"),
        ([*FIRST, "totals 101,0"], "the match is over"),
        ([*FIRST, "buried JD"], "do not go with the key bury"),
        ([*FIRST, "buried JD", "set bury jacks", "played"], 'played "" cannot be read'),
        ([*FIRST, "played 1 AH AS"], "it is played SEAT CARD take CARDS"),
        ([*AFTER[:4], "played 2 AH take AS", AFTER[5]], "it is the turn of 1"),
        ([*FIRST[1:], "seat 2"], "it is the turn of seat 1, not of seat 2"),
        ([*FIRST[1:], "seat 3"], "seat 3 is wrong: there are 2 seats"),
        ([*FIRST[:3], "hand JC"], "do not fit together"),
        ([*FIRST[:3], "hand JC,5D,8D,9H"], "do not fit together"),
        ([*FIRST[:3], "hand 8D,JC,9H,AH"], "JC is out of order"),
        ([*FIRST[:2], *FIRST[3:], "first-ground 5D"], "first-ground needs four cards"),
        (AFTER[:-1], "it is the turn of seat 2, not of seat 1"),
        ([*AFTER[:-1], "played 2 KD take 5D"], "KD cannot take 5D"),
    ],
)
def test_a_wrong_question_is_refused_with_the_reason(said, why):
    assert why in str(failure(lambda: read_back(said).view()))


def test_words_that_are_not_known_are_passed_over(monkeypatch):
    said = ["colour red", *FIRST, "colour", "choose well"]
    assert answers(monkeypatch, "\n".join(said)) == ["play JC take 5D,3H,AS,5S"]


def test_the_question_of_a_later_turn():
    seen = read_back(AFTER).view()
    assert (seen.hand, seen.ground, seen.piles) == (
        cards("JC 8D 9H"),
        cards("5D 3H 5S KD"),
        (cards("AH AS"), 0),
    )


def test_level_leaders_may_be_past_the_target():
    assert read_back([*FIRST, "totals 120,120"]).view().totals == (120, 120)


WHOLE = [question(seen, 7)[:-1] for seen in some_views(97)]
WORDS = sorted({word for said in WHOLE for line in said for word in re.split("[ ,]", line)})


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_whatever_is_asked_only_our_error_is_raised_and_a_view_can_be_played(data):
    said = list(data.draw(st.sampled_from(WHOLE)))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(said) - 1))
        words = re.split("([ ,])", said[at])
        words[data.draw(st.integers(0, len(words) - 1))] = data.draw(st.sampled_from([*WORDS, "", "²", "0"]))
        said[at] = "".join(words)
        if data.draw(st.booleans()):
            del said[data.draw(st.integers(0, len(said) - 1))]
    try:
        seen = read_back(said).view()
    except BasraError:
        return
    assert find("normal").choose(seen, Chance(1)) in seen.legal_plays()


# ---- what is answered ----------------------------------------------------------------------


def test_an_answer_is_exact_as_in_a_record():
    assert read_answer("play JC take 5D,3H,AS,5S", view()) == play("JC take 5D,3H,AS,5S")
    assert read_answer("play JC", view()) == play("JC take 5D,3H,AS,5S")
    assert read_answer("play AH", view()) == play("AH take AS")


@pytest.mark.parametrize(
    ("text", "how", "why"),
    [
        ("hello", "unreadable", "it is play CARD"),
        ("", "unreadable", "gave no play: an empty line cannot be read: it is play CARD"),
        ("play", "unreadable", "gave no play: play cannot be read: it is play CARD or play CARD take CARDS"),
        ("play ace", "unreadable", "ace is not a card"),
        ("play JC take 3H,5D", "unreadable", "5D is out of order"),
        ("error I am lost", "unreadable", "gave no play: it says I am lost"),
        ("play 2C", "illegal", "2C is not in your hand: AH 8D 9H JC"),
        ("play JC take 5D", "illegal", "JC cannot take 5D alone"),
        ("\x1b]0;boo\x07play", "unreadable", "?]0;boo?play"),
        ("x" * 3000, "unreadable", "xxx..."),
        ("x" * 5000, "unreadable", "a line of more than 4,096 bytes"),
        ("\udcff", "unreadable", "bytes that are not UTF-8"),
    ],
)
def test_nonsense_and_illegal_plays_are_told_in_one_line(sit, text, how, why):
    player = sit(f"hear(); sys.stdout.reconfigure(errors='surrogateescape'); say({text!r})\nhear()")
    found, told = asked(player)
    assert (found, why in told) == (how, True), told
    assert told.startswith("cmd:test ")
    assert len(told) < 300
    assert told.isprintable()
    assert player.program.process is None


def test_an_answer_that_can_be_read_in_several_ways_is_no_answer(sit):
    seen = read_back(["seat 1", "dealer 2", "first-ground 5C,2H,4H,3S", "hand KC,KD,KH,9S"]).view()
    how, told = asked(sit("hear(); say('play 9S')\nhear()"), seen)
    assert how == "illegal"
    assert told.endswith("9S can take 2H,3S,4H (1) or 4H,5C (2): say which")


# ---- what can go wrong ---------------------------------------------------------------------

PLAY = "hear(); say('play JC')\n"


@pytest.mark.parametrize(
    ("body", "how", "why"),
    [
        ("time.sleep(60)", "late", "no answer within 0.3 seconds"),
        ("sys.exit(4)", "ended", "ended, with exit status 4"),
        ("hear(); os.kill(os.getpid(), 9)", "ended", "was ended by signal 9"),
        ("hear(); os.close(1); time.sleep(60)", "ended", "closed its input or output"),
        ("hear(); 1 / 0", "ended", "exit status 1 (ZeroDivisionError: division by zero)"),
        ("hear(); sys.stderr.write('\\033[2Jlost\\n\\n'); sys.exit(1)", "ended", "(?[2Jlost)"),
        ("hear()\nwhile True: sys.stdout.write('x' * 4096)", "unreadable", "more than 4,096 bytes"),
        ("hear()\nwhile True: say('play JC' * 20)", "unreadable", "cannot be read"),
        ("hear()\nwhile True: sys.stderr.write('x\\n' * 4096)", "late", "no answer within 0.3 seconds (x)"),
        ("signal.signal(15, signal.SIG_IGN); hear(); time.sleep(60)", "late", "no answer"),
        (
            "signal.signal(15, signal.SIG_IGN); hear(); say('x'); time.sleep(60)",
            "unreadable",
            "cannot be read",
        ),
    ],
)
def test_a_program_that_fails_is_ended_and_told_of(sit, body, how, why):
    player = sit(body, limit=0.3 if how == "late" else 5.0)
    with seated([player]):
        pid = player.program.process.pid
        found, told = asked(player)
    assert (found, why in told) == (how, True), told
    assert told.isprintable()
    assert is_gone(pid)


def test_what_a_program_complained_of_before_it_was_asked_is_not_why_it_failed(sit):
    player = sit("hear(); sys.exit(3)", greet=HEAR + "sys.stderr.write('loading\\n')\n" + GREET[len(HEAR) :])
    with seated([player]):
        assert asked(player) == ("ended", "cmd:test ended, with exit status 3")


@pytest.mark.parametrize(
    ("greet", "how", "why"),
    [
        ("say('basra-protocol 1 test 1\\nready')\nhear()", "unreadable", "was not asked and says ready"),
        (
            "os.close(0); say('basra-protocol 1 test 1'); time.sleep(60)",
            "ended",
            "closed its input or output",
        ),
        ("sys.exit(3)", "ended", "ended, with exit status 3"),
        ("os.close(1); time.sleep(60)", "ended", "closed its input or output"),
        ("time.sleep(60)", "start", "did not greet within 0.3 seconds"),
        ("say('basra-protocol 2 test 1'); hear()", "start", "is no greeting: it is basra-protocol 1 NAME"),
        ("say('Hello\x1b[2J!'); hear()", "start", "cannot be used: Hello?[2J! is no greeting"),
    ],
)
def test_a_program_that_does_not_greet_well_cannot_play(sit, greet, how, why):
    player = sit("", greet=HEAR + greet, patience=0.3 if "within" in why else 5.0)
    found, told = asked(player)
    assert (found, why in told) == (how, True), told
    assert player.program.process is None


def test_a_program_may_greet_before_it_is_greeted(sit):
    player = sit(
        "", greet="print('basra-protocol 1 test 1', flush=True)\n" + HEAR + "hear(); say('play JC'); hear()"
    )
    assert asked(player) == play("JC take 5D,3H,AS,5S")


@pytest.mark.parametrize("command", ["/nowhere/player", "/", str(PAGE)])
def test_a_program_that_cannot_be_started(command):
    player = find(f"cmd:{command}")
    how, told = asked(player)
    assert how == "start"
    assert " cannot be started: " in told


def test_a_program_that_failed_is_started_anew_for_the_next_question(sit, tmp_path):
    mark = tmp_path / "mark"
    player = sit(
        f"hear()\nif not os.path.exists({str(mark)!r}): open({str(mark)!r}, 'w'); sys.exit(1)\nsay('play JC')"
    )
    assert asked(player)[0] == "ended"
    assert asked(player) == play("JC take 5D,3H,AS,5S")


@pytest.mark.parametrize("after", ["", "; say('play JC'); hear()", "; time.sleep(60)"])
def test_what_a_program_has_started_ends_with_it(sit, tmp_path, after):
    """A child in its process group that ignores SIGTERM, whether the program fails or not."""
    pid = tmp_path / "pid"
    child = "import signal, time; signal.signal(15, signal.SIG_IGN); print(1, flush=True); time.sleep(60)"
    player = sit(
        "import subprocess\n"
        f"child = subprocess.Popen([sys.executable, '-I', '-S', '-c', {child!r}], stdout=subprocess.PIPE)\n"
        f"child.stdout.readline(); open({str(pid)!r}, 'w').write(str(child.pid)); hear(){after}",
        limit=0.5,
    )
    asked(player)
    player.close()
    assert is_gone(int(pid.read_text()))


def test_no_descriptor_and_no_process_is_left(sit):
    folder = Path("/proc/self/fd")
    if not folder.exists():
        pytest.skip("the system does not list descriptors")
    before = sorted(os.listdir(folder))
    players = [sit(PLAY + "hear()"), sit("hear(); say('x')"), sit("sys.exit(1)"), sit("", greet="1 / 0")]
    players.append(find("cmd:/nowhere/player"))
    for player in players:
        asked(player)
        player.close()
        player.close()
    assert sorted(os.listdir(folder)) == before


def test_a_program_ends_by_itself_when_its_input_does(sit, tmp_path):
    end = tmp_path / "end"
    player = sit(f"import atexit; atexit.register(open({str(end)!r}, 'w').write, 'bye')\n{PLAY}hear()")
    assert asked(player) == play("JC take 5D,3H,AS,5S")
    player.close()
    assert end.read_text() == "bye"


def test_an_interrupt_lets_it_think_on_and_the_same_question_waits_on(sit, tmp_path):
    go = tmp_path / "go"
    player = sit(
        f"hear()\nwhile not os.path.exists({str(go)!r}): time.sleep(0.01)\nsay('play JC')\n"
        "hear(); say('play AH'); hear()"
    )
    player.start()
    process = player.program.process

    def interrupt(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(KeyboardInterrupt):
            asked(player)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    go.touch()
    assert asked(player) == play("JC take 5D,3H,AS,5S")
    assert asked(player, number=2) == play("AH take AS")
    assert player.program.process is process


def test_another_question_after_an_interrupt_never_gets_the_old_answer(sit):
    player = sit("asked = hear(); time.sleep(60 * (int(asked['chance'], 16) == 1)); say('play JC'); hear()")
    player.start()
    first = player.program.process.pid
    player.program.send(("\n".join(question(view(), 1)) + "\n").encode())  # and the interrupt
    assert asked(player, number=2) == play("JC take 5D,3H,AS,5S")
    assert is_gone(first)


# ---- names ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "name", "words"),
    [
        ("mybot", "cmd:mybot", ["mybot"]),
        ("/opt/bots/grab --key secret", "cmd:grab", ["/opt/bots/grab", "--key", "secret"]),
        ("python3 'my bot.py' 3", "cmd:python3_my_bot.py_3", ["python3", "my bot.py", "3"]),
        ("a$(b)|c #d\x1b", "cmd:a__b__c__d_", ["a$(b)|c", "#d\x1b"]),
        ("x" * 300, "cmd:" + "x" * 40, ["x" * 300]),
    ],
)
def test_the_name_of_a_program_is_one_word_for_records(command, name, words):
    player = find(f"cmd:{command}")
    assert (player.name, list(player.command)) == (name, words)
    text = "".join(lines(Record(Match(seed="1"), {2: player.name})))
    assert f"seat 2 North bot:{name}\n" in text


@pytest.mark.parametrize("command", ["", "  ", "''", "'a", "a\0b"])
def test_what_is_no_command_is_refused(command):
    assert isinstance(failure(find, f"cmd:{command}"), Unreadable)


# ---- whole matches -------------------------------------------------------------------------


@pytest.mark.parametrize("seats", TABLES, ids=str)
def test_the_example_of_the_page_plays_by_all_rules_at_all_tables(example, seats):
    """One process, every seat of every match; it takes as many cards as one can."""
    player = find(f"cmd:{shlex.quote(sys.executable)} -I -S {shlex.quote(str(example))}")
    with seated([player]):
        for rules in RULE_SETS:
            match = Match(rules, seats, seed="page")
            game = match.begin_game()
            while not game.over:
                chosen = player.choose(View.of(match, game.turn), Chance(1))
                most = max(some.take.bit_count() for some in game.legal_plays())
                assert chosen.take.bit_count() == most
                match.play(chosen)


def test_the_example_is_about_thirty_lines_and_stands_alone():
    assert len([line for line in EXAMPLE.splitlines() if line]) <= 40
    assert re.findall(r"^(?:import|from) (\w+)", EXAMPLE, re.M) == ["sys", "itertools"]


SCRIPT = "moves\n1\n" * 100


def test_a_match_against_the_example_through_the_program(monkeypatch, example, tmp_path):
    record = tmp_path / "match.basra"
    against = f"cmd:{shlex.quote(sys.executable)} -S {shlex.quote(str(example))}"
    arguments = ["--seed", "42", "--target", "31", "--keep-going", "--record", str(record)]
    run = in_process(monkeypatch, "play", *arguments, "--against", against, typed=SCRIPT)
    assert "wins the match" in run.out or "win the match" in run.out
    with record.open("rb") as file:
        kept = read(file, "match")
    assert kept.match.outcome
    assert kept.players == {2: f"cmd:{os.path.basename(sys.executable)}"}


@pytest.mark.parametrize(("name", "every"), [("random", 1), ("normal", 1), ("hard", 9)])
def test_our_players_give_the_same_plays_through_the_protocol(name, every):
    other, ours = find(f"{OURS} {name}"), find(name)
    match = Match(Rules.named("classic"), seed="7")
    game = match.begin_game()
    with seated([other]):
        while not game.over:
            seen = View.of(match, game.turn)
            chosen = game.legal_plays()[0]
            if len(game.plays) % every == 0:
                number = player_seed("7", game.turn, 1, len(game.plays))
                chosen = ours.choose(seen, Chance(number))
                assert other.choose(seen, Chance(number)) == chosen
            match.play(chosen)


def test_a_match_against_ours_through_the_protocol_is_the_same_match(monkeypatch):
    def told(against):
        run = in_process(
            monkeypatch,
            "play",
            "--json",
            "--seed",
            "5",
            "--target",
            "11",
            "--against",
            against,
            typed="moves\n1\n" * 24,
        )
        return run.status, run.out.splitlines()[1:]

    assert told("easy") == told(f"{OURS} easy")


# ---- at a terminal and from a script ---------------------------------------------------------


@pytest.fixture
def failing(tmp_path):
    """Write a program that plays once and then ends."""
    path = tmp_path / "failing.py"
    path.write_text(GREET + "hear(); say('play JC'); hear(); sys.exit(5)")
    return f"cmd:{shlex.quote(sys.executable)} -I -S {shlex.quote(str(path))}"


def test_a_failure_ends_a_script_with_status_1(tmp_path, failing):
    run = as_program(tmp_path, "play", "--seed", "42", "--against", failing, typed="6h\n2s\n")
    name = f"cmd:{os.path.basename(sys.executable)}"
    assert run.status == 1
    assert run.err == f"basra: {name} ended, with exit status 5\n"
    assert "South drops 6H." in run.out or "You drop 6H." in run.out


def test_a_failure_with_a_record_says_how_to_go_on(tmp_path, failing):
    record = tmp_path / "match.basra"
    arguments = ["--seed", "42", "--against", failing, "--record", str(record)]
    run = as_program(tmp_path, "play", *arguments, typed="6h\n")
    assert run.status == 1
    assert run.err.endswith(f"; the match is kept: basra resume {record} --against NAME goes on with it\n")
    again = as_program(tmp_path, "resume", str(record), typed="")
    assert again.status == 1
    assert "is not a player here" in again.err
    assert "--against" in again.err
    other = as_program(tmp_path, "resume", str(record), "--against", "easy", typed="2s\n")
    assert (other.status, other.err) == (0, "")
    assert "bot:cmd:" in record.read_text()
    check = as_program(tmp_path, "check", str(record))
    assert check.status == 0


def test_a_program_that_cannot_be_started_begins_no_match(tmp_path):
    record = tmp_path / "match.basra"
    arguments = ["--against", "cmd:/nowhere/player", "--record", str(record)]
    run = as_program(tmp_path, "play", *arguments, typed="6h\n")
    assert (run.status, run.out) == (1, "")
    assert run.err == "basra: cmd:player cannot be started: No such file or directory\n"
    assert not record.exists()


def test_a_record_never_starts_a_program(tmp_path):
    mark = tmp_path / "touch"
    record = tmp_path / "match.basra"
    record.write_text(f"basra-record 1\nseats 2\nseat 2 North bot:cmd:{mark}\nseed 42\ngame 1 dealer 1\n")
    mark.write_text("#!/bin/sh\ntouch started\n")
    mark.chmod(0o755)
    run = as_program(tmp_path, "resume", str(record), typed="")
    assert run.status == 1
    assert not (tmp_path / "started").exists()


def test_others_may_play_on_for_the_computer(monkeypatch, tmp_path):
    record = tmp_path / "match.basra"
    record.write_text(
        "basra-record 1\nseats 3\nseat 2 East bot:easy\nseat 3 West bot:normal\nseed 42\ngame 1 dealer 3\n"
    )

    def players(*against):
        text = record.read_text()
        names = [word for name in against for word in ("--against", name)]
        run = in_process(monkeypatch, "resume", str(record), *names, "--json", typed="")
        record.write_text(text)
        found = re.search(r'"players": (\[.*?\])', run.out)
        return found[1] if found else run

    assert players() == '[null, "easy", "normal"]'
    assert players("greedy") == '[null, "greedy", "greedy"]'
    assert players("greedy", "person") == '[null, "greedy", null]'
    run = players("easy", "easy", "easy")
    assert run.status == 2
    assert "3 players are too many" in run.err


@pytest.mark.parametrize("words", ["play --against", "resume --against", "protocol --player"])
def test_a_guest_starts_no_program(tmp_path, words):
    run = as_program(tmp_path, "--restricted", *words.split(), f"cmd:touch {tmp_path / 'started'}")
    assert run.status == 2
    assert run.err.startswith("basra: with --restricted no program is started")
    assert not (tmp_path / "started").exists()


def test_a_failure_at_a_terminal_keeps_the_match(tmp_path, failing):
    with Terminal(tmp_path, "play", "--seed", "42", "--pace", "0", "--against", failing) as terminal:
        terminal.expect("\n> ")
        terminal.type("6h\n")
        status, shown = terminal.end()
    assert status == 1
    assert "ended, with exit status 5; the match is kept: basra resume --against NAME" in " ".join(
        shown.split()
    )
    with Terminal(tmp_path, "resume", "--pace", "0", "--against", "easy") as terminal:
        terminal.expect("North (easy)")
        terminal.expect("\n> ")
        terminal.type("quit\n")
        assert terminal.end()[0] == 0


def test_an_interrupt_at_a_terminal_does_not_reach_the_program(tmp_path):
    """It thinks on, and Enter waits for its answer."""
    path, go = tmp_path / "slow.py", tmp_path / "go"
    wait = f"\nwhile not os.path.exists({str(go)!r}): time.sleep(0.01)\n"
    path.write_text(
        GREET + "print(os.getpid(), file=open('pid', 'w'))\nhear()" + wait + "say('play JC'); hear()"
    )
    against = f"cmd:{shlex.quote(sys.executable)} -I -S {shlex.quote(str(path))}"
    with Terminal(tmp_path, "play", "--seed", "42", "--pace", "0", "--against", against) as terminal:
        terminal.expect("Deal 1 of 6.")
        terminal.interrupt()
        terminal.expect("\n> ")
        go.touch()
        terminal.answer("", "North plays")
        terminal.expect("\n> ")
        terminal.type("quit\n")
        assert terminal.end()[0] == 0
    assert is_gone(int((tmp_path / "pid").read_text()))


def test_an_interrupt_leaves_while_a_program_does_not_greet(tmp_path):
    path = tmp_path / "silent.py"
    path.write_text("import os, time; print(os.getpid(), file=open('pid', 'w')); time.sleep(60)")
    against = f"cmd:{shlex.quote(sys.executable)} -I -S {shlex.quote(str(path))}"
    with Terminal(tmp_path, "play", "--against", against) as terminal:
        while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
            time.sleep(0.01)
        terminal.interrupt()
        assert terminal.end()[0] == 130
    assert is_gone(int((tmp_path / "pid").read_text()))


# ---- the other side --------------------------------------------------------------------------


def answers(monkeypatch, typed, *arguments):
    run = in_process(monkeypatch, "protocol", *arguments, typed=typed)
    assert (run.status, run.err) == (0, "")
    return run.out.splitlines()


def test_every_question_gets_one_line(monkeypatch):
    first = "\n".join([*FIRST, "choose\n"])
    typed = (
        "basra-protocol 1\n\n" + first + "hand\nseat 9\nchoose\n" + "x" * 5000 + "\nseat 9\nchoose\n" + first
        + "choose\nbasra-protocol 2\nbasra-protocol 1\n" + first + "seat 1\nseat 1"
    )  # fmt: skip
    greeting = "basra-protocol 1 basra-greedy 0.1.0"
    right = "play JC take 5D,3H,AS,5S"
    told = answers(monkeypatch, typed, "--player", "greedy")
    told = [re.sub(r" \d\S*$", " 0.1.0", line) if "basra-greedy" in line else line for line in told]
    assert told == [
        greeting,
        right,
        "error dealer is missing",
        "error the line is too long: at most 4,096 bytes",
        right,
        "error seat is missing",
        "error basra-protocol 2 is not spoken here: basra-protocol 1 is",
        greeting,
        right,
        "error seat stands twice",
    ]
    assert told[2].startswith("error ")


def test_bytes_that_are_no_text_are_an_error_and_nothing_is_lost(monkeypatch):
    typed = b"\xff\xfe\nchoose\n" + "\n".join([*FIRST, "choose\n"]).encode()
    told = answers(monkeypatch, typed)
    assert told[0] == "error the line is not text: its bytes are not UTF-8"
    assert told[1].startswith("play ")
    assert len(told) == 2


def test_nothing_that_is_asked_reaches_the_terminal_as_a_control_character(monkeypatch):
    (told,) = answers(monkeypatch, "seats \x1b[2J\x07 boo\n")
    assert told.isprintable()


def test_an_answer_comes_before_the_next_question_is_asked(tmp_path):
    command = [sys.executable, PROGRAM, "protocol", "--player", "easy"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        for _ in range(2):
            process.stdin.write("\n".join([*FIRST, "choose\n"]))
            assert process.stdout.readline().startswith("play ")
        process.stdin.close()
        assert process.wait(10) == 0


# ---- the page --------------------------------------------------------------------------------


def test_what_the_page_shows_is_what_ours_says(monkeypatch):
    (shown,) = (text for text in DISPLAYS if text.startswith("$ "))
    command, typed, said = re.fullmatch(r"\$ basra (.*) <<end\n(.*)end\n(.*)", shown, re.S).groups()
    run = in_process(monkeypatch, *command.split(), typed=typed)
    assert (run.status, run.out) == (0, said)


@needs("mandoc")
def test_mandoc_finds_nothing_to_say_about_the_page():
    told = "".join(output_of("mandoc", "-T", "lint", "-W", "style", str(PAGE))).splitlines()
    assert [
        line for line in told if "referenced manual not found" not in line and "mandoc.db" not in line
    ] == []


@needs("groff")
def test_groff_has_no_warning_about_the_page():
    assert output_of("groff", "-ww", "-mandoc", "-Tutf8", str(PAGE))[1] == ""


@needs("mandoc")
def test_the_page_fits_80_columns():
    page, _errors = output_of("mandoc", "-T", "utf8", str(PAGE))
    assert [line for line in re.sub(".\b", "", page).splitlines() if len(line) > 80] == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_while_a_program_does_not_greet_leaves_nothing_behind(tmp_path, number):
    silent = tmp_path / "silent.py"
    silent.write_text("import os, time\nopen('pid', 'w').write(str(os.getpid()))\ntime.sleep(60)\n")
    game = subprocess.Popen(
        [sys.executable, PROGRAM, "play", "--against", f"cmd:{sys.executable} {silent}"],
        stdin=subprocess.PIPE,
        cwd=tmp_path,
        env=clean_environment(tmp_path),
    )
    until = time.monotonic() + LONG
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
        assert time.monotonic() < until
        time.sleep(0.02)
    game.send_signal(number)
    assert game.wait(LONG) == 128 + number
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)
