"""Game and Match: dealing, playing, counting, and what is told of it."""

import random
from dataclasses import fields

import pytest
import reference
from helpers import RULE_SETS, TABLES, cards, pack, play, play_out, position, state, texts

from basra import (
    Counted,
    Dealt,
    Game,
    GameBegan,
    Illegal,
    Kind,
    Match,
    MatchBegan,
    Outcome,
    Play,
    Played,
    Rules,
    Seats,
    Unreadable,
    commitment,
    in_pack_order,
    name,
    pack_of,
    seen_by,
)
from basra.cards import FULL, PACK

TEAMS = Seats(4, teams=True)


# ---- seats and sides -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "sides", "deals", "of_sides", "names"),
    [
        (Seats(), 2, 6, [(1,), (2,)], ("South", "North")),
        (Seats(3), 3, 4, [(1,), (2,), (3,)], ("South", "East", "West")),
        (Seats(4), 4, 3, [(1,), (2,), (3,), (4,)], ("South", "East", "North", "West")),
        (TEAMS, 2, 3, [(1, 3), (2, 4)], ("South", "East", "North", "West")),
    ],
)
def test_seats_sides_and_deals(seats, sides, deals, of_sides, names):
    """Rules, section 1."""
    assert (seats.sides, seats.deals, seats.names) == (sides, deals, names)
    assert [seats.of_side(side) for side in range(1, sides + 1)] == of_sides
    for side, members in enumerate(of_sides, 1):
        assert {seats.side(seat) for seat in members} == {side}
    assert [seats.after(seat) for seat in range(1, seats.count + 1)] == [*range(2, seats.count + 1), 1]


@pytest.mark.parametrize("count", [0, 1, 5, -2])
def test_a_number_of_seats_that_there_is_not(count):
    with pytest.raises(Unreadable, match="2, 3 or 4"):
        Seats(count)


@pytest.mark.parametrize("count", [2, 3])
def test_teams_need_four_seats(count):
    """Rules, section 1."""
    with pytest.raises(Unreadable, match="teams need 4 seats"):
        Seats(count, teams=True)


# ---- dealing ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "dealer", "hands", "ground"),
    [
        (2, 1, ["5C 6C 7C 8C", "AC 2C 3C 4C"], "9C 10C JC QC"),
        (2, 2, ["AC 2C 3C 4C", "5C 6C 7C 8C"], "9C 10C JC QC"),
        (3, 1, ["9C 10C JC QC", "AC 2C 3C 4C", "5C 6C 7C 8C"], "KC AD 2D 3D"),
        (3, 2, ["5C 6C 7C 8C", "9C 10C JC QC", "AC 2C 3C 4C"], "KC AD 2D 3D"),
        (4, 3, ["5C 6C 7C 8C", "9C 10C JC QC", "KC AD 2D 3D", "AC 2C 3C 4C"], "4D 5D 6D 7D"),
    ],
)
def test_packets_of_four_from_the_seat_after_the_dealer_then_four_to_the_ground(seats, dealer, hands, ground):
    """Rules, section 2, paragraphs 1 and 3."""
    game = Game(pack(), Rules(), Seats(seats), dealer)
    assert game.hands == [cards(hand) for hand in hands]
    assert game.ground == game.first_ground == cards(ground)
    assert game.turn == dealer % seats + 1
    assert game.deal == 1
    assert list(game.stock) == list(PACK[4 * seats + 4 :])
    assert (game.buried, game.left, game.last_taker, game.over) == ((), 0, 0, False)
    assert game.plays == []


