"""The worth of plays, the reasons for them, and what the plays of a record have cost."""

import random
from types import SimpleNamespace

import pytest
from helpers import RULE_SETS, TABLES, cards, pack, play, position

from basra import Game, Kind, Match, Play, Rules, Seats, View, in_pack_order, name, names, rank, read_card
from basra import analysis as module
from basra.analysis import Summary, advise, analyse, judge, value
from basra.captures import bonus, card_points
from basra.cards import FULL, JACKS, KOMI
from basra.players import find
from basra.players.hard import last_deal
from basra.reasons import Reason, alike, why
from basra.record import Record


@pytest.fixture
def quick(monkeypatch):
    """Let everything be tried on few samples: what is asked is not how good the figures are."""
    monkeypatch.setattr(module, "BATCHES", 4)
    monkeypatch.setattr(module, "SAMPLES", 4)
    monkeypatch.setattr("basra.players.master.SAMPLES", 4)


def seen(game):
    """Look at a position from the seat whose turn it is."""
    match = SimpleNamespace(
        game=game, games=[game], rules=game.rules, seats=game.seats, totals=(0,) * game.seats.sides, counts=[]
    )
    return View.of(match, game.turn)


def last(mine, theirs, ground="-", lead=0):
    """Set up the last deal of two seats: the other cards are shared out to the piles, up to the lead."""
    rest = [name(c) for c in in_pack_order(FULL & ~cards(mine) & ~cards(theirs) & ~cards(ground))]
    half = (len(rest) + lead) // 2
    piles = " ".join(rest[:half]), " ".join(rest[half:])
    return position(mine, theirs, ground=ground, piles=piles, last_taker=1)


def played(seed, plays=1000, seats=None, rules=None, packs=None):
    """Play a match at random, so many plays at most."""
    rng = random.Random(f"{seed} plays")
    match = Match(rules or Rules(), seats or Seats(), seed=None if packs else str(seed))
    while plays and not match.outcome:
        if match.waiting:
            match.begin_game(packs.pop(0) if packs else None)
        match.play(rng.choice(match.game.legal_plays()))
        plays -= 1
    return match


def views(seed, number, **more):
    """Give views with a choice, from games played at random."""
    found = []
    for at in range(1000):
        match = played(f"{seed} {at}", plays=1 + at * 7 % 44, **more)
        if not match.waiting and len(match.game.legal_plays()) > 1:
            found.append(View.of(match, match.game.turn))
        if len(found) == number:
            return found
    raise AssertionError("there are not so many")


# ---- the last deal is exact --------------------------------------------------------------


def full_search(game, play=None):
    """Return the points still to come for the seat to play less the other's, in every way to the end."""
    if play is None:
        return max(full_search(game, each) for each in game.legal_plays())
    ahead = game.copy()
    mine = ahead.turn
    gained = bonus(ahead.play(play), ahead.rules)
    if ahead.over:
        count = ahead.count()
        basras = [n * ahead.rules.basra for n in ahead.basras]
        jacks = [n * ahead.rules.jack_basra for n in ahead.jack_basras]
        points = [p - b - j for p, b, j in zip(count.points, basras, jacks)]
        return gained + points[mine - 1] - points[2 - mine]
    return gained - full_search(ahead)


def test_a_planted_error_is_found_with_its_cost_and_what_was_better():
    """The basra is there, and no other card can ever make one."""
    view = seen(last("9S 2C", "KD QC", "9H", lead=12))
    verdict = judge(view, play("2C"))
    assert (verdict.cost, verdict.noise, verdict.error) == (10, 0, True)
    assert verdict.best == play("9S take 9H")
    assert verdict.values.exact
    assert verdict.reason == Reason("basra", {"points": 10})
    right = judge(view, play("9S take 9H"))
    assert (right.cost, right.error, right.best, right.reason) == (0, False, right.play, None)


def test_a_planted_gift_is_found():
    """To drop the 9 gives a basra away; to drop the 2 first, nothing."""
    verdict = judge(seen(last("9S 2C", "9D KC", "-", lead=12)), play("9S"))
    assert (verdict.cost, verdict.error, verdict.best) == (10, True, play("2C"))
    assert verdict.reason == Reason("exact")


