"""The other side of the protocol: another program asks, and one of our players answers."""

from __future__ import annotations

from typing import BinaryIO, TextIO

from ..cards import visible
from ..errors import BasraError, Unreadable
from ..players import Chance, Player
from ..protocol import CHOOSE, HELLO, Question
from .console import Stream


class Answering:
    """Answer questions until the input ends.

    Each question gets one line, a play or an error.  An error is said at once; what is left of
    that question is skipped then, so whoever asks stays in step.
    """

    def __init__(self, player: Player, version: str, out: TextIO) -> None:
        self.player = player
        self.greeting = f"{HELLO} basra-{player.name.replace(':', '-')} {version}"
        self.out = out
        self.question = Question()
        self.skipping = False

    def run(self, stream: BinaryIO) -> None:
        """Answer what is asked on a stream."""
        source = Stream(stream, "stdin")
        while True:
            try:
                line = source.read("").strip()
                if line:
                    self.take(line)
            except EOFError:
                return
            except BasraError as error:
                if not self.skipping:
                    self.say("error " + visible(str(error), 500))
                self.skipping = True

    def say(self, text: str) -> None:
        """Write a line, at once."""
        self.out.write(text + "\n")
        self.out.flush()

    def take(self, line: str) -> None:
        """Take in a line, and answer where it ends a question."""
        if line.startswith(HELLO.split()[0]):
            self.begin()
            if line != HELLO:
                raise Unreadable("{text} is not spoken here: {hello} is", text=line, hello=HELLO)
            self.say(self.greeting)
        elif line.split()[0] == CHOOSE:
            question, skipped = self.question, self.skipping
            self.begin()
            if not skipped:
                self.answer(question)
        elif not self.skipping:
            self.question.take(line)

    def begin(self) -> None:
        """Begin the next question."""
        self.question = Question()
        self.skipping = False

    def answer(self, question: Question) -> None:
        """Answer a question that is whole."""
        try:
            play = self.player.choose(question.view(), Chance(question.chance))
            self.say(f"play {play}")
        except BasraError as error:
            self.say("error " + visible(str(error), 500))
