"""What one seat may know."""

import copy
import random
from dataclasses import FrozenInstanceError, fields, is_dataclass

import pytest
from helpers import RULE_SETS, TABLES, cards, pack, play, position

from basra import Game, Kind, Match, Rules, Seats, View, in_pack_order, to_set
from basra.cards import FULL


def some_matches():
    """Yield matches at many moments, several games old too."""
    for seats in TABLES:
        for rules in RULE_SETS:
            rng = random.Random(f"{seats} {rules}")
            match = Match(rules, seats, seed="a view")
            for _ in range(2):
                if match.outcome is None:
                    game = match.begin_game()
                    while not game.over:
                        if rng.random() < 0.3:
                            yield match, rng
                        match.play(rng.choice(game.legal_plays()))
                    yield match, rng


def dealt_otherwise(match, seat, rng):
    """Return the match with every card that the seat cannot place moved to another place."""
    game = match.game.copy()
    buried = [card for card in game.buried if card in game.stock]
    stock = game.stock[: len(game.stock) - len(buried)]
    others = [at for at in range(match.seats.count) if at != seat - 1]
    hidden = [*stock, *(card for at in others for card in in_pack_order(game.hands[at]))]
    rng.shuffle(hidden)
    game.stock = (*hidden[: len(stock)], *buried)
    del hidden[: len(stock)]
    for at in others:
        held = game.hands[at].bit_count()
        game.hands[at] = to_set(hidden[:held])
        del hidden[:held]
    other = copy.copy(match)
    other.games = [*match.games[:-1], game]
    return other


def test_a_view_does_not_depend_on_what_is_hidden():
    """However the cards lie that a seat cannot see, it sees the same."""
    moved = 0
    for match, rng in some_matches():
        for seat in range(1, match.seats.count + 1):
            other = dealt_otherwise(match, seat, rng)
            view = View.of(match, seat)
            assert View.of(other, seat) == view
            assert View.of(other, seat).unseen == view.unseen
            moved += other.game.hands != match.game.hands
    assert moved > 1000


def test_a_view_shows_what_lies_open():
    for match, _ in some_matches():
        game = match.game
        for seat in range(1, match.seats.count + 1):
            view = View.of(match, seat)
            assert (view.seat, view.side) == (seat, match.seats.side(seat))
            assert (view.hand, view.ground) == (game.hands[seat - 1], game.ground)
            assert view.holds == tuple(len(in_pack_order(hand)) for hand in game.hands)
            assert (view.piles, view.plays) == (tuple(game.piles), tuple(game.plays))
            assert (view.basras, view.jack_basras) == (tuple(game.basras), tuple(game.jack_basras))
            for name in ("last_taker", "deal", "dealer", "turn", "first_ground", "buried"):
                assert getattr(view, name) == getattr(game, name)
            assert (view.rules, view.seats, view.totals) == (match.rules, match.seats, match.totals)
            assert (view.to_deal, view.game) == (len(game.stock), len(match.games))


def test_the_unseen_cards_are_those_in_other_hands_and_still_to_be_dealt():
    for match, _ in some_matches():
        game = match.game
        for seat in range(1, match.seats.count + 1):
            others = [hand for at, hand in enumerate(game.hands, 1) if at != seat]
            view = View.of(match, seat)
            assert view.unseen == sum(others) + to_set(game.stock)
            assert view.unseen | view.hand | view.ground | sum(view.piles) == FULL


def test_a_seat_has_the_legal_plays_of_the_game_at_its_turn():
    for match, _ in some_matches():
        game = match.game
        if not game.over:
            view = View.of(match, game.turn)
            assert view.legal_plays() == game.legal_plays()
            assert [view.kind_of(one) for one in view.legal_plays()] == [
                game.kind_of(one) for one in game.legal_plays()
            ]


@pytest.mark.parametrize(
    ("hands", "stock", "kind"),
    [
        (["9H", "9S"], "", Kind.BASRA),
        (["9H", ""], "", Kind.CAPTURE),
        (["9H", ""], "AC 2C 3C 4C AD 2D 3D 4D", Kind.BASRA),
    ],
)
def test_a_seat_knows_the_very_last_play(hands, stock, kind):
    """Rules, section 5, key `last_card_basra`."""
    rules = Rules(last_card_basra=False)
    match = Match(rules)
    match.begin_game(pack())
    match.games[-1] = position(*hands, ground="9C", stock=stock, rules=rules)
    assert View.of(match, 1).kind_of(play("9H take 9C")) is kind


def test_a_seat_knows_what_is_carried():
    """Rules, section 6."""
    rules = Rules(majority_tie="carry")
    match = Match(rules)
    match.begin_game(pack())
    assert View.of(match, 1).carry == 0
    match.games[-1] = position("KS", "", rules=rules)
    match.play(play("KS"))
    match.begin_game(pack())
    assert View.of(match, 1).carry == View.of(match, 2).carry == 30


def test_a_view_stays_as_it_was():
    """It is a snapshot: what happens later does not change it."""
    match = Match(seed="42")
    game = match.begin_game()
    view = View.of(match, 1)
    held, again = hash(view), View.of(match, 1)
    for _ in range(20):
        match.play(game.legal_plays()[0])
    assert view == again
    assert hash(view) == held
    assert View.of(match, 1) != view
    with pytest.raises(FrozenInstanceError):
        view.hand = 0


def reached(value):
    """Yield a value and everything that can be reached from it by fields and items."""
    yield value
    if is_dataclass(value):
        for field in fields(value):
            yield from reached(getattr(value, field.name))
    elif isinstance(value, (tuple, list, set, frozenset)):
        for item in value:
            yield from reached(item)


def test_the_game_cannot_be_reached_from_a_view():
    match = Match(Rules(bury="jacks"), Seats(3), seed="42")
    match.begin_game()
    view = View.of(match, 2)
    values = list(reached(view))
    assert not any(isinstance(value, (Game, Match)) for value in values)
    hidden = [match.game.hands[0], match.game.hands[2], match.game.stock, "42"]
    assert not any(value == secret for value in values for secret in hidden)
    assert {type(value) for value in values} <= {View, Rules, Seats, int, str, bool, tuple}


def test_buried_cards_are_seen_by_all():
    """Rules, section 2, paragraph 5: they are turned up."""
    match = Match(Rules(bury="jacks"))
    match.begin_game(pack("AS 2S 3S 4S 5S 6S 7S 8S JC JD"))
    for seat in (1, 2):
        assert to_set(View.of(match, seat).buried) == cards("JC JD")
