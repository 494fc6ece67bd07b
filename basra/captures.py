"""What a card can take, and whether that is a basra: the only place that knows.

A *group* for a rank is one ground card of that rank, or the wild komi lying there, or two
or more number cards that add up to it.  A *capture* is a union of groups that share no
card.  Captures are found by ranks first: how many cards of each rank are taken is a small
number (`_Counts`), found once for each pattern of ranks and kept in a bounded table; then
each pattern is spread over the suits that lie there.

Everywhere captures come in one order: those with the most cards first, then the one whose
cards, in the order of the pack, come first.
"""

from __future__ import annotations

from enum import Enum
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

from .cards import (
    JACK,
    JACKS,
    KOMI,
    NUMBERS,
    QUEEN,
    Card,
    Cards,
    in_pack_order,
    name,
    names,
    of_rank,
    rank,
)
from .errors import Illegal
from .rules import Rules

_KOMI_BIT: Cards = 1 << KOMI


class Play(NamedTuple):
    """One card played from hand, with the ground cards that it takes (0: it is dropped).

    Its text is that of a record.

    >>> str(Play(KOMI, 0b11))
    '7D take AC,2C'
    """

    card: Card
    take: Cards = 0

    def __str__(self) -> str:
        return f"{name(self.card)} take {','.join(names(self.take))}" if self.take else name(self.card)


class Kind(Enum):
    """What a play is; the value is its name in JSON."""

    DROP = "drop"
    CAPTURE = "capture"
    BASRA = "basra"
    JACK_BASRA = "jack-basra"


# ---- patterns of ranks -----------------------------------------------------------------

_Counts = int  # how many cards of each rank: four bits a rank, the ace lowest; at most 4 each
_GUARD: _Counts = sum(8 << 4 * place for place in range(13))


def _fits(part: _Counts, whole: _Counts) -> bool:
    """Say whether no rank is in `part` more often than in `whole`.

    The guard bit of each rank is borrowed from exactly where it is.
    """
    return ((whole | _GUARD) - part) & _GUARD == _GUARD


def _one(number: int) -> _Counts:
    return 1 << 4 * (number - 1)


def _sums(total: int, largest: int) -> list[_Counts]:
    """List every way to write `total` as a sum of numbers up to `largest`."""
    if total == 0:
        return [0]
    return [
        _one(number) + rest
        for number in range(min(total, largest), 0, -1)
        for rest in _sums(total - number, number)
    ]


def _in_one_pack(counts: _Counts) -> bool:
    return all(counts >> 4 * place & 15 <= 4 for place in range(13))


_GROUPS: dict[int, list[_Counts]] = {
    number: list(filter(_in_one_pack, _sums(number, number))) for number in range(1, 11)
}
_GROUPS |= {number: [_one(number)] for number in range(JACK, JACK + 3)}


@lru_cache(maxsize=1 << 14)
def _patterns(played: int, ground: _Counts) -> tuple[_Counts, ...]:
    """Return the non-empty unions of groups for a rank, each once, by ranks alone."""
    groups = [group for group in _GROUPS[played] if _fits(group, ground)]
    found = {0}
    fresh = [0]
    while fresh:
        union = fresh.pop()
        for group in groups:
            larger = union + group
            if larger not in found and _fits(larger, ground):
                found.add(larger)
                fresh.append(larger)
    found.remove(0)
    return tuple(found)


# ---- captures of cards -----------------------------------------------------------------


def _as_rank(played: int, ground: Cards) -> set[Cards]:
    """Find every capture as a rank among plain cards: the komi here is a seven."""
    lying: dict[int, list[Cards]] = {}
    counts = 0
    for card in in_pack_order(ground):
        lying.setdefault(rank(card), []).append(1 << card)
        counts += _one(rank(card))
    result: set[Cards] = set()
    for pattern in _patterns(played, counts):
        takes = [0]
        for number, cards in lying.items():
            often = pattern >> 4 * (number - 1) & 15
            if often:
                takes = [take | sum(some) for some in combinations(cards, often) for take in takes]
        result.update(takes)
    return result


def _ordered(takes: set[Cards]) -> list[Cards]:
    return sorted(takes, key=lambda take: (-take.bit_count(), in_pack_order(take)))


