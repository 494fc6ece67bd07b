"""Records: what is written reads back the same, what is wrong is refused where it stands."""

import io
import random
from pathlib import Path

import pytest
from helpers import RULE_SETS, TABLES, pack
from hypothesis import given, settings
from hypothesis import strategies as st

from basra import (
    KEYS,
    NAMED,
    Ambiguous,
    BadRecord,
    BasraError,
    Illegal,
    Match,
    Rules,
    Seats,
    Unreadable,
    name,
    pack_of,
)
from basra.cards import is_hidden
from basra.record import (
    LARGEST_FILE,
    LONGEST_LINE,
    MOST_GAMES,
    Record,
    Recorder,
    check_statement,
    lines,
    read,
    read_play,
)
from basra.spelling import check_name, split

EXAMPLE = Path(__file__).with_name("example.basra").read_bytes()
SEALED = "363b0a03ef2ccd926ae4690185ec8faf42b54178be2398b8dc5eade0e141a2ad"


def read_text(text, file="match.basra"):
    return read(io.BytesIO(text if isinstance(text, bytes) else text.encode()), file)


def written(source, **more):
    return "".join(lines(source, **more))


def record(*statements):
    return "".join(line + "\n" for line in ("basra-record 1", *statements))


def pack_line(top=""):
    return "pack " + " ".join(map(name, pack(top)))


def refused(text):
    with pytest.raises(BadRecord) as caught:
        read_text(text)
    return str(caught.value)


def played(rules, seats, rng, *, seed=None, cut="", most=3, resign=False, stop=None):
    """Play a match at random: at most so many games, so many plays, or until somebody resigns."""
    names = [f"Seat {n}" for n in range(1, rng.randint(0, seats.count) + 1)]
    match = Match(rules, seats, names=names, seed=seed, cut=cut, dealer=rng.randint(1, seats.count))
    count = 0
    while match.waiting and len(match.games) < most:
        game = match.begin_game(None if seed is not None else rng.sample(range(52), 52))
        while not game.over:
            if count == stop:
                return match
            count += 1
            match.play(rng.choice(game.legal_plays()))
            if resign and seats.sides == 2 and not game.over and rng.random() < 0.02:
                match.resign()
                return match
    return match


def some_matches():
    """Yield matches at every table, under every rule set, from seeds and from packs."""
    for at, (seats, rules) in enumerate((seats, rules) for seats in TABLES for rules in RULE_SETS):
        for seed, cut in ((None, ""), (f"seed {at}", ""), ("ö 7", "my  cut")):
            rng = random.Random(f"{at} {seed}")
            yield played(rules, seats, rng, seed=seed, cut=cut, most=2, resign=rng.random() < 0.3)


def state(match):
    """List what a match is made of, as far as it can differ."""
    return (
        match.rules,
        match.seats,
        match.names,
        match.seed,
        match.cut,
        match.packs,
        match.counts,
        match.totals,
        match.outcome,
        [(game.dealer, game.plays, game.hands, game.ground, game.stock) for game in match.games],
    )


# ---- reading what was written ----------------------------------------------------------


def test_the_example_reads_and_writes_to_the_same_bytes():
    found = read_text(EXAMPLE)
    assert written(found).encode() == EXAMPLE
    assert (found.match.outcome.winner, found.match.totals) == (2, (0, 60))
    assert (found.due, found.size, found.warning, found.players) == ("", len(EXAMPLE), None, {})


def test_what_is_written_reads_back_as_the_same_match():
    for match in some_matches():
        text = written(match)
        again = read_text(text)
        assert state(again.match) == state(match)
        assert written(again) == text
        assert again.due == ("" if match.outcome else "game")


def test_a_match_breaks_off_anywhere_and_reads_back():
    rng = random.Random(5)
    for stop in range(0, 96, 5):
        match = played(Rules(), rng.choice(TABLES), rng, seed="x", stop=stop)
        assert state(read_text(written(match)).match) == state(match)


def test_names_players_and_date_are_kept():
    match = Match(seats=Seats(3), names=["Mona  Ali", "♥"], seed="42")
    text = written(Record(match, {2: "normal", 3: "Own-Bot"}, "2026-11-29T20:48:00Z"))
    assert (
        "seat 1 Mona  Ali\nseat 2 ♥ bot:normal\nseat 3 West bot:Own-Bot\ndate 2026-11-29T20:48:00Z\n" in text
    )
    again = read_text(text)
    assert again.match.names == ("Mona  Ali", "♥", "West")
    assert again.players == {2: "normal", 3: "Own-Bot"}
    assert again.date == "2026-11-29T20:48:00Z"
    assert written(again) == text


