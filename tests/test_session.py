"""The session: the loop that reads lines and lets the match move on, on lines that were typed beforehand."""

import io
import json
import re
import shlex

import pytest
from helpers import play
from hypothesis import given, settings
from hypothesis import strategies as st
from terminals import KEEP_GOING, PERSON, TESTS, Typed, in_process, sit, table

from basra import Match, Rules, Seats, Unreadable
from basra.cards import FULL
from basra.terminal.jsonlines import JsonLines
from basra.terminal.language import COMMANDS
from basra.terminal.session import Manner

SESSIONS = sorted(TESTS.glob("sessions/*.txt"))
EXAMPLE = (TESTS / "example.basra").read_text()
BODY = EXAMPLE[EXAMPLE.index("game 1") :].splitlines()

#: Game 1 of this match, from section 1 on, is known card by card.
TEA = {"seed": "a8ba7c16d02d012c48998a32a412447d4d93cad9441576f4bbb0ae6bab8cd4f9", "cut": "tea"}


# ---- golden sessions -----------------------------------------------------------------------


@pytest.mark.parametrize("script", SESSIONS, ids=lambda path: path.stem)
def test_a_golden_session_comes_out_byte_for_byte(script, monkeypatch, tmp_path):
    """The first line of a script says how it is run, the second what its exit status is.

    NAME.expected is what standard output holds, NAME.errors what standard error does.
    """
    head, status, *_ = script.read_text().splitlines()
    *environment, arguments = re.fullmatch(r"# (?:(COLUMNS)=(\d+) )?basra (.*) <\S+", head).groups()
    monkeypatch.chdir(tmp_path)
    columns = dict([environment]) if environment[0] else {}
    run = in_process(monkeypatch, *shlex.split(arguments), typed=script.read_bytes(), **columns)
    errors = script.with_suffix(".errors")
    assert run.out == script.with_suffix(".expected").read_text()
    assert run.err == (errors.read_text() if errors.exists() else "")
    assert f"# status {run.status}" == status
    width = int(columns.get("COLUMNS", 80))
    assert "--json" in arguments or max(map(len, run.out.splitlines())) <= width


def test_every_golden_session_has_its_expected_files():
    stems = {path.stem for path in SESSIONS}
    assert len(stems) > 10
    assert {path.stem for path in TESTS.glob("sessions/*.expected")} == stems
    assert {path.stem for path in TESTS.glob("sessions/*.errors")} <= stems


# ---- a match from a script ------------------------------------------------------------------


def test_the_body_of_a_record_is_a_script_that_plays_exactly_that_match():
    sitting = sit(table(rules=Rules(target=51)), *BODY)
    plays = [f"{line[2:]}" for line in BODY if " play " in line]
    assert sitting.status == 0
    assert [f"play {some}" for some in sitting.match.games[0].plays] == plays
    assert sitting.match.outcome.totals == (0, 60)
    assert sitting.err == ""


def test_statements_of_a_record_print_nothing():
    with_them = sit(table(rules=Rules(target=51)), *BODY)
    without = sit(table(rules=Rules(target=51)), *(line for line in BODY if " play " in line))
    assert with_them.out == without.out


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("game 1 dealer 2", "game 1 dealer 1"),
        ("score 1 cards 13,39 basras 0,3 jack-basras 0,0 points 0,60 total 0,60", BODY[-2]),
        ("result 1 total 0,60", BODY[-1]),
    ],
)
def test_a_statement_that_does_not_fit_is_refused(wrong, right):
    assert right in BODY
    lines = [wrong if line == right else line for line in BODY]
    sitting = sit(table(rules=Rules(target=51)), *lines)
    assert sitting.status == 3
    assert sitting.err.startswith(f"typed:{lines.index(wrong) + 1}: ")


def test_a_script_has_no_greeting_no_prompt_and_no_pause():
    sitting = sit(table(), "2 play JC", manner=Manner())
    assert set(sitting.source.prompts) == {""}
    assert sitting.out.startswith(
        "Game 1.  South 0, North 0.  South deals, North plays first.\nDeal 1 of 6.\n"
    )


def test_the_first_refused_line_ends_a_script_with_status_3():
    sitting = sit(table(), "jc", "xx", "6h")
    assert sitting.status == 3
    assert sitting.source.lines == ["6h"]
    assert sitting.err == "typed:2: xx is not a command: help lists them\n"
    assert len(sitting.match.game.plays) == 1


