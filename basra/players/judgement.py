"""What a play promises, judged at a glance: gains now, and what it leaves to the next seat.

This is what `hard` and `master` play their samples out with, and `normal` uses a part of it.  It
looks at one play only and never ahead, so it is quick; everything that depends on the ground
alone is kept in bounded tables that fill themselves.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from ..captures import Captures, Play, bonus, card_points, kind_of
from ..cards import FULL, KOMI, Cards, of_rank
from ..rules import Rules
from ..view import View

_KOMI_BIT: Cards = 1 << KOMI
_TWO_OF_CLUBS: Cards = 1 << 1
_TEN_OF_DIAMONDS: Cards = 1 << 22
_KINDS: list[Cards] = [*(of_rank(number) & ~_KOMI_BIT for number in range(1, 14)), _KOMI_BIT]


class Weights(NamedTuple):
    """What is worth how many points; cards as if the majority were 30 points.

    `card` a card in the pile; `keep_jack` and `keep_komi` one that sweeps, still in hand; for
    each card that the next seat may hold, `risk_points` of the points and `risk_cards` a card
    that it would take; `own_points` and `own_cards` the same for the best card that stays in
    hand; `clear` a ground that is taken whole.
    """

    card: float
    keep_jack: float
    keep_komi: float
    risk_points: float
    risk_cards: float
    own_points: float
    own_cards: float
    clear: float


# For each kind of card that can take something of a ground: the cards, the loss if the next
# seat holds one of them, the gain if one stays in hand; the largest gain first.
Threats = tuple[tuple[Cards, float, float], ...]


class Judged(NamedTuple):
    """A play of a card on a ground, and what can be said of it whoever holds what.

    Its `value`, less what it leaves to others; the `threats` on the ground that it leaves;
    the `points` that it makes at once; and the ground `after` it.
    """

    play: Play
    value: float
    threats: Threats
    points: int
    after: Cards


def _spread() -> tuple[int, ...]:
    """Turn a set of ranks of one suit into a count of each rank, four bits each."""
    table = [0]
    for ranks in range(1, 1 << 13):
        lowest = ranks & -ranks
        table.append(table[ranks ^ lowest] + (1 << 4 * (lowest.bit_length() - 1)))
    return tuple(table)


_COUNTS = _spread()


class Judgement:
    """The judgement under one rule set with one set of weights; `Judgement.under` gives it.

    `sweepers` are the jacks, and the komi where it sweeps; `pointed` says whether single cards
    are worth points; `per_card` is by how much the majority makes a card count.
    """

    SIZE = 1 << 15  # grounds kept, and cards with the ground that they are played to
    CAPTURES = 16  # how many captures of a card are looked at, the largest first

    def __init__(self, rules: Rules, weights: Weights) -> None:
        self.rules = rules
        self.weights = weights
        self.captures = Captures.under(rules)
        self.per_card = rules.majority / 30
        self.sweepers = self.captures.sweepers
        self._keep_jack = weights.keep_jack * self.per_card
        self._keep_komi = weights.keep_komi * self.per_card
        # Only these are told apart from the other cards of their rank.
        self._special = _KOMI_BIT
        self._special |= _TWO_OF_CLUBS if rules.two_of_clubs else 0
        self._special |= _TEN_OF_DIAMONDS if rules.ten_of_diamonds else 0
        self.pointed = bool(rules.ace or rules.jack or rules.two_of_clubs or rules.ten_of_diamonds)
        # Then what takes less than the whole ground is no threat, and need not be found.
        self._only_basras = not (self.pointed or weights.risk_cards or weights.own_cards)
        self._size = self.SIZE // 2 if self._only_basras else self.SIZE  # quick to find again
        self._threats: dict[int, Threats] = {}
        self._plays: dict[tuple[Cards, Cards], tuple[Judged, ...]] = {}

    @staticmethod
    def under(rules: Rules, weights: Weights) -> Judgement:
        """Return the judgement of a rule set."""
        return _under(rules, weights)

    def best(
        self,
        hand: Cards,
        ground: Cards,
        unseen: Cards,
        chance: float,
        tried: list[tuple[float, Judged]] | None = None,
    ) -> Judged:
        """Return the legal play of a hand that promises most; among equals, the first.

        `unseen` are the cards that may be against it, `chance` how likely it is that the
        next seat holds any one of them.  What every play promises is added to `tried`.
        """
        best, most = None, -1e9
        plays, sweepers = self._plays, self.sweepers
        rest = hand
        while rest:
            bit = rest & -rest
            rest ^= bit
            stays = hand ^ bit
            kept = 0.0
            if stays and bit & sweepers:
                kept = self._keep_komi if bit == _KOMI_BIT else self._keep_jack
            for judged in plays.get((bit, ground)) or self._judge(bit, ground):
                value = judged[1] - kept
                threats = judged[2]
                if threats:
                    loss = own = 0.0
                    for cards, cost, gain in threats:
                        if cards & unseen:
                            loss += (cards & unseen).bit_count() * cost
                        if gain > own and cards & stays:
                            own = gain
                    value += own - loss * chance
                if tried is not None:
                    tried.append((value, judged))
                if value > most:
                    best, most = judged, value
        assert best is not None
        return best

    def threats(self, ground: Cards) -> Threats:
        """Return what can take something of a ground."""
        key = (
            _COUNTS[ground & 0x1FFF]
            + _COUNTS[ground >> 13 & 0x1FFF]
            + _COUNTS[ground >> 26 & 0x1FFF]
            + _COUNTS[ground >> 39]
        ) | (ground & self._special) << 52
        threats = self._threats.get(key)
        if threats is None:
            if len(self._threats) >= self._size:
                self._threats.clear()
            threats = self._threats[key] = self._find_threats(ground)
        return threats

    def _find_threats(self, ground: Cards) -> Threats:
        if not ground:
            return ()
        weights, found = self.weights, dict[tuple[float, float], Cards]()
        takers = self.captures.takers(ground) if self._only_basras else FULL
        for kind in _KINDS:
            away = kind & takers & ~ground
            if not away:
                continue
            card = away.bit_length() - 1  # any of the kind will do, as long as it is not the komi
            take = ground if self._only_basras else self.captures.plays(card, ground)[0].take
            if take:
                points = self.points(Play(card, take), ground)
                cards = (1 + take.bit_count()) * self.per_card
                loss = weights.risk_points * points + weights.risk_cards * cards
                own = weights.own_points * points + weights.own_cards * cards
                if loss or own:
                    found[loss, own] = found.get((loss, own), 0) | kind
        threats = [(kind, loss, own) for (loss, own), kind in found.items()]
        return tuple(sorted(threats, key=lambda threat: (-threat[2], -threat[1])))

    def points(self, play: Play, ground: Cards, last: bool = False) -> int:
        """Return the points of a play: its basra and the cards that it takes; `last` as in `kind_of`."""
        points = 0
        if play.take == ground:
            points = bonus(kind_of(play, ground, self.rules, last=last), self.rules)
        if play.take and self.pointed:
            points += card_points(play.take | 1 << play.card, self.rules)
        return points

    def _judge(self, bit: Cards, ground: Cards) -> tuple[Judged, ...]:
        """Judge the plays of a card by what they take and leave, whoever may hold what."""
        weights, judged = self.weights, list[Judged]()
        for play in self.captures.plays(bit.bit_length() - 1, ground)[: self.CAPTURES]:
            value, points = 0.0, 0
            after = ground ^ (play.take or bit)
            if play.take:
                points = self.points(play, ground)
                value = points + weights.card * self.per_card * (1 + play.take.bit_count())
                if not after:
                    value += weights.clear * self.per_card
            judged.append(Judged(play, value, self.threats(after), points, after))
        if len(self._plays) >= self.SIZE:
            self._plays.clear()
        plays = self._plays[bit, ground] = tuple(judged)
        return plays


def chance_of(view: View, unseen: Cards) -> float:
    """Return how likely it is that the next seat holds any one card that this one cannot place."""
    holds = view.holds[view.seat % len(view.holds)]
    if not holds and view.to_deal:
        holds = 4  # the next deal comes first
    return holds / unseen.bit_count() if holds else 0.0


@cache
def _under(rules: Rules, weights: Weights) -> Judgement:
    return Judgement(rules, weights)