@pytest.mark.parametrize("seats", TABLES)
@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_deal_of_a_game(seats, rules):
    """Rules, section 2: the same order each time, nothing more to the ground, to the last card."""
    rng = random.Random(f"{seats} {rules}")
    for dealer in range(1, seats.count + 1):
        game = Game(rng.sample(PACK, 52), rules, seats, dealer)
        order = [(dealer + at) % seats.count + 1 for at in range(seats.count)]
        rest = game.stock
        for deal in range(1, seats.deals + 1):
            assert game.deal == deal
            assert len(rest) == 4 * seats.count * (seats.deals - deal)
            for nth in range(4 * seats.count):
                assert game.turn == order[nth % seats.count]
                assert game.stock == rest
                assert not game.over
                (held,) = {hand.bit_count() for hand in game.hands} if nth % seats.count == 0 else {0}
                assert held == (4 - nth // seats.count if nth % seats.count == 0 else 0)
                ground, card = game.ground, rng.choice(game.legal_plays())
                game.play(card)
                if card.take == 0 and not game.over:
                    assert game.ground == ground | 1 << card.card
            for at, seat in enumerate(order):
                packet = rest[4 * at : 4 * at + 4]
                assert set(in_pack_order(game.hands[seat - 1])) == set(packet)
            rest = rest[4 * seats.count :]
        assert game.over
        assert game.deal == seats.deals
        assert len(game.plays) == 48


@pytest.mark.parametrize(
    ("bury", "ground", "buried", "next_card"),
    [
        ("none", "JC 7D 2H JD", "", "JH"),
        ("jacks", "7D 2H 3H 4H", "JC JD JH", "5H"),
        ("jacks+komi", "2H 3H 4H 5H", "JC 7D JD JH", "6H"),
    ],
)
def test_what_may_not_lie_on_the_first_ground_goes_under_the_pack(bury, ground, buried, next_card):
    """Rules, section 2, paragraph 5: in the order turned up; the next card replaces it."""
    top = pack("AS 2S 3S 4S 5S 6S 7S 8S JC 7D 2H JD JH 3H 4H 5H 6H")
    game = Game(top, Rules(bury=bury))
    assert game.ground == game.first_ground == cards(ground)
    assert [name(card) for card in game.buried] == buried.split()
    assert name(game.stock[0]) == next_card
    under = [card for card in top[8:] if not game.ground >> card & 1 and card not in game.buried]
    assert list(game.stock) == [*under, *game.buried]
    assert game.hands == [cards("5S 6S 7S 8S"), cards("AS 2S 3S 4S")]


def test_buried_cards_are_dealt_last():
    """Rules, section 2, paragraph 5."""
    game = Game(pack("AS 2S 3S 4S 5S 6S 7S 8S JC 7D JD JH"), Rules(bury="jacks+komi"))
    rng = random.Random(1)
    while game.deal < 6:
        game.play(rng.choice(game.legal_plays()))
    assert game.hands[game.dealer - 1] == cards("JC 7D JD JH")


@pytest.mark.parametrize("wrong", [(), PACK[:51], (*PACK[:51], 0), (*PACK, 0), (*PACK[:51], 52)])
def test_a_pack_is_the_52_cards(wrong):
    with pytest.raises(Unreadable, match="a pack is the 52 cards, each once"):
        Game(wrong)


# ---- playing ---------------------------------------------------------------------------


def test_what_is_taken_and_the_card_go_to_the_pile():
    """Rules, section 4."""
    game = position("9H KC", "3S 2S", ground="4H 5C QD")
    assert game.play(play("9H take 4H 5C")) is Kind.CAPTURE
    assert game.piles == [cards("9H 4H 5C"), 0]
    assert game.ground == cards("QD")
    assert (game.hands, game.turn, game.last_taker) == ([cards("KC"), cards("3S 2S")], 2, 1)
    assert game.play(play("3S")) is Kind.DROP
    assert game.ground == cards("QD 3S")
    assert game.piles == [cards("9H 4H 5C"), 0]
    assert (game.turn, game.last_taker) == (1, 1)
    assert game.plays == [play("9H take 4H 5C"), play("3S")]


@pytest.mark.parametrize(
    ("seat", "side"),
    [(1, 1), (2, 2), (3, 1), (4, 2)],
)
def test_partners_share_a_pile(seat, side):
    """Rules, section 1: seats 1+3 against 2+4."""
    hands = ["", "", "", ""]
    hands[seat - 1] = "9H"
    game = position(*hands, ground="9C", turn=seat, seats=TEAMS)
    assert game.play(play("9H take 9C")) is Kind.BASRA
    assert game.last_taker == side
    assert game.piles[side - 1] == cards("9H 9C")
    assert game.basras == [int(side == 1), int(side == 2)]


@pytest.mark.parametrize(
    ("ground", "text", "kind", "basras", "jack_basras"),
    [
        ("4H 5C", "9H take 4H 5C", Kind.BASRA, 1, 0),
        ("4H 5C KC", "9H take 4H 5C", Kind.CAPTURE, 0, 0),
        ("JC", "JH take JC", Kind.JACK_BASRA, 0, 1),
        ("JC 2C", "JH take JC 2C", Kind.CAPTURE, 0, 0),
        ("7D", "JH take 7D", Kind.JACK_BASRA, 0, 1),
        ("7D", "KH take 7D", Kind.BASRA, 1, 0),
        ("-", "9H", Kind.DROP, 0, 0),
    ],
)
def test_basras_are_counted_as_they_are_made(ground, text, kind, basras, jack_basras):
    """Rules, section 5."""
    for seat in (1, 2):
        hands = [name(play(text).card), "2S"] if seat == 1 else ["2S", name(play(text).card)]
        game = position(*hands, ground=ground, turn=seat)
        assert game.kind_of(play(text)) is kind
        assert game.play(play(text)) is kind
        assert game.basras[seat - 1] == basras
        assert game.jack_basras[seat - 1] == jack_basras
        assert game.basras[2 - seat] == game.jack_basras[2 - seat] == 0


@pytest.mark.parametrize("allowed", [True, False])
def test_only_the_very_last_play_of_a_game_is_the_last_card(allowed):
    """Rules, section 5, key `last_card_basra`."""
    rules = Rules(last_card_basra=allowed)
    stock = "AC 2C 3C 4C AD 2D 3D 4D"
    for hands, more, last in [
        (("9H", "9S"), "", False),
        (("9H", ""), stock, False),
        (("9H", ""), "", True),
    ]:
        game = position(*hands, ground="9C", stock=more, rules=rules)
        assert game.is_last_play is last
        expected = Kind.CAPTURE if last and not allowed else Kind.BASRA
        assert game.kind_of(play("9H take 9C")) is expected
        assert game.play(play("9H take 9C")) is expected
        assert game.basras == [int(expected is Kind.BASRA), 0]


def test_the_legal_plays_of_a_hand_in_order():
    """Cards in the order of the pack, the captures of each largest first."""
    game = position("KD 9S 5C", "2S 3S 4S", ground="4H 5D KH 9C")
    listed = ["5C take 5D", "9S take 9C 5D 4H", "9S take 9C", "9S take 5D 4H", "KD take KH"]
    expected = [play(text) for text in listed]
    order = [(one.card, -one.take.bit_count(), in_pack_order(one.take)) for one in expected]
    assert game.legal_plays() == tuple(one for _, one in sorted(zip(order, expected)))


def test_the_legal_plays_stay_those_of_their_turn():
    """Neither a play nor a copy changes what was listed before, or is listed elsewhere."""
    game = position("9H KC", "3S 2S", ground="4H 5C QD")
    listed = game.legal_plays()
    game.copy().play(listed[0])
    assert game.legal_plays() == listed == (play("KC"), play("9H take 4H 5C"))
    game.play(listed[1])
    assert listed == (play("KC"), play("9H take 4H 5C"))
    assert game.legal_plays() == (play("2S"), play("3S"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2S", "2S is not in your hand: 9H KC"),
        ("9C take 4H 5C", "9C is not in your hand: 9H KC"),
        ("9H", "9H cannot be dropped: it can take 4H,5C"),
        ("9H take 4H 5D", "5D is not on the ground: 4H 5C QD"),
        ("9H take 4H QD", "9H cannot take 4H,QD: Q is not 9"),
        ("KC take QD", "KC cannot take QD: Q is not K"),
    ],
)
def test_a_play_that_is_refused_changes_nothing(text, reason):
    game = position("9H KC", "3S 2S", ground="4H 5C QD")
    before = state(game)
    with pytest.raises(Illegal) as refused:
        game.play(play(text))
    assert str(refused.value) == str(game.why_not(play(text))) == reason
    assert state(game) == before


def test_nothing_can_be_played_when_the_game_is_over():
    game = position("9H", "", ground="9C")
    game.play(play("9H take 9C"))
    assert game.over
    assert game.legal_plays() == ()
    assert str(game.why_not(play("9H take 9C"))) == "the game is over"
    before = state(game)
    with pytest.raises(Illegal, match="the game is over"):
        game.play(play("2C"))
    assert state(game) == before


# ---- the end of a game -----------------------------------------------------------------


def test_what_is_left_goes_to_the_side_that_captured_last_and_is_no_basra():
    """Rules, section 4."""
    game = position("9H", "KS", ground="9C 2C 3C")
    game.play(play("9H take 9C"))
    assert game.play(play("KS")) is Kind.DROP
    assert game.over
    assert game.piles == [cards("9H 9C 2C 3C KS"), 0]
    assert (game.left, game.ground, game.basras) == (cards("2C 3C KS"), 0, [0, 0])


def test_who_makes_the_last_capture_changes():
    """Rules, section 4."""
    game = position("9H 8H", "9S KS", ground="9C 9D KC 2C")
    for text in ("9H take 9C", "KS take KC", "8H", "9S take 9D"):
        game.play(play(text))
    assert game.last_taker == 2
    assert game.piles == [cards("9H 9C"), cards("KS KC 9S 9D 8H 2C")]


def test_a_capture_of_an_earlier_deal_is_the_last_one_too():
    """Rules, section 4."""
    game = position("KH", "QS", ground="2C", last_taker=2, piles=["", "9C 9D"])
    game.play(play("KH"))
    game.play(play("QS"))
    assert game.piles == [0, cards("9C 9D KH QS 2C")]
    assert game.left == cards("2C KH QS")


def test_if_nobody_captured_anything_it_stays_unclaimed():
    """Rules, section 4."""
    game = position("KH", "QS", ground="2C")
    game.play(play("KH"))
    game.play(play("QS"))
    assert game.over
    assert game.piles == [0, 0]
    assert game.ground == game.left == cards("2C KH QS")
    assert game.count().points == (0, 0)


# ---- counting --------------------------------------------------------------------------


def counted(*piles, rules=None, carry=0, seats=None, basras=(), jack_basras=()):
    """Count a game that has ended with these piles; the two cards of the last plays stay."""
    hands = ["KS", "QS", "10S", "9S"][: len(piles) if seats is None else seats.count]
    game = position(*hands, piles=piles, rules=rules or Rules(), seats=seats)
    game.basras = list(basras) or game.basras
    game.jack_basras = list(jack_basras) or game.jack_basras
    while not game.over:
        game.play(game.legal_plays()[0])
    return game.count(carry)


ALONE = Rules(majority=0)


@pytest.mark.parametrize(
    ("piles", "points"),
    [
        (("2C 3C", "4C"), (30, 0)),
        (("2C", "3C 4C"), (0, 30)),
        (("2C 3C", "4C 5C"), (0, 0)),
        (("", ""), (0, 0)),
        (("2C 3C", "4C", "5C"), (30, 0, 0)),
        (("2C", "4C 5C", "6C 7C"), (0, 0, 0)),
        (("2C 3C", "4C 5C", "6C"), (0, 0, 0)),
        (("2C 3C", "4C 5C", "6C 7C 8C"), (0, 0, 30)),
        (("2C", "3C", "4C", "5C 6C"), (0, 0, 0, 30)),
        (("2C", "3C", "4C", "5C"), (0, 0, 0, 0)),
    ],
)
def test_the_majority_goes_to_the_single_side_with_the_most_cards(piles, points):
    """Rules, section 6."""
    count = counted(*piles)
    assert count.points == points
    assert count.cards == tuple(len(pile.split()) for pile in piles)
    assert count.carry == 0
    item = count.items[0]
    assert (item.key, item.each, item.amounts, item.points) == ("majority", 30, count.cards, points)


def test_the_majority_of_teams():
    """Rules, sections 1 and 6."""
    assert counted("2C 3C", "4C", seats=TEAMS).points == (30, 0)
    assert counted("2C 3C", "4C 5C", seats=TEAMS).points == (0, 0)


def test_a_level_majority_is_nobodys():
    """Rules, section 6, `majority_tie` none: nothing is carried, not even from before."""
    assert counted("2C", "3C").carry == 0
    assert counted("2C", "3C", carry=30).carry == 0


def test_a_level_majority_is_carried_again_and_again():
    """Rules, section 6, `majority_tie` carry."""
    rules = Rules(majority_tie="carry", majority=20)
    level = counted("2C", "3C", rules=rules)
    assert (level.points, level.carry, level.items[0].each) == ((0, 0), 20, 20)
    again = counted("2C", "3C", rules=rules, carry=level.carry)
    assert (again.points, again.carry, again.items[0].each) == ((0, 0), 40, 40)
    won = counted("2C", "3C 4C", rules=rules, carry=again.carry)
    assert (won.points, won.carry, won.items[0].each) == ((0, 60), 0, 60)
    assert counted("2C", "4C 5C", "6C 7C", rules=rules).carry == 20


def test_points_of_basras():
    """Rules, section 6."""
    rules = Rules(majority=0, basra=7, jack_basra=40)
    count = counted("", "", rules=rules, basras=[2, 1], jack_basras=[0, 3])
    assert count.points == (14, 7 + 120)
    assert (count.basras, count.jack_basras) == ((2, 1), (0, 3))
    explained = {item.key: (item.each, item.amounts, item.points) for item in count.items}
    assert explained["basra"] == (7, (2, 1), (14, 7))
    assert explained["jack_basra"] == (40, (0, 3), (0, 120))


@pytest.mark.parametrize(
    ("key", "worth"),
    [
        ("ace", "AC AD AH AS"),
        ("jack", "JC JD JH JS"),
        ("two_of_clubs", "2C"),
        ("ten_of_diamonds", "10D"),
    ],
)
def test_points_of_single_cards(key, worth):
    """Rules, section 6."""
    rules = Rules(majority=0, **{key: 5})
    for card in PACK:
        text = name(card)
        if text in ("KS", "QS"):
            continue
        points = 5 * (text in worth.split())
        assert counted(text, "", rules=rules).points == (points, 0)
        assert counted("", text, rules=rules).points == (0, points)
    first, *others = worth.split()
    count = counted(" ".join(others) + " KC QC 2H 2D", first, rules=rules)
    assert count.points == (5 * len(others), 5)
    assert [item.key for item in count.items] == [
        *("majority", "basra", "jack_basra"),
        *("ace", "jack", "two_of_clubs", "ten_of_diamonds"),
    ]
    (item,) = [item for item in count.items if item.key == key]
    assert (item.each, item.amounts, item.points) == (5, (len(others), 1), (5 * len(others), 5))


def test_the_points_of_a_whole_classic_pack():
    """Rules, sections 6 and 8: 30 for the cards and 13 for aces, jacks, 2C and 10D."""
    rules = Rules.named("classic")
    rng = random.Random(5)
    for _ in range(30):
        game = Game(rng.sample(PACK, 52), rules)
        play_out(game, rng)
        count = game.count()
        basras = 10 * sum(game.basras)
        assert sum(count.points) == 13 + basras + (0 if count.carry else 30)
        assert game.jack_basras == [0, 0]


# ---- positions -------------------------------------------------------------------------


def test_a_position_deals_on_from_its_stock():
    """Rules, section 2, paragraphs 2 and 3."""
    game = position("KS", "QS", stock="AC 2C 3C 4C 5C 6C 7C 8C AD 2D 3D 4D 5D 6D 7D 8D", turn=2)
    assert (game.deal, game.dealer) == (4, 1)
    game.play(play("QS"))
    game.play(play("KS"))
    assert game.hands == [cards("5C 6C 7C 8C"), cards("AC 2C 3C 4C")]
    assert (game.deal, game.turn, game.ground) == (5, 2, cards("QS KS"))
    assert len(game.stock) == 8


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"hands": ["9H", "9H"]}, "9H stands twice"),
        ({"hands": ["9H", "9C"], "ground": "9C"}, "9C stands twice"),
        ({"hands": ["9H", "9C"], "piles": ["2C", "2C"]}, "2C stands twice"),
        ({"hands": ["9H", "9C"], "stock": "AC 2C 3C 4C 5C 6C 7C 9C"}, "9C stands twice"),
        ({"hands": ["9H", "9C"], "stock": "AC 2C 3C 4C 5C 6C 7C AC"}, "a card stands twice"),
        ({"hands": ["9H", "9C"], "stock": "AC 2C 3C 4C"}, "a stock of 4 cards"),
        ({"hands": ["9H", "9C 8C"]}, "do not arise"),
        ({"hands": ["", "9C"]}, "do not arise"),
        ({"hands": ["9H 8H 7H", "9C"]}, "do not arise"),
        ({"hands": ["9H 8H", "9C"], "turn": 2}, "do not arise"),
        ({"hands": ["", ""]}, "do not arise"),
        ({"hands": ["9H"], "seats": Seats(2)}, "2 seats need as many hands, not 1"),
        ({"hands": ["9H"]}, "there cannot be 1 seats"),
    ],
)
def test_a_position_that_does_not_arise_is_refused(arguments, reason):
    with pytest.raises(Unreadable, match=reason):
        position(*arguments.pop("hands"), **arguments)