def test_set_is_written_only_where_a_value_differs():
    rules = Rules.named("classic").changed("target", "51").changed("last_card_basra", "false")
    text = written(Match(rules))
    assert "rules classic\nset last_card_basra false\nset target 51\nseats 2\n" in text
    assert read_text(text).match.rules == rules


def test_rules_may_stand_after_what_differs_from_them():
    text = record("set target 51", "set komi plain", "rules classic")
    assert read_text(text).match.rules == Rules.named("classic").changed("target", "51").changed(
        "komi", "plain"
    )


def test_without_a_header_the_defaults_hold():
    match = read_text(record("game 1 dealer 2", pack_line())).match
    assert (match.rules, match.seats, match.names) == (Rules(), Seats(2), ("South", "North"))
    assert match.game.dealer == 2


def test_the_seed_is_left_out_while_it_is_sealed():
    match = Match(seed="42", cut="hello")
    assert written(match).replace("seed 42\n", "") == written(match, seed=False)
    assert f"commit {SEALED}\ncut hello\n" in written(match, seed=False)


@pytest.mark.parametrize("bad", ["bot:x", "Mona bot:x", "Mona BOT:", "a#b", "", "a\tb"])
def test_a_name_that_cannot_stand_in_a_record_is_refused(bad):
    with pytest.raises(Unreadable):
        check_name(bad)


def test_a_writer_refuses_what_no_record_can_hold():
    for source in (
        Match(names=["Mona bot:easy"]),
        Record(Match(), {1: "two words"}),
        Record(Match(), {1: ""}),
        Record(Match(), date="today"),
    ):
        with pytest.raises(Unreadable):
            written(source)


# ---- writing a match as it goes --------------------------------------------------------


def go_on(match, whole):
    """Play on what another match has had and this one has not."""
    while not match.outcome:
        if match.waiting:
            if len(match.games) == len(whole.games):
                return
            match.begin_game(None if match.seed is not None else whole.packs[len(match.games)])
        rest = whole.games[len(match.games) - 1].plays[len(match.game.plays) :]
        for play in rest:
            match.play(play)
        if not match.game.over:
            if whole.outcome:
                match.resign()
            return


@pytest.mark.parametrize("seed", [None, "42"])
@pytest.mark.parametrize("resign", [False, True])
def test_a_record_that_stops_after_any_line_goes_on_to_the_same_bytes(seed, resign):
    rng = random.Random(8)
    whole = played(Rules(target=20), Seats(4, teams=True), rng, seed=seed, most=2, resign=resign)
    text = written(Record(whole, {2: "easy"}))
    begun = text.index("game 1")
    size = 0
    for line in text.splitlines(keepends=True):
        size += len(line)
        if size < begun + (seed is None):
            continue  # a header alone does not say who deals
        found = read_text(text[:size])
        assert (found.size, found.warning) == (size, None)
        added = []
        found.match.listen(Recorder(found, added.append))
        go_on(found.match, whole)
        assert text[:size] + "".join(added) == text
        assert all(part.endswith("\n") for part in added)


def test_a_recorder_begins_with_all_that_has_been():
    match = played(Rules(), Seats(3), random.Random(2), seed="a", stop=20)
    written_so_far = []
    match.listen(Recorder(Record(match), written_so_far.append))
    match.play(match.game.legal_plays()[0])
    assert "".join(written_so_far) == written(match)


# ---- what a reader forgives ------------------------------------------------------------


def change(old, new):
    assert old in EXAMPLE.decode()
    return EXAMPLE.decode().replace(old, new)


FORGIVEN = {
    "keywords in either case": change("\n2 play JC take", "\n2 PLAY JC Take"),
    "header words in either case": change("rules egyptian\nset target", "RULES Egyptian\nSet TARGET"),
    "score in either case": change("score 1 cards", "Score 1 CARDS"),
    "cards in either case": change("take 5D,3H,AS,5S", "take 5d,3h,as,5S"),
    "T for 10": change("1 play 10C take 10S", "1 play TC take tS"),
    "suit symbols": change("take 5D,3H,AS,5S", "take 5♦,3♥,A♠,5♠").replace("QC", "Q♣"),
    "blanks around commas": change("5D,3H,AS,5S", "5D , 3H,\tAS ,5S").replace("12,40", "12 , 40"),
    "more blanks": change("1 play 6H", "  1\t play   6H \t"),
    "CRLF": EXAMPLE.decode().replace("\n", "\r\n"),
    "blank lines": EXAMPLE.decode().replace("\n", "\n\n \t\n"),
    "comments": change("1 play 6H\n", "# so far\n1 play 6H# a\x00 comment\n"),
    "a comment after a seed": change("seed 42", "seed 42 # the answer"),
    "another order of the header": change("seats 2\n", "").replace("cut\n", "cut\nseats 2\n"),
    "a cut that is not there": change("cut\n", ""),
    "no commitment": change(f"commit {SEALED}\n", ""),
    "comments after the result": EXAMPLE.decode() + "\n# well played\n",
}


