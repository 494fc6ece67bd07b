"""The program at a real terminal: a pseudo-terminal, typed at and hung up on."""

import hashlib
import re
import signal
import subprocess
import sys

import pytest
from terminals import LONG, PROGRAM, Terminal, as_program, clean_environment, settle

TEA = ["--seed", "a8ba7c16d02d012c48998a32a412447d4d93cad9441576f4bbb0ae6bab8cd4f9", "--cut", "tea"]
PLAY = ["play", "--against", "easy", "--pace", "0", *TEA]
HAND = "  hand    A♦  2♦  3♣  9♥\n> "
END = "\x04"


@pytest.fixture
def terminal(tmp_path):
    """Open terminals that are hung up on at the end."""
    opened = []

    def begin(*arguments, **more):
        opened.append(Terminal(tmp_path, *arguments, **more))
        return opened[-1]

    yield begin
    for each in opened:
        each.__exit__()


def test_a_whole_match_against_normal_is_played_to_the_target(terminal):
    """Each turn lists the plays and takes the first, until somebody has 10 points."""
    here = terminal("play", "--against", "normal", "--pace", "0", "--target", "10", "--color", "never")
    here.expect("Cut it with any words (Enter for none): ")
    text = here.answer("tea")
    for _ in range(2000):
        if "wins the match" in text or "win the match" in text:
            break
        text = here.answer("" if "Enter deals game" in text else "moves")
        if re.search(r"^  1  ", text, re.MULTILINE):
            text = here.answer("1")
    assert re.search(r"^(You win|North wins) the match, \d+ to \d+, in \d+ games?\.$", text, re.MULTILINE)
    assert "Enter plays another match, quit leaves.\n> " in text
    (sealed,) = re.findall(r"Pack sealed: ([0-9a-f]{64})", here.text)
    (seed,) = re.findall(r"^seed ([0-9a-f]{64})$", here.text, re.MULTILINE)
    assert "cut tea" in text
    assert sealed == hashlib.sha256(f"basra 1\ncommit\nseed {seed}\n".encode()).hexdigest()
    here.type("quit\n")
    assert here.end()[0] == 0
    assert "\x1b[" not in here.text
    assert not re.search(r"[\x00-\x08\x0b-\x1f]", here.text.replace("\x1b", ""))


def test_a_match_begins_with_a_greeting_and_the_position_next_to_the_prompt(terminal):
    here = terminal(*PLAY, "--color", "never")
    text = here.expect("\n> ")
    assert text.startswith("Basra.  A match to 101 against North (easy), rule set egyptian.\n")
    assert "Game 1.  You 0, North 0.  North deals, you play first.\nDeal 1 of 6.\n" in text
    assert text.endswith("  ground  2♣  2♥  4♥  5♣\n" + HAND)
    assert "Pack sealed" not in text


def test_enter_plays_nothing(terminal):
    here = terminal(*PLAY)
    here.expect("\n> ")
    assert here.answer("", "> ") == "\n> "
    assert here.answer("   ", "> ") == "   \n> "


def test_a_refusal_is_one_line_and_the_prompt_again(terminal):
    here = terminal(*PLAY)
    here.expect("\n> ")
    assert here.answer("hnad") == "hnad\nhnad is not a command: did you mean hand?\n> "
    assert "3♣ cannot take 2♣,2♥: 2+2 is 4, not 3" in uncoloured(here.answer("3c 2 2"))
    assert uncoloured(here.answer("hand")).endswith(HAND)


def uncoloured(text):
    return re.sub(r"\x1b\[\d*m", "", text)


def test_tab_completes_commands_cards_and_what_can_be_taken(terminal):
    here = terminal(*PLAY)
    here.expect("\n> ")
    here.type("sco\t")
    here.expect("score")
    assert "match 0:0 of 101" in here.answer("")
    for typed, completed in (("pl", "play"), (" 9", "9h"), (" ta", "take"), (" 4", "4h"), (",5", "5c")):
        here.type(typed + "\t")
        here.expect(completed)
    text = uncoloured(here.answer(""))
    assert "You play 9♥ and take 4♥ 5♣ (4+5).\n" in text


def test_tab_knows_nothing_of_other_hands(terminal):
    here = terminal(*PLAY)
    here.expect("\n> ")
    here.type("play 7\t\t")
    here.type("h\n")
    assert "7♥ is not in your hand" in uncoloured(here.expect("\n> "))


def test_the_line_before_comes_back_with_the_arrow_key(terminal):
    here = terminal(*PLAY)
    here.expect("\n> ")
    here.answer("moves 2d")
    here.type("\x1b[A")
    here.expect("moves 2d")
    assert "2♦ takes 2♣ 2♥" in uncoloured(here.answer(""))


