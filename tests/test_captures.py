"""What a card can take, and whether that is a basra."""

import random

import pytest
import reference
from helpers import cards, play, texts

from basra import (
    KOMI,
    Ambiguous,
    Captures,
    Illegal,
    Kind,
    Play,
    Rules,
    in_pack_order,
    name,
    names,
    rank,
    read_card,
)
from basra.captures import (
    bonus,
    card_points,
    choices,
    chosen,
    kind_of,
    point_cards,
    sweeps,
    why_not,
    widest,
    worked,
)
from basra.cards import PACK, of_rank, to_set

EGYPTIAN = Rules()
CLASSIC = Rules.named("classic")
MARKS = {Kind.CAPTURE: "", Kind.BASRA: "*", Kind.JACK_BASRA: "**"}


def plays(card, ground, rules=EGYPTIAN):
    return tuple(Captures.under(rules).plays(read_card(card), cards(ground)))


def taken(card, ground, rules=EGYPTIAN, last=False):
    """What a card may take, each with the mark of a basra: {cards: mark}."""
    on = cards(ground)
    found = {
        one.take: MARKS[kind_of(one, on, rules, last=last)] for one in plays(card, ground, rules) if one.take
    }
    return {texts(take): mark for take, mark in found.items()}


def written(table):
    """Read `3H 4S* | 7S`: what may be taken, with the mark of a basra."""
    marked = [text.strip() for text in table.split("|") if text.strip()]
    return {frozenset(text.rstrip("*").split()): "*" * text.count("*") for text in marked}


WORKED = [
    ("3H 4S", "7C", "3H 4S*"),
    ("3H 4S KD", "7C", "3H 4S"),
    ("3H 4S 7S", "7C", "7S | 3H 4S | 3H 4S 7S*"),
    ("2H 4C 4D", "6S", "2H 4C | 2H 4D"),
    ("4H 5C 6D 3S 2H", "9S", "4H 5C | 6D 3S | 4H 5C 6D 3S | 4H 3S 2H"),
    ("KD 6H KC", "KS", "KD | KC | KD KC"),
    ("QD JH", "5S", ""),
    ("KD 6H", "JS", "KD 6H"),
    ("JD", "JS", "JD**"),
    ("JD JH", "JS", "JD JH"),
    ("-", "JS", ""),
    ("7D", "KS", "7D*"),
    ("7D", "JS", "7D**"),
    ("7D 3H", "10S", "7D | 7D 3H*"),
    ("7D 5H", "5S", "7D | 5H | 7D 5H*"),
    ("JD", "7D", "JD**"),
    ("3H 4S KD", "7D", "3H 4S KD | KD | 3H | 4S | 3H 4S"),
    ("10H 6C 4D", "7D", "10H 6C 4D* | 6C 4D | 10H | 6C | 4D"),
    ("KD 5H", "7D", "KD 5H | KD | 5H"),
]
MORE = [
    ("-", "7D", ""),
    ("-", "9C", ""),
    ("4H 5C 4D 5D", "9C", "4H 5C | 4H 5D | 4D 5C | 4D 5D | 4H 5C 4D 5D*"),
    ("8H AC", "9C", "8H AC*"),
    ("QH AC", "KC", ""),
    ("JH", "QC", ""),
    ("QH", "QC", "QH*"),
    ("QH QD", "QC", "QH | QD | QH QD*"),
    ("10C 10D 7C 3C", "10S", "10C | 10D | 10C 10D | 7C 3C | 7C 3C 10C | 7C 3C 10D | 7C 3C 10C 10D*"),
    ("AC AD AH 2C", "3S", "AC AD AH | 2C AC | 2C AD | 2C AH"),
    ("AC AD AH 3D 2S", "5S", "AC AD AH 2S | AC AD 3D | AC AH 3D | AD AH 3D | 3D 2S"),
    ("7D QC", "QS", "7D | QC | 7D QC*"),
    ("7D QC", "KS", "7D"),
    ("7D 7C", "7H", "7D | 7C | 7D 7C*"),
    ("7D 2C 9H", "9S", "7D | 9H | 7D 9H | 7D 2C | 7D 2C 9H*"),
    ("7D JC", "JS", "7D JC"),
    ("KD JH", "7D", "KD | KD JH"),
]


@pytest.mark.parametrize(("ground", "card", "table"), WORKED)
def test_the_worked_cases(ground, card, table):
    """Rules, section 9."""
    assert taken(card, ground) == written(table)