@pytest.mark.parametrize("text", FORGIVEN.values(), ids=FORGIVEN)
def test_a_reader_forgives(text):
    found = read_text(text)
    assert written(found).encode() == EXAMPLE
    assert found.size == len(text.encode())


def test_a_name_keeps_its_commas_and_blanks():
    assert read_text(record("seat 1 Mona , Ali ,x")).match.names[0] == "Mona , Ali ,x"


# ---- a play without take (rules, paragraph 3) ------------------------------------------


def without_take(ground, hand, rules="egyptian"):
    """Seat 2 holds `hand`, seat 1 four cards that do not matter, and seat 2 plays its first card."""
    first = hand.split()[0]
    rest = [card for card in map(name, pack(f"{hand} {ground}")) if card not in f"{hand} {ground}".split()]
    top = " ".join([*hand.split(), *rest[:4], *ground.split()])
    return record(f"rules {rules}", "game 1 dealer 1", pack_line(top), f"2 play {first}")


@pytest.mark.parametrize(
    ("ground", "hand", "takes"),
    [
        ("3H 4S 7S KD", "7C QC QD QH", "7C take 3H,4S,7S"),
        ("2H 4C 4D KH", "6S QC QD QH", "6S take 4C,2H"),
        ("KD KC 6H 2S", "KS QC QD QH", "KS take KC,KD"),
        ("3H 4S KD 2C", "7D QC QD QH", "7D take 2C,KD,3H,4S"),
        ("3H 4S KD 2C", "JS QC QD QH", "JS take 2C,KD,3H,4S"),
        ("3H 4S KD 2C", "8S QC QD QH", "8S"),
    ],
)
def test_a_play_without_take_takes_what_contains_all_else(ground, hand, takes):
    assert str(read_text(without_take(ground, hand)).match.game.plays[0]) == takes


def test_a_play_without_take_that_has_choices_is_refused():
    with pytest.raises(BadRecord) as caught:
        read_text(without_take("4H 5C 3S 2H", "9S QC QD QH"))
    assert isinstance(caught.value.__cause__, Ambiguous)
    assert [str(play) for play in caught.value.__cause__.choices] == ["9S take 2H,4H,3S", "9S take 5C,4H"]
    assert str(caught.value).startswith("match.basra:5: 9S can take ")


def test_a_play_is_read_exactly():
    game = Match(seed="42").begin_game()
    assert str(read_play(split("jc TAKE 5♦ , 3H,AS,5S # all"), game)) == "JC take 5D,3H,AS,5S"
    for text in (
        "J",
        "jc take 5",
        "CJ",
        "JC take 5D 3H",
        "JC take",
        "JC 5D",
        "JC take 5D,,3H",
        "",
        "JC take 5D+3H",
    ):
        with pytest.raises(Unreadable):
            read_play(split(text), game)


# ---- what is refused, where and how ----------------------------------------------------

