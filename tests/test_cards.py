"""Cards, sets of cards, and their text."""

import random

import pytest
from helpers import failure
from hypothesis import given
from hypothesis import strategies as st

from basra import (
    Unreadable,
    in_pack_order,
    name,
    names,
    rank,
    read_card,
    read_cards,
    suit,
    to_set,
)
from basra.cards import (
    FULL,
    JACKS,
    KOMI,
    LETTERS,
    NUMBERS,
    PACK,
    check_text,
    find_card,
    find_rank,
    in_rank_order,
    is_hidden,
    of_rank,
    split_cards,
    visible,
)

SETS = st.integers(0, FULL)


def test_the_order_of_the_pack():
    """Records, section 3: clubs, diamonds, hearts, spades, each from the ace to the king."""
    ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    assert [name(card) for card in PACK] == [r + s for s in "CDHS" for r in ranks]
    assert [rank(card) for card in PACK] == list(range(1, 14)) * 4
    assert [suit(card) for card in PACK] == [0] * 13 + [1] * 13 + [2] * 13 + [3] * 13


def test_the_sets_with_a_name():
    """Rules, section 1: a number card is an ace to a ten; the komi is the 7 of diamonds."""
    assert {rank(card) for card in in_pack_order(NUMBERS)} == set(range(1, 11))
    assert NUMBERS.bit_count() == 40
    assert names(JACKS) == ["JC", "JD", "JH", "JS"]
    assert names(of_rank(10)) == ["10C", "10D", "10H", "10S"]
    assert name(KOMI) == "7D"


@pytest.mark.parametrize("card", PACK)
def test_a_card_is_read_in_every_spelling(card):
    written = name(card)
    number, letter = written[:-1], written[-1]
    symbol = "♣♦♥♠"["CDHS".index(letter)]
    for r in {number, number.lower(), *(["T", "t"] if number == "10" else [])}:
        for s in (letter, letter.lower(), symbol):
            assert read_card(r + s) == find_card(r + s, exact=True) == card
            assert read_card(f"  {r}{s}\t") == read_card(s + r) == card
            assert find_card(s + r, exact=True) is None
        assert read_card(r + symbol + "\ufe0f") == card
        assert find_card(r + symbol + "\ufe0f", exact=True) is None
        assert find_rank(r) == rank(card)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "7",
        "D",
        "1D",
        "11C",
        "0H",
        "7DD",
        "77D",
        "7X",
        "10",
        "7 D",
        "DD",
        "７D",
        "٧D",
        "Kſ",
        "KS",
        "-7D",
        "️",
        "7️D",
        "t",
        "10♣♣",
        "️️",
    ],
)
def test_what_is_no_card_is_refused(text):
    """Other digits and letters that only look or fold like ours are no part of a card."""
    assert find_card(text) is None
    with pytest.raises(Unreadable, match="is not a card"):
        read_card(text)


def test_a_rank_that_there_is_not():
    assert [find_rank(text) for text in ("1", "0", "11", "", "x", "7d", "\u212a")] == [None] * 7
    assert [find_rank(text) for text in ("a", "J", "q", "K", "2")] == [1, 11, 12, 13, 2]


def test_a_list_of_cards_is_parted_at_commas_blanks_and_plus():
    assert split_cards(" 3h,4s + kd\t,,7d ") == ["3h", "4s", "kd", "7d"]
    assert read_cards("3h,4s + kd\t,,7d") == to_set(map(read_card, ["3H", "4S", "KD", "7D"]))
    assert read_cards("") == 0


def test_a_card_that_stands_twice_is_refused():
    with pytest.raises(Unreadable, match=r"^7D stands twice$"):
        read_cards("7D AC d7")


def test_both_orders_of_a_set():
    some = read_cards("KC AS 3D 3C 10H")
    assert names(some) == ["3C", "KC", "3D", "10H", "AS"]
    assert [name(card) for card in in_rank_order(some)] == ["AS", "3C", "3D", "10H", "KC"]


