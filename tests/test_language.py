"""The command language: how a line becomes a command, and a play."""

import string

import pytest
from helpers import cards, failure, play
from hypothesis import given, settings
from hypothesis import strategies as st

from basra import Ambiguous, Captures, Illegal, Rules, Unreadable, to_set
from basra.captures import choices
from basra.cards import find_card, in_pack_order, name
from basra.terminal.language import (
    BY_WORD,
    COMMANDS,
    Line,
    completions,
    plays_of,
    read_line,
    read_play,
)

RULES = Rules()


def read(words, hand, ground="-", rules=RULES):
    return read_play(words, cards(hand), cards(ground), rules)


# ---- lines -----------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", " ", "\t  ", "# only a comment", "  # and blanks", "\r"])
def test_an_empty_line_or_a_comment_says_nothing(text):
    assert read_line(text) is None


def test_a_comment_runs_to_the_end_of_the_line():
    assert read_line("ground# what lies there") == Line("ground")
    assert read_line("play 7D take 3,4 # eight # nine") == Line("play", "7D take 3,4")


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_case_does_not_matter_in_a_command(command):
    words = " 7D" if command.takes_words else ""
    for spelled in (command.name, command.name.upper(), command.name.title()):
        assert read_line(spelled + words) == Line(command.name, words.strip())


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("p 7D", "play 7D"),
        ("g", "ground"),
        ("h", "hand"),
        ("s", "score"),
        ("l", "last"),
        ("m", "moves"),
        ("?", "help"),
        ("q", "quit"),
    ],
)
def test_a_short_form_is_the_command(short, long):
    assert read_line(short) == read_line(long)
    assert read_line(short.upper()) == read_line(long)


@pytest.mark.parametrize("text", ["r", "res", "resig", "rule", "qui", "groun", "pl 7D"])
def test_no_other_short_form_is_a_command(text):
    with pytest.raises(Unreadable):
        read_line(text)


def test_resign_is_never_shortened():
    assert not BY_WORD["resign"].short
    assert [word for word, command in BY_WORD.items() if command.name == "resign"] == ["resign"]


@pytest.mark.parametrize("text", ["9h", "h9", "9H 4,5", "10s", "ts", "7♦", "7♦\ufe0f 3 4", "JC"])
def test_a_line_that_begins_with_a_whole_card_needs_no_play(text):
    assert read_line(text) == Line("play", text)


@pytest.mark.parametrize("text", ["j", "k take 3", "A", "t"])
def test_a_rank_alone_is_no_line(text):
    with pytest.raises(Unreadable, match="alone is no card"):
        read_line(text)


@pytest.mark.parametrize(("text", "number"), [("1", "1"), ("12", "12"), (" 10 ", "10")])
def test_a_number_alone_picks_from_the_list(text, number):
    assert read_line(text) == Line("number", number)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("1 play 6H", Line("play", "6H", 1)),
        ("2 6H", Line("play", "6H", 2)),
        ("3\tresign", Line("resign", "", 3)),
        ("4 play 6H take 2,4", Line("play", "6H take 2,4", 4)),
    ],
)
def test_a_seat_number_may_stand_before_a_command(text, line):
    assert read_line(text) == line


def test_a_number_and_a_suit_are_no_card_with_a_blank_between():
    assert read_line("10 s") == Line("score", "", 10)
    with pytest.raises(Unreadable):
        read_line("7 d")


@pytest.mark.parametrize("text", ["game 1 dealer 1", "score 1 cards 12,40", "result 2 total 0,60"])
def test_a_statement_of_a_record_is_read_as_one(text):
    assert read_line(text) == Line("statement", text)


def test_score_alone_is_the_command():
    assert read_line("score  # where are we?") == Line("score")


@pytest.mark.parametrize("text", ["ground 3", "hand over", "quit now", "resign 1", "rules classic", "last 2"])
def test_a_command_that_stands_alone_takes_no_words(text):
    with pytest.raises(Unreadable, match=f"{text.split()[0]} stands alone"):
        read_line(text)


@pytest.mark.parametrize(("text", "guess"), [("hnad", "hand"), ("resing", "resign"), ("scroe", "score")])
def test_a_slip_of_the_finger_is_refused_with_a_guess(text, guess):
    with pytest.raises(Unreadable, match=f"{text} is not a command: did you mean {guess}?"):
        read_line(text)


