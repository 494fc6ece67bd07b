"""Measure the engine, the players and the program, and print a table in Markdown.

    python tests/benchmarks/run.py            # some three minutes
    python tests/benchmarks/run.py --quick    # a look
    python tests/benchmarks/run.py --memory 100000

Nothing here passes or fails.  Machines and their load differ, so every rate stands beside
what it would be where `random.shuffle` takes 9.5 microseconds for 52 cards, measured just
before and after it; for times a move the median of these counts.  Peers (`open_spiel`,
`rlcard`) are measured in the same run when they are installed.
"""

from __future__ import annotations

import argparse
import platform
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple

HERE = Path(__file__).parents[2]
sys.path.insert(0, str(HERE))

from basra import Captures, Game, Match, Rules, View, pack_of, read_cards  # noqa: E402
from basra.players import PLAYERS, Player  # noqa: E402
from basra.simulation import Luck  # noqa: E402

YARDSTICK = 9.5  # microseconds

POSITIONS = [
    ("AC 5D 9H KS", ""),
    ("AC 5D 9H KS", "3H"),
    ("2C 7C JS QD", "KD 6H KC"),
    ("5S 7D 9S 10S", "4H 5C 6D 3S 2H"),
    ("7D", "AC 2C 3H 4S 5C 6D 8H 9C"),
    ("8C 9D 10S", "AC 2C 3H 4S 5C 6D 8H 9C"),
    ("6S 10C", "2H 4C 4D 5H 5S"),
    ("5S KS 10S", "7D 5H 3H"),
]


def shuffle_time() -> float:
    """Return how many microseconds `random.shuffle` takes for 52 cards."""
    cards = list(range(52))
    times = []
    for _ in range(9):
        began = process_time()
        for _ in range(1000):
            random.shuffle(cards)
        times.append((process_time() - began) / 1000 * 1e6)
    return median(times)


class Rate(NamedTuple):
    """How many a second, and how many microseconds a shuffle took just before and after."""

    number: float
    shuffle: float

    @property
    def scaled(self) -> float:
        """Return how many a second there would be by the yardstick."""
        return self.number * self.shuffle / YARDSTICK


def rate(what: Callable[[], int], seconds: float) -> Rate:
    """Return the rate of what a call does and counts, once it has run for as long."""

    def timed() -> float:
        done = 0
        began = process_time()
        while (spent := process_time() - began) < seconds:
            done += what()
        return done / spent

    timed()
    before = shuffle_time()
    number = timed()
    return Rate(number, (before + shuffle_time()) / 2)


def random_games(count: int, rules: Rules, *, shuffled: bool) -> Callable[[], int]:
    """Return a call that plays games by chance through the public calls and counts the plays."""
    packs = [pack_of(f"bench/{at}", 1) for at in range(count)]
    rng = random.Random(1)

    def play() -> int:
        plays = 0
        draw = rng.random
        for at in range(count):
            game = Game(pack_of(f"bench/{at}", 1) if shuffled else packs[at], rules)
            while not game.over:
                legal = game.legal_plays()
                game.play(legal[int(draw() * len(legal))])
                plays += 1
        return plays

    return play


def lists(captures: Callable[[], Captures]) -> Callable[[], int]:
    """Return a call that lists the legal plays of every position and counts the lists."""
    positions = [(read_cards(hand), read_cards(ground)) for hand, ground in POSITIONS]

    def listed() -> int:
        of_hand = captures().of_hand
        for hand, ground in positions:
            of_hand(hand, ground)
        return len(positions)

    return listed


def time_a_move(player: Player, seconds: float) -> tuple[float, int]:
    """Return the mean microseconds of a player's choice, and how many there were.

    Each is in a game of its own that has gone on by chance, so that they come from all of a game.
    """
    luck, spent, moves = Luck(), 0.0, 0
    chance = random.Random(1)
    while spent < seconds:
        seed = f"bench/{moves}"
        match = Match(seed=seed)
        game = match.begin_game()
        for _ in range(moves * 19 % 48):  # every number of plays in turn, near ones far apart
            match.play(chance.choice(game.legal_plays()))
        view = View.of(match, game.turn)
        luck.at(seed, view.seat, 1, len(view.plays))
        began = process_time()
        player.choose(view, luck)
        spent += process_time() - began
        moves += 1
    return spent / moves * 1e6, moves


def start_up(*words: str) -> float:
    """Return the milliseconds that Python takes for some words, the best of several."""
    times = []
    for _ in range(7):
        began = perf_counter()
        subprocess.run([sys.executable, *words], cwd=HERE, check=True, capture_output=True)
        times.append((perf_counter() - began) * 1e3)
    return min(times)


