"""From a seed to the pack, the dealer and the seal, to the bit.

Everything is SHA-256 of short texts whose lines each end in a line feed, so that anyone can
work a deal out again.  For the pack of game N the text is `basra 1`, `seed SEED`, `game N`,
`cut CUT`; its hash, followed by a counter of four bytes, is hashed again and again, and the
bytes of the answers drive a Fisher-Yates shuffle from the last place down to the first.
Nothing else draws from these streams.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator

from .cards import PACK, Card


def _sha256(*lines: str) -> bytes:
    text = "".join(line + "\n" for line in ("basra 1", *lines))
    return hashlib.sha256(text.encode()).digest()


def _stream(key: bytes) -> Iterator[int]:
    """Yield the bytes of SHA-256(key ‖ counter) for the counters 0, 1, 2 … without end."""
    counter = 0
    while True:
        yield from hashlib.sha256(key + counter.to_bytes(4, "big")).digest()
        counter += 1


def _below(number: int, stream: Iterator[int]) -> int:
    """Draw one of `number` equally likely answers: bytes that would favour some are skipped."""
    limit = 256 - 256 % number
    for byte in stream:
        if byte < limit:
            return byte % number
    raise AssertionError("the stream has no end")


def new_seed() -> str:
    """Make a seed of 64 hexadecimal digits, 256 bits, from the system's secure source.

    There are 52! orders of the pack, 225.6 bits: every one can come up.
    """
    return secrets.token_hex(32)


def pack_of(seed: str, game: int, cut: str = "") -> tuple[Card, ...]:
    """Shuffle the pack of a game, top first.

    >>> from basra.cards import name
    >>> " ".join(map(name, pack_of("42", 1)[:4]))
    'AH 8D 9H JC'
    """
    stream = _stream(_sha256(f"seed {seed}", f"game {game}", f"cut {cut}"))
    pack = list(PACK)
    for i in range(51, 0, -1):
        j = _below(i + 1, stream)
        pack[i], pack[j] = pack[j], pack[i]
    return tuple(pack)


def first_dealer(seed: str, seats: int) -> int:
    """Draw the seat that deals the first game of a match."""
    return 1 + _below(seats, _stream(_sha256(f"seed {seed}", "dealer")))


def commitment(seed: str) -> str:
    """Return the seal of a seed, 64 hexadecimal digits, shown before the first card is dealt."""
    return _sha256("commit", f"seed {seed}").hex()


def player_seed(seed: str, seat: int, game: int, plays: int) -> int:
    """Return what a computer player's own generator is seeded with for one decision.

    It hangs on the place in the match alone (`plays`: how many plays the game has had), so a
    match that is resumed, or replayed with another opponent, changes no one else's luck.
    """
    key = _sha256(f"seed {seed}", "player", f"seat {seat}", f"game {game}", f"play {plays}")
    return int.from_bytes(key, "big")