class Captures:
    """The captures under one value of each of the keys `komi` and `capture`.

    What a card takes depends only on the part of the ground that it can reach, so answers
    are kept in tables of bounded size that fill themselves.  `Captures.under(rules)` gives
    the one that goes with a rule set.
    """

    SIZE = 1 << 16  # positions kept; some 200 bytes each

    def __init__(self, komi: str, capture: str) -> None:
        self.wild = komi == "wild"
        self.largest = capture == "largest"
        self.sweepers = JACKS | (0 if komi == "plain" else _KOMI_BIT)
        self._reach = tuple(self._reached(card) for card in range(52))
        self._plays = lru_cache(maxsize=self.SIZE)(self._find)

    @staticmethod
    def under(rules: Rules) -> Captures:
        """Return the captures under a rule set."""
        return _captures(rules.komi, rules.capture)

    def plays(self, card: Card, ground: Cards) -> tuple[Play, ...]:
        """List the legal plays of a card: each capture, or the one play that drops it."""
        return self._plays(card, ground & self._reach[card])

    def as_rank(self, played: int, ground: Cards) -> set[Cards]:
        """Find every capture as a rank A to 10, Q or K, the wild komi on the ground included."""
        takes = _as_rank(played, ground & _reached_by(played))
        if self.wild and ground & _KOMI_BIT:
            rest = ground & ~_KOMI_BIT & _reached_by(played)
            takes |= {take | _KOMI_BIT for take in _as_rank(played, rest) | {0}}
        return takes

    def ranks(self, card: Card) -> tuple[int, ...]:
        """List the ranks that a card can be played as by groups: none for one that only sweeps."""
        if card == KOMI and self.wild:
            return (*range(1, 11), QUEEN, QUEEN + 1)
        return () if self.sweepers >> card & 1 else (rank(card),)

    def _reached(self, card: Card) -> Cards:
        if self.sweepers >> card & 1:
            return (1 << 52) - 1
        return _reached_by(rank(card)) | (_KOMI_BIT if self.wild else 0)

    def _find(self, card: Card, ground: Cards) -> tuple[Play, ...]:
        takes = {ground} if ground and self.sweepers >> card & 1 else set()
        for played in self.ranks(card):
            takes |= self.as_rank(played, ground)
        if not takes:
            return (Play(card),)
        if self.largest:
            most = max(take.bit_count() for take in takes)
            takes = {take for take in takes if take.bit_count() == most}
        return tuple(Play(card, take) for take in _ordered(takes))


def _reached_by(played: int) -> Cards:
    if played > 10:
        return of_rank(played)
    return sum(of_rank(number) for number in range(1, played + 1))


@cache
def _captures(komi: str, capture: str) -> Captures:
    return Captures(komi, capture)


# ---- what a play is --------------------------------------------------------------------


def kind_of(play: Play, ground: Cards, rules: Rules, *, last: bool = False) -> Kind:
    """Say what a legal play is: the best that its card and what it takes allow.

    A basra takes every card of the ground by groups; a jack basra is a jack, or the wild
    komi, on a jack that lies alone, or a jack on the wild komi alone.  `last` tells that it
    is the very last play of the game, which `last_card_basra` may rule out.
    """
    card, take = play
    if not take:
        return Kind.DROP
    if take != ground or (last and not rules.last_card_basra):
        return Kind.CAPTURE
    captures = Captures.under(rules)
    if not captures.sweepers >> card & 1:
        return Kind.BASRA
    if card == KOMI and not captures.wild:
        small = not ground & ~NUMBERS and sum(map(rank, in_pack_order(ground))) <= 10
        return Kind.BASRA if small else Kind.CAPTURE
    as_jack = JACKS | (_KOMI_BIT if captures.wild else 0)
    if ground & as_jack and ground.bit_count() == 1:
        return Kind.JACK_BASRA if rules.jack_basra else Kind.CAPTURE
    if any(ground in captures.as_rank(played, ground) for played in captures.ranks(card)):
        return Kind.BASRA
    return Kind.CAPTURE


def bonus(kind: Kind, rules: Rules) -> int:
    """Return the points that a play earns at once: those of its basra, if it is one."""
    return {Kind.BASRA: rules.basra, Kind.JACK_BASRA: rules.jack_basra}.get(kind, 0)


def card_points(cards: Cards, rules: Rules) -> int:
    """Return what the cards of a pile are worth one by one (`ace` to `ten_of_diamonds`)."""
    return sum((cards & which).bit_count() * each for _, which, each in point_cards(rules))


def point_cards(rules: Rules) -> tuple[tuple[str, Cards, int], ...]:
    """List the cards that are worth points: key, the cards, points of each."""
    return (
        ("ace", of_rank(1), rules.ace),
        ("jack", JACKS, rules.jack),
        ("two_of_clubs", 1 << 1, rules.two_of_clubs),
        ("ten_of_diamonds", 1 << 22, rules.ten_of_diamonds),
    )