@pytest.mark.parametrize("seats", TABLES)
def test_a_copy_is_independent(seats):
    rng = random.Random(str(seats))
    game = Game(rng.sample(PACK, 52), Rules(bury="jacks"), seats)
    for _ in range(3):
        for _ in range(14):
            game.play(rng.choice(game.legal_plays()))
        before, copy = state(game), game.copy()
        assert state(copy) == before
        play_out(copy, rng)
        assert copy.over
        assert state(game) == before
        original, other = game.copy(), game.copy()
        one = rng.choice(game.legal_plays())
        assert original.play(one) is other.play(one)
        assert state(original) == state(other) != before


# ---- how many sequences of plays there are ---------------------------------------------

# Hands from seat 1 on, ground, stock; seat 1 plays first.
KOMI_IN_HAND = (["7D KC", "9S 2S"], "4H 5C 6D 3S KH", "")
KOMI_ON_GROUND = (["10S 3C 7H", "7C 4S 9C"], "7D 3H 4D 2C", "")
SUMS = (["9H 10C 8S", "6S AC 7D"], "4H 5C 2D 3S AH 6D", "")
NEXT_DEAL = (["KS", "7D"], "7C 3C", "AC 2C 3D 4C 5C 6C 7H 8C")
THREE_SEATS = (["10H 7H", "7D JS", "5S 5H"], "5C 2D 3S KD", "")

