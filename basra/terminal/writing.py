"""How cards and sentences are written, and how lines are made to fit.

Sentences are marked for translation with `_` where they stand.  A text on its way to the
screen may hold marks, control characters that nothing from outside can bring in: one that
begins each suit's colour, one for bold, one that ends either.  Lines are broken first and
coloured last, so colour never changes the layout.
"""

from __future__ import annotations

import gettext
import re
import unicodedata
from collections.abc import Sequence

from ..captures import Play
from ..cards import JACK, SYMBOLS, Card, Cards, Writer, in_rank_order, name, rank, suit

_translation = gettext.translation("basra", fallback=True)
_ = _translation.gettext
ngettext = _translation.ngettext

GLUE = "\N{NO-BREAK SPACE}"
_SUIT_MARKS = "\x01\x02\x03\x04"
_BOLD, _END = "\x05", "\x06"
_CODES = {
    "\x01": "\x1b[32m",
    "\x02": "\x1b[36m",
    "\x03": "\x1b[31m",
    "\x04": "\x1b[1m",
    _BOLD: "\x1b[1m",
    _END: "\x1b[0m",
}
_MARKS = re.compile("[\x01-\x06]")
NARROWEST, WIDEST = 20, 500
_WORDS = re.compile(r"( *)((?:[^ ,]|,(?![\x01-\x04]))+,?)")  # a word, or a card and its comma


def glued(text: str) -> str:
    """Keep the words of a text on one line."""
    return text.replace(" ", GLUE)


def bold(text: str) -> str:
    """Mark a text as bold."""
    return f"{_BOLD}{text}{_END}"


def finished(text: str, *, color: bool) -> str:
    """Turn the marks of a text into colours, or leave them out."""
    text = text.replace(GLUE, " ")
    return _MARKS.sub(lambda mark: _CODES[mark[0]] if color else "", text)


def cells(text: str) -> int:
    """Count the cells that a text takes on the screen."""
    text = _MARKS.sub("", text)
    if text.isascii():
        return len(text)
    return sum(_cell(character) for character in text)


def _cell(character: str) -> int:
    if character in _CODES or unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def fit(text: str, width: int, hang: int = 0) -> list[str]:
    """Break a text into lines of at most `width` cells.

    A line ends between two words, or between two cards; words that are `glued` stay together as
    long as they fit at all.  Lines after the first are indented by `hang` cells.
    """
    width = max(width, NARROWEST)
    lines: list[str] = []
    line, used = "", 0
    for gap, word in _WORDS.findall(text):
        wide = cells(word)
        if line.strip() and used + len(gap) + wide > width:
            lines.append(line)
            line, used = " " * hang + word, hang + wide
        else:
            line, used = line + gap + word, used + len(gap) + wide
        while used > width:
            cut = _cut(line, width)
            lines.append(line[:cut].rstrip(GLUE))
            line = " " * hang + line[cut:].lstrip(GLUE)
            used = cells(line)
    return [*lines, line]


def _cut(line: str, width: int) -> int:
    """Find where to break a word that is wider than a line: at a glued blank, else anywhere."""
    used = 0
    cut = 0
    for place, character in enumerate(line):
        used += _cell(character)
        if used > width:
            return cut or place
        if character == GLUE and line[:place].strip():
            cut = place + 1
    return len(line)


class Signs(Writer):
    """Cards as a rank and a suit, with the suit's symbol or its letter."""

    SPECS = (*Writer.SPECS, "spread")

    def __init__(self, *, symbols: bool = False) -> None:
        self.symbols = symbols

    def translate(self, text: str) -> str:
        return _(text)

    def card(self, card: Card) -> str:
        text = name(card)
        if self.symbols:
            text = text[:-1] + SYMBOLS[suit(card)]
        return f"{_SUIT_MARKS[suit(card)]}{text}{_END}"

    def spread(self, cards: Cards) -> str:
        """Write the cards that lie on the ground or stand in a hand."""
        return "  ".join(map(self.card, in_rank_order(cards))) or _("empty")

    def sums(self, groups: Sequence[Cards]) -> str:
        """Write the sums of a capture behind its sentence, and end it."""
        return f" ({', '.join(map(self.sum, groups))})." if groups else "."

    def signed(self, number: float, digits: int = 1) -> str:
        """Write a number with its sign, rounded."""
        text = f"{number:+.{digits}f}"
        return text if text.strip("+-0.") else text[1:]

    def sentence(self, text: str) -> str:
        """Finish a message that is to stand as a sentence of its own."""
        return text


class Words(Signs):
    """Cards in words, for ears: whole sentences, no sign that is read aloud as noise."""

    plus = " plus "
    RANK_WORDS = (
        _("ace"), _("two"), _("three"), _("four"), _("five"), _("six"), _("seven"),
        _("eight"), _("nine"), _("ten"), _("jack"), _("queen"), _("king"),
    )  # fmt: skip
    SUIT_WORDS = (_("clubs"), _("diamonds"), _("hearts"), _("spades"))

    def card(self, card: Card) -> str:
        words = _("{rank} of {suit}").format(
            rank=self.RANK_WORDS[rank(card) - 1], suit=self.SUIT_WORDS[suit(card)]
        )
        return glued(words)

    def rank(self, number: int) -> str:
        return str(number) if 1 < number < JACK else self.RANK_WORDS[number - 1]

    def cards(self, cards: Cards) -> str:
        return ", ".join(map(self.card, in_rank_order(cards)))

    row = cards

    def spread(self, cards: Cards) -> str:
        return self.cards(cards) or _("empty")

    def sums(self, groups: Sequence[Cards]) -> str:
        return "." + "".join(f" {self.sum(group)}." for group in groups)

    def signed(self, number: float, digits: int = 1) -> str:
        text = super().signed(number, digits)
        return _("minus {number}").format(number=text[1:]) if text[0] == "-" else text.removeprefix("+")

    def choices(self, plays: Sequence[Play]) -> str:
        head, readings = self.readings(plays)
        listed = "; ".join(f"{number}:{GLUE}{reading}" for number, reading in enumerate(readings, 1))
        if len(plays) > len(readings):
            listed += _("; and {more} more").format(more=len(plays) - len(readings))
        return _("{head}, {listed}. Say which").format(head=head, listed=listed)

    def sentence(self, text: str) -> str:
        text = text[:1].upper() + text[1:].replace("  ", " ")
        return text if text.endswith((".", "!", "?", ":")) else text + "."
