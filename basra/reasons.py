"""Why one play is better than another, in terms that a person understands.

A `Reason` is a key and the words that belong to it; whoever shows it makes the sentence.
What it says is true of the position, whatever the hidden cards are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from .captures import Captures, Play, bonus, card_points, kind_of, sweeps
from .cards import JACKS, KOMI, Card, Cards, in_pack_order, rank
from .view import View


@dataclass(frozen=True)
class Reason:
    """A reason: its key and its words.

    - `only`: the play is the only one that is legal; `same`: all others come to the same
    - `basra`, `jack-basra`: it makes one, of `points`
    - `majority`: there are then `number` cards in the pile, so the majority is sure
    - `points`: it takes cards worth `points`, more than the other play
    - `keeps`: `jacks` (the komi too, where it sweeps) stay in hand; `lying` cards are on the
      ground, and `out` jacks are out
    - `komi`: a jack is played, and the wild komi stays in hand
    - `sweeps`, `more`: it sweeps, or takes, `number` cards of the ground, the other `than`
    - `safe`: no card that is out makes a basra of what it leaves
    - `fewer`: `number` of the `out` cards that are out do, after the other play `than`
    - `least`: `number` of the `out` cards that are out can take what is dropped, of the other `than`
    - `again`: `card`, which stays in hand, can `take` some of what it leaves
    - `exact`: every hand is known, and played to the end nothing comes out better
    - `average`: it does best over the ways in which the hidden cards may lie

    Cards that are out are those that the seat cannot place, in other hands or in the pack.
    `card` is a card, `jacks` and `take` are sets of cards, the rest are numbers.
    """

    key: str
    words: Mapping[str, int] = field(default_factory=dict)


# Roughly what a reason is worth in points, to tell which one to give: a card more, a jack kept.
_CARD, _JACK, _MAJORITY, _AGAIN = 1.2, 4.0, 15.0, 1.0


def why(view: View, play: Play, other: Play | None, *, exact: bool = False) -> Reason:
    """Say why a play is better than another one: what is true of it and not of the other.

    Of several reasons it is the one that weighs most, of none `average`.  Without another play
    there is no choice.  With `exact`, when every hand is known, only a basra needs no more.
    """
    if other is None:
        return Reason("only" if len(view.legal_plays()) == 1 else "same")
    compared = _Compared(view)
    found = list(compared.gains(play, other))
    if exact:
        found = [each for each in found if each[1].key in ("basra", "jack-basra")]
        return max(found, key=_weight)[1] if found else Reason("exact")
    found += compared.leaves(play, other)
    return max(found, key=_weight)[1] if found else Reason("average")


def _weight(found: tuple[float, Reason]) -> float:
    return found[0]


class _Compared:
    """The plays of a view, and what one has over another."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.rules = view.rules
        self.captures = Captures.under(view.rules)
        self.unseen = in_pack_order(view.unseen)
        self.out = len(self.unseen)
        holds = view.holds[view.seat % len(view.holds)] or (4 if view.to_deal else 0)
        self.chance = holds / self.out if self.out else 0.0

    def gains(self, play: Play, other: Play) -> Iterator[tuple[float, Reason]]:
        """Say what a play takes and keeps that the other does not, with what that weighs."""
        view, rules = self.view, self.rules
        kind = view.kind_of(play)
        points, than = bonus(kind, rules), bonus(view.kind_of(other), rules)
        if points > than:
            yield points - than, Reason(kind.value, {"points": points})
        points, than = self._points(play), self._points(other)
        if points > than:
            yield points - than, Reason("points", {"points": points})
        pile, than = self._pile(play), self._pile(other)
        if self.rules.majority and pile > 26 >= than and self._pile(Play(play.card)) < 27:
            yield _MAJORITY, Reason("majority", {"number": pile})
        number, than = play.take.bit_count(), other.take.bit_count()
        if number > than:
            key = "sweeps" if sweeps(play, rules) else "more"
            yield _CARD * (number - than), Reason(key, {"number": number, "than": than})
        yield from self._keeps(play, other)

    def _points(self, play: Play) -> int:
        return card_points(play.take | 1 << play.card, self.rules) if play.take else 0

    def _pile(self, play: Play) -> int:
        pile = self.view.piles[self.view.side - 1].bit_count()
        return pile + 1 + play.take.bit_count() if play.take else pile

    def _keeps(self, play: Play, other: Play) -> Iterator[tuple[float, Reason]]:
        view, sweepers = self.view, self.captures.sweepers
        if not view.ground or not sweepers >> other.card & 1:
            return
        if not sweepers >> play.card & 1:
            lying, out = view.ground.bit_count(), (view.unseen & JACKS).bit_count()
            yield _JACK, Reason("keeps", {"jacks": view.hand & sweepers, "lying": lying, "out": out})
        elif other.card == KOMI != play.card and self.captures.wild:
            yield _JACK, Reason("komi")

    def leaves(self, play: Play, other: Play) -> Iterator[tuple[float, Reason]]:
        """Say what a play leaves, to others and to its own seat, that is better, and what that weighs."""
        after, instead = self._after(play), self._after(other)
        clear, than = self._clearing(after), self._clearing(instead)
        if after and clear < than:
            words = {"number": clear, "out": self.out, "than": than}
            weight = self.rules.basra * (than - clear) * self.chance
            yield weight, Reason("fewer", words) if clear else Reason("safe")
        if not play.take and not other.take:
            taken, than = self._taking(play), self._taking(other)
            if taken < than:
                words = {"number": taken, "out": self.out, "than": than}
                yield 2 * _CARD * (than - taken) * self.chance, Reason("least", words)
        plain = self.view.hand & ~self.captures.sweepers
        stays, others = (in_pack_order(plain & ~(1 << each.card)) for each in (play, other))
        takes = [found for card in stays for found in self.captures.plays(card, after) if found.take]
        if takes and not any(self.captures.plays(card, instead)[0].take for card in others):
            best = max(takes, key=lambda found: found.take.bit_count())
            yield _AGAIN, Reason("again", {"card": best.card, "take": best.take})

    def _after(self, play: Play) -> Cards:
        """Return the ground after a play."""
        return self.view.ground ^ (play.take or 1 << play.card)

    def _clearing(self, ground: Cards) -> int:
        """Count the cards that are out and make a basra of a ground."""
        return sum(self._clears(card, ground) for card in self.unseen)

    def _clears(self, card: Card, ground: Cards) -> bool:
        """Say whether a card, played next, makes a basra of a ground that this seat leaves."""
        whole = Play(card, ground)
        if not ground or whole not in self.captures.plays(card, ground):
            return False
        last = not self.view.to_deal and sum(self.view.holds) == 2
        return bonus(kind_of(whole, ground, self.rules, last=last), self.rules) > 0

    def _taking(self, drop: Play) -> int:
        """Count the cards that are out and can take what is dropped, alone or with others."""
        ground, bit = self._after(drop), 1 << drop.card
        return sum(
            any(found.take & bit for found in self.captures.plays(card, ground)) for card in self.unseen
        )


def alike(play: Play, view: View) -> tuple[object, ...]:
    """Return what two plays have in common that come to the same: they differ in suits that do not matter."""

    def worth(cards: Cards) -> tuple[object, ...]:
        ranks = sorted(map(rank, in_pack_order(cards)))
        return tuple(ranks), card_points(cards, view.rules), cards & 1 << KOMI

    return worth(1 << play.card), worth(play.take)