@pytest.mark.parametrize(("ground", "card", "table"), MORE)
def test_groups_and_their_unions(ground, card, table):
    """Rules, section 3."""
    assert taken(card, ground) == written(table)


@pytest.mark.parametrize(
    ("ground", "kind"),
    [
        ("JC", Kind.JACK_BASRA),
        ("8C", Kind.BASRA),
        ("QC", Kind.BASRA),
        ("5C 5D", Kind.BASRA),
        ("6C 4C 10C", Kind.BASRA),
        ("KC KD", Kind.BASRA),
        ("AC 2C 3C", Kind.BASRA),
        ("5C 6C", Kind.CAPTURE),
        ("KC 5C", Kind.CAPTURE),
        ("KC QC", Kind.CAPTURE),
        ("JC JD", Kind.CAPTURE),
        ("JC 5D", Kind.CAPTURE),
    ],
)
def test_the_wild_komi_is_the_best_that_it_and_the_ground_allow(ground, kind):
    """Rules, section 5."""
    assert kind_of(Play(KOMI, cards(ground)), cards(ground), Rules()) is kind


@pytest.mark.parametrize("card", ["JC", "7D", "9C", "KC"])
@pytest.mark.parametrize("komi", ["wild", "sweep", "plain"])
def test_a_card_played_to_an_empty_ground_is_dropped(card, komi):
    """Rules, section 3."""
    rules = Rules(komi=komi)
    assert plays(card, "-", rules) == (Play(read_card(card)),)
    assert kind_of(Play(read_card(card)), 0, rules) is Kind.DROP


@pytest.mark.parametrize("ground", ["AC", "QC KC", "JC JD", "2C 4C 6C 8C 10C QC"])
def test_a_jack_sweeps_the_whole_ground_and_nothing_less(ground):
    """Rules, section 3."""
    for komi in ("wild", "sweep", "plain"):
        assert plays("JS", ground, Rules(komi=komi)) == (play(f"JS take {ground}"),)


@pytest.mark.parametrize(
    ("ground", "mark"),
    [
        ("10C", "*"),
        ("AC 9D", "*"),
        ("2C 3C 5C", "*"),
        ("AC AD AH AS 2C 2D", "*"),
        ("3C 8D", ""),
        ("AC QC", ""),
        ("KC", ""),
        ("JC", ""),
    ],
)
def test_the_sweeping_komi(ground, mark):
    """Rules, section 8: it takes everything, a basra where number cards make 10 or less."""
    for jack_basra in (0, 30):
        rules = Rules(komi="sweep", jack_basra=jack_basra)
        assert taken("7D", ground, rules) == {frozenset(ground.split()): mark}


@pytest.mark.parametrize("komi", ["sweep", "plain"])
def test_a_tame_komi_on_the_ground_is_an_ordinary_seven(komi):
    """Rules, section 8."""
    rules = Rules(komi=komi)
    assert taken("KS", "7D", rules) == {}
    assert taken("7S", "7D", rules) == written("7D*")
    assert taken("10S", "7D 3H", rules) == written("7D 3H*")
    assert taken("JS", "7D", rules) == written("7D")


def test_the_plain_komi_is_an_ordinary_seven():
    """Rules, section 8."""
    rules = Rules(komi="plain")
    assert taken("7D", "3C 4C 7C KC", rules) == written("7C | 3C 4C | 3C 4C 7C")
    assert taken("7D", "3C 4C", rules) == written("3C 4C*")
    assert taken("7D", "JC", rules) == {}


def test_the_largest_capture_where_that_is_the_rule():
    """Rules, section 3, key `capture`."""
    rules = Rules(capture="largest")
    assert taken("9S", "4H 5C 6D 3S 2H", rules) == written("4H 5C 6D 3S")
    assert taken("6S", "2H 4C 4D", rules) == written("2H 4C | 2H 4D")
    assert taken("7C", "3H 4S 7S", rules) == written("3H 4S 7S*")
    assert taken("9S", "9H 4C 5C 2D 7H", rules) == written("9H 4C 5C 2D 7H*")
    assert taken("7D", "KD 5H", rules) == written("KD 5H")


