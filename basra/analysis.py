"""What a play is worth, which is best and why, and what the plays of a record have cost.

A play is judged by what its seat could know when it was made.  In the last deal of two seats
every hand is known, and what is said of it is exact.  Elsewhere the plays are tried on samples
of the cards that are hidden, in batches: the spread between the batches tells how far the
figures can be trusted.  Nothing hangs on a clock: the same record gets the same analysis.

Points are those from a play to the end of its game, less those of the average other side, the
majority with its chance: a play that costs 3 points makes the expected lead smaller by 3.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from .captures import Play
from .engine import Match, Seats
from .players import master
from .players.hard import all_known, last_deal
from .players.thinking import think
from .reasons import Reason, alike, why
from .record import Record
from .shuffle import player_seed
from .view import View

BATCHES, SAMPLES = 16, 16  # so many times, so many samples
LEAST = 1.0  # points: what costs less is no error
SURE = 3.0  # nor is what costs less than so many of its standard errors


# ---- the worth of plays ------------------------------------------------------------------


@dataclass(frozen=True)
class Valued:
    """A play and the points to expect after it, less those of the average other side."""

    play: Play
    points: float


@dataclass(frozen=True)
class Values:
    """The plays of a view with their worth, the best first; none where there is no choice.

    Of plays that come to the same there is only one.  With `exact` the points are certain.
    `batches` has the mean of each batch for each of the plays, on the same samples.
    """

    plays: tuple[Valued, ...]
    exact: bool
    batches: tuple[tuple[float, ...], ...] = ()

    def cost(self, play: Play, best: Play) -> tuple[float, float]:
        """Return what a play costs against another, and the standard error of that, in points."""
        at = {valued.play: place for place, valued in enumerate(self.plays)}
        if play == best or not self.plays:
            return 0.0, 0.0
        one, other = at[play], at[best]
        cost = self.plays[other].points - self.plays[one].points
        number = len(self.batches[one])
        if number == 1:
            return cost, 0.0
        squares = sum((b - a - cost) ** 2 for a, b in zip(self.batches[one], self.batches[other]))
        return cost, sqrt(squares / (number * (number - 1)))


def value(view: View, rng: random.Random, made: Play | None = None) -> Values:
    """Value the plays of the seat of a view, at its turn; `made` is among them, whatever it promises."""
    exact = all_known(view)
    if len({alike(play, view) for play in view.legal_plays()}) == 1:
        return Values((), exact)
    batches: dict[Play, list[float]] = {}
    if exact:
        batches = {play: [float(points)] for points, play in last_deal(view, every=True)}
    else:
        also = () if made is None else (made,)
        for _ in range(BATCHES):
            for thought in think(view, rng, SAMPLES, likely=True, batch=SAMPLES, also=also):
                batches.setdefault(thought.play, []).append(thought.worth)
    worth = {play: sum(means) / len(means) for play, means in batches.items()}
    best: dict[object, Play] = {}
    for play in sorted(worth, key=lambda play: -worth[play]):
        best.setdefault(alike(play, view), play)
    found = []
    for key, play in best.items():
        shown = made if made is not None and alike(made, view) == key else play
        found.append((Valued(shown, worth[play]), tuple(batches[play])))
    return Values(tuple(valued for valued, _ in found), exact, tuple(means for _, means in found))


def _generator(seed: str | None, view: View) -> random.Random:
    """Return the generator of a place in a match, as a player there would have it."""
    return random.Random(player_seed(seed or "", view.seat, view.game, len(view.plays)))


# ---- advice ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Advice:
    """The play that the strongest player would choose, why, and what the best plays promise.

    `plays` has up to three, the best first, which is the play itself; it is empty where no
    other comes into question.  With `exact` their points are certain.
    """

    play: Play
    reason: Reason
    plays: tuple[Valued, ...]
    exact: bool


def advise(view: View, seed: str | None = None) -> Advice:
    """Advise the seat of a view, at its turn, in a match with this seed.

    The points are those by which the play is chosen.  It takes up to a second; an interrupt
    passes through it.
    """
    exact = all_known(view)
    if exact:
        found = [Valued(play, points) for points, play in last_deal(view, every=True)]
    else:
        found = [Valued(play, worth) for play, worth in master.weigh(view, _generator(seed, view))]
    best: dict[object, Valued] = {}
    for valued in found:
        best.setdefault(alike(valued.play, view), valued)
    plays = tuple(best.values())[:3]
    play = plays[0].play
    others = [valued.play for valued in plays[1:]]
    others += [each for each in view.legal_plays() if alike(each, view) != alike(play, view)]
    reason = why(view, play, others[0] if others else None, exact=exact)
    return Advice(play, reason, plays if len(plays) > 1 else (), exact)


# ---- the plays of a record ---------------------------------------------------------------


@dataclass(frozen=True)
class Verdict:
    """A play of a record and what it cost.

    `number` is its place in its game, from 1; `best` what would have been best, the play
    itself where nothing is better; `cost` in points; `noise` is its standard error, 0 where
    it is exact.  It is an `error` if the cost is at least `LEAST` and at least `SURE` times
    the noise; then `reason` tells why the other is better.
    """

    view: View
    number: int
    play: Play
    values: Values
    best: Play
    cost: float
    noise: float
    error: bool
    reason: Reason | None


@dataclass(frozen=True)
class Summary:
    """What decided a game, or a whole match: errors, or luck.  One entry a side.

    `points` are those counted; `errors` counts the plays that cost points, `lost` adds up what
    they cost.  `luck` is the rest, in points: the lead over the average other side, less what
    the errors explain, which is what those of the others gave (shared out where there are
    several others) less the own ones.  So it is what the cards brought, with all that is too
    small to be marked; and where a seat was not judged, the errors of that seat too.  Of two
    sides one has the luck that the other has not.

    A game that was not finished has errors, but neither points nor luck.
    """

    points: tuple[int, ...] | None
    errors: tuple[int, ...]
    lost: tuple[float, ...]
    luck: tuple[float, ...] | None

    @staticmethod
    def of_game(points: tuple[int, ...] | None, errors: tuple[int, ...], lost: tuple[float, ...]) -> Summary:
        """Sum up a game: work out what was luck."""
        if points is None:
            return Summary(None, errors, lost, None)
        sides = range(len(points))
        luck = tuple(_lead(points, side) + _lead(lost, side) for side in sides)
        return Summary(points, errors, lost, luck)

    @staticmethod
    def of_match(games: Sequence[Summary], seats: Seats) -> Summary:
        """Sum up a match: errors of all its games, points and luck of those that were finished."""
        points = [game.points for game in games if game.points is not None]
        luck = [game.luck for game in games if game.luck is not None]
        return Summary(
            _added(points) if points else None,
            _added([(0,) * seats.sides, *(game.errors for game in games)]),
            _added([(0.0,) * seats.sides, *(game.lost for game in games)]),
            _added(luck) if luck else None,
        )


def _lead(figures: tuple[float, ...], side: int) -> float:
    """Return how much a side has more than the average of the others."""
    return figures[side] - (sum(figures) - figures[side]) / (len(figures) - 1)


def _added(rows: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
    return tuple(map(sum, zip(*rows)))


@dataclass(frozen=True)
class Analysis:
    """A record gone through: the verdicts on the plays of `seats`, the games, and the match."""

    seats: tuple[int, ...]
    verdicts: tuple[Verdict, ...]
    games: tuple[Summary, ...]
    match: Summary

    @property
    def complete(self) -> bool:
        """Say whether every seat was judged, so that luck has nobody's errors in it."""
        return not self.verdicts or len(self.seats) == self.verdicts[0].view.seats.count


