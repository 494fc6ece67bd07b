"""Many matches: what is added up, that it is the same however it is shared out, intervals."""

import dataclasses
import errno
import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import sqrt
from pathlib import Path
from statistics import mean, stdev

import pytest
from terminals import LONG, Terminal, as_program, clean_environment, in_process

from basra import Illegal, Match, Play, Rules, Seats, Unreadable, View, simulate
from basra.cards import check_text
from basra.executors import cluster, processes
from basra.figures import Sums, quantile
from basra.players import Chance, Player, find
from basra.record import read
from basra.shuffle import player_seed
from basra.simulation import Luck
from basra.terminal.tables import histogram, results

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Own(Player):
    """A player of these tests."""

    how: Callable = lambda view, rng: view.legal_plays()[0]

    @property
    def choose(self):
        return self.how


def first(view, rng):
    return view.legal_plays()[0]


def last(view, rng):
    return view.legal_plays()[-1]


FIRST = Own("first", "the first legal play", 0, "", first)
LAST = Own("last", "the last legal play", 0, "", last)


def figures(result):
    """Return a result as JSON without its times, which are those of the machine."""
    said = result.to_json()
    del said["timing"]
    return json.dumps(said)


def play(seed, players, games=False):
    """Play one match by hand."""
    match = Match(seed=seed)
    while not match.outcome:
        game = match.begin_game()
        while not game.over:
            view = View.of(match, game.turn)
            chance = Chance(player_seed(seed, game.turn, len(match.games), len(game.plays)))
            match.play(players[game.turn - 1].choose(view, chance))
        if games:
            break
    return match


# ---- figures ---------------------------------------------------------------------------