@pytest.mark.parametrize(("card", "ground"), [("JS", "JD"), ("JS", "7D"), ("7D", "JD")])
def test_no_jack_basra_where_it_earns_nothing(card, ground):
    """Rules, section 5: 0 means that there is none."""
    rules = Rules(jack_basra=0)
    assert taken(card, ground, rules) == {frozenset([ground]): ""}
    assert taken(card, ground, Rules(jack_basra=1)) == {frozenset([ground]): "**"}


def test_a_basra_that_earns_nothing_is_still_one():
    """Rules, section 5: only the jack's can be abolished."""
    assert taken("9S", "9C", Rules(basra=0)) == written("9C*")


@pytest.mark.parametrize(("card", "ground"), [("9S", "9C"), ("JS", "JD"), ("7D", "5C 5D"), ("7D", "JD")])
def test_the_very_last_play_can_be_no_basra_where_that_is_the_rule(card, ground):
    """Rules, section 5, key `last_card_basra`."""
    whole = texts(cards(ground))
    for allowed in (True, False):
        rules = Rules(last_card_basra=allowed)
        assert taken(card, ground, rules, last=False)[whole] != ""
        assert (taken(card, ground, rules, last=True)[whole] != "") is allowed


# ---- against trying every subset -------------------------------------------------------

MODES = [(komi, capture) for komi in ("wild", "sweep", "plain") for capture in ("any", "largest")]
JSON = {kind.value: kind for kind in Kind}


def random_ground(rng):
    """Draw a card and a ground, low cards more often than high ones: they make sums."""
    deck = sorted(PACK, key=lambda card: rng.random() * (rank(card) + rng.choice((0, 8))))
    card, *ground = deck[: rng.randrange(1, 11)]
    if rng.random() < 0.3 and KOMI not in ground:
        card = KOMI
    elif rng.random() < 0.3 and card != KOMI:
        ground = [KOMI, *(c for c in ground[1:] if c != KOMI)]
    return card, ground


def agree(card, ground, komi, capture):
    expected = reference.captures(name(card), list(map(name, ground)), komi, capture)
    found = tuple(Captures(komi, capture).plays(card, to_set(ground)))
    assert {one.card for one in found} == {card}
    assert [texts(one.take) for one in found] == [texts(one.take) for one in dict.fromkeys(found)]
    assert {texts(one.take) for one in found} == expected or (expected == set() and found == (Play(card),))
    return found


@pytest.mark.parametrize(("komi", "capture"), MODES)
def test_captures_are_those_found_by_trying_every_subset(komi, capture):
    """Rules, sections 3 and 5."""
    rng = random.Random(f"{komi} {capture}")
    seen = set()
    for _ in range(150):
        card, ground = random_ground(rng)
        on = list(map(name, ground))
        for one in agree(card, ground, komi, capture):
            for jack_basra in (0, 30):
                kind = kind_of(one, to_set(ground), Rules(komi=komi, capture=capture, jack_basra=jack_basra))
                assert kind is JSON[reference.kind(name(card), texts(one.take), on, komi, jack_basra > 0)]
                seen.add(kind)
    assert seen >= {Kind.DROP, Kind.CAPTURE, Kind.BASRA}


@pytest.mark.parametrize(("komi", "capture"), MODES)
def test_captures_on_every_ground_of_one_card(komi, capture):
    """Rules, section 3: the one card of a group, for every two cards of the pack."""
    rules = Rules(komi=komi, capture=capture)
    for card in PACK:
        for lying in PACK:
            if card != lying:
                (one,) = Captures.under(rules).plays(card, 1 << lying)
                expected = reference.captures(name(card), [name(lying)], komi, capture)
                assert {texts(one.take)} == (expected or {frozenset()})
                kind = reference.kind(name(card), texts(one.take), [name(lying)], komi)
                assert kind_of(one, 1 << lying, rules) is JSON[kind]


# Of all grounds that arise in play (four cards, then every card that has to be dropped) the
# one on which the komi has the most captures, and the one on which any other card has.
CROWDED = [
    ("7D", "4C 4D 4H 4S KC QC 10C 9C 7C 6C 5C 3C 2C AC", 589),
    ("10S", "AC 10C 10D 10H KC QC 9C 8C 7C 6C 5C 4C 3C 2C", 231),
]


@pytest.mark.parametrize(("card", "ground", "number"), CROWDED)
def test_the_most_captures_that_a_card_can_have(card, ground, number):
    """Rules, section 3: the number, and every single one of them."""
    lying = ground.split()
    for at in range(4, len(lying)):
        assert plays(lying[at], " ".join(lying[:at])) == (play(lying[at]),), "the ground can arise"
    assert len(agree(read_card(card), list(map(read_card, lying)), "wild", "any")) == number


