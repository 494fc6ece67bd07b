"""`hint` in a match and `basra analyse`: what they say, and in which forms."""

import io
import json
import os
import random
import re
from pathlib import Path

import pytest
from helpers import cards, play
from terminals import KEEP_GOING, PERSON, Terminal, as_program, in_process, sit, table

import basra_cli
from basra import Match, Rules
from basra import analysis as module
from basra.analysis import Advice, Valued
from basra.reasons import Reason
from basra.record import Record, lines
from basra.terminal import judging
from basra.terminal.jsonlines import JsonLines
from basra.terminal.writing import Signs, Words, finished

PAGE = Path(__file__).parent.parent / "man" / "basra.6"


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    """Let everything be tried on few samples: the figures do not matter here."""
    monkeypatch.setattr(module, "BATCHES", 4)
    monkeypatch.setattr(module, "SAMPLES", 4)
    monkeypatch.setattr("basra.players.master.SAMPLES", 4)


OPENING = "2 play JC take 5D,3H,AS,5S"  # of seed 42; seat 1 holds 3D 5H 6H 2S
SWEEP = Advice(
    play(OPENING[7:]),
    Reason("sweeps", {"number": 4, "than": 2}),
    (
        Valued(play(OPENING[7:]), 3.25),
        Valued(play("8D take 5D,3H"), 2.0),
        Valued(play("9H take 5D,3H,AS"), -1.5),
    ),
    exact=False,
)


@pytest.fixture
def sweep(monkeypatch):
    """Let it be known what is advised at the beginning of seed 42."""
    monkeypatch.setattr(module, "advise", lambda _view, _seed: SWEEP)


# ---- hint ----------------------------------------------------------------------------------


def test_hint_names_a_play_why_and_what_the_best_promise(sweep):
    out = sit(table(), "hint", symbols=True).out
    assert uncoloured(out).endswith(
        "  North   A♥  8♦  9♥  J♣\n"
        "Play J♣ and sweep A♠ 3♥ 5♦ 5♠, because it sweeps 4 cards instead of 2.\n"
        "Expected points to come, less those of the others:\n"
        "  +3.2  J♣ sweeps A♠ 3♥ 5♦ 5♠\n"
        "  +2.0  8♦ takes 3♥ 5♦ (3+5)\n"
        "  -1.5  9♥ takes A♠ 3♥ 5♦ (1+3+5)\n"
    )


def uncoloured(text):
    return finished(text, color=False)


def test_hint_says_what_the_analysis_advises():
    sitting = sit(table(), "hint")
    advice = module.advise(sitting.session.view(), "42")
    told = sitting.out[sitting.out.index("North   AH  8D  9H  JC\n") :].splitlines()[1:]
    sentence = judging.advised(advice.play, advice.reason, sitting.session.screen)
    assert " ".join(" ".join(told).split()).startswith(
        finished(sentence[:1].upper() + sentence[1:], color=False)
    )
    assert len(told) > len(advice.plays)


def test_hint_plays_nothing_and_changes_nothing():
    with_hint, without = (sit(table(), *some, "1 hand") for some in (["hint", "hint"], []))
    assert with_hint.match.game.plays == without.match.game.plays == []
    assert with_hint.session.listed == ()
    assert sit(table(), "moves", "hint", "1").match.game.plays == sit(table(), "moves", "1").match.game.plays


def test_hint_gives_the_same_answer_whenever_it_is_asked():
    never, once, twice = (sit(table(), OPENING, *(["hint"] * often)).out for often in (0, 1, 2))
    assert once != never
    assert twice == once + once.removeprefix(never)


def test_hint_is_for_the_seat_that_is_to_play():
    assert "it is the turn of seat 2, North" in sit(table(), "1 hint").err
    assert sit(table(), "2 hint").err == ""
    assert "hint stands alone" in sit(table(), "hint 9h").err


