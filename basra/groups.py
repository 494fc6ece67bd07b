"""Groups of cards, by ranks: what adds up to what.

A *group* for a rank is one card of that rank, or two or more number cards that add up to it;
of a wild komi nothing is known here.  A *union* is made of groups that share no card.

Unions are found by ranks first and then turned into the cards that lie there.  Nearly always
no two of these are alike: then a union is a set of ranks (`Ranks`), found in little time.
Otherwise it is how many cards of each rank it has (`_Counts`), and each is spread over the suits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import combinations

from .cards import JACK, KING, Cards, in_pack_order, of_rank, to_set

Numbers = tuple[int, ...]  # the ranks that a card may be played as

_EACH_RANK = tuple(of_rank(number) for number in range(1, KING + 1))
_SUITS: Cards = of_rank(1)  # times a set of ranks: all the cards of these ranks

Ranks = int  # a set of ranks, a bit a rank, the ace lowest
# `ground % EVERY_RANK` adds up the suits: the ranks that lie there, and as many of them as cards
# unless some are alike, for then a bit is carried.  All thirteen once make 0 and count as alike:
# that is slower, but as right.
EVERY_RANK: Ranks = (1 << 13) - 1
OTHERWISE: Ranks = EVERY_RANK + 1  # where the second half of what `reaches` lists begins
_NUMBER_RANKS: Ranks = (1 << 10) - 1

_Counts = int  # how many cards of each rank: four bits a rank, the ace lowest; at most 4 each
_GUARD: _Counts = sum(8 << 4 * place for place in range(13))
_ONE_OF: tuple[_Counts, ...] = tuple(1 << 4 * (card % 13) for card in range(52))
_ONCE: _Counts = sum(1 << 4 * place for place in range(13))


def _fits(part: _Counts, whole: _Counts) -> bool:
    """Say whether no rank is in `part` more often than in `whole`.

    The guard bit of each rank is borrowed from exactly where it is.
    """
    return ((whole | _GUARD) - part) & _GUARD == _GUARD


def _ranks_in(counts: _Counts) -> Ranks:
    return sum(1 << place for place in range(13) if counts >> 4 * place & 15)


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
_GROUPS |= {number: [_one(number)] for number in range(JACK, KING + 1)}
_UNLIKE: dict[int, list[Ranks]] = {  # those that have no rank twice
    number: [_ranks_in(group) for group in groups if group & _ONCE == group]
    for number, groups in _GROUPS.items()
}


# ---- what can be reached ---------------------------------------------------------------


@cache
def _near(numbers: Numbers) -> Cards:
    """Return the cards that can be in a group for one of the ranks."""
    highest = max((number for number in numbers if number <= 10), default=0)
    pictures = (number for number in numbers if number > 10)
    return sum(map(of_rank, (*range(1, highest + 1), *pictures)))


_NEAR = {number: _near((number,)) for number in _GROUPS}


def ranks_on(ground: Cards) -> Ranks:
    """Return the ranks that lie there, some of them perhaps more than once."""
    return (ground | ground >> 13 | ground >> 26 | ground >> 39) & EVERY_RANK


@cache
def reaches(number: int, standing: Cards = 0) -> tuple[Cards, ...]:
    """List by the set of ranks that lie there the cards that can be in a group for a rank.

    What a card takes depends on these alone.  The first half is for grounds where no two cards
    are alike and none is `standing` for any other.  The second, from `OTHERWISE` on, is for all
    other grounds: it may hold more than can be taken, never less.
    """
    if number > 10:  # no sums, so no need to go through them
        once = often = [0] * (1 << number - 1) + [_NEAR[number]] * (1 << number - 1)
    else:
        once = _within(number, _UNLIKE[number])
        often = _within(number, map(_ranks_in, _GROUPS[number]))
    above = 1 << 13 - number  # ranks above the number make no difference
    return tuple(once * above + [cards | standing for cards in often] * above)


def _within(number: int, groups: Iterable[Ranks]) -> list[Cards]:
    """List by the set of ranks that lie there the cards of all groups within it."""
    cards = [0] * (1 << number)
    for group in groups:
        cards[group] = group * _SUITS
    for one in (1 << place for place in range(number)):
        for ranks in range(1 << number):
            if ranks & one:
                cards[ranks] |= cards[ranks ^ one]
    return cards


# ---- unions ----------------------------------------------------------------------------


_MIRRORED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def _in_pack(take: Cards) -> bytes:
    """Return what is larger the earlier in the pack the cards of one of two captures as large come."""
    return take.to_bytes(7, "little").translate(_MIRRORED)


def in_order(takes: Iterable[Cards]) -> list[Cards]:
    """List captures in order: those with the most cards first, then those that come first in the pack."""
    takes = sorted(takes, key=_in_pack, reverse=True)
    takes.sort(key=int.bit_count, reverse=True)
    return takes


def by_groups(numbers: Numbers, ground: Cards) -> list[Cards]:
    """List every union of groups for one of the ranks, in order."""
    ranks = ground % EVERY_RANK
    if ranks.bit_count() != ground.bit_count():
        return in_order(_spread(numbers, ground & _near(numbers)))
    unions, tied = _unions(numbers, ranks & _NUMBER_RANKS)
    takes = []
    for union in unions:  # mostly none or one: quicker than a list made at once
        takes.append(ground & union)
    if tied:
        takes = in_order(takes)
    single = ground & _own(numbers)
    while single:
        card = single & -single
        takes.append(card)
        single -= card
    return takes


@cache
def _own(numbers: Numbers) -> Cards:
    """Return the cards of these ranks: each is a group alone."""
    return sum(map(of_rank, numbers))


@lru_cache(maxsize=1 << 12)
def _unions(numbers: Numbers, ranks: Ranks) -> tuple[tuple[Cards, ...], bool]:
    """Return every union of two cards or more, where these ranks of number cards lie there once each.

    As all the cards of its ranks, the most first; and whether there are some as large as each other.
    """
    every: set[Ranks] = set()
    for number in numbers:
        found = {0}
        for group in _UNLIKE[number]:
            if group & ranks == group:
                found |= {union | group for union in found if not union & group}
        every |= found
    unions = [union for union in every if union & union - 1]
    unions.sort(key=int.bit_count, reverse=True)
    tied = len(set(map(int.bit_count, unions))) < len(unions)
    return tuple([union * _SUITS for union in unions]), tied


@lru_cache(maxsize=1 << 11)
def _patterns(numbers: Numbers, ground: _Counts) -> tuple[_Counts, ...]:
    """Return every union of groups for one of the ranks, by how many cards of each rank it has."""
    every: set[_Counts] = set()
    for number in numbers:
        groups = [group for group in _GROUPS[number] if _fits(group, ground)]
        found = {0}
        fresh = [0]
        while fresh:
            union = fresh.pop()
            for group in groups:
                larger = union + group
                if larger not in found and _fits(larger, ground):
                    found.add(larger)
                    fresh.append(larger)
        every |= found
    every.discard(0)
    return tuple(every)


def _spread(numbers: Numbers, ground: Cards) -> set[Cards]:
    """Return every union of groups for one of the ranks, spread over the suits."""
    result: set[Cards] = set()
    lying = [(at, ground & cards) for at, cards in enumerate(_EACH_RANK) if ground & cards]
    for pattern in _patterns(numbers, _counts(ground)):
        takes = [0]
        for at, cards in lying:
            often = pattern >> 4 * at & 15
            if often == cards.bit_count():
                takes = [take | cards for take in takes]
            elif often:
                some = map(to_set, combinations(in_pack_order(cards), often))
                takes = [take | more for more in some for take in takes]
        result.update(takes)
    return result


def _counts(cards: Cards) -> _Counts:
    counts = 0
    while cards:
        card = cards.bit_length() - 1
        counts += _ONE_OF[card]
        cards ^= 1 << card
    return counts


# ---- parting ---------------------------------------------------------------------------


def adds_up(numbers: Numbers, cards: Cards) -> bool:
    """Say whether cards, all of them, can be parted into groups for one of the ranks."""
    counts = 0
    for number in numbers:
        if cards & _NEAR[number] == cards:
            counts = counts or _counts(cards)
            if _parted(number, counts) is not None:
                return True
    return False


def ranks_of(cards: Cards) -> Numbers:
    """List the ranks for which cards, all of them, can be parted into groups."""
    counts = _counts(cards)
    return tuple(
        [
            number
            for number, near in _NEAR.items()
            if cards & near == cards and _parted(number, counts) is not None
        ]
    )


def parted(numbers: Numbers, cards: Cards) -> tuple[Cards, ...] | None:
    """Part cards, all of them, into groups for one of the ranks; None where that cannot be done."""
    counts = _counts(cards)
    for number in numbers:
        groups = _parted(number, counts)
        if groups is not None:
            return tuple(_dealt_out(groups, cards))
    return None


@lru_cache(maxsize=1 << 14)
def _parted(number: int, counts: _Counts) -> tuple[_Counts, ...] | None:
    if not counts:
        return ()
    lowest = 15 << ((counts & -counts).bit_length() - 1 & ~3)  # the lowest rank that is left
    for group in _GROUPS[number]:
        if group & lowest and _fits(group, counts):
            rest = _parted(number, counts - group)
            if rest is not None:
                return (group, *rest)
    return None


def _dealt_out(groups: tuple[_Counts, ...], cards: Cards) -> Iterator[Cards]:
    """Turn groups of ranks into groups of these very cards, the first of each rank first."""
    for group in groups:
        chosen = 0
        for at, of in enumerate(_EACH_RANK):
            often = group >> 4 * at & 15
            if often:
                chosen |= to_set(in_pack_order(cards & of)[:often])
        cards ^= chosen
        yield chosen