def test_keep_going_plays_the_rest_and_the_status_is_3_at_the_end():
    sitting = sit(table(), "jc", "xx", "6h", "quit", "5h", manner=KEEP_GOING)
    assert sitting.status == 3
    assert sitting.match.game.plays == [play("JC take 5D,3H,AS,5S"), play("6H")]
    assert sitting.source.lines == ["5h"]


def test_the_end_of_the_script_is_a_quit():
    assert sit(table(), "jc").status == 0
    assert sit(table(), "jc", "quit").status == 0
    assert sit(table(), "jc").out == sit(table(), "jc", "quit").out


def test_a_line_that_cannot_be_read_is_refused_like_any_other():
    sitting = sit(table(), Unreadable("the line is not text"), "jc", manner=KEEP_GOING)
    assert sitting.err == "typed:1: the line is not text\n"
    assert sitting.match.game.plays == [play("JC take 5D,3H,AS,5S")]


def test_games_follow_one_another_in_a_script_until_the_match_is_won():
    match = Match(seed="42")
    lines = []
    while not match.outcome:
        game = match.begin_game()
        while not game.over:
            lines.append(str(game.legal_plays()[0]))
            match.play(game.legal_plays()[0])
    sitting = sit(table(), *lines)
    assert sitting.status == 0
    assert sitting.match.outcome == match.outcome
    for number in range(1, len(match.games) + 1):
        assert f"Count of game {number}" in sitting.out
        assert sitting.out.count(f"\nGame {number}.") == (number > 1)


def test_nothing_can_be_played_when_the_match_is_over():
    sitting = sit(table(), "resign", "6h", "1 play 6h", "resign", "moves", "1", manner=KEEP_GOING)
    assert [line.partition(": ")[2] for line in sitting.err.splitlines()] == [
        "the match is over",
        "it is nobody's turn, so not that of seat 1",
        "the match is over",
        "the match is over",
        "the match is over",
    ]


# ---- commands of a match --------------------------------------------------------------------


def answers(*lines, **more):
    """Return what a script printed after the position that it began with."""
    opening = sit(table(**TEA), **more)
    sitting = sit(table(**TEA), *lines, **more)
    assert sitting.out.startswith(opening.out)
    assert sitting.status == 0, sitting.err
    return sitting.out[len(opening.out) :]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("ground", "  ground  2C  2H  4H  5C\n"),
        ("G", "  ground  2C  2H  4H  5C\n"),
        ("hand", "  South   AD  2D  3C  9H\n"),
        ("score", "  piles 0:0   basras 0:0   match 0:0 of 101   North holds 4   40 to deal\n"),
        ("last", "Nothing has been played yet\n"),
        ("1 hand", "  South   AD  2D  3C  9H\n"),
        ("moves 3c", "  1  3C is dropped\n"),
        ("", ""),
        ("   # nothing", ""),
    ],
)
def test_a_command_says_it_again(line, answer):
    assert answers(line).lower() == answer.lower()


def test_what_a_command_says_leaves_the_turn_where_it_is():
    asked = [command.name for command in COMMANDS if not command.takes_words]
    asked = [word for word in asked if word not in ("resign", "quit")] + [
        "moves",
        "moves 9h",
        "help",
        "help play",
    ]
    before = sit(table(**TEA)).match.game
    after = sit(table(**TEA), *asked).match.game
    assert (after.hands, after.ground, after.turn, after.plays) == (
        before.hands,
        before.ground,
        before.turn,
        [],
    )


def test_moves_lists_numbered_what_no_other_contains_and_counts_the_smaller_ones():
    """On 2C 2H 4H 5C the two can take either two, or both."""
    assert answers("moves") == (
        "  1  AD is dropped\n"
        "  2  2D takes 2C 2H\n"
        "  3  3C is dropped\n"
        "  4  9H takes 2C 2H 5C (2+2+5)\n"
        "  5  9H takes 4H 5C (4+5)\n"
        "  and 2 smaller ones: moves CARD lists all of a card\n"
    )


def test_moves_of_a_card_lists_all_of_it():
    assert answers("moves 2d") == "  1  2D takes 2C 2H\n  2  2D takes 2C\n  3  2D takes 2H\n"