def test_a_refusal_shows_no_control_character_and_not_too_much():
    error = failure(read_line, "x\x1b[2J\u202e" + "y" * 4000)
    assert str(error).isprintable()
    assert len(str(error)) < 120


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60))
def test_a_line_of_anything_raises_nothing_but_our_error(text):
    error = failure(read_line, text)
    if error:
        assert len(str(error).splitlines()) == 1
    else:
        line = read_line(text)
        assert line is None or line.command in {*BY_WORD, "number", "statement"}


WORDS = """play p take 7D d7 7 10 t 3,4 4 5 AS 5S 5D 3H jc J q K + , 1 2 9 # moves help score game
result"""
PIECES = st.sampled_from([*WORDS.split(), " "]) | st.text(string.printable + "♦♥\ufe0f٣²", max_size=4)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(PIECES, max_size=8).map(" ".join),
    st.sets(st.integers(0, 51), max_size=4).map(to_set),
    st.sets(st.integers(0, 51), max_size=8),
    st.sampled_from([RULES, Rules.named("classic"), Rules(komi="plain", capture="largest")]),
)
def test_words_of_a_play_raise_nothing_but_our_error(words, hand, ground, rules):
    """What is read is one of the legal plays, and of one card or rank it lists legal plays only."""
    lying = to_set(ground)
    hand &= ~lying
    legal = Captures.under(rules).of_hand(hand, lying)
    error = failure(read_play, words, hand, lying, rules)
    if isinstance(error, Ambiguous):
        assert set(error.choices) <= set(legal)
        assert len(error.choices) > 1
    elif error:
        assert str(error).isprintable()
    else:
        assert read_play(words, hand, lying, rules) in legal
    if failure(plays_of, words, hand, lying, rules) is None:
        assert set(plays_of(words, hand, lying, rules)) <= set(legal)
    for word in completions(words, hand, lying, rules):
        assert word.isprintable()


# ---- plays -----------------------------------------------------------------------------


@pytest.mark.parametrize("words", ["7C", "c7", "7c", "C7", "7♣", "♣7", "7♣\ufe0f", "7♣\ufe0e"])
def test_a_card_is_a_rank_and_a_suit_in_either_order(words):
    assert read(words, "7C KD") == play("7C")


@pytest.mark.parametrize("words", ["10S", "10s", "TS", "ts", "S10", "st", "10♠", "10", "T", "t"])
def test_ten_is_10_or_T(words):
    assert read(words, "10S AC") == play("10S")


@pytest.mark.parametrize("parted", ["3,4", "3 4", "3+4", "3, 4", " 3 ,4 ", "4,3", "3h,4s", "H3 4", "3H+4"])
def test_cards_of_take_are_parted_by_commas_blanks_or_plus(parted):
    for words in (f"7C take {parted}", f"7C {parted}", f"7 TAKE {parted}"):
        assert read(words, "7C", "3H 4S 7S") == play("7C take 3H,4S")


def test_a_bare_rank_is_enough_where_only_one_card_fits():
    assert read("7 take 3 4", "7C KD", "3H 4S KC") == play("7C take 3H,4S")
    assert read("k", "7C KD", "3H 4S KC") == play("KD take KC")


def test_a_bare_rank_of_two_cards_in_hand_is_refused_with_both():
    with pytest.raises(Ambiguous) as caught:
        read("7", "7C 7S", "KC")
    assert list(caught.value.choices) == [play("7C"), play("7S")]
    assert str(caught.value) == "this can be 7C (1) or 7S (2): say which"


def test_a_bare_rank_of_two_cards_in_hand_is_one_where_only_one_can_take_what_is_named():
    """The komi can take a king, the other seven cannot."""
    assert read("7 take K", "7C 7D", "KC 3H") == play("7D take KC")


def test_without_take_the_capture_that_contains_all_others_is_meant():
    assert read("7C", "7C", "3H 4S 7S") == play("7C take 3H,4S,7S")
    assert read("KS", "KS", "KD 6H KC") == play("KS take KC,KD")
    assert read("JS", "JS", "KD 6H") == play("JS take KD,6H")