def test_every_figure_is_that_of_the_matches_played_by_hand():
    result = simulate([FIRST, LAST], 20, seed="hand")
    matches = [play(f"hand/{at}", there) for at in range(10) for there in ((FIRST, LAST), (LAST, FIRST))]
    side = [0, 1] * 10
    counts = [(count, one) for match, one in zip(matches, side) for count in match.counts]
    points = [count.points[one] for count, one in counts]
    mine = result.contestants[0]
    assert (result.matches, result.units, result.asked, result.draws) == (20, 10, 20, 0)
    assert result.games == len(counts)
    assert mine.name == "first"
    assert mine.won == sum(match.outcome.winner == one + 1 for match, one in zip(matches, side))
    assert mine.wins.mean == mine.won / 20
    assert mine.points.mean == pytest.approx(mean(points))
    assert mine.deviation == pytest.approx(stdev(points))
    assert mine.cards.mean == pytest.approx(mean(count.cards[one] for count, one in counts))
    assert mine.basras.mean == pytest.approx(mean(count.basras[one] for count, one in counts))
    assert mine.jack_basras.mean == pytest.approx(mean(count.jack_basras[one] for count, one in counts))
    assert mine.majorities.mean == pytest.approx(mean(count.cards[one] > 26 for count, one in counts))
    assert mine.plays == result.contestants[1].plays == 24 * len(counts)
    assert result.games_a_match.mean == len(counts) / 20
    decided = 0
    for match in matches:
        winner = match.outcome.winner - 1
        rest = [
            total - 30 * sum(count.cards[at] > 26 for count in match.counts)
            for at, total in enumerate(match.totals)
        ]
        decided += rest[winner] <= rest[1 - winner]
    assert 0 < decided < 20
    assert result.by_majority.mean == decided / 20
    ahead = []
    for match in matches:
        for game, count in zip(match.games, match.counts):
            leads = match.seats.after(game.dealer) - 1
            ahead.append(count.points[leads] - count.points[1 - leads])
    assert result.first_ahead.mean == pytest.approx(mean(ahead))
    differences = [match.totals[one] - match.totals[1 - one] for match, one in zip(matches, side)]
    assert dict(result.bars) == {
        low: sum(low <= difference < low + 10 for difference in differences)
        for low in {difference // 10 * 10 for difference in differences}
    }


def test_the_bars_reach_as_far_as_the_points_do():
    rules = Rules(majority=1000, target=5000)
    result = simulate([FIRST, LAST], 1, paired=False, seed="far", rules=rules)
    match = Match(rules, seed="far/0")
    while not match.outcome:
        game = match.begin_game()
        while not game.over:
            match.play((first, last)[game.turn - 1](View.of(match, game.turn), None))
    difference = match.totals[0] - match.totals[1]
    assert abs(difference) > 1000
    assert result.bars == ((difference // 10 * 10, 1),)


def test_single_games_end_after_one_and_can_be_won_by_nobody():
    result = simulate([FIRST, LAST], 60, games=True, seed="one")
    assert result.games == result.matches == 60
    assert result.games_a_match.mean == 1
    assert sum(one.won for one in result.contestants) + result.draws == 60


def test_only_what_was_played_to_its_end_and_won_can_be_decided_by_the_majority():
    """So many games are drawn that the share of all of them would be another one."""
    result = simulate(
        [FIRST, LAST], 60, games=True, paired=False, seed="one", rules=Rules(basra=0, jack_basra=0)
    )
    assert 0 < result.draws < 60
    assert result.by_majority.mean == 1
    assert simulate([FIRST, LAST], 4, seed="one", rules=Rules(majority=0)).by_majority is None


def test_chance_is_that_of_each_place_in_the_match():
    result = simulate(["random", "random"], 1, seed="7", games=True, paired=False)
    match = play("7/0", [find("random")] * 2, games=True)
    assert [one.points.mean for one in result.contestants] == list(match.totals)


def test_luck_draws_what_a_generator_of_that_place_would():
    luck = Luck()
    for plays in range(3):
        luck.at("s", 2, 1, plays)
        same = Chance(player_seed("s", 2, 1, plays))
        assert luck.number == same.number
        assert luck.choice(range(1000)) == same.choice(range(1000))
        assert luck.random() == same.random()
        assert luck.sample(range(99), 9) == same.sample(range(99), 9)
        assert luck.gauss(0, 1) == same.gauss(0, 1)


# ---- arrangements ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "seats", "expected"),
    [
        ([FIRST, LAST], None, 2),
        ([FIRST, FIRST], None, 1),
        ([FIRST, LAST, LAST], None, 3),
        ([FIRST, LAST, FIRST, LAST], None, 2),
        ([FIRST, FIRST, LAST, LAST], None, 4),
        ([FIRST, LAST], Seats(4, True), 2),
        ([FIRST, FIRST, FIRST, LAST], Seats(4, True), 4),
    ],
)
def test_every_seed_is_played_once_in_each_arrangement_that_differs(players, seats, expected):
    result = simulate(players, 1, games=True, seats=seats, seed="a")
    assert (result.matches, result.units) == (expected, 1)
    alone = simulate(players, 1, games=True, seats=seats, seed="a", paired=False)
    assert alone.matches == 1


def test_two_alike_in_changed_seats_win_as_often():
    one = Own("one", "", 0, "", first)
    other = Own("other", "", 0, "", first)
    result = simulate([one, other], 40, seed="b")
    assert [contestant.won for contestant in result.contestants] == [20, 20]
    assert result.contestants[0].points.mean == result.contestants[1].points.mean


@pytest.mark.parametrize("seats", [Seats(3), Seats(4), Seats(4, True)])
def test_cards_and_wins_add_up_with_more_seats(seats):
    players = [FIRST, LAST, FIRST, FIRST][: seats.count]
    result = simulate(players, 12, seed="c", seats=seats)
    assert len(result.contestants) == seats.sides
    assert sum(one.won for one in result.contestants) == result.matches
    assert sum(one.cards.mean for one in result.contestants) == pytest.approx(52)


def test_names_of_a_team_are_joined():
    result = simulate([FIRST, LAST, LAST, LAST], 1, games=True, seats=Seats(4, True), seed="d")
    assert [one.name for one in result.contestants] == ["first+last", "last"]


# ---- the same, however it is done ------------------------------------------------------


@pytest.mark.parametrize("beside", [False, True])
def test_processes_change_nothing(beside):
    """Neither as copies of this one nor, beside another thread, started afresh."""
    asked = {"n": 90, "games": True, "seed": "e", "rules": Rules.named("classic")}
    done = threading.Event()
    if beside:
        threading.Thread(target=done.wait, daemon=True).start()
    try:
        shared = simulate(["greedy", "random"], **asked, jobs=2)
    finally:
        done.set()
    assert figures(shared) == figures(simulate(["greedy", "random"], **asked))


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are seen in /proc")
def test_a_process_is_not_copied_beside_a_thread_of_whatever_kind():
    """One that the module `threading` knows nothing of is as one of a library in C."""
    script = """
import _thread, os, time
from basra.executors import _context
print(_context().get_start_method())
_thread.start_new_thread(time.sleep, (100,))
print(_context().get_start_method(), flush=True)
os._exit(0)
"""
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert run.stdout.split() == ["fork", "spawn"]


def test_more_processes_than_there_is_work_for_are_not_waited_for():
    shared = simulate(["greedy", "random"], 4, games=True, seed="e", jobs=10**20)
    assert figures(shared) == figures(simulate(["greedy", "random"], 4, games=True, seed="e"))


def test_an_executor_may_give_parts_in_any_order_and_size():
    def backwards(function, chunks):
        for chunk in reversed(list(chunks)):
            yield function(chunk[:3])
            yield function(chunk[3:])

    alone = simulate([FIRST, LAST], 100, games=True, seed="f")
    assert figures(simulate([FIRST, LAST], 100, games=True, seed="f", executor=backwards)) == figures(alone)


def test_the_order_of_hashes_changes_nothing():
    code = (
        "import json; from basra import simulate; r = simulate(['greedy', 'easy'], 8, seed='g').to_json();"
        "del r['timing']; print(json.dumps(r))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": number, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for number in ("0", "1")
    }
    assert len(said) == 1


# ---- interrupts, progress, records, mistakes -------------------------------------------


def test_progress_is_told_before_the_first_and_after_every_unit():
    told = []
    simulate([FIRST, LAST], 6, games=True, seed="h", progress=lambda done, all: told.append((done, all)))
    assert told == [(0, 6), (2, 6), (4, 6), (6, 6)]


def test_an_interrupt_leaves_what_was_done():
    def progress(done, all):
        if done == 8:
            raise KeyboardInterrupt

    result = simulate([FIRST, LAST], 20, games=True, seed="i", progress=progress)
    assert (result.matches, result.asked, result.whole) == (8, 20, False)
    whole = simulate([FIRST, LAST], 8, games=True, seed="i")
    assert whole.whole
    assert result.contestants[0].points == whole.contestants[0].points
    assert any("Broken off" in line for line in results(result))


def test_an_interrupt_stops_the_processes():
    def progress(done, all):
        if done:
            raise KeyboardInterrupt

    result = simulate(["random", "random"], 4000, games=True, seed="j", jobs=2, progress=progress)
    assert 0 < result.matches < 4000


def test_an_interrupt_before_anything_was_done():
    def refuse(function, chunks):
        raise KeyboardInterrupt

    result = simulate([FIRST, LAST], 4, seed="k", executor=refuse)
    assert result.matches == 0
    assert result.contestants[0].wins is None
    assert json.loads(json.dumps(result.to_json()))["games"] == 0
    lines = results(result)
    assert not any("brackets" in line for line in lines)
    assert lines[-1].startswith("Broken off")


def test_records_are_written_and_right(tmp_path):
    folder = tmp_path / "new" / "records"
    simulate(["easy", "random"], 4, seed="l", records=folder)
    files = sorted(folder.iterdir())
    assert [file.name for file in files] == [
        "0000000-0.basra",
        "0000000-1.basra",
        "0000001-0.basra",
        "0000001-1.basra",
    ]
    for at, file in enumerate(files):
        with file.open("rb") as stream:
            record = read(stream, file.name)
        assert record.due == ""
        assert record.match.outcome
        assert record.match.seed == f"l/{at // 2}"
        assert record.players == ({1: "easy", 2: "random"} if at % 2 == 0 else {1: "random", 2: "easy"})


def test_records_that_are_there_already_stay_as_they_are(basra, tmp_path):
    arguments = "simulate", "easy", "random", "-n", "2", "--jobs", "1", "--records", "all"
    assert basra(*arguments).status == 0
    before = {file: file.read_bytes() for file in (tmp_path / "all").iterdir()}
    run = basra(*arguments)
    assert (run.status, run.out) == (1, "")
    assert run.err.endswith("all/0000000-0.basra: it is there already; other records need another folder\n")
    assert {file: file.read_bytes() for file in (tmp_path / "all").iterdir()} == before


def test_a_record_that_cannot_be_written_is_named_and_not_left_half(basra, tmp_path, monkeypatch):
    def full(path, _text, **_how):
        path.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    run = basra(*RANDOM, "-n", "2", "--jobs", "1", "--records", "all")
    assert (run.status, run.out) == (1, "")
    assert run.err.endswith("all/0000000-0.basra: No space left on device\n")
    assert not list((tmp_path / "all").iterdir())


def test_records_need_a_folder(basra, tmp_path):
    (tmp_path / "file").touch()
    run = basra(*RANDOM, "-n", "2", "--records", "file")
    assert (run.status, run.out) == (1, "")
    assert run.err.endswith("/file: Not a directory\n")


@pytest.mark.parametrize(
    ("players", "more"),
    [
        ([], {}),
        (["easy"], {}),
        (["easy", "nobody"], {}),
        ("easy", {}),
        (["easy"] * 3, {"seats": Seats(2)}),
        (["easy"] * 2, {"n": 0}),
        (["easy"] * 2, {"jobs": 0}),
        (["easy"] * 2, {"seed": "#"}),
        (["easy"] * 2, {"rules": Rules(basra=0, jack_basra=0, majority=0)}),
        (["easy"] * 2, {"seed": "x" * 199}),
    ],
)
def test_what_does_not_fit_is_refused_before_a_card_is_dealt(players, more):
    with pytest.raises(Unreadable):
        simulate(players, **{"n": 2, "seed": "m", **more})


def test_an_illegal_play_ends_it():
    cheat = Own("cheat", "", 0, "", lambda view, rng: Play(0, 1 << 51))
    with pytest.raises(Illegal):
        simulate([cheat, FIRST], 2, seed="n")


def test_what_a_player_raises_comes_through_from_a_process():
    with pytest.raises(Unreadable), processes(1) as run:
        list(run(_fails, [range(1)]))


def _fails(units):
    raise Unreadable("{what} went wrong", what="this")


# ---- intervals -------------------------------------------------------------------------


def test_an_interval_is_that_of_the_units():
    sums = Sums()
    values = [3, 5, 4, 8]
    for value in values:
        sums.add(value, 1)
    half = quantile(3) * stdev(values) / sqrt(4)
    figure = sums.figure()
    assert (figure.mean, figure.low, figure.high) == pytest.approx((5, 5 - half, 5 + half))


@pytest.mark.parametrize(
    ("freedom", "expected"),
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (9, 2.2622), (30, 2.0423), (10**6, 1.96)],
)
def test_few_units_make_intervals_as_wide_as_students_t(freedom, expected):
    assert quantile(freedom) == pytest.approx(expected, abs=0.004 if freedom == 3 else 0.001)


def test_one_unit_has_no_interval():
    sums = Sums()
    sums.add(1, 2)
    sums.add(0, 0)  # nothing in it to count
    for figure in (sums.figure(), sums.share()):
        assert (figure.mean, figure.low, figure.high) == (0.5, None, None)
    result = simulate([FIRST, LAST], 1, seed="v")
    assert result.units == 1
    assert result.to_json()["contestants"][0]["points"]["low"] is None
    text = "\n".join(results(result))
    assert "(" not in text
    assert "brackets" not in text


def test_a_pair_that_is_always_shared_tells_more_than_its_matches():
    paired, single = Sums(), Sums()
    for at in range(50):
        paired.add(1 if at else 2, 2)
        single.add(at % 2, 1)
        single.add((at + 1) % 2, 1)
    assert paired.share().high - paired.share().low < single.share().high - single.share().low


def test_a_share_stays_between_nothing_and_all():
    sums = Sums()
    for _ in range(10):
        sums.add(2, 2)
    figure = sums.share()
    assert figure.mean == 1
    assert figure.high == pytest.approx(1)
    assert 0.6 < figure.low < 0.8


# ---- tables ----------------------------------------------------------------------------


@pytest.mark.parametrize("width", [20, 40, 80, 120])
@pytest.mark.parametrize("games", [True, False])
def test_lines_fit(width, games):
    result = simulate([FIRST, LAST], 10, games=games, seed="o")
    lines = results(result, width)
    assert max(map(len, lines)) <= width
    assert "\n".join(lines).isascii()


def test_the_histogram_counts_every_match():
    result = simulate([FIRST, LAST], 30, seed="p")
    assert sum(int(line.split()[3]) for line in histogram(result)[1:]) == 30


def test_a_narrow_histogram_still_tells_the_counts():
    result = simulate([FIRST, LAST], 2, games=True, seed="n")
    wide = dataclasses.replace(result, bars=((-20000, 7), (10000, 23)))
    bars = [line.split() for line in histogram(wide, 20) if line.lstrip()[0] in "+-"]
    assert [bar[1:] for bar in bars if bar[1] != "0"] == [["7", "##"], ["23", "########"]]


# ---- the command -----------------------------------------------------------------------

RANDOM = ["simulate", "greedy", "random", "--seed", "q"]


@pytest.fixture
def basra(monkeypatch, tmp_path):
    """Run the program in this process, in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments, **more):
        return in_process(monkeypatch, *map(str, arguments), **more)

    return run


def without_times(text):
    return text.partition('"timing"')[0]


def test_the_command_shows_the_table_at_the_width_of_the_terminal(basra):
    for columns in ("40", "80"):
        run = basra(*RANDOM, "-n", 4, "--games", "--jobs", 1, COLUMNS=columns)
        assert (run.status, run.err) == (0, "")
        assert run.out.startswith("4 games of 4, rules egyptian, seed q\n")
        assert max(map(len, run.out.splitlines())) <= int(columns)


def test_the_command_takes_rules_seats_and_pairing(basra):
    run = basra(*RANDOM, "-n", 3, "--games", "--unpaired", "--teams", "--rules", "classic", "--set", "ace=2",
                "--json", "--jobs", 1)  # fmt: skip
    said = json.loads(run.out)
    assert said["rules"] == "classic"
    assert said["set"] == {"ace": "2"}
    assert (said["seats"], said["teams"], said["paired"], said["single_games"]) == (4, True, False, True)
    assert said["matches"] == said["units"] == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["easy", "-n", "1"], "a table needs 2, 3 or 4 players, not 1"),
        (["easy", "nobody", "-n", "1"], "nobody is not a player"),
        (["easy", "easy"], "-n"),
        (["easy", "easy", "-n", "0"], "0"),
        (["easy", "easy", "-n", "1", "--jobs", "0"], "0"),
        (["easy", "easy", "-n", "1", "--seed", "#"], "seed"),
        (["easy", "easy", "easy", "-n", "1", "--seats", "2"], "2 seats need a player each"),
    ],
    ids=" ".join,
)
def test_wrong_usage_of_the_command(basra, arguments, message):
    run = basra("simulate", *arguments)
    assert (run.status, run.out) == (2, "")
    assert message in run.err
    assert run.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [["cmd:cat", "easy"], ["easy", "easy", "--records", "x"], ["easy", "easy", "--cluster", "x"]]
)
def test_a_guest_may_not_start_programs_write_files_or_use_a_cluster(tmp_path, arguments):
    run = as_program(tmp_path, "--restricted", "simulate", *arguments, "-n", "1")
    assert (run.status, run.out) == (2, "")
    assert "--restricted" in run.err
    assert list(tmp_path.iterdir()) == []


def test_records_of_the_command_pass_the_check(basra, tmp_path):
    assert basra(*RANDOM, "-n", 2, "--records", "all", "--jobs", 1).status == 0
    files = sorted(str(file) for file in (tmp_path / "all").iterdir())
    assert len(files) == 2
    assert basra("check", *files).status == 0


def test_the_same_bytes_for_every_number_of_processes_and_order_of_hashes(tmp_path):
    said = {
        without_times(
            as_program(
                tmp_path, *RANDOM, "-n", "24", "--games", "--json", "--jobs", jobs, PYTHONHASHSEED=hashes
            ).out
        )
        for jobs, hashes in (("1", "0"), ("2", "1"))
    }
    assert len(said) == 1
    assert '"matches": 24' in said.pop()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_at_a_terminal_shows_what_was_done(tmp_path, jobs):
    with Terminal(tmp_path, *RANDOM, "-n", "1000000", "--games", "--jobs", jobs) as terminal:
        terminal.expect("a second")  # the rate, once there is one
        os.write(terminal.master, b"\x03")
        terminal.expect("Broken off")
        assert terminal.end()[0] == 130
    assert "Traceback" not in terminal.text
    assert re.search(r"\d/1000000  \d\d:\d\d:\d\d", terminal.text)
    assert re.search(r"\d+/\d+", terminal.text)[0] == "0/1000000"


@pytest.mark.parametrize("columns", [20, 59, 60, 80])
def test_the_bar_fits_the_line(tmp_path, columns):
    with Terminal(tmp_path, *RANDOM, "-n", "1000000", "--jobs", "1", columns=columns) as terminal:
        terminal.expect("a second" if columns >= 60 else "0%")
        os.write(terminal.master, b"\x03")
        terminal.expect("Broken off")
        terminal.end()
    shown = re.sub(r"\x1b\[[?0-9]*[a-zA-Z]", "", terminal.text)
    drawn = [line.partition("^C")[0] for line in re.split(r"[\r\n]", shown) if line.startswith("  [")]
    assert drawn
    assert max(map(len, drawn)) <= columns


def test_what_the_processes_had_done_when_they_were_interrupted_is_not_lost(tmp_path):
    """Neither has finished its range of 500 packs, and each has written some records."""

    def interrupt():
        until = time.monotonic() + LONG
        while len(list(tmp_path.iterdir())) < 10 and time.monotonic() < until:
            time.sleep(0.02)
        os.kill(os.getpid(), signal.SIGINT)

    def interrupted(work, ranges):
        with processes(2) as run:
            threading.Thread(target=interrupt).start()
            yield from run(work, [range(500), range(500, 1000)])

    result = simulate(["normal", "normal"], 1000, seed="r", executor=interrupted, records=tmp_path)
    assert 8 <= result.matches < 1000  # each was playing one more


def test_a_process_that_is_killed_ends_the_run(basra):
    with pytest.raises(ChildProcessError, match="ended by signal 9"), processes(1) as run:
        list(run(_dies, [range(1)]))


def test_more_processes_than_may_be_started_are_told_as_such(tmp_path):
    few = "import resource as r, sys; r.setrlimit(r.RLIMIT_NOFILE, (40, 40)); import basra_cli; "
    words = [sys.executable, "-c", few + "basra_cli.main()", *RANDOM, "-n", "1000", "--jobs", "100"]
    env = {**clean_environment(tmp_path), "PYTHONPATH": str(ROOT)}
    run = subprocess.run(words, env=env, capture_output=True, text=True, timeout=LONG)
    assert (run.returncode, run.stdout) == (1, "")
    assert re.fullmatch(r"basra: process \d+ of 100: Too many open files\n", run.stderr)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are found in /proc")
@pytest.mark.parametrize("thinking", [False, True])
def test_processes_end_when_who_started_them_is_killed(tmp_path, program, thinking):
    """Each copy of a process has ends of its pipes: none may keep another waiting, nor may a program."""
    words = [sys.executable, str(ROOT / "basra_cli.py"), *RANDOM]
    words += ["-n", "1000000", "--jobs", "3"]
    asked = tmp_path / "asked"
    asked.touch()
    if thinking:
        slow = program("slow", f"open({str(asked)!r}, 'a').write('*'); time.sleep(1000)")
        words = [sys.executable, "-c", THINKING.format(slow=slow)]
    run = subprocess.Popen(words, env={**clean_environment(tmp_path), "PYTHONPATH": str(ROOT)})
    try:
        assert _within(lambda: len(_children(run.pid)) >= 3)
        assert _within(lambda: len(asked.read_text()) == 3 or not thinking)
        there = _children(run.pid)
        there += [program for helper in there for program in _children(helper)]
        assert len(there) == (6 if thinking else 3)
    finally:
        run.kill()
        run.wait()
    assert _within(lambda: not any(map(_lives, there)))


THINKING = """
from dataclasses import replace
from basra import simulate
from basra.players import find
if __name__ == "__main__":
    simulate([replace(find({slow!r}), limit=1000.0), "random"], 100, jobs=3)
"""


def _children(pid):
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def _lives(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes() != b""  # nothing: it only waits to be forgotten
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are found in /proc")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_who_is_told_to_end_while_processes_start_ends(tmp_path, number, status):
    words = [sys.executable, str(ROOT / "basra_cli.py"), *RANDOM]
    for _ in range(5):
        run = subprocess.Popen(
            [*words, "-n", "1000000", "--jobs", "6"],
            env=clean_environment(tmp_path),
            stderr=subprocess.PIPE,
            text=True,
        )
        children = Path(f"/proc/{run.pid}/task/{run.pid}/children")
        try:
            assert _within(lambda there=children: there.read_text().split())
            run.send_signal(number)
            assert run.communicate(timeout=LONG) == (None, "")
        finally:
            run.kill()
        assert run.returncode == status


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are found in /proc")
@pytest.mark.parametrize("all_at_once", [True, False])
@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_no_program_is_left_by_who_is_told_to_end_even_twice(tmp_path, program, number, status, all_at_once):
    """As `timeout`, a lost connection and people without patience do it; the programs are deaf to it."""
    deaf = "".join(f"__import__('signal').signal({each}, 1); " for each in (signal.SIGTERM, signal.SIGHUP))
    asked = tmp_path / "asked"
    asked.touch()
    slow = program("slow", f"{deaf} open({str(asked)!r}, 'a').write('*'); time.sleep(1000)")
    words = [sys.executable, str(ROOT / "basra_cli.py"), "simulate", slow, "random", "-n", "300"]
    run = subprocess.Popen(
        [*words, "--jobs", "3"],
        env=clean_environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert _within(lambda: len(asked.read_text()) == 3)
        there = _children(run.pid)
        there += [program for helper in there for program in _children(helper)]
        for _ in range(2):
            (os.killpg if all_at_once else os.kill)(run.pid, number)
        assert run.communicate(timeout=LONG) == ("", "")
    finally:
        run.kill()
    assert run.returncode == status
    assert len(there) == 6
    assert _within(lambda: not any(map(_lives, there)))


def _within(what):
    """Say whether something comes to be in time."""
    until = time.monotonic() + LONG
    while not what() and time.monotonic() < until:
        time.sleep(0.001)
    return what()


def _dies(units):
    os.kill(os.getpid(), signal.SIGKILL)


# ---- programs from outside that fail ---------------------------------------------------

OUTSIDE = """
import os, sys, time
NINE = "AC 2C 3C 4C 5C 6C 7C 8C 9C".split()
sys.stdin.readline()
print("basra-protocol 1 test 1", flush=True)
asked = {}
for line in sys.stdin:
    key, _, value = line.strip().partition(" ")
    asked[key] = value
    if key == "choose":
        DO
"""


@pytest.fixture
def program(tmp_path):
    """Write a program that does something when it is asked, and return its name as a player."""

    def write(name, what):
        path = tmp_path / f"{name}.py"
        path.write_text(OUTSIDE.replace("DO", what))
        return f"cmd:{shlex.quote(sys.executable)} -ISu {shlex.quote(str(path))}"

    return write


@pytest.mark.parametrize(
    ("how", "what", "said", "jobs"),
    [
        ("ended", "os._exit(3)", "ended by itself", "2"),
        ("unreadable", "print('what?', flush=True)", "no play", "1"),
        (
            "illegal",
            "print('play', next(c for c in NINE if c not in asked['hand']), flush=True)",
            "an illegal play",
            "1",
        ),
    ],
)
def test_a_program_that_fails_loses_the_match_and_the_table_says_why(basra, program, how, what, said, jobs):
    bad = program("bad", what)
    arguments = ["simulate", bad, "random", "-n", 4, "--seed", "s", "--jobs", jobs]
    told = json.loads(basra(*arguments, "--json").out)
    assert told["matches"] == told["asked"] == 4
    assert [one["won"] for one in told["contestants"]] == [0, 4]
    assert [(one["player"], one["how"], one["matches"]) for one in told["failures"]] == [(1, how, 4)]
    assert told["by_majority"] is None
    if how == "illegal":
        run = basra(*arguments, "--records", "all")
        text = " ".join(run.out.split())
        assert run.status == 0
        assert f"Player 1 failed in 4 matches, which it has lost: {said} 4." in text
        assert basra("check", *Path("all").iterdir()).status == 0


def test_a_program_that_is_late_loses_the_match(program, monkeypatch):
    late = dataclasses.replace(find(program("late", "time.sleep(60)")), limit=0.2)
    result = simulate([late, FIRST, FIRST], 1, games=True, paired=False, seed="t")
    assert [(one.how, one.matches) for one in result.failures] == [("late", 1)]
    assert (result.draws, result.matches, result.units) == (1, 1, 1)  # of three sides nobody has won
    assert (result.games_a_match, result.bars) == (None, ())
    text = " ".join(" ".join(results(result)).split())
    assert "Player 1 failed in 1 game, which nobody has won: late 1." in text
    assert "games that nobody won: 1" in text


@pytest.mark.parametrize("width", [20, 200])
def test_the_name_of_a_program_is_shown_as_visible_characters_and_cut(width):
    result = simulate(["easy", "random"], 2, seed="v")
    name = "cmd:bot '\x1b[2J\u202e" + "x" * 5000
    one = dataclasses.replace(result.contestants[0], name=name)
    shown = results(dataclasses.replace(result, contestants=(one, result.contestants[1])), width)
    assert "cmd:bot '?[2J?xxx" in " ".join(shown) or width == 20
    assert all(line.isprintable() for line in shown)
    assert len("".join(shown)) < 2500


def test_a_program_that_plays_for_a_team_fails_as_the_one_that_it_is(program):
    result = simulate([program("bad", "os._exit(3)"), "random"], 8, seats=Seats(4, teams=True), seed="w")
    assert [(one.player, one.how, one.matches) for one in result.failures] == [(1, "ended", 8)]


def test_a_process_that_lacks_what_a_program_needs_does_not_blame_the_program(tmp_path, program):
    few = "import resource as r; r.setrlimit(r.RLIMIT_NOFILE, (14, 14)); import basra_cli; basra_cli.main()"
    good = program("good", "print('play', min(asked['hand'].split(',')), flush=True)")
    words = [sys.executable, "-c", few, "simulate", good, "random", "-n", "4", "--jobs", "2"]
    env = {**clean_environment(tmp_path), "PYTHONPATH": str(ROOT)}
    run = subprocess.run(words, env=env, capture_output=True, text=True, timeout=LONG)
    assert (run.returncode, run.stdout) == (1, "")
    assert re.fullmatch(r"basra: .*: Too many open files\n", run.stderr)


def test_the_table_counts_the_matches_that_nobody_won(basra, program):
    run = basra("simulate", program("bad", "os._exit(3)"), "random", "random", "-n", "3", "--jobs", "1")
    assert "Player 1 failed in 3 matches, which nobody has won" in " ".join(run.out.split())
    assert "\nmatches that nobody won: 3\n" in run.out
    assert "nobody" not in basra(*RANDOM, "-n", "2", "--jobs", "1").out


def test_a_program_that_cannot_be_started_at_all_ends_the_run(basra):
    run = basra("simulate", "cmd:/nowhere/player", "easy", "-n", "2")
    assert (run.status, run.out) == (1, "")
    assert "cannot be started" in run.err


# ---- a cluster -------------------------------------------------------------------------


def test_a_cluster_needs_its_package(basra, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    run = basra(*RANDOM, "-n", 1, "--cluster", "tcp://127.0.0.1:1")
    assert run.status == 2
    assert "basra[cluster]" in run.err


@pytest.fixture(scope="module")
def dask(tmp_path_factory):
    """Start a scheduler and two workers on the loopback; give its address and the workers."""
    pytest.importorskip("distributed", reason="distributed is not installed")
    folder = tmp_path_factory.mktemp("dask")
    told = folder / "scheduler.json"
    environment = clean_environment(folder)

    def start(what, *options):
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", "--scheduler-file", str(told)]
        return subprocess.Popen(
            [*command, "--no-dashboard", "--host", "127.0.0.1", *options],
            cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    started = [start("scheduler", "--port", "0")]
    try:
        until = time.monotonic() + LONG
        while not told.exists():
            assert time.monotonic() < until
            time.sleep(0.05)
        started += [start("worker", "--no-nanny", "--nthreads", "1") for _ in range(2)]
        yield json.loads(told.read_text())["address"], started[1:]
    finally:
        for process in started:
            process.kill()
            process.wait()


def test_a_cluster_gives_the_same_bytes(dask, tmp_path):
    address, _workers = dask
    shared = as_program(tmp_path, *RANDOM, "-n", "20", "--json", "--cluster", address)
    assert (shared.status, shared.err) == (0, "")
    alone = as_program(tmp_path, *RANDOM, "-n", "20", "--json", "--jobs", "1")
    assert without_times(shared.out) == without_times(alone.out)


def test_a_cluster_that_cannot_play_is_told_as_such(dask):
    """What the players are is not known there: where the tests are is not on its path."""
    address, _workers = dask
    with cluster(address) as executor, pytest.raises(OSError, match="the cluster cannot play") as told:
        simulate([FIRST, "random"], 4, executor=executor)
    assert told.value.filename == address


def test_what_the_work_raises_comes_through_from_a_cluster(dask):
    address, _workers = dask
    with cluster(address) as executor, pytest.raises(Unreadable, match="empty"):
        list(executor(partial(check_text, "it"), [""]))


def test_who_is_no_scheduler_is_not_waited_for(monkeypatch):
    pytest.importorskip("distributed", reason="distributed is not installed")
    monkeypatch.setattr("basra.executors._ANSWER", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:  # it never answers
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(OSError, match="no Dask scheduler answers there"), cluster(address):
            pass


def test_a_worker_that_is_killed_costs_nothing_but_time(dask, tmp_path):
    address, workers = dask
    killed = []

    def progress(done, all):
        if done > 40 and not killed:
            workers[0].kill()
            killed.append(done)

    with cluster(address) as executor:
        shared = simulate(
            ["greedy", "random"], 400, seed="u", games=True, executor=executor, progress=progress
        )
    assert killed
    assert figures(shared) == figures(simulate(["greedy", "random"], 400, seed="u", games=True))
