"""A match as text: read, write, check.

A record is one statement a line: a header, then the games with every play, each count and
the result.  `read` replays it through the engine, so that what it accepts is a legal match
with right numbers.  A `Recorder` writes a match while it is played, `lines` one that stands.
What is written has one spelling; what is read may differ from it in upper and lower case,
`T` for 10, `♣♦♥♠`, blanks, CRLF and comments, and in nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, BinaryIO

from .captures import Play, chosen
from .cards import check_text, lowered, name
from .engine import Count, Counted, Event, Game, GameBegan, Match, MatchBegan, Outcome, Played, Seats
from .errors import BadRecord, BasraError, Illegal, Unreadable, about
from .rules import KEYS, Rules
from .shuffle import commitment
from .spelling import (
    check_name,
    check_player,
    exact_card,
    exact_cards,
    read_number,
    read_seat,
    split,
    words_of,
)
from .view import View

FIRST_LINE = "basra-record 1"
LONGEST_LINE = 4096  # bytes, its line end not counted
LARGEST_FILE = 16 << 20  # bytes
MOST_GAMES = 10_000


@dataclass(frozen=True)
class Record:
    """A match and what its record says besides.

    `players` names the program that plays a seat, where one does; `date` is when the match
    began, `YYYY-MM-DDTHH:MM:SSZ`.  The rest tells of a record that was read: `size` is where
    its whole lines end, in bytes; `warning` says that a last line was cut off there; `due`
    is what the next line has to be: `header`, `game`, `pack`, `play`, `score`, `result`, or
    nothing after the result.
    """

    match: Match
    players: Mapping[int, str] = field(default_factory=dict)
    date: str | None = None
    warning: BadRecord | None = None
    size: int = 0
    due: str = "header"


# ---- header ----------------------------------------------------------------------------


def _read_set(text: str) -> tuple[str, str]:
    words = words_of(lowered(text))
    if len(words) != 2:
        raise Unreadable("{text} cannot be read: it is set KEY VALUE", text=f"set {text}")
    key, value = words
    Rules().changed(key, value)
    if not KEYS[key].choices:
        read_number(value)
    return f"set {key}", value


def _read_seats(text: str) -> tuple[str, Seats]:
    words = words_of(lowered(text))
    if not words or words[1:] not in ([], ["teams"]):
        raise Unreadable("{text} cannot be read: it is seats N or seats 4 teams", text=f"seats {text}")
    return "seats", Seats(read_number(words[0]), teams=len(words) > 1)


def _read_seat(text: str) -> tuple[str, tuple[str, str | None]]:
    words = words_of(text) or [""]
    seat = read_seat(words[0])
    text = text[len(words[0]) :]
    player = None
    if lowered(words[-1]).startswith("bot:"):
        player = check_player(words[-1][4:])
        text = text[: -len(words[-1])]
    return f"seat {seat}", (check_name(text), player)


def _read_date(text: str) -> tuple[str, str]:
    try:
        if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3])(:[0-5][0-9]){2}Z", text):
            raise ValueError
        date.fromisoformat(text[:10])
    except ValueError:
        raise Unreadable("{text} is not a date in the form YYYY-MM-DDTHH:MM:SSZ", text=text) from None
    return "date", text


def _read_commit(text: str) -> tuple[str, str]:
    if not re.fullmatch(r"[0-9a-f]{64}", text):
        raise Unreadable("{text} is not a commitment: 64 lower-case hexadecimal digits", text=text)
    return "commit", text


# Each is given the text after its word and returns what may be said once, and its value.
_HEADER: dict[str, Callable[[str], tuple[str, Any]]] = {
    "rules": lambda text: ("rules", Rules.named(lowered(text))),
    "set": _read_set,
    "seats": _read_seats,
    "seat": _read_seat,
    "date": _read_date,
    "commit": _read_commit,
    "seed": lambda text: ("seed", check_text("the seed", text)),
    "cut": lambda text: ("cut", check_text("the cut", text, empty=True)),
}


def _header_lines(record: Record, seed: bool) -> Iterator[str]:
    match = record.match
    yield FIRST_LINE
    yield f"rules {match.rules.name}"
    for key, value in match.rules.differences():
        yield f"set {key} {value}"
    yield f"seats {match.seats.count}{' teams' if match.seats.teams else ''}"
    for at, text in enumerate(match.names, 1):
        bot = f" bot:{check_player(record.players[at])}" if at in record.players else ""
        yield f"seat {at} {check_name(text)}{bot}"
    if record.date is not None:
        yield "date " + _read_date(record.date)[1]
    if match.seed is not None:
        yield f"commit {match.commit}"
        if seed:
            yield f"seed {match.seed}"
        yield f"cut {match.cut}".rstrip(" ")


# ---- statements about a match ----------------------------------------------------------


def _joined(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))


def _game_lines(match: Match, number: int) -> Iterator[str]:
    yield f"game {number} dealer {match.games[number - 1].dealer}"
    if match.seed is None:
        yield f"pack {' '.join(map(name, match.packs[number - 1]))}"


def _score_line(number: int, count: Count, totals: tuple[int, ...]) -> str:
    return (
        f"score {number} cards {_joined(count.cards)} basras {_joined(count.basras)} "
        f"jack-basras {_joined(count.jack_basras)} points {_joined(count.points)} total {_joined(totals)}"
    )


def _result_line(outcome: Outcome) -> str:
    return f"result {outcome.winner} total {_joined(outcome.totals)}"


def _end_lines(outcome: Outcome) -> Iterator[str]:
    if outcome.resigned:
        yield f"{outcome.resigned} resign"
    yield _result_line(outcome)


def _read_game(words: list[str]) -> tuple[int, int]:
    if len(words) != 4 or lowered(words[2]) != "dealer":
        raise Unreadable("{text} cannot be read: it is game N dealer S", text=" ".join(words))
    return read_number(words[1]), read_seat(words[3])


def _check_game(words: list[str], match: Match) -> None:
    number, dealer = _read_game(words)
    if match.outcome:
        raise Illegal("no game begins: the match is over")
    if not match.waiting and match.game.plays:
        raise Illegal("no game begins: game {number} is being played", number=len(match.games))
    due = len(match.games) + match.waiting
    deals = (match.dealer + due - 2) % match.seats.count + 1
    if number != due:
        raise Illegal("game {number} is wrong: it is {due}", number=number, due=due)
    match.seats.check(dealer)
    if dealer != deals:
        raise Illegal("dealer {dealer} is wrong: it is {deals}", dealer=dealer, deals=deals)


def _check_score(words: list[str], match: Match) -> None:
    if not match.counts or (match.game.plays and not match.game.over):
        raise Illegal("no game has just ended: there is no score to check")
    _compare(
        words,
        _score_line(len(match.counts), match.counts[-1], match.totals),
        "{text} cannot be read: it is "
        "score N cards ... basras ... jack-basras ... points ... total ..., one number a side",
    )


def _check_result(words: list[str], match: Match) -> None:
    if not match.outcome:
        raise Illegal("the match is not over: there is no result to check")
    _compare(
        words,
        _result_line(match.outcome),
        "{text} cannot be read: it is result SIDE total ..., one number a side",
    )


def _compare(words: list[str], line: str, unreadable: str) -> None:
    """Check the words of a statement against those of the line that would be right."""
    right = line.split(" ")
    if len(words) != len(right):
        raise Unreadable(unreadable, text=" ".join(words))
    for label, word, needed in zip(["", *right], words, right):
        if needed[0].isalpha():
            if lowered(word) != needed:
                raise Unreadable(unreadable, text=" ".join(words))
        elif word != needed:
            raise Illegal("{label} {word} is wrong: it is {right}", label=label, word=word, right=needed)


_CHECKS = {"game": _check_game, "score": _check_score, "result": _check_result}


def check_statement(words: list[str], match: Match) -> None:
    """Check a statement `game`, `score N …` or `result …` against a match that has come so far.

    `game` fits before that game begins and until its first play, `score` after the last play
    of a game and until the next one's first, `result` after the end.  Raises `Unreadable`
    for what is no such statement, `Illegal` for one that does not fit.
    """
    check = _CHECKS.get(lowered(words[0])) if words else None
    if check is None:
        raise Unreadable("{text} is no statement: game, score or result", text=" ".join(words))
    check(words, match)


def read_play(words: list[str], game: Game | View) -> Play:
    """Read `CARD` or `CARD take CARDS`, exactly as in a record, for the seat whose turn it is.

    Without `take` the card takes what contains all else that it could take.  Raises
    `Unreadable`; `Ambiguous` where several choices are left; `Illegal` without `take` for a
    card that is not in the hand.  Whether the play is legal is for `why_not` to say.
    """
    if len(words) == 3 and lowered(words[1]) == "take":
        return Play(exact_card(words[0]), exact_cards(words[2]))
    if len(words) != 1:
        text = " ".join(["play", *words])
        raise Unreadable(
            "{text} cannot be read: it is play CARD or play CARD take CARDS, with commas", text=text
        )
    card = exact_card(words[0])
    plays = game.plays_of(card)
    if not plays:
        raise game.why_not(Play(card)) or AssertionError("a card of the hand has a play")
    return plays[0] if len(plays) == 1 else chosen(plays, game.rules)


# ---- reading ---------------------------------------------------------------------------


def read(stream: BinaryIO, file: str = "record") -> Record:
    """Read a record line by line and replay it; `file` is its name in messages.

    The match stands ready to go on.  A last line without its line end was cut off while it
    was written: it is left out, with a warning.  Raises `BadRecord` at the first wrong line,
    or the first that passes the limits, and reads no further; `OSError`.
    """
    reader = _Reader(file)
    try:
        with about(file):
            while (line := stream.readline(LONGEST_LINE + 2)) and reader.take(line):
                pass
        return reader.record()
    except BadRecord:
        raise
    except BasraError as error:
        raise reader.wrong(error) from error


class _Reader:
    """Take in a record, line by line."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._line = 0
        self._size = 0
        self._due = "header"
        self._warning: BadRecord | None = None
        self._header: dict[str, tuple[int, Any]] = {}
        self._match: Match | None = None

    def wrong(self, error: BasraError, line: int = 0) -> BadRecord:
        """Say in which line an error is: this one, or an earlier one."""
        line = line or self._line
        bad = BadRecord("{file:whole}:{line}: {error:error}", file=self._file, line=line, error=error)
        bad.__cause__ = error
        return bad

    def take(self, raw: bytes) -> bool:
        """Take in a line, or warn of one that has no end and return False."""
        self._line += 1
        whole = raw.endswith(b"\n")
        line = raw[:-1].removesuffix(b"\r") if whole else raw
        if self._line == 1:
            self._check_first(line, whole)
        if len(line) > LONGEST_LINE:
            raise Unreadable("the line is longer than {most} bytes", most=LONGEST_LINE)
        size = self._size + len(raw)
        if size > LARGEST_FILE:
            raise Unreadable("the record is larger than {most} MiB", most=LARGEST_FILE >> 20)
        if not whole:
            text = line.decode(errors="replace")
            self._warning = self.wrong(Unreadable("{text} has no line end: it is left out", text=text))
            return False
        self._size = size
        if self._line == 1:
            self._due = "game"
        else:
            try:
                text = line.decode()
            except UnicodeDecodeError:
                raise Unreadable("the line is not UTF-8") from None
            self._statement(text)
        return True

    def record(self) -> Record:
        """Return what has been taken in."""
        if not self._line:
            self._line = 1
            self._check_first(b"", whole=True)
        match = self._match or self._ready(1, cut_short=True)
        said = {seat: self._said(f"seat {seat}", ("", None)) for seat in range(1, match.seats.count + 1)}
        players = {seat: player for seat, (_, player) in said.items() if player is not None}
        return Record(match, players, self._said("date", None), self._warning, self._size, self._due)

    def _check_first(self, line: bytes, whole: bool) -> None:
        right = FIRST_LINE.encode()
        if line != right and (whole or not right.startswith(line.removesuffix(b"\r"))):
            text = line.decode(errors="replace") or "empty"
            raise Unreadable("the first line is {text}, not {right}", text=text, right=FIRST_LINE)

    def _statement(self, text: str) -> None:
        words = split(text)
        if not words:
            return
        word = words[1] if len(words) > 1 and words[0].isdecimal() else words[0]
        statement = _BODY.get(word) or _BODY.get(word := lowered(word))
        if statement is None:
            self._read_header(text.partition("#")[0].strip(" \t"))
            return
        due, take_in = statement
        if due != self._due:
            raise self._out_of_place(word)
        if self._match is None:
            self._match = self._ready(_read_game(words)[1])
        take_in(self, self._match, words)

    def _out_of_place(self, word: str) -> Illegal:
        if word == "pack" and "seed" in self._header:
            return Illegal("pack cannot stand here: a record with a seed has none")
        if not self._due:
            return Illegal("{word} cannot stand here: nothing follows the result", word=word)
        return Illegal("{word} cannot stand here: {due} comes next", word=word, due=self._due)

    def _read_header(self, text: str) -> None:
        word = lowered(words_of(text)[0])
        if word not in _HEADER:
            raise Unreadable("{text} is not a statement of a record", text=text)
        if self._match:
            raise Illegal("{word} cannot stand here: it belongs before the first game", word=word)
        what, value = _HEADER[word](text[len(word) :].strip(" \t"))
        if what in self._header:
            raise Illegal("{what} stands twice, first in line {line}", what=what, line=self._header[what][0])
        self._header[what] = self._line, value

    def _said(self, what: str, otherwise: Any) -> Any:
        return self._header[what][1] if what in self._header else otherwise

    def _ready(self, dealer: int, *, cut_short: bool = False) -> Match:
        """Make the match of the header; where it is cut short, more of it might have followed."""
        rules, seats = self._said("rules", Rules()), self._said("seats", Seats())
        seed = self._said("seed", None)
        names = list(seats.names)
        for what, (line, value) in self._header.items():
            word, _, key = what.partition(" ")
            error = None
            if word == "set":
                rules = rules.changed(key, value)
            elif word == "seat" and int(key) <= seats.count:
                names[int(key) - 1] = value[0]
            elif word == "seat" and ("seats" in self._header or not cut_short):
                error = Illegal("{what} is wrong: there are {count} seats", what=what, count=seats.count)
            elif word in ("commit", "cut") and seed is None and not cut_short:
                error = Illegal("{what} is wrong: the record has no seed", what=what)
            elif word == "commit" and seed is not None and value != commitment(seed):
                error = Illegal("{commit} is not the commitment to the seed {seed}", commit=value, seed=seed)
            if error:
                raise self.wrong(error, line)
        cut = "" if seed is None else self._said("cut", "")
        return Match(rules, seats, names=names, seed=seed, cut=cut, dealer=dealer)

    # ---- the body: each is given the match and the words of its statement

    def _game(self, match: Match, words: list[str]) -> None:
        _check_game(words, match)
        if len(match.games) == MOST_GAMES:
            raise Unreadable("the record has more than {most:,} games", most=MOST_GAMES)
        self._due = "pack"
        if match.seed is not None:
            match.begin_game()
            self._due = "play"

    def _pack(self, match: Match, words: list[str]) -> None:
        match.begin_game([exact_card(word) for word in words[1:]])
        self._due = "play"

    def _play(self, match: Match, words: list[str]) -> None:
        game = match.game
        self._check_turn(game, words[0])
        match.play(read_play(words[2:], game))
        if game.over:
            self._due = "score"

    def _resign(self, match: Match, words: list[str]) -> None:
        self._check_turn(match.game, words[0])
        if len(words) > 2:
            raise Unreadable("{text} cannot be read: it is S resign", text=" ".join(words))
        match.resign()
        self._due = "result"

    def _check_turn(self, game: Game, seat: str) -> None:
        if seat != str(game.turn):
            raise Illegal(
                "seat {seat} is wrong: it is the turn of {turn}", seat=read_seat(seat), turn=game.turn
            )

    def _score(self, match: Match, words: list[str]) -> None:
        _check_score(words, match)
        self._due = "result" if match.outcome else "game"

    def _result(self, match: Match, words: list[str]) -> None:
        _check_result(words, match)
        self._due = ""