def choices(plays: tuple[Play, ...], rules: Rules) -> tuple[Play, ...]:
    """Reduce plays to those that need telling apart.

    Choices that play the same card, take the same ranks, hold cards worth the same points
    and agree on the komi are one choice: the first in order.
    """
    different: dict[object, Play] = {}
    for play in plays:
        ranks = tuple(sorted(map(rank, in_pack_order(play.take))))
        same = (play.card, ranks, card_points(play.take, rules), play.take & _KOMI_BIT)
        different.setdefault(same, play)
    return tuple(different.values())


def widest(plays: tuple[Play, ...]) -> tuple[Play, ...]:
    """Leave out each play whose capture another one of the same card contains."""
    kept: list[Play] = []
    for play in plays:
        if not any(play.card == other.card and play.take & ~other.take == 0 for other in kept):
            kept.append(play)
    return tuple(kept)


# ---- how and why -----------------------------------------------------------------------


def worked(play: Play, rules: Rules) -> tuple[Cards, ...]:
    """Return the sums of a capture, each as its number cards; none for one that sweeps.

    Where a capture can be parted in several ways, one of them is given.
    """
    captures = Captures.under(rules)
    for played in captures.ranks(play.card):
        if play.take not in captures.as_rank(played, play.take):
            continue
        alone = of_rank(played) | (_KOMI_BIT if captures.wild else 0)
        # The wild komi may lie alone or be a seven in a sum: cards that need no sum go first.
        for single in (play.take & alone, play.take & of_rank(played)):
            parted = _part(played, play.take & ~single)
            if parted is not None:
                return parted
    return ()


def _part(total: int, cards: Cards) -> tuple[Cards, ...] | None:
    """Part number cards into sums of `total`, or return None where that cannot be done."""
    if not cards:
        return ()
    first = cards & -cards
    rest = in_pack_order(cards ^ first)
    for size in range(1, len(rest) + 1):
        for others in combinations(rest, size):
            group = first | sum(1 << card for card in others)
            if not group & ~NUMBERS and sum(map(rank, in_pack_order(group))) == total:
                parted = _part(total, cards ^ group)
                if parted is not None:
                    return (group, *parted)
    return None


def why_not(play: Play, ground: Cards, rules: Rules) -> Illegal | None:
    """Say why a card cannot be played so on this ground, or return None where it can."""
    captures = Captures.under(rules)
    plays = captures.plays(play.card, ground)
    if play in plays:
        return None
    card, take = play
    missing = take & ~ground
    if missing and ground:
        return Illegal("{missing:cards} is not on the ground: {ground:cards}", missing=missing, ground=ground)
    if missing:
        return Illegal("{missing:cards} is not on the ground: it is empty", missing=missing)
    best = plays[0].take
    if not take:
        return Illegal("{card:card} cannot be dropped: it can take {best:cards}", card=card, best=best)
    if captures.ranks(card) == ():
        return Illegal(
            "{card:card} cannot take {take:cards} alone: it takes the whole ground, {ground:cards}",
            card=card,
            take=take,
            ground=ground,
        )
    if any(take in captures.as_rank(played, ground) for played in captures.ranks(card)):
        return Illegal(
            "{card:card} cannot take {take:cards}: it must take the most cards, as {best:cards}",
            card=card,
            take=take,
            best=best,
        )
    return _no_such_sum(card, take, rules)


def _no_such_sum(card: Card, take: Cards, rules: Rules) -> Illegal:
    """Say which of the cards named are no group for the card played."""
    captures = Captures.under(rules)
    words = {"card": card, "take": take}
    if card == KOMI and captures.wild:
        return Illegal(
            "{card:card} cannot take {take:cards}: no rank takes just these, "
            "and as a jack it takes the whole ground",
            **words,
        )
    played = rank(card)
    wrong = take & ~of_rank(played)
    if captures.wild:
        wrong &= ~_KOMI_BIT
    pictures = wrong & ~NUMBERS
    if played > 10 or pictures or wrong.bit_count() == 1:
        odd = rank(in_pack_order(pictures or wrong)[0])
        return Illegal(
            "{card:card} cannot take {take:cards}: {odd:rank} is not {played:rank}",
            odd=odd,
            played=played,
            **words,
        )
    total = sum(map(rank, in_pack_order(wrong)))
    if total % played:
        return Illegal(
            "{card:card} cannot take {take:cards}: {wrong:sum} is {total}, not {played:rank}",
            wrong=wrong,
            total=total,
            played=played,
            **words,
        )
    return Illegal(
        "{card:card} cannot take {take:cards}: {wrong:cards} cannot be parted into sums of {played:rank}",
        wrong=wrong,
        played=played,
        **words,
    )
