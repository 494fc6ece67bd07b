"""What several tests need: the program in a folder of its own, and programs that play."""

import shlex
import sys

import pytest
from terminals import in_process


@pytest.fixture
def basra(monkeypatch, tmp_path):
    """Run the program in this process, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def run(*arguments, **more):
        return in_process(monkeypatch, *map(str, arguments), **more)

    return run


OUTSIDE = """
import os, sys, time
NINE = "AC 2C 3C 4C 5C 6C 7C 8C 9C".split()
sys.stdin.readline()
print("basra-protocol 1 test 1", flush=True)
asked = {}
for line in sys.stdin:
    key, _, value = line.strip().partition(" ")
    asked[key] = value
    if key == "choose":
        DO
"""


@pytest.fixture
def program(tmp_path):
    """Write a program that does something when it is asked, and return its name as a player."""

    def write(name, what):
        path = tmp_path / f"{name}.py"
        path.write_text(OUTSIDE.replace("DO", what))
        return f"cmd:{shlex.quote(sys.executable)} -ISu {shlex.quote(str(path))}"

    return write
