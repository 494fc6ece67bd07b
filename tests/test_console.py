"""Where lines come from, and what interrupts."""

import io
import os
import signal

import pytest
from helpers import failure
from hypothesis import given, settings
from hypothesis import strategies as st

from basra import BasraError, Unreadable
from basra.terminal.console import Signals, Stream, Terminated, decoded
from basra.terminal.language import LONGEST_LINE


def lines_of(data):
    """Read all lines of some bytes; a refused line is its error."""
    stream = Stream(io.BytesIO(data), "test")
    lines = []
    while True:
        try:
            lines.append(stream.read(""))
        except EOFError:
            return lines
        except BasraError as error:
            lines.append(error)


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_line_ends_with_lf_or_crlf(end):
    assert lines_of(b"play 7D" + end + b"moves" + end) == ["play 7D", "moves"]


def test_the_last_line_counts_with_or_without_a_line_end():
    assert lines_of(b"a\nb") == lines_of(b"a\nb\n") == ["a", "b"]


def test_no_bytes_are_no_lines():
    assert lines_of(b"") == []
    assert lines_of(b"\n") == [""]


def test_lines_are_numbered_from_1():
    stream = Stream(io.BytesIO(b"a\n\nc\n"), "test")
    numbers = []
    for _ in range(3):
        stream.read("")
        numbers.append(stream.number)
    assert numbers == [1, 2, 3]


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
def test_a_line_has_at_most_4096_bytes(end):
    assert lines_of(b"x" * LONGEST_LINE + end) == ["x" * LONGEST_LINE]
    (error,) = lines_of(b"x" * (LONGEST_LINE + 1) + end)
    assert str(error) == "the line is too long: at most 4,096 bytes"


@pytest.mark.parametrize("length", [4097, 4098, 4099, 65536, 65537, 69634, 1 << 20])
def test_a_line_that_is_too_long_is_used_up_and_counts_once(length):
    stream = Stream(io.BytesIO(b"x" * length + b"\nnext\n"), "test")
    with pytest.raises(Unreadable):
        stream.read("")
    assert stream.read("") == "next"
    assert stream.number == 2


def test_a_long_line_is_counted_in_bytes():
    assert lines_of(("é" * 2048).encode()) == ["é" * 2048]
    assert isinstance(lines_of(("é" * 2049).encode())[0], Unreadable)


@pytest.mark.parametrize("data", [b"\xff", b"7\xe2\x99", b"\xc0\x80", b"\xed\xa0\x80"])
def test_bytes_that_are_not_text_are_refused_and_the_next_line_is_read(data):
    error, line = lines_of(data + b"\n7d")
    assert str(error) == "the line is not text: its bytes are not UTF-8"
    assert line == "7d"


@settings(max_examples=80, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_lines_or_refusals_as_many_as_there_are(data):
    count = data.count(b"\n") + (not data.endswith(b"\n") and bool(data))
    assert len(lines_of(data)) == count
    error = failure(decoded, data)
    assert error is None or isinstance(error, Unreadable)


def test_prompts_are_written_and_flushed_before_a_line_is_read():
    class Out(io.StringIO):
        flushed = ""

        def flush(self):
            self.flushed = self.getvalue()

    class In(io.BytesIO):
        def readline(self, *_):
            assert out.flushed == "> "
            return super().readline(*_)

    out = Out()
    assert Stream(In(b"7d\n"), "test", out).read("> ") == "7d"


def test_without_prompts_nothing_is_written():
    stream = Stream(io.BytesIO(b"7d\n"), "test")
    assert stream.read("> ") == "7d"
    assert stream.prompts is None


# ---- signals -----------------------------------------------------------------------------


@pytest.fixture
def signals():
    """Signals that arrive here, with the handlers put back afterwards."""
    numbers = signal.SIGINT, signal.SIGTERM, signal.SIGHUP
    before = {number: signal.getsignal(number) for number in numbers}
    yield Signals
    for number, handler in before.items():
        signal.signal(number, handler)


def send(number):
    os.kill(os.getpid(), number)


def test_a_signal_waits_until_nothing_is_half_done(signals):
    here = signals()
    send(signal.SIGTERM)
    done = True
    with pytest.raises(Terminated) as caught, here.interruptible():
        done = False
    assert done
    assert caught.value.number == signal.SIGTERM


def test_a_signal_comes_through_where_nothing_is_half_done(signals):
    here = signals()
    with pytest.raises(KeyboardInterrupt), here.interruptible():
        send(signal.SIGINT)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_terminate_and_hang_up_come_with_their_number(signals, number):
    here = signals()
    with pytest.raises(Terminated) as caught, here.interruptible():
        send(number)
    assert caught.value.number == number


def test_terminate_is_not_lost_behind_an_interrupt(signals):
    here = signals()
    send(signal.SIGINT)
    send(signal.SIGTERM)
    send(signal.SIGINT)
    with pytest.raises(Terminated), here.interruptible():
        raise AssertionError("a pending signal comes first")


def test_a_signal_comes_once(signals):
    here = signals()
    send(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), here.interruptible():
        raise AssertionError("a pending signal comes first")
    passed = []
    with here.interruptible():
        passed.append(True)
    assert passed


def test_a_signal_that_was_ignored_stays_so(signals):
    """As under nohup."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    here = signals()
    send(signal.SIGHUP)
    with here.interruptible():
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
