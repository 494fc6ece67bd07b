"""Kill a match at a terminal at random moments, and go on: every play that was shown must be there.

PYTHONPATH=. python tests/benchmarks/kill.py [TIMES]
"""

import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from terminals import Terminal
from typist import PLAIN, killed, my_line, only, plays_shown, plays_written, read_file, typed

LINES = typed(70, seed="kill")
BEGIN = ("play", "--seed", "kill", "--target", "1000")


def whole(folder):
    """Play all lines; return how long that took and the plays that the record has then."""
    with Terminal(folder, *BEGIN, **PLAIN) as terminal:
        terminal.expect("\n> ")
        began = time.monotonic()
        for line in LINES:
            terminal.answer(line)
        took = time.monotonic() - began
        terminal.type("quit\n")
        assert terminal.end()[0] == 0
    return took, plays_written(read_file(only(folder)))


def once(folder, moment, plays):
    """Kill a match at a moment and go on with it; return how many plays had been shown, or None."""
    with Terminal(folder, *BEGIN, **PLAIN) as terminal:
        shown = killed(terminal, LINES[:-10], moment)
    if shown is None:
        return None
    path = only(folder)
    data = path.read_bytes()
    record = read_file(path)
    written = plays_written(record)
    told = plays_shown(shown)
    assert told == written[: len(told)], "a play that was shown is not in the record"
    assert written == plays[: len(written)], "the record is not that of the match"
    with Terminal(folder, **PLAIN) as terminal:
        terminal.expect("This match goes on where it stopped.")
        terminal.expect("\n> ")
        for _ in range(5):
            terminal.answer(my_line(read_file(path).match))
        terminal.type("quit\n")
        assert terminal.end()[0] == 0
    after = plays_written(read_file(path))
    assert len(after) > len(written), "it did not go on"
    assert after == plays[: len(after)], "it did not go on as it would have"
    assert path.read_bytes().startswith(data[: record.size]), "what was there has changed"
    return len(told)


def main():
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    rng = random.Random(times)
    with tempfile.TemporaryDirectory() as folder:
        took, plays = whole(Path(folder))
    print(f"{len(LINES)} lines, {len(plays)} plays take {took:.2f} s", flush=True)
    done = 0
    shown = []
    while done < times:
        with tempfile.TemporaryDirectory() as folder:
            told = once(Path(folder), rng.uniform(0, took), plays)
        if told is not None:  # else the lines were at their end before the moment
            done += 1
            shown.append(told)
            print(f"\r{done}", end="", flush=True)
    print(f"\r{done} of {times} went on with every play that was shown: {min(shown)} to {max(shown)} plays")


if __name__ == "__main__":
    main()
