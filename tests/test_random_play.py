"""Thousands of games at random: what must hold after every play."""

import random

import pytest
from helpers import TABLES, state

from basra import Captures, Game, Illegal, Kind, Match, Play, Rules, View, in_pack_order, to_set
from basra.cards import FULL, JACKS, PACK, rank

EVERY_RULE_SET = [
    Rules(komi=komi, capture=capture, bury=bury, **more)
    for komi in ("wild", "sweep", "plain")
    for capture in ("any", "largest")
    for bury, more in (
        ("none", {}),
        ("jacks", {"jack_basra": 0, "last_card_basra": False}),
        ("jacks+komi", {"ace": 1, "jack": 1, "two_of_clubs": 2, "ten_of_diamonds": 3, "basra": 11}),
    )
]
GAMES = 28  # for each rule set and each table: 2,016 in all


def all_cards(game):
    """List every card of the game, place by place."""
    places = [*game.hands, game.ground, *game.piles]
    return [*(card for place in places for card in in_pack_order(place)), *game.stock]


def some_play(game, rng):
    """Make up a play, good or bad, more often of a card that is in hand."""
    hand = in_pack_order(game.hands[game.turn - 1])
    card = rng.choice(hand) if rng.random() < 0.8 else rng.choice(PACK)
    lying = in_pack_order(game.ground)
    take = to_set(rng.sample(lying, rng.randrange(len(lying) + 1)))
    return Play(card, take ^ (1 << rng.choice(PACK)) if rng.random() < 0.2 else take)


def check_refusals(game, rng):
    """The list of legal plays and the check agree, in both directions."""
    legal = game.legal_plays()
    assert len(set(legal)) == len(legal) > 0
    assert all(game.why_not(one) is None for one in legal)
    before = state(game)
    for _ in range(4):
        one = some_play(game, rng)
        why = game.why_not(one)
        assert (why is None) == (one in legal)
        if why is not None:
            with pytest.raises(Illegal) as refused:
                game.play(one)
            assert str(refused.value) == str(why) != ""
    assert state(game) == before


@pytest.mark.parametrize("rules", EVERY_RULE_SET)
@pytest.mark.parametrize("seats", TABLES)
def test_every_game_keeps_the_rules(rules, seats):
    """Rules, sections 2 to 6."""
    rng = random.Random(f"{rules} {seats}")
    seen = set()
    for nth in range(GAMES):
        game = Game(rng.sample(PACK, 52), rules, seats, rng.randrange(seats.count) + 1)
        basras = {Kind.BASRA: [0] * seats.sides, Kind.JACK_BASRA: [0] * seats.sides}
        while not game.over:
            if rng.random() < 0.02:
                check_refusals(game, rng)
            ground, side = game.ground, seats.side(game.turn)
            assert ground.bit_count() <= 16
            one = rng.choice(game.legal_plays())
            kind = game.kind_of(one)
            assert game.play(one) is kind
            if kind is Kind.DROP:
                assert not any(rank(card) == rank(one.card) for card in in_pack_order(ground))
                assert one.take == 0
            else:
                assert one.take & ~ground == 0 != one.take
                if kind is not Kind.CAPTURE:
                    assert one.take == ground
                    basras[kind][side - 1] += 1
            seen.add(kind)
            hands, piles = game.hands, game.piles
            lying = game.ground | to_set(game.stock)
            assert sum(hands) + sum(piles) + lying == FULL
            if nth % 10 == 0:
                assert sorted(all_cards(game)) == list(PACK)
        assert [game.basras, game.jack_basras] == list(basras.values())
        assert len(game.plays) == len({play.card for play in game.plays}) == 48
        assert game.ground == 0
        assert sum(game.piles) == FULL
        check_count(game)
    assert seen >= {Kind.DROP, Kind.CAPTURE, Kind.BASRA}
    assert rules.jack_basra or Kind.JACK_BASRA not in seen


def check_count(game):
    """Rules, section 6: the items make the points."""
    rules, count = game.rules, game.count(carry=7)
    assert count.points == tuple(
        sum(item.points[at] for item in count.items) for at in range(len(game.piles))
    )
    assert sum(count.cards) == 52
    most = max(count.cards)
    leaders = [at for at, cards in enumerate(count.cards) if cards == most]
    for at, pile in enumerate(game.piles):
        expected = rules.basra * game.basras[at] + rules.jack_basra * game.jack_basras[at]
        expected += (rules.majority + 7) * (leaders == [at])
        for card in in_pack_order(pile):
            expected += rules.ace * (rank(card) == 1) + rules.jack * (JACKS >> card & 1)
            expected += rules.two_of_clubs * (card == 1) + rules.ten_of_diamonds * (card == 22)
        assert count.points[at] == expected
    assert count.carry == 0


@pytest.mark.parametrize("seats", TABLES)
def test_a_played_game_can_be_played_again(seats):
    """The pack and the plays are the whole game."""
    rng = random.Random(str(seats))
    for rules in EVERY_RULE_SET:
        pack = rng.sample(PACK, 52)
        game, again = Game(pack, rules, seats), Game(tuple(pack), rules, seats)
        states = []
        while not game.over:
            game.play(rng.choice(game.legal_plays()))
            states.append(state(game))
        for one, expected in zip(game.plays, states):
            again.play(one)
            assert state(again) == expected
        assert again.over


@pytest.mark.parametrize("seats", TABLES)
def test_a_match_ends_with_one_leader_at_the_target(seats):
    """Rules, section 7."""
    rng = random.Random(str(seats))
    for nth, rules in enumerate(EVERY_RULE_SET):
        match = Match(rules, seats, seed=f"{nth}")
        totals = [0] * seats.sides
        while match.outcome is None:
            game = match.begin_game()
            assert max(totals) < rules.target or totals.count(max(totals)) > 1
            while not game.over:
                match.play(rng.choice(game.legal_plays()))
            totals = [old + new for old, new in zip(totals, match.counts[-1].points)]
            assert match.totals == tuple(totals)
        winner = match.outcome.winner
        assert max(totals) == totals[winner - 1] >= rules.target
        assert totals.count(max(totals)) == 1
        assert (match.outcome.totals, match.outcome.games) == (match.totals, len(match.games))
        assert match.outcome.resigned is None


def test_views_and_copies_at_any_moment_agree_with_the_game():
    rng = random.Random(6)
    for nth, rules in enumerate(EVERY_RULE_SET * 2):
        match = Match(rules, TABLES[nth % 4], seed=f"{nth}")
        game = match.begin_game()
        while not game.over:
            view, copy = View.of(match, game.turn), game.copy()
            legal = game.legal_plays()
            assert view.legal_plays() == copy.legal_plays() == legal
            of_cards = [Captures.under(rules).plays(card, game.ground) for card in in_pack_order(view.hand)]
            assert tuple(one for plays in of_cards for one in plays) == legal
            one = rng.choice(legal)
            kinds = {view.kind_of(one), copy.kind_of(one), copy.play(one)}
            before = state(copy)
            assert kinds == {match.play(one)}
            assert state(game) == before