def test_hint_is_refused_where_no_person_is_to_play():
    at_keyboard = sit(table(), "hint", "quit", manner=PERSON)
    assert "North is to play: Enter shows the hand" in at_keyboard.out
    over = sit(table(rules=Rules(target=1)), *_whole_game(), "hint", manner=PERSON)
    assert "the match is over" in over.out.splitlines()[-1] or "the match is over" in over.out


def _whole_game():
    match = Match(Rules(target=1), seed="42")
    while not match.outcome:
        match.begin_game()
        while not match.waiting and not match.outcome:
            made = match.game.legal_plays()[0]
            yield ""
            yield f"play {made}"
            match.play(made)


@pytest.mark.parametrize("manner", [PERSON, KEEP_GOING])
def test_an_interrupt_of_hint_goes_back_to_the_prompt(manner, monkeypatch):
    def interrupted(_view, _seed):
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "advise", interrupted)
    if not manner.interactive:
        with pytest.raises(KeyboardInterrupt):
            sit(table(), "hint", manner=manner)
        return
    sitting = sit(table("easy"), "", "hint", "score", manner=manner)
    assert sitting.status == 0
    assert sitting.source.number == 3
    assert not sitting.session.stopped


def test_an_interrupt_at_a_terminal_stops_hint(tmp_path):
    """Thinking that would never end is broken off, and the next line is read."""
    endless = tmp_path / "sitecustomize.py"
    endless.write_text(
        "import basra.analysis\n"
        "def advise(view, seed):\n"
        "    print('thinking', flush=True)\n"
        "    while True: pass\n"
        "basra.analysis.advise = advise\n"
    )
    path = os.pathsep.join([str(tmp_path), str(PAGE.parent.parent)])
    with Terminal(tmp_path, "play", "--people", "--seed", "42", "--ascii", PYTHONPATH=path) as here:
        here.expect("ready? ")
        here.answer("")
        here.answer("hint", "thinking\n")
        here.type("\x03")
        here.expect("\n> ")
        assert "AH" in here.answer("hand")
        here.type("quit\n")
        assert here.end()[0] == 0


@pytest.mark.parametrize("width", [20, 40, 80])
@pytest.mark.parametrize("words", [False, True])
def test_a_hint_fits_the_width(words, width, sweep):
    out = sit(table(), "hint", words=words, width=width).out
    assert max(map(len, out.splitlines())) <= width


def test_a_hint_in_words_has_no_signs(sweep):
    out = sit(table(), "hint", words=True).out
    assert out.endswith(
        "Play jack of clubs and sweep ace of spades, three of hearts, five of diamonds,\n"
        "five of spades, because it sweeps 4 cards instead of 2.\n"
        "Expected points to come, less those of the others:\n"
        "3.2: Jack of clubs sweeps ace of spades, three of hearts, five of diamonds,\n"
        "five of spades.\n"
        "2.0: Eight of diamonds takes three of hearts, five of diamonds. 3 plus 5.\n"
        "minus 1.5: Nine of hearts takes ace of spades, three of hearts,\n"
        "five of diamonds. 1 plus 3 plus 5.\n"
    )


def told_as_json(*typed):
    out = io.StringIO()
    sit(table(), *typed, screen=JsonLines(out, {}))
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_the_fields_of_a_hint(sweep):
    (hint,) = [event for event in told_as_json("hint") if event["event"] == "hint"]
    assert list(hint) == [
        *("event", "seat", "card", "take", "kind", "points", "reason", "text", "exact", "plays"),
    ]  # fmt: skip
    assert (hint["seat"], hint["card"], hint["kind"], hint["exact"]) == (2, "JC", "capture", False)
    assert hint["reason"] == {"key": "sweeps", "number": 4, "than": 2}
    assert hint["text"] == "play JC and sweep AS 3H 5D 5S, because it sweeps 4 cards instead of 2."
    assert hint["plays"][0] == {"card": "JC", "take": ["5D", "3H", "AS", "5S"], "expected": 3.25}
    assert [each["expected"] for each in hint["plays"]] == [3.25, 2.0, -1.5]