def judge(view: View, play: Play, seed: str | None = None) -> Verdict:
    """Judge a play that was made from a view, in a match with this seed."""
    values = value(view, _generator(seed, view), play)
    best = values.plays[0].play if values.plays else play
    cost, noise = values.cost(play, best)
    if not cost:
        best = play
    error = _is_error(cost, noise)
    reason = why(view, best, play, exact=values.exact) if error else None
    return Verdict(view, len(view.plays) + 1, play, values, best, cost, noise, error, reason)


def _is_error(cost: float, noise: float) -> bool:
    return cost >= LEAST and cost >= SURE * noise


def analyse(
    record: Record,
    seats: Collection[int] = (),
    progress: Callable[[int, int], object] = lambda _done, _total: None,
) -> Analysis:
    """Judge every play of a record, or those of some seats.

    `progress` is called at first and after each play with how many are judged and how many
    there are to judge.  An interrupt passes through.
    """
    match = record.match
    judged = tuple(seats) or tuple(range(1, match.seats.count + 1))
    places = [(view, play) for view, play in _places(record) if view.seat in judged]
    verdicts = []
    progress(0, len(places))
    for view, play in places:
        verdicts.append(judge(view, play, match.seed))
        progress(len(verdicts), len(places))
    games = []
    for number in range(1, len(match.games) + 1):
        points = match.counts[number - 1].points if number <= len(match.counts) else None
        own = [verdict for verdict in verdicts if verdict.view.game == number]
        games.append(_sum_up(points, own, match.seats))
    whole = Summary.of_match(games, match.seats)
    return Analysis(judged, tuple(verdicts), tuple(games), whole)


def _sum_up(points: tuple[int, ...] | None, verdicts: list[Verdict], seats: Seats) -> Summary:
    errors, lost = [0] * seats.sides, [0.0] * seats.sides
    for verdict in verdicts:
        if verdict.error:
            errors[verdict.view.side - 1] += 1
            lost[verdict.view.side - 1] += verdict.cost
    return Summary.of_game(points, tuple(errors), tuple(lost))


def _places(record: Record) -> Iterator[tuple[View, Play]]:
    """Play a record again: yield each play with what its seat could know before it."""
    told = record.match
    match = Match(told.rules, told.seats, names=told.names, seed=told.seed, cut=told.cut, dealer=told.dealer)
    for number, game in enumerate(told.games):
        match.begin_game(None if told.seed is not None else told.packs[number])
        for play in game.plays:
            yield View.of(match, match.game.turn), play
            match.play(play)