# What is due where the statement stands, and how it is taken in.
_BODY: dict[str, tuple[str, Callable[[_Reader, Match, list[str]], None]]] = {
    "game": ("game", _Reader._game),
    "pack": ("pack", _Reader._pack),
    "play": ("play", _Reader._play),
    "resign": ("play", _Reader._resign),
    "score": ("score", _Reader._score),
    "result": ("result", _Reader._result),
}


# ---- writing ---------------------------------------------------------------------------


def lines(source: Record | Match, *, seed: bool = True) -> Iterator[str]:
    """Yield a match as the lines of its record, as far as it has come, each with its line end.

    Without `seed` the line of the seed is left out, for a match whose seed is still sealed.
    Raises `Unreadable` for a name, player or date that cannot stand in a record.
    """
    record = Record(source) if isinstance(source, Match) else source
    return (line + "\n" for line in _lines(record, seed))


def _lines(record: Record, seed: bool = True) -> Iterator[str]:
    yield from _header_lines(record, seed)
    match = record.match
    totals: tuple[int, ...] = (0,) * match.seats.sides
    for number, game in enumerate(match.games, 1):
        yield from _game_lines(match, number)
        seat = game.dealer
        for play in game.plays:
            seat = match.seats.after(seat)
            yield f"{seat} play {play}"
        if number <= len(match.counts):
            count = match.counts[number - 1]
            totals = tuple(map(sum, zip(totals, count.points)))
            yield _score_line(number, count, totals)
    if match.outcome:
        yield from _end_lines(match.outcome)


