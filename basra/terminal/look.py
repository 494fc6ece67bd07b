"""How the program may look on this terminal: symbols or letters, colour, width."""

from __future__ import annotations

import io
import locale
import os
import shutil
import sys
from dataclasses import dataclass
from typing import Any, TextIO

from ..cards import SYMBOLS
from .writing import NARROWEST, WIDEST, Signs, Words


@dataclass(frozen=True)
class Look:
    """What a stream can show, and what was asked for."""

    symbols: bool
    color: bool
    words: bool

    @property
    def writer(self) -> Signs:
        """Return the writer of cards and sentences."""
        return Words() if self.words else Signs(symbols=self.symbols)

    @staticmethod
    def of(out: TextIO, *, ascii: bool, words: bool, color: str) -> Look:
        """Decide by the options, and where they leave it open by the terminal and the environment."""
        terminal = out.isatty()
        capable = terminal and os.environ.get("TERM", "dumb") != "dumb" and not os.environ.get("NO_COLOR")
        return Look(
            symbols=terminal and not ascii and _can_write(SYMBOLS, out.encoding),
            color=capable if color == "auto" else color == "always",
            words=words,
        )


def _can_write(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeError, LookupError):
        return False
    return True


def width() -> int:
    """Return the width of a line in cells: `COLUMNS`, else that of the terminal, else 80."""
    return max(NARROWEST, min(shutil.get_terminal_size().columns, WIDEST))


def standard_output(*, guest: bool = False) -> TextIO:
    """Prepare standard output: no character that it cannot hold is an error.

    A terminal gets the encoding of its locale; elsewhere, and for a guest, whose
    environment does not count, the bytes are UTF-8.
    """
    encoding = _terminal_encoding() if sys.stdout.isatty() and not guest else "utf-8"
    _reconfigure(sys.stdout, encoding=encoding, errors="replace", newline="\n", line_buffering=False)
    return sys.stdout


def standard_input(*, guest: bool = False) -> None:
    """Prepare standard input for a person's lines: bytes that are not text come through as such."""
    encoding = "utf-8" if guest else sys.stdin.encoding
    _reconfigure(sys.stdin, encoding=encoding, errors="surrogateescape")


def _reconfigure(stream: TextIO, **options: Any) -> None:
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(**options)


def _terminal_encoding() -> str:
    """Return the encoding of the terminal's locale.

    Python takes a bare C locale for UTF-8; a terminal that was told nothing better gets ASCII.
    """
    encoding = sys.stdout.encoding
    coerced = os.environ.get("LC_CTYPE", "") in ("C.UTF-8", "C.utf8", "UTF-8")
    bare = all(os.environ.get(name, "") in ("", "C", "POSIX") for name in ("LC_ALL", "LANG"))
    plain = locale.nl_langinfo(locale.CODESET) in ("ANSI_X3.4-1968", "US-ASCII", "646")
    if encoding.lower() == "utf-8" and (plain or (coerced and bare)):
        return "ascii"
    return encoding