def test_what_loses_the_majority_is_found():
    """26 cards to 21 and 5 to come: who takes the king has the most."""
    game = last("KS 2C", "QD 3C", "KH", lead=-3)
    assert [pile.bit_count() for pile in game.piles] == [22, 25]
    verdict = judge(seen(game), play("2C"))
    best = full_search(game, play("KS take KH"))
    assert verdict.cost == best - full_search(game, play("2C"))


@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_cost_in_the_last_deal_is_that_of_a_full_search(rules):
    rng = random.Random(5)
    for _ in range(8):
        mine, theirs, ground = (sum(1 << c for c in deck) for deck in _parts(rng, 2, 2, rng.randrange(4)))
        rest = FULL & ~mine & ~theirs & ~ground
        pile = sum(1 << c for c in rng.sample(in_pack_order(rest), rest.bit_count() // 2))
        game = Game.position([mine, theirs], ground, piles=(pile, rest ^ pile), rules=rules, last_taker=2)
        best = full_search(game)
        for each in game.legal_plays():
            verdict = judge(seen(game), each)
            cost = best - full_search(game, each)
            assert (verdict.cost, verdict.noise, verdict.error) == (cost, 0, cost >= 1)
            assert full_search(game, verdict.best) == best


def _parts(rng, *sizes):
    deck = rng.sample(range(52), 52)
    for size in sizes:
        yield deck[:size]
        deck = deck[size:]


# ---- only what could be known, and the same again ---------------------------------------


def test_the_same_record_gets_the_same_analysis(quick):
    assert analyse(Record(played(1, 20))) == analyse(Record(played(1, 20)))


@pytest.mark.parametrize("seats", TABLES)
def test_what_a_seat_cannot_know_changes_no_verdict(seats, quick):
    """Cards that the others hold to the end, and those still to be dealt, change places."""
    one = list(pack())
    random.Random(3).shuffle(one)
    match = played("x", 2 * seats.count, seats=seats, packs=[one])
    game = match.game
    hidden = in_pack_order(View.of(match, 1).unseen)
    rng = random.Random(4)
    for _ in range(3):
        mixed = dict(zip(hidden, rng.sample(hidden, len(hidden))))
        other = Match(seats=seats)
        other.begin_game([mixed.get(card, card) for card in one])
        for made in game.plays:
            other.play(made)
        before, after = (analyse(Record(each), [1]).verdicts for each in (match, other))
        assert len(before) == 2
        assert before == after


def test_a_verdict_hangs_on_the_view_alone(quick):
    """The whole view, and nothing besides it and the seed, is what is judged."""
    match = played(2, 10)
    for verdict in analyse(Record(match)).verdicts:
        assert judge(verdict.view, verdict.play, match.seed) == verdict


def test_nothing_is_drawn_from_the_generator_of_the_module(quick):
    random.seed(1)
    state = random.getstate()
    advise(views("g", 1)[0])
    assert random.getstate() == state


# ---- the worth of plays ------------------------------------------------------------------


def test_the_play_that_was_made_is_always_valued(quick):
    """Though ten others promise more."""
    game = position(
        "7D 10S AC 2C",
        "KC KD KH KS",
        ground="AS 2S 3S 4S 5S 6S 8H 9H QH QS",
        stock="3C 4C 5C 6C 8C 9C 10C QC",
    )
    view = seen(game)
    assert len({alike(each, view) for each in view.legal_plays()}) > 50
    for made in random.Random(1).sample(view.legal_plays(), 4):
        values = value(view, random.Random(1), made)
        assert made in [valued.play for valued in values.plays]
        assert len(values.plays) <= 12


def test_plays_that_differ_in_suits_that_do_not_matter_come_to_the_same(quick):
    view = seen(position("3D 3H KC", "9C 9D 9H", ground="8D QH", stock="4C 5C 6C 7C 8C 10C JC QC"))
    verdict = judge(view, play("3D"))
    assert [valued.play.card for valued in verdict.values.plays].count(read_card("3H")) == 0
    assert play("3D") in [valued.play for valued in verdict.values.plays]
    classic = seen(position("2C 2D", "9C 9D", ground="8D", rules=Rules.named("classic")))
    assert alike(play("2C"), classic) != alike(play("2D"), classic)
    assert alike(play("2C"), view) == alike(play("2D"), view)
    assert alike(play("7C"), view) != alike(play("7D"), view)


def test_where_there_is_no_choice_nothing_is_valued(quick):
    only = seen(last("9S", "KD", "9H"))
    assert judge(only, play("9S take 9H")).values.plays == ()
    assert advise(only).reason == Reason("only")
    same = seen(last("9S 9C", "KD QD", "9H"))
    assert advise(same).reason == Reason("same")
    assert advise(same).plays == ()


def test_noise_is_the_standard_error_of_the_cost(quick):
    view = views("n", 1)[0]
    values = value(view, random.Random(1))
    one, two = values.plays[:2]
    cost, noise = values.cost(two.play, one.play)
    differences = [a - b for a, b in zip(*values.batches[:2])]
    mean = sum(differences) / 4
    assert cost == pytest.approx(mean)
    assert noise**2 == pytest.approx(sum((each - mean) ** 2 for each in differences) / 12)


def test_what_is_too_small_or_drowned_in_noise_is_no_error():
    assert module._is_error(1.0, 0.3)
    assert not module._is_error(0.9, 0.0)
    assert not module._is_error(5.0, 2.0)


def test_a_basra_thrown_away_is_an_error_by_samples_too():
    game = position("9S 2C 4C KC", "AH 3D 5H QC", ground="9H", stock="6C 7C 8C 10C JC QD KD AC")
    verdict = judge(seen(game), play("KC"))
    assert verdict.error
    assert verdict.best == play("9S take 9H")
    assert not verdict.values.exact


# ---- advice --------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", TABLES)
def test_the_play_advised_is_that_of_the_strongest_player(seats, quick):
    for view in views("h", 4, seats=seats):
        advice = advise(view, "42")
        assert advice.play == find("master").choose(view, module._generator("42", view))
        if advice.plays:
            assert advice.plays[0].play == advice.play
            assert 2 <= len(advice.plays) <= 3
            points = [valued.points for valued in advice.plays]
            assert points == sorted(points, reverse=True)


def test_advice_where_all_that_is_looked_at_is_alike(quick):
    """The largest captures of the 7 take the same ranks; there are smaller ones, too."""
    ground = "3C 5C 3D 5D 3H 4H 5H 6H 8H AS 2S 4S 5S 6S 8S 9S"
    view = seen(position("7S", "9C", ground=ground, stock="9H 9D 10C 10D 10H 10S QC QD"))
    advice = advise(view)
    assert advice.plays == ()
    assert advice.reason.key in ("more", "points")


def test_advice_in_the_last_deal_is_exact():
    view = seen(last("9S 2C", "KD QC", "9H", lead=12))
    advice = advise(view)
    assert advice.exact
    assert [(v.points, v.play) for v in advice.plays] == last_deal(view, every=True)


# ---- reasons -------------------------------------------------------------------------------


def makes_basra(card, ground, view):
    """Let a card be played on a ground, as the next play after this seat's."""
    if not ground:
        return False
    others = [c for c in in_pack_order(FULL & ~ground) if c != card]
    more = () if not view.to_deal and sum(view.holds) == 2 else (others[0],)
    hands = [1 << card | sum(1 << c for c in more), sum(1 << c for c in others[1:2])]
    game = Game.position(hands if more else [1 << card, 0], ground, rules=view.rules)
    kinds = [game.kind_of(each) for each in game.legal_plays() if each.card == card]
    return any(bonus(kind, view.rules) for kind in kinds)


def true(reason, view, made, other):
    """Check what a reason says against the rules, not against how it was found."""
    words = reason.words
    out = [card for card in range(52) if view.unseen >> card & 1]
    after = view.ground & ~made.take if made.take else view.ground | 1 << made.card
    instead = view.ground & ~other.take if other.take else view.ground | 1 << other.card
    stays = [card for card in in_pack_order(view.hand) if card != made.card]
    key = reason.key
    if key in ("basra", "jack-basra"):
        kind = view.kind_of(made)
        return kind.value == key and bonus(kind, view.rules) == words["points"] > 0
    if key == "majority":
        pile = view.piles[view.side - 1].bit_count()
        return pile <= 26 < words["number"] == pile + len(names(made.take)) + 1
    if key == "points":
        worth = card_points(made.take | 1 << made.card, view.rules)
        return made.take and words["points"] == worth
    if key == "keeps":
        return (
            all(card in stays for card in in_pack_order(words["jacks"]))
            and words["jacks"] & (JACKS | (1 << KOMI if view.rules.komi != "plain" else 0)) == words["jacks"]
            and words["lying"] == len(names(view.ground)) > 0
            and words["out"] == sum(rank(card) == 11 for card in out)
            and other.card in in_pack_order(words["jacks"] | 1 << other.card)
        )
    if key == "komi":
        return KOMI in stays and rank(made.card) == 11 and view.rules.komi == "wild"
    if key in ("sweeps", "more"):
        return len(names(made.take)) == words["number"] > words["than"] == len(names(other.take))
    clear = sum(makes_basra(card, after, view) for card in out)
    than = sum(makes_basra(card, instead, view) for card in out)
    if key == "safe":
        return after and clear == 0 < than
    if key == "fewer":
        return 0 < clear == words["number"] < than == words["than"] and words["out"] == len(out)
    if key == "least":
        return words == {
            "number": sum(_takes(card, made.card, after, view) for card in out),
            "out": len(out),
            "than": sum(_takes(card, other.card, instead, view) for card in out),
        }
    if key == "again":
        ground = Game.position([1 << words["card"], 0], after, rules=view.rules)
        return words["card"] in stays and Play(words["card"], words["take"]) in ground.legal_plays()
    return key == "average"


def _takes(card, dropped, ground, view):
    game = Game.position([1 << card, 0], ground, rules=view.rules)
    return any(each.take >> dropped & 1 for each in game.legal_plays())


def test_every_reason_is_true_of_the_position():
    rng = random.Random(8)
    keys = set()
    for at, (rules, seats) in enumerate(zip(RULE_SETS * 4, TABLES * 6)):
        for view in views(f"r{at}", 16, seats=seats, rules=rules):
            made, other = rng.sample(view.legal_plays(), 2)
            reason = why(view, made, other)
            assert true(reason, view, made, other), (view, made, other, reason)
            keys.add(reason.key)
    assert keys >= {"basra", "points", "keeps", "sweeps", "more", "safe", "fewer", "least", "again"}


@pytest.mark.parametrize(
    ("hand", "ground", "made", "other", "reason"),
    [
        ("9H KC", "9S", "9H take 9S", "KC", Reason("basra", {"points": 10})),
        ("JH KC", "JS", "JH take JS", "KC", Reason("jack-basra", {"points": 30})),
        ("JH KC", "4S 8H QD", "KC", "JH take 4S,8H,QD", None),
        ("JH 7D", "4S 9H QD", "JH take 9H,QD,4S", "7D take 9H,QD,4S", Reason("komi")),
        ("JH KC", "4S 8H QD", "JH take 8H,QD,4S", "KC", Reason("sweeps", {"number": 3, "than": 0})),
        ("9H KC", "4S 5H QD", "9H take 5H,4S", "KC", Reason("more", {"number": 2, "than": 0})),
        ("QH KC", "QS 5S", "KC", "QH take QS", Reason("safe")),
        ("10H 10C", "-", "10H", "10C", Reason("average")),
    ],
)
def test_the_reason_that_weighs_most_is_given(hand, ground, made, other, reason):
    game = position(hand, "AH AD", ground=ground, stock="3C 4C 6C 8C 9C 10D QC 2D")
    view = seen(game)
    found = why(view, play(made), play(other))
    jacks = sum(rank(card) == 11 for card in in_pack_order(view.unseen))
    keeps = Reason("keeps", {"jacks": cards("JH"), "lying": 3, "out": jacks})
    assert found == (reason or keeps)


def test_no_reason_hopes_for_a_basra_of_a_ground_that_the_next_seat_changes():
    """Any play changes the ground: what stays in hand may take some of it, never just that."""
    reason = why(seen(position("7H 10H", "QC", ground="3S")), play("7H"), play("10H"))
    assert reason == Reason("again", {"card": read_card("10H"), "take": cards("3S 7H")})


def test_the_card_that_makes_the_majority_sure():
    """27 of 52 cards."""
    game = position("9H KC", "AH AD", ground="9S 4D", piles=(" ".join(_plain(25)), ""))
    assert why(seen(game), play("9H take 9S"), play("KC")) == Reason("majority", {"number": 27})


def _plain(number):
    used = cards("9H KC AH AD 9S 4D")
    return [name(card) for card in range(52) if not used >> card & 1][:number]


# ---- a whole record ------------------------------------------------------------------------


def test_every_play_of_a_record_is_judged_in_order(quick):
    match = played(3, 30)
    found = analyse(Record(match))
    assert [verdict.play for verdict in found.verdicts] == match.game.plays
    assert [verdict.number for verdict in found.verdicts] == list(range(1, 31))
    assert found.seats == (1, 2)
    assert found.complete


def test_one_seat_gets_the_verdicts_that_it_gets_among_all(quick):
    record = Record(played(3, 20))
    own = analyse(record, [2])
    assert own.verdicts == tuple(each for each in analyse(record).verdicts if each.view.seat == 2)
    assert not own.complete
    assert own.games[0].errors[0] == 0


def test_a_record_without_a_seed_is_analysed(quick):
    first = list(pack())
    random.Random(9).shuffle(first)
    assert len(analyse(Record(played(1, 12, packs=[first]))).verdicts) == 12


def test_a_record_that_has_not_begun_has_nothing_to_judge():
    found = analyse(Record(Match(seed="1")))
    assert (found.verdicts, found.games) == ((), ())
    assert found.match == Summary(None, (0, 0), (0.0, 0.0), None)


def test_progress_is_told_at_first_and_after_each_play(quick):
    told = []
    analyse(Record(played(3, 6)), [1], lambda done, total: told.append((done, total)))
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_an_interrupt_comes_through(quick):
    def interrupt(done, _total):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        analyse(Record(played(3, 6)), progress=interrupt)


def test_the_summaries_add_up(quick):
    match = played("s", 60)
    found = analyse(Record(match))
    assert [game.points for game in found.games] == [match.counts[0].points, None]
    for number, game in enumerate(found.games, 1):
        for side in (1, 2):
            own = [v for v in found.verdicts if v.error and v.view.game == number and v.view.side == side]
            assert game.errors[side - 1] == len(own)
            assert game.lost[side - 1] == pytest.approx(sum(verdict.cost for verdict in own))
    assert found.games[1].luck is None
    (first, second), whole = found.games, found.match
    assert (whole.points, whole.luck) == (first.points, first.luck)
    assert any(second.errors)
    assert whole.errors == tuple(map(sum, zip(first.errors, second.errors)))
    assert whole.lost == pytest.approx(tuple(map(sum, zip(first.lost, second.lost))))


@pytest.mark.parametrize(
    ("points", "lost", "luck"),
    [
        ((60, 10), (5.0, 12.0), (43.0, -43.0)),  # 50 ahead, of which the errors explain 12 - 5
        ((0, 0), (10.0, 0.0), (10.0, -10.0)),
        ((30, 0, 0), (0.0, 6.0, 0.0), (27.0, -9.0, -18.0)),  # what one gives away is shared out
    ],
)
def test_luck_is_the_lead_that_errors_do_not_explain(points, lost, luck):
    summary = Summary.of_game(points, (0,) * len(points), lost)
    assert summary.luck == pytest.approx(luck)
    assert sum(summary.luck) == pytest.approx(0)


def test_who_plays_at_random_loses_more_by_errors_than_who_thinks():
    chance = [random.Random(2), random.Random(3)]
    lost = [0.0, 0.0]
    for seed in ("two", "four"):
        match = Match(seed=seed)
        match.begin_game()
        while len(match.game.plays) < 16:
            view = View.of(match, match.game.turn)
            player = find("random" if view.seat == 1 else "hard")
            match.play(player.choose(view, chance[view.seat - 1]))
        lost = [had + more for had, more in zip(lost, analyse(Record(match)).games[0].lost)]
    assert lost[0] > 10 > 5 > lost[1]


def test_kinds_are_those_of_the_rules():
    """What `Reason` calls a basra is what the rules call one."""
    assert {Kind.BASRA.value, Kind.JACK_BASRA.value} == {"basra", "jack-basra"}