SEQUENCES = [
    (KOMI_IN_HAND, "wild", "any", [13, 30, 54, 63]),
    (KOMI_IN_HAND, "wild", "largest", [2, 4, 4, 4]),
    (KOMI_IN_HAND, "sweep", "any", [2, 6, 6, 6]),
    (KOMI_IN_HAND, "plain", "any", [2, 6, 8, 8]),
    (KOMI_ON_GROUND, "wild", "any", [8, 28, 56, 113, 113, 118]),
    (KOMI_ON_GROUND, "sweep", "any", [5, 15, 30, 64, 64, 66]),
    (KOMI_ON_GROUND, "plain", "largest", [3, 9, 18, 36, 36, 36]),
    (SUMS, "wild", "any", [19, 186, 375, 1095, 1128, 1562]),
    (SUMS, "sweep", "any", [19, 68, 139, 286, 290, 290]),
    (SUMS, "plain", "any", [19, 70, 145, 300, 311, 311]),
    (SUMS, "wild", "largest", [3, 9, 18, 36, 36, 36]),
    (NEXT_DEAL, "wild", "any", [1, 5, 20, 82, 246]),
    (NEXT_DEAL, "plain", "any", [1, 1, 4, 16, 48]),
    (THREE_SEATS, "wild", "any", [2, 6, 12, 12, 20, 20]),
    (THREE_SEATS, "sweep", "any", [2, 4, 8, 8, 8, 8]),
]
SEQUENCES_OF_A_SEED = [
    ("42", Seats(2), "wild", "any", [6, 26, 80, 252, 513, 1058, 1105, 1111, 5692]),
    ("42", Seats(2), "wild", "largest", [6, 24, 74, 222, 446, 892, 892, 892, 3568]),
    ("7", Seats(3), "wild", "any", [9, 40, 160, 484, 1456, 4504]),
    ("7", Seats(3), "sweep", "any", [4, 16, 64, 192, 588, 1840]),
    ("7", Seats(3), "plain", "largest", [4, 16, 64, 192, 576, 1728]),
    ("5", TEAMS, "plain", "any", [4, 16, 102, 440, 1551, 4952]),
]


