"""What is shown: lines that fit, cards in order, counts that explain themselves; in words and colour too."""

import io
import json
import re
from dataclasses import replace

import pytest
from helpers import RULE_SETS, TABLES, cards, play
from hypothesis import given, settings
from hypothesis import strategies as st
from terminals import PERSON, sit, table

from basra import (
    KEYS,
    NAMED,
    Count,
    Counted,
    Dealt,
    GameBegan,
    Item,
    Kind,
    Match,
    MatchBegan,
    Outcome,
    Played,
    Rules,
    Seats,
    Unreadable,
)
from basra.cards import RANKS, SUITS, SYMBOLS
from basra.terminal.helptext import keys_page, rules_page
from basra.terminal.jsonlines import JsonLines
from basra.terminal.screen import Screen, check_position
from basra.terminal.words import WordsScreen
from basra.terminal.writing import GLUE, Signs, Words, bold, cells, finished, fit, glued

TEA = {"seed": "a8ba7c16d02d012c48998a32a412447d4d93cad9441576f4bbb0ae6bab8cd4f9", "cut": "tea"}
TO_LETTERS = str.maketrans(SYMBOLS, SUITS)


def screen(rules=None, seats=None, *, words=False, width=80, names=(), symbols=False, **more):
    """Make a screen at which a match has begun."""
    kind, writer = (WordsScreen, Words()) if words else (Screen, Signs(symbols=symbols))
    made = kind(io.StringIO(), writer, lambda: width, **more)
    seats = seats or Seats()
    names = (*names, *seats.names[len(names) :])
    made.event(MatchBegan(rules or Rules(), seats, names, "c0ffee"))
    return made


def shown(made):
    return made.out.getvalue()


def lines_of(*events, **more):
    """Return the lines that a screen shows of some events."""
    made = screen(**more)
    for event in events:
        made.event(event)
    return shown(made).splitlines()


def played(text, ground, kind=Kind.CAPTURE, points=0, seat=1):
    return Played(seat, play(text), kind, points, cards(ground), 2)


def counted(
    majority=(30, 0), piles=(35, 17), basras=(0, 0), jacks=(0, 0), totals=None, left="-", left_to=1, carry=0
):
    items = (
        Item("majority", 30, piles, majority),
        Item("basra", 10, basras, tuple(10 * number for number in basras)),
        Item("jack_basra", 30, jacks, tuple(30 * number for number in jacks)),
    )
    count = Count(items, piles, basras, jacks, carry)
    return Counted(4, count, cards(left), left_to, totals or count.points)


# ---- lines -------------------------------------------------------------------------------


TEXTS = st.text(st.sampled_from("abc ,.♦7Dé漢\u0301" + GLUE), max_size=200)


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.integers(20, 90), st.integers(0, 8))
def test_every_line_fits_and_nothing_is_lost(text, width, hang):
    lines = fit(text, width, hang)
    assert all(cells(line) <= width for line in lines)
    bare = re.compile(f"[ {GLUE}]")
    assert bare.sub("", "".join(lines)) == bare.sub("", text)


