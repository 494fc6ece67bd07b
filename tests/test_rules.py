"""The rule set: its keys, its named values, and their text."""

from dataclasses import FrozenInstanceError, fields

import pytest
from helpers import failure
from hypothesis import given
from hypothesis import strategies as st

from basra import KEYS, NAMED, Rules, Unreadable

# key: egyptian, classic
TABLE = {
    "bury": ("none", "jacks+komi"),
    "komi": ("wild", "sweep"),
    "capture": ("any", "any"),
    "basra": ("10", "10"),
    "jack_basra": ("30", "0"),
    "last_card_basra": ("true", "true"),
    "majority": ("30", "30"),
    "majority_tie": ("none", "carry"),
    "ace": ("0", "1"),
    "jack": ("0", "1"),
    "two_of_clubs": ("0", "2"),
    "ten_of_diamonds": ("0", "3"),
    "target": ("101", "101"),
}
POINTS = ["basra", "jack_basra", "majority", "ace", "jack", "two_of_clubs", "ten_of_diamonds"]


def value(rules, key):
    return KEYS[key].write(getattr(rules, key))


def test_the_named_rule_sets():
    """Rules, section 8."""
    assert list(NAMED) == ["egyptian", "classic"]
    assert {key: (value(NAMED["egyptian"], key), value(NAMED["classic"], key)) for key in KEYS} == TABLE
    assert list(KEYS) == list(TABLE) == [field.name for field in fields(Rules) if field.name != "name"]
    assert Rules() == Rules.named("egyptian")
    assert [Rules.named(name).name for name in NAMED] == list(NAMED)
    with pytest.raises(Unreadable, match="klassic is not a rule set: there are egyptian and classic"):
        Rules.named("klassic")


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("bury", ["none", "jacks", "jacks+komi"]),
        ("komi", ["wild", "sweep", "plain"]),
        ("capture", ["any", "largest"]),
        ("last_card_basra", ["true", "false"]),
        ("majority_tie", ["none", "carry"]),
    ],
)
def test_the_words_that_a_key_may_have(key, words):
    assert list(KEYS[key].choices) == words
    for word in words:
        assert value(Rules().changed(key, word), key) == word
    for wrong in ("", "1", "True", "WILD", words[0] + " ", "yes"):
        with pytest.raises(Unreadable, match=f"^{key} cannot be "):
            Rules().changed(key, wrong)


@pytest.mark.parametrize(
    ("key", "lowest", "highest"), [*((key, 0, 1000) for key in POINTS), ("target", 1, 100_000)]
)
def test_the_numbers_that_a_key_may_have(key, lowest, highest):
    """Rules, section 8: points 0 to 1,000, target 1 to 100,000."""
    for right in (lowest, highest):
        assert getattr(Rules().changed(key, str(right)), key) == right
        assert getattr(Rules(**{key: right}), key) == right
    for wrong in (lowest - 1, highest + 1, True, 1.0, "1", None):
        with pytest.raises(Unreadable, match=f"^{key} cannot be .*: it is a whole number from"):
            Rules(**{key: wrong})
    for text in (str(lowest - 1), str(highest + 1), "", "1.0", "+1", "1_0", " 1", "1\n", "٣", "9" * 5000):
        with pytest.raises(Unreadable, match=f"^{key} cannot be "):
            Rules().changed(key, text)


def test_a_value_of_another_kind_is_refused():
    for key, wrong in [("last_card_basra", 1), ("last_card_basra", "true"), ("komi", None), ("bury", True)]:
        with pytest.raises(Unreadable, match=f"^{key} cannot be "):
            Rules(**{key: wrong})


def test_a_key_that_there_is_not():
    for key in ("name", "", "Komi", "__class__"):
        with pytest.raises(Unreadable, match="is not a rule: the keys are bury komi capture"):
            Rules().changed(key, "1")


def test_a_message_says_what_is_allowed():
    with pytest.raises(Unreadable, match=r"^komi cannot be tame: it is wild, sweep or plain$"):
        Rules(komi="tame")
    with pytest.raises(Unreadable, match=r"^target cannot be 0: it is a whole number from 1 to 100,000$"):
        Rules(target=0)


def test_a_rule_set_is_one_value():
    assert Rules(target=51) == Rules().changed("target", "51")
    assert hash(Rules(target=51)) == hash(Rules().changed("target", "51"))
    assert Rules(target=51) != Rules()
    with pytest.raises(FrozenInstanceError):
        Rules().target = 1


def values(key):
    return st.sampled_from(key.choices) if key.choices else st.integers(key.lowest, key.highest).map(str)


@given(
    st.sampled_from(sorted(NAMED)),
    st.fixed_dictionaries({}, optional={key.name: values(key) for key in KEYS.values()}),
)
def test_the_differences_read_back_equal(name, changes):
    rules = Rules.named(name)
    for key, text in changes.items():
        rules = rules.changed(key, text)
        assert value(rules, key) == text
    again = Rules.named(name)
    for key, text in rules.differences():
        assert text != value(Rules.named(name), key)
        again = again.changed(key, text)
    assert again == rules


def test_no_differences_from_itself():
    assert [rules.differences() for rules in NAMED.values()] == [[], []]
    assert Rules(komi="plain", last_card_basra=False).differences() == [
        ("komi", "plain"),
        ("last_card_basra", "false"),
    ]


@given(st.text() | st.sampled_from(sorted(KEYS)), st.text() | st.sampled_from(["true", "7", "wild"]))
def test_no_text_makes_a_change_fail_in_another_way(key, text):
    error = failure(Rules().changed, key, text)
    if error is None:
        assert value(Rules().changed(key, text), key) in (text, text.lstrip("0"), "0")
    else:
        assert type(error) is Unreadable
        assert "\n" not in str(error)
