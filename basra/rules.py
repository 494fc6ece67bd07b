"""The rule set: one frozen value, its keys, the named ones.

Two rule sets have names: `egyptian`, the published rules of Egyptian Basra, and `classic`,
the older game with points for single cards.  Every key can be changed on its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from typing import Any

from .errors import Unreadable


@dataclass(frozen=True)
class Key:
    """One key of a rule set: what it may be, in the order in which it is shown."""

    name: str
    meaning: str
    choices: tuple[str, ...] = ()
    lowest: int = 0
    highest: int = 0

    @property
    def allowed(self) -> str:
        """Return the allowed values as a phrase."""
        if self.choices:
            return ", ".join(self.choices[:-1]) + " or " + self.choices[-1]
        return f"a whole number from {self.lowest:,} to {self.highest:,}"

    def read(self, text: str) -> Any:
        """Read a value as it is written in a record: plain digits, `true`, `false`, a word.

        Raises `Unreadable`, naming the key and what it may be.
        """
        if self.choices and text in self.choices:
            return {"true": True, "false": False}.get(text, text)
        if not self.choices and re.fullmatch(r"[0-9]{1,9}", text):
            return self.check(int(text))
        raise self._wrong(text)

    def check(self, value: Any) -> Any:
        """Return the value if the key may have it; raise `Unreadable` otherwise."""
        if self.choices == ("true", "false"):
            right = isinstance(value, bool)
        elif self.choices:
            right = value in self.choices
        else:
            right = type(value) is int and self.lowest <= value <= self.highest
        if not right:
            raise self._wrong(str(value))
        return value

    def write(self, value: Any) -> str:
        """Write a value as a record does."""
        return str(value).lower() if isinstance(value, bool) else str(value)

    def _wrong(self, text: str) -> Unreadable:
        return Unreadable(
            "{key} cannot be {text}: it is {allowed}", key=self.name, text=text, allowed=self.allowed
        )


MOST_POINTS = 1000


def _points(name: str, meaning: str) -> Key:
    return Key(name, meaning, highest=MOST_POINTS)


KEYS: dict[str, Key] = {
    key.name: key
    for key in (
        Key("bury", "what may not lie on the first ground", ("none", "jacks", "jacks+komi")),
        Key(
            "komi",
            "the 7 of diamonds: wild stands for any card, sweep takes the whole ground, "
            "plain is an ordinary seven",
            ("wild", "sweep", "plain"),
        ),
        Key(
            "capture",
            "which capture a card takes: any is the player's choice, largest one with the most cards",
            ("any", "largest"),
        ),
        _points("basra", "points of a basra"),
        _points("jack_basra", "points of a jack basra; 0: a jack never makes a basra"),
        Key("last_card_basra", "whether the last play of a game can be a basra", ("true", "false")),
        _points("majority", "points of the side with the most cards"),
        Key(
            "majority_tie",
            "level at the top: none, nobody gets the majority; carry, the next game's is larger by it",
            ("none", "carry"),
        ),
        _points("ace", "points of each ace in the pile"),
        _points("jack", "points of each jack in the pile"),
        _points("two_of_clubs", "points of the 2 of clubs in the pile"),
        _points("ten_of_diamonds", "points of the 10 of diamonds in the pile"),
        Key("target", "total that wins the match", lowest=1, highest=100_000),
    )
}


@dataclass(frozen=True)
class Rules:
    """A rule set.  Without arguments it is `egyptian`.

    >>> Rules().target, Rules.named("classic").komi, Rules(target=51).target
    (101, 'sweep', 51)

    `name` is the named rule set that it started from.  Raises `Unreadable` for a value that
    a key may not have.
    """

    bury: str = "none"
    komi: str = "wild"
    capture: str = "any"
    basra: int = 10
    jack_basra: int = 30
    last_card_basra: bool = True
    majority: int = 30
    majority_tie: str = "none"
    ace: int = 0
    jack: int = 0
    two_of_clubs: int = 0
    ten_of_diamonds: int = 0
    target: int = 101
    name: str = "egyptian"

    def __post_init__(self) -> None:
        if self.name not in ("egyptian", "classic"):
            raise Unreadable("{name} is not a rule set", name=str(self.name))
        for field in fields(self):
            if field.name != "name":
                KEYS[field.name].check(getattr(self, field.name))

    @staticmethod
    def named(name: str) -> Rules:
        """Return a named rule set.  Raises `Unreadable` for a name that there is not."""
        if name not in NAMED:
            raise Unreadable("{name} is not a rule set: there are {all}", name=name, all=" and ".join(NAMED))
        return NAMED[name]

    def changed(self, key: str, text: str) -> Rules:
        """Return this rule set with one key changed to a value written as in a record.

        >>> Rules().changed("last_card_basra", "false").last_card_basra
        False

        Raises `Unreadable` for a key or a value that there is not.
        """
        if key not in KEYS:
            raise Unreadable("{key} is not a rule: the keys are {all:whole}", key=key, all=" ".join(KEYS))
        changes: dict[str, Any] = {key: KEYS[key].read(text)}
        return replace(self, **changes)

    def playable(self) -> Rules:
        """Return these rules if a match by them can end; raise `Unreadable` if nobody could ever score."""
        if not any(getattr(self, key.name) for key in KEYS.values() if key.highest == MOST_POINTS):
            raise Unreadable("by these rules nobody can score: at least one thing has to earn points")
        return self

    def differences(self) -> list[tuple[str, str]]:
        """List the keys that differ from the named rule set, with their values as text."""
        base = NAMED[self.name]
        return [
            (key.name, key.write(getattr(self, key.name)))
            for key in KEYS.values()
            if getattr(self, key.name) != getattr(base, key.name)
        ]


NAMED: dict[str, Rules] = {
    "egyptian": Rules(),
    "classic": Rules(
        name="classic",
        bury="jacks+komi",
        komi="sweep",
        jack_basra=0,
        majority_tie="carry",
        ace=1,
        jack=1,
        two_of_clubs=2,
        ten_of_diamonds=3,
    ),
}