@settings(max_examples=60, deadline=None)
@given(st.sets(st.integers(0, 51), max_size=16), st.integers(20, 60), st.booleans())
def test_a_line_never_splits_a_card(some, width, symbols):
    """Each card on the ground is whole on one line, and they stand in order of rank, then suit."""
    made = screen(width=width, symbols=symbols)
    made.lying("ground", sum(1 << card for card in some))
    found = re.findall(r"(10|[2-9AJQK])([CDHS])", shown(made).translate(TO_LETTERS))
    order = sorted(some, key=lambda card: (card % 13, card))
    assert [rank + suit for rank, suit in found] == [RANKS[card % 13] + SUITS[card // 13] for card in order]
    assert all(len(line) <= width for line in shown(made).splitlines())


def test_glued_words_stay_together_as_long_as_they_fit():
    assert fit("one two " + glued("three four"), 20) == [f"one two three{GLUE}four"]
    assert fit("one two three " + glued("four five"), 20) == ["one two three", f"four{GLUE}five"]


def test_a_word_wider_than_a_line_is_cut():
    assert fit("x" * 50, 20) == ["x" * 20, "x" * 20, "x" * 10]


def test_wide_characters_count_as_two_cells_and_accents_as_none():
    assert [cells(text) for text in ("abc", "漢字", "e\u0301", "7♦")] == [3, 4, 1, 2]


@pytest.mark.parametrize("width", [20, 33, 40, 80])
@pytest.mark.parametrize("words", [False, True])
@pytest.mark.parametrize("seats", TABLES, ids=str)
def test_a_whole_match_fits_the_columns(seats, words, width):
    against = ["random"] * (seats.count - 1)
    lines = [line for _ in range(4) for line in ("moves", "score", "1", "help play", "rules")]
    seated = table(*against, seats=seats, names=("Mona Lisa",), rules=Rules.named("classic"))
    out = sit(seated, *lines, "resign", manner=PERSON, width=width, words=words).out
    assert max(map(len, out.splitlines())) <= width
    assert not re.search(r"[\x00-\x09\x0b-\x1f]", out)


def test_symbols_change_nothing_but_the_suits():
    lines = ["9h 4,5", "7h", "3c", "10h", "2d", "last", "moves"]
    letters = sit(table(**TEA), *lines)
    symbols = sit(table(**TEA), *lines, symbols=True)
    assert symbols.out.translate(TO_LETTERS) == letters.out
    assert len(re.findall(f"[{SYMBOLS}]", symbols.out)) > 20
    assert not re.search(r"\b(10|[2-9AJQK])[CDHS]\b", symbols.out)


# ---- colour --------------------------------------------------------------------------------


def test_colour_is_an_extra_and_never_the_only_difference():
    events = [played("9H take 4H,5C", "4H 5C", Kind.BASRA, 10), counted()]
    plain, coloured = (screen(color=color, symbols=True) for color in (False, True))
    for event in events:
        plain.event(event)
        coloured.event(event)
    assert "\x1b[" in shown(coloured)
    assert "\x1b" not in shown(plain)
    assert re.sub(r"\x1b\[\d*m", "", shown(coloured)) == shown(plain)


def test_a_basra_is_bold_in_colour():
    assert finished(bold("** BASRA **"), color=True) == "\x1b[1m** BASRA **\x1b[0m"
    assert finished(bold("** BASRA **"), color=False) == "** BASRA **"


@pytest.mark.parametrize("words", [False, True])
def test_the_prompt_has_no_colour_codes(words):
    match = Match(seed="42", names=("Mona", "Nur"))
    match.begin_game()
    made = screen(words=words, color=True)
    prompts = [made.prompt(state, match) for state in ("turn", "ready", "stopped", "between", "over")]
    assert all(prompt.isprintable() and prompt for prompt in [*prompts, made.cut_prompt()])


# ---- plays ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (played("3C", "-", Kind.DROP), "South drops 3C."),
        (played("9H take 5C,4H", "5C 4H 2C"), "South plays 9H and takes 4H 5C (4+5)."),
        (played("KS take KC,KD", "KD 6H KC"), "South plays KS and takes KC KD."),
        (played("7C take 3H,4S,7S", "3H 4S 7S QD"), "South plays 7C and takes 3H 4S 7S (3+4)."),
        (played("JS take KD,6H", "KD 6H"), "South plays JS and sweeps 6H KD."),
        (played("7D take KD,3H,4S", "3H 4S KD"), "South plays 7D and sweeps 3H 4S KD."),
        (played("7D take KD", "KD 5H"), "South plays 7D and takes KD."),
        (played("7D take 3H,4S", "3H 4S KD"), "South plays 7D and takes 3H 4S (3+4)."),
        (played("10S take 7D,3H", "7D 3H 2C"), "South plays 10S and takes 3H 7D (3+7)."),
        (played("5S take 7D,5H", "7D 5H 2C"), "South plays 5S and takes 5H 7D."),
    ],
)
def test_the_verb_says_what_happened_and_a_sum_is_shown_worked(event, sentence):
    assert lines_of(event) == [sentence]


def test_several_sums_are_each_shown():
    (line,) = lines_of(played("10C take 4C,6D,3H,7S,10H", "4C 6D 3H 7S 10H QD"))
    sentence, _, sums = line.partition(" (")
    assert sentence == "South plays 10C and takes 3H 4C 6D 7S 10H"
    assert sums.endswith(").")
    assert sorted(sums[:-2].split(", ")) == ["3+7", "4+6"]