def memory(games: int) -> float:
    """Return the largest memory, in MB, of a process that simulates so many single games."""
    code = f"""
import re, resource, sys
from basra import simulate
simulate(["random", "random"], {games}, games=True, seed="bench")
try:  # the other figure counts what was there before the program itself began
    text = open("/proc/self/status").read()
    print(int(re.search("VmHWM: *([0-9]+)", text.replace("\\t", " "))[1]) / 1e3)
except OSError:
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(size / (1e6 if sys.platform == "darwin" else 1e3))
"""
    run = subprocess.run([sys.executable, "-c", code], cwd=HERE, check=True, capture_output=True, text=True)
    return float(run.stdout)


def spiel(name: str) -> Callable[[], int] | None:
    """Return a call that plays a game of OpenSpiel by chance and counts the players' actions."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game(name)
    rng = random.Random(1)

    def play() -> int:
        actions = 0
        for _ in range(20):
            state = game.new_initial_state()
            while not state.is_terminal():
                chance = state.is_chance_node()
                legal = state.legal_actions()
                state.apply_action(legal[int(rng.random() * len(legal))])
                actions += not chance
        return actions

    return play


def rlcard(name: str) -> Callable[[], int] | None:
    """Return a call that plays a game of RLCard by chance and counts the players' actions."""
    try:
        import rlcard as peer
    except ImportError:
        return None
    env = peer.make(name)
    rng = random.Random(1)

    def play() -> int:
        actions = 0
        state, _player = env.reset()
        while not env.is_over():
            state, _player = env.step(rng.choice(list(state["legal_actions"])))
            actions += 1
        return actions

    return play


def rows(seconds: float, games: int) -> Iterator[tuple[str, str, str]]:
    """Yield what was measured, how much it is, and what it would be by the yardstick."""
    measured: list[tuple[str, Rate]] = []
    for title, rules in (("egyptian", Rules()), ("classic", Rules.named("classic"))):
        for shuffled in (False, True):
            plays = rate(random_games(500, rules, shuffled=shuffled), seconds)
            how = "shuffle included" if shuffled else "packs given"
            measured.append((f"random legal plays a second, {title}, {how}", plays))
            if shuffled:
                measured.append((f"games a second, {title}, {how}", plays._replace(number=plays.number / 48)))
    measured.append(("legal lists a second, cold", rate(lists(lambda: Captures("wild", "any")), seconds)))
    measured.append(("legal lists a second, warm", rate(lists(lambda: Captures.under(Rules())), seconds)))
    peers: list[tuple[str, Rate]] = []
    for title, play in (
        ("OpenSpiel hearts", spiel("hearts")),
        ("OpenSpiel gin_rummy", spiel("gin_rummy")),
        ("RLCard gin-rummy", rlcard("gin-rummy")),
        ("RLCard uno", rlcard("uno")),
    ):
        if play is not None:
            peers.append((title, rate(play, seconds)))
    times = []
    for player in PLAYERS:
        try:
            times.append((player.name, *time_a_move(player, seconds)))
        except ModuleNotFoundError:
            continue
    shuffle = median(each.shuffle for _, each in measured)
    yield "`random.shuffle` of 52 cards", f"{shuffle:.1f} µs", f"{YARDSTICK} µs"
    for title, each in measured:
        yield title, f"{each.number:,.0f}", f"{each.scaled:,.0f}"
    egyptian = measured[0][1]
    for title, each in peers:
        yield (
            f"{title}: players' actions a second",
            f"{each.number:,.0f}",
            f"Basra's plays: {egyptian.scaled / each.scaled:.2f} times as many",
        )
    for name, micros, moves in times:
        yield (
            f"`{name}`: a move",
            f"{micros:,.0f} µs ({moves:,} moves)",
            f"{micros * YARDSTICK / shuffle:,.0f} µs",
        )
    bare = start_up("-c", "pass")
    yield "Python alone starts in", f"{bare:.0f} ms", ""
    yield "`import basra`, all of it, on top of that", f"{start_up('-c', 'import basra') - bare:.0f} ms", ""
    if (HERE / "basra_cli.py").exists():
        yield "`basra --version`, in all", f"{start_up('basra_cli.py', '--version'):.0f} ms", ""
    for number in (games // 10, games):
        yield f"memory of {number:,} simulated games", f"{memory(number):.0f} MB", ""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure Basra; prints a Markdown table.")
    parser.add_argument("--quick", action="store_true", help="a tenth of the time, rougher")
    parser.add_argument("--memory", type=int, metavar="GAMES", help="games of the memory run")
    options = parser.parse_args()
    print(f"Python {platform.python_version()}, {platform.machine()}\n")
    print(f"| what | here | where a shuffle takes {YARDSTICK} µs |\n| --- | ---: | ---: |")
    games = options.memory or (500 if options.quick else 5000)
    for row in rows(0.3 if options.quick else 3.0, games):
        print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