def sequences(game, depth):
    if not depth:
        return 1
    total = 0
    for one in game.legal_plays():
        after = game.copy()
        after.play(one)
        total += sequences(after, depth - 1)
    return total


@pytest.mark.parametrize(("where", "komi", "capture", "numbers"), SEQUENCES)
def test_the_number_of_sequences_of_plays(where, komi, capture, numbers):
    """Rules, sections 2 and 3, to depth 1, 2 … and by the plain reference too."""
    hands, ground, stock = where
    game = position(*hands, ground=ground, stock=stock, rules=Rules(komi=komi, capture=capture))
    depths = range(1, len(numbers) + 1)
    assert [sequences(game, depth) for depth in depths] == numbers
    plain = ([hand.split() for hand in hands], ground.split(), stock.split(), 0)
    assert [reference.sequences(*plain, depth, komi, capture) for depth in depths] == numbers


@pytest.mark.parametrize(("seed", "seats", "komi", "capture", "numbers"), SEQUENCES_OF_A_SEED)
def test_the_number_of_sequences_of_plays_from_a_first_deal(seed, seats, komi, capture, numbers):
    """Rules, sections 2 and 3, to depth 1, 2 …"""
    game = Match(Rules(komi=komi, capture=capture), seats, seed=seed).begin_game()
    assert [sequences(game, depth) for depth in range(1, len(numbers) + 1)] == numbers


# ---- a match ---------------------------------------------------------------------------


