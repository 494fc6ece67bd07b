"""Matches on disk: kept while they are played, found again, never overwritten.

A kept match is a record that grows by whole lines, each on disk before the next prompt.
Its file is locked (`flock`) by the session that plays it, and the lock goes with the
process.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..engine import Match
from ..errors import BadRecord, BasraError, Illegal, about
from ..players import PLAYERS
from ..record import LARGEST_FILE, Record, Recorder, lines, read

PATIENCE = 1.0  # seconds, for another session to let go of a match

_ELSEWHERE = "; save FILE writes it elsewhere"  # ends what is said of a match that is not kept

Say = Callable[..., None]


class CannotKeep(Illegal):
    """A match cannot be kept or gone on with: a file is there already, locked, or over."""


class Locked(CannotKeep):
    """A match is being played in another session."""


def now() -> str:
    """Return the time as a record's `date` has it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def _append(descriptor: int, data: bytes) -> None:
    """Write at the end of a file and wait until it is on disk."""
    while data:
        data = data[os.write(descriptor, data) :]
    os.fsync(descriptor)


class File:
    """An open record that a match is written to, line by line.

    When writing fails, what was half written is taken back, it is said once through `say`,
    and the match goes on without.  What is missing is written as soon as that works again.
    """

    def __init__(self, path: Path, descriptor: int, say: Say) -> None:
        self.path = path
        self.descriptor = descriptor
        self.say = say
        self.size = os.fstat(descriptor).st_size
        self.missing = b""  # what could not be written so far

    def is_at(self, path: Path) -> bool:
        """Say whether a path leads to this file."""
        with suppress(OSError):
            return os.path.samestat(os.fstat(self.descriptor), path.stat())
        return False

    def close(self) -> None:
        """Let go of the file and its lock; one that nothing could be written to goes."""
        if not self.size:
            with suppress(OSError):
                self.path.unlink()
        os.close(self.descriptor)

    def keep(self, record: Record) -> None:
        """Write what the match has so far, and each thing that happens from now on."""
        record.match.listen(Recorder(record, self.write))

    def write(self, text: str) -> None:
        """Append whole lines and wait until they are on disk."""
        known = bool(self.missing)
        try:
            self.complete(text)
        except OSError as error:
            if not known:
                self.say(
                    "the match can no longer be kept in {path:whole}: {reason}; play on" + _ELSEWHERE,
                    path=str(self.path),
                    reason=error.strerror,
                )
        else:
            if known:
                self.say("the match is kept in {path:whole} again", path=str(self.path))

    def complete(self, text: str = "") -> None:
        """Append whole lines, after those that are missing.  Raises `OSError`; nothing is added then."""
        half_written = bool(self.missing)
        self.missing += text.encode()
        try:
            if not os.fstat(self.descriptor).st_nlink:
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
            if half_written:
                os.ftruncate(self.descriptor, self.size)
            _append(self.descriptor, self.missing)
        except OSError:
            with suppress(OSError):
                os.ftruncate(self.descriptor, self.size)
            raise
        self.size += len(self.missing)
        self.missing = b""


