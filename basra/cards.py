"""A card, a set of cards, and their text.

A card is its place in the unshuffled pack, 0 to 51: `AC 2C … KC AD … KD AH … KH AS … KS`.
A set of cards is an int of 52 bits, bit *n* for card *n*.  Text is made and read only at
the edge, by the functions of this module.
"""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from .errors import BasraError, Unreadable

Card = int
Cards = int

SUITS = "CDHS"
SYMBOLS = "♣♦♥♠"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
JACK, QUEEN, KING = 11, 12, 13

PACK: tuple[Card, ...] = tuple(range(52))
FULL: Cards = (1 << 52) - 1


def rank(card: Card) -> int:
    """Return the rank of a card: 1 for an ace, 2 to 10, 11 jack, 12 queen, 13 king."""
    return card % 13 + 1


def suit(card: Card) -> int:
    """Return the suit of a card: 0 clubs, 1 diamonds, 2 hearts, 3 spades."""
    return card // 13


def of_rank(number: int) -> Cards:
    """Return the four cards of one rank."""
    return sum(1 << (number - 1 + 13 * s) for s in range(4))


NUMBERS: Cards = sum(of_rank(number) for number in range(1, 11))
JACKS: Cards = of_rank(JACK)


def to_set(cards: Iterable[Card]) -> Cards:
    """Make a set of the cards.

    >>> to_set([0, 1])
    3
    """
    result = 0
    for card in cards:
        result |= 1 << card
    return result


def in_pack_order(cards: Cards) -> tuple[Card, ...]:
    """List a set in the order of the pack, as records and JSON do."""
    result = []
    while cards:
        lowest = cards & -cards
        result.append(lowest.bit_length() - 1)
        cards ^= lowest
    return tuple(result)


def in_rank_order(cards: Cards) -> tuple[Card, ...]:
    """List a set by rank, then clubs, diamonds, hearts, spades, as the screen does."""
    return tuple(sorted(in_pack_order(cards), key=lambda card: (rank(card), card)))


