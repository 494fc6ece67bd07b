"""What the tests of the terminal side share: runs of the program, typed sessions, pseudo-terminals."""

import contextlib
import errno
import fcntl
import io
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import NamedTuple

import basra_cli
from basra import Rules, Seats
from basra.players import find
from basra.terminal.screen import Screen
from basra.terminal.session import Manner, Session, Table
from basra.terminal.words import WordsScreen
from basra.terminal.writing import Signs, Words

TESTS = Path(__file__).parent
PROGRAM = TESTS.parent / "basra_cli.py"
LONG = 60  # seconds after which a program that should have answered is given up


class Run(NamedTuple):
    """What a run of the program left behind."""

    status: int
    out: str
    err: str


def clean_environment(tmp_path, **more):
    """Make an environment in which nothing of the tester's own taste is left."""
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    kept["PYTHONPATH"] = os.pathsep.join([str(TESTS.parent), kept.get("PYTHONPATH", "")])
    return kept | {"HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)} | more


def in_process(monkeypatch, *arguments, typed="", **environment):
    """Run the program in this process, with `typed` as standard input; a value of None unsets a variable."""
    data = typed if isinstance(typed, bytes) else typed.encode()
    out, err = io.BytesIO(), io.BytesIO()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(out, "utf-8"))
    monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(err, "utf-8", "backslashreplace"))
    for name in [name for name in os.environ if name.startswith("BASRA_")]:
        monkeypatch.delenv(name)
    for name, value in {"COLUMNS": "80", "NO_COLOR": None, **environment}.items():
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)
    numbers = signal.SIGINT, signal.SIGTERM, signal.SIGHUP
    before = [signal.getsignal(number) for number in numbers]
    try:
        status = basra_cli.run(list(arguments))
    finally:
        for number, handler in zip(numbers, before):
            signal.signal(number, handler)
    sys.stdout.flush()
    sys.stderr.flush()
    return Run(status, out.getvalue().decode(), err.getvalue().decode())


def as_program(tmp_path, *arguments, typed="", **environment):
    """Run the program as a process of its own."""
    done = subprocess.run(
        [sys.executable, PROGRAM, *arguments],
        input=typed if isinstance(typed, bytes) else typed.encode(),
        capture_output=True,
        timeout=LONG,
        cwd=tmp_path,
        env=clean_environment(tmp_path, **environment),
    )
    return Run(done.returncode, done.stdout.decode(), done.stderr.decode())


# ---- sessions without a terminal ---------------------------------------------------------


class Typed:
    """A source of lines that were typed beforehand: an exception among them is raised."""

    name = "typed"

    def __init__(self, *lines):
        self.lines = list(lines)
        self.number = 0
        self.dropped = False
        self.prompts = []
        self.forgotten = 0

    def read(self, prompt):
        self.prompts.append(prompt)
        if not self.lines:
            raise EOFError
        self.number += 1
        line = self.lines.pop(0)
        if isinstance(line, BaseException) or (isinstance(line, type) and issubclass(line, BaseException)):
            raise line
        return line

    def forget(self):
        self.forgotten += 1


class NoSignals:
    """No signal ever arrives."""

    def interruptible(self):
        return contextlib.nullcontext()


class Sitting(NamedTuple):
    """A session that has ended."""

    session: Session
    status: int
    out: str
    err: str
    source: Typed

    @property
    def match(self):
        return self.session.match


def table(*against, seats=None, **more):
    """Seat the players: with nobody named, people everywhere."""
    players = {seat: find(name) for seat, name in enumerate(against, 2)}
    more.setdefault("seed", "42")
    return Table(more.pop("rules", Rules()), seats or Seats(), players=players, **more)


def sit(table, *lines, manner=None, words=False, width=80, symbols=False, screen=None):
    """Run a session on lines that were typed beforehand."""
    out, err = io.StringIO(), io.StringIO()
    if screen is None:
        kind, writer = (WordsScreen, Words()) if words else (Screen, Signs(symbols=symbols))
        computers = {seat: player.name for seat, player in table.players.items()}
        screen = kind(out, writer, lambda: width, you=table.you, computers=computers)
    session = Session(table, screen, manner or Manner(), NoSignals(), err)
    source = Typed(*lines)
    status = session.run(source)
    return Sitting(session, status, screen.out.getvalue(), err.getvalue(), source)


PERSON = Manner(interactive=True, prompts=True)
KEEP_GOING = Manner(keep_going=True)


def settle(process):
    """Wait until a program sleeps: until it really waits for a line, or for the time to pass.

    A signal that reaches Python just before it begins to wait is only noticed at the next key.
    """
    stat = Path(f"/proc/{process.pid}/stat")
    still = 0
    while still < 5:
        time.sleep(0.01 if stat.exists() else 0.1)
        asleep = not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "S"
        still = still + 1 if asleep else 0


# ---- pseudo-terminals --------------------------------------------------------------------

_PASTE = re.compile(r"\x1b\[\?2004[hl]\r?")


class Terminal:
    """The program at a pseudo-terminal of its own, as its session leader."""

    command = (sys.executable, PROGRAM)

    def __init__(self, tmp_path, *arguments, columns=80, **environment):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        environment = {"TERM": "xterm", "LC_ALL": "C.UTF-8", **environment}
        self.process = subprocess.Popen(
            [*self.command, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=tmp_path,
            env=clean_environment(tmp_path, **environment),
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(slave)
        self.data = b""  # all that was shown
        self.seen = 0  # how much of `text` was waited for already

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def close(self):
        """Hang up."""
        if self.master is not None:
            os.close(self.master)
            self.master = None

    @property
    def text(self):
        """What was shown, without the codes that only switch pasting on and off."""
        text = self.data.decode("utf-8", "backslashreplace")
        return _PASTE.sub("", text).replace("\r\n", "\n")

    def more(self):
        """Wait for more to be shown; say whether there is any."""
        if not select.select([self.master], [], [], LONG)[0]:
            raise AssertionError(f"nothing more was shown after {self.text[-500:]!r}")
        try:
            data = os.read(self.master, 65536)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            data = b""
        self.data += data
        return bool(data)

    def expect(self, *texts):
        """Wait until one of the texts has been shown, and return what was shown up to its end."""
        while True:
            text = self.text
            ends = [text.find(each, self.seen) + len(each) for each in texts if each in text[self.seen :]]
            if ends:
                shown = text[self.seen : min(ends)]
                self.seen = min(ends)
                return shown
            if not self.more():
                raise AssertionError(f"none of {texts} was shown after {self.text[self.seen :]!r}")

    def type(self, text):
        """Press keys."""
        data = text if isinstance(text, bytes) else text.encode()
        while data:
            shown, ready, _ = select.select([self.master], [self.master], [], LONG)
            if shown:
                self.more()
            elif ready:
                data = data[os.write(self.master, data[:1024]) :]
            else:
                raise AssertionError("the program takes no more keys")

    def answer(self, line, *texts):
        """Type a line and wait for one of the texts, a prompt if none is given."""
        self.type(line + "\n")
        return self.expect(*(texts or ("\n> ",)))

    def end(self):
        """Wait for the end of the program; return its exit status and all that was shown since."""
        while self.more():
            pass
        shown = self.text[self.seen :]
        return self.process.wait(LONG), shown

    def interrupt(self):
        """Press Ctrl-C while the program waits."""
        settle(self.process)
        self.type("\x03")

    def signal(self, number):
        """Send a signal to the program while it waits."""
        settle(self.process)
        self.process.send_signal(number)
