"""The command language: one table of commands, and how a line becomes a play.

One rule resolves every short form.  All legal plays that fit what was typed are looked at;
if they come down to one choice it is meant, otherwise the readings are listed and nothing
is played.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from ..captures import Captures, Play, chosen, why_not
from ..cards import Card, Cards, find_card, find_rank, in_pack_order, rank, split_cards, to_set
from ..errors import Illegal, Unreadable
from ..rules import Rules
from .writing import _

LONGEST_LINE = 4096


@dataclass(frozen=True)
class Command:
    """One command of a match; the session's method `do_NAME` carries it out."""

    name: str
    short: str
    usage: str
    help: str
    more: str = ""

    @property
    def takes_words(self) -> bool:
        """Say whether anything may stand after the command."""
        return " " in self.usage


COMMANDS: tuple[Command, ...] = (
    Command(
        "play",
        "p",
        "play CARD [take CARDS]",
        _("play a card: play 7D take 3,4"),
        _(
            "A card is a rank and a suit in either order: 7D, d7, 10s, TS.  A bare rank is enough where "
            "only one card fits: play 9 take 4,5.  What is taken is parted by commas, blanks or +.  A line "
            "that begins with a whole card needs no play: 9h, 9h 4,5.  Without take a card takes all it "
            "can; where that can be done in several ways, they are listed with numbers, and a number "
            "plays one of them."
        ),
    ),
    Command("ground", "g", "ground", _("what lies on the ground")),
    Command("hand", "h", "hand", _("the cards you hold")),
    Command("score", "s", "score", _("where we stand")),
    Command("last", "l", "last", _("the last plays")),
    Command(
        "moves",
        "m",
        "moves [CARD]",
        _("the legal plays, with numbers; of one card all of them"),
        _(
            "For each card the captures that no other one contains, and how many smaller ones there are; "
            "moves 9h lists all of the 9 of hearts.  A number plays that one."
        ),
    ),
    Command(
        "hint",
        "",
        "hint",
        _("the play that a strong player would choose, and why"),
        _(
            "It knows no more than you can know.  The figures are the points to expect from here to the end "
            "of the game, less those of the others, after the best plays: what counts is by how much they "
            "differ.  In the last deal of two players they are exact.  An interrupt stops it."
        ),
    ),
    Command(
        "record",
        "",
        "record",
        _("the record so far; save FILE writes it whole"),
    ),
    Command(
        "save",
        "",
        "save FILE",
        _("write the whole record into a file"),
        _(
            "The file has the seed in it, so whoever reads it knows the cards to come.  "
            "No other file is overwritten."
        ),
    ),
    Command("rules", "", "rules", _("the game in one minute")),
    Command("help", "?", "help [TOPIC]", _("the commands, or one of them, or help fairness")),
    Command("resign", "", "resign", _("give the match up")),
    Command("quit", "q", "quit", _("leave")),
)

BY_WORD: dict[str, Command] = {word: c for c in COMMANDS for word in (c.name, c.short) if word}


@dataclass(frozen=True)
class Line:
    """A line that was read: the seat before it, a command's name (or `number`), and the words after it."""

    command: str
    words: str = ""
    seat: int | None = None


STATEMENTS = ("game", "result")


def read_line(text: str) -> Line | None:
    """Read a line into a command, or None for one that says nothing.

    Raises `Unreadable` for a word that is no command.
    """
    words = text.partition("#")[0].strip()
    seat = None
    match = re.fullmatch(r"([0-9]{1,9})\s+(\S.*)", words, re.DOTALL)
    if match:
        seat, words = int(match[1]), match[2]
    if not words:
        return None
    first, _blank, rest = words.replace("\t", " ").partition(" ")
    rest = rest.strip()
    word = first.lower() if first.isascii() else first
    if word.isdecimal() and word.isascii() and not rest:
        return Line("number", word, seat)
    if word in STATEMENTS or (word == "score" and rest):
        return Line("statement", words, seat)
    if word in BY_WORD:
        command = BY_WORD[word]
        if rest and not command.takes_words:
            raise Unreadable("{word} stands alone: nothing comes after it", word=word)
        return Line(command.name, rest, seat)
    if find_card(first) is not None:
        return Line("play", words, seat)
    raise _unknown(first, word)


def _unknown(shown: str, word: str) -> Unreadable:
    if find_rank(word) is not None:
        return Unreadable("{word} alone is no card: name its suit, or say play {word}", word=shown)
    from difflib import get_close_matches

    names = [command.name for command in COMMANDS]
    for guess in get_close_matches(word[:20], names, n=1):
        return Unreadable("{word} is not a command: did you mean {guess}?", word=shown, guess=guess)
    return Unreadable("{word} is not a command: help lists them", word=shown)


# ---- plays -----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Named:
    """A card as it was typed: the whole card, or its rank alone."""

    text: str
    card: Card | None
    rank: int

    def fits(self, card: Card) -> bool:
        return card == self.card if self.card is not None else rank(card) == self.rank


def _named(text: str) -> _Named:
    card = find_card(text)
    if card is not None:
        return _Named(text, card, rank(card))
    number = find_rank(text)
    if number is None:
        raise Unreadable("{text} is not a card: a rank A 2-10 J Q K and a suit C D H S, as in 7D", text=text)
    return _Named(text, None, number)


