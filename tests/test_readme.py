"""The examples of README.md do what they show."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import basra

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = {
    kind: re.findall(rf"^```{kind}\n(.*?)^```$", README, re.M | re.S)
    for kind in ("console", "python", "pycon")
}
SESSIONS = [block for block in BLOCKS["console"] if "\n> " in block]
COMMANDS = [block for block in BLOCKS["console"] if "\n> " not in block]
BASRA = f'basra() {{ "{sys.executable}" "{ROOT / "basra_cli.py"}" "$@"; }}\n'


def run(script, text="", state="/nonexistent"):
    """Run a shell script that may call basra, and return all it writes."""
    result = subprocess.run(
        ["sh", "-c", BASRA + script],
        input=text,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(state)},
        timeout=60,
    )
    return result.stdout


@pytest.mark.parametrize("block", COMMANDS, ids=range(len(COMMANDS)))
def test_a_command_prints_what_is_shown(block):
    commands = "\n".join(line[2:] for line in block.splitlines() if line.startswith("$ "))
    shown = "".join(line for line in block.splitlines(keepends=True) if not line.startswith("$ "))
    assert run(commands) == shown


@pytest.mark.parametrize("block", SESSIONS, ids=range(len(SESSIONS)))
def test_a_session_goes_as_it_is_shown(block, tmp_path):
    """What is typed there is typed here too; a pipe shows letters for suits and no echo."""
    lines = block.splitlines()
    command = lines[0].removeprefix("$ ")
    typed = [line[2:] for line in lines if line.startswith("> ")]
    told = run(f"{command} -i --pace 0", "\n".join(typed) + "\n", tmp_path)
    for symbol, letter in zip("♣♦♥♠", "CDHS"):
        block = block.replace(symbol, letter)
    shown = re.sub(r"^> .*\n", "> ", block.partition("\n")[2], flags=re.M)
    assert told.startswith(shown.removesuffix("> "))


@pytest.mark.parametrize("block", BLOCKS["python"], ids=range(len(BLOCKS["python"])))
def test_the_library_example_runs(block, capsys):
    exec(compile(block, "README.md", "exec"), {})
    winner, *totals = map(int, re.findall(r"\d+", capsys.readouterr().out))
    assert totals[winner - 1] == max(totals) >= 101


@pytest.mark.parametrize("block", BLOCKS["pycon"], ids=range(len(BLOCKS["pycon"])))
def test_a_session_of_python_prints_what_is_shown(block):
    example = doctest.DocTestParser().get_doctest(block, {"basra": basra}, "README.md", None, None)
    assert example.examples
    assert not doctest.DocTestRunner().run(example).failed


def test_there_is_one_of_each_kind_of_example():
    assert SESSIONS
    assert COMMANDS
    assert BLOCKS["python"]
    assert BLOCKS["pycon"]