PLAYS = ("game 1 dealer 1", pack_line("9S QC QD QH 2C 3C 4C 5C 3H 4S KD 6H"))
HEADER_ERRORS = [
    (b"", 1, "the first line is empty, not basra-record 1"),
    (b"\n", 1, "the first line is empty, not basra-record 1"),
    (b"hello", 1, "the first line is hello, not basra-record 1"),
    (b"basra-record 2\n", 1, "the first line is basra-record 2, not basra-record 1"),
    (b"Basra-record 1\n", 1, "the first line is Basra-record 1, not basra-record 1"),
    (b"basra-record 1 \n", 1, 'the first line is "basra-record 1 ", not basra-record 1'),
    (b"\xef\xbb\xbfbasra-record 1\n", 1, "the first line is ?basra-record 1, not basra-record 1"),
    (b"# x\nbasra-record 1\n", 1, "the first line is # x, not basra-record 1"),
    (b"basra-record 1\nseat 1 \xff\n", 2, "the line is not UTF-8"),
    (record("hello"), 2, "hello is not a statement of a record"),
    (record("", "rule egyptian"), 3, "rule egyptian is not a statement of a record"),
    (record("ſeats 2"), 2, "ſeats 2 is not a statement of a record"),
    (record("seats\u00a02"), 2, "seats\u00a02 is not a statement of a record"),
    (record("1 seats 2"), 2, "1 seats 2 is not a statement of a record"),
    (record("rules house"), 2, "house is not a rule set: there are egyptian and classic"),
    (record("rules"), 2, '"" is not a rule set: there are egyptian and classic'),
    (record("rules classic", "rules classic"), 3, "rules stands twice, first in line 2"),
    (record("set target"), 2, "set target cannot be read: it is set KEY VALUE"),
    (record("set goal 1"), 2, "goal is not a rule: the keys are "),
    (record("set target 0"), 2, "target cannot be 0: it is a whole number from 1 to 100,000"),
    (record("set target ٥١"), 2, "target cannot be ٥١: it is a whole number from 1 to 100,000"),
    (record("game 1000000000 dealer 1"), 2, "1000000000 is too large a number: at most 9 digits are allowed"),
    (record("set target 051"), 2, "051 is not a number in plain digits, as 12 is"),
    (record("set komi tame"), 2, "komi cannot be tame: it is wild, sweep or plain"),
    (record("set last_card_basra 1"), 2, "last_card_basra cannot be 1: it is true or false"),
    (record("set ace 1", "seats 2", "set ACE 2"), 4, "set ace stands twice, first in line 2"),
    (record("seats 5"), 2, "there cannot be 5 seats: 2, 3 or 4"),
    (record("seats two"), 2, "two is not a number in plain digits, as 12 is"),
    (record("seats 3 teams"), 2, "teams need 4 seats, not 3"),
    (record("seats 4 team"), 2, "seats 4 team cannot be read: it is seats N or seats 4 teams"),
    (record("seats"), 2, '"seats " cannot be read: it is seats N or seats 4 teams'),
    (record("seats 2", "seats 2"), 3, "seats stands twice, first in line 2"),
    (record("seat 5 Mona"), 2, "5 is not a seat: 1, 2, 3 or 4"),
    (record("seat Mona"), 2, "Mona is not a seat: 1, 2, 3 or 4"),
    (record("seat"), 2, '"" is not a seat: 1, 2, 3 or 4'),
    (record("seat 1"), 2, "the name is empty: 1 to 200 characters are needed"),
    (record("seat 1 bot:easy"), 2, "the name is empty: 1 to 200 characters are needed"),
    (record("seat 1 Mona bot:"), 2, "the player is empty: 1 to 200 characters are needed"),
    (record("seat 1 M bot:a bot:b"), 2, "the name M bot:a ends in a word that begins bot:"),
    (record("seat 1 " + "m" * 201), 2, "the name has 201 characters: at most 200 are allowed"),
    (record("seat 1 a\tb"), 2, "the name a?b has a character that cannot stand in a record"),
    (record("seat 1 a\u202eb"), 2, "the name a?b has a character that cannot stand in a record"),
    (record("seat 1 A", "seat 1 A"), 3, "seat 1 stands twice, first in line 2"),
    (record("seat 3 A", "seats 2"), 2, "seat 3 is wrong: there are 2 seats"),
    (record("seat 3 A", *PLAYS), 2, "seat 3 is wrong: there are 2 seats"),
    (record("date 2026-11-29"), 2, "2026-11-29 is not a date in the form YYYY-MM-DDTHH:MM:SSZ"),
    (record("date 2026-02-29T00:00:00Z"), 2, "2026-02-29T00:00:00Z is not a date"),
    (record("date 2026-02-28T24:00:00Z"), 2, "2026-02-28T24:00:00Z is not a date"),
    (record("date 2026-02-28t12:00:00z"), 2, "2026-02-28t12:00:00z is not a date"),
    (
        record("commit " + SEALED.upper()),
        2,
        "363B0A03EF2CCD926AE4690185EC8FAF42B54178BE2398B8DC5EADE0E... is not",
    ),
    (record("commit 12"), 2, "12 is not a commitment: 64 lower-case hexadecimal digits"),
    (record("seed 43", f"commit {SEALED}"), 3, f"{SEALED[:57]}... is not the commitment to the seed 43"),
    (record(f"commit {SEALED}", "seed 43"), 2, f"{SEALED[:57]}... is not the commitment to the seed 43"),
    (record(f"commit {SEALED}", *PLAYS), 2, "commit is wrong: the record has no seed"),
    (record("cut", *PLAYS), 2, "cut is wrong: the record has no seed"),
    (record("seed"), 2, "the seed is empty: 1 to 200 characters are needed"),
    (record("seed 1", "seed 1"), 3, "seed stands twice, first in line 2"),
    (record("cut " + "x" * 201), 2, "the cut has 201 characters: at most 200 are allowed"),
]
GAME = record(*PLAYS)
SEEDED = record("seed 42", "game 1 dealer 1")
BODY_ERRORS = [
    (record("1 play 6H"), 2, "play cannot stand here: game comes next"),
    (record("score 1"), 2, "score cannot stand here: game comes next"),
    (record("pack AC"), 2, "pack cannot stand here: game comes next"),
    (record("seed 1", "pack AC"), 3, "pack cannot stand here: a record with a seed has none"),
    (record("game 1"), 2, "game 1 cannot be read: it is game N dealer S"),
    (record("game 1 deals 1"), 2, "game 1 deals 1 cannot be read: it is game N dealer S"),
    (record("game 1 dealer 1 2"), 2, "game 1 dealer 1 2 cannot be read: it is game N dealer S"),
    (record("game 01 dealer 1"), 2, "01 is not a number in plain digits, as 12 is"),
    (record("game ١ dealer 1"), 2, "١ is not a number in plain digits, as 12 is"),
    (record("game 2 dealer 1"), 2, "game 2 is wrong: it is 1"),
    (record("game 1 dealer 3"), 2, "there is no seat 3: they are 1 to 2"),
    (record("game 1 dealer 0"), 2, "0 is not a seat: 1, 2, 3 or 4"),
    (record("seed 42", "game 1 dealer 2"), 3, "dealer 2 is wrong: it is 1"),
    (record(PLAYS[0], "1 play 6H"), 3, "play cannot stand here: pack comes next"),
    (record(PLAYS[0], "pack AC 2C"), 3, "a pack is the 52 cards, each once"),
    (record(PLAYS[0], PLAYS[1].replace("9S", "QC")), 3, "a pack is the 52 cards, each once"),
    (record(PLAYS[0], PLAYS[1].replace("9S", "9")), 3, "9 is not a card: it is written rank and suit"),
    (GAME + PLAYS[1] + "\n", 4, "pack cannot stand here: play comes next"),
    (SEEDED + PLAYS[1] + "\n", 4, "pack cannot stand here: a record with a seed has none"),
    (GAME + "game 2 dealer 2\n", 4, "game cannot stand here: play comes next"),
    (GAME + "rules egyptian\n", 4, "rules cannot stand here: it belongs before the first game"),
    (GAME + "score 1\n", 4, "score cannot stand here: play comes next"),
    (GAME + "play QC\n", 4, "play is not a seat: 1, 2, 3 or 4"),
    (GAME + "2 p QC\n", 4, "2 p QC is not a statement of a record"),
    (GAME + "2 QC\n", 4, "2 QC is not a statement of a record"),
    (GAME + "QC\n", 4, "QC is not a statement of a record"),
    (GAME + "2\n", 4, "2 is not a statement of a record"),
    (GAME + "1 play QC\n", 4, "seat 1 is wrong: it is the turn of 2"),
    (GAME + "02 play QC\n", 4, "02 is not a seat: 1, 2, 3 or 4"),
    (GAME + "٢ play QC\n", 4, "٢ is not a seat: 1, 2, 3 or 4"),
    (GAME + "2 play\n", 4, "play cannot be read: it is play CARD or play CARD take CARDS, with commas"),
    (GAME + "2 play QC KD\n", 4, "play QC KD cannot be read: it is play CARD or play CARD take CARDS"),
    (GAME + "2 play 9\n", 4, "9 is not a card: it is written rank and suit, as in 7D or 10S"),
    (GAME + "2 play S9\n", 4, "S9 is not a card: it is written rank and suit, as in 7D or 10S"),
    (GAME + "2 play 9S take 3,6\n", 4, "3 is not a card: it is written rank and suit, as in 7D or 10S"),
    (GAME + "2 play 9S take 3H 6H\n", 4, "play 9S take 3H 6H cannot be read: it is play CARD"),
    (GAME + "2 play 9S take 3H,,6H\n", 4, '"" is not a card: it is written rank and suit'),
    (GAME + "2 play 9S take 3H,3H\n", 4, "3H stands twice"),
    (GAME + "2 play 9S take 6H,3H\n", 4, "3H is out of order: cards are taken in the order of the pack"),
    (GAME + "2 play 9S take 3H,4S\n", 4, "9S cannot take 3H,4S: 3+4 is 7, not 9"),
    (
        GAME + "2 play 9S take 5H\n",
        4,
        "5H is not on the ground: 3H 4S 6H KD",
    ),
    (GAME + "2 play QC take KD\n", 4, "QC cannot take KD: K is not Q"),
    (GAME + "2 play 2C\n", 4, "2C is not in your hand: "),
    (GAME + "2 play 2C take 3H\n", 4, "2C is not in your hand: "),
    (GAME + "2 resign 1\n", 4, "2 resign 1 cannot be read: it is S resign"),
    (GAME + "resign\n", 4, "resign is not a seat: 1, 2, 3 or 4"),
    (GAME + "1 resign\n", 4, "seat 1 is wrong: it is the turn of 2"),
    (GAME + "2 resign\n1 play QC\n", 5, "play cannot stand here: result comes next"),
    (GAME + "2 resign\nresult 2 total 0,0\n", 5, "result 2 is wrong: it is 1"),
    (GAME + "2 resign\nscore 1\n", 5, "score cannot stand here: result comes next"),
    (
        GAME + "2 resign\nresult 1 total 0,0\n1 resign\n",
        6,
        "resign cannot stand here: nothing follows the result",
    ),
    (
        GAME + "2 resign\nresult 1 total 0,0\nseed 1\n",
        6,
        "seed cannot stand here: it belongs before the first game",
    ),
    (record("seats 3", *PLAYS, "2 resign"), 5, "a match of 3 sides cannot be given up"),
    (change("score 1", "score 2"), 59, "score 2 is wrong: it is 1"),
    (change("12,40", "13,39"), 59, "cards 13,39 is wrong: it is 12,40"),
    (change("cards 12,40 basras 0,3", "cards 12,40 basras 1,3"), 59, "basras 1,3 is wrong: it is 0,3"),
    (change("jack-basras 0,0", "jack-basras 0,1"), 59, "jack-basras 0,1 is wrong: it is 0,0"),
    (change("points 0,60", "points 0,060"), 59, "points 0,060 is wrong: it is 0,60"),
    (change("0,60 total 0,60\nr", "0,60 total 0,61\nr"), 59, "total 0,61 is wrong: it is 0,60"),
    (
        change("points", "point"),
        59,
        "score 1 cards 12,40 basras 0,3 jack-basras 0,0 point 0,60... cannot be read",
    ),
    (
        change(" points 0,60", ""),
        59,
        "score 1 cards 12,40 basras 0,3 jack-basras 0,0 total 0,60 cannot be read",
    ),
    (change("result 2", "result 1"), 60, "result 1 is wrong: it is 2"),
    (change("result 2 total 0,60", "result 2 total 0 60"), 60, "result 2 total 0 60 cannot be read"),
    (change("result 2 total 0,60", "result 2"), 60, "result 2 cannot be read: it is result SIDE total"),
    (change("result", "2 play 6H\nresult"), 60, "play cannot stand here: result comes next"),
    (change("score", "result 2 total 0,60\nscore"), 59, "result cannot stand here: score comes next"),
    (change("score", "game 2 dealer 2\nscore"), 59, "game cannot stand here: score comes next"),
    (EXAMPLE.decode() + "result 2 total 0,60\n", 61, "result cannot stand here: nothing follows the result"),
    (EXAMPLE.decode() + "game 2 dealer 2\n", 61, "game cannot stand here: nothing follows the result"),
]