def name(card: Card) -> str:
    """Write a card as records do.

    >>> name(19)
    '7D'
    """
    return RANKS[card % 13] + SUITS[card // 13]


def names(cards: Cards) -> list[str]:
    """Write a set as records and JSON do, in the order of the pack."""
    return [name(card) for card in in_pack_order(cards)]


def _spellings() -> tuple[dict[str, Card], dict[str, int]]:
    ranks = {text.lower(): number for number, text in enumerate(RANKS, 1)} | {"t": 10}
    suits = {text.lower(): place for place, text in enumerate(SUITS)}
    suits |= {text: place for place, text in enumerate(SYMBOLS)}
    cards = {r + s: ranks[r] - 1 + 13 * suits[s] for r in ranks for s in suits}
    return cards, ranks


_CARDS, _RANKS = _spellings()
_SWAPPED = {text[-1] + text[:-1]: card for text, card in _CARDS.items()}


_ASCII_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def lowered(text: str) -> str:
    """Lower the ASCII letters only: no other letter may pass for one of ours."""
    return text.lower() if text.isascii() else text.translate(_ASCII_LOWER)


def find_card(text: str, *, exact: bool = False) -> Card | None:
    """Return the card that a text spells, or None.

    Either case, `T` for 10, `♣♦♥♠` for suits; unless `exact`, as records want it, also the
    suit before the rank, and a variation selector after the suit.
    """
    text = lowered(text)
    if exact:
        return _CARDS.get(text)
    text = text.rstrip("\ufe0e\ufe0f") if len(text) > 2 else text
    card = _CARDS.get(text)
    return _SWAPPED.get(text) if card is None else card


def find_rank(text: str) -> int | None:
    """Return the rank that a text spells (`3`, `10`, `t`, `k`), or None."""
    return _RANKS.get(lowered(text))


def read_card(text: str) -> Card:
    """Read one card, forgiving in spelling.

    >>> name(read_card("10s")), name(read_card("d7")), name(read_card("T♥"))
    ('10S', '7D', '10H')

    Raises `Unreadable`.
    """
    card = find_card(text.strip())
    if card is None:
        raise Unreadable("{text} is not a card: a rank A 2-10 J Q K and a suit C D H S, as in 7D", text=text)
    return card


def split_cards(text: str) -> list[str]:
    """Part a list of cards at commas, blanks and `+`."""
    return text.replace(",", " ").replace("+", " ").split()


def read_cards(text: str) -> Cards:
    """Read a set of cards parted by commas, blanks or `+`.

    >>> names(read_cards("3h 4s, kd"))
    ['KD', '3H', '4S']

    Raises `Unreadable` for what is no card and for a card that stands twice.
    """
    result = 0
    for word in split_cards(text):
        card = read_card(word)
        if result >> card & 1:
            raise Unreadable("{card:card} stands twice", card=card)
        result |= 1 << card
    return result


KOMI: Card = read_card("7D")


def is_hidden(character: str) -> bool:
    """Say whether a character has no business in a text: a control or format character.

    The ranges are those of the record format, and what no encoding can carry: U+0000–001F,
    007F–009F, 061C, 200B–200F, 2028–202E, 2060–206F, D800–DFFF, FEFF.
    """
    code = ord(character)
    return (
        code < 0x20
        or 0x7F <= code <= 0x9F
        or code in (0x61C, 0xFEFF)
        or 0x200B <= code <= 0x200F
        or 0x2028 <= code <= 0x202E
        or 0x2060 <= code <= 0x206F
        or 0xD800 <= code <= 0xDFFF
    )


def visible(text: str, longest: int = 60) -> str:
    """Make a text from outside fit to be shown in a message.

    Control and format characters become `?`, and so does whatever else Unicode counts as
    one; a text of more than `longest` characters is cut and ends in `...`.
    """
    shown = "".join(
        "?" if is_hidden(c) or unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co") else c
        for c in text[: longest + 1]
    )
    return shown if len(shown) <= longest else shown[: longest - 3] + "..."


def check_text(what: str, text: str, *, empty: bool = False) -> str:
    """Return a name, seed or cut without its outer blanks, if it may stand in a record.

    1 to 200 characters (none is allowed with `empty`), no `#`, no control or format
    character.  Raises `Unreadable`, which begins with `what`.
    """
    text = text.strip(" \t")
    if not text and not empty:
        raise Unreadable("{what} is empty: 1 to 200 characters are needed", what=what)
    if len(text) > 200:
        raise Unreadable(
            "{what} has {length} characters: at most 200 are allowed", what=what, length=len(text)
        )
    if "#" in text or any(map(is_hidden, text)):
        raise Unreadable(
            "{what} {text} has a character that cannot stand in a record: "
            "no #, no control or format character",
            what=what,
            text=text,
        )
    return text


class Writer(string.Formatter):
    """Write sentences with cards in them.

    A template says how each word is written: `{x:card}` one card, `{x:cards}` a set joined
    by commas, `{x:row}` one parted by blanks, `{x:rank}` a rank, `{x:sum}` the cards of a
    sum, `{x:error}` another error, `{x:choices}` the plays to choose from, `{x:whole}` any
    text, made `visible`, and `{x}` the same but cut where it is long, and quoted where it is
    empty or has blanks around.  The terminal has
    writers of its own; this one, `LETTERS`, writes letters.
    """

    SPECS: tuple[str, ...] = ("card", "rank", "cards", "sum", "error", "choices", "row", "whole")

    plus = "+"
    longest_list = 12

    def translate(self, text: str) -> str:
        """Return a template in the reader's language."""
        return text

    def write(self, template: str, /, **words: Any) -> str:
        """Translate a template and fill it in."""
        return self.format(self.translate(template), **words)

    def card(self, card: Card) -> str:
        """Write one card."""
        return name(card)

    def rank(self, number: int) -> str:
        """Write a rank."""
        return RANKS[number - 1]

    def cards(self, cards: Cards) -> str:
        """Write a set of cards within a sentence."""
        return ",".join(self.card(card) for card in in_rank_order(cards))

    def row(self, cards: Cards) -> str:
        """Write cards that lie there or are held, parted by blanks."""
        return " ".join(self.card(card) for card in in_rank_order(cards))

    def sum(self, cards: Cards) -> str:
        """Write the number cards of a sum, smallest first."""
        return self.plus.join(str(rank(card)) for card in in_rank_order(cards))

    def error(self, error: BasraError) -> str:
        """Write an error, alone or as part of another sentence."""
        return self.write(error.template, **error.words)

    def readings(self, plays: Sequence[Any]) -> tuple[str, list[str]]:
        """Say what is to be chosen from, and each choice: what one card takes, or which card."""
        shown = plays[: self.longest_list]
        if len({play.card for play in plays}) == 1:
            head = self.write("{card:card} can take", card=plays[0].card)
            return head, [self.cards(play.take) for play in shown]
        taking, alone = self.translate("{card:card} taking {take:cards}"), "{card:card}"
        return self.translate("this can be"), [
            self.format(taking if play.take else alone, card=play.card, take=play.take) for play in shown
        ]

    def choices(self, plays: Sequence[Any]) -> str:
        """List the readings of a play, numbered, and ask which is meant."""
        head, readings = self.readings(plays)
        *others, last = (f"{reading} ({number})" for number, reading in enumerate(readings, 1))
        listed = self.translate("{some} or {last}").format(some=", ".join(others), last=last)
        if len(plays) > len(readings):
            listed = self.translate("{some} or one of {more} more").format(
                some=", ".join([*others, last]), more=len(plays) - len(readings)
            )
        return f"{head} {listed}: {self.translate('say which')}"

    def whole(self, text: str) -> str:
        """Write a text however long it is, as the name of a file has to be."""
        return visible(text, len(text))

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec in self.SPECS:
            return str(getattr(self, format_spec)(value))
        if isinstance(value, str):
            shown = visible(value)
            return shown if shown and shown == shown.strip() else f'"{shown}"'
        return format(value, format_spec)


LETTERS = Writer()
