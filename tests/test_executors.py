"""Who does the work of many matches: processes, what ends them, and a cluster."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import pytest
from helpers import RANDOM, figures, without_times
from terminals import LONG, as_program, clean_environment

from basra import Unreadable, simulate
from basra.cards import check_text
from basra.executors import cluster, processes
from basra.players import Player

ROOT = Path(__file__).parents[1]


# ---- processes ---------------------------------------------------------------------------


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are seen in /proc")
def test_a_process_is_not_copied_beside_a_thread_of_whatever_kind():
    """One that the module `threading` knows nothing of is as one of a library in C."""
    script = """
import _thread, os, time
from basra.executors import _context
print(_context().get_start_method())
_thread.start_new_thread(time.sleep, (100,))
print(_context().get_start_method(), flush=True)
os._exit(0)
"""
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert run.stdout.split() == ["fork", "spawn"]


def test_more_processes_than_there_is_work_for_are_not_waited_for():
    shared = simulate(["greedy", "random"], 4, games=True, seed="e", jobs=10**20)
    assert figures(shared) == figures(simulate(["greedy", "random"], 4, games=True, seed="e"))


@pytest.mark.parametrize("error", [Unreadable("{what} went wrong", what="this"), ZeroDivisionError("mine")])
def test_what_a_player_raises_comes_through_from_a_process(error, capfd):
    with pytest.raises(type(error), match=str(error)), processes(1) as run:
        list(run(partial(_fails, error), [range(1)]))
    assert capfd.readouterr().err == ""


def _fails(error, units):
    raise error


def test_what_the_processes_had_done_when_they_were_interrupted_is_not_lost(tmp_path):
    """Neither has finished its range of 500 packs, and each has written some records."""

    def interrupt():
        until = time.monotonic() + LONG
        while len(list(tmp_path.iterdir())) < 10 and time.monotonic() < until:
            time.sleep(0.02)
        os.kill(os.getpid(), signal.SIGINT)

    def interrupted(work, ranges):
        with processes(2) as run:
            threading.Thread(target=interrupt).start()
            yield from run(work, [range(500), range(500, 1000)])

    result = simulate(["normal", "normal"], 1000, seed="r", executor=interrupted, records=tmp_path)
    assert 8 <= result.matches < 1000  # each was playing one more


def test_a_process_that_is_killed_ends_the_run(basra):
    with pytest.raises(ChildProcessError, match="ended by signal 9"), processes(1) as run:
        list(run(_dies, [range(1)]))


def test_more_processes_than_may_be_started_are_told_as_such(tmp_path):
    few = "import resource as r, sys; r.setrlimit(r.RLIMIT_NOFILE, (40, 40)); import basra_cli; "
    words = [sys.executable, "-c", few + "basra_cli.main()", *RANDOM, "-n", "1000", "--jobs", "100"]
    env = {**clean_environment(tmp_path), "PYTHONPATH": str(ROOT)}
    run = subprocess.run(words, env=env, capture_output=True, text=True, timeout=LONG)
    assert (run.returncode, run.stdout) == (1, "")
    assert re.fullmatch(r"basra: process \d+ of 100: Too many open files\n", run.stderr)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are found in /proc")
@pytest.mark.parametrize("thinking", [False, True])
def test_processes_end_when_who_started_them_is_killed(tmp_path, program, thinking):
    """Each copy of a process has ends of its pipes: none may keep another waiting, nor may a program."""
    words = [sys.executable, str(ROOT / "basra_cli.py"), *RANDOM]
    words += ["-n", "1000000", "--jobs", "3"]
    asked = tmp_path / "asked"
    asked.touch()
    if thinking:
        slow = program("slow", f"open({str(asked)!r}, 'a').write('*'); time.sleep(1000)")
        words = [sys.executable, "-c", THINKING.format(slow=slow)]
    run = subprocess.Popen(words, env={**clean_environment(tmp_path), "PYTHONPATH": str(ROOT)})
    try:
        assert _within(lambda: len(_children(run.pid)) >= 3)
        assert _within(lambda: len(asked.read_text()) == 3 or not thinking)
        there = _children(run.pid)
        there += [program for helper in there for program in _children(helper)]
        assert len(there) == (6 if thinking else 3)
    finally:
        run.kill()
        run.wait()
    assert _within(lambda: not any(map(_lives, there)))


THINKING = """
from dataclasses import replace
from basra import simulate
from basra.players import find
if __name__ == "__main__":
    simulate([replace(find({slow!r}), limit=1000.0), "random"], 100, jobs=3)
