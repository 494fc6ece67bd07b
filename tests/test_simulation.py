"""Many matches: what is added up, that it is the same however it is shared out, intervals."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import mean, stdev

import pytest

from basra import Illegal, Match, Play, Rules, Seats, Unreadable, View, simulate
from basra.figures import Sums
from basra.players import Chance, Player, find
from basra.record import read
from basra.shuffle import player_seed
from basra.simulation import Luck, processes
from basra.terminal.tables import histogram, results


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


def test_single_games_end_after_one_and_can_be_won_by_nobody():
    result = simulate([FIRST, LAST], 60, games=True, seed="one")
    assert result.games == result.matches == 60
    assert result.games_a_match.mean == 1
    assert sum(one.won for one in result.contestants) + result.draws == 60


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


def test_processes_change_nothing():
    alone = simulate(["greedy", "random"], 90, games=True, seed="e", rules=Rules.named("classic"))
    shared = simulate(["greedy", "random"], 90, games=True, seed="e", rules=Rules.named("classic"), jobs=2)
    assert figures(alone) == figures(shared)


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
            env={**os.environ, "PYTHONHASHSEED": number, "PYTHONPATH": str(Path(__file__).parents[1])},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for number in ("0", "1")
    }
    assert len(said) == 1


# ---- interrupts, progress, records, mistakes -------------------------------------------


def test_progress_is_told_after_every_unit():
    told = []
    simulate([FIRST, LAST], 6, games=True, seed="h", progress=lambda done, all: told.append((done, all)))
    assert told == [(2, 6), (4, 6), (6, 6)]


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
    assert results(result)


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


@pytest.mark.parametrize(
    ("players", "more"),
    [
        ([], {}),
        (["easy"], {}),
        (["easy", "nobody"], {}),
        (["easy"] * 3, {"seats": Seats(2)}),
        (["easy"] * 2, {"n": 0}),
        (["easy"] * 2, {"jobs": 0}),
        (["easy"] * 2, {"seed": "#"}),
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
    half = 1.959963984540054 * stdev(values) / sqrt(4)
    figure = sums.figure()
    assert (figure.mean, figure.low, figure.high) == pytest.approx((5, 5 - half, 5 + half))


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
