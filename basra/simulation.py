"""Many matches between computer players, and what they say, with intervals.

Match *i* is dealt from a seed of its own, `SEED/i`, so that `basra pack` works any of its
deals out again.  Paired, every seed is played in each arrangement of the players round the
table that differs, so that the luck of the cards cancels.  The matches of one seed are then
one observation, a *unit*; intervals are those of independent units.

All that is added up are whole numbers, and they are added exactly: the figures depend on
seed, players, rules and number alone, not on how the work was shared out.  Only the times
are those of the machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import reduce
from math import sqrt
from pathlib import Path
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

from .cards import check_text
from .engine import Count, Match, Seats
from .errors import Unreadable
from .figures import Figure, Sums
from .players import Chance, Player, find, seated
from .rules import Rules
from .shuffle import new_seed, player_seed
from .view import View

if TYPE_CHECKING:
    from multiprocessing.synchronize import Event

BUCKET = 10  # points that a bar of the histogram is wide
_BARS = 60  # bars on each side of zero; what lies beyond counts in the last
_CHUNK = 20  # units that a process is given at a time

Executor = Callable[[Callable[[range], "Tally"], Iterable[range]], Iterable["Tally"]]


# ---- adding up ------------------------------------------------------------------------


@dataclass
class Account:
    """What is added up of one contestant."""

    wins: Sums = field(default_factory=Sums)  # to matches
    points: Sums = field(default_factory=Sums)  # to games, as the four below
    cards: Sums = field(default_factory=Sums)
    basras: Sums = field(default_factory=Sums)
    jack_basras: Sums = field(default_factory=Sums)
    majorities: Sums = field(default_factory=Sums)
    squares: int = 0  # of the points of each game
    plays: int = 0
    nanoseconds: int = 0

    def __iadd__(self, other: Account) -> Account:
        self.wins += other.wins
        self.points += other.points
        self.cards += other.cards
        self.basras += other.basras
        self.jack_basras += other.jack_basras
        self.majorities += other.majorities
        self.squares += other.squares
        self.plays += other.plays
        self.nanoseconds += other.nanoseconds
        return self


@dataclass
class Tally:
    """What is added up of a number of units; two of them can be added, in any order."""

    accounts: list[Account]
    matches: int = 0
    draws: int = 0
    games: Sums = field(default_factory=Sums)  # to matches
    first: Sums = field(default_factory=Sums)  # points that the seat after the dealer is ahead, to games
    bars: Counter[int] = field(default_factory=Counter)

    def __iadd__(self, other: Tally) -> Tally:
        for mine, theirs in zip(self.accounts, other.accounts):
            mine += theirs
        self.matches += other.matches
        self.draws += other.draws
        self.games += other.games
        self.first += other.first
        self.bars += other.bars
        return self


# ---- playing ---------------------------------------------------------------------------


class Luck(Chance):
    """The generator of whoever is to choose, seeded only once something is drawn from it.

    What it draws is what a `Chance` draws that was seeded by `player_seed` for this choice.
    """

    def __init__(self) -> None:
        self.at("", 1, 1, 0)
        super().__init__(0)

    def at(self, seed: str, seat: int, game: int, plays: int) -> None:
        """Turn to the choice of a seat, `plays` plays into a game."""
        self._place = seed, seat, game, plays
        self._seeded = False

    @property
    def number(self) -> int:
        """Return the number that it is seeded with."""
        return player_seed(*self._place)

    @number.setter
    def number(self, number: int) -> None:
        """Leave the number to the place."""

    def _ready(self) -> None:
        if not self._seeded:
            self._seeded = True
            self.seed(self.number)

    def random(self) -> float:
        """Draw a number from 0 to 1."""
        self._ready()
        return super().random()

    def getrandbits(self, k: int, /) -> int:
        """Draw a number of `k` bits."""
        self._ready()
        return super().getrandbits(k)


def _arrangements(players: Sequence[str | Player], paired: bool) -> tuple[int, ...]:
    """List by how many seats the players move round the table, each arrangement once."""
    seen: list[Sequence[str | Player]] = []
    turns = []
    for turn in range(len(players) if paired else 1):
        arranged = [*players[turn:], *players[:turn]]
        if arranged not in seen:
            seen.append(arranged)
            turns.append(turn)
    return tuple(turns)


@dataclass(frozen=True)
class Work:
    """What is to be played; called with a range of units, it plays them and adds them up.

    It can be sent to another process.  `stop`, if it is given, says whether to break off.
    """

    players: tuple[str | Player, ...]  # one a seat
    rules: Rules
    seats: Seats
    seed: str
    games: bool
    turns: tuple[int, ...]
    records: Path | None = None

    def __call__(self, units: range) -> Tally:
        """Play the units and return their tally."""
        return reduce(Tally.__iadd__, self.each(units), self.nothing())

    def nothing(self) -> Tally:
        """Return the tally of no units."""
        return Tally([Account() for _ in range(self.seats.sides)])

    def each(self, units: range) -> Iterator[Tally]:
        """Play the units and yield the tally of each."""
        players = [find(player) if isinstance(player, str) else player for player in self.players]
        luck = Luck()
        with seated(players):
            for unit in units:
                if _stop is not None and _stop.is_set():
                    return
                yield self._unit(unit, players, luck)

    def _unit(self, unit: int, players: list[Player], luck: Luck) -> Tally:
        count = self.seats.count
        tally = self.nothing()
        sums = [Counter[str]() for _ in tally.accounts]  # of this unit, a contestant
        games = first = 0
        for turn in self.turns:
            there = [(seat + turn) % count for seat in range(count)]  # who sits at each seat
            of_seat = [self.seats.side(player + 1) - 1 for player in there]  # the contestant of each
            of_side = [of_seat[self.seats.of_side(side)[0] - 1] for side in range(1, self.seats.sides + 1)]
            match = self._play(
                unit, [players[at] for at in there], [tally.accounts[at] for at in of_seat], luck
            )
            self._write(unit, turn, match, [players[at].name for at in there])
            for game, counted in zip(match.games, match.counts):
                first += self._ahead(counted.points, self.seats.side(self.seats.after(game.dealer)))
                for side, at in enumerate(of_side):
                    self._count(counted, side, sums[at])
                    tally.accounts[at].squares += counted.points[side] ** 2
            games += len(match.counts)
            winner = self._winner(match)
            if winner:
                sums[of_side[winner - 1]]["wins"] += 1
            else:
                tally.draws += 1
            one = of_side.index(0) + 1
            tally.bars[
                max(
                    -_BARS, min(self._ahead(match.totals, one) // (self.seats.sides - 1) // BUCKET, _BARS - 1)
                )
            ] += 1
        tally.matches = len(self.turns)
        tally.games.add(games, tally.matches)
        tally.first.add(first, games)
        for account, counted_up in zip(tally.accounts, sums):
            account.wins.add(counted_up["wins"], tally.matches)
            for what in ("points", "cards", "basras", "jack_basras", "majorities"):
                getattr(account, what).add(counted_up[what], games)
        return tally

    def _play(self, unit: int, players: list[Player], accounts: list[Account], luck: Luck) -> Match:
        match = Match(self.rules, self.seats, seed=f"{self.seed}/{unit}")
        seed = f"{self.seed}/{unit}"
        while not match.outcome:
            game = match.begin_game()
            number = len(match.games)
            while not game.over:
                seat = game.turn
                account = accounts[seat - 1]
                view = View.of(match, seat)
                luck.at(seed, seat, number, len(view.plays))
                began = perf_counter_ns()
                play = players[seat - 1].choose(view, luck)
                account.nanoseconds += perf_counter_ns() - began
                account.plays += 1
                match.play(play)
            if self.games:
                break
        return match

    def _ahead(self, points: tuple[int, ...], side: int) -> int:
        """Return how far a side is ahead of the mean of the others, times the number of those."""
        return self.seats.sides * points[side - 1] - sum(points)

    def _winner(self, match: Match) -> int:
        """Return the side that has won the match, or the only game; 0 if nobody has."""
        most = max(match.totals)
        return match.totals.index(most) + 1 if match.totals.count(most) == 1 else 0

    @staticmethod
    def _count(count: Count, side: int, sums: Counter[str]) -> None:
        sums["points"] += count.points[side]
        sums["cards"] += count.cards[side]
        sums["basras"] += count.basras[side]
        sums["jack_basras"] += count.jack_basras[side]
        most = max(count.cards)
        sums["majorities"] += count.cards[side] == most and count.cards.count(most) == 1

    def _write(self, unit: int, turn: int, match: Match, names: list[str]) -> None:
        if self.records is None:
            return
        from .record import Record, lines

        record = Record(match, dict(enumerate(names, 1)))
        path = self.records / f"{unit:07}-{turn}.basra"
        path.write_text("".join(lines(record)), encoding="utf-8", newline="")


_stop: Event | None = None  # in a process that was started for work: whether to break off


def _begin(stop: Event) -> None:
    """Make a process ready: an interrupt is for the one that started it."""
    import signal

    global _stop
    _stop = stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def processes(jobs: int) -> Iterator[Executor]:
    """Give an executor that works in `jobs` processes; afterwards they are stopped."""
    from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
    from multiprocessing import get_context

    context = get_context("spawn")
    stop = context.Event()

    def run(work: Callable[[range], Tally], chunks: Iterable[range]) -> Iterator[Tally]:
        waiting: set[Future[Tally]] = set()
        for chunk in chunks:
            waiting.add(pool.submit(work, chunk))
            if len(waiting) >= 2 * jobs:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)

    with ProcessPoolExecutor(jobs, context, _begin, (stop,)) as pool:
        try:
            yield run
        finally:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)


# ---- results ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Contestant:
    """The figures of one player, or of two that are a team.

    `wins` is a share of the matches.  A game: `points`, with the standard `deviation` from
    game to game, `cards`, `basras`, `jack_basras`, and `majorities`, the share of the games
    in which it had the most cards alone.  `time` is the mean time of a play, in seconds.
    """

    name: str
    won: int
    wins: Figure | None
    points: Figure | None
    deviation: float | None
    cards: Figure | None
    basras: Figure | None
    jack_basras: Figure | None
    majorities: Figure | None
    plays: int
    time: float | None


@dataclass(frozen=True)
class Result:
    """What many matches, or single games, said.

    `asked` is how many were to be played, `matches` how many were; `units` how many seeds;
    `draws` how many nobody won, which single games can be.  `games_a_match` is a mean;
    `first_ahead` is how many points a game the seat after the dealer is ahead of the mean of
    the others; `bars` is how often the points of the first contestant, less the mean of the
    others', lay from each number up to less than `BUCKET` more: in a match the totals.
    """

    seed: str
    rules: Rules
    seats: Seats
    single_games: bool
    paired: bool
    asked: int
    matches: int
    units: int
    games: int
    draws: int
    contestants: tuple[Contestant, ...]
    games_a_match: Figure | None
    first_ahead: Figure | None
    bars: tuple[tuple[int, int], ...]

    @property
    def whole(self) -> bool:
        """Say whether all was played: it was not interrupted."""
        return self.matches == self.asked

    def to_json(self) -> dict[str, Any]:
        """Return the figures as JSON has them, rounded to six places; times stand in `timing`."""
        return {
            "seed": self.seed,
            "rules": self.rules.name,
            "set": dict(self.rules.differences()),
            "seats": self.seats.count,
            "teams": self.seats.teams,
            "single_games": self.single_games,
            "paired": self.paired,
            "asked": self.asked,
            "matches": self.matches,
            "units": self.units,
            "games": self.games,
            "draws": self.draws,
            "contestants": [
                {
                    "name": one.name,
                    "won": one.won,
                    "deviation": None if one.deviation is None else round(one.deviation, 6),
                    "plays": one.plays,
                    **{what: _rounded(getattr(one, what)) for what in _FIGURES},
                }
                for one in self.contestants
            ],
            "games_a_match": _rounded(self.games_a_match),
            "first_ahead": _rounded(self.first_ahead),
            "difference": [{"from": low, "matches": often} for low, often in self.bars],
            "timing": {"seconds_a_play": [one.time for one in self.contestants]},
        }


_FIGURES = ("wins", "points", "cards", "basras", "jack_basras", "majorities")


def _rounded(figure: Figure | None) -> dict[str, float] | None:
    if figure is None:
        return None
    return {"mean": round(figure.mean, 6), "low": round(figure.low, 6), "high": round(figure.high, 6)}


def _deviation(account: Account) -> float | None:
    games, points = account.points.x, account.points.y
    if games < 2:
        return None
    return sqrt((account.squares * games - points**2) / (games * (games - 1)))


def _contestant(name: str, account: Account) -> Contestant:
    return Contestant(
        name=name,
        won=account.wins.y,
        wins=account.wins.share(),
        points=account.points.figure(signed=False),
        deviation=_deviation(account),
        cards=account.cards.figure(signed=False),
        basras=account.basras.figure(signed=False),
        jack_basras=account.jack_basras.figure(signed=False),
        majorities=account.majorities.share(),
        plays=account.plays,
        time=account.nanoseconds / account.plays / 1e9 if account.plays else None,
    )


def _result(work: Work, tally: Tally, asked: int, paired: bool) -> Result:
    names = [player if isinstance(player, str) else player.name for player in work.players]
    of_sides = [work.seats.of_side(side) for side in range(1, work.seats.sides + 1)]
    return Result(
        seed=work.seed,
        rules=work.rules,
        seats=work.seats,
        single_games=work.games,
        paired=paired,
        asked=asked,
        matches=tally.matches,
        units=tally.games.units,
        games=tally.games.y,
        draws=tally.draws,
        contestants=tuple(
            _contestant("+".join(dict.fromkeys(names[seat - 1] for seat in seats)), account)
            for seats, account in zip(of_sides, tally.accounts)
        ),
        games_a_match=tally.games.figure(),
        first_ahead=tally.first.figure(work.seats.sides - 1),
        bars=tuple((bar * BUCKET, tally.bars[bar]) for bar in sorted(tally.bars)),
    )


def _table(players: Sequence[str | Player], seats: Seats | None) -> tuple[tuple[str | Player, ...], Seats]:
    """Return who sits at each seat: players one a seat, or one a side."""
    seats = seats or Seats(len(players))
    if len(players) == seats.sides:
        return tuple(players[seats.side(seat) - 1] for seat in range(1, seats.count + 1)), seats
    if len(players) == seats.count:
        return tuple(players), seats
    raise Unreadable(
        "{given} players do not fill {seats} seats: one a seat, or one a side, is needed",
        given=len(players),
        seats=seats.count,
    )


def simulate(
    players: Sequence[str | Player],
    n: int,
    *,
    games: bool = False,
    rules: Rules = Rules(),
    seats: Seats | None = None,
    seed: str | None = None,
    paired: bool = True,
    jobs: int = 1,
    executor: Executor | None = None,
    records: str | Path | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Result:
    """Play `n` matches, or single `games`, between players, and return the figures.

    >>> result = simulate(["greedy", "random"], 20, seed="42")
    >>> result.matches, [one.won for one in result.contestants]
    (20, [20, 0])

    Players go by name, one a seat or one a side.  Paired, each seed is played in every
    arrangement that differs, and `n` is rounded up to whole units.  Without a seed one is
    made.  `jobs` is the number of processes; an `executor` takes their place: it is given a
    function and ranges of units, and yields what the function returns for each, in any order.
    `records` is a folder, made if need be, that gets each match as a record.  `progress` is
    called with how many matches have been played and how many there are.

    An interrupt ends it early: the result says what was done so far, and is not `whole`.
    Raises `Unreadable` for players, numbers or a seed that do not fit, what a player raises,
    and `Illegal` for a play of one that is.
    """
    if n < 1:
        raise Unreadable("{n} matches cannot be played: at least one is needed", n=n)
    if jobs < 1:
        raise Unreadable("{jobs} processes cannot work: at least one is needed", jobs=jobs)
    table, seats = _table(players, seats)
    for player in table:
        if isinstance(player, str):
            find(player)
    turns = _arrangements(table, paired)
    units = -(-n // len(turns))
    seed = new_seed() if seed is None else check_text("the seed", seed)
    check_text("the seed of the last match", f"{seed}/{units - 1}")
    folder = None if records is None else Path(records)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    work = Work(table, rules, seats, seed, games, turns, folder)
    tally = work.nothing()
    asked = units * len(turns)
    with suppress(KeyboardInterrupt), _parts(work, units, jobs, executor) as parts:
        for part in parts:
            tally += part
            if progress is not None:
                progress(tally.matches, asked)
    return _result(work, tally, asked, paired)


@contextmanager
def _parts(work: Work, units: int, jobs: int, executor: Executor | None) -> Iterator[Iterable[Tally]]:
    chunks = (range(at, min(at + _CHUNK, units)) for at in range(0, units, _CHUNK))
    if executor is not None:
        yield executor(work, chunks)
    elif jobs == 1 or units <= 1:
        yield work.each(range(units))
    else:
        with processes(jobs) as run:
            yield run(work, chunks)