def read_play(words: str, hand: Cards, ground: Cards, rules: Rules) -> Play:
    """Read `CARD [take CARDS]` for this hand and ground.

    Raises `Unreadable`, `Illegal` or `Ambiguous`, which has the choices.
    """
    first, *rest = split_cards(words) or [""]
    if not first:
        raise Unreadable("play what? name a card of your hand, as in play 7D take 3,4")
    played = _named(first)
    if rest and rest[0].lower() == "take":
        rest = rest[1:]
        if not rest:
            raise Unreadable("take what? name cards of the ground, as in take 3,4")
    takes = [_named(word) for word in rest]
    cards = [card for card in in_pack_order(hand) if played.fits(card)]
    if not cards:
        raise _not_in_hand(played, hand)
    _check_on_ground(takes, ground)
    captures = Captures.under(rules)
    plays = tuple(
        play
        for card in cards
        for play in captures.plays(card, ground)
        if not takes or _fits(takes, play.take)
    )
    if not plays:
        wanted = Play(cards[0], _assign(takes, ground))
        raise why_not(wanted, ground, rules) or AssertionError("a legal play fits")
    return chosen(plays, rules)


def plays_of(words: str, hand: Cards, ground: Cards, rules: Rules) -> tuple[Play, ...]:
    """List all legal plays of a card that is named, or of those of a rank."""
    first, *rest = split_cards(words) or [words]
    if rest:
        raise Unreadable("moves takes one card, not {words}", words=words)
    named = _named(first)
    cards = [card for card in in_pack_order(hand) if named.fits(card)]
    if not cards:
        raise _not_in_hand(named, hand)
    return tuple(play for card in cards for play in Captures.under(rules).plays(card, ground))


def _not_in_hand(played: _Named, hand: Cards) -> Illegal:
    if played.card is not None:
        return Illegal("{card:card} is not in your hand: {hand:row}", card=played.card, hand=hand)
    return Illegal("there is no {rank:rank} in your hand: {hand:row}", rank=played.rank, hand=hand)


def _fits(takes: list[_Named], take: Cards) -> bool:
    """Say whether a capture is exactly what was named."""
    whole = to_set(named.card for named in takes if named.card is not None)
    ranks = Counter(named.rank for named in takes if named.card is None)
    rest = in_pack_order(take & ~whole)
    return whole & ~take == 0 and Counter(map(rank, rest)) == ranks


def _check_on_ground(takes: list[_Named], ground: Cards) -> None:
    """Raise for a card that is named twice, and for one that does not lie there."""
    seen: set[Card] = set()
    for named in takes:
        if named.card in seen:
            raise Unreadable("{card:card} is named twice", card=named.card)
        if named.card is not None:
            seen.add(named.card)
    for named in takes:
        if not any(named.fits(card) for card in in_pack_order(ground)):
            raise _not_on_ground(named, ground)
    for number, often in Counter(named.rank for named in takes).items():
        lying = sum(rank(card) == number for card in in_pack_order(ground))
        if often > lying:
            raise Illegal("{often} of rank {rank:rank} are named, {lying} on the ground: {ground:row}",
                often=often, rank=number, lying=lying, ground=ground,
            )  # fmt: skip


def _not_on_ground(named: _Named, ground: Cards) -> Illegal:
    if not ground:
        return Illegal("nothing can be taken: the ground is empty")
    if named.card is not None:
        return Illegal("{card:card} is not on the ground: {ground:row}", card=named.card, ground=ground)
    return Illegal("there is no {rank:rank} on the ground: {ground:row}", rank=named.rank, ground=ground)


def _assign(takes: list[_Named], ground: Cards) -> Cards:
    """Pick ground cards for what was named, whole cards first, else the first in the pack."""
    taken = to_set(named.card for named in takes if named.card is not None)
    for named in takes:
        if named.card is None:
            free = (card for card in in_pack_order(ground & ~taken) if named.fits(card))
            taken |= 1 << next(free)
    return taken


# ---- completion ------------------------------------------------------------------------


def completions(before: str, hand: Cards, ground: Cards, rules: Rules) -> list[str]:
    """List what may follow `before` on a line: commands and cards in hand, after `take` what can be taken."""
    from ..cards import in_rank_order, name

    words = before.replace(",", " ").replace("+", " ").lower().split()
    in_hand = [name(card) for card in in_rank_order(hand)]
    if not words:
        return [command.name for command in COMMANDS] + in_hand
    if words[0] in ("moves", "m") and len(words) == 1:
        return in_hand
    if words[0] in ("help", "?") and len(words) == 1:
        return [command.name for command in COMMANDS] + ["fairness"]
    if words[0] in ("play", "p"):
        words = words[1:]
        if not words:
            return in_hand
    try:
        played = _named(words[0])
        taken = [_named(word) for word in words[1:] if word != "take"]
    except Unreadable:
        return []
    whole = to_set(named.card for named in taken if named.card is not None)
    can = 0
    for card in in_pack_order(hand):
        if played.fits(card):
            for play in Captures.under(rules).plays(card, ground):
                if whole & ~play.take == 0:
                    can |= play.take & ~whole
    more = [name(card) for card in in_rank_order(can)]
    return more if "take" in words else (["take"] if can else [])