def test_help_and_rules_name_hint():
    out = sit(table(), "help hint", "rules").out
    assert "hint  the play that a strong player would choose, and why" in out
    assert "Try      9h    9h 4,5    moves    hint    help play" in out


# ---- reasons as sentences ------------------------------------------------------------------


SENTENCES = {
    "only": ({}, "nothing else can be played"),
    "same": ({}, "all that can be played comes to the same"),
    "basra": ({"points": 10}, "it makes a basra, 10 points"),
    "jack-basra": ({"points": 30}, "it makes a jack basra, 30 points"),
    "majority": ({"number": 27}, "with 27 cards in the pile the majority is sure"),
    "points": ({"points": 1}, "it takes cards worth 1 point"),
    "keeps": (
        {"jacks": cards("JS"), "lying": 3, "out": 2},
        "it keeps JS: 3 cards are on the ground, and 2 jacks are still out",
    ),
    "komi": ({}, "it keeps the komi, which can do more than a jack"),
    "sweeps": ({"number": 4, "than": 1}, "it sweeps 4 cards instead of 1"),
    "more": ({"number": 1, "than": 0}, "it takes 1 card"),
    "safe": ({}, "no card that is out makes a basra of what it leaves"),
    "fewer": (
        {"number": 2, "out": 31, "than": 4},
        "2 of the 31 cards that are out can make a basra of what it leaves, instead of 4",
    ),
    "least": (
        {"number": 5, "out": 31, "than": 9},
        "5 of the 31 cards that are out can take it, instead of 9",
    ),
    "again": ({"card": 8, "take": cards("4H 5S")}, "9C can take 4H,5S next, if nobody else does"),
    "exact": ({}, "with every hand known nothing is better"),
    "average": ({}, "it does best over the ways in which the hidden cards may lie"),
}


@pytest.mark.parametrize("key", judging._SENTENCES)
def test_the_sentence_of_a_reason(key):
    words, sentence = SENTENCES[key]
    assert finished(judging.because(Reason(key, words), Signs()), color=False) == sentence


def test_every_reason_has_a_sentence_and_stands_in_the_manual():
    assert set(re.findall(r"`([a-z-]+)`", Reason.__doc__)) >= set(judging._SENTENCES)
    page = PAGE.read_text()
    shown = page[page.index(".Ss Judged plays") : page.index(".Ss Legal plays")]
    assert set(re.findall(r"^\.It Li (\S+)$", shown, re.MULTILINE)) == set(judging._SENTENCES)


def test_advice_names_what_is_dropped_taken_and_swept():
    screen = sit(table()).session.screen
    why = Reason("only")

    def say(text):
        return finished(judging.advised(play(text), why, screen), color=False)

    assert say("9S") == "drop 9S, because nothing else can be played."
    assert say("9S take 4H,5S") == "play 9S and take 4H 5S, because nothing else can be played."
    assert say("JS take 4H,KS") == "play JS and sweep 4H KS, because nothing else can be played."


def test_exact_figures_are_whole_and_say_so():
    sitting = sit(table())
    view = sitting.session.view()
    plays = Valued(play("AH"), 10.0), Valued(play("8D"), -0.0), Valued(play("9H"), -20.0)
    sitting.session.screen.hint(view, Advice(play("AH"), Reason("exact"), plays, exact=True))
    told = sitting.session.screen.out.getvalue().splitlines()[-4:]
    assert told == [
        "Points to come, less those of the others, for certain:",
        "  +10  AH is dropped",
        "    0  8D is dropped",
        "  -20  9H is dropped",
    ]


@pytest.mark.parametrize(
    ("number", "signs", "words"),
    [(2.34, "+2.3", "2.3"), (-0.44, "-0.4", "minus 0.4"), (-0.01, "0.0", "0.0")],
)
def test_a_figure_with_its_sign(number, signs, words):
    assert Signs().signed(number) == signs
    assert Words().signed(number) == words


