"""Many matches between computer players, and what they say, with intervals.

Match *i* is dealt from a seed of its own, `SEED/i`, so that `basra pack` works any of its
deals out again.  Paired, every seed is played again with all players moved on by a seat, until
each has sat everywhere, so that the luck of the cards cancels; who sits before whom stays as
given.  The matches of one seed are then one observation, a *unit*; intervals are those of
independent units.

All that is added up are whole numbers, and they are added exactly: the figures depend on
seed, players, rules and number alone, not on how the work was shared out.  Only the times
are those of the machine.

A program from outside that fails, see `PlayerFailed`, has lost the match that it was playing,
at its own turn; where there are more than two sides, nobody has won it.
"""

from __future__ import annotations

import errno
import os
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from time import perf_counter, perf_counter_ns

from .cards import check_text, visible
from .engine import Count, Match, Seats
from .errors import PlayerFailed, Unreadable, about
from .executors import BrokenOff, Executor, processes
from .players import Chance, Player, find, seated
from .results import BUCKET, Account, Failure, Result, Tally, contestant
from .rules import Rules
from .shuffle import new_seed, player_seed
from .view import View

_CHUNK = 0.5  # seconds of work that an executor is given at a time
_END = 32  # the part of what is left that it is given at most, so that all end together


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

    It can be sent to another process.
    """

    players: tuple[str | Player, ...]  # one a seat
    given: int  # how many of them: the first ones, those of a side again at its other seats
    rules: Rules
    seats: Seats
    seed: str
    games: bool
    turns: tuple[int, ...]
    records: Path | None = None

    def __call__(self, units: range) -> Tally:
        """Play the units and return their tally.  Raises `BrokenOff`."""
        done: list[Tally] = []
        try:
            done.extend(self.each(units))
        except KeyboardInterrupt:
            raise BrokenOff(self.together(done)) from None
        return self.together(done)

    def together(self, tallies: Iterable[Tally]) -> Tally:
        """Return one tally of all."""
        return reduce(Tally.__iadd__, tallies, self.nothing())

    def nothing(self) -> Tally:
        """Return the tally of no units."""
        return Tally([Account() for _ in range(self.seats.sides)])

    def each(self, units: range) -> Iterator[Tally]:
        """Play the units and yield the tally of each."""
        players = self.found()
        luck = Luck()
        with ExitStack() as stack:
            for player in players:
                stack.callback(player.close)
                with suppress(PlayerFailed):  # it is started again when it has to choose
                    player.start()
            for unit in units:
                began = perf_counter()
                tally = self._unit(unit, players, luck)
                tally.seconds = perf_counter() - began
                yield tally

    def found(self) -> list[Player]:
        """Return who sits at each seat."""
        return [find(player) if isinstance(player, str) else player for player in self.players]

    def _unit(self, unit: int, players: list[Player], luck: Luck) -> Tally:
        count = self.seats.count
        tally = self.nothing()
        sums = [Counter[str]() for _ in tally.accounts]  # of this unit, a contestant
        games = with_games = first = won = by_majority = 0
        for turn in self.turns:
            there = [(seat + turn) % count for seat in range(count)]  # who sits at each seat
            of_seat = [self.seats.side(player + 1) - 1 for player in there]  # the contestant of each
            of_side = [of_seat[self.seats.of_side(side)[0] - 1] for side in range(1, self.seats.sides + 1)]
            match, failure = self._play(
                unit, [players[at] for at in there], [tally.accounts[at] for at in of_seat], luck
            )
            if failure is not None:
                failed = there[match.game.turn - 1] % self.given
                tally.failed[failed, failure.how] += 1
                tally.failure.setdefault(failed, (unit, turn, visible(str(failure), 200)))
            self._write(unit, turn, match, [players[at].name for at in there])
            for game, counted in zip(match.games, match.counts):
                first += self._ahead(counted.points, self.seats.side(self.seats.after(game.dealer)))
                for side, at in enumerate(of_side):
                    self._count(counted, side, sums[at])
                    tally.accounts[at].squares += counted.points[side] ** 2
            games += len(match.counts)
            with_games += bool(match.counts)
            winner = self._winner(match, given_up=failure is not None)
            if winner:
                sums[of_side[winner - 1]]["wins"] += 1
                if self.rules.majority and failure is None:
                    won += 1
                    by_majority += self._by_majority(match, winner)
            else:
                tally.draws += 1
            if match.counts:
                one = of_side.index(0) + 1
                tally.bars[self._ahead(match.totals, one) // (self.seats.sides - 1) // BUCKET] += 1
        tally.units = 1
        tally.matches = len(self.turns)
        tally.games.add(games, with_games)
        tally.by_majority.add(by_majority, won)
        tally.first.add(first, games)
        for account, counted_up in zip(tally.accounts, sums):
            account.wins.add(counted_up["wins"], tally.matches)
            for what in ("points", "cards", "basras", "jack_basras", "majorities"):
                getattr(account, what).add(counted_up[what], games)
        return tally

    def _play(
        self, unit: int, players: list[Player], accounts: list[Account], luck: Luck
    ) -> tuple[Match, PlayerFailed | None]:
        """Play a match; a player that fails gives it up, at its turn."""
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
                try:
                    play = players[seat - 1].choose(view, luck)
                except PlayerFailed as failure:
                    if self.seats.sides == 2:
                        match.resign()
                    return match, failure
                account.nanoseconds += perf_counter_ns() - began
                account.plays += 1
                match.play(play)
            if self.games:
                break
        return match, None

    def _ahead(self, points: tuple[int, ...], side: int) -> int:
        """Return how far a side is ahead of the mean of the others, times the number of those."""
        return self.seats.sides * points[side - 1] - sum(points)

    def _winner(self, match: Match, *, given_up: bool) -> int:
        """Return the side that has won the match, or the only game; 0 if nobody has."""
        if given_up:
            return match.outcome.winner if match.outcome else 0
        most = max(match.totals)
        return match.totals.index(most) + 1 if match.totals.count(most) == 1 else 0

    @staticmethod
    def _by_majority(match: Match, winner: int) -> bool:
        """Say whether the winner would not be ahead but for points for the majority."""
        others = [
            sum(item.points[side] for count in match.counts for item in count.items if item.key != "majority")
            for side in range(len(match.totals))
        ]
        return others.pop(winner - 1) <= max(others)

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
        try:
            with about(str(path)):
                path.write_text("".join(lines(record)), encoding="utf-8", newline="")
        except OSError:
            path.unlink(missing_ok=True)
            raise


class Gathering:
    """What has come in of the work, and what is still to be given out."""

    def __init__(self, work: Work, units: int) -> None:
        self.work = work
        self.units = units
        self.parts: list[Tally] = []
        self.played = 0  # units
        self.seconds = 0.0

    def add(self, part: Tally) -> None:
        """Add a tally; an interrupt at any time leaves whole what there is."""
        self.parts.append(part)
        self.played += part.units
        self.seconds += part.seconds
        if len(self.parts) > 100:
            self.parts = [self.tally]

    @property
    def tally(self) -> Tally:
        """Return the tally of all that has come in."""
        return self.work.together(self.parts)

    def ranges(self) -> Iterator[range]:
        """Give out the units, as many at a time as the time that they take asks for."""
        at = 0
        while at < self.units:
            each = self.seconds / self.played if self.played else _CHUNK
            size = max(1, min(int(_CHUNK / each) if each else self.units, (self.units - at) // _END))
            yield range(at, min(at + size, self.units))
            at += size

    def run(self, jobs: int, executor: Executor | None, progress: Callable[[int, int], object]) -> None:
        """Have all played; an interrupt ends it early."""
        size = len(self.work.turns)
        with closing(self._all(jobs, executor)) as parts:
            try:
                progress(0, self.units * size)
                for part in parts:
                    self.add(part)
                    progress(self.played * size, self.units * size)
            except KeyboardInterrupt as interrupt:
                if isinstance(interrupt, BrokenOff):
                    self.add(interrupt.done)
                with suppress(KeyboardInterrupt, StopIteration):
                    self.add(parts.throw(interrupt))
                    for part in parts:
                        self.add(part)

    def _all(self, jobs: int, executor: Executor | None) -> Generator[Tally, None, None]:
        if executor is not None:
            yield from executor(self.work, self.ranges())
        elif jobs == 1 or self.units <= 1:
            yield from self.work.each(range(self.units))
        else:
            with processes(jobs) as run:
                yield from run(self.work, self.ranges())


# ---- many matches ----------------------------------------------------------------------


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
        units=tally.units,
        games=tally.games.y,
        draws=tally.draws,
        contestants=tuple(
            contestant("+".join(dict.fromkeys(names[seat - 1] for seat in seats)), account)
            for seats, account in zip(of_sides, tally.accounts)
        ),
        by_majority=tally.by_majority.share(),
        games_a_match=tally.games.figure(least=1),
        first_ahead=tally.first.figure(work.seats.sides - 1),
        bars=tuple((bar * BUCKET, tally.bars[bar]) for bar in sorted(tally.bars)),
        failures=tuple(
            Failure(player + 1, names[player], how, matches, tally.failure[player][2])
            for (player, how), matches in sorted(tally.failed.items())
        ),
    )


def _table(players: Sequence[str | Player], seats: Seats | None) -> tuple[tuple[str | Player, ...], Seats]:
    """Return who sits at each seat: players one a seat, or one a side."""
    if isinstance(players, str):
        raise Unreadable("players are several names, not {name} alone", name=players)
    if seats is None and not 2 <= len(players) <= 4:
        raise Unreadable("a table needs 2, 3 or 4 players, not {given}", given=len(players))
    seats = seats or Seats(len(players))
    if len(players) == seats.sides:
        return tuple(players[seats.side(seat) - 1] for seat in range(1, seats.count + 1)), seats
    if len(players) == seats.count:
        return tuple(players), seats
    raise Unreadable(
        "{seats} seats need a player each, or one a side, not {given}",
        seats=seats.count,
        given=len(players),
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

    Players go by name, one a seat or one a side.  Paired, each seed is played again with all
    moved on by a seat, as long as that differs, and `n` is rounded up to whole units.  Without a seed one is
    made.  `jobs` is the number of processes: a script that asks for more than one does so below
    `if __name__ == "__main__":`, as `multiprocessing` wants it.  An `executor` takes their place:
    it is given a function and ranges of units, and yields what the function returns for each, in
    any order; see `basra.executors`.
    `records` is a folder, made if need be, that gets each match as a record; there must be none
    of a simulation in it yet.  `progress` is called with how many matches have been played,
    at first none, and how many there are.

    An interrupt ends it early: the result says what was done so far, and is not `whole`.
    Raises `Unreadable` for players, numbers or a seed that do not fit, or rules by which nobody
    can score, `PlayerFailed` for a program that cannot be started at all, what any other player
    raises, `Illegal` for a play of one that is, and `OSError`.
    """
    if n < 1:
        raise Unreadable("{n} matches cannot be played: at least one is needed", n=n)
    if jobs < 1:
        raise Unreadable("{jobs} processes cannot work: at least one is needed", jobs=jobs)
    table, seats = _table(players, seats)
    rules = rules.playable()
    for player in table:
        if isinstance(player, str):
            find(player)
    turns = _arrangements(table, paired)
    units = -(-n // len(turns))
    seed = new_seed() if seed is None else check_text("the seed", seed)
    check_text("the seed of the last match", f"{seed}/{units - 1}")
    folder = None if records is None else Path(records).absolute()
    if folder is not None:
        if folder.exists() and not folder.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), folder)
        folder.mkdir(parents=True, exist_ok=True)
        old = min(folder.glob("[0-9]" * 7 + "-[0-9].basra"), default=None)
        if old:
            raise FileExistsError(errno.EEXIST, "it is there already; other records need another folder", old)
    work = Work(table, len(players), rules, seats, seed, games, turns, folder)
    if executor is None:  # else the players may be elsewhere
        with seated(work.found()):
            pass
    gathering = Gathering(work, units)
    gathering.run(jobs, executor, progress or (lambda _done, _all: None))
    return _result(work, gathering.tally, units * len(turns), paired)