def finish(match, *piles):
    """Play a game of the match out from its last cards, nobody capturing; the piles are given."""
    match.begin_game(pack() if match.seed is None else None)
    hands = ["KS", "QS", "10S", "9S"][: match.seats.count]
    turn = match.game.turn
    match.games[-1] = position(*hands, piles=piles, turn=turn, rules=match.rules, seats=match.seats)
    while not match.game.over:
        match.play(match.game.legal_plays()[0])
    return match


def test_the_side_that_reaches_the_target_and_leads_has_won():
    """Rules, section 7."""
    match = Match(Rules(target=60))
    assert finish(match, "2C 3C", "4C").outcome is None
    assert (match.totals, match.waiting) == ((30, 0), True)
    finish(match, "2C", "4C 3C")
    assert (match.totals, match.outcome) == ((30, 30), None)
    finish(match, "2C", "4C 3C")
    assert match.totals == (30, 60)
    assert match.outcome == Outcome(2, (30, 60), 3)
    assert not match.waiting
    assert [count.points for count in match.counts] == [(30, 0), (0, 30), (0, 30)]


def test_the_target_itself_is_enough_and_one_less_is_not():
    """Rules, section 7."""
    assert finish(Match(Rules(target=30)), "2C 3C", "4C").outcome == Outcome(1, (30, 0), 1)
    assert finish(Match(Rules(target=31)), "2C 3C", "4C").outcome is None


ACES = Rules(majority=0, ace=10, jack=1, target=20)


def test_level_leaders_play_on():
    """Rules, section 7: until one is higher, however high."""
    match = finish(Match(ACES), "AC AD", "AH AS")
    assert (match.totals, match.outcome, match.waiting) == ((20, 20), None, True)
    finish(match, "AC AD", "AH AS")
    assert (match.totals, match.outcome) == ((40, 40), None)
    finish(match, "", "JC")
    assert match.outcome == Outcome(2, (40, 41), 3)


def test_two_sides_pass_the_target_in_the_same_game():
    """Rules, section 7: the higher wins."""
    assert finish(Match(ACES), "AC AD JC", "AH AS").outcome == Outcome(1, (21, 20), 1)
    assert finish(Match(ACES), "AC AD", "AH AS JH").outcome == Outcome(2, (20, 21), 1)


def test_one_of_three_leaders_wins_alone():
    """Rules, section 7."""
    match = finish(Match(ACES, Seats(3)), "AC AD", "AH AS", "JC")
    assert (match.totals, match.outcome) == ((20, 20, 1), None)
    finish(match, "", "", "AC AD")
    assert match.outcome == Outcome(3, (20, 20, 21), 2)


def test_teams_win_together():
    """Rules, sections 1 and 7."""
    match = finish(Match(ACES, TEAMS), "JC", "AC AD")
    assert match.outcome == Outcome(2, (1, 20), 1)


def test_a_carried_majority_is_counted_in_the_next_games():
    """Rules, section 6."""
    match = Match(Rules(majority_tie="carry"))
    finish(match, "2C", "3C")
    finish(match, "2C", "3C")
    assert [count.carry for count in match.counts] == [30, 60]
    finish(match, "2C 4C", "3C")
    assert match.totals == (90, 0)
    finish(match, "2C", "3C 4C")
    assert match.totals == (90, 30)


@pytest.mark.parametrize("seats", TABLES)
@pytest.mark.parametrize("dealer", [1, 2])
def test_the_deal_passes_to_the_next_seat(seats, dealer):
    """Rules, section 2, paragraph 4."""
    match = Match(Rules(target=1000), seats, dealer=dealer)
    dealers = []
    for _ in range(2 * seats.count):
        finish(match, *[""] * seats.sides)
        dealers.append(match.game.dealer)
    assert dealers == [(dealer + n - 1) % seats.count + 1 for n in range(2 * seats.count)]


def test_a_match_from_a_seed_shuffles_each_game():
    """Records, section 3."""
    match = Match(Rules(target=1000), seed="42", cut="hello")
    for number in (1, 2, 3):
        game = match.begin_game()
        whole = pack_of("42", number, "hello")
        assert game.hands[game.turn - 1] == sum(1 << card for card in whole[:4])
        assert game.stock == whole[12:]
        assert game.dealer == (number - 1) % 2 + 1
        while not game.over:
            match.play(game.legal_plays()[0])


def test_where_the_pack_comes_from():
    with pytest.raises(Illegal, match="the pack comes from the seed"):
        Match(seed="42").begin_game(PACK)
    with pytest.raises(Illegal, match="needs the pack"):
        Match().begin_game()
    with pytest.raises(Unreadable, match="52 cards"):
        Match().begin_game(PACK[:-1])


def test_a_refused_pack_begins_no_game():
    match = Match()
    told = []
    match.listen(told.append)
    with pytest.raises(Unreadable):
        match.begin_game(PACK[:-1])
    assert match.games == []
    assert match.waiting
    assert len(told) == 1
    assert match.begin_game(PACK) is match.game