def test_you_are_addressed_as_you():
    assert lines_of(played("3C", "-", Kind.DROP), you=1) == ["You drop 3C."]
    assert lines_of(played("KS take KC", "KC 2C"), you=1) == ["You play KS and take KC."]
    assert lines_of(played("JS take KC,2C", "KC 2C"), you=1) == ["You play JS and sweep 2C KC."]
    assert lines_of(played("3C", "-", Kind.DROP, seat=2), you=1) == ["North drops 3C."]


@pytest.mark.parametrize(
    ("event", "call"),
    [
        (played("2D take 2C,2H", "2C 2H", Kind.BASRA, 10), "  ** BASRA **  10 points for South"),
        (played("JS take JD", "JD", Kind.JACK_BASRA, 30), "  ** JACK BASRA **  30 points for South"),
        (played("2D take 2C", "2C", Kind.BASRA, 1), "  ** BASRA **  1 point for South"),
    ],
)
def test_a_basra_has_a_line_of_its_own(event, call):
    assert lines_of(event)[1:] == [call]


def test_a_basra_in_teams_is_for_both():
    event = played("2D take 2C", "2C", Kind.BASRA, 10, seat=3)
    assert lines_of(event, seats=Seats(4, True))[1] == "  ** BASRA **  10 points for South and North"
    assert lines_of(event, seats=Seats(4, True), you=3)[1] == "  ** BASRA **  10 points for you and South"


def test_a_card_that_may_not_lie_there_is_told():
    event = Dealt(1, 6, (cards("2C"), 0), cards("3C 4C 5C 6C"), 40, 1, (36, 19), (0, 0))
    assert lines_of(event)[1:] == [
        "JH may not lie there: it goes under the pack.",
        "7D may not lie there: it goes under the pack.",
    ]


# ---- sides and figures ------------------------------------------------------------------------


def test_figures_are_own_side_first_against_computers_and_in_seat_order_among_people():
    event = GameBegan(2, 1, (30, 10))
    assert lines_of(event)[-1] == "Game 2.  South 30, North 10.  South deals, North plays first."
    assert lines_of(event, you=2)[-1] == "Game 2.  You 10, South 30.  South deals, you play first."
    assert lines_of(event, you=1)[-1] == "Game 2.  You 30, North 10.  You deal, North plays first."


def test_the_table_is_named_with_its_players_and_what_differs_from_the_rule_set():
    made = screen(Rules(target=51, jack_basra=20), you=1, computers={2: "normal"})
    assert made.table() == "A match to 51 against North (normal), rule set egyptian, jack_basra 20."
    made = screen(seats=Seats(4, True), you=1, computers={2: "easy", 3: "normal", 4: "easy"})
    assert made.table() == (
        "A match to 101, you and North (normal) against East (easy) and West (easy), rule set egyptian."
    )
    made = screen(Rules.named("classic"), names=("Mona", "Nur"))
    assert made.table() == "A match to 101, Mona against Nur, rule set classic."


# ---- counts ------------------------------------------------------------------------------------


def test_a_count_explains_each_item_for_each_side():
    event = counted(basras=(4, 1), totals=(140, 110))
    lines = lines_of(event, you=1)
    assert [re.split(" {2,}", line.strip()) for line in lines] == [
        ["Count of game 4", "You", "North"],
        ["cards (35:17), most 30", "30", "-"],
        ["basras (4:1), 10 each", "40", "10"],
        ["jack basras, 30 each", "-", "-"],
        ["this game", "70", "10"],
        ["the match, to 101", "140", "110"],
        [""],
        ["Both have reached 101: the higher wins."],
    ]
    assert len(set(map(len, lines[:6]))) == 1  # the figures stand in columns


def test_a_level_majority_is_nobodys_and_says_so():
    text = "\n".join(lines_of(counted(majority=(0, 0), piles=(26, 26))))
    assert re.search(r"cards \(26:26\), level +- +-$", text, re.MULTILINE)


def test_a_majority_that_goes_on_says_how_much():
    event = counted(majority=(0, 0), piles=(26, 26), carry=60)
    text = "\n".join(lines_of(event, rules=Rules(majority_tie="carry")))
    assert re.search(r"cards \(26:26\), level: 60 go on +- +-$", text, re.MULTILINE)
    words = "\n".join(lines_of(event, rules=Rules(majority_tie="carry"), words=True))
    assert "Level: 60 points go on to the next game." in words


def test_leaders_that_are_level_play_on():
    assert lines_of(counted(totals=(110, 110)))[-1] == "Level at 110: another game decides."
    assert lines_of(counted(totals=(100, 100)))[-1].split() == ["the", "match,", "to", "101", "100", "100"]


