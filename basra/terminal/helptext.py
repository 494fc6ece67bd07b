"""The texts of `rules` and `help`, made from the rule set and the table of commands."""

from __future__ import annotations

import shlex

from ..cards import KOMI
from ..errors import Unreadable
from ..rules import KEYS, NAMED, Rules
from .language import BY_WORD, COMMANDS
from .teller import Block, Code
from .writing import Signs, _


def rules_page(rules: Rules, writer: Signs) -> list[Block]:
    """Explain a rule set on one screen."""
    komi = {
        "wild": _("The komi stands for any card, in hand and on the ground; or it sweeps."),
        "sweep": _("The komi sweeps too: a basra if only numbers lie there, 10 in all at most."),
        "plain": _("An ordinary seven."),
    }[rules.komi]
    deal = _("Four cards each, and four to the ground the first time only.")
    if rules.bury != "none":
        deal += (
            "  "
            + {"jacks": _("No jack lies there."), "jacks+komi": _("No jack, no komi lies there.")}[rules.bury]
        )
    play = _("One card a turn.  If it can take, it must; else it stays there.")
    if rules.capture == "largest":
        play += "  " + _("It takes the most cards that it can.")
    single = [
        _("{card} {points}").format(card=card, points=points)
        for card, points in (
            (_("each ace"), rules.ace),
            (_("each jack"), rules.jack),
            (writer.card(1), rules.two_of_clubs),
            (writer.card(22), rules.ten_of_diamonds),
        )
        if points
    ]
    count = _(
        "When the pack is out, the last to take gets the rest.  Most cards: {majority}, {level}."
    ).format(
        majority=rules.majority,
        level=_("nobody if level") if rules.majority_tie == "none" else _("kept for the next game if level"),
    )
    if single:
        count += "  " + _("In the pile: {cards}.").format(cards=", ".join(single))
    count += "  " + _("{target} points and the lead win the match.").format(target=rules.target)
    return [
        _("BASRA.  Take cards from the ground; clear it whole for a basra."),
        (_("Deal"), deal),
        (_("Play"), play),
        (_("A to 10"), _("take their own rank and what adds up to it: 9 takes 9, 4+5, or both.")),
        (_("Q, K"), _("take only their own kind.  J sweeps the whole ground.")),
        (writer.card(KOMI), komi),
        (_("Basra"), _basra(rules, writer)),
        (_("Count"), count),
        (_("Try"), "9h    9h 4,5    moves    hint    help play"),
    ]


def _basra(rules: Rules, writer: Signs) -> str:
    text = _("One card takes all there is: {points} points.").format(points=rules.basra) + "  "
    if not rules.jack_basra:
        text += _("A jack never makes one.")
    else:
        text += _("A sweep is none, but a jack on a lone jack is {points}").format(points=rules.jack_basra)
        text += (
            writer.write(_(" ({komi:card} will do for either)."), komi=KOMI) if rules.komi == "wild" else "."
        )
    if not rules.last_card_basra:
        text += "  " + _("The last card of a game makes none.")
    return text


def keys_page(name: str) -> list[Block]:
    """List the keys of a named rule set, with their values and what each means."""
    rules = Rules.named(name)
    blocks: list[Block] = [_("Rule set {name}.  Change a key with --set KEY=VALUE.").format(name=name)]
    for key in KEYS.values():
        value = key.write(getattr(rules, key.name))
        text = _("{meaning} ({allowed})").format(meaning=_(key.meaning), allowed=key.allowed)
        blocks.append((f"{key.name} = {value}", text))
    return blocks


def rules_overview(writer: Signs) -> list[Block]:
    """Explain the default rules, and name the rule sets."""
    names = _("Rule sets: {names}.  Their keys: basra rules NAME.").format(names=", ".join(NAMED))
    return [*rules_page(Rules(), writer), names]


def help_page(topic: str, seed: str | None, cut: str) -> list[Block]:
    """Explain the commands, or one of them, or how to check a deal.

    `seed` is None as long as it is sealed.  Raises `Unreadable` for a topic there is not.
    """
    topic = topic.lower()
    if not topic:
        return [
            *((_with_short(command.usage, command.short), _(command.help)) for command in COMMANDS),
            (_("a number"), _("plays that one of the plays just listed")),
            _("help play tells how cards are named, help fairness how a deal is checked."),
        ]
    if topic == "fairness":
        return fairness_page(seed, cut)
    if topic not in BY_WORD:
        raise Unreadable("there is no help on {topic}: help lists the commands", topic=topic)
    command = BY_WORD[topic]
    blocks: list[Block] = [(_with_short(command.usage, command.short), _(command.help))]
    if command.more:
        blocks.append("  " + _(command.more))
    return blocks


def _with_short(usage: str, short: str) -> str:
    return f"{usage}  {short}" if short else usage


def fairness_page(seed: str | None, cut: str) -> list[Block]:
    """Tell how anyone can check that the cards were not chosen."""
    text = _(
        "Every pack is shuffled from a seed that the program draws, and from your cut.  The seal is the "
        "SHA-256 of the seed and is shown before you cut: so the seed was fixed before your cut was known, "
        "and you did not know it when you cut.  The seed is shown when the match is over.  The first line "
        "gives the seal again, the second the pack of game 1, top first:"
    )
    shown = shlex.quote(seed) if seed is not None else "SEED"
    return [
        text,
        Code(f"seed={shown}"),
        Code("printf '%s\\n' 'basra 1' commit \"seed $seed\" | sha256sum"),
        Code(f'basra pack --seed "$seed" --game 1 --cut {shlex.quote(cut)}'),
    ]