def test_nothing_moves_on_out_of_turn():
    match = Match(Rules(target=30))
    with pytest.raises(Illegal, match="no game has begun"):
        match.play(play("AC"))
    with pytest.raises(Illegal, match="nobody's turn"):
        match.resign()
    match.begin_game(PACK)
    with pytest.raises(Illegal, match="a game is being played"):
        match.begin_game(PACK)
    match.games.clear()
    finish(match, "2C", "3C")
    with pytest.raises(Illegal, match="the game is over"):
        match.play(play("AC"))
    with pytest.raises(Illegal, match="nobody's turn"):
        match.resign()
    finish(match, "2C", "3C 4C")
    for call in (lambda: match.play(play("AC")), lambda: match.begin_game(PACK), match.resign):
        with pytest.raises(Illegal, match="the match is over"):
            call()
    assert len(match.counts) == len(match.games) == 2


@pytest.mark.parametrize(
    ("seats", "plays", "seat", "winner"),
    [(Seats(2), 0, 2, 1), (Seats(2), 1, 1, 2), (TEAMS, 0, 2, 1), (TEAMS, 1, 3, 2), (TEAMS, 3, 1, 2)],
)
def test_who_gives_up_has_lost(seats, plays, seat, winner):
    """Records, section 1: the other side has won, with the totals of the finished games."""
    match = finish(Match(seats=seats, dealer=seats.count), "2C 3C", "4C")
    match.begin_game(PACK)
    for _ in range(plays):
        match.play(match.game.legal_plays()[0])
    assert match.game.turn == seat
    outcome = match.resign()
    assert match.outcome is outcome
    assert (outcome.winner, outcome.totals, outcome.games, outcome.resigned) == (winner, (30, 0), 1, seat)
    with pytest.raises(Illegal, match="the match is over"):
        match.play(match.game.legal_plays()[0])
    with pytest.raises(Illegal, match="the match is over"):
        match.begin_game(PACK)


@pytest.mark.parametrize("seats", [Seats(3), Seats(4)])
def test_more_than_two_sides_cannot_give_up(seats):
    """Records, section 1."""
    match = Match(seats=seats)
    match.begin_game(PACK)
    with pytest.raises(Illegal, match="cannot be given up"):
        match.resign()
    assert match.outcome is None


def test_the_names_of_seats():
    """Records, section 1."""
    assert Match(names=["Mona"]).names == ("Mona", "North")
    assert Match(seats=Seats(3), names=[" Mona "]).names == ("Mona", "East", "West")
    with pytest.raises(Unreadable, match="3 names are too many for 2 seats"):
        Match(names=["a", "b", "c"])
    for wrong in ("", "a#b", "x" * 201):
        with pytest.raises(Unreadable, match="the name"):
            Match(names=[wrong])
    with pytest.raises(Unreadable, match="the seed is empty"):
        Match(seed=" ")
    with pytest.raises(Unreadable, match="the cut"):
        Match(seed="42", cut="#")


# ---- what is told ----------------------------------------------------------------------


class Told:
    """A match worked out again from what is told of it, and from nothing else."""

    def __init__(self):
        self.events = []
        self.totals = self.outcome = None
        self.counts = []

    def __call__(self, event):
        self.events.append(event)
        getattr(self, type(event).__name__)(event)

    def MatchBegan(self, event):
        self.seats, self.rules = event.seats, event.rules
        self.totals = (0,) * event.seats.sides

    def GameBegan(self, event):
        assert event.totals == self.totals
        assert event.number == len(self.counts) + 1
        self.dealer = event.dealer
        self.piles = [0] * self.seats.sides
        self.points = [0] * self.seats.sides
        self.hands, self.last = [], 0

    def Dealt(self, event):
        assert not any(self.hands)
        assert event.deal == 1 or event.ground == self.ground
        assert event.deals == self.seats.deals
        self.deal, self.to_deal = event.deal, event.to_deal
        self.hands, self.ground, self.turn = list(event.hands), event.ground, event.turn
        if event.deal == 1:
            self.buried = event.buried
        else:
            assert event.buried == ()

    def Played(self, event):
        assert (event.seat, event.ground) == (self.turn, self.ground)
        card, take = event.play
        side = self.seats.side(event.seat)
        self.hands[event.seat - 1] ^= 1 << card
        if event.kind is Kind.DROP:
            assert take == 0
            self.ground |= 1 << card
        else:
            self.piles[side - 1] |= take | 1 << card
            self.ground ^= take
            self.last = side
        self.points[side - 1] += event.points
        self.turn = event.turn

    def Counted(self, event):
        assert not any(self.hands)
        assert event.number == len(self.counts) + 1
        assert (event.left, event.left_to) == (self.ground, self.last)
        if self.last:
            self.piles[self.last - 1] |= self.ground
            self.ground = 0
        assert event.count.cards == tuple(pile.bit_count() for pile in self.piles)
        of_basras = [i.points for i in event.count.items if i.key in ("basra", "jack_basra")]
        assert [sum(points) for points in zip(*of_basras)] == self.points
        self.totals = tuple(old + new for old, new in zip(self.totals, event.count.points))
        assert event.totals == self.totals
        self.counts.append(event.count)

    def Outcome(self, event):
        assert self.outcome is None
        self.outcome = event

    def agrees(self, match):
        game = match.game
        return (self.hands, self.ground, self.piles, self.turn, self.deal, self.to_deal) == (
            *(game.hands, game.ground, game.piles, game.turn, game.deal, len(game.stock)),
        ) and (self.dealer, self.totals, self.counts, self.outcome, self.buried, self.last) == (
            *(game.dealer, match.totals, match.counts, match.outcome, game.buried, game.last_taker),
        )