@pytest.mark.parametrize(("komi", "capture"), MODES)
def test_captures_are_listed_largest_first_then_in_the_order_of_the_pack(komi, capture):
    rng = random.Random(7)
    for _ in range(120):
        card, ground = random_ground(rng)
        found = Captures(komi, capture).plays(card, to_set(ground))
        order = [(-one.take.bit_count(), in_pack_order(one.take)) for one in found]
        assert order == sorted(set(order))


@pytest.mark.parametrize(("komi", "capture"), MODES)
def test_those_that_may_take_the_whole_ground_are_those_that_list_it(komi, capture):
    rng = random.Random(9)
    for _ in range(60):
        ground = to_set(random_ground(rng)[1] or [KOMI])
        captures = Captures(komi, capture)
        lists = [card for card in PACK if captures.plays(card, ground)[0].take == ground]
        assert captures.takers(ground) == to_set(lists)


def test_answers_from_the_table_are_those_found_anew():
    """A table that has been filled over and over and one that is empty answer alike."""
    rng = random.Random(8)
    kept, anew = Captures("wild", "any"), Captures("wild", "any")
    kept.KEPT = 32
    asked = []
    for at in range(100):
        card, ground = random_ground(rng)
        card = KOMI if at % 4 == 0 else card
        asked.append((card, to_set(set(ground) - {card})))
    first = [list(kept.plays(card, ground)) for card, ground in asked]
    assert sum(len(known or ()) for _, _, known, _ in kept._cards) <= 32 + 52
    for _ in range(40):
        ground = to_set(rng.sample(PACK[:10] + PACK[13:19] + PACK[26:29], 12))
        many = kept.plays(KOMI, ground)
        assert many[0].take == ground
        assert len(many) == len(set(many)) > 30
    assert [list(kept.plays(card, ground)) for card, ground in asked] == first
    assert [list(anew.plays(card, ground)) for card, ground in reversed(asked)] == first[::-1]


# ---- what is taken when the player does not say ----------------------------------------


@pytest.mark.parametrize(
    ("card", "ground", "expected"),
    [
        ("9S", "KC", "9S"),
        ("10S", "10C 10D 6H 4H", "10S take 10C 10D 6H 4H"),
        ("7C", "3H 4S 7S", "7C take 3H 4S 7S"),
        ("KS", "KD 6H KC", "KS take KD KC"),
        ("7D", "KD 5H", "7D take KD 5H"),
        ("7D", "5C 5D", "7D take 5C 5D"),
        ("JC", "KD 5H", "JC take KD 5H"),
        ("10S", "7D 3H", "10S take 7D 3H"),
        ("6S", "2H 4C 4D", "6S take 4C 2H"),
        ("6S", "4H 4S 2C 2D", "6S take 2C 2D 4H 4S"),
        ("6S", "2C 2H 4C", "6S take 2C 4C"),
        ("9S", "8H AH AD", "9S take AD 8H"),
    ],
)
def test_the_capture_that_contains_all_others_or_the_first_that_is_as_good(card, ground, expected):
    """Rules, section 3, what is taken when the player does not say."""
    assert chosen(plays(card, ground), Rules()) == play(expected)


@pytest.mark.parametrize(
    ("card", "ground", "expected"),
    [
        ("9S", "4H 5C 6D 3S 2H", "9S take 4H 5C 6D 3S"),
        ("7S", "AC 6C 2C 4D", "7S take AC 2C 4D"),
        ("6S", "2H 4C 4D", "6S take 2H 4C"),
        ("7D", "KD 5H", "7D take KD 5H"),
    ],
)
def test_the_largest_capture_is_taken_unsaid(card, ground, expected):
    """Rules, section 3, key `capture`."""
    rules = Rules(capture="largest")
    assert chosen(plays(card, ground, rules), rules) == play(expected)


