"""How words are spelled where they are exact: in records and in the protocol of outside players."""

from __future__ import annotations

import re

from .cards import PACK, Card, Cards, check_text, find_card, lowered, name
from .errors import Unreadable

words_of = re.compile(r"[^ \t]+").findall
_CARDS = {name(card): card for card in PACK}


def split(text: str) -> list[str]:
    """Split a statement into its words: at blanks, but for those around commas; no comment.

    >>> split("1 play 7D take 3H , 4S  # a basra")
    ['1', 'play', '7D', 'take', '3H,4S']
    """
    if "#" in text:
        text = text.partition("#")[0]
    if "," in text:
        text = ",".join(part.strip(" \t") for part in text.split(","))
    # Where there are no other blanks than ours, the quicker way parts at the same places.
    return text.split() if text.isascii() and text.isprintable() else words_of(text)


def read_number(text: str) -> int:
    """Read a number as a record has it.  Raises `Unreadable`."""
    if not re.fullmatch(r"0|[1-9][0-9]*", text):
        raise Unreadable("{text} is not a number in plain digits, as 12 is", text=text)
    if len(text) > 9:
        raise Unreadable("{text} is too large a number: at most 9 digits are allowed", text=text)
    return int(text)


def read_seat(text: str) -> int:
    """Read a seat number.  Raises `Unreadable`."""
    if text not in ("1", "2", "3", "4"):
        raise Unreadable("{text} is not a seat: 1, 2, 3 or 4", text=text)
    return int(text)


def exact_card(text: str) -> Card:
    """Read a card as a record has it.  Raises `Unreadable`."""
    card = _CARDS[text] if text in _CARDS else find_card(text, exact=True)
    if card is None:
        raise Unreadable("{text} is not a card: it is written rank and suit, as in 7D or 10S", text=text)
    return card


def exact_cards(text: str) -> Cards:
    """Read cards joined by commas, in the order of the pack.  Raises `Unreadable`."""
    cards = 0
    for word in text.split(","):
        bit = 1 << exact_card(word)
        if cards & bit:
            raise Unreadable("{card} stands twice", card=word)
        if cards > bit:
            raise Unreadable("{card} is out of order: cards are taken in the order of the pack", card=word)
        cards |= bit
    return cards


def check_name(text: str) -> str:
    """Return the name of a seat without its outer blanks, if it may stand in a record.

    Raises `Unreadable`: besides what no text may hold, the name cannot end in a word that
    begins `bot:`, which would say that a program plays.
    """
    text = check_text("the name", text)
    if lowered(text.rpartition(" ")[2]).startswith("bot:"):
        raise Unreadable("the name {name} ends in a word that begins bot:, which names a program", name=text)
    return text


def check_player(text: str) -> str:
    """Return the name of a program that plays, if it may stand behind `bot:`.  Raises `Unreadable`."""
    if len(words_of(text)) > 1:
        raise Unreadable("the player {player} is not one word", player=text)
    return check_text("the player", text)
