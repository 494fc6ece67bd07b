"""What is added up of many matches, and the figures that come of it.

All that is added up are whole numbers, and they are added exactly, in any order.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from .engine import Seats
from .figures import Figure, Sums
from .rules import Rules

BUCKET = 10  # points that a bar of the histogram is wide


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
    units: int = 0
    matches: int = 0
    draws: int = 0
    games: Sums = field(default_factory=Sums)  # to matches in which one was finished
    by_majority: Sums = field(default_factory=Sums)  # matches decided by it, to matches played out and won
    first: Sums = field(default_factory=Sums)  # points that the seat after the dealer is ahead, to games
    bars: Counter[int] = field(default_factory=Counter)
    failed: Counter[tuple[int, str]] = field(default_factory=Counter)  # by player, from 0, and how
    failure: dict[int, tuple[int, int, str]] = field(default_factory=dict)  # the first of each player
    seconds: float = 0.0  # that it took

    def __iadd__(self, other: Tally) -> Tally:
        for mine, theirs in zip(self.accounts, other.accounts):
            mine += theirs
        self.units += other.units
        self.matches += other.matches
        self.draws += other.draws
        self.games += other.games
        self.by_majority += other.by_majority
        self.first += other.first
        self.bars += other.bars
        self.failed += other.failed
        for player, failure in other.failure.items():
            self.failure[player] = min(failure, self.failure.get(player, failure))
        self.seconds += other.seconds
        return self


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
class Failure:
    """How a program from outside failed, and in how many matches; `first` is about its first failure.

    `player` counts from 1, in the order in which the players were given; `how` is that of
    `PlayerFailed`.
    """

    player: int
    name: str
    how: str
    matches: int
    first: str


@dataclass(frozen=True)
class Result:
    """What many matches, or single games, said.

    `asked` is how many were to be played, `matches` how many were; `units` how many seeds;
    `draws` how many nobody won, which single games can be.  `by_majority` is, of the matches
    that were played to their end and that somebody won, the share whose winner is ahead only
    by points for the majority, if it earns any; `games_a_match` is a mean; `first_ahead` is how
    many points a game the seat after the dealer is ahead of the mean of the others; `bars` is
    how often the points of the first contestant, less the mean of the others', lay from each
    number up to less than `BUCKET` more: in a match the totals.  A match that was given up in
    its first game counts neither there nor in `games_a_match`.
    `failures` are those of programs from outside.
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
    by_majority: Figure | None
    games_a_match: Figure | None
    first_ahead: Figure | None
    bars: tuple[tuple[int, int], ...]
    failures: tuple[Failure, ...] = ()

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
            "by_majority": _rounded(self.by_majority),
            "games_a_match": _rounded(self.games_a_match),
            "first_ahead": _rounded(self.first_ahead),
            "difference": [{"from": low, "matches": often} for low, often in self.bars],
            "failures": [
                {
                    "player": one.player,
                    "name": one.name,
                    "how": one.how,
                    "matches": one.matches,
                    "first": one.first,
                }
                for one in self.failures
            ],
            "timing": {"seconds_a_play": [one.time for one in self.contestants]},
        }


_FIGURES = ("wins", "points", "cards", "basras", "jack_basras", "majorities")


def _rounded(figure: Figure | None) -> dict[str, float | None] | None:
    if figure is None:
        return None
    return {
        what: None if number is None else round(number, 6)
        for what, number in (("mean", figure.mean), ("low", figure.low), ("high", figure.high))
    }


def _deviation(account: Account) -> float | None:
    games, points = account.points.x, account.points.y
    if games < 2:
        return None
    return sqrt((account.squares * games - points**2) / (games * (games - 1)))


def contestant(name: str, account: Account) -> Contestant:
    """Return the figures of an account."""
    return Contestant(
        name=name,
        won=account.wins.y,
        wins=account.wins.share(),
        points=account.points.figure(least=0),
        deviation=_deviation(account),
        cards=account.cards.figure(least=0),
        basras=account.basras.figure(least=0),
        jack_basras=account.jack_basras.figure(least=0),
        majorities=account.majorities.share(),
        plays=account.plays,
        time=account.nanoseconds / account.plays / 1e9 if account.plays else None,
    )