@pytest.mark.parametrize(
    ("rules", "card", "ground", "expected"),
    [
        (Rules(), "9S", "4H 5C 6D 3S 2H", ["4H 5C 6D 3S", "4H 3S 2H"]),
        (Rules(), "10S", "6H 4C 3C 3D", ["3C 4C 3D", "4C 6H"]),
        (CLASSIC, "6S", "2C 2H 4D", ["2C 4D", "4D 2H"]),
        (Rules(komi="plain"), "10S", "7C 7D 7H 3C", ["3C 7C", "3C 7D"]),
        (Rules(komi="sweep"), "8S", "AC 7D 7S", ["AC 7D", "AC 7S"]),
        (Rules(capture="largest"), "9S", "6C 2C AC 5D 3H", ["AC 2C 6C", "AC 5D 3H"]),
    ],
)
def test_choices_that_need_telling_apart_are_refused(rules, card, ground, expected):
    """Rules, section 3: they are listed, those with the most cards first."""
    with pytest.raises(Ambiguous) as refused:
        chosen(plays(card, ground, rules), rules)
    assert list(refused.value.choices) == [play(f"{card} take {take}") for take in expected]


@pytest.mark.parametrize("rules", [Rules(), CLASSIC, Rules(komi="plain", jack=1), Rules(capture="largest")])
def test_one_choice_takes_the_same_ranks_and_points_and_agrees_on_the_komi(rules):
    """Rules, section 3: each play stands for those that are as good, the first of them."""
    rng = random.Random(9)

    def worth(one):
        ranks = sorted(map(rank, in_pack_order(one.take)))
        return ranks, card_points(one.take, rules), one.take >> KOMI & 1

    for _ in range(120):
        card, ground = random_ground(rng)
        found = Captures.under(rules).plays(card, to_set(ground[:8]))
        reduced = choices(found, rules)
        kinds = [worth(one) for one in reduced]
        for one in found:
            assert reduced[kinds.index(worth(one))] == next(two for two in found if worth(two) == worth(one))
        assert all(kinds.count(kind) == 1 for kind in kinds)
        contained = [
            one for one in found if any(one.take != t.take and one.take | t.take == t.take for t in found)
        ]
        assert tuple(widest(found)) == tuple(one for one in found if one not in contained)


def test_captures_of_several_cards_are_told_apart_by_the_card():
    """A list of plays may hold more than one card."""
    four, six = plays("4H", "4C 2C"), plays("6H", "4C 2C")
    assert widest(four + six) == four + six
    assert widest(six + four) == six + four
    assert choices(plays("4H", "4C") + plays("4S", "4C"), Rules()) == (play("4H take 4C"), play("4S take 4C"))


# ---- points ----------------------------------------------------------------------------


def test_the_points_of_single_cards():
    """Rules, section 6."""
    rules = Rules(ace=1, jack=10, two_of_clubs=100, ten_of_diamonds=1000)
    assert card_points(cards("AC AS JD 2C 10D 2D 10C 7D KC"), rules) == 1112
    assert [card_points(1 << card, rules) for card in PACK if card_points(1 << card, rules)] == [
        *(1, 100, 10),
        *(1, 1000, 10),
        *(1, 10),
        *(1, 10),
    ]
    assert [(key, names(which), each) for key, which, each in point_cards(rules)] == [
        ("ace", ["AC", "AD", "AH", "AS"], 1),
        ("jack", ["JC", "JD", "JH", "JS"], 10),
        ("two_of_clubs", ["2C"], 100),
        ("ten_of_diamonds", ["10D"], 1000),
    ]


def test_the_points_of_a_play():
    """Rules, section 6."""
    rules = Rules(basra=7, jack_basra=40)
    assert [bonus(kind, rules) for kind in Kind] == [0, 0, 7, 40]
    assert [kind.value for kind in Kind] == ["drop", "capture", "basra", "jack-basra"]


def test_a_play_is_written_as_in_a_record():
    """Records, section 1: what it takes is joined by commas, in the order of the pack."""
    assert str(play("9S take 4H 5C")) == "9S take 5C,4H"
    assert str(play("JC")) == "JC"


# ---- how and why -----------------------------------------------------------------------