def test_moves_says_what_a_basra_earns():
    lines = ["9h 4,5", "7h", "3c", "10h", "moves 2d"]
    assert answers(*lines).endswith(
        "  1  2D takes 2C 2H   basra, 10 points\n  2  2D takes 2C\n  3  2D takes 2H\n"
    )


@pytest.mark.parametrize(
    ("listing", "number", "played"),
    [
        ("moves", "1", "AD"),
        ("moves", "5", "9H take 5C,4H"),
        ("moves 2d", "3", "2D take 2H"),
        ("9h", "1", "9H take 2C,5C,2H"),
        ("9h", "2", "9H take 5C,4H"),
    ],
)
def test_a_number_plays_that_one_of_the_plays_just_listed(listing, number, played):
    sitting = sit(table(**TEA), listing, number, manner=KEEP_GOING)
    assert sitting.match.game.plays == [play(played)]


@pytest.mark.parametrize("number", ["0", "6", "99999999999999999999"])
def test_a_number_that_is_not_in_the_list_is_refused(number):
    sitting = sit(table(**TEA), "moves", number)
    assert sitting.err == f"typed:2: there is no {number} in the list: it goes from 1 to 5\n"


def test_a_list_of_plays_ends_with_the_next_play():
    sitting = sit(table(**TEA), "moves", "1", "1")
    assert sitting.err == "typed:3: no plays are listed for 1 to choose from: moves lists them\n"


def test_last_tells_the_plays_of_one_round_again():
    told = "South plays 9H and takes 4H 5C (4+5).\nNorth drops 7H.\n"
    assert answers("9h 4,5", "7h", "last").endswith(told)
    assert answers("9h 4,5", "7h", "3c", "last").endswith("North drops 7H.\nSouth drops 3C.\n")


def test_a_seat_number_must_be_that_of_the_seat_whose_turn_it_is():
    sitting = sit(
        table(**TEA), "1 play 9h 4,5", "1 play 3c", "3 play 3c", "0 hand", "2 7h", manner=KEEP_GOING
    )
    assert sitting.err.splitlines() == [
        "typed:2: it is the turn of seat 2, North, not of seat 1",
        "typed:3: there is no seat 3: they are 1 to 2",
        "typed:4: there is no seat 0: they are 1 to 2",
    ]
    assert len(sitting.match.game.plays) == 2


def test_resign_gives_the_match_to_the_other_side():
    sitting = sit(table(**TEA), "1 resign")
    assert sitting.match.outcome.winner == 2
    assert "South gives the match up.\nNorth wins the match" in sitting.out


def test_with_three_sides_nobody_can_resign():
    sitting = sit(table(seats=Seats(3)), "resign")
    assert sitting.err == "typed:1: a match of 3 sides cannot be given up: leave it\n"


def test_help_lists_every_command_with_its_short_form():
    text = answers("help", width=200)
    for command in COMMANDS:
        assert re.search(rf"^{re.escape(command.usage)}(  {re.escape(command.short)})? ", text, re.MULTILINE)


def test_help_of_a_command_begins_with_its_usage():
    for command in COMMANDS:
        assert answers(f"help {command.name}", width=200).startswith(command.usage)
        if command.short:
            assert answers(f"help {command.short}") == answers(f"help {command.name}")


def test_the_rules_fit_one_screen():
    text = answers("rules")
    assert len(text.splitlines()) <= 24
    assert max(map(len, text.splitlines())) <= 80
    for value in ("10 points", "30", "101"):
        assert value in text


def test_help_fairness_keeps_the_seed_sealed_until_the_match_is_over():
    hidden = table(seed=None)
    sitting = sit(hidden, "help fairness")
    assert "seed=SEED" in sitting.out
    assert sitting.match.seed not in sitting.out
    sitting = sit(table(seed=None), "resign", "help fairness", width=200)
    assert sitting.out.count(sitting.match.seed) == 2


# ---- at a terminal ------------------------------------------------------------------------


def test_a_person_is_greeted_and_asked_for_the_cut_once_before_the_dealer_is_named():
    sitting = sit(table("easy", seed=None), "tea", "quit", manner=PERSON)
    greeting, seal, dealer = (sitting.out.index(text) for text in ("Basra.", "Pack sealed: ", "Game 1."))
    assert greeting < seal < dealer
    assert sitting.source.prompts[0] == "Cut it with any words (Enter for none): "
    assert sitting.source.prompts.count(sitting.source.prompts[0]) == 1
    assert sitting.match.cut == "tea"
    assert sitting.match.commit in sitting.out
    assert sitting.match.seed not in sitting.out


