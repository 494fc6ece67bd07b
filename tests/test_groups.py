"""Groups of cards: what adds up to what."""

import random
from itertools import combinations

import pytest

from basra import in_pack_order, rank, read_cards
from basra.cards import PACK, to_set
from basra.groups import OTHERWISE, adds_up, by_groups, parted, ranks_on, reaches

NUMBERS = range(1, 14)


def is_group(number, cards):
    ranks = [rank(card) for card in in_pack_order(cards)]
    return ranks == [number] or (len(ranks) > 1 and max(ranks) <= 10 and sum(ranks) == number <= 10)


def subsets(cards):
    listed = in_pack_order(cards)
    return [to_set(some) for size in range(1, len(listed) + 1) for some in combinations(listed, size)]


def grounds(count):
    """Draw grounds, half of them without two cards that are alike."""
    rng = random.Random(9)
    for at in range(count):
        cards = rng.sample(PACK, rng.randrange(1, 9))
        yield to_set(cards if at % 2 else {rank(card): card for card in cards}.values())


def place(cards):
    """Say where a capture stands among others: those with the most cards first, then as in the pack."""
    return -cards.bit_count(), in_pack_order(cards)


def test_unions_are_those_found_by_trying_every_subset():
    """Rules, section 3."""
    for ground in grounds(60):
        for number in NUMBERS:
            groups = [cards for cards in subsets(ground) if is_group(number, cards)]
            unions = {0}
            for group in groups:
                unions |= {union | group for union in unions if not union & group}
            assert by_groups((number,), ground) == sorted(unions - {0}, key=place)


def test_what_adds_up_is_parted_into_groups():
    for ground in grounds(60):
        for number in NUMBERS:
            unions = by_groups((number,), ground)
            for cards in subsets(ground):
                groups = parted((number,), cards)
                assert adds_up((number,), cards) is (groups is not None) is (cards in unions)
                if groups is not None:
                    assert sum(groups) == cards
                    assert all(is_group(number, group) for group in groups)


def test_a_card_reaches_what_is_in_a_group_and_no_more():
    """What lies beyond makes no difference."""
    for ground in grounds(200):
        cards = in_pack_order(ground)
        ranks = to_set({rank(card) - 1 for card in cards})
        assert ranks_on(ground) == ranks
        for number in NUMBERS:
            unions = by_groups((number,), ground)
            taken = to_set({card for union in unions for card in in_pack_order(union)})
            alike = ground & reaches(number)[OTHERWISE + ranks]
            if ranks.bit_count() == len(cards):
                assert ground & reaches(number)[ranks] == taken
            assert alike & taken == taken
            assert by_groups((number,), alike) == unions


def test_what_stands_for_any_card_is_always_reached():
    standing = read_cards("7D")
    for number in NUMBERS:
        assert all(cards & standing for cards in reaches(number, standing)[OTHERWISE:])
        assert reaches(number, standing)[:OTHERWISE] == reaches(number)[:OTHERWISE]


@pytest.mark.parametrize(
    ("number", "cards", "groups"),
    [
        (7, "3H 4S", ["3H 4S"]),
        (9, "4H 5C 6D 3S", ["4H 5C", "6D 3S"]),
        (10, "5C 5D 10H", ["5C 5D", "10H"]),
        (13, "KD KC", ["KD", "KC"]),
        (5, "KD 5H", None),
        (9, "4H 5C 6D", None),
    ],
)
def test_cards_are_parted(number, cards, groups):
    found = parted((number,), read_cards(cards))
    assert (found and set(found)) == (groups and {read_cards(group) for group in groups})
