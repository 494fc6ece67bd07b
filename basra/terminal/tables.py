"""What many matches said, as a table, a few sentences and a histogram of letters.

Nothing here needs colour, symbols or a wide terminal; where the columns do not fit side by
side, each contestant gets lines of its own.
"""

from __future__ import annotations

from ..cards import visible
from ..figures import Figure
from ..results import BUCKET, Contestant, Result
from .writing import _, cells, fit, ngettext

_NONE = "-"


def results(result: Result, width: int = 80) -> list[str]:
    """Return a result as lines of at most `width` cells: figures first, then the histogram."""
    lines = [*_head(result, width), "", *_table(result, width), ""]
    for sentence in _sentences(result):
        lines += fit(sentence, width)
    drawn = histogram(result, width)
    return [*lines, "", *drawn] if drawn else lines


def histogram(result: Result, width: int = 80) -> list[str]:
    """Draw how often the first contestant was ahead of the others by how many points."""
    if not result.bars:
        return []
    names = [one.name for one in result.contestants]
    if names[0] in names[1:]:
        title = _("points that the first {name} ends ahead, and how often")
    else:
        title = _("points that {name} ends ahead, and how often")
    often = dict(result.bars)
    lows = range(min(often), max(often) + 1, BUCKET)
    step = BUCKET * -(-len(lows) // 24)  # no more than some two dozen bars
    bars: dict[int, int] = {}
    for low in lows:
        bars[low // step * step] = bars.get(low // step * step, 0) + often.get(low, 0)
    number = len(str(max(bars.values())))
    labels = [f"{low:+} to {low + step - 1:+}" for low in bars]
    if max(map(len, labels)) + number + 5 > width:
        labels = [f"{low:+}" for low in bars]
    label = max(map(len, labels))
    room = max(1, width - label - number - 4)
    most = max(bars.values())
    drawn = [
        f"{text:>{label}}  {count:>{number}}  {'#' * round(room * count / most)}".rstrip()
        for text, count in zip(labels, bars.values())
    ]
    return [*fit(title.format(name=visible(names[0])), width), *(line[:width] for line in drawn)]


def _head(result: Result, width: int) -> list[str]:
    if result.single_games:
        said = ngettext(
            "{matches} game of {asked}, rules {rules}, seed {seed}",
            "{matches} games of {asked}, rules {rules}, seed {seed}",
            result.matches,
        )
    else:
        said = ngettext(
            "{matches} match of {asked}, rules {rules}, seed {seed}",
            "{matches} matches of {asked}, rules {rules}, seed {seed}",
            result.matches,
        )
    rules = " ".join([result.rules.name, *(f"{key}={value}" for key, value in result.rules.differences())])
    text = said.format(
        matches=f"{result.matches:,}", asked=f"{result.asked:,}", rules=rules, seed=result.seed
    )
    return fit(text, width)


def _rows(one: Contestant) -> list[tuple[str, str]]:
    deviation = _NONE if one.deviation is None else f"{one.deviation:.1f}"
    time = _NONE if one.time is None else f"{one.time * 1e6:,.0f}"
    return [
        (_("won"), f"{one.won:,}"),
        (_("won, %"), _interval(one.wins, 100, 1)),
        (_("points a game"), _interval(one.points, 1, 2)),
        (_("standard deviation"), deviation),
        (_("majority, %"), _interval(one.majorities, 100, 1)),
        (_("cards a game"), _interval(one.cards, 1, 2)),
        (_("basras a game"), _interval(one.basras, 1, 3)),
        (_("jack basras a game"), _interval(one.jack_basras, 1, 3)),
        (_("microseconds a play"), time),
    ]


def _interval(figure: Figure | None, times: int, digits: int) -> str:
    if figure is None:
        return _NONE
    mean = f"{figure.mean * times:.{digits}f}"
    if figure.low is None or figure.high is None:
        return mean
    return f"{mean} ({figure.low * times:.{digits}f} to {figure.high * times:.{digits}f})"


def _table(result: Result, width: int) -> list[str]:
    names = [visible(one.name) for one in result.contestants]
    rows = [_rows(one) for one in result.contestants]
    words = [title for title, _value in rows[0]]
    columns = [[name, *(value for _title, value in column)] for name, column in zip(names, rows)]
    first = max(map(cells, words))
    widths = [max(map(cells, column)) for column in columns]
    if first + sum(widths) + 2 * len(widths) <= width:
        return [
            "  ".join(
                [_padded(title, first), *(_padded(column[at], w) for column, w in zip(columns, widths))]
            ).rstrip()
            for at, title in enumerate(["", *words])
        ]
    lines = []
    for name, column in zip(names, rows):
        lines += fit(name, width)
        for title, value in column:
            lines += fit(f"  {title}: {value}", width, 4)
    return lines


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cells(text))


def _failures(result: Result) -> list[str]:
    """Say how often each program from outside has failed, and why."""
    why = {
        "start": _("did not start"),
        "late": _("late"),
        "ended": _("ended by itself"),
        "unreadable": _("no play"),
        "illegal": _("an illegal play"),
    }
    said = []
    for player in dict.fromkeys(one.player for one in result.failures):
        ways = [one for one in result.failures if one.player == player]
        matches = sum(one.matches for one in ways)
        lost = _("which it has lost") if result.seats.sides == 2 else _("which nobody has won")
        if result.single_games:
            text = ngettext(
                "Player {player} failed in {matches} game, {lost}: {ways}.",
                "Player {player} failed in {matches} games, {lost}: {ways}.",
                matches,
            )
        else:
            text = ngettext(
                "Player {player} failed in {matches} match, {lost}: {ways}.",
                "Player {player} failed in {matches} matches, {lost}: {ways}.",
                matches,
            )
        listed = ", ".join(f"{why.get(one.how, one.how)} {one.matches:,}" for one in ways)
        said.append(text.format(player=player, matches=f"{matches:,}", lost=lost, ways=listed))
        said.append(_("The first time: {message}.").format(message=ways[0].first))
    return said


def _sentences(result: Result) -> list[str]:
    said = _failures(result)
    if not result.whole:
        said.append(_("Broken off: the figures are those of what was played."))
    if result.games_a_match is not None and not result.single_games:
        said.append(_("games a match: {figure}").format(figure=_interval(result.games_a_match, 1, 2)))
    if result.single_games:
        said.append(_("games that nobody won: {draws}").format(draws=f"{result.draws:,}"))
    elif result.draws:
        said.append(_("matches that nobody won: {draws}").format(draws=f"{result.draws:,}"))
    if result.by_majority is not None:
        if result.single_games:
            text = _("games decided by the majority, %: {figure}")
        else:
            text = _("matches decided by the majority, %: {figure}")
        said.append(text.format(figure=_interval(result.by_majority, 100, 1)))
    if result.first_ahead is not None:
        said.append(
            _("points a game that the seat after the dealer is ahead: {figure}").format(
                figure=_interval(result.first_ahead, 1, 2)
            )
        )
    if result.units > 1:
        text = _("In brackets: 95 % intervals, from {units} seeds; the matches of one seed count as one.")
        said.append(text.format(units=f"{result.units:,}"))
    elif result.units:
        said.append(_("All this is from one seed, which tells nothing of others."))
    return said