def test_jack_basras_are_counted_only_where_there_are_any_to_make():
    assert not any("jack basras" in line for line in count_under(Rules(jack_basra=0)))
    assert any("jack basras, 30 each" in line for line in count_under(Rules()))


def count_under(rules):
    match = Match(rules, seed="42")
    made = screen(rules)
    match.listen(made.event)
    game = match.begin_game()
    while not game.over:
        match.play(game.legal_plays()[0])
    return shown(made)[shown(made).index("Count of game 1") :].splitlines()


def test_cards_worth_points_are_counted_one_by_one():
    text = "\n".join(count_under(Rules.named("classic")))
    for label in (
        r"aces \(\d:\d\), 1 each",
        r"jacks \(\d:\d\), 1 each",
        r"2C \(\d:\d\), 2 each",
        "10D .*3 each",
    ):
        assert re.search(f"^  {label}", text, re.MULTILINE)


def test_the_points_of_a_count_add_up_as_shown():
    for rules in RULE_SETS:
        rows = [re.split(r" {2,}", line.strip()) for line in count_under(rules)]
        figures = {
            row[0]: [int(text.replace("-", "0")) for text in row[1:]] for row in rows[1:] if len(row) == 3
        }
        of_items = [row for label, row in figures.items() if not label.startswith(("this", "the match"))]
        assert len(of_items) >= 2
        assert list(map(sum, zip(*of_items))) == figures["this game"]


@pytest.mark.parametrize(
    ("event", "you", "text"),
    [
        (counted(left="3S 6H"), 1, "Left on the ground: 3S 6H.  You took last: they are yours."),
        (
            counted(left="3S 6H", left_to=2),
            1,
            "Left on the ground: 3S 6H.  They go to the side that took last: North.",
        ),
        (
            counted(left="3S 6H", left_to=0),
            None,
            "Left on the ground: 3S 6H.  Nobody took a card: they stay unclaimed.",
        ),
    ],
)
def test_what_is_left_on_the_ground_is_told_with_whose_it_is(event, you, text):
    assert lines_of(event, you=you)[0] == text


@pytest.mark.parametrize(
    ("outcome", "you", "text"),
    [
        (Outcome(1, (140, 110), 4), 1, "You win the match, 140 to 110, in 4 games."),
        (Outcome(2, (40, 110), 1), 1, "North wins the match, 110 to 40, in 1 game."),
        (Outcome(2, (40, 110), 2), None, "North wins the match, 110 to 40, in 2 games."),
    ],
)
def test_the_winner_is_named_with_the_totals(outcome, you, text):
    for words in (False, True):
        assert text in lines_of(outcome, you=you, words=words)


def test_the_seed_and_the_cut_are_shown_at_the_end():
    lines = lines_of(Outcome(1, (140, 110), 4, seed="42", cut="tea"))
    assert lines[-3:-1] == ["seed 42", "cut tea"]
    assert "help fairness" in lines[-1]
    assert not any(line.startswith("cut") for line in lines_of(Outcome(1, (140, 110), 4, seed="42")))


# ---- in words -----------------------------------------------------------------------------------


def test_words_have_no_sign_that_is_read_aloud_as_noise():
    lines = ["moves", "9h 4,5", "7h", "3c", "10h", "moves 2d", "2d", "score", "last", "rules", "resign"]
    out = sit(table(**TEA), *lines, words=True).out
    rules = out[out.index("BASRA.") : out.index("North gives")]
    assert "seven of diamonds" in rules.lower()
    told = out.replace(rules, "").replace(TEA["seed"], "")
    assert "Basra!" in told
    assert not re.search(r"[^A-Za-z0-9 .,:;!\n]|  |\n\n", told)
    assert not re.search(r"\b(10|[2-9AJQK])[CDHS]\b", told)


def test_words_say_one_fact_a_line_with_the_hand_last():
    out = sit(table("easy", **TEA), words=True).out
    assert out.splitlines() == [
        "Game 1. You 0, North 0. North deals, you play first.",
        "Deal 1 of 6. North holds 4, 40 to deal. Piles: you 0, North 0.",
        "Ground: two of clubs, two of hearts, four of hearts, five of clubs.",
        "Hand: ace of diamonds, two of diamonds, three of clubs, nine of hearts.",
    ]