def create(path: Path, say: Say, mode: int = 0o666) -> File:
    """Create the file of a new match and lock it.  Raises `CannotKeep` if it is there, `OSError`."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC, mode)
    except FileExistsError:
        raise _is_there(path) from None
    try:
        with about(str(path)):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        path.unlink()
        raise
    with suppress(OSError):  # a folder that cannot be read, or a file system that has no need of it
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    return File(path, descriptor, say)


def _is_there(path: Path) -> CannotKeep:
    return CannotKeep("{path:whole} is there already: it is not overwritten", path=str(path))


# ---- the state folder ------------------------------------------------------------------


def state_folder() -> Path:
    """Return the folder of kept matches: `$XDG_STATE_HOME/basra`, by default `~/.local/state/basra`.

    Raises `OSError` where no home folder is known.
    """
    base = os.environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.expanduser("~/.local/state")
    if not os.path.isabs(base):
        raise FileNotFoundError(errno.ENOENT, "no home folder is known", "~/.local/state/basra")
    return Path(base, "basra")


def create_in_state(date: str, say: Say) -> File | None:
    """Create the file of a new match in the state folder; say so and return None where that fails."""
    try:
        folder = state_folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for number in range(1, 1000):
            at = f"-{number}" if number > 1 else ""
            with suppress(CannotKeep):
                return create(folder / f"{date.replace(':', '')}{at}.basra", say, 0o600)
    except OSError as error:
        say(
            "this match is not kept: {path:whole}: {reason}" + _ELSEWHERE,
            path=str(error.filename or folder),
            reason=error.strerror,
        )
    return None


def _is_over(path: Path) -> bool:
    """Say whether a record ends in a result, by its last line alone."""
    with path.open("rb") as file:
        file.seek(0, os.SEEK_END)
        file.seek(max(0, file.tell() - 300))
        return re.search(rb"\nresult [^\n]*\n$", file.read()) is not None


def unfinished() -> list[Path]:
    """List the unfinished matches of the state folder, the one played last first."""
    found = []
    with suppress(OSError):
        for path in state_folder().glob("*.basra"):
            with suppress(OSError):
                if path.is_file() and path.stat().st_size and not _is_over(path):
                    found.append((path.stat().st_mtime_ns, path))
    return [path for _, path in sorted(found, reverse=True)]


# ---- going on --------------------------------------------------------------------------


def reopen(path: Path, say: Say, *, against: bool = False) -> tuple[Record, File | None]:
    """Open the record of an unfinished match to go on with it.

    The file is locked, and a last line that was cut off is removed, with a word about it.
    Where it cannot be written to, that is said and the match goes on without.  Raises
    `BadRecord` for a wrong record, `CannotKeep` for one that another session has, that is
    over, or in which a player is named that is not one of ours (unless, with `against`,
    others play), `OSError` where it cannot be read; then the file stays as it is.
    """
    if path.exists() and not path.is_file():
        raise CannotKeep("{path:whole} is not a file", path=str(path))
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
        writable = True
    except OSError as error:
        if error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        writable = False
    try:
        with about(str(path)):
            _lock(path, descriptor)
            with os.fdopen(os.dup(descriptor), "rb") as stream:
                record = read(stream, str(path))
            _check_can_go_on(path, record, against=against)
            if record.warning:
                say("{warning:error}", warning=record.warning)
                if writable:
                    os.ftruncate(descriptor, record.size)
    except (BasraError, OSError):
        os.close(descriptor)
        raise
    if not writable:
        say(
            "{path:whole} cannot be written to: what is played now is not kept there" + _ELSEWHERE,
            path=str(path),
        )
        return record, None
    return record, File(path, descriptor, say)


def _check_can_go_on(path: Path, record: Record, *, against: bool) -> None:
    """Raise `CannotKeep` for a match that is over, or one with a player that is not one of ours.

    A record may come from anybody: what it names is never started as a program.
    """
    if record.match.outcome and not record.due:
        raise CannotKeep("{path:whole}: the match is over", path=str(path))
    ours = [player.name for player in PLAYERS]
    for seat, player in record.players.items():
        if player not in ours and not against:
            raise CannotKeep(
                "{path:whole}: {player}, who plays seat {seat}, is not a player here: there are {ours}; "
                "resume with --against NAME goes on with another",
                path=str(path),
                seat=seat,
                player=player,
                ours=", ".join(ours),
            )


def _lock(path: Path, descriptor: int) -> None:
    """Lock a file.  A session that is just leaving, as when a connection was lost, is waited for."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise Locked(
                    "{path:whole} is being played in another session, {owner}; basra play begins a new match",
                    path=str(path),
                    owner=_owner(descriptor),
                ) from None
            time.sleep(0.1)


def _owner(descriptor: int) -> str:
    """Say which process holds the lock of a file, where the system tells."""
    inode = str(os.fstat(descriptor).st_ino)
    with suppress(OSError):
        for line in Path("/proc/locks").read_text().splitlines():
            words = line.split()
            if len(words) > 5 and words[1] == "FLOCK" and words[5].endswith(f":{inode}"):
                return f"process {words[4]}"
    return "process unknown"


# ---- saving ----------------------------------------------------------------------------


def save(path: Path, record: Record) -> bool:
    """Write a match whole into a file; say whether it was there already, up to some earlier line.

    A file is never overwritten: one that is there must hold the beginning of this very
    record, and then only what is missing is added.  Raises `CannotKeep` for any other file,
    `OSError` where it cannot be written.
    """
    text = "".join(lines(record)).encode()
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    except FileExistsError:
        _complete(path, text)
        return True
    try:
        _append(descriptor, text)
    except OSError:
        path.unlink()
        raise
    finally:
        os.close(descriptor)
    return False


