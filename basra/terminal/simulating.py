"""Many matches asked for on the command line: who works, how far it has come, what is printed."""

from __future__ import annotations

import json
import logging
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType
from typing import NoReturn

from ..executors import Executor, cluster
from ..results import Result
from ..simulation import simulate
from . import opening
from .console import Terminated
from .look import standard_output, width
from .tables import results
from .writing import _

_SHOWN = 0.1  # seconds between two times that progress is shown


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def pace(seconds: float) -> str:
    """Say how many matches a second there are, from the seconds that one takes."""
    return _("{number:.3g} a second").format(number=1 / seconds) if seconds else ""


def run(options: opening.Options, progress: Callable[[int, int], object]) -> Result:
    """Play the matches between those whom the options name as opponents."""
    shown = 0.0

    def show(done: int, total: int) -> None:
        nonlocal shown
        if done == total or monotonic() - shown >= _SHOWN:
            shown = monotonic()
            progress(done, total)

    def play(executor: Executor | None) -> Result:
        return simulate(
            options.against,
            options.n,
            games=options.games,
            rules=opening.rules(options),
            seats=opening.seats(options) if options.seats or options.teams else None,
            seed=options.seed,
            paired=options.paired,
            jobs=options.jobs or cores(),
            executor=executor,
            records=options.records,
            progress=show,
        )

    with _signals():
        if options.cluster is None:
            return play(None)
        with cluster(options.cluster) as executor:
            for name in ("distributed", "distributed.client"):
                logging.getLogger(name).setLevel(logging.CRITICAL + 1)  # what matters is raised
            return play(executor)


@contextmanager
def _signals() -> Iterator[None]:
    """Leave in order when the program is told to end: what was started ends too."""

    def arrived(number: int, _frame: FrameType | None) -> NoReturn:
        raise Terminated(number)

    numbers = signal.SIGTERM, signal.SIGHUP
    before = [signal.getsignal(number) for number in numbers]
    for number, handler in zip(numbers, before):
        if handler is not signal.SIG_IGN:
            signal.signal(number, arrived)
    try:
        yield
    finally:
        for number, handler in zip(numbers, before):
            signal.signal(number, handler)


def tell(options: opening.Options, result: Result) -> int:
    """Print a result and return the exit status: that of an interrupt if it is not whole."""
    out = standard_output(guest=options.guest)
    lines = [json.dumps(result.to_json())] if options.as_json else results(result, width())
    out.write("".join(f"{line}\n" for line in lines))
    out.flush()
    return 0 if result.whole else 128 + signal.SIGINT