# ---- basra analyse -------------------------------------------------------------------------


@pytest.fixture
def record(tmp_path):
    """Write a record of a match that was played at random as far as asked, from its seed."""

    def write(plays=30):
        rng = random.Random(1)
        match = Match(Rules(target=31), seed="analyse")
        match.begin_game()
        while plays and not match.outcome:
            match.play(rng.choice(match.game.legal_plays()))
            plays -= 1
            if match.waiting:
                match.begin_game()
        path = tmp_path / "match.basra"
        path.write_text("".join(lines(Record(match, {2: "random"}))))
        return str(path)

    return write


def test_analyse_shows_each_error_with_its_position_cost_and_what_was_better(record, monkeypatch):
    run = in_process(monkeypatch, "analyse", record(48))
    assert (run.status, run.err) == (0, "")
    assert run.out.startswith("Basra.  A match to 31, South against North (random), rule set egyptian.\n")
    (error, *_) = re.findall(r"\n\n(Deal \d of|Deal \d, play \d+\.\n(?:.+\n)+)", run.out)
    told = error.splitlines()
    assert told[1].startswith("  ground  ")
    assert told[2].split()[0] in ("North", "South")
    assert told[3].startswith(told[2].split()[0])
    assert re.match(r"It costs (about \d+\.\d points|\d+ points?)\.  Better: (drop|play) ", told[4])
    assert "because" in error
    assert "Errors and luck in game 1   South   North" in run.out


def test_the_last_deal_is_judged_in_whole_points(record, monkeypatch):
    """No error of the sixth deal is an estimate."""
    out = in_process(monkeypatch, "analyse", record(48)).out
    sixth = re.findall(r"Deal 6, play \d+\.\n(?:.+\n)+?It costs (.*?)\.  Better", out)
    assert sixth
    assert all(re.fullmatch(r"\d+ points?", cost) for cost in sixth)


def test_analyse_of_one_seat_says_nothing_of_the_other(record, monkeypatch):
    out = in_process(monkeypatch, "analyse", "--seat", "2", record(48)).out
    assert not re.search(r"^South (drops|plays)", out, re.MULTILINE)
    assert re.search(r"^  errors +- +\d+$", out, re.MULTILINE)
    assert "luck, and errors of others" in out
    assert "luck of the cards" not in out


def test_a_record_without_errors_says_so(record, monkeypatch):
    monkeypatch.setattr(module, "LEAST", 1000.0)
    out = in_process(monkeypatch, "analyse", record(20)).out
    assert "Game 1.\nNo play cost points.\n" in out
    assert out.endswith("\nthe record stops here\n")
    assert "luck" not in out.split("Errors and luck in game 1")[1]


@pytest.mark.parametrize("columns", ["20", "40", "80"])
@pytest.mark.parametrize("how", ["--ascii", "--words"])
def test_an_analysis_fits_the_width(record, columns, how, monkeypatch):
    run = in_process(monkeypatch, "analyse", how, record(48), COLUMNS=columns)
    assert run.status == 0
    assert max(map(len, run.out.splitlines())) <= int(columns)
    assert run.out.isascii()


def test_an_analysis_in_words_is_made_of_sentences(record, monkeypatch):
    out = in_process(monkeypatch, "analyse", "--words", "--seat", "1", record(48)).out
    assert not re.search(r"\n\n|  |[+*]|\b-", out)
    assert re.search(r"^Errors: South \d+\.$", out, re.MULTILINE)


def objects(run):
    assert (run.status, run.err) == (0, "")
    return [json.loads(line) for line in run.out.splitlines()]