@pytest.mark.parametrize(("text", "line", "message"), HEADER_ERRORS + BODY_ERRORS)
def test_a_wrong_line_is_refused_where_it_stands(text, line, message):
    with pytest.raises(BadRecord) as caught:
        read_text(text)
    assert str(caught.value).startswith(f"match.basra:{line}: {message}")
    assert (caught.value.file, caught.value.line) == ("match.basra", line)
    assert isinstance(caught.value.__cause__, (Unreadable, Illegal))


def test_an_error_of_the_engine_is_the_cause_and_a_word_of_the_message():
    with pytest.raises(BadRecord) as caught:
        read_text(GAME + "2 play 9S take 3H,4S\n")
    assert caught.value.words["error"] is caught.value.__cause__
    assert str(caught.value.__cause__) == "9S cannot take 3H,4S: 3+4 is 7, not 9"


def test_a_long_file_name_is_whole_and_has_no_control_characters():
    with pytest.raises(BadRecord) as caught:
        read_text(b"", "a\x1b/" + "long/" * 30 + "match.basra")
    assert str(caught.value).startswith("a?/" + "long/" * 30 + "match.basra:1: the first")


def test_a_header_that_is_cut_short_may_lack_what_others_need():
    assert read_text(record(f"commit {SEALED}")).due == "game"
    assert read_text(record("cut hello")).due == "game"
    assert read_text(record("seat 4 Ali bot:easy")).match.seats == Seats(2)