@pytest.mark.parametrize("ground", ["3H 4S KD", "10H 6C 4D", "KD 5H", "JD", "5H"])
def test_the_komi_without_take_takes_the_whole_ground(ground):
    assert read("7D", "7D 2C", ground).take == cards(ground)


def test_the_readings_are_listed_with_those_of_the_most_cards_first():
    """9S takes 5C, 6D, 4H, 3S or 2H, 4H, 3S: neither contains the other."""
    with pytest.raises(Ambiguous) as caught:
        read("9s", "9S", "4H 5C 6D 3S 2H")
    assert str(caught.value) == "9S can take 3S,4H,5C,6D (1) or 2H,3S,4H (2): say which"
    assert list(caught.value.choices) == [play("9S take 5C,6D,4H,3S"), play("9S take 2H,4H,3S")]


def test_captures_of_the_same_ranks_are_one_choice():
    """6S takes 2H and a four, 4C or 4D: the first in the order of the pack."""
    assert read("6S", "6S", "2H 4C 4D") == play("6S take 2H,4C")
    assert read("6S take 2,4", "6S", "2H 4C 4D") == play("6S take 2H,4C")
    assert read("6S take 2,4d", "6S", "2H 4C 4D") == play("6S take 2H,4D")


def test_cards_worth_different_points_are_two_choices():
    """Under `classic` the two of clubs is worth two points, so it matters which two is taken."""
    classic = Rules.named("classic")
    with pytest.raises(Ambiguous) as caught:
        read("6S take 2,4", "6S", "2H 2C 4D", classic)
    assert list(caught.value.choices) == [play("6S take 2C,4D"), play("6S take 2H,4D")]
    assert read("6S take 2,4", "6S", "2H 2C 4D") == play("6S take 2C,4D")


def test_the_komi_and_another_seven_are_two_choices():
    with pytest.raises(Ambiguous) as caught:
        read("10S take 7 3", "10S", "7D 7H 3H")
    assert {str(choice) for choice in caught.value.choices} == {"10S take 7D,3H", "10S take 3H,7H"}


def test_what_is_named_is_taken_exactly():
    assert read("7C take 7", "7C", "3H 4S 7S") == play("7C take 7S")
    with pytest.raises(Illegal):
        read("7C take 3", "7C", "3H 4S 7S")


def test_a_whole_card_and_a_bare_rank_name_two_cards():
    assert read("KS take K KD", "KS", "KD KC 6H") == play("KS take KC,KD")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("8C", "8C is not in your hand: 2H 5C 7D 9S JS"),
        ("3", "there is no 3 in your hand: 2H 5C 7D 9S JS"),
        ("9S take 3H,4S", "9S cannot take 3H,4S: 3+4 is 7, not 9"),
        ("9S take 4S 6D", "9S cannot take 4S,6D: 4+6 is 10, not 9"),
        ("9S take 3", "9S cannot take 3H: 3 is not 9"),
        ("9S take KC", "KC is not on the ground: 3H 4S 5H 6D"),
        ("9S take K", "there is no K on the ground: 3H 4S 5H 6D"),
        ("9S take 4 4", "2 of rank 4 are named, 1 on the ground: 3H 4S 5H 6D"),
        ("JS take 3", "JS cannot take 3H alone: it takes the whole ground, 3H 4S 5H 6D"),
    ],
)
def test_an_illegal_play_is_refused_with_what_is_wrong(words, message):
    with pytest.raises(Illegal) as caught:
        read(words, "7D 5C JS 2H 9S", "3H 4S 6D 5H")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "play what?"),
        (",", "play what?"),
        ("9S take", "take what?"),
        ("9S take 3x", "3x is not a card"),
        ("xx", "xx is not a card"),
        ("11S", "11S is not a card"),
        ("9S take take", "take is not a card"),
        ("9S take 3H 3H", "3H is named twice"),
    ],
)
def test_words_that_are_no_play_are_unreadable(words, message):
    with pytest.raises(Unreadable) as caught:
        read(words, "9S 2H", "3H 4S 6D 5H")
    assert str(caught.value).startswith(message)


def test_nothing_can_be_taken_from_an_empty_ground():
    with pytest.raises(Illegal, match="the ground is empty"):
        read("9S take 3", "9S")


