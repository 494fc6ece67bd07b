"""Errors: one line each, one base class, and they travel between processes."""

import pickle

import pytest

from basra import Ambiguous, BadRecord, BasraError, Illegal, Play, Unreadable, read_cards


@pytest.mark.parametrize("kind", [BasraError, Unreadable, Illegal, BadRecord])
def test_an_error_pickles(kind):
    error = kind("{card:card} takes {take:cards}, {text}", card=19, take=read_cards("4H 3C"), text="a\nb")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert isinstance(again, ValueError)
    assert str(again) == str(error) == "7D takes 3C,4H, a?b"
    assert (again.template, again.words) == (error.template, error.words)


def test_an_ambiguous_play_keeps_its_choices():
    error = Ambiguous(choices=(Play(5, 0b1010), Play(5, 0b10001)))
    again = pickle.loads(pickle.dumps(error))
    assert isinstance(again, BasraError)
    assert again.choices == error.choices == (Play(5, 0b1010), Play(5, 0b10001))
    assert str(again) == str(error)
    assert str(error).startswith("6C can take 2C,4C (1) or AC,5C (2)")


def test_a_word_may_have_any_name():
    assert str(BasraError("{template} {self}", template="a", self="b")) == "a b"