# ---- a last line without its end -------------------------------------------------------


def test_a_record_cut_at_every_byte_reads_as_what_was_whole():
    text = read_text(EXAMPLE.replace(b"South", "Süd".encode())).match
    text = written(text).encode()
    whole = text.count(b"\n")
    plays = 0
    for size in range(1, len(text)):
        found = read_text(text[:size])
        at = text[:size].rfind(b"\n") + 1
        assert found.size == at
        if at == size:
            assert found.warning is None
        else:
            assert found.warning.line == text[:size].count(b"\n") + 1 <= whole
            assert str(found.warning).endswith("has no line end: it is left out")
        now = sum(len(game.plays) for game in found.match.games)
        assert now == text[:at].count(b" play ") >= plays
        plays = now


def test_a_last_line_without_its_end_is_left_out_even_where_it_is_wrong():
    found = read_text(GAME + "2 play 9S take \x1b")
    assert str(found.warning) == "match.basra:4: 2 play 9S take ? has no line end: it is left out"
    assert (found.size, found.due) == (len(GAME), "play")


def test_a_first_line_without_its_end_is_an_empty_record_that_needs_its_header():
    found = read_text(b"basra-rec")
    assert (found.size, found.due, found.match.games) == (0, "header", [])
    assert found.warning.line == 1
    added = []
    found.match.listen(Recorder(found, added.append))
    assert "".join(added) == written(Match())