def test_a_refusal_is_one_line_in_lower_case_but_for_cards():
    for words in ("8C", "9S take 3H,4S", "xx", "9S take K", "JS take 3", ""):
        text = str(failure(read, words, "7D JS 9S", "3H 4S 6D"))
        first = text.split()[0]
        assert len(text.splitlines()) == 1
        assert find_card(first) is not None or first == first.lower()


def test_moves_takes_one_card_and_lists_all_its_plays():
    assert set(plays_of("7C", cards("7C KD"), cards("3H 4S 7S"), RULES)) == {
        play("7C take 7S"),
        play("7C take 3H,4S"),
        play("7C take 3H,4S,7S"),
    }
    with pytest.raises(Unreadable, match="moves takes one card"):
        plays_of("7C KD", cards("7C KD"), 0, RULES)
    with pytest.raises(Illegal, match="2C is not in your hand"):
        plays_of("2C", cards("7C KD"), 0, RULES)


@pytest.mark.parametrize("words", [",", "+", ", +"])
def test_moves_of_no_card_is_unreadable(words):
    with pytest.raises(Unreadable):
        plays_of(words, cards("7C"), 0, RULES)


# ---- every legal play can be typed --------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(
    st.sets(st.integers(0, 51), min_size=1, max_size=4),
    st.sets(st.integers(0, 51), max_size=7),
    st.sampled_from([RULES, Rules.named("classic"), Rules(komi="plain")]),
)
def test_every_legal_play_that_is_written_in_full_is_read_as_itself(hand, ground, rules):
    lying = to_set(ground)
    held = to_set(hand - ground)
    for legal in Captures.under(rules).of_hand(held, lying):
        assert read_play(str(legal), held, lying, rules) == legal
        assert read_play(str(legal).lower().replace(",", " + "), held, lying, rules) == legal


def ranks_of(some):
    return sorted(name(card)[:-1] for card in in_pack_order(some.take))


@settings(max_examples=40, deadline=None)
@given(
    st.sets(st.integers(0, 51), min_size=1, max_size=4),
    st.sets(st.integers(0, 51), max_size=7),
)
def test_bare_ranks_mean_a_play_only_where_all_that_fit_are_one_choice(hand, ground):
    lying = to_set(ground)
    held = to_set(hand - ground)
    legal = Captures.under(RULES).of_hand(held, lying)
    for wanted in legal:
        if not wanted.take:
            continue
        ranks = ranks_of(wanted)
        fit = tuple(other for other in legal if other.card == wanted.card and ranks_of(other) == ranks)
        words = f"{name(wanted.card)} take {' '.join(ranks)}"
        if len(choices(fit, RULES)) == 1:
            assert read_play(words, held, lying, RULES) == fit[0]
        else:
            with pytest.raises(Ambiguous):
                read_play(words, held, lying, RULES)


# ---- completion --------------------------------------------------------------------------


def complete(before, hand="AD 2D 3C 9H", ground="2C 2H 4H 5C"):
    return completions(before, cards(hand), cards(ground), RULES)


def test_an_empty_line_completes_to_commands_and_the_cards_in_hand():
    assert complete("") == [command.name for command in COMMANDS] + ["AD", "2D", "3C", "9H"]


def test_after_play_the_cards_in_hand_complete():
    for before in ("play ", "p ", "PLAY ", "moves ", "m "):
        assert complete(before) == ["AD", "2D", "3C", "9H"]


def test_after_take_only_what_can_be_taken_completes():
    assert complete("9h take ") == ["2C", "2H", "4H", "5C"]
    assert complete("play 9h take ") == ["2C", "2H", "4H", "5C"]
    assert complete("9h take 4h,") == ["5C"]
    assert complete("9h take 4h + 5c ") == []
    assert complete("2d take ") == ["2C", "2H"]
    assert complete("3c take ") == []


def test_take_completes_only_for_a_card_that_can_take():
    assert complete("9h ") == ["take"]
    assert complete("play 3c ") == []


def test_help_completes_to_its_topics():
    assert {command.name for command in COMMANDS} | {"fairness"} <= set(complete("help "))


def test_no_card_completes_without_a_hand():
    assert complete("", hand="-") == [command.name for command in COMMANDS]
    assert complete("play ", hand="-") == []
    assert complete("9h take ", hand="-") == []
