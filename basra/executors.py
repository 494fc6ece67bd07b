"""Who does the work of many matches: processes of this machine, or a cluster.

An executor is given a function and ranges of numbers, and yields what the function returns
for each range, in any order.  It takes the ranges only as it needs them.  An interrupt, which
may also be thrown into it, makes it break off: it yields what can still be had, and ends.
"""

from __future__ import annotations

import errno
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from itertools import islice
from time import sleep
from typing import TYPE_CHECKING, Any

from .errors import BasraError, Unreadable, about

if TYPE_CHECKING:
    from types import FrameType

Work = Callable[[range], Any]
Executor = Callable[[Work, Iterable[range]], Iterable[Any]]

_GRACE = 5.0  # seconds that a process has to end
_LOOK = 0.5  # seconds between two looks at whether that which started a process is there
_ANSWER = 10.0  # seconds that Dask's scheduler has to answer


class BrokenOff(KeyboardInterrupt):
    """An interrupt of work on a range: `done` is what was made of the first part of it."""

    def __init__(self, done: Any) -> None:
        super().__init__()
        self.done = done


_ENDING = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}  # the signals that end a process
_ERRORS = BasraError, OSError  # what of work is not the fault of a cluster


def _made(answer: Any) -> Any:
    """Return what was made of some work; raise what that raised."""
    if isinstance(answer, BaseException):
        raise answer
    return answer


def _without_errors(answers: Iterable[Any]) -> list[Any]:
    return [answer for answer in answers if not isinstance(answer, BaseException)]


# ---- processes -------------------------------------------------------------------------


@contextmanager
def processes(jobs: int) -> Iterator[Executor]:
    """Give an executor that works in up to `jobs` processes; afterwards they have ended."""
    helpers: list[Helper] = []

    def run(work: Work, ranges: Iterable[range]) -> Iterator[Any]:
        context = _context()
        left = iter(ranges)
        busy: dict[Any, Helper] = {}
        answers: list[Any] = []
        try:
            for _, units in zip(range(jobs), left):
                with (
                    _masked(signal.SIG_BLOCK) as before,
                    about(f"process {len(helpers) + 1} of {jobs}"),
                ):
                    helpers.append(Helper(work, context, before))
                    helpers[-1].give(units)
                    busy[helpers[-1].pipe] = helpers[-1]
            while busy:
                for pipe in _ready(busy):
                    with _masked(signal.SIG_BLOCK):
                        answers.append(busy[pipe].answer())
                        more = next(left, None)
                        busy[pipe].give(more)
                        if more is None:
                            del busy[pipe]
                while answers:
                    yield answers.pop()
        except KeyboardInterrupt:
            with _masked(signal.SIG_BLOCK):
                for helper in busy.values():
                    helper.interrupt()
                for helper in busy.values():
                    answers += helper.last()
            yield from answers

    try:
        yield run
    finally:
        with _masked(signal.SIG_BLOCK):
            for helper in helpers:
                helper.interrupt()
            for helper in helpers:
                helper.pipe.close()
            for helper in helpers:
                helper.end()


def _context() -> Any:
    """Return how processes are started: copied where that is safe, which takes no time, else afresh."""
    from multiprocessing import get_context

    with suppress(OSError):  # only Linux lists the threads, those of other languages too
        if len(os.listdir("/proc/self/task")) == 1:
            return get_context("fork")
    from multiprocessing.resource_tracker import ensure_running

    ensure_running()  # which would let interrupts through, were it done by the first start
    return get_context("spawn")


def _ready(pipes: Iterable[Any]) -> list[Any]:
    """Wait until there is something in one of the pipes at least."""
    from multiprocessing.connection import wait

    return wait(list(pipes))


@contextmanager
def _masked(how: int) -> Iterator[set[int]]:
    """Let the signals that end a process through, or have them wait; give what waited before."""
    before = signal.pthread_sigmask(how, _ENDING)
    try:
        yield before
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Helper:
    """A process that works, seen from the one that started it.

    It is started with all that would end it held back, and lets that through only while it works,
    as an interrupt; `before` is what was held back before that.
    """

    def __init__(self, work: Work, context: Any, before: set[int]) -> None:
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(
            target=_serve, args=(theirs, self.pipe, work, before, os.getpid()), daemon=True
        )
        self.process.start()
        theirs.close()

    def give(self, units: range | None) -> None:
        """Give it work, or none: then it ends."""
        with suppress(OSError):  # it is not there any more; its answer will tell
            self.pipe.send(units)

    def answer(self) -> Any:
        """Return what it made of its work; raise what that raised."""
        try:
            answer = self.pipe.recv()
        except (EOFError, OSError):
            self.process.join(_GRACE)
            status = self.process.exitcode
            how = (
                f"was ended by signal {-status}" if (status or 0) < 0 else f"ended, with exit status {status}"
            )
            raise ChildProcessError(
                errno.ECHILD, f"it worked for this one and {how}", f"process {self.process.pid}"
            ) from None
        return _made(answer)

    def interrupt(self) -> None:
        """Have it break off, and end."""
        if self.process.pid and self.process.exitcode is None:
            os.kill(self.process.pid, signal.SIGINT)
        self.give(None)

    def last(self) -> list[Any]:
        """Return what it made of its work before it was interrupted."""
        answers = []
        with suppress(EOFError, OSError):
            while self.pipe.poll(_GRACE):
                answers.append(self.pipe.recv())
        return _without_errors(answers)

    def end(self) -> None:
        """Wait until it has ended; one that takes long is killed."""
        self.process.join(_GRACE)
        if self.process.exitcode is None:
            self.process.kill()
            self.process.join()


