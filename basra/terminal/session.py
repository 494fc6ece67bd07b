"""The session: the loop that reads lines and lets the match move on.

Lines typed, lines piped in and lines of a script go through the same `execute`.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TextIO

from ..captures import Play, bonus, choices, widest
from ..cards import Writer, check_text, rank
from ..engine import Event, Game, Match, Played, Seats
from ..errors import Ambiguous, BasraError, Illegal, Unreadable
from ..players import Chance, Player
from ..record import Record, check_statement
from ..rules import Rules
from ..shuffle import commitment, new_seed, pack_of, player_seed
from ..spelling import split
from ..view import View, seen_by
from .console import Signals
from .helptext import help_page, rules_page
from .keeping import File, Keeper
from .language import completions, plays_of, read_line, read_play
from .teller import Teller
from .writing import _


class Source(Protocol):
    """Where lines come from: see `console`."""

    name: str
    number: int

    dropped: bool

    def read(self, prompt: str) -> str: ...

    def forget(self) -> None: ...


@dataclass
class Table:
    """Who plays, by which rules, from which seed; `players` has a program for each seat that one plays."""

    rules: Rules = Rules()
    seats: Seats = Seats()
    names: Sequence[str] = ()
    players: dict[int, Player] = field(default_factory=dict)
    seed: str | None = None
    cut: str | None = None

    @property
    def people(self) -> tuple[int, ...]:
        """List the seats that people play."""
        return tuple(seat for seat in range(1, self.seats.count + 1) if seat not in self.players)

    @property
    def you(self) -> int | None:
        """Return the seat that is addressed as *you*: the only one that a person plays."""
        return self.people[0] if len(self.people) == 1 else None


@dataclass(frozen=True)
class Manner:
    """How a session goes: with prompts for a person, or from a script.

    `interactive`: a refused line ends nothing.  `prompts`: there is a person to wait for.
    `pace`: how long a computer's play takes at least, in seconds.
    """

    interactive: bool = False
    prompts: bool = False
    keep_going: bool = False
    pace: float = 0.0


class Leave(Exception):
    """The session is to end, with an exit status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def played(match: Match) -> Iterator[Played]:
    """Yield the plays of the newest game of a match as they were told."""
    number, game = len(match.games), match.game
    pack = match.packs[-1] if match.seed is None else pack_of(match.seed, number, match.cut)
    again = Game(pack, match.rules, match.seats, game.dealer)
    for play in game.plays:
        seat, ground = again.turn, again.ground
        kind = again.play(play)
        yield Played(seat, play, kind, bonus(kind, match.rules), ground, again.turn)