def _complete(path: Path, text: bytes) -> None:
    """Add to a file what it does not have of a text.  Raises `CannotKeep` if it has anything else."""
    other = CannotKeep(
        "{path:whole} is there already and is not this match: it is not overwritten", path=str(path)
    )
    if not path.is_file():
        raise other
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
    try:
        _lock(path, descriptor)
        with os.fdopen(os.dup(descriptor), "rb") as stream:
            there = stream.read(LARGEST_FILE + 1)
        if not there or not text.startswith(there):
            raise other
        try:
            _append(descriptor, text[len(there) :])
        except OSError:
            os.ftruncate(descriptor, len(there))
            raise
    finally:
        os.close(descriptor)


# ---- one session's keeping -------------------------------------------------------------


@dataclass
class Keeper:
    """What a session keeps: in the state folder, in the file of `--record`, or nowhere.

    `players` names the programs at the table; `may_save` is False for guests.
    """

    players: dict[int, str] = field(default_factory=dict)
    in_state: bool = False
    also: Path | None = None
    may_save: bool = True
    files: tuple[File, ...] = ()
    say: Say | None = None
    unsaid: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Raise `CannotKeep` for a file that is there, before anything is asked or shown."""
        if self.also and os.path.lexists(self.also):
            raise _is_there(self.also)

    def report(self, template: str, **words: Any) -> None:
        """Tell the person about a file, as soon as there is a way to; a guest of no way to save."""
        if not self.may_save:
            template = template.removesuffix(_ELSEWHERE)
        if self.say:
            self.say(template, **words)
        else:
            self.unsaid.append((template, words))

    def speak_through(self, say: Say) -> None:
        """Tell the person through `say` from now on, and what is still unsaid."""
        self.say = say
        while self.unsaid:
            template, words = self.unsaid.pop(0)
            say(template, **words)

    def begin(self, match: Match) -> None:
        """Keep a new match from its first line on.  Raises `CannotKeep`, `OSError` for `also`."""
        self.record = Record(match, self.players, now() if self.in_state else None)
        files = [create(self.also, self.report)] if self.also else []
        self.also = None
        if self.in_state:
            kept = create_in_state(now(), self.report)
            files += [kept] if kept else []
        self.close()
        self.files = tuple(files)
        for file in self.files:
            file.keep(self.record)

    def check(self) -> None:
        """Raise `CannotKeep` where a file lacks something of the match."""
        for file in self.files:
            if file.missing:
                raise CannotKeep("{path:whole} does not have the whole match", path=str(file.path))

    def close(self) -> None:
        """Let go of the files of a match."""
        for file in self.files:
            file.close()
        self.files = ()

    def reopen(self, path: Path, *, against: bool = False) -> tuple[Record, File | None]:
        """Open an unfinished match; see `reopen`."""
        return reopen(path, self.report, against=against)

    def reopen_first(
        self, paths: Sequence[Path], say: Callable[[str], None], *, against: bool = False
    ) -> tuple[Record, File | None]:
        """Open the first of these matches that can be gone on with; say of each before it why not.

        Raises what `reopen` does for the last of them, and for one that another session has.
        """
        *others, last = paths
        for path in others:
            try:
                return self.reopen(path, against=against)
            except Locked:
                raise
            except (BadRecord, CannotKeep) as error:
                say(f"{error}  (it is left as it is)")
        return self.reopen(last, against=against)

    def go_on(self, record: Record, file: File | None) -> None:
        """Keep on with a match that was read."""
        self.record = record
        self.files = (file,) if file else ()
        for file in self.files:
            file.keep(record)

    def lines(self) -> list[str]:
        """Return the record so far, without the seed until the match is over."""
        over = self.record.match.outcome is not None
        return list(lines(self.record, seed=over))

    def save(self, name: str) -> bool:
        """Save the match in a file; see `save`."""
        if not self.may_save:
            raise CannotKeep("no file can be written here: the match is kept by itself")
        if "\0" in name:
            raise CannotKeep("{path:whole} cannot be the name of a file", path=name)
        path = Path(os.path.expanduser(name))
        try:
            for file in self.files:
                if file.is_at(path):
                    file.complete()
                    return True
            return save(path, self.record)
        except OSError as error:
            raise CannotKeep(
                "{path:whole} cannot be written: {reason}", path=name, reason=error.strerror
            ) from None
