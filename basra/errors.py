"""What can go wrong, each as one line that a person can act on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any


class BasraError(ValueError):
    """Say in one line what is wrong; the base of every error that this package raises.

    The sentence is a template with named words, as `basra.cards.Writer` writes them, so
    that whoever shows it can translate it and write the cards in another way.  `str()`
    writes it in English, cards in letters: lower case, the fault first, then the words in
    question, then what would be right.
    """

    def __init__(self, template: str, /, **words: Any) -> None:
        super().__init__(template)
        self.template = template
        self.words = words

    def __str__(self) -> str:
        from .cards import LETTERS

        return LETTERS.format(self.template, **self.words)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), self.template, **self.words), ()


class Unreadable(BasraError):
    """A text that cannot be read: a card, a name, a value, a line."""


class Illegal(BasraError):
    """A play, or another move of the match, that the rules do not allow now."""


class Ambiguous(BasraError):
    """A play that can be read in several ways; `choices` holds them, in order."""

    def __init__(self, *, choices: tuple[Any, ...]) -> None:
        super().__init__("{choices:choices}", choices=choices)
        self.choices = choices

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), choices=self.choices), ()


class BadRecord(BasraError):
    """A record that is wrong: `file` and `line` (from 1) say where."""

    @property
    def file(self) -> str:
        """Return the name of the file."""
        return str(self.words["file"])

    @property
    def line(self) -> int:
        """Return the number of the wrong line."""
        return int(self.words["line"])


class PlayerFailed(BasraError):
    """A program that plays a seat gave no play; it has been ended.

    `how` is one word: `start`, it could not be begun or did not greet; `late`; `ended`, by
    itself; `unreadable`, it answered what is no play; `illegal`, a play that may not be played.
    """

    @property
    def how(self) -> str:
        """Return in one word how it failed."""
        return str(self.words["how"])


@contextmanager
def about(what: str) -> Iterator[None]:
    """Let an error of the system that names no file say what it is about."""
    try:
        yield
    except OSError as error:
        if error.filename is not None:
            raise
        raise OSError(error.errno, error.strerror, what) from None