@pytest.mark.parametrize("seats", TABLES)
@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_match_can_be_worked_out_from_its_events(seats, rules):
    """After every play the events alone give the same position, counts and outcome."""
    match = Match(rules, seats, seed=f"{seats}")
    told = Told()
    match.listen(told)
    rng = random.Random(3)
    while match.outcome is None:
        match.begin_game()
        assert told.agrees(match)
        while not match.game.over:
            match.play(rng.choice(match.game.legal_plays()))
            assert told.agrees(match)
    assert told.outcome is match.outcome
    assert isinstance(told.events[-1], Outcome)


@pytest.mark.parametrize("seats", TABLES)
def test_events_come_in_order(seats):
    """One for each thing that happens, and the last says that the match is over."""
    match = Match(Rules(target=1, bury="jacks"), seats, names=["Mona"], seed="42", cut="x")
    events = []
    match.listen(events.append)
    assert events == [MatchBegan(match.rules, seats, match.names, commitment("42"))]
    rng = random.Random(1)
    while match.outcome is None:
        del events[:]
        game = match.begin_game()
        assert [type(event) for event in events] == [GameBegan, Dealt]
        plays, kinds = [], []
        while not game.over:
            plays.append(rng.choice(game.legal_plays()))
            kinds.append(match.play(plays[-1]))
        of_a_deal = [Dealt, *[Played] * (4 * seats.count)]
        ends = [Counted] + ([Outcome] if match.outcome else [])
        assert [type(event) for event in events] == [GameBegan, *of_a_deal * seats.deals, *ends]
        played = [event for event in events if isinstance(event, Played)]
        assert [event.play for event in played] == plays == game.plays
        assert [event.kind for event in played] == kinds


def test_what_a_play_earns_is_told():
    """Rules, section 6."""
    match = Match(Rules(basra=7, jack_basra=40))
    events = []
    match.listen(events.append)
    match.begin_game(PACK)
    match.games[-1] = position("9S 3H", "JS 2S", ground="9C", stock="JC 2C 3C 4C 5C 6C 7C 8C")
    for text in ("9S take 9C", "JS", "3H", "2S"):
        match.play(play(text))
    match.play(play("JC take 2S 3H JS"))
    match.games[-1].ground = cards("JD")
    match.games[-1].hands[1] = cards("JH 5C 6C 7C")
    match.play(play("JH take JD"))
    told = [(e.seat, e.kind, e.points, e.turn) for e in events if isinstance(e, Played)]
    assert told == [
        (1, Kind.BASRA, 7, 2),
        (2, Kind.DROP, 0, 1),
        (1, Kind.DROP, 0, 2),
        (2, Kind.DROP, 0, 1),
        (1, Kind.CAPTURE, 0, 2),
        (2, Kind.JACK_BASRA, 40, 1),
    ]


def test_a_resignation_is_told():
    match = Match(dealer=2)
    match.begin_game(PACK)
    events = []
    match.listen(events.append)
    match.resign()
    assert [type(event) for event in events] == [MatchBegan, Outcome]
    assert events[1] is match.outcome
    assert events[1].resigned == 1


def test_what_is_refused_is_not_told():
    match = Match(seed="42")
    events = []
    match.listen(events.append)
    game = match.begin_game()
    before, told = state(game), len(events)
    with pytest.raises(Illegal):
        match.play(Play(game.stock[0]))
    assert (state(game), len(events)) == (before, told)


@pytest.mark.parametrize("seats", TABLES)
def test_nothing_depends_on_who_listens(seats):
    """The same match with no listener, with one, and with one that comes late."""
    ends = []
    for listeners in (0, 1, 2, 3):
        match = Match(Rules(target=60), seats, seed="a")
        heard = [[] for _ in range(listeners)]
        rng = random.Random(2)
        for one in heard[:2]:
            match.listen(one.append)
        while match.outcome is None:
            game = match.begin_game()
            if len(match.games) == 1:
                for one in heard[2:]:
                    match.listen(one.append)
            while not game.over:
                match.play(rng.choice(game.legal_plays()))
        ends.append(([state(game) for game in match.games], match.counts, match.totals, match.outcome))
        for one in heard[2:]:
            assert one[1:] == heard[0][3:]
        assert all(one == heard[0] for one in heard[:2])
    assert all(end == ends[0] for end in ends)


def test_seats_hear_of_their_own_cards_only():
    """The hands of the others are empty in what is dealt; the rest stays as it is."""
    match = Match(seats=Seats(3), seed="42")
    events = []
    match.listen(events.append)
    match.begin_game()
    match.play(match.game.legal_plays()[0])
    for event in events:
        for seats in ((1,), (2, 3), (1, 2, 3), ()):
            seen = seen_by(event, seats)
            assert type(seen) is type(event)
            for field in fields(event):
                before, after = getattr(event, field.name), getattr(seen, field.name)
                if field.name == "hands":
                    before = tuple(hand if at in seats else 0 for at, hand in enumerate(before, 1))
                assert after == before


def test_every_card_is_somewhere():
    """Rules, section 1: 52 cards in hands, ground, piles and stock."""
    game = Game(pack("JC"), Rules(bury="jacks+komi"), Seats(3), dealer=2)
    everywhere = [*game.hands, game.ground, sum(1 << card for card in game.stock)]
    assert sum(everywhere) == FULL
    assert sum(len(texts(some)) for some in everywhere) == 52