def test_words_tell_where_we_stand_once_a_deal():
    lines = ["9h 4,5", "7h", "3c", "10h", "2d", "3d", "ad", "jd", "ac"]
    out = sit(table(**TEA), *lines, words=True).out
    assert out.count("Piles:") == 2
    assert out.count("to deal") == 2


def test_a_refusal_in_words_lists_the_choices_in_words():
    made = sit(table("easy", **TEA), "9h", "3c 2 2", "quit", words=True, manner=PERSON, width=200)
    assert (
        "Nine of hearts can take, 1: two of clubs, two of hearts, five of clubs; "
        "2: four of hearts, five of clubs. Say which.\n"
        "Three of clubs cannot take two of clubs, two of hearts: 2 plus 2 is 4, not 3.\n"
    ) in made.out
    assert made.source.prompts == ["Your turn: "] * 3


def test_a_count_in_words():
    event = counted(majority=(0, 30), piles=(23, 29), basras=(1, 3), totals=(10, 60))
    assert lines_of(replace(event, number=1), you=1, words=True) == [
        "Count of game 1.",
        "Cards: you 23, North 29. Most cards: North, 30 points.",
        "Basras: you 1, 10 points. North 3, 30 points.",
        "Jack basras: none.",
        "This game: you 10, North 60.",
        "The match, to 101: you 10, North 60.",
    ]


@pytest.mark.parametrize(
    ("event", "call"),
    [
        (played("2D take 2C,2H", "2C 2H", Kind.BASRA, 10), "Basra! 10 points for you."),
        (played("JS take JD", "JD", Kind.JACK_BASRA, 30), "Jack basra! 30 points for you."),
    ],
)
def test_a_basra_in_words(event, call):
    assert lines_of(event, words=True, you=1)[-1] == call


# ---- the rules ------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", RULE_SETS, ids=str)
def test_the_rules_of_every_rule_set_fit_one_screen_and_tell_its_values(rules):
    rules = replace(rules, target=77, basra=12)
    made = screen(rules)
    made.page(rules_page(rules, made.writer))
    assert len(shown(made).splitlines()) <= 24
    joined = " ".join(shown(made).split())
    assert "12 points" in joined
    assert "77 points" in joined
    assert (str(rules.jack_basra) if rules.jack_basra else "A jack never makes one") in joined
    assert ("n ordinary seven" in joined) == (rules.komi == "plain")
    assert ("The last card of a game makes none." in joined) == (not rules.last_card_basra)
    assert ("kept for the next game" in joined) == (rules.majority_tie == "carry")


@pytest.mark.parametrize("name", NAMED)
def test_the_page_of_a_rule_set_lists_every_key_with_its_value(name):
    blocks = dict(keys_page(name)[1:])
    values = {key: KEYS[key].write(getattr(NAMED[name], key)) for key in KEYS}
    assert list(blocks) == [f"{key} = {value}" for key, value in values.items()]


# ---- JSON -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", TABLES, ids=str)
def test_the_events_of_json_agree_with_the_match(seats):
    match = Match(Rules(target=10), seats, seed="json")
    out = io.StringIO()
    match.listen(JsonLines(out, {}).event)
    while not match.outcome:
        game = match.begin_game()
        while not game.over:
            match.play(game.legal_plays()[-1])
    events = list(map(json.loads, out.getvalue().splitlines()))
    by_kind = {kind: [e for e in events if e["event"] == kind] for kind in ("game", "deal", "play", "count")}
    assert len(by_kind["game"]) == len(by_kind["count"]) == len(match.games)
    assert len(by_kind["deal"]) == len(match.games) * seats.deals
    assert len(by_kind["play"]) == 48 * len(match.games)
    assert [tuple(count["points"]) for count in by_kind["count"]] == [count.points for count in match.counts]
    assert tuple(events[-1]["totals"]) == match.totals
    assert events[-1]["winner"] == match.outcome.winner


# ---- a position ---------------------------------------------------------------------------------------


def test_a_position_has_no_card_twice_and_at_most_16_on_the_ground():
    check_position(cards("3H 4S"), cards("7D"))
    with pytest.raises(Unreadable, match="7D stands twice"):
        check_position(cards("7D 4S"), cards("7D"))
    with pytest.raises(Unreadable, match="at most 16 cards, not 17"):
        check_position((1 << 17) - 1, cards("KS"))
