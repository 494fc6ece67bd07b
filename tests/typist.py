"""What the tests of keeping share: a person who types a match, and what that match must come to."""

import random
import re
from itertools import islice

from basra import Match, View
from basra.players import find
from basra.record import read
from basra.shuffle import player_seed

ME = find("greedy")  # how the person chooses
PLAIN = {"BASRA_ASCII": "1", "BASRA_PACE": "0", "NO_COLOR": "1"}
_PLAY = re.compile(r"^(?:You|North|East|West) (?:drops?|plays?) (\w+)(?:\.| and )", re.MULTILINE)


def my_line(match):
    """Type what the person answers now: a play, or Enter where the next game is to be dealt."""
    if match.waiting:
        return ""
    return f"play {ME.choose(View.of(match, match.game.turn), random.Random(0))}"


def computer_moves_on(match, players):
    """Let the computer players play until the person is asked."""
    while not match.waiting and not match.outcome and match.game.turn in players:
        seat, game = match.game.turn, match.game
        seeded = random.Random(player_seed(match.seed, seat, len(match.games), len(game.plays)))
        match.play(find(players[seat]).choose(View.of(match, seat), seeded))


def typed_lines(match, players):
    """Yield what a person types in a whole match, Enter between two games; the match moves on with it."""
    match.begin_game()
    computer_moves_on(match, players)
    while not match.outcome:
        yield my_line(match)
        if match.waiting:
            match.begin_game()
        else:
            match.play(ME.choose(View.of(match, match.game.turn), random.Random(0)))
        computer_moves_on(match, players)


def typed(count=None, *, seed="42", players=None, **more):
    """List the first lines that a person types in the match of a seed."""
    return list(islice(typed_lines(Match(seed=seed, **more), players or {2: "normal"}), count))


def read_file(path):
    """Read a record from its file."""
    with path.open("rb") as stream:
        return read(stream, path.name)


def kept(folder):
    """List the records of a state folder, the oldest first."""
    return sorted((folder / "basra").glob("*.basra"), key=lambda path: (path.stat().st_mtime_ns, path.name))


def only(folder):
    """Return the only record of a state folder."""
    [path] = kept(folder)
    return path


def plays_shown(text):
    """List the cards that a session has told to be played, in whole lines."""
    return _PLAY.findall(text[: text.rfind("\n") + 1])


def plays_written(record):
    """List the cards that a record has as played."""
    return [str(play).split()[0] for game in record.match.games for play in game.plays]


def killed(terminal, lines, moment):
    """Type lines at a terminal, one a prompt, and kill the program after so many seconds.

    Return what it had shown then, or None if all lines were typed before.
    """
    import select
    import time

    terminal.expect("\n> ")
    until = time.monotonic() + moment
    for line in lines:
        terminal.type(line + "\n")
        while "\n> " not in terminal.text[terminal.seen :]:
            left = until - time.monotonic()
            if left <= 0 or not select.select([terminal.master], [], [], left)[0]:
                terminal.process.kill()
                terminal.process.wait()
                while terminal.more():
                    pass
                return terminal.text
            terminal.more()
        terminal.seen = terminal.text.index("\n> ", terminal.seen) + 3
    return None