@pytest.mark.parametrize("komi", ["wild", "sweep", "plain"])
def test_every_capture_is_explained_by_its_sums(komi):
    """Rules, section 3: what is in no sum is matched alone, all as one rank."""
    rules = Rules(komi=komi)
    rng = random.Random(komi)
    explained = 0
    for _ in range(150):
        card, ground = random_ground(rng)
        on = list(map(name, ground))
        ranks = reference.ranks_of(name(card), komi)
        by_groups = {take for r in ranks for take in reference.captures_as(r, on, komi)}
        for one in Captures.under(rules).plays(card, to_set(ground)):
            sums = worked(one, rules)
            by_jack = one.take != 0 and texts(one.take) not in by_groups
            assert one.take == 0 or sweeps(one, rules) is by_jack
            if by_jack or not one.take:
                assert sums == ()
                continue
            alone = one.take
            for group in sums:
                assert group & ~alone == 0, "no card stands in two sums"
                assert group.bit_count() > 1
                alone ^= group
            explained += len(sums)
            played_as = [
                r
                for r in ranks
                if all(sum(map(rank, in_pack_order(group))) == r for group in sums)
                and all(rank(c) == r or (c == KOMI and komi == "wild") for c in in_pack_order(alone))
            ]
            assert played_as, (str(one), names(to_set(ground)))
    assert explained > 100


@pytest.mark.parametrize(
    ("rules", "ground", "text", "reason"),
    [
        (Rules(), "4H 5C", "9S", "9S cannot be dropped: it can take 4H,5C"),
        (Rules(), "4H 5C", "9S take 4H,6C", "6C is not on the ground: 4H 5C"),
        (Rules(), "-", "9S take 4H", "4H is not on the ground: it is empty"),
        (Rules(), "4H 3H", "9S take 4H,3H", "9S cannot take 3H,4H: 3+4 is 7, not 9"),
        (Rules(), "4H 3H", "9S take 4H", "9S cannot take 4H: 4 is not 9"),
        (Rules(), "4H KH", "9S take 4H,KH", "9S cannot take 4H,KH: K is not 9"),
        (Rules(), "4H KH", "QS take 4H,KH", "QS cannot take 4H,KH: K is not Q"),
        (Rules(), "4H 3H", "QS take 4H,3H", "QS cannot take 3H,4H: 3 is not Q"),
        (
            Rules(),
            "4H 3H KH",
            "JS take 4H,3H",
            "JS cannot take 3H,4H alone: it takes the whole ground, 3H 4H KH",
        ),
        (
            Rules(),
            "9C 8H 6H 4H",
            "9S take 9C,8H,6H,4H",
            "9S cannot take 4H,6H,8H,9C: 4H,6H,8H cannot be parted",
        ),
        (Rules(), "7D 3H", "9S take 7D,3H", "9S cannot take 3H,7D: 3 is not 9"),
        (Rules(), "KH QH 2C", "7D take KH,QH", "7D cannot take QH,KH: no rank takes just these"),
        (CLASSIC, "KH 2C", "7D take 2C", "7D cannot take 2C alone: it takes the whole ground, 2C KH"),
        (Rules(komi="plain"), "KH 2C", "7D take 2C", "7D cannot take 2C: 2 is not 7"),
        (
            Rules(capture="largest"),
            "9C 5C 4C",
            "9S take 9C",
            "9S cannot take 9C: it must take the most cards, as",
        ),
    ],
)
def test_the_reason_why_a_play_is_not_legal(rules, ground, text, reason):
    """The fault, the cards in question, and what would be right."""
    why = why_not(play(text), cards(ground), rules)
    assert isinstance(why, Illegal)
    assert str(why).startswith(reason)
    assert "\n" not in str(why)


@pytest.mark.parametrize(("komi", "capture"), MODES)
def test_the_reason_and_the_list_agree_on_every_subset(komi, capture):
    """Rules, section 3: what is not in the list has a reason, what is in it has none."""
    rules = Rules(komi=komi, capture=capture)
    rng = random.Random(10)
    for _ in range(25):
        card, ground = random_ground(rng)
        legal = Captures.under(rules).plays(card, to_set(ground))
        for mask in range(1 << min(len(ground), 6)):
            one = Play(card, to_set(c for at, c in enumerate(ground) if mask >> at & 1))
            why = why_not(one, to_set(ground), rules)
            assert (why is None) == (one in legal)
            assert why is None or str(why)
        stranger = next(c for c in PACK if c not in ground and c != card)
        assert why_not(Play(card, 1 << stranger), to_set(ground), rules) is not None


def test_a_picture_is_no_part_of_a_sum():
    """Rules, section 1: jack, queen and king have no number."""
    for picture in (11, 12, 13):
        for card in in_pack_order(of_rank(picture)):
            for one in Captures.under(Rules()).plays(read_card("10C"), 1 << card | cards("2D 3D 8D")):
                assert not one.take >> card & 1