def test_an_interrupt_drops_the_line(terminal):
    here = terminal(*PLAY)
    here.expect("\n> ")
    here.type("resi")
    here.expect("resi")
    here.interrupt()
    here.expect("\n> ")
    here.type("resi")
    here.expect("resi")
    here.interrupt()
    here.expect("\n> ")
    assert uncoloured(here.answer("hand")).endswith(HAND)


def test_who_comes_back_from_another_job_sees_prompt_and_line_again(terminal):
    here = terminal(*PLAY, "--color", "never")
    here.expect("\n> ")
    here.type("ha")
    here.expect("ha")
    here.process.send_signal(signal.SIGSTOP)
    here.process.send_signal(signal.SIGCONT)
    here.expect("> ha")
    here.type("nd\n")
    assert here.expect("\n> ").endswith(HAND)


def test_an_interrupt_twice_at_an_empty_line_leaves(terminal):
    here = terminal(*PLAY)
    here.expect("\n> ")
    here.interrupt()
    assert "interrupt again to leave" in here.expect("\n> ").lower()
    here.interrupt()
    assert here.end()[0] == 130
    assert "Traceback" not in here.text


def test_an_interrupt_while_the_computer_waits_goes_back_to_the_prompt(terminal):
    here = terminal("play", "--against", "easy", "--pace", "60", *TEA)
    here.expect("\n> ")
    here.answer("3c", "You drop")
    here.interrupt()
    assert "North stopped." in here.expect("\n> ")
    assert "it is the turn of North" in here.answer("ad")
    here.type("quit\n")
    assert here.end()[0] == 0


def test_the_end_of_input_leaves_in_order(terminal):
    here = terminal(*PLAY)
    here.expect("\n> ")
    here.type(END)
    status, text = here.end()
    assert status == 0
    assert text.endswith("\n")


def test_quit_leaves_in_order(terminal):
    here = terminal(*PLAY)
    here.expect("\n> ")
    here.type("q\n")
    assert here.end()[0] == 0


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_terminate_and_hang_up_leave_in_order(terminal, number, status):
    here = terminal(*PLAY)
    here.expect("\n> ")
    here.signal(number)
    assert here.end()[0] == status
    assert "Traceback" not in here.text


def test_a_terminal_that_is_closed_ends_the_program_with_129(terminal):
    here = terminal(*PLAY)
    here.expect("\n> ")
    here.close()
    assert here.process.wait(LONG) == 129


def test_a_terminal_that_is_closed_while_the_computer_waits_ends_the_program_with_129(terminal):
    here = terminal("play", "--against", "easy", "--pace", "60", *TEA)
    here.expect("\n> ")
    here.answer("3c", "You drop")
    here.close()
    assert here.process.wait(LONG) == 129


def test_a_match_that_was_hung_up_on_goes_on_where_it_stopped(terminal):
    here = terminal(*PLAY, "--color", "never")
    here.expect("\n> ")
    position = here.answer("3c").partition("North")[2]
    here.close()
    here.process.wait(LONG)
    there = terminal("resume", "--color", "never")
    assert there.expect("\n> ").endswith(position[position.index("  piles") :])


# ---- what a terminal can show ------------------------------------------------------------


def test_a_dumb_terminal_gets_no_escape_codes(terminal):
    here = terminal(*PLAY, TERM="dumb")
    here.expect("\n> ")
    here.answer("9h 4,5")
    here.type("quit\n")
    here.end()
    assert b"\x1b" not in here.data


def test_no_color_turns_colour_off(terminal):
    here = terminal(*PLAY, NO_COLOR="1")
    here.expect("\n> ")
    assert "\x1b[" not in here.text


def test_a_terminal_gets_colour_where_it_can_show_it(terminal):
    here = terminal(*PLAY)
    assert "\x1b[31m2♥\x1b[0m" in here.expect("\n> ")


@pytest.mark.parametrize("option", [["--color", "never"], ["--ascii", "--color", "never"]])
def test_the_options_beat_the_terminal(terminal, option):
    here = terminal(*PLAY, *option)
    text = here.expect("\n> ")
    assert "\x1b[" not in text
    assert ("2H" in text) == ("--ascii" in option)


