"""Many matches: what is added up, that it is the same however it is shared out, intervals."""

import dataclasses
import errno
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import mean, stdev

import pytest
from helpers import RANDOM, figures, without_times
from terminals import Terminal, as_program

from basra import Illegal, Match, Play, Rules, Seats, Unreadable, View, simulate
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
    assert "from one seed" in text


def test_a_mean_of_units_that_are_all_alike_has_no_interval():
    sums = Sums()
    for _ in range(5):
        sums.add(0, 2)
    figure = sums.figure(least=0)
    assert (figure.mean, figure.low, figure.high) == (0, None, None)


def test_an_interval_does_not_go_below_what_can_be():
    sums = Sums()
    for games in (1, 1, 9):
        sums.add(games, 1)
    assert sums.figure().low < 1
    assert sums.figure(least=1).low == 1
    assert sums.figure(least=1).high == sums.figure().high


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


# ---- programs from outside that fail ---------------------------------------------------


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


def test_the_table_counts_the_matches_that_nobody_won(basra, program):
    run = basra("simulate", program("bad", "os._exit(3)"), "random", "random", "-n", "3", "--jobs", "1")
    assert "Player 1 failed in 3 matches, which nobody has won" in " ".join(run.out.split())
    assert "\nmatches that nobody won: 3\n" in run.out
    assert "nobody" not in basra(*RANDOM, "-n", "2", "--jobs", "1").out


def test_a_program_that_cannot_be_started_at_all_ends_the_run(basra):
    run = basra("simulate", "cmd:/nowhere/player", "easy", "-n", "2")
    assert (run.status, run.out) == (1, "")
    assert "cannot be started" in run.err