def _serve(pipe: Any, theirs: Any, work: Work, before: set[int], parent: int) -> None:
    """Work in a process that was started for it, until there is no more to do, or nobody who asks."""
    theirs.close()  # else it would not be seen that who asks is gone
    for number in _ENDING:
        if number == signal.SIGINT or signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _once)
    signal.pthread_sigmask(signal.SIG_SETMASK, before | _ENDING)
    threading.Thread(target=_follow, args=(parent,), daemon=True).start()
    with suppress(EOFError, OSError), _masked(signal.SIG_BLOCK):  # an error: who asked is gone
        while (units := pipe.recv()) is not None:
            answer = None
            try:
                with _masked(signal.SIG_UNBLOCK):
                    answer = work(units)
            except KeyboardInterrupt as interrupt:
                answer = getattr(interrupt, "done", answer)
                if answer is not None:
                    pipe.send(answer)
                return
            except Exception as error:  # whatever the work raises is the answer, as without processes
                answer = error
            pipe.send(answer)


def _follow(parent: int) -> None:
    """Interrupt this process once that which started it is gone."""
    while os.getppid() == parent:
        sleep(_LOOK)
    os.kill(os.getpid(), signal.SIGINT)


def _once(_number: int, _frame: FrameType | None) -> None:
    """Be interrupted, but not again while what was done is gathered and programs are ended."""
    for number in _ENDING:  # not by SIG_IGN: of one that has come already Python would complain
        signal.signal(number, lambda _number, _frame: None)
    raise KeyboardInterrupt


# ---- a cluster -------------------------------------------------------------------------


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """Give an executor that works on the Dask cluster whose scheduler has that address.

    Raises `Unreadable` where `distributed` is not installed, and `OSError` where there is no
    scheduler, or it is lost.
    """
    from asyncio import wait_for

    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise Unreadable(
            "a cluster needs the package distributed, which is not installed: pip install {extra}",
            extra="'basra[cluster]'",
        ) from None

    def run(work: Work, ranges: Iterable[range]) -> Iterator[Any]:
        left = iter(ranges)
        waiting: set[Any] = set()
        try:
            while True:
                with _far_away(address):
                    ahead = 2 * sum(client.nthreads().values()) or 1
                    for units in islice(left, max(0, ahead - len(waiting))):
                        waiting.add(client.submit(_alone, work, units, pure=False))
                    if not waiting:
                        return
                    done = distributed.wait(waiting, return_when="FIRST_COMPLETED").done
                    answers = client.gather(list(done))
                    waiting -= done
                yield from map(_made, answers)
        except KeyboardInterrupt:
            with _far_away(address):
                done = {future for future in waiting if future.status == "finished"}
                client.cancel(list(waiting - done))
                answers = client.gather(list(done), errors="skip")
            yield from _without_errors(answers)

    async def knock() -> None:
        """Speak to the scheduler first: a client that finds none makes a mess."""
        how = distributed.Security().get_connection_args("client")
        comm = await distributed.comm.connect(address, timeout=_ANSWER, **how)
        await comm.close()

    try:
        # In a thread of its own, as a notebook has a loop in this one.
        distributed.utils.LoopRunner().run_sync(wait_for, knock(), _ANSWER)
        client = distributed.Client(address, set_as_default=False, timeout=_ANSWER)
    except Exception:
        raise OSError(errno.EHOSTUNREACH, "no Dask scheduler answers there", address) from None
    with client, client.as_current():
        yield run


@contextmanager
def _far_away(address: str) -> Iterator[None]:
    """Let whatever goes wrong in a cluster, but for the work, be an error of the system."""
    try:
        yield
    except Exception as error:
        cause: BaseException = error
        while cause.__cause__:
            cause = cause.__cause__
        text = f"the cluster cannot play ({type(cause).__name__}: {str(cause).partition(chr(10))[0]})"
        raise OSError(errno.ECONNRESET, text, address) from error


_turn = threading.Lock()


def _alone(work: Work, units: range) -> Any:
    """Work while no other thread of this process does: the tables of the players are for one."""
    with _turn:
        try:
            return work(units)
        except _ERRORS as error:
            return error