@pytest.mark.parametrize(
    ("locale", "name"),
    [
        ({"LC_ALL": "C"}, b"Zo? ?"),
        ({"LC_ALL": "POSIX"}, b"Zo? ?"),
        ({"LC_ALL": "", "LANG": "C"}, b"Zo? ?"),
        ({"LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "ascii"}, b"Zo? ?"),
        ({"LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "latin-1"}, b"Zo\xeb ?"),
    ],
    ids=str,
)
def test_a_terminal_that_cannot_show_suits_gets_letters_and_no_byte_outside(terminal, locale, name):
    here = terminal("play", "--people", *TEA, "--name", "Zoë ♦", TERM="dumb", **locale)
    here.expect(", ready? ")
    here.answer("")
    here.answer("hand")
    here.type("quit\n")
    assert here.end()[0] == 0
    assert name + b", ready? " in here.data
    assert b"2H" in here.data
    assert here.data.replace(name, b"").isascii()


def test_lines_fit_the_terminal(terminal):
    here = terminal(*PLAY, columns=40)
    text = uncoloured(here.expect("\n> "))
    assert max(map(len, text.splitlines())) <= 40
    assert "  match 0:0 of 101   North holds 4\n" in text


def test_columns_beats_the_width_of_the_terminal(terminal):
    here = terminal(*PLAY, columns=80, COLUMNS="30")
    text = uncoloured(here.expect("\n> "))
    assert max(map(len, text.splitlines())) <= 30


def test_words_ask_in_words(terminal):
    here = terminal(*PLAY, "--words")
    text = here.expect("Your turn: ")
    assert "Hand: ace of diamonds, two of diamonds, three of clubs, nine of hearts.\nYour turn: " in text
    assert "Two of diamonds" in here.answer("moves 2d", "Your turn: ")


# ---- odd input -----------------------------------------------------------------------------


def test_bytes_that_are_not_text_are_refused_at_a_terminal(terminal):
    here = terminal(*PLAY, TERM="dumb")
    here.expect("\n> ")
    here.type(b"\xff\xfe\n")
    assert "not" in here.expect("\n> ")
    assert uncoloured(here.answer("hand")).endswith(HAND)


def test_a_long_line_is_refused_at_a_terminal(terminal):
    here = terminal(*PLAY, TERM="dumb")
    here.expect("\n> ")
    here.type("x" * 6000 + "\n")
    assert "the line is too long: at most 4,096 bytes" in here.expect("bytes\n> ")
    assert uncoloured(here.answer("hand")).endswith(HAND)


# ---- several people -----------------------------------------------------------------------


def test_people_at_one_keyboard_see_their_own_hand_only(terminal):
    """After the blank screenful nothing of the next hand until Enter."""
    here = terminal("play", "--people", "--color", "never", *TEA)
    before = here.expect("South, ready? ")
    assert "9♥" not in before
    assert "South   A♦  2♦  3♣  9♥\n> " in here.answer("")
    between = here.answer("9h 4,5", "North, ready? ")
    assert "\n" * 24 in between
    blank = between.rpartition("\n" * 24)[2]
    assert not re.search("[♣♦♥♠]", blank)
    here.type("\t\t")
    asked = here.answer("hand", "North, ready? ")
    assert not re.search("[♣♦♥♠]|jd|7h", asked)
    shown = here.answer("")
    assert "South plays 9♥ and takes 4♥ 5♣ (4+5)." in shown
    assert shown.endswith("  North   3♦  7♥  10♥  J♦\n> ")


# ---- without a terminal --------------------------------------------------------------------


def begin(tmp_path, *arguments, **more):
    return subprocess.Popen(
        [sys.executable, PROGRAM, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=clean_environment(tmp_path),
        cwd=tmp_path,
        **more,
    )


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_ends_a_script_with_its_number(tmp_path, number, status):
    with begin(tmp_path, "play", "--people", "--seed", "42") as program:
        assert program.stdout.readline().startswith(b"Game 1.")
        settle(program)
        program.send_signal(number)
        out, err = program.communicate(timeout=LONG)
    assert program.returncode == status
    assert b"Traceback" not in out + err
    assert err == b""


def test_a_closed_pipe_ends_the_program_quietly_with_141(tmp_path):
    with begin(tmp_path, "play", "--people", "--seed", "42") as program:
        program.stdout.readline()
        program.stdout.close()
        program.stdin.write(b"moves\n" * 2000)
        program.stdin.close()
        assert program.wait(LONG) == 141
        assert program.stderr.read() == b""


def test_a_person_behind_a_pipe_is_prompted_with_i(tmp_path):
    run = as_program(tmp_path, *PLAY, "-i", typed="xx\n\nquit\n")
    assert run.status == 0
    assert run.err == ""
    assert "> xx is not a command: help lists them\n> > " in run.out
