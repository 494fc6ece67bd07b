"""What is said about plays that were judged: advice during a match, and the analysis of a record."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..analysis import Advice, Analysis, Summary, Verdict
from ..captures import Play, bonus, sweeps
from ..engine import MatchBegan, Played
from ..reasons import Reason
from ..record import Record
from ..view import View
from .writing import Signs, _, ngettext

if TYPE_CHECKING:
    from .screen import Screen
    from .teller import Teller


# ---- why -------------------------------------------------------------------------------


def _cards(number: int) -> str:
    return ngettext("{number} card", "{number} cards", number).format(number=number)


def _points(number: int) -> str:
    return ngettext("{number} point", "{number} points", number).format(number=number)


def _keeps(writer: Signs, reason: Reason) -> str:
    lying, out = reason.words["lying"], reason.words["out"]
    return writer.format(
        _("it keeps {jacks:cards}: {lying} on the ground, and {out} still out"),
        jacks=reason.words["jacks"],
        lying=ngettext("{number} card is", "{number} cards are", lying).format(number=lying),
        out=ngettext("{number} jack is", "{number} jacks are", out).format(number=out),
    )


def _takes(_writer: Signs, reason: Reason) -> str:
    text = _("it sweeps {cards}") if reason.key == "sweeps" else _("it takes {cards}")
    if reason.words["than"]:
        text = _("{takes} instead of {than}").format(takes=text, than=reason.words["than"], cards="{cards}")
    return text.format(cards=_cards(reason.words["number"]))


def _earns(_writer: Signs, reason: Reason) -> str:
    text = {
        "basra": _("it makes a basra, {points}"),
        "jack-basra": _("it makes a jack basra, {points}"),
        "points": _("it takes cards worth {points}"),
    }[reason.key]
    return text.format(points=_points(reason.words["points"]))


_SENTENCES: dict[str, str | Callable[[Signs, Reason], str]] = {
    "only": _("nothing else can be played"),
    "same": _("all that can be played comes to the same"),
    "basra": _earns,
    "jack-basra": _earns,
    "majority": _("with {number} cards in the pile the majority is sure"),
    "points": _earns,
    "keeps": _keeps,
    "komi": _("it keeps the komi, which can do more than a jack"),
    "sweeps": _takes,
    "more": _takes,
    "safe": _("no card that is out makes a basra of what it leaves"),
    "fewer": _(
        "{number} of the {out} cards that are out can make a basra of what it leaves, instead of {than}"
    ),
    "least": _("{number} of the {out} cards that are out can take it, instead of {than}"),
    "again": _("{card:card} can take {take:cards} next, if nobody else does"),
    "exact": _("with every hand known nothing is better"),
    "average": _("it does best over the ways in which the hidden cards may lie"),
}


def because(reason: Reason, writer: Signs) -> str:
    """Write why a play is better, as the end of a sentence."""
    sentence = _SENTENCES[reason.key]
    return writer.format(sentence, **reason.words) if isinstance(sentence, str) else sentence(writer, reason)


def advised(play: Play, reason: Reason, screen: Teller) -> str:
    """Write which play is advised and why, in one sentence."""
    if not play.take:
        text = _("drop {card:card}, because {why}.")
    elif sweeps(play, screen.rules):
        text = _("play {card:card} and sweep {take:row}, because {why}.")
    else:
        text = _("play {card:card} and take {take:row}, because {why}.")
    before, _why, after = text.partition("{why}")
    told = screen.writer.format(before, card=play.card, take=play.take)
    return told + because(reason, screen.writer) + after


# ---- advice during a match -------------------------------------------------------------


def hint(screen: Screen, view: View, advice: Advice) -> None:
    """Say which play is advised, why, and what the best plays promise."""
    screen.say(screen.capital(advised(advice.play, advice.reason, screen)), screen.hang)
    if not advice.plays:
        return
    if advice.exact:
        screen.say(_("Points to come, less those of the others, for certain:"))
    else:
        screen.say(_("Expected points to come, less those of the others:"))
    shown = [screen.writer.signed(valued.points, 0 if advice.exact else 1) for valued in advice.plays]
    for points, valued in zip(shown, advice.plays):
        screen.entry(points.rjust(max(map(len, shown))), screen.move(valued.play, view.kind_of(valued.play)))


# ---- the analysis of a record ----------------------------------------------------------


def began(record: Record) -> MatchBegan:
    """Make the event that tells who plays by which rules."""
    match = record.match
    return MatchBegan(match.rules, match.seats, match.names, match.commit)


def analysis(screen: Screen, record: Record, found: Analysis) -> None:
    """Tell the errors of each game and its summary, then that of the match."""
    screen.match_began(began(record))
    screen.sentences("Basra.", screen.table())
    for number, summary in enumerate(found.games, 1):
        screen.blank()
        screen.say(_("Game {number}.").format(number=number))
        errors = [verdict for verdict in found.verdicts if verdict.error and verdict.view.game == number]
        for verdict in errors:
            tell_error(screen, verdict)
        if not errors:
            screen.say(_("No play cost points."))
        sum_up(screen, _("Errors and luck in game {number}").format(number=number), summary, found)
    if len(found.games) > 1:
        sum_up(screen, _("Errors and luck in the match"), found.match, found)
    screen.blank()
    if found.complete and record.match.counts:
        screen.say(_("Luck is the lead, less what the others' errors gave, plus what the own ones cost."))
    if not record.match.outcome:
        screen.note(_("the record stops here"))
    if record.warning:
        screen.refusal(record.warning)


def tell_error(screen: Screen, verdict: Verdict) -> None:
    """Tell a play that cost points: the position, the play, its cost, and what was better and why."""
    view, play = verdict.view, verdict.play
    screen.blank()
    screen.say(_("Deal {deal}, play {number}.").format(deal=view.deal, number=verdict.number))
    screen.ground(view)
    screen.hand(view)
    kind = view.kind_of(play)
    event = Played(view.seat, play, kind, bonus(kind, view.rules), view.ground, view.seats.after(view.seat))
    screen.say(screen.play_sentence(event), screen.hang)
    if verdict.values.exact:
        cost = _("It costs {points}.").format(points=_points(round(verdict.cost)))
    else:
        cost = _("It costs about {points:.1f} points.").format(points=verdict.cost)
    assert verdict.reason is not None
    better = _("Better: {advice}").format(advice=advised(verdict.best, verdict.reason, screen))
    screen.sentences(cost, better)


def sum_up(screen: Screen, title: str, summary: Summary, found: Analysis) -> None:
    """Show what errors cost each side, and what was luck."""
    sides = range(1, screen.seats.sides + 1)
    judged = {screen.seats.side(seat) for seat in found.seats}

    def row(figures: tuple[object, ...]) -> list[str]:
        return [str(figure) if side in judged else "-" for side, figure in zip(sides, figures)]

    rows = [
        (_("errors"), row(summary.errors)),
        (_("points lost by them"), row(tuple(f"{lost:.1f}" for lost in summary.lost))),
    ]
    if summary.points is not None and summary.luck is not None:
        luck = _("luck of the cards") if found.complete else _("luck, and errors of others")
        rows.append((_("points made"), [str(points) for points in summary.points]))
        rows.append((luck, row(tuple(screen.writer.signed(points) for points in summary.luck))))
    screen.columns(title, rows)
