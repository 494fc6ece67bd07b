"""A player that is a program of its own, which is asked over its standard input and output.

What is said is in `basra.protocol`.  The program is not trusted with anything: every wait
has a limit, every line has one, an answer is read exactly and checked, and nothing that it
writes reaches the terminal but a few visible characters in a message.  When it fails, or is
no longer needed, it is ended, with whatever it has started in its process group.
"""

from __future__ import annotations

import errno
import os
import random
import select
import shlex
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

from ..captures import Play
from ..errors import Ambiguous, BasraError, Illegal, PlayerFailed, Unreadable
from ..protocol import HELLO, check_greeting, question, read_answer
from ..view import View
from . import OUTSIDE, Chance, Choose, Player

LONGEST_LINE = 4096  # bytes that a program may write in a line
_KEPT = 2048  # bytes of its standard error that are kept, the newest
_LONGEST_NAME = 40
_READ = 1 << 16
_OURS = errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN  # what we lack is no fault of a program
GRACE = 0.5  # seconds that a program has to end, each time that it is told to


def outside(command: str) -> Outside:
    """Return the player that is a command, split into words as a shell does; no shell runs it.

    Its name in records and messages is `cmd:` and the words up to the first option, without
    folders.  Raises `Unreadable` for a command that cannot be split.
    """
    try:
        words = shlex.split(command)
    except ValueError:
        raise Unreadable(
            "{command} is no command: a quotation mark is missing", command=OUTSIDE + command
        ) from None
    if not words or not words[0] or "\0" in command:
        raise Unreadable(
            "{command} is no command: it is cmd:PROGRAM or cmd:'PROGRAM WORDS'", command=OUTSIDE + command
        )
    return Outside(_named(words), "a program from outside", 0, "outside", tuple(words))


def _named(words: list[str]) -> str:
    """Make one word of a command that can stand in a record."""
    shown = words[:1]
    for word in words[1:]:
        if word.startswith("-"):
            break
        shown.append(word)
    text = "_".join(os.path.basename(word) for word in shown)
    return OUTSIDE + "".join(c if c.isalnum() or c in "._+-" else "_" for c in text)[:_LONGEST_NAME]


@dataclass(frozen=True)
class Outside(Player):
    """A player that is a program; `limit` is how many seconds an answer may take, `patience` the greeting.

    Choosing starts the program if it does not run yet, and raises `PlayerFailed` for whatever
    keeps it from giving a legal play; it has been ended then, and the next choice starts it
    anew.  An interrupt passes through: the program goes on thinking, and the same question,
    asked again, waits on for its answer.
    """

    command: tuple[str, ...] = ()
    limit: float = 10.0
    patience: float = 20.0

    @cached_property
    def program(self) -> Program:
        """Return the program behind this player."""
        return Program(self)

    @cached_property
    def choose(self) -> Choose:
        """Return the function that asks the program."""
        return self.program.choose

    def start(self) -> None:
        """Start the program, if it does not run.  Raises `PlayerFailed`."""
        self.program.start()

    def close(self) -> None:
        """End the program, if it runs."""
        self.program.close()


