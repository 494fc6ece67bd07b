"""What every way of telling a match has in common: text, words, JSON."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TextIO

from ..captures import Play
from ..engine import Counted, Dealt, Event, GameBegan, Match, MatchBegan, Outcome, Played
from ..errors import BasraError
from ..rules import Rules
from ..view import View
from .writing import Signs

if TYPE_CHECKING:
    from ..analysis import Advice, Analysis
    from ..record import Record


class Code(str):
    """A line of help that is to be typed elsewhere: it is shown as it is."""


Block = str | tuple[str, str]  # a paragraph of help or a line of code, or a label and its text


class Teller(ABC):
    """Tell events and answer commands on a stream."""

    TOLD_BY: ClassVar[dict[type, str]] = {
        MatchBegan: "match_began",
        GameBegan: "game_began",
        Dealt: "dealt",
        Played: "played",
        Counted: "counted",
        Outcome: "ended",
    }
    rules: Rules  # of the match that began

    def __init__(self, out: TextIO, writer: Signs, computers: dict[int, str]) -> None:
        self.out = out
        self.writer = writer
        self.computers = computers

    def event(self, event: Event) -> None:
        """Tell what happened."""
        getattr(self, self.TOLD_BY[type(event)])(event)

    @abstractmethod
    def ground(self, view: View) -> None:
        """Tell what lies on the ground."""

    @abstractmethod
    def hand(self, view: View) -> None:
        """Tell what the seat holds."""

    @abstractmethod
    def score(self, view: View) -> None:
        """Tell where we stand."""

    @abstractmethod
    def last(self, plays: Sequence[Played]) -> None:
        """Tell the last plays again."""

    @abstractmethod
    def moves(self, view: View, listed: Sequence[Play], smaller: int) -> None:
        """List legal plays with numbers, and say how many smaller captures are left out."""

    @abstractmethod
    def hint(self, view: View, advice: Advice) -> None:
        """Tell which play is advised and why, and what the best plays promise."""

    @abstractmethod
    def analysis(self, record: Record, found: Analysis) -> None:
        """Tell what the plays of a record have cost."""

    @abstractmethod
    def page(self, blocks: Sequence[Block]) -> None:
        """Give a text of help."""

    @abstractmethod
    def verbatim(self, lines: Sequence[str]) -> None:
        """Give the lines of a record as they are."""

    @abstractmethod
    def going_on(self, match: Match, view: View | None, date: str | None) -> None:
        """Say that a kept match goes on, and where it stands; `view` is None before its first game."""

    @abstractmethod
    def note(self, template: str, **words: Any) -> None:
        """Say one sentence of the program's own."""

    @abstractmethod
    def refusal(self, error: BasraError) -> None:
        """Say on one line why something is refused."""

    # What only people need is left out by default.

    def refusal_in_script(self, error: BasraError, file: str, line: int) -> None:
        """Say why a line of a script is refused, besides what goes to standard error."""

    def greeting(self, match: Match) -> None:
        """Say what begins, and the commands that a newcomer needs."""

    def seal(self, commit: str) -> None:
        """Show the seal of the pack."""

    def position(self, view: View) -> None:
        """Show all that is needed for the next play."""

    def waiting(self, state: str, match: Match) -> None:
        """Say what Enter does in a state that is no person's turn."""

    def cut_prompt(self) -> str:
        """Return the prompt that asks for the cut."""
        return ""

    def prompt(self, state: str, match: Match) -> str:
        """Return the prompt of a state of the session."""
        return ""

    def blank(self) -> None:
        """Part two blocks."""

    def say(self, text: str = "") -> None:
        """Write a text."""