@pytest.mark.parametrize("given", [{"seed": "42"}, {"seed": None, "cut": "tea"}, {"seed": "42", "cut": ""}])
def test_the_cut_is_not_asked_for_where_it_or_the_seed_was_given(given):
    sitting = sit(table("easy", **given), "quit", manner=PERSON)
    assert sitting.source.prompts == ["> "]
    assert ("Pack sealed" in sitting.out) == (given["seed"] is None)


def test_enter_cuts_with_nothing():
    assert sit(table("easy", seed=None), "", "quit", manner=PERSON).match.cut == ""


def test_a_cut_that_no_record_can_hold_is_asked_for_again():
    sitting = sit(table("easy", seed=None), "a # b", "x" * 201, "tea", "quit", manner=PERSON)
    assert sitting.source.prompts[:3] == [sitting.source.prompts[0]] * 3
    assert sitting.match.cut == "tea"


def test_an_empty_line_never_plays_a_card():
    for manner in (PERSON, Manner(), KEEP_GOING):
        sitting = sit(table("easy", **TEA), "", "  ", "# so what", manner=manner)
        assert sitting.match.game.plays == []


def test_a_refusal_at_a_terminal_is_shown_there_and_ends_nothing():
    sitting = sit(table("easy", **TEA), "xx", "play 3c take 2,2", "3c", "quit", manner=PERSON)
    assert sitting.err == ""
    assert sitting.status == 0
    assert (
        "xx is not a command: help lists them\n3C cannot take 2C,2H: 2+2 is 4, not 3\nYou drop 3C.\n"
        in sitting.out
    )


def test_a_refusal_does_not_show_the_position_again():
    sitting = sit(table("easy", **TEA), "xx", "xx", "quit", manner=PERSON)
    assert sitting.out.count("  ground  ") == 1


def play_on(count):
    """List lines that play the first of the legal plays, `count` times."""
    return [line for _ in range(count) for line in ("moves", "1")]


def test_enter_deals_the_next_game():
    sitting = sit(table("easy", seed="42"), *play_on(24), "moves", "", "quit", manner=PERSON)
    assert "Enter deals game 2.\n" in sitting.out
    assert "Enter deals game 2 first\n" in sitting.out
    assert len(sitting.match.games) == 2


def test_enter_plays_another_match_from_another_seed():
    sitting = sit(table("easy", seed="42"), "resign", "", "tea", "quit", manner=PERSON)
    assert "Enter plays another match, quit leaves.\n" in sitting.out
    assert sitting.match.seed != "42"
    assert sitting.match.cut == "tea"
    assert sitting.match.outcome is None


def test_an_interrupt_drops_the_line_and_twice_at_an_empty_line_leaves():
    source = ["xx", KeyboardInterrupt, "g", KeyboardInterrupt, KeyboardInterrupt, "hand"]
    with pytest.raises(KeyboardInterrupt):
        sit(table("easy", **TEA), *source, manner=PERSON)
    source[-2:] = ["quit"]
    sitting = sit(table("easy", **TEA), *source, manner=PERSON)
    assert sitting.status == 0
    assert sitting.match.game.plays == []


def test_an_interrupt_ends_a_script():
    with pytest.raises(KeyboardInterrupt):
        sit(table("easy", **TEA), KeyboardInterrupt, "3c")


class Interrupted(Typed):
    """A person who interrupts lines that have something on them."""

    def read(self, prompt):
        self.dropped = True
        return super().read(prompt)


def test_an_interrupt_that_dropped_a_line_does_not_count_towards_leaving(monkeypatch):
    monkeypatch.setattr("terminals.Typed", Interrupted)
    lines = [KeyboardInterrupt] * 5
    sitting = sit(table("easy", **TEA), *lines, "quit", manner=PERSON)
    assert sitting.status == 0


class Thinker:
    """A player that is interrupted while it thinks."""

    def __init__(self, times):
        self.name = "thinker"
        self.times = times

    def choose(self, view, _generator):
        self.times -= 1
        if self.times >= 0:
            raise KeyboardInterrupt
        return view.legal_plays()[0]