class Program:
    """The process of an outside player, and the lines that go to and fro."""

    def __init__(self, player: Outside) -> None:
        self.player = player
        self.process: subprocess.Popen[bytes] | None = None
        self.heard = b""  # what it has written and nobody has read yet
        self.complaints = b""  # the end of what it has written to standard error
        self.asked = b""  # the question that it is thinking about

    def choose(self, view: View, rng: random.Random) -> Play:
        """Ask for the play of a view, at its seat's turn."""
        chance = rng.number if isinstance(rng, Chance) else rng.getrandbits(256)
        text = self.answer(("\n".join(question(view, chance)) + "\n").encode())
        try:
            if text.startswith("error "):
                raise Unreadable("it says {text}", text=text.removeprefix("error "))
            return read_answer(text, view)
        except (Illegal, Ambiguous) as error:
            self.fail("illegal", "{player} may not play so: {error:error}", error=error)
        except BasraError as error:
            self.fail("unreadable", "{player} gave no play: {error:error}", error=error)

    def answer(self, message: bytes) -> str:
        """Ask a question and return the line that comes back."""
        if self.asked and self.asked != message:
            self.close()  # it still thinks about what nobody wants to know any more
        if not self.asked:
            self.start()
            self.check_silence()
            self.complaints = b""  # about what came before
            self.send(message)
        text = self.hear(self.player.limit, "late", "{player} gave no answer within {seconds:g} seconds")
        self.asked = b""
        return text

    def start(self) -> None:
        """Start the program, unless it runs, and wait for its greeting."""
        if self.process:
            return
        try:
            self.process = subprocess.Popen(
                self.player.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            if error.errno in _OURS:
                raise OSError(error.errno, error.strerror, self.player.name) from None
            self.fail("start", "{player} cannot be started: {reason}", reason=str(error.strerror))
        try:
            for pipe in self.pipes():
                os.set_blocking(pipe, False)
            self.send(HELLO.encode() + b"\n")
            check_greeting(
                self.hear(self.player.patience, "start", "{player} did not greet within {seconds:g} seconds")
            )
            self.asked = b""
        except PlayerFailed:
            raise
        except Unreadable as error:
            self.fail("start", "{player} cannot be used: {error:error}", error=error)
        except BaseException:
            self.close()
            raise

    # ---- lines -------------------------------------------------------------------------

    def check_silence(self) -> None:
        """Fail if the program has said something that nobody asked."""
        self.pass_on(b"", 0.0)
        if self.heard:
            text = self.heard.partition(b"\n")[0].decode(errors="replace")
            self.fail("unreadable", "{player} was not asked and says {text}", text=text)

    def send(self, message: bytes) -> None:
        """Send a message; a program that got half of one is ended."""
        try:
            rest = message
            deadline = time.monotonic() + self.player.limit
            while rest:
                if time.monotonic() >= deadline:
                    self.fail("late", "{player} does not read what it is asked")
                rest = self.pass_on(rest, deadline)
            self.asked = message
        except BaseException:
            self.close()
            raise

    def hear(self, limit: float, how: str, late: str) -> str:
        """Wait for a line and return it without its end; fail with `how` and `late` after the limit."""
        deadline = time.monotonic() + limit
        while b"\n" not in self.heard:
            if len(self.heard) > LONGEST_LINE:
                break
            if time.monotonic() >= deadline:
                self.fail(how, late, seconds=limit)
            self.pass_on(b"", deadline)
        line, _, self.heard = self.heard.partition(b"\n")
        if len(line) > LONGEST_LINE:
            self.fail("unreadable", "{player} wrote a line of more than {most:,} bytes", most=LONGEST_LINE)
        try:
            return line.decode().strip()
        except UnicodeDecodeError:
            self.fail("unreadable", "{player} wrote bytes that are not UTF-8")

    def pass_on(self, message: bytes, deadline: float) -> bytes:
        """Wait until something can be read or written, and do so; return what is still to be written."""
        writing, reading, complaining = self.pipes()
        poll = select.poll()
        if message:
            poll.register(writing, select.POLLOUT)
        if len(self.heard) <= LONGEST_LINE:
            poll.register(reading, select.POLLIN)
        if complaining >= 0:
            poll.register(complaining, select.POLLIN)
        ready = [pipe for pipe, _ in poll.poll(max(0.0, deadline - time.monotonic()) * 1000)]
        if complaining in ready:
            self.read_complaints()
        if reading in ready:
            data = self.read(reading)
            if data == b"":
                self.fail_ended()
            self.heard += data or b""
        if writing in ready:
            try:
                return message[os.write(writing, message) :]
            except BlockingIOError:
                pass
            except BrokenPipeError:
                self.fail_ended()
        return message

    def pipes(self) -> tuple[int, int, int]:
        """Return the ends of the pipes to and from the program; -1 for one that is closed."""
        process = self.process
        assert process
        assert process.stdin
        assert process.stdout
        assert process.stderr
        errors = -1 if process.stderr.closed else process.stderr.fileno()
        return process.stdin.fileno(), process.stdout.fileno(), errors

    @staticmethod
    def read(pipe: int) -> bytes | None:
        """Read what is there; nothing at the end, None where there is nothing yet."""
        try:
            return os.read(pipe, _READ)
        except BlockingIOError:
            return None

    def read_complaints(self) -> bool:
        """Read from standard error what is there and keep its end; say whether there was anything."""
        process = self.process
        if not process or not process.stderr or process.stderr.closed:
            return False
        data = self.read(process.stderr.fileno())
        if data == b"":
            process.stderr.close()
        self.complaints = (self.complaints + (data or b""))[-_KEPT:]
        return bool(data)

    # ---- the end -----------------------------------------------------------------------

    def fail(self, how: str, template: str, **words: Any) -> NoReturn:
        """End the program and say why, with the last line that it wrote to standard error."""
        error = PlayerFailed(template, player=self.player.name, how=how, **words)
        complaints = self.complaints.decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(complaints) if line.strip()), "")
        self.close()
        if last:
            error = PlayerFailed("{error:error} ({last})", error=error, last=last, how=how)
        raise error

    def fail_ended(self) -> NoReturn:
        """Say how the program ended by itself."""
        process = self.process
        assert process
        with suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)
        for _ in range(16):
            if not self.read_complaints():
                break
        status = process.returncode
        if status is None:
            self.fail("ended", "{player} closed its input or output")
        if status < 0:
            self.fail("ended", "{player} was ended by signal {number}", number=-status)
        self.fail("ended", "{player} ended, with exit status {status}", status=status)

    def close(self) -> None:
        """End the program, if it runs, and what it has started: it is asked, then told, then killed."""
        process, self.process = self.process, None
        self.heard = self.complaints = self.asked = b""
        if not process:
            return
        try:
            if process.stdin:
                process.stdin.close()
            for number in (0, signal.SIGTERM):
                self.signal(process, number)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(GRACE)
                    break
        finally:
            self.signal(process, signal.SIGKILL)
            with suppress(subprocess.TimeoutExpired):
                process.wait(GRACE)
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe:
                    pipe.close()

    @staticmethod
    def signal(process: subprocess.Popen[bytes], number: int) -> None:
        """Send a signal to the process group of the program; 0 sends none."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