"""


def _children(pid):
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def _lives(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes() != b""  # nothing: it only waits to be forgotten
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are found in /proc")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_who_is_told_to_end_while_processes_start_ends(tmp_path, number, status):
    words = [sys.executable, str(ROOT / "basra_cli.py"), *RANDOM]
    for _ in range(5):
        run = subprocess.Popen(
            [*words, "-n", "1000000", "--jobs", "6"],
            env=clean_environment(tmp_path),
            stderr=subprocess.PIPE,
            text=True,
        )
        children = Path(f"/proc/{run.pid}/task/{run.pid}/children")
        try:
            assert _within(lambda there=children: there.read_text().split())
            run.send_signal(number)
            assert run.communicate(timeout=LONG) == (None, "")
        finally:
            run.kill()
        assert run.returncode == status


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are found in /proc")
@pytest.mark.parametrize("all_at_once", [True, False])
@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_no_program_is_left_by_who_is_told_to_end_even_twice(tmp_path, program, number, status, all_at_once):
    """As `timeout`, a lost connection and people without patience do it; the programs are deaf to it."""
    deaf = "".join(f"__import__('signal').signal({each}, 1); " for each in (signal.SIGTERM, signal.SIGHUP))
    asked = tmp_path / "asked"
    asked.touch()
    slow = program("slow", f"{deaf} open({str(asked)!r}, 'a').write('*'); time.sleep(1000)")
    words = [sys.executable, str(ROOT / "basra_cli.py"), "simulate", slow, "random", "-n", "300"]
    run = subprocess.Popen(
        [*words, "--jobs", "3"],
        env=clean_environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert _within(lambda: len(asked.read_text()) == 3)
        there = _children(run.pid)
        there += [program for helper in there for program in _children(helper)]
        for _ in range(2):
            (os.killpg if all_at_once else os.kill)(run.pid, number)
        assert run.communicate(timeout=LONG) == ("", "")
    finally:
        run.kill()
    assert run.returncode == status
    assert len(there) == 6
    assert _within(lambda: not any(map(_lives, there)))


def _within(what):
    """Say whether something comes to be in time."""
    until = time.monotonic() + LONG
    while not what() and time.monotonic() < until:
        time.sleep(0.001)
    return what()


def _dies(units):
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_process_that_lacks_what_a_program_needs_does_not_blame_the_program(tmp_path, program):
    few = "import resource as r; r.setrlimit(r.RLIMIT_NOFILE, (14, 14)); import basra_cli; basra_cli.main()"
    good = program("good", "print('play', min(asked['hand'].split(',')), flush=True)")
    words = [sys.executable, "-c", few, "simulate", good, "random", "-n", "4", "--jobs", "2"]
    env = {**clean_environment(tmp_path), "PYTHONPATH": str(ROOT)}
    run = subprocess.run(words, env=env, capture_output=True, text=True, timeout=LONG)
    assert (run.returncode, run.stdout) == (1, "")
    assert re.fullmatch(r"basra: .*: Too many open files\n", run.stderr)


# ---- a cluster -------------------------------------------------------------------------


def test_a_cluster_needs_its_package(basra, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    run = basra(*RANDOM, "-n", 1, "--cluster", "tcp://127.0.0.1:1")
    assert run.status == 2
    assert "basra[cluster]" in run.err


@pytest.fixture(scope="module")
def dask(tmp_path_factory):
    """Start a scheduler and two workers on the loopback; give its address and the workers."""
    pytest.importorskip("distributed", reason="distributed is not installed")
    folder = tmp_path_factory.mktemp("dask")
    told = folder / "scheduler.json"
    environment = clean_environment(folder)

    def start(what, *options):
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", "--scheduler-file", str(told)]
        return subprocess.Popen(
            [*command, "--no-dashboard", "--host", "127.0.0.1", *options],
            cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    started = [start("scheduler", "--port", "0")]
    try:
        until = time.monotonic() + LONG
        while not told.exists():
            assert time.monotonic() < until
            time.sleep(0.05)
        started += [start("worker", "--no-nanny", "--nthreads", "1") for _ in range(2)]
        yield json.loads(told.read_text())["address"], started[1:]
    finally:
        for process in started:
            process.kill()
            process.wait()


def test_a_cluster_gives_the_same_bytes(dask, tmp_path):
    address, _workers = dask
    shared = as_program(tmp_path, *RANDOM, "-n", "20", "--json", "--cluster", address)
    assert (shared.status, shared.err) == (0, "")
    alone = as_program(tmp_path, *RANDOM, "-n", "20", "--json", "--jobs", "1")
    assert without_times(shared.out) == without_times(alone.out)


class Unknown(Player):
    """A player that a cluster cannot import."""

    def choose(self, view, rng):
        return view.legal_plays()[0]


def test_a_cluster_that_cannot_play_is_told_as_such(dask):
    """What the players are is not known there: where the tests are is not on its path."""
    address, _workers = dask
    with cluster(address) as executor, pytest.raises(OSError, match="the cluster cannot play") as told:
        simulate([Unknown("one", "known here alone", 1, ""), "random"], 4, executor=executor)
    assert told.value.filename == address


def test_what_the_work_raises_comes_through_from_a_cluster(dask):
    address, _workers = dask
    with cluster(address) as executor, pytest.raises(Unreadable, match="empty"):
        list(executor(partial(check_text, "it"), [""]))


def test_who_is_no_scheduler_is_not_waited_for(monkeypatch):
    pytest.importorskip("distributed", reason="distributed is not installed")
    monkeypatch.setattr("basra.executors._ANSWER", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:  # it never answers
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(OSError, match="no Dask scheduler answers there"), cluster(address):
            pass


def test_a_worker_that_is_killed_costs_nothing_but_time(dask, tmp_path):
    address, workers = dask
    killed = []

    def progress(done, all):
        if done > 40 and not killed:
            workers[0].kill()
            killed.append(done)

    with cluster(address) as executor:
        shared = simulate(
            ["greedy", "random"], 400, seed="u", games=True, executor=executor, progress=progress
        )
    assert killed
    assert figures(shared) == figures(simulate(["greedy", "random"], 400, seed="u", games=True))
