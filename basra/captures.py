"""What a card can take, and whether that is a basra: the only place that knows.

A *group* for a rank is one ground card of that rank, or the wild komi lying there, or two
or more number cards that add up to it.  A *capture* is a union of groups that share no
card.  Captures are found by ranks first: how many cards of each rank are taken is a small
number (`_Counts`), found once for each pattern of ranks and kept in a bounded table; then
each pattern is spread over the suits that lie there.

Nearly always no two cards on the ground are alike.  Then it is enough to know what would be
taken if all of them were clubs (`_ByRanks`): one `&` turns that into the cards that lie there.

Everywhere captures come in one order: those with the most cards first, then the one whose
cards, in the order of the pack, come first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cache, lru_cache, partial
from itertools import combinations
from typing import NamedTuple

from .cards import (
    FULL,
    JACK,
    JACKS,
    KING,
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
    to_set,
)
from .errors import Ambiguous, Illegal
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

_EACH_RANK = tuple(of_rank(number) for number in range(1, 14))
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
def _patterns(played: tuple[int, ...], ground: _Counts) -> tuple[_Counts, ...]:
    """Return the non-empty unions of groups for one of the ranks, each once, by ranks alone."""
    every: set[_Counts] = set()
    for number in played:
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


def _counts(cards: Cards) -> _Counts:
    return sum((cards & of).bit_count() << 4 * at for at, of in enumerate(_EACH_RANK))


@lru_cache(maxsize=1 << 14)
def _parted(played: int, counts: _Counts) -> tuple[_Counts, ...] | None:
    """Part cards, all of them, into groups for a rank; None where that cannot be done."""
    if not counts:
        return ()
    lowest = 15 << ((counts & -counts).bit_length() - 1 & ~3)  # the lowest rank that is left
    for group in _GROUPS[played]:
        if group & lowest and _fits(group, counts):
            rest = _parted(played, counts - group)
            if rest is not None:
                return (group, *rest)
    return None


# ---- captures of cards -----------------------------------------------------------------

_RANKS: Cards = (1 << 13) - 1  # the thirteen clubs; a set of them stands for a set of ranks
_SUITS: Cards = of_rank(1)  # times a set of ranks: all the cards of these ranks


def _alike(cards: Cards) -> Cards:
    """Return the ranks of which there is more than one card, as a set of clubs."""
    clubs, diamonds, hearts, spades = cards, cards >> 13, cards >> 26, cards >> 39
    two = clubs & diamonds | (clubs | diamonds) & hearts | (clubs | diamonds | hearts) & spades
    return two & _RANKS


def _dealt_out(groups: tuple[_Counts, ...], cards: Cards) -> Iterator[Cards]:
    """Turn groups of ranks into groups of these very cards, the first of each rank first."""
    for group in groups:
        chosen = 0
        for at, of in enumerate(_EACH_RANK):
            some = in_pack_order(cards & of)[: group >> 4 * at & 15]
            chosen |= to_set(some)
        cards ^= chosen
        yield chosen


def _by_groups(played: tuple[int, ...], ground: Cards) -> set[Cards]:
    """Find every capture as one of the ranks among plain cards: the komi here is a seven."""
    ground &= _reached_by(played)
    lying = [(at, ground & cards) for at, cards in enumerate(_EACH_RANK) if ground & cards]
    result: set[Cards] = set()
    for pattern in _patterns(played, _counts(ground)):
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


@lru_cache(maxsize=1 << 14)
def _place(take: Cards) -> int:
    """Return a number that is larger the earlier a capture comes in the order of captures."""
    return take.bit_count() << 52 | int(f"{take:052b}"[::-1], 2)


# A play made by tuple itself, from (card, take), which is twice as quick.
_as_play = partial(tuple.__new__, Play)


class _Plays(dict[Cards, Play]):
    """The plays of one card by what they take: filled when asked for, emptied when full."""

    SIZE = 1 << 12  # some 200 bytes each

    def __init__(self, card: Card) -> None:
        self.card = card

    def __missing__(self, take: Cards) -> Play:
        if len(self) >= self.SIZE:
            self.clear()
        play = self[take] = _as_play((self.card, take))
        return play


class _ByRanks(dict[Cards, tuple[Cards, ...]]):
    """What a card may take from a ground where no two cards are alike, by the ranks there.

    The ground is given by its ranks, as a set of clubs, and the komi, where it is wild;
    what is taken as all the cards of the ranks that are taken: the others do not lie there.
    It fills itself; there are no more than 8,192 grounds for a card.
    """

    def __init__(self, card: Card, captures: Captures) -> None:
        self.card = card
        self.captures = captures

    def __missing__(self, ground: Cards) -> tuple[Cards, ...]:
        komi = self.captures.standing
        takes = self[ground] = tuple(
            (take & _RANKS) * _SUITS & ~komi | take & komi for take in self.captures.takes(self.card, ground)
        )
        return takes


class Captures:
    """The captures under one value of each of the keys `komi` and `capture`.

    What a card takes depends only on the part of the ground that it can reach, so answers
    are kept in tables of bounded size that fill themselves.  `Captures.under(rules)` gives
    the one that goes with a rule set.
    """

    def __init__(self, komi: str, capture: str) -> None:
        self.wild = komi == "wild"
        self.standing = _KOMI_BIT if self.wild else 0  # what stands for any card on the ground
        self.largest = capture == "largest"
        self.sweepers = JACKS | (0 if komi == "plain" else _KOMI_BIT)
        ranks = [() if self.sweepers >> card & 1 else (rank(card),) for card in range(52)]
        if self.wild:
            ranks[KOMI] = (*range(1, 11), QUEEN, KING)
        self._ranks: tuple[tuple[int, ...], ...] = tuple(ranks)
        by_ranks = [_ByRanks(card, self) for card in (*range(13), KOMI)]
        self._cards = [(0, 0, by_ranks[0], _Plays(0), Play(0))]  # each card at its place from 1
        for card in range(52):
            reach = self._reach(card) & (_RANKS | self.standing)
            table = by_ranks[13 if card == KOMI else card % 13]
            self._cards.append((1 << card, reach, table, _Plays(card), Play(card)))

    @staticmethod
    def under(rules: Rules) -> Captures:
        """Return the captures under a rule set."""
        return _captures(rules.komi, rules.capture)

    def plays(self, card: Card, ground: Cards) -> list[Play]:
        """List the legal plays of a card: each capture, or the one play that drops it."""
        return self.of_hand(1 << card, ground)

    def of_hand(self, hand: Cards, ground: Cards) -> list[Play]:
        """List the legal plays of a hand: its cards in the order of the pack, as `plays` each."""
        plays: list[Play] = []
        komi = ground & self.standing
        rest = ground ^ komi
        half = rest | rest >> 26
        ranks = (half | half >> 13) & _RANKS
        alike = 0 if ranks.bit_count() == rest.bit_count() else _alike(rest)
        ranks |= komi
        cards = self._cards
        # The highest card is the quickest to find: the list is made from its end to its beginning.
        while hand:
            bit, reach, by_ranks, of_card, drop = cards[hand.bit_length()]
            hand ^= bit
            takes = self.takes(of_card.card, ground) if alike & reach else by_ranks[ranks & reach]
            if not takes:
                plays.append(drop)
            elif len(takes) == 1:
                plays.append(of_card[ground & takes[0]])
            else:
                for take in sorted([ground & take for take in takes], key=_place):
                    plays.append(of_card[take])
        plays.reverse()
        return plays

    def by_groups(self, played: tuple[int, ...], ground: Cards) -> set[Cards]:
        """Find every capture as one of the ranks A to 10, Q or K, the wild komi there included."""
        takes = _by_groups(played, ground)
        if played and ground & self.standing:
            rest = _by_groups(played, ground & ~_KOMI_BIT)
            takes |= {_KOMI_BIT, *[take | _KOMI_BIT for take in rest]}
        return takes

    def takes(self, card: Card, ground: Cards) -> tuple[Cards, ...]:
        """Find everything that a card may take, in no order: nothing if it can only be dropped."""
        takes = self.by_groups(self.ranks(card), ground)
        if ground and self.sweepers >> card & 1:
            takes.add(ground)
        if takes and self.largest:
            most = max(take.bit_count() for take in takes)
            takes = {take for take in takes if take.bit_count() == most}
        return tuple(takes)

    def whole(self, card: Card, ground: Cards) -> Kind:
        """Say what it is to take the whole ground with a card that may, by the cards alone."""
        if not self.sweepers >> card & 1:
            return Kind.BASRA
        if card == KOMI and not self.wild:
            small = not ground & ~NUMBERS and sum(map(rank, in_pack_order(ground))) <= 10
            return Kind.BASRA if small else Kind.CAPTURE
        if ground & (JACKS | self.standing) == ground and ground.bit_count() == 1:
            return Kind.JACK_BASRA
        return Kind.CAPTURE if self.parted(card, ground) is None else Kind.BASRA

    def parted(self, card: Card, take: Cards) -> tuple[Cards, ...] | None:
        """Part what a card takes into groups for a rank; None where it is taken as a jack only.

        Where there are several ways, one of them is given.
        """
        for played in self.ranks(card):
            for komi in (take & self.standing, 0):  # the wild komi may lie alone, or be a seven in a sum
                groups = _parted(played, _counts(take ^ komi))
                if groups is not None:
                    return (*_dealt_out(groups, take ^ komi), *[komi][: bool(komi)])
        return None

    def ranks(self, card: Card) -> tuple[int, ...]:
        """List the ranks that a card can be played as by groups: none for one that only sweeps."""
        return self._ranks[card]

    def _reach(self, card: Card) -> Cards:
        return FULL if self.sweepers >> card & 1 else _reached_by(self.ranks(card)) | self.standing


@cache
def _reached_by(played: tuple[int, ...]) -> Cards:
    """Return the cards that can be in a group for one of the ranks, but for the wild komi."""
    highest = max((number for number in played if number <= 10), default=0)
    pictures = (number for number in played if number > 10)
    return sum(map(of_rank, (*range(1, highest + 1), *pictures)))


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
    kind = Captures.under(rules).whole(card, ground)
    return Kind.CAPTURE if kind is Kind.JACK_BASRA and not rules.jack_basra else kind


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


def choices(plays: Sequence[Play], rules: Rules) -> tuple[Play, ...]:
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


def widest(plays: Sequence[Play]) -> tuple[Play, ...]:
    """Leave out each play whose capture another one of the same card contains."""
    kept: list[Play] = []
    for play in plays:
        if not any(play.card == other.card and play.take & ~other.take == 0 for other in kept):
            kept.append(play)
    return tuple(kept)


def chosen(plays: Sequence[Play], rules: Rules) -> Play:
    """Return the play that is meant where these would fit and nothing more was said.

    That is the one whose capture contains the others, if they come down to one choice.
    Raises `Ambiguous` with the choices otherwise.
    """
    left = choices(widest(plays), rules)
    if len(left) > 1:
        raise Ambiguous(choices=left)
    return left[0]


# ---- how and why -----------------------------------------------------------------------


def sweeps(play: Play, rules: Rules) -> bool:
    """Say whether a legal capture is one by a jack, or the komi as a jack, and by no other rank."""
    return Captures.under(rules).parted(*play) is None


def worked(play: Play, rules: Rules) -> tuple[Cards, ...]:
    """Return the sums of a capture, each as its number cards; none for one that sweeps."""
    groups = Captures.under(rules).parted(*play) or ()
    return tuple(group for group in groups if group.bit_count() > 1)


def why_not(play: Play, ground: Cards, rules: Rules) -> Illegal | None:
    """Say why a card cannot be played so on this ground, or return None where it can."""
    captures = Captures.under(rules)
    plays = captures.plays(play.card, ground)
    if play in plays:
        return None
    card, take = play
    missing = take & ~ground
    if missing and ground:
        return Illegal("{missing:cards} is not on the ground: {ground:row}", missing=missing, ground=ground)
    if missing:
        return Illegal("{missing:cards} is not on the ground: it is empty", missing=missing)
    best = plays[0].take
    if not take:
        return Illegal("{card:card} cannot be dropped: it can take {best:cards}", card=card, best=best)
    if captures.ranks(card) == ():
        return Illegal(
            "{card:card} cannot take {take:cards} alone: it takes the whole ground, {ground:row}",
            card=card,
            take=take,
            ground=ground,
        )
    if captures.parted(card, take) is not None:
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
