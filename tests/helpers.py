"""What the tests share: positions and plays from written cards, and simulations to compare."""

import json

from basra import BasraError, Game, Kind, Play, Rules, Seats, in_pack_order, name, read_card, read_cards
from basra.cards import PACK


def cards(text):
    """Read a set of cards; `-` is the empty set."""
    return read_cards("" if text == "-" else text)


def texts(some):
    """Write a set of cards as a frozenset of texts."""
    return frozenset(map(name, in_pack_order(some)))


def play(text):
    """Read a play as a record writes it: `9S take 5C,4H`."""
    card, _, take = text.partition(" take ")
    return Play(read_card(card), read_cards(take))


def position(*hands, ground="-", stock="", piles=(), **more):
    """Set up a position; `stock` is top first."""
    return Game.position(
        [cards(hand) for hand in hands],
        cards(ground),
        stock=[read_card(word) for word in stock.split()],
        piles=[cards(pile) for pile in piles],
        **more,
    )


def pack(text=""):
    """Make a pack whose top is written; the other cards follow in the order of the pack."""
    top = [read_card(word) for word in text.split()]
    return (*top, *(card for card in PACK if card not in top))


def failure(call, *arguments):
    """Return the error of ours that a call raises, or None."""
    try:
        call(*arguments)
    except BasraError as error:
        return error
    return None


def state(game):
    """Copy everything that can be read from a game."""
    names = [slot for slot in Game.__slots__ if not slot.startswith("_")]
    values = {slot: getattr(game, slot) for slot in names}
    return {slot: tuple(value) if isinstance(value, list) else value for slot, value in values.items()}


def play_out(game, rng):
    """Play a game to its end at random and list what its plays were."""
    kinds: list[Kind] = []
    while not game.over:
        kinds.append(game.play(rng.choice(game.legal_plays())))
    return kinds


TABLES = [Seats(2), Seats(3), Seats(4), Seats(4, teams=True)]
RULE_SETS = [
    Rules(),
    Rules.named("classic"),
    Rules(komi="plain", bury="jacks", last_card_basra=False),
    Rules(capture="largest", majority_tie="carry", ace=1, ten_of_diamonds=3),
    Rules(komi="sweep", capture="largest", jack_basra=25, jack=2),
    Rules(komi="plain", capture="largest", bury="jacks+komi", two_of_clubs=2),
]


# ---- simulations --------------------------------------------------------------------------


def figures(result):
    """Return a result as JSON without its times, which are those of the machine."""
    said = result.to_json()
    del said["timing"]
    return json.dumps(said)


def without_times(text):
    return text.partition('"timing"')[0]


RANDOM = ["simulate", "greedy", "random", "--seed", "q"]
