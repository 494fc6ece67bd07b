"""The players: what each may know, what it does with it, and that it is always legal."""

from __future__ import annotations

import math
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from statistics import linear_regression

import pytest

from basra import Game, Match, Play, Rules, Seats, Unreadable, View, read_card, read_cards
from basra.cards import Cards, in_pack_order
from basra.players import PLAYERS, find, hard, master, thinking
from basra.players.ending import Ending
from basra.players.judgement import Judgement
from basra.players.standing import Standing, below

EVERY = [player.name for player in PLAYERS]
EGYPTIAN, TWO = Rules(), Seats()
AWAY = in_pack_order(read_cards("JC JD JS QS 8C 8D 8S 3D 3S AC AD AS 2H 2S 4C 4D 6C 6D 6H 7C 7H 7S KC"))
TABLES = [Seats(2), Seats(3), Seats(4), Seats(4, teams=True)]
RULES = [
    Rules(),
    Rules.named("classic"),
    Rules(bury="jacks+komi", komi="plain", capture="largest", last_card_basra=False, ten_of_diamonds=3),
    Rules(majority=0, basra=0, jack_basra=0),
]


@pytest.fixture(autouse=True)
def _few_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the players that think do so for a moment only: what they may know is the same."""
    monkeypatch.setattr(hard, "SAMPLES", 2)
    monkeypatch.setattr(hard, "MORE", 2)
    monkeypatch.setattr(master, "SAMPLES", 2)


def at_random(rng: random.Random, match: Match, plays: int) -> Game:
    """Play on at random, so many plays at most."""
    game = match.game
    for _ in range(plays):
        if game.over:
            break
        match.play(rng.choice(game.legal_plays()))
    return game


def deal(seed: object, rules: Rules = EGYPTIAN, seats: Seats = TWO) -> Match:
    match = Match(rules, seats, seed=str(seed))
    match.begin_game()
    return match


def seat_with(
    hand: str, ground: str, *, piles: Sequence[Cards] = (0, 0), to_deal: int = 8, rules: Rules = EGYPTIAN
) -> View:
    """Make the view of seat 1 of two, at its turn, the other holding as many cards."""
    cards = read_cards(hand)
    away = 52 - 2 * cards.bit_count() - read_cards(ground).bit_count() - to_deal
    piles = piles or (sum(1 << card for card in AWAY[:away]), 0)
    return View(
        seat=1,
        rules=rules,
        seats=Seats(),
        hand=cards,
        ground=read_cards(ground),
        holds=(cards.bit_count(), cards.bit_count()),
        piles=tuple(piles),
        basras=(0, 0),
        jack_basras=(0, 0),
        last_taker=0,
        to_deal=to_deal,
        deal=6 - to_deal // 8,
        dealer=2,
        turn=1,
        plays=(),
        first_ground=0,
        buried=(),
        totals=(0, 0),
        carry=0,
        game=1,
    )


def chosen(name: str, view: View) -> str:
    return str(find(name).choose(view, random.Random(1)))


# ---- the list --------------------------------------------------------------------------


def test_a_player_that_there_is_not_is_refused_and_those_that_there_are_named() -> None:
    with pytest.raises(Unreadable) as refused:
        find("expert")
    assert str(refused.value) == f"expert is not a player: there are {', '.join(EVERY)}"


def test_the_players_are_listed_by_strength_each_with_one_line_about_it() -> None:
    assert EVERY == ["random", "easy", "greedy", "normal", "hard", "master"]
    assert [player.strength for player in PLAYERS] == [1, 2, 3, 4, 5, 6]
    assert all(player.about and "\n" not in player.about for player in PLAYERS)


def test_a_player_is_imported_when_it_is_asked_for() -> None:
    script = (
        "import sys, basra; assert not any('players' in name for name in sys.modules)\n"
        "from basra.players import find; player = find('hard')\n"
        "assert 'basra.players.hard' not in sys.modules\n"
        "player.choose; assert 'basra.players.hard' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


# ---- every player ----------------------------------------------------------------------


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seats", TABLES)
@pytest.mark.parametrize("name", EVERY)
def test_a_player_plays_legally_at_every_table_by_every_rule(name: str, seats: Seats, rules: Rules) -> None:
    match = deal(f"{name} {seats}", rules, seats)
    rng = random.Random(3)
    while not match.game.over:
        view = View.of(match, match.game.turn)
        play = find(name if rng.random() < 0.3 else "random").choose(view, rng)
        assert play in view.legal_plays()
        match.play(play)


def with_other_cards(match: Match, seat: int, rng: random.Random) -> Match:
    """Deal what a seat cannot place anew to the other hands and the pack."""
    other = Match(match.rules, match.seats, seed=match.seed)
    other.games, other.counts, other.totals = [match.game.copy()], match.counts, match.totals
    game = other.game
    kept = game.buried[-len(game.stock) :] if game.stock else ()
    stays = {*kept, *(card for card in game.buried if not View.of(match, seat).unseen >> card & 1)}
    hidden = [card for card in in_pack_order(View.of(match, seat).unseen) if card not in stays]
    rng.shuffle(hidden)
    for at, hand in enumerate(game.hands, 1):
        if at != seat:
            game.hands[at - 1] = sum(1 << hidden.pop() for _ in range(hand.bit_count()))
    game.stock = (*hidden, *kept)
    return other


@pytest.mark.parametrize("name", EVERY)
def test_cards_that_a_player_cannot_see_do_not_sway_it(name: str) -> None:
    rng = random.Random(name)
    for number in range(12):
        match = deal(f"hidden {number}", RULES[number % 2 * 3], TABLES[number % 4])
        game = at_random(rng, match, rng.randrange(44))
        seat = game.turn
        other = with_other_cards(match, seat, rng)
        assert other.game.stock != game.stock or other.game.hands != game.hands or not game.stock
        view = View.of(match, seat)
        assert View.of(other, seat) == view
        choices = {find(name).choose(View.of(each, seat), random.Random(5)) for each in (match, other)}
        assert len(choices) == 1


@pytest.mark.parametrize("name", EVERY)
def test_the_same_seed_gets_the_same_choice_whatever_was_thought_before(name: str) -> None:
    rng = random.Random(name)
    match = deal("again")
    game = at_random(rng, match, 18)
    view = View.of(match, game.turn)
    first = find(name).choose(view, random.Random(9))
    for number in range(5):
        other = at_random(rng, deal(number), 10)
        find(name).choose(View.of(deal(number), other.dealer % 2 + 1), random.Random(number))
    assert find(name).choose(view, random.Random(9)) == first


@pytest.mark.parametrize("name", ["hard", "master"])
def test_an_interrupt_stops_the_thinking(name: str) -> None:
    class Interrupted(random.Random):
        def random(self) -> float:
            raise KeyboardInterrupt

    match = deal("interrupt")
    with pytest.raises(KeyboardInterrupt):
        find(name).choose(View.of(match, match.game.turn), Interrupted(1))


# ---- the simple ones -------------------------------------------------------------------


def test_easy_sees_a_basra_when_it_is_there() -> None:
    for seed in range(20):
        play = find("easy").choose(seat_with("9H 2C KD 5S", "4H 5C"), random.Random(seed))
        assert str(play) == "9H take 5C,4H"


def test_easy_sees_the_basra_that_counts_most() -> None:
    for seed in range(20):
        assert find("easy").choose(seat_with("7D JH 5S", "JC"), random.Random(seed)).take == read_cards("JC")
        assert chosen("easy", seat_with("7D 5S", "5H", rules=Rules(basra=5))) in ("5S take 5H", "7D take 5H")


def test_random_and_easy_use_every_play() -> None:
    view = seat_with("3H KD", "AC 2C KS QH")
    for name in ("random", "easy"):
        drawn = {find(name).choose(view, random.Random(seed)) for seed in range(100)}
        assert drawn == set(view.legal_plays())


def test_greedy_takes_the_most_points_and_then_the_most_cards() -> None:
    assert chosen("greedy", seat_with("9H KD", "KS 4H 5C")) == "9H take 5C,4H"
    assert chosen("greedy", seat_with("JH 9S", "4H 5C")) == "9S take 5C,4H"
    assert chosen("greedy", seat_with("9C AH", "4H 5C KS AD", rules=Rules(ace=5))) == "AH take AD"


# ---- normal ----------------------------------------------------------------------------


def test_normal_makes_a_basra_before_it_takes_more_cards() -> None:
    assert chosen("normal", seat_with("JH 10H", "2C 3C 5C")) == "10H take 2C,3C,5C"


def test_normal_takes_more_cards_rather_than_fewer() -> None:
    assert chosen("normal", seat_with("9C KH", "QD KS 4H 5C")) == "9C take 5C,4H"


def test_normal_keeps_a_jack_and_the_komi_for_when_they_pay() -> None:
    assert chosen("normal", seat_with("JH KH", "KS QD")) == "KH take KS"
    assert chosen("normal", seat_with("7D KH", "KS QD")) == "KH take KS"
    assert chosen("normal", seat_with("JH KH", "KS QD 2C 5S 9H 6S")).startswith("JH take")


def test_normal_leaves_no_ground_that_can_be_cleared_when_it_can_help_it() -> None:
    assert chosen("normal", seat_with("8H 2C", "3H")) == "8H"  # 3+2 is 5, 3+8 is beyond every card
    assert chosen("normal", seat_with("KH 2C", "3H")) == "KH"  # nothing takes a king and a three


def test_normal_drops_a_card_whose_like_have_been_seen() -> None:
    seen = read_cards("5C 5D 5H")
    assert chosen("normal", seat_with("5S 9H", "", piles=(seen, 0))) == "5S"


def test_normal_forgets_what_the_other_side_has_taken() -> None:
    seen = read_cards("5C 5D 5H")
    assert chosen("normal", seat_with("5S 9H", "", piles=(0, seen))) == chosen(
        "normal", seat_with("5S 9H", "")
    )
    assert chosen("normal", seat_with("5S 9H", "")) != "5S"


def test_normal_keeps_to_the_rules_that_it_is_given() -> None:
    plain = Rules(komi="plain")
    assert chosen("normal", seat_with("7D KH", "KS QD 7S", rules=plain)) in ("7D take 7S", "KH take KS")
    few = Rules(majority=0, ten_of_diamonds=50)
    assert chosen("normal", seat_with("10C KH", "10D KS KC", rules=few)) == "10C take 10D"


# ---- the last deal ---------------------------------------------------------------------


def searched(game: Game) -> int:
    """Return what the first side gets less what the other gets, both playing their best: every line."""
    if game.over:
        first, other = game.count().points
        return first - other
    values = []
    for play in game.legal_plays():
        after = game.copy()
        after.play(play)
        values.append(searched(after))
    return max(values) if game.turn == 1 else min(values)


@pytest.mark.parametrize("rules", RULES)
def test_the_last_deal_is_solved_to_the_value_of_a_full_search(rules: Rules) -> None:
    rng = random.Random(8)
    for number in range(12):
        match = deal(number, rules)
        game = at_random(rng, match, 40 + rng.choice([2, 3, 3, 4, 5, 6, 7]))
        view = View.of(match, game.turn)
        sign = 1 if game.turn == 1 else -1
        had = [sum(item.points[side] for item in game.count().items[1:]) for side in (0, 1)]
        for value, play in hard.last_deal(view, every=True):
            after = game.copy()
            after.play(play)
            assert value + sign * (had[0] - had[1]) == sign * searched(after)
        assert find("hard").choose(view, random.Random(1)) == hard.last_deal(view)[0][1]


def test_in_the_last_deal_the_last_capture_and_the_majority_count() -> None:
    # Whoever takes the king last gets the queen that is left over, and with it the majority.
    ending = Ending.under(Rules())
    hands = read_cards("KH 3C"), read_cards("KD 9C")
    value, play = ending.solve(*hands, read_cards("KS QD"), lead=0, taker=-1)[0]
    assert str(play) == "KH take KS"
    assert value == 30


def test_a_carried_majority_is_worth_more_in_the_last_deal() -> None:
    rules = Rules.named("classic")
    hands = read_cards("KH"), 0
    assert Ending.under(rules, 30).solve(*hands, read_cards("KS QD"))[0][0] == 60


# ---- thinking ahead --------------------------------------------------------------------


def test_samples_deal_exactly_the_cards_that_a_seat_cannot_place() -> None:
    rng = random.Random(2)
    for number in range(40):
        match = deal(number, RULES[number % 3], TABLES[number % 4])
        game = at_random(rng, match, rng.randrange(47))
        view = View.of(match, game.turn)
        for samples in (
            thinking.Samples(view),
            thinking.Likely(view, Judgement.under(view.rules, thinking.WEIGHTS)),
        ):
            hands = samples.draw(rng)
            assert tuple(hand.bit_count() for hand in hands) == view.holds
            assert hands[view.seat - 1] == view.hand
            assert sum(hands) & ~view.hand & ~view.unseen == 0


@pytest.mark.parametrize("seats", TABLES)
def test_samples_leave_buried_cards_where_they_are_known_to_be(seats: Seats) -> None:
    rng = random.Random(2)
    found = 0
    for number in range(60):
        match = deal(number, Rules(bury="jacks+komi"), seats)
        if not match.game.buried:
            continue
        while not match.game.over:
            game = match.game
            hands = thinking.Samples(View.of(match, game.turn)).draw(rng)
            buried = sum(1 << card for card in game.buried)
            assert [hand & buried for hand in hands] == [hand & buried for hand in game.hands]
            match.play(rng.choice(game.legal_plays()))
        found += 1
    assert found > 5


def test_the_past_of_a_deal_is_worked_out_as_it_was() -> None:
    rng = random.Random(6)
    for number in range(30):
        match = deal(number, RULES[number % 2], TABLES[number % 4])
        at_random(rng, match, 4 * match.seats.count * rng.randrange(2))
        past = []
        for _ in range(rng.randrange(4 * match.seats.count)):
            game = match.game
            sight = game.ground, sum(game.piles)
            past.append((game.turn - 1, rng.choice(game.legal_plays()), *sight, game.hands[game.turn - 1]))
            match.play(past[-1][1])
        if match.game.over:
            continue
        view = View.of(match, match.game.turn)
        likely = thinking.Likely(view, Judgement.under(view.rules, thinking.WEIGHTS))
        others = [each for each in reversed(past) if each[0] != view.seat - 1]
        assert [(place, play, ground, piles) for place, _, play, ground, piles, _ in likely.made] == [
            each[:4] for each in others
        ]
        for (place, since, *_), each in zip(likely.made, others):
            assert match.game.hands[place] | since == each[4]


def test_samples_go_with_what_was_played() -> None:
    # The other seat dropped a king where any nine would have made a basra.
    view = seat_with("2C 3H 4S", "KD 4H 5C", to_deal=16)
    view = View(**{**vars(view), "plays": (Play(read_card("2D")), Play(read_card("KD"))), "holds": (3, 3)})
    likely = thinking.Likely(view, Judgement.under(view.rules, thinking.WEIGHTS))
    assert len(likely.made) == 1
    rng = random.Random(4)
    nines = read_cards("9C 9D 9H 9S")
    often = [
        sum(bool(each.draw(rng)[1] & nines) for _ in range(300)) for each in (likely, thinking.Samples(view))
    ]
    assert often[0] < often[1] / 2


def test_the_normal_distribution_is_close_enough() -> None:
    for tenths in range(-50, 51):
        exact = 0.5 + 0.5 * math.erf(tenths / 10 / math.sqrt(2))
        assert abs(below(tenths / 10) - exact) < 0.012


def test_what_stands_at_the_end_of_a_deal_foretells_the_rest_of_the_game() -> None:
    judgement, standing = Judgement.under(EGYPTIAN, thinking.WEIGHTS), Standing.under(EGYPTIAN)
    foretold: list[float] = []
    came: list[float] = []
    for number in range(200):
        match = deal(f"standing/{number}")
        game, made, then = match.game, 0, list[tuple[float, int]]()
        while not game.over:
            line = thinking.Line(View.of(match, game.turn), game.hands)
            deals = game.deal
            while game.deal == deals and not game.over:
                judged = line.glance(judgement)
                match.play(judged.play)
                line.play(judged, judgement)
            now = line.points[0] - line.points[1]
            made += now
            if not game.over:
                then.append((standing.worth(line, 1) - now, made))
        points = match.counts[0].points
        for worth, made in then:
            foretold.append(worth)
            came.append(points[0] - points[1] - made)
    slope, start = linear_regression(foretold, came)
    assert 0.85 < slope < 1.15
    assert abs(start) < 2


def test_a_ground_is_worth_more_to_whoever_plays_first_the_more_cards_take_of_it() -> None:
    worth = []
    for ground in ("2H 3S 5H", "2H 3S KH", "KH QH", ""):
        line = thinking.Line(seat_with("9H", ground, to_deal=24), [0, 0])
        worth.append(Standing.under(EGYPTIAN).worth(line, 1))
    assert worth == sorted(worth, reverse=True)
    assert worth[0] > 0 > worth[-1]


def test_thinking_sees_what_a_glance_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    # A play that is surely best is told apart from the others before all samples are used.
    drawn = []
    draw = thinking.Samples.draw
    monkeypatch.setattr(
        thinking.Samples, "draw", lambda self, rng: drawn.append(draw(self, rng)) or drawn[-1]
    )
    thoughts = thinking.think(seat_with("9H 2C KD 5S", "4H 5C"), random.Random(1), 200)
    assert str(thoughts[0].play) == "9H take 5C,4H"
    assert len(drawn) < 200
    assert thoughts == sorted(thoughts, key=lambda thought: -thought.worth)


def test_what_is_given_up_is_measured_on_the_samples_that_it_shares_with_the_best(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Each sample is worth a point more than the one before, for all; the second play varies.
    plays: list[int] = []
    tried: Counter[int] = Counter()

    def worth(_standing: object, line: thinking.Line, _side: int) -> float:
        if line.ground not in plays:
            plays.append(line.ground)
        tried[line.ground] += 1
        number, play = tried[line.ground], plays.index(line.ground)
        return number - 3 * play - (-1) ** number * 20 * (play == 1)

    monkeypatch.setattr(thinking.Line, "play_out", lambda _line, _judgement: None)
    monkeypatch.setattr(thinking.Standing, "worth", worth)
    thoughts = thinking.think(seat_with("9H 2C KD 5S", "4H 5C"), random.Random(1), 64, batch=8)
    assert [tried[play] for play in plays] == [64, 64, 8, 8]
    assert [thoughts[0].worth - each.worth for each in thoughts] == [0, 3, 6, 9]


@pytest.mark.parametrize("rules", RULES)
def test_a_deal_in_thought_goes_as_it_does_in_a_game(rules: Rules) -> None:
    rng = random.Random(12)
    judgement = Judgement.under(rules, thinking.WEIGHTS)
    for number in range(24):
        match = deal(f"thought {number}", rules, TABLES[number % 4])
        game = at_random(rng, match, rng.randrange(47))
        view = View.of(match, game.turn)
        line, deals = thinking.Line(view, game.hands), game.deal
        goes_on = True
        while goes_on:
            judged = line.glance(judgement)
            assert (line.turn + 1, line.ground, line.piles) == (game.turn, game.ground, game.piles)
            goes_on = line.play(judged, judgement)
            game.play(judged.play)
            assert goes_on == (game.deal == deals and not game.over)
        made = [
            rules.basra * (basras - had) + rules.jack_basra * (jacks - had_jacks)
            for basras, had, jacks, had_jacks in zip(
                game.basras, view.basras, game.jack_basras, view.jack_basras
            )
        ]
        if rules == Rules():
            assert line.points == made
