"""Where lines come from, and what interrupts.

Every source has one method, `read(prompt)`.  It gives the next line without its end, raises
`EOFError` after the last, and `Unreadable` for a line that is too long or is not text: the
line is then used up, and the next one can be read.
"""

from __future__ import annotations

import io
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from types import FrameType
from typing import Any, BinaryIO, TextIO

from ..cards import visible
from ..errors import Unreadable, about
from .language import LONGEST_LINE

MOST_SKIPPED = 16 << 20  # bytes of a line that is too long

AGAIN = 0.25  # seconds


class Terminated(BaseException):
    """The program was told to end by a signal, whose number it is given."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class Signals:
    """Let interrupt, hang-up and terminate come through only where nothing is half done.

    A signal that arrives elsewhere waits for the next `interruptible` stretch.  Interrupt
    comes as `KeyboardInterrupt`, the others as `Terminated`.  A signal that was ignored
    when the program began stays so.

    A signal that comes in the instant before a read begins to wait does not break it off; so
    in such a stretch an alarm goes off now and then, which does.
    """

    def __init__(self) -> None:
        self._open = False
        self._pending: int | None = None
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._arrived)
        signal.signal(signal.SIGALRM, lambda _number, _frame: None)

    def _arrived(self, number: int, _frame: FrameType | None) -> None:
        if self._open:
            self._open = False
            self._raise(number)
        elif self._pending in (None, signal.SIGINT):
            self._pending = number

    @staticmethod
    def _raise(number: int) -> None:
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        raise Terminated(number)

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Let signals come through in this stretch of code."""
        self._open = True
        try:
            signal.setitimer(signal.ITIMER_REAL, AGAIN, AGAIN)
            if self._pending is not None:
                number, self._pending = self._pending, None
                self._open = False
                self._raise(number)
            yield
        finally:
            self._open = False
            signal.setitimer(signal.ITIMER_REAL, 0)


class Stream:
    """Lines from a script, or from a person at the far end of a pipe.

    With `prompts` each prompt is written there first; `name` and `number` say where the
    line that was read last stands.
    """

    def __init__(self, stream: BinaryIO, name: str, prompts: TextIO | None = None) -> None:
        self.stream = stream
        self.name = name
        self.number = 0
        self.prompts = prompts
        self.dropped = False

    def read(self, prompt: str) -> str:
        """Read a line of UTF-8 text of at most `LONGEST_LINE` bytes."""
        if self.prompts:
            self.prompts.write(prompt)
            self.prompts.flush()
        with nullcontext() if self.stream is sys.stdin.buffer else about(self.name):
            data = self.stream.readline(LONGEST_LINE + 2)
            if not data:
                raise EOFError
            self.number += 1
            rest, more = data, MOST_SKIPPED
            while len(rest) > LONGEST_LINE and not rest.endswith(b"\n") and more > 0:
                rest = self.stream.readline(1 << 16)
                more -= len(rest)
        if more <= 0:
            self.stream = io.BytesIO()  # a line without an end ends the script
        return decoded(data)

    def forget(self) -> None:
        """Forget what was typed; nothing is remembered here."""


def decoded(data: bytes) -> str:
    """Turn the bytes of a line into text without its end.  Raises `Unreadable`."""
    data = data.removesuffix(b"\n").removesuffix(b"\r")
    if len(data) > LONGEST_LINE:
        raise Unreadable("the line is too long: at most {most:,} bytes", most=LONGEST_LINE)
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Unreadable("the line is not text: its bytes are not UTF-8") from None


def _typed(prompt: str) -> str:
    """Read a line with `input`."""
    try:
        return input(prompt)
    except SystemError as error:
        # Python 3.10 runs the handler of an alarm while the exception of another signal is on its way.
        raise (error.__cause__ or error) from None


class Keyboard:
    """Lines typed at a terminal, with editing, history and completion where there is `readline`."""

    name = ""
    number = 0
    dropped = False  # an interrupt took away a line that had something on it

    def __init__(self, complete: Callable[[str], list[str]]) -> None:
        self._complete = complete
        self._readline: Any = None
        try:
            import readline
        except ImportError:
            return
        self._readline = readline
        self._matches: list[str] = []
        readline.set_completer(self._completion)
        readline.set_completer_delims(" \t,+")
        libedit = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
        if not libedit:  # no key turns ~NAME into a home folder, which is no guest's business
            for key in ("\\e~", "\\e&", "\\e\\C-j", "\\e\\C-m"):  # the last two: vi mode
                readline.parse_and_bind(f'"{key}": ""')

    def _completion(self, text: str, state: int) -> str | None:
        """Answer readline: the match number `state` for the word that is being typed."""
        if state == 0:
            before = self._readline.get_line_buffer()[: self._readline.get_begidx()]
            upper = any(character.isupper() for character in text)
            words = self._complete(before)
            shown = [word if upper else word.lower() for word in words]
            self._matches = [word for word in shown if word.lower().startswith(text.lower())]
            if len(self._matches) == 1:
                self._matches[0] += " "
        return self._matches[state] if state < len(self._matches) else None

    def read(self, prompt: str) -> str:
        """Read a typed line; whoever comes back from another job is shown how far it has got."""
        self.dropped = False
        before = signal.signal(signal.SIGCONT, lambda _number, _frame: self._show(prompt))
        try:
            return decoded(_typed(prompt).encode("utf-8", "surrogateescape"))
        except KeyboardInterrupt:
            self.dropped = bool(self._so_far())
            raise
        finally:
            signal.signal(signal.SIGCONT, before)

    def _so_far(self) -> str:
        return self._readline.get_line_buffer() if self._readline is not None else ""

    def _show(self, prompt: str) -> None:
        sys.stdout.write(prompt + visible(self._so_far(), LONGEST_LINE))
        sys.stdout.flush()

    def forget(self) -> None:
        """Forget what was typed, so that the next person cannot look it up."""
        if self._readline is not None:
            self._readline.clear_history()