class Session:
    """Play matches: read lines from a source, tell what happens through `screen`, keep it with `keeper`."""

    def __init__(
        self,
        table: Table,
        screen: Teller,
        manner: Manner,
        signals: Signals,
        errors: TextIO,
        keeper: Keeper | None = None,
    ) -> None:
        self.table = table
        self.screen = screen
        self.manner = manner
        self.signals = signals
        self.errors = errors
        self.keeper = keeper or Keeper()
        self.match: Match
        self.status = 0
        self.shown = False  # the position is on the screen
        self.stopped = False  # the computer was interrupted and waits for Enter
        self.facing = 0 if manner.prompts and len(table.people) > 1 else None
        self.unseen: list[Event] = []  # what was told before the person now ready could look
        self.interrupts = 0
        self.listed: tuple[Play, ...] = ()
        self.last: deque[Played] = deque(maxlen=table.seats.count)

    def run(self, source: Source, kept: tuple[Record, File | None] | None = None) -> int:
        """Play a new match, or go on with a kept one, until somebody leaves; return the exit status."""
        self.source = source
        try:
            if kept:
                self.go_on(*kept)
            else:
                self.begin()
            while True:
                self.step()
        except Leave as leave:
            return leave.status

    # ---- a match -----------------------------------------------------------------------

    def begin(self) -> None:
        """Begin a match: greet, show the seal, ask for the cut, deal."""
        table = self.table
        seed = new_seed() if table.seed is None else table.seed
        cut = table.cut
        if self.manner.prompts:
            self.screen.greeting(self.sit_down(seed, ""))
        if table.seed is None:
            self.screen.seal(commitment(seed))
            if self.manner.prompts and cut is None:
                cut = self.ask_cut()
        match = self.sit_down(seed, cut or "")
        self.keeper.speak_through(self.screen.note)
        self.keeper.begin(match)
        self.follow(match)
        self.begin_game()

    def sit_down(self, seed: str, cut: str) -> Match:
        """Make the match of this table."""
        return Match(self.table.rules, self.table.seats, names=self.table.names, seed=seed, cut=cut)

    def follow(self, match: Match) -> None:
        """Take a match as the one that is played here."""
        self.match = match
        match.listen(self.hear)

    def go_on(self, record: Record, file: File | None) -> None:
        """Go on with a match that was kept, exactly where it stopped."""
        match = record.match
        self.keeper.go_on(record, file)
        self.follow(match)
        self.screen.going_on(match, self.view() if match.games else None, record.date)
        if match.games:
            self.last.extend(played(match))
        if self.last and self.manner.prompts:
            self.screen.last(tuple(self.last))
        self.keeper.speak_through(self.screen.note)

    def begin_game(self) -> None:
        """Deal the next game; one that a record without a seed goes on with gets a pack by chance."""
        number = len(self.match.games) + 1
        self.match.begin_game(None if self.match.seed is not None else pack_of(new_seed(), number))

    def ask_cut(self) -> str:
        """Ask for the cut until it is one that a record can hold."""
        while True:
            try:
                text = self.read(self.screen.cut_prompt())
                if text is not None and text.strip().lower() == "quit":
                    raise Leave(self.status)
                if text is not None:
                    return check_text("the cut", text, empty=True)
            except BasraError as error:
                self.refuse(error)

    def hear(self, event: Event) -> None:
        """Tell an event, as those who sit here may know it."""
        event = seen_by(event, self.table.people)
        self.shown = False
        if isinstance(event, Played):
            self.last.append(event)
            self.listed = ()
        if self.facing is not None:
            self.unseen.append(event)
        self.screen.event(event)

    # ---- one step ----------------------------------------------------------------------

    @property
    def state(self) -> str:
        """Say what is being waited for.

        `turn`: a person's play; `ready`: that the next person says so; `stopped`: that the
        computer may play; `between`: the next game; `over`: another match.
        """
        match = self.match
        if match.outcome:
            return "over"
        if match.waiting:
            return "between"
        if match.game.turn in self.table.players:
            return "stopped"
        return "turn" if self.facing in (None, match.game.turn) else "ready"

    def step(self) -> None:
        """Let the match move on by itself, or by one line that is read."""
        state = self.state
        if state == "between" and not self.manner.prompts:
            self.begin_game()
        elif state == "stopped" and not self.stopped:
            self.computer_plays()
        else:
            if not self.shown:
                self.show(state)
            try:
                text = self.read(self.screen.prompt(state, self.match))
                if text is not None:
                    self.execute(text, state)
            except BasraError as error:
                self.refuse(error)

    def show(self, state: str) -> None:
        """Show what a person needs in order to answer."""
        self.shown = True
        if state == "ready":
            self.source.forget()
        if state == "turn":
            self.screen.position(View.of(self.match, self.match.game.turn))
        elif self.manner.prompts:
            self.screen.waiting(state, self.match)

    def computer_plays(self) -> None:
        """Let the program whose turn it is choose and play; an interrupt stops it."""
        match = self.match
        seat, plays = match.game.turn, len(match.game.plays)
        chance = Chance(player_seed(match.seed or "", seat, len(match.games), plays))
        began = time.monotonic()
        try:
            with self.signals.interruptible():
                self.screen.out.flush()
                play = self.table.players[seat].choose(View.of(match, seat), chance)
                time.sleep(max(0.0, self.manner.pace - (time.monotonic() - began)))
        except KeyboardInterrupt:
            if not self.manner.prompts:
                raise
            self.stopped = True
            self.shown = False
        else:
            match.play(play)

    # ---- lines -------------------------------------------------------------------------

    def read(self, prompt: str) -> str | None:
        """Read a line; None where an interrupt dropped it.  A second interrupt leaves."""
        try:
            with self.signals.interruptible():
                self.screen.out.flush()
                text = self.source.read(prompt if self.manner.prompts else "")
        except EOFError:
            if self.manner.prompts:
                self.screen.say()
            raise Leave(self.status) from None
        except KeyboardInterrupt:
            if not self.manner.interactive:
                raise
            self.screen.say()
            if not self.source.dropped:
                self.interrupts += 1
            if self.interrupts == 2:
                raise
            if self.interrupts:
                self.screen.note(_("interrupt again to leave, or say quit"))
            return None
        self.interrupts = 0
        return text

    def execute(self, text: str, state: str) -> None:
        """Carry out one line; an empty one answers what is being waited for.  Raises `BasraError`."""
        line = read_line(text)
        if line is None:
            if self.manner.prompts and not text.strip():
                self.enter(state)
            return
        if line.seat is not None:
            self.check_seat(line.seat)
        getattr(self, f"do_{line.command}")(line.words)

    def enter(self, state: str) -> None:
        """Answer Enter."""
        if state == "ready":
            self.facing = self.match.game.turn
            told, self.unseen = self.unseen, []
            for event in told:
                self.screen.event(event)
            self.shown = False
        elif state == "stopped":
            self.stopped = False
        elif state == "between":
            self.begin_game()
        elif state == "over":
            self.table.seed = self.table.cut = None
            self.facing = None if self.facing is None else 0
            self.last.clear()
            self.screen.blank()
            self.begin()

    def check_seat(self, seat: int) -> None:
        """Raise unless it is the turn of the seat that stands before a command."""
        match = self.match
        match.seats.check(seat)
        if match.outcome or match.waiting:
            raise Illegal("it is nobody's turn, so not that of seat {seat}", seat=seat)
        turn = match.game.turn
        if seat != turn:
            raise Illegal(
                "it is the turn of seat {turn}, {name}, not of seat {seat}",
                turn=turn,
                name=match.names[turn - 1],
                seat=seat,
            )

    def refuse(self, error: BasraError) -> None:
        """Say why a line is refused; in a script that ends the run, unless it is to keep going."""
        if isinstance(error, Ambiguous):
            self.listed = error.choices
        if self.manner.interactive:
            self.screen.refusal(error)
            return
        where = Writer().format("{name}:{number}", name=self.source.name, number=self.source.number)
        self.screen.out.flush()
        self.errors.write(f"{where}: {error}\n")
        self.errors.flush()
        self.screen.refusal_in_script(error, self.source.name, self.source.number)
        self.status = 3
        if not self.manner.keep_going:
            raise Leave(3)

    def complete(self, before: str) -> list[str]:
        """List what may follow on a line that is being typed."""
        if not hasattr(self, "match") or not self.match.games:
            return []
        game = self.match.game
        if self.state != "turn":
            return completions(before, 0, 0, game.rules)
        return completions(before, game.hands[game.turn - 1], game.ground, game.rules)

    # ---- commands ----------------------------------------------------------------------

    def looker(self) -> int | None:
        """Return the seat whose hand may be shown now."""
        return self.match.game.turn if self.state == "turn" else self.table.you

    def view(self) -> View:
        """Look at the match from the seat that may be shown, or from any where no hand counts."""
        return View.of(self.match, self.looker() or 1)

    def turn_view(self) -> View:
        """Look at the match from the seat that is to play.  Raises `Illegal` where no person is."""
        match, state = self.match, self.state
        if state == "over":
            raise Illegal("the match is over")
        if state == "between":
            raise Illegal("Enter deals game {number} first", number=len(match.games) + 1)
        if state == "stopped":
            raise Illegal(
                "it is the turn of {name}: Enter lets it play", name=match.names[match.game.turn - 1]
            )
        if state == "ready":
            raise Illegal("{name} is to play: Enter shows the hand", name=match.names[match.game.turn - 1])
        return View.of(match, match.game.turn)

    def do_play(self, words: str) -> None:
        view = self.turn_view()
        self.match.play(read_play(words, view.hand, view.ground, view.rules))

    def do_number(self, words: str) -> None:
        self.turn_view()
        if not self.listed:
            raise Unreadable(
                "no plays are listed for {number} to choose from: moves lists them", number=words
            )
        if not 1 <= int(words) <= len(self.listed):
            raise Unreadable(
                "there is no {number} in the list: it goes from 1 to {last}",
                number=words,
                last=len(self.listed),
            )
        self.match.play(self.listed[int(words) - 1])

    def do_statement(self, words: str) -> None:
        check_statement(split(words), self.match)

    def do_ground(self, _words: str) -> None:
        self.screen.ground(self.view())

    def do_hand(self, _words: str) -> None:
        if self.looker() is None:
            self.turn_view()
        self.screen.hand(self.view())

    def do_score(self, _words: str) -> None:
        self.screen.score(self.view())

    def do_last(self, _words: str) -> None:
        self.screen.last(tuple(self.last))

    def do_moves(self, words: str) -> None:
        view = self.turn_view()
        smaller = 0
        if words:
            listed = plays_of(words, view.hand, view.ground, view.rules)
        else:
            plays = tuple(view.legal_plays())
            wide = widest(plays)
            smaller = len(plays) - len(wide)
            listed = choices(wide, view.rules)
        self.listed = tuple(sorted(listed, key=lambda play: (rank(play.card), play.card)))
        self.screen.moves(view, self.listed, smaller)

    def do_hint(self, _words: str) -> None:
        from ..analysis import advise

        view = self.turn_view()
        try:
            with self.signals.interruptible():
                self.screen.out.flush()
                advice = advise(view, self.match.seed)
        except KeyboardInterrupt:
            if not self.manner.interactive:
                raise
            self.screen.say()
            return
        self.screen.hint(view, advice)

    def do_record(self, _words: str) -> None:
        self.screen.verbatim(self.keeper.lines())

    def do_save(self, words: str) -> None:
        if not words:
            raise Unreadable("save where? name a file, as in save match.basra")
        there = self.keeper.save(words)
        self.screen.note(
            _("{file:whole} was there: it holds all of the match now")
            if there
            else _("saved in {file:whole}"),
            file=words,
        )

    def do_rules(self, _words: str) -> None:
        self.screen.page(rules_page(self.match.rules, self.screen.writer))

    def do_help(self, words: str) -> None:
        seed = self.match.seed if self.match.outcome or self.table.seed else None
        self.screen.page(help_page(words, seed, self.match.cut))

    def do_resign(self, _words: str) -> None:
        if not self.match.outcome and not self.match.waiting:
            self.turn_view()
        self.match.resign()

    def do_quit(self, _words: str) -> None:
        raise Leave(self.status)