def test_an_interrupt_while_the_computer_thinks_goes_back_to_the_prompt():
    seats = table("easy", **TEA)
    seats.players[2] = Thinker(1)
    lines = ["3c", "ground", "hand", "moves", "9h", "", "quit"]
    sitting = sit(seats, *lines, manner=PERSON)
    assert "North stopped.  Enter lets North play, quit leaves.\n  ground" in sitting.out
    assert "  hand    AD  2D  9H\n" in sitting.out
    assert sitting.out.count("it is the turn of North: Enter lets it play") == 2
    assert len(sitting.match.game.plays) == 2


# ---- what a person must not see -------------------------------------------------------------


def cards_in(text):
    """Find the cards that are named in a text."""
    return set(re.findall(r"\b(?:10|[2-9AJQK])[CDHS]\b", text))


def test_another_hand_is_hidden_behind_a_screenful_until_enter():
    """With several people at one keyboard nothing of the next hand is shown before Enter."""
    asked = ["hand", "moves", "moves 9h", "ground", "9h 4,5", "1", "last", "record"]
    lines = [*asked, "", "9h 4,5", *asked, "moves 7h", "", "7h", "quit"]
    sitting = sit(table(**TEA), *lines, manner=PERSON)
    opening, south, north, _south = re.split(r"\n{24,}", sitting.out)
    before, turn = south.split("  piles ", 1)
    assert cards_in(opening + before) == {"2C", "2H", "4H", "5C"}
    assert before.count("South is to play: Enter shows the hand") == 5
    assert cards_in(turn) >= {"AD", "2D", "3C", "9H"}
    before, turn = north.split("  piles ", 1)
    assert "South plays 9H and takes 4H 5C (4+5)." in before
    assert not cards_in(before) & {"AD", "2D", "3C", "3D", "7H", "10H", "JD"}
    assert cards_in(turn) >= {"3D", "7H", "10H", "JD"}
    prompts = sitting.source.prompts
    assert prompts[:9] == ["South, ready? "] * 9
    assert prompts[9:12] == ["> ", "North, ready? ", "North, ready? "]
    assert sitting.source.forgotten == 3


def test_completion_knows_no_hidden_hand():
    sitting = sit(table(**TEA), manner=PERSON)
    session = sitting.session
    assert session.state == "ready"
    words = {command.name for command in COMMANDS}
    assert set(session.complete("")) == words
    assert session.complete("play ") == []
    session.enter("ready")
    assert set(session.complete("")) == words | {"AD", "2D", "3C", "9H"}
    assert session.complete("9h take ") == ["2C", "2H", "4H", "5C"]


def test_the_computers_hand_is_never_shown_or_completed():
    lines = ["hand", "moves", "moves 7h", "score", "last", "record", "quit"]
    sitting = sit(table("easy", **TEA), *lines, manner=PERSON)
    hidden = {"3D", "7H", "10H", "JD"}
    refused = "7H is not in your hand: AD 2D 3C 9H"
    assert refused in sitting.out
    assert not cards_in(sitting.out.replace(refused, "")) & hidden
    assert not hidden & set(sitting.session.complete(""))


def test_json_has_the_hands_of_people_only():
    out = io.StringIO()
    sit(table("easy", **TEA), "hand", screen=JsonLines(out, {2: "easy"}))
    events = list(map(json.loads, out.getvalue().splitlines()))
    deals = [event for event in events if event["event"] == "deal"]
    assert [list(deal["hands"]) for deal in deals] == [["1"]]
    assert "seed" not in events[0]


# ---- JSON -------------------------------------------------------------------------------------


def json_events(table, *lines, manner=KEEP_GOING):
    out = io.StringIO()
    computers = {seat: player.name for seat, player in table.players.items()}
    sitting = sit(table, *lines, manner=manner, screen=JsonLines(out, computers))
    return sitting, list(map(json.loads, out.getvalue().splitlines()))


