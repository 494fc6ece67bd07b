"""The shuffle, the dealer and the seal, to the bit."""

import hashlib
import re
from itertools import chain

import pytest

from basra import Match, Seats, commitment, first_dealer, name, new_seed, pack_of
from basra.cards import PACK
from basra.shuffle import _below, player_seed

WHOLE = (
    "AH 8D 9H JC 2S 6H 3D 5H 5S 3H 5D AS 6S 6C 9D 9C 10C 3S 6D 10S 8C 4H QD 7H JS 2D AD 7D 2C 7S JD 2H "
    "9S QH 8H 3C 8S KC KS 4C AC JH 10H 4S QC 10D 5C KH 7C QS KD 4D"
)
RANKS = [*"A23456789", "10", *"JQK"]
SEEDS = ["42", "0", "a seed with blanks", "بصرة", "f" * 64]


def start(pack):
    return " ".join(map(name, pack[:8]))


def test_the_check_values():
    """Records, section 3."""
    assert " ".join(map(name, pack_of("42", 1))) == WHOLE
    assert start(pack_of("42", 2)) == "5C 5D 4H QC QD 7D 10H AD"
    assert start(pack_of("42", 1, "hello")) == "10H JC 2D KH 7S 8H 10C 8D"
    assert first_dealer("42", 2) == 1


def test_the_seal():
    """Records, sections 1 and 4: SHA-256 of three lines; the one of the example."""
    assert commitment("42") == "363b0a03ef2ccd926ae4690185ec8faf42b54178be2398b8dc5eade0e141a2ad"
    for seed in SEEDS:
        assert commitment(seed) == hashlib.sha256(f"basra 1\ncommit\nseed {seed}\n".encode()).hexdigest()


# ---- section 3 once more, straight from its sentences ----------------------------------


def stream(text):
    key = hashlib.sha256(text.encode()).digest()
    return b"".join(hashlib.sha256(key + bytes([0, 0, 0, counter])).digest() for counter in range(20))


def draws(text, numbers):
    at, flow, answers = 0, stream(text), []
    for number in numbers:
        while flow[at] >= 256 - 256 % number:
            at += 1
        answers.append(flow[at] % number)
        at += 1
    return answers


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("cut", ["", "hello", "  inner  blanks", "♣"])
def test_the_pack_follows_from_seed_game_and_cut(seed, cut):
    """Records, section 3."""
    for game in (1, 2, 10, 9999):
        pack = [
            r + s for s in "CDHS" for r in ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
        ]
        text = f"basra 1\nseed {seed}\ngame {game}\ncut {cut}\n"
        for i, j in zip(range(51, 0, -1), draws(text, range(52, 1, -1))):
            pack[i], pack[j] = pack[j], pack[i]
        shuffled = pack_of(seed, game, cut)
        assert list(map(name, shuffled)) == pack
        assert sorted(shuffled) == list(PACK)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_first_dealer_follows_from_the_seed_alone(seats):
    """Records, section 3; rules, section 2, paragraph 4."""
    drawn = set()
    for seed in map(str, range(60)):
        dealer = 1 + draws(f"basra 1\nseed {seed}\ndealer\n", [seats])[0]
        assert first_dealer(seed, seats) == dealer
        assert Match(seats=Seats(seats), seed=seed, cut="any").begin_game().dealer == dealer
        drawn.add(dealer)
    assert drawn == set(range(1, seats + 1))


@pytest.mark.parametrize("number", range(1, 53))
def test_every_answer_is_equally_likely(number):
    """Records, section 3: of the 256 bytes as many give each answer; the others are passed over."""
    given = dict.fromkeys(range(number), 0)
    passed_over = 0
    for byte in range(256):
        flow = chain([byte], [0, 0])
        given_now = _below(number, flow)
        if len(list(flow)) == 2:
            given[given_now] += 1
        else:
            passed_over += 1
    assert set(given.values()) == {256 // number}
    assert passed_over == 256 % number


def test_a_match_deals_from_its_seed_and_cut():
    """Records, section 3: seat 2 has the first packet where seat 1 deals."""
    for cut, whole in (("", WHOLE), ("hello", " ".join(map(name, pack_of("42", 1, "hello"))))):
        game = Match(seed="42", cut=cut).begin_game()
        words = whole.split()
        packets = [set(words[0:4]), set(words[4:8])]
        dealt = [{name(card) for card in PACK if hand >> card & 1} for hand in reversed(game.hands)]
        assert dealt == packets
        assert [name(card) for card in game.stock] == words[12:]


def test_a_player_draws_from_a_stream_of_its_own():
    """Records, section 3: it hangs on seed, seat, game and the number of plays."""
    text = b"basra 1\nseed 42\nplayer\nseat 2\ngame 3\nplay 17\n"
    assert player_seed("42", 2, 3, 17) == int.from_bytes(hashlib.sha256(text).digest(), "big")
    others = {player_seed("42", *place) for place in [(1, 3, 17), (2, 2, 17), (2, 3, 16), (2, 3, 17)]}
    assert len(others | {player_seed("43", 2, 3, 17)}) == 5


def test_a_new_seed_has_256_bits():
    """Records, section 3."""
    seeds = {new_seed() for _ in range(50)}
    assert len(seeds) == 50
    assert all(re.fullmatch("[0-9a-f]{64}", seed) for seed in seeds)
