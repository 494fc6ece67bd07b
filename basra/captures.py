"""What a card can take, and whether that is a basra: the only place that knows.

A *capture* is a union of groups (`groups`) and, where it is wild, the komi that lies there;
or all that lies there, where a card sweeps.

Everywhere captures come in one order: those with the most cards first, then the one whose
cards, in the order of the pack, come first.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import cache, reduce
from operator import or_
from typing import NamedTuple

from .cards import (
    FULL,
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
)
from .errors import Ambiguous, Illegal
from .groups import (
    EVERY_RANK,
    OTHERWISE,
    Numbers,
    adds_up,
    by_groups,
    in_order,
    parted,
    ranks_of,
    ranks_on,
    reaches,
)
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


_DROP, _CAPTURE, _BASRA, _JACK_BASRA = Kind  # a name alone is quicker than a look into the class


# ---- captures of cards -----------------------------------------------------------------

_new = tuple.__new__  # twice as quick as `Play` itself


class _Known(dict[Cards, tuple[Play, ...]]):
    """The plays of a card by the part of the ground that it reaches: a table that fills itself."""

    __slots__ = ("captures", "card", "keeps")

    def __init__(self, captures: Captures, card: Card, *, keeps: bool) -> None:
        self.captures = captures
        self.card = card
        self.keeps = keeps

    def __missing__(self, reached: Cards) -> tuple[Play, ...]:
        captures, card = self.captures, self.card
        plays = tuple([_new(Play, (card, take)) for take in captures.takes(card, reached) or [0]])
        if self.keeps:
            if captures.kept >= captures.KEPT:
                captures.kept -= len(self)
                self.clear()
            captures.kept += 1
            self[reached] = plays
        return plays


_SWEPT = (0,) + (FULL,) * (2 * OTHERWISE - 1)  # what sweeps reaches, as in `reaches`


class Captures:
    """The captures under one value of each of the keys `komi` and `capture`.

    What a card takes depends only on the part of the ground that it can reach.  That is found
    by the ranks that lie there, and the plays for it are kept in tables of bounded size that fill
    themselves.  `Captures.under(rules)` gives the one that goes with a rule set; `jack_basra`
    says whether that has jack basras.
    """

    KEPT = 24_000  # answers kept in all, some 330 bytes each

    def __init__(self, komi: str, capture: str, jack_basra: bool = True) -> None:
        self.wild = komi == "wild"
        self.standing = _KOMI_BIT if self.wild else 0  # what stands for any card on the ground
        self.largest = capture == "largest"
        self.sweepers = JACKS | (0 if komi == "plain" else _KOMI_BIT)
        lone = JACKS | self.standing if jack_basra else 0  # what is a jack basra where it lies alone
        self._jack_basras = {1 << card for card in in_pack_order(lone)}
        numbers = [() if self.sweepers >> card & 1 else (rank(card),) for card in range(52)]
        if self.wild:
            numbers[KOMI] = (*range(1, 11), QUEEN, KING)
        self._numbers: tuple[Numbers, ...] = tuple(numbers)
        self.kept = 0  # answers
        self._cards = [self._entry(0), *map(self._entry, range(52))]  # by `bit_length`, which is never 0

    def _entry(self, card: Card) -> tuple[Cards, tuple[Cards, ...], _Known | None, tuple[Play, ...]]:
        """Return what the plays of a card are found from.

        The card as a set; what it can reach by the ranks that lie there, as in `reaches`; its
        plays by what it reaches (None: it only sweeps); the play that drops it.
        """
        reach, known = _SWEPT, None
        if not self.sweepers >> card & 1:
            reach, known = reaches(rank(card), self.standing), _Known(self, card, keeps=True)
        elif self._numbers[card]:  # it sweeps too: it reaches all that lies there, seldom the same again
            known = _Known(self, card, keeps=False)
        return 1 << card, reach, known, (Play(card),)

    @staticmethod
    def under(rules: Rules) -> Captures:
        """Return the captures under a rule set."""
        return _captures(rules.komi, rules.capture, rules.jack_basra > 0)

    def plays(self, card: Card, ground: Cards) -> tuple[Play, ...]:
        """List the legal plays of a card: each capture, or the one play that drops it."""
        return self.of_hand(1 << card, ground)

    def of_hand(self, hand: Cards, ground: Cards) -> tuple[Play, ...]:
        """List the legal plays of a hand: its cards in the order of the pack, as `plays` each."""
        ranks = ground % EVERY_RANK
        if ranks.bit_count() != ground.bit_count() or ground & self.standing:
            ranks = OTHERWISE + ranks_on(ground)
        cards = self._cards
        plays: tuple[Play, ...] = ()
        # The highest card is the quickest to find: the list is made from its end to its beginning.
        while hand:
            bit, reach, known, drop = cards[hand.bit_length()]
            hand -= bit
            reached = reach[ranks]
            if not reached:
                plays = drop + plays
            elif known is None:
                plays = (_new(Play, (drop[0].card, ground)), *plays)
            else:
                plays = known[reached & ground] + plays
        return plays

    def takes(self, card: Card, ground: Cards) -> list[Cards]:
        """List everything that a card may take, in order: nothing if it can only be dropped."""
        numbers = self._numbers[card]
        takes = by_groups(numbers, ground)
        if ground & self.standing:
            rest = by_groups(numbers, ground ^ _KOMI_BIT)
            takes = in_order({*takes, _KOMI_BIT, *[take | _KOMI_BIT for take in rest]})
        if self.sweepers >> card & 1 and takes[:1] != [ground]:
            takes.insert(0, ground)
        if takes and self.largest:
            most = takes[0].bit_count()
            return [take for take in takes if take.bit_count() == most]
        return takes

    def kind_of(self, play: Play, ground: Cards, *, barred: bool = False) -> Kind:
        """Say what a legal play is; `barred`: it cannot be a basra."""
        card, take = play
        if not take:
            return _DROP
        if take != ground or barred:
            return _CAPTURE
        if not self.sweepers >> card & 1:
            return _BASRA
        if card == KOMI and not self.wild:
            small = not ground & ~NUMBERS and sum(map(rank, in_pack_order(ground))) <= 10
            return _BASRA if small else _CAPTURE
        if ground in self._jack_basras:
            return _JACK_BASRA
        return _BASRA if self._numbers[card] and self.adds_up(card, ground) else _CAPTURE

    def takers(self, ground: Cards) -> Cards:
        """Return the cards that may take the whole of a ground, were they not in it."""
        numbers = ranks_of(ground)
        if ground & self.standing:
            numbers += ranks_of(ground ^ _KOMI_BIT)
        return reduce(or_, map(of_rank, numbers), self.sweepers)

    def adds_up(self, card: Card, take: Cards) -> bool:
        """Say whether what a card takes is made of groups; else it is taken as a jack only."""
        numbers = self._numbers[card]
        if take & self.standing and adds_up(numbers, take ^ _KOMI_BIT):
            return True
        return adds_up(numbers, take)

    def parted(self, card: Card, take: Cards) -> tuple[Cards, ...] | None:
        """Part what a card takes into groups for a rank; None where it is taken as a jack only.

        Where there are several ways, one of them is given.
        """
        numbers = self._numbers[card]
        if take & self.standing:  # it lies alone, or else is a seven in a sum
            groups = parted(numbers, take ^ _KOMI_BIT)
            if groups is not None:
                return (*groups, _KOMI_BIT)
        return parted(numbers, take)

    def numbers(self, card: Card) -> Numbers:
        """List the ranks that a card can be played as by groups: none for one that only sweeps."""
        return self._numbers[card]


@cache
def _captures(komi: str, capture: str, jack_basra: bool) -> Captures:
    return Captures(komi, capture, jack_basra)


# ---- what a play is --------------------------------------------------------------------


def kind_of(play: Play, ground: Cards, rules: Rules, *, last: bool = False) -> Kind:
    """Say what a legal play is: the best that its card and what it takes allow.

    A basra takes every card of the ground by groups; a jack basra is a jack, or the wild
    komi, on a jack that lies alone, or a jack on the wild komi alone.  `last` tells that it
    is the very last play of the game, which `last_card_basra` may rule out.
    """
    return Captures.under(rules).kind_of(play, ground, barred=last and not rules.last_card_basra)


def bonus(kind: Kind, rules: Rules) -> int:
    """Return the points that a play earns at once: those of its basra, if it is one."""
    return rules.basra if kind is _BASRA else rules.jack_basra if kind is _JACK_BASRA else 0


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
    return not Captures.under(rules).adds_up(*play)


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
    if not captures.numbers(card):
        return Illegal(
            "{card:card} cannot take {take:cards} alone: it takes the whole ground, {ground:row}",
            card=card,
            take=take,
            ground=ground,
        )
    if captures.adds_up(card, take):
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