# ---- anything at all -------------------------------------------------------------------


def accepted(data):
    """Read data that may be wrong; what is accepted has to be a match that reads back."""
    stream = io.BytesIO(data)
    try:
        found = read(stream, "x")
    except BadRecord as caught:
        error = caught
    else:
        error = None
    if error:
        assert not any(map(is_hidden, str(error)))
        assert 1 <= error.line <= data.count(b"\n") + 1
        return False
    text = written(found.match)
    assert state(read_text(text).match) == state(found.match)
    for game in found.match.games:
        cards = [*game.stock]
        for some in (*game.hands, game.ground, *game.piles):
            cards += [card for card in range(52) if some >> card & 1]
        assert sorted(cards) == list(range(52))
    return True


def test_one_changed_character_is_found_or_makes_another_legal_record():
    rng = random.Random(2026)
    base = written(played(Rules(target=20), Seats(4, teams=True), rng, most=2)).encode()
    characters = b"".join(bytes([n]) for n in range(256)) + b"0123456789ACDHJKQST,# \n" * 10
    taken = 0
    for at in range(1000):
        text = bytearray(EXAMPLE if at % 2 else base)
        text[rng.randrange(len(text))] = rng.choice(characters)
        taken += accepted(bytes(text))
    assert 0 < taken < 500


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300))
def test_random_bytes_are_refused_in_order(data):
    accepted(data)
    accepted(b"basra-record 1\n" + data)


WORDS = split(
    "rules egyptian classic set target 51 komi plain seats 1 2 3 4 teams seat Mona bot:easy date commit seed "
    "cut game dealer pack play take resign score cards basras jack-basras points total result 0,0 JC 9H 5D,3H"
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join), max_size=8))
def test_random_statements_are_refused_in_order(some):
    accepted(record(*some).encode())
    accepted((SEEDED + "\n".join(some)).encode())


# ---- limits ----------------------------------------------------------------------------