@given(SETS)
def test_a_set_that_is_written_reads_back_equal(some):
    listed = in_pack_order(some)
    assert list(listed) == sorted(set(listed))
    assert to_set(listed) == some == to_set(in_rank_order(some))
    for joint in (",", " ", "+", ", "):
        assert read_cards(joint.join(names(some))) == some
    assert read_cards(LETTERS.cards(some)) == some


@given(st.text())
def test_no_text_makes_a_reader_fail_in_another_way(text):
    for reader in (read_card, read_cards, lambda text: check_text("the name", text)):
        error = failure(reader, text)
        assert error is None or type(error) is Unreadable
        assert not any(map(is_hidden, str(error)))


@given(st.text(alphabet="aAkKqQjJtT0123456789cdhsCDHS♣♦♥♠\ufe0f ,+", max_size=8))
def test_what_is_read_as_a_card_is_written_as_that_card(text):
    card = find_card(text)
    assert card is None or read_card(name(card)) == card
    assert find_card(text, exact=True) in (None, card)


# ---- names, seeds and cuts -------------------------------------------------------------

HIDDEN = [
    *range(0x20),
    *range(0x7F, 0xA0),
    0x61C,
    *range(0x200B, 0x2010),
    *range(0x2028, 0x202F),
    *range(0x2060, 0x2070),
    0xFEFF,
]


def test_the_characters_that_cannot_stand_in_a_record():
    """Records, section 1: the ranges, and the surrogates, which UTF-8 cannot carry."""
    expected = {*HIDDEN, *range(0xD800, 0xE000)}
    assert {code for code in range(0x110000) if is_hidden(chr(code))} == expected


@pytest.mark.parametrize("code", HIDDEN)
def test_a_hidden_character_in_a_text_is_refused(code):
    with pytest.raises(Unreadable, match="cannot stand in a record"):
        check_text("the seed", f"a{chr(code)}b")


def test_a_text_of_1_to_200_characters():
    """Records, section 1."""
    assert check_text("the seed", "é" * 200) == "é" * 200
    assert check_text("the seed", " \t a  b\t ") == "a  b"
    assert check_text("the seed", " " * 300 + "x") == "x"
    assert check_text("the cut", "  ", empty=True) == ""
    with pytest.raises(Unreadable, match="the seed has 201 characters"):
        check_text("the seed", "x" * 201)
    with pytest.raises(Unreadable, match="the seed is empty"):
        check_text("the seed", " \t")
    with pytest.raises(Unreadable, match="no #"):
        check_text("the seed", "a # b")


def test_other_outer_space_is_part_of_a_text():
    """Records, section 1: blanks are the space and the tab."""
    assert check_text("the name", "\u00a0x\u3000") == "\u00a0x\u3000"


# ---- texts in messages -----------------------------------------------------------------


def test_a_text_from_outside_is_made_visible():
    assert visible("a\x1b[31m\u202eb\ufeff\ud800") == "a?[31m?b??"
    assert visible("\U000e0041\ue000") == "??"
    assert visible("x" * 60) == "x" * 60
    assert visible("x" * 61) == "x" * 57 + "..."
    assert visible("é♣", 2) == "é♣"


def test_a_message_writes_cards():
    some = read_cards("9S 4H 5C")
    assert LETTERS.format(
        "{c:card} {s:cards} {s:sum} {r:rank} {n:,} {t}", c=KOMI, s=some, r=1, n=1234, t="\x07"
    ) == ("7D 4H,5C,9S 4+5+9 A 1,234 ?")
    inner = Unreadable("{card:card} stands twice", card=KOMI)
    assert LETTERS.format("line {line}: {why:error}", line=3, why=inner) == "line 3: 7D stands twice"


def test_braces_in_a_text_are_only_text():
    with pytest.raises(Unreadable, match=r"^\{card:card\} is not a card"):
        read_card("{card:card}")


def test_sets_do_not_depend_on_the_order_in_which_they_are_made():
    rng = random.Random(1)
    some = rng.sample(PACK, 20)
    assert to_set(some) == to_set(sorted(some)) == to_set(iter(some + some))