def test_the_fields_of_an_analysis(record, monkeypatch):
    told = objects(in_process(monkeypatch, "analyse", "--json", record(52)))
    events = [each["event"] for each in told]
    assert events == ["match", *["judged"] * 48, "summary", *["judged"] * 4, "summary", "summary"]
    assert told[0]["players"] == [None, "random"]
    judged = [each for each in told if each["event"] == "judged"]
    for each in judged:
        assert list(each) == [
            *("event", "game", "deal", "number", "seat", "card", "take", "kind", "points", "error"),
            *("cost", "noise", "exact", "best", "reason", "text", "plays"),
        ]
        assert each["exact"] == (each["deal"] == 6)
        assert (each["reason"] is None) == (each["text"] is None) == (not each["error"])
        assert not each["plays"] or {"card": each["card"], "take": each["take"]} in [
            {"card": other["card"], "take": other["take"]} for other in each["plays"]
        ]
    for summary in (each for each in told if each["event"] == "summary"):
        assert list(summary) == ["event", "game", "seats", "points", "errors", "lost", "luck"]
    *games, whole = [each for each in told if each["event"] == "summary"]
    assert [each["game"] for each in games] == [1, 2]
    assert whole["game"] is None
    assert games[1]["points"] is games[1]["luck"] is None
    assert whole["errors"] == [sum(both) for both in zip(*(each["errors"] for each in games))]
    assert (whole["points"], whole["luck"]) == (games[0]["points"], games[0]["luck"])
    assert sum(games[0]["errors"]) == sum(each["error"] for each in judged if each["game"] == 1)


def test_the_fields_stand_in_the_manual():
    page = PAGE.read_text()
    shown = page[page.index(".Ss Judged plays") : page.index(".Ss Legal plays")]
    named = set(re.findall(r"^\.Va (\w+)", shown, re.MULTILINE))
    fields = "game deal number seat card take kind points error cost noise exact best reason text plays"
    assert named >= {*fields.split(), "expected", "seats", "errors", "lost", "luck", "key"}


def test_analyze_is_the_same_command_and_not_listed(record, monkeypatch):
    path = record(6)
    one, other = (in_process(monkeypatch, name, "--json", path) for name in ("analyse", "analyze"))
    assert one == other
    listed = in_process(monkeypatch, "--help").out
    assert "analyse" in listed
    assert "analyze" not in listed
    assert basra_cli.cli.commands["analyze"].hidden


def test_a_wrong_record_fails_and_names_the_line(tmp_path, monkeypatch):
    path = tmp_path / "wrong.basra"
    path.write_text("basra-record 1\nrules french\n")
    run = in_process(monkeypatch, "analyse", str(path))
    assert (run.status, run.out) == (1, "")
    assert f"{path}:2: french is not a rule set" in run.err
    assert in_process(monkeypatch, "analyse", str(tmp_path / "none")).status == 1


def test_a_cut_off_last_line_is_left_out_with_a_warning(record, monkeypatch):
    path = record(4)
    with open(path, "a") as file:
        file.write("1 pl")
    run = in_process(monkeypatch, "analyse", path)
    assert run.status == 0
    assert "1 pl has no line end: it is left out" in " ".join(run.out.split())
    *_judged, refusal = map(json.loads, in_process(monkeypatch, "analyse", "--json", path).out.splitlines())
    assert (refusal["event"], refusal["file"]) == ("refusal", path)
    assert Path(path).read_text().splitlines()[refusal["line"] - 1] == "1 pl"


def test_a_seat_that_is_not_there_is_wrong_usage(record, monkeypatch):
    run = in_process(monkeypatch, "analyse", "--seat", "3", record(4))
    assert run.status == 2
    assert "there is no seat 3: they are 1 to 2" in run.err


def test_a_guest_names_no_file(record, tmp_path):
    run = as_program(tmp_path, "--restricted", "analyse", record(4))
    assert (run.status, run.out) == (2, "")


def test_a_bar_shows_how_far_it_is_at_a_terminal_only(record, tmp_path):
    path = record(4)
    with Terminal(tmp_path, "analyse", path) as here:
        status, shown = here.end()
    assert status == 0
    assert "100%" in shown
    assert "Game 1." in shown