def test_json_tells_a_whole_match_one_object_a_line():
    sitting, events = json_events(table(rules=Rules(target=51)), *BODY)
    assert sitting.status == 0
    kinds = [event["event"] for event in events]
    assert kinds[:3] == ["match", "game", "deal"]
    assert kinds[-2:] == ["count", "result"]
    assert kinds.count("deal") == 6
    assert kinds.count("play") == 48
    count, result = events[-2:]
    assert (count["cards"], count["basras"], count["points"], count["totals"]) == (
        [12, 40],
        [0, 3],
        [0, 60],
        [0, 60],
    )
    assert sum(item["points"][1] for item in count["items"]) == 60
    assert (result["winner"], result["totals"], result["seed"], result["cut"]) == (2, [0, 60], "42", "")


def test_json_plays_say_what_was_taken_what_it_earned_and_what_lies_there():
    _, events = json_events(table(**TEA), "9h 4,5", "7h", "3c", "10h", "2d")
    plays = [event for event in events if event["event"] == "play"]
    assert plays[0] == {
        "event": "play",
        "seat": 1,
        "card": "9H",
        "take": ["5C", "4H"],
        "kind": "capture",
        "points": 0,
        "ground": ["2C", "2H"],
        "turn": 2,
    }
    assert (plays[1]["kind"], plays[1]["ground"]) == ("drop", ["2C", "2H", "7H"])
    assert (plays[4]["kind"], plays[4]["points"], plays[4]["ground"]) == ("basra", 10, [])


@pytest.mark.parametrize(
    ("line", "kind", "choices"),
    [
        ("xx", "unreadable", []),
        ("3c 2 2", "illegal", []),
        (
            "9h",
            "ambiguous",
            [{"card": "9H", "take": ["2C", "5C", "2H"]}, {"card": "9H", "take": ["5C", "4H"]}],
        ),
    ],
)
def test_the_three_refusals_are_three_kinds_in_json(line, kind, choices):
    sitting, events = json_events(table(**TEA), line)
    refusal = events[-1]
    assert sitting.status == 3
    assert (refusal["event"], refusal["kind"], refusal["choices"]) == ("refusal", kind, choices)
    assert (refusal["file"], refusal["line"]) == ("typed", 1)
    assert sitting.err == f"typed:1: {refusal['message']}\n"


def test_cards_in_json_stand_in_the_order_of_the_pack():
    _, events = json_events(table(**TEA), "hand", "ground")
    assert events[-2]["cards"] == ["3C", "AD", "2D", "9H"]
    assert events[-1]["cards"] == ["2C", "5C", "2H", "4H"]


def test_json_flushes_each_object():
    class Out(io.StringIO):
        flushed = 0

        def flush(self):
            self.flushed = len(self.getvalue())

    out = Out()
    teller = JsonLines(out, {})
    teller.write("text", text="seven")
    assert out.flushed == len(out.getvalue()) > 0


# ---- random lines -----------------------------------------------------------------------------

RANKS = st.sampled_from(["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"])
CARDS = st.builds("".join, st.tuples(RANKS, st.sampled_from("cdhs")))
LINES = (
    st.builds(
        " ".join, st.lists(CARDS | RANKS | st.sampled_from(["take", "play", ",", "1", "2"]), max_size=6)
    )
    | st.sampled_from(
        ["moves", "m", "1", "2", "3", "last", "score", "hand", "", "record", "resign", "help fairness"]
    )
    | st.text(max_size=12).filter(lambda text: not text.strip().lower().startswith("save"))
)


@settings(max_examples=40, deadline=None)
@given(st.lists(LINES, max_size=40), st.booleans(), st.sampled_from([Manner(keep_going=True), PERSON]))
def test_random_lines_end_in_no_traceback_and_the_match_stays_legal(lines, alone, manner):
    seats = table("random", seed="7") if alone else table(seed="7")
    sitting = sit(seats, *lines, manner=manner)
    assert sitting.status in (0, 3)
    assert (sitting.status == 3) == bool(sitting.err)
    for game in sitting.match.games:
        everywhere = [*game.hands, *game.piles, game.ground, sum(1 << card for card in game.stock)]
        assert sum(cards.bit_count() for cards in everywhere) == 52
        assert sum(everywhere) == FULL
    again = Match(seed=sitting.match.seed, cut=sitting.match.cut)
    for game in sitting.match.games:
        fresh = again.begin_game()
        for some in game.plays:
            assert some in fresh.legal_plays()
            again.play(some)


def test_quit_at_the_cut_leaves():
    sitting = sit(table(seed=None), "quit", manner=PERSON)
    assert sitting.status == 0
    assert "Deal 1 of 6" not in sitting.out