class Endless(io.RawIOBase):
    """A file without end that counts what is read of it."""

    def __init__(self, begin, again):
        self.waiting = begin
        self.again = again
        self.given = 0

    def readable(self):
        return True

    def readinto(self, buffer):
        while len(self.waiting) < len(buffer):
            self.waiting += self.again * (1 + len(buffer) // len(self.again))
        buffer[:] = self.waiting[: len(buffer)]
        self.waiting = self.waiting[len(buffer) :]
        self.given += len(buffer)
        return len(buffer)


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_line_has_at_most_4096_bytes(end):
    comment = b"basra-record 1\n# " + b"x" * (LONGEST_LINE - 2)
    assert read_text(comment + end).size == len(comment + end)
    assert refused(comment + b"x" + end) == "match.basra:2: the line is longer than 4096 bytes"
    assert read_text(comment).warning
    assert "longer" in refused(comment + b"xxx")


@pytest.mark.parametrize(
    ("begin", "line"), [(b"", 1), (b"basra-record 1\n", 2), (b"basra-record 1\n\n# ", 3)]
)
def test_a_line_without_end_is_refused_without_reading_it(begin, line):
    stream = Endless(begin, b"x")
    with pytest.raises(BadRecord) as caught:
        read(io.BufferedReader(stream))
    assert caught.value.line == line
    assert stream.given < 3 * 8192


def test_a_file_has_at_most_16_mebibytes():
    comment = b"#" + b"x" * 4094 + b"\n"
    fill = b"basra-record 1\n" + comment * ((LARGEST_FILE - 15) // 4096)
    fill += b"#" * (LARGEST_FILE - len(fill) - 1) + b"\n"
    assert read_text(fill).size == LARGEST_FILE
    assert "the record is larger than 16 MiB" in refused(fill + b"\n")
    stream = Endless(b"basra-record 1\n", comment)
    with pytest.raises(BadRecord, match="larger than 16 MiB"):
        read(io.BufferedReader(stream))
    assert stream.given <= LARGEST_FILE + 2 * 8192


def test_a_record_has_at_most_10000_games(monkeypatch):
    assert MOST_GAMES == 10_000
    monkeypatch.setattr("basra.record.MOST_GAMES", 3)
    rng = random.Random(3)
    text = written(played(Rules(target=100_000), Seats(2), rng, seed="1", most=4))
    assert refused(text).endswith("the record has more than 3 games")
    assert read_text(text[: text.index("game 4")]).due == "game"


# ---- the manual ------------------------------------------------------------------------


def test_the_examples_of_the_manual_are_right():
    page = (Path(__file__).parents[1] / "man" / "basra-record.5").read_text(encoding="utf-8")
    shown = [part.partition("\n.Ed\n")[0] + "\n" for part in page.split(".Bd -literal -offset indent\n")[1:]]
    example = next(text for text in shown if text.startswith("basra-record 1"))
    assert written(read_text(example)) == example
    order = next(text for text in shown if text.startswith("AH 8D"))
    assert order.split() == list(map(name, pack_of("42", 1)))
    for start in (pack_of("42", 2)[:8], pack_of("42", 1, "hello")[:8]):
        assert f".Ql {' '.join(map(name, start))}" in page
    assert next(text for text in shown if text.startswith("score")) in EXAMPLE.decode()


def test_the_manual_names_every_key_with_its_values():
    page = (Path(__file__).parents[1] / "man" / "basra-record.5").read_text(encoding="utf-8")
    rows = [line for line in page.split("\n") if line.startswith(".It Li ")]
    for row, key in zip(rows, KEYS.values()):
        values = [key.write(getattr(rules, key.name)) for rules in NAMED.values()]
        assert row.startswith(f".It Li {key.name} Ta {' Ta '.join(values)} Ta ")
    assert len(rows) == len(KEYS)


# ---- statements in a script ------------------------------------------------------------


def checked(text, match):
    check_statement(split(text), match)


def test_a_script_checks_game_score_and_result():
    match = Match(Rules(target=1000), seed="42")
    checked("game 1 dealer 1", match)
    for wrong, message in (
        ("game 2 dealer 1", "game 2 is wrong: it is 1"),
        ("score 1 cards", "no game has just ended"),
    ):
        with pytest.raises(Illegal, match=message):
            checked(wrong, match)
    match.begin_game()
    checked("GAME 1 Dealer 1 # just begun", match)
    rng = random.Random(1)
    match.play(match.game.legal_plays()[0])
    with pytest.raises(Illegal, match="game 1 is being played"):
        checked("game 1 dealer 1", match)
    while not match.waiting:
        match.play(rng.choice(match.game.legal_plays()))
    score = next(line for line in lines(match) if line.startswith("score"))
    checked(score.rstrip().replace(",", " , "), match)
    match.begin_game()
    checked(score.rstrip(), match)
    checked("game 2 dealer 2", match)
    with pytest.raises(Illegal, match="score 2 is wrong: it is 1"):
        checked(score.rstrip().replace("score 1", "score 2"), match)
    with pytest.raises(Illegal, match="there is no result to check"):
        checked("result 1 total 0,0", match)
    match.resign()
    checked(f"result {match.outcome.winner} total {','.join(map(str, match.totals))}", match)
    with pytest.raises(Illegal, match="the match is over"):
        checked("game 3 dealer 1", match)


@pytest.mark.parametrize("text", ["", "play QC", "seed 1", "score", "result", "game 1", "score 1 cards 1"])
def test_a_script_statement_that_cannot_be_read_is_refused(text):
    match = read_text(EXAMPLE).match
    with pytest.raises(BasraError):
        checked(text, match)
