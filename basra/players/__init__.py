"""Who can sit at a table: the one list of players.

A player is given a view and a generator of its own and answers with a play.  It can reach
nothing else, so what it cannot see cannot sway it, and the same view with the same seed gets
the same answer.  Whoever runs the match seeds the generator, a `Chance`, by
`basra.shuffle.player_seed`.

A player may be a program of its own, `cmd:PROGRAM`: see `outside`.  One in Python is a
`Player` with a `choose` of its own, and can stand wherever a name can.  Where it is to play in
other processes too, these must be able to import it.

>>> class Last(Player):
...     def choose(self, view, rng):
...         return view.legal_plays()[-1]
>>> Last("last", "the last legal play", 1, "").name
'last'

>>> from basra import Match, View
>>> match = Match(seed="42")
>>> game = match.begin_game()
>>> print(find("greedy").choose(View.of(match, game.turn), Chance(1)))
JC take 5D,3H,AS,5S
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module

from ..captures import Play
from ..errors import Unreadable
from ..view import View

Choose = Callable[[View, random.Random], Play]

OUTSIDE = "cmd:"  # how the name of a program begins


class Chance(random.Random):
    """A player's own generator, which remembers the number that it was seeded with.

    So a program from outside can be told the number and draw what a player of ours would.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@dataclass(frozen=True)
class Player:
    """A player: its name, one line about it, and its strength, 1 for the weakest.

    Its module, which has a function `choose`, is imported when `choose` is first asked for.
    """

    name: str
    about: str
    strength: int
    module: str

    @cached_property
    def choose(self) -> Choose:
        """Return the function that chooses a legal play for the seat of a view, at its turn.

        It may take a while, up to a second for `master`; an interrupt passes through it.  A
        program from outside may raise `PlayerFailed`.
        """
        function: Choose = import_module(f"{__name__}.{self.module}").choose
        return function

    def start(self) -> None:
        """Make ready to choose: a program from outside is started.  Raises `PlayerFailed`."""

    def close(self) -> None:
        """Let go of what choosing needed: a program from outside is ended."""


PLAYERS: tuple[Player, ...] = (
    Player("random", "any play that is legal, by chance", 1, "uniform"),
    Player("easy", "chance, but sees a basra when it is there", 2, "easy"),
    Player("greedy", "the most points now, then the most cards", 3, "greedy"),
    Player("normal", "basras first, then cards; keeps jacks, leaves little to clear", 4, "normal"),
    Player("hard", "remembers every card, thinks ahead, plays the last deal exactly", 5, "hard"),
    Player(
        "master",
        "the strongest: reads what the others play, and weighs how the cards may lie",
        6,
        "master",
    ),
)


def find(name: str) -> Player:
    """Return the player of a name, or the one that is the program of `cmd:PROGRAM WORDS`.

    Raises `Unreadable`, naming the players that there are.
    """
    if name.startswith(OUTSIDE):
        from .outside import outside

        return outside(name.removeprefix(OUTSIDE))
    for player in PLAYERS:
        if player.name == name:
            return player
    raise Unreadable(
        "{name} is not a player: there are {all}", name=name, all=", ".join(p.name for p in PLAYERS)
    )


@contextmanager
def seated(players: Iterable[Player]) -> Iterator[None]:
    """Start the players that are programs, and end them afterwards.  Raises `PlayerFailed`."""
    with ExitStack() as stack:
        for player in players:
            stack.callback(player.close)
            player.start()
        yield