class Recorder:
    """Write a match while it is played; a listener for `Match.listen`.

    `write` is given whole lines, as soon as what they say has happened; first, when the
    recorder begins to listen, those that are missing so far: all for a new `Record(match,
    players, date)`, and for one that was read the `score` and `result` that were still due.
    A cut-off last line is for the caller to remove, at `Record.size`.

    >>> written: list[str] = []
    >>> match = Match(seed="42")
    >>> match.listen(Recorder(Record(match, {2: "normal"}), written.append))
    >>> game = match.begin_game()
    >>> kind = match.play(game.legal_plays()[0])
    >>> print(*written[1:], sep="", end="")
    game 1 dealer 1
    2 play JC take 5D,3H,AS,5S
    """

    def __init__(self, record: Record, write: Callable[[str], object]) -> None:
        self._record = record
        self._write = write
        self._due = record.due

    def __call__(self, event: Event) -> None:
        """Write what an event adds."""
        text = "".join(line + "\n" for line in self._added(event))
        if text:
            self._write(text)

    def _added(self, event: Event) -> Iterator[str]:
        match = self._record.match
        if isinstance(event, MatchBegan):
            yield from self._missing(match)
        elif isinstance(event, GameBegan):
            game, *pack = _game_lines(match, event.number)
            yield from pack if self._due == "pack" else (game, *pack)
            self._due = ""
        elif isinstance(event, Played):
            yield f"{event.seat} play {event.play}"
        elif isinstance(event, Counted):
            yield _score_line(event.number, event.count, event.totals)
        elif isinstance(event, Outcome):
            yield from _end_lines(event)

    def _missing(self, match: Match) -> Iterator[str]:
        if self._due == "header":
            yield from _lines(self._record)
        if self._due == "score":
            yield _score_line(len(match.counts), match.counts[-1], match.totals)
        if self._due in ("score", "result") and match.outcome:
            yield _result_line(match.outcome)
