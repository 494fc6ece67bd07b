"""The match as one JSON object a line, for programs.

Cards are written as in records and stand in the order of the pack; lists with one entry a
side or a seat begin with the first.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TextIO

from ..captures import Captures, Kind, Play, bonus, kind_of
from ..cards import Cards, in_pack_order, name, names
from ..engine import Counted, Dealt, GameBegan, Match, MatchBegan, Outcome, Played
from ..errors import Ambiguous, BadRecord, BasraError, Illegal
from ..rules import KEYS, Rules
from ..view import View
from .teller import Block, Teller
from .writing import Signs, finished

if TYPE_CHECKING:
    from ..analysis import Advice, Analysis, Summary, Valued, Verdict
    from ..reasons import Reason
    from ..record import Record

KINDS = {"ambiguous": Ambiguous, "illegal": Illegal, "unreadable": BasraError}


def described(play: Play, kind: Kind, rules: Rules) -> dict[str, Any]:
    """Describe a play: card, what it takes, its kind, the points that a basra earns."""
    return {
        "card": name(play.card),
        "take": names(play.take),
        "kind": kind.value,
        "points": bonus(kind, rules),
    }


def legal_plays(hand: Cards, ground: Cards, rules: Rules) -> list[dict[str, Any]]:
    """Describe every legal play of a hand, in the engine's order; none is the last of its game."""
    captures = Captures.under(rules)
    return [
        described(play, kind_of(play, ground, rules), rules)
        for card in in_pack_order(hand)
        for play in captures.plays(card, ground)
    ]


def promised(plays: Sequence[Valued]) -> list[dict[str, Any]]:
    """Describe plays with the points that they promise."""
    return [
        {"card": name(valued.play.card), "take": names(valued.play.take), "expected": round(valued.points, 2)}
        for valued in plays
    ]


def reasoned(reason: Reason) -> dict[str, Any]:
    """Describe a reason: its key and its words, cards as texts."""
    write: dict[str, Any] = {"card": name, "jacks": names, "take": names}
    return {"key": reason.key} | {word: write.get(word, int)(what) for word, what in reason.words.items()}


class JsonLines(Teller):
    """Tell a match to a program; the answers to commands are objects too."""

    def __init__(self, out: TextIO, computers: dict[int, str]) -> None:
        super().__init__(out, Signs(), computers)

    def write(self, event: str, **fields: Any) -> None:
        """Write one object and flush."""
        self.out.write(json.dumps({"event": event, **fields}) + "\n")
        self.out.flush()

    # ---- events ------------------------------------------------------------------------

    def match_began(self, event: MatchBegan) -> None:
        self.rules = event.rules
        self.write(
            "match",
            rules={"name": event.rules.name} | {key: getattr(event.rules, key) for key in KEYS},
            seats=event.seats.count,
            teams=event.seats.teams,
            names=event.names,
            players=[self.computers.get(seat) for seat in range(1, event.seats.count + 1)],
            commit=event.commit,
        )

    def game_began(self, event: GameBegan) -> None:
        self.write("game", game=event.number, dealer=event.dealer, totals=event.totals)

    def dealt(self, event: Dealt) -> None:
        self.write(
            "deal",
            deal=event.deal,
            deals=event.deals,
            hands={str(seat): names(hand) for seat, hand in enumerate(event.hands, 1) if hand},
            ground=names(event.ground),
            buried=[name(card) for card in event.buried],
            piles=event.piles,
            to_deal=event.to_deal,
            turn=event.turn,
        )

    def played(self, event: Played) -> None:
        card, take = event.play
        after = event.ground ^ take if take else event.ground | 1 << card
        play = described(event.play, event.kind, self.rules)
        self.write("play", seat=event.seat, **play, ground=names(after), turn=event.turn)

    def counted(self, event: Counted) -> None:
        count = event.count
        self.write(
            "count",
            game=event.number,
            items=[
                {"item": item.key, "each": item.each, "amounts": item.amounts, "points": item.points}
                for item in count.items
            ],
            cards=count.cards,
            basras=count.basras,
            jack_basras=count.jack_basras,
            points=count.points,
            totals=event.totals,
            carry=count.carry,
            left=names(event.left),
            left_to=event.left_to or None,
        )

    def ended(self, event: Outcome) -> None:
        self.write(
            "result",
            winner=event.winner,
            totals=event.totals,
            games=event.games,
            resigned=event.resigned,
            seed=event.seed,
            cut=event.cut,
        )

    # ---- answers -----------------------------------------------------------------------

    def refusal(self, error: BasraError) -> None:
        if isinstance(error, BadRecord):
            self.refusal_in_script(error, error.file, error.line)
        else:
            self.refusal_in_script(error)

    def refusal_in_script(self, error: BasraError, file: str | None = None, line: int | None = None) -> None:
        choices = error.choices if isinstance(error, Ambiguous) else ()
        self.write(
            "refusal",
            kind=next(kind for kind, of in KINDS.items() if isinstance(error, of)),
            message=finished(self.writer.error(error), color=False),
            file=file,
            line=line,
            choices=[{"card": name(play.card), "take": names(play.take)} for play in choices],
        )

    def ground(self, view: View) -> None:
        self.write("ground", cards=names(view.ground))

    def hand(self, view: View) -> None:
        self.write("hand", seat=view.seat, cards=names(view.hand))

    def score(self, view: View) -> None:
        self.write(
            "score",
            piles=[pile.bit_count() for pile in view.piles],
            basras=view.basras,
            jack_basras=view.jack_basras,
            totals=view.totals,
            target=view.rules.target,
            carry=view.carry,
            holds=view.holds,
            to_deal=view.to_deal,
            deal=view.deal,
            game=view.game,
            turn=view.turn,
        )

    def last(self, plays: Sequence[Played]) -> None:
        told = [{"seat": play.seat} | described(play.play, play.kind, self.rules) for play in plays]
        self.write("last", plays=told)

    def moves(self, view: View, listed: Sequence[Play], smaller: int) -> None:
        plays = [described(play, view.kind_of(play), view.rules) for play in listed]
        self.write("moves", plays=plays, smaller=smaller)

    def hint(self, view: View, advice: Advice) -> None:
        from .judging import advised

        self.write(
            "hint",
            seat=view.seat,
            **described(advice.play, view.kind_of(advice.play), view.rules),
            reason=reasoned(advice.reason),
            text=finished(advised(advice.play, advice.reason, self), color=False),
            exact=advice.exact,
            plays=promised(advice.plays),
        )

    def analysis(self, record: Record, found: Analysis) -> None:
        from .judging import began

        self.match_began(began(record))
        for number, summary in enumerate(found.games, 1):
            for verdict in found.verdicts:
                if verdict.view.game == number:
                    self.verdict(verdict)
            self.summary(number, summary, found)
        self.summary(None, found.match, found)
        if record.warning:
            self.refusal(record.warning)

    def verdict(self, verdict: Verdict) -> None:
        """Write what a play has cost."""
        from .judging import advised

        view, text = verdict.view, None
        if verdict.reason:
            text = finished(advised(verdict.best, verdict.reason, self), color=False)
        self.write(
            "judged",
            game=view.game,
            deal=view.deal,
            number=verdict.number,
            seat=view.seat,
            **described(verdict.play, view.kind_of(verdict.play), view.rules),
            error=verdict.error,
            cost=round(verdict.cost, 2),
            noise=round(verdict.noise, 2),
            exact=verdict.values.exact,
            best={"card": name(verdict.best.card), "take": names(verdict.best.take)},
            reason=reasoned(verdict.reason) if verdict.reason else None,
            text=text,
            plays=promised(verdict.values.plays),
        )

    def summary(self, number: int | None, summary: Summary, found: Analysis) -> None:
        """Write what errors cost in a game, or in the match, and what was luck."""
        self.write(
            "summary",
            game=number,
            seats=found.seats,
            points=summary.points,
            errors=summary.errors,
            lost=[round(lost, 2) for lost in summary.lost],
            luck=summary.luck and [round(luck, 2) for luck in summary.luck],
        )

    def verbatim(self, lines: Sequence[str]) -> None:
        self.write("record", lines=[line.rstrip("\n") for line in lines])

    def going_on(self, match: Match, view: View | None, date: str | None) -> None:
        if view:
            self.score(view)
            self.ground(view)
            if view.seat == view.turn:
                self.hand(view)

    def page(self, blocks: Sequence[Block]) -> None:
        lines = (block if isinstance(block, str) else f"{block[0]}: {block[1]}" for block in blocks)
        self.write("text", text=finished("\n".join(lines), color=False))

    def note(self, template: str, **words: Any) -> None:
        self.write("text", text=finished(self.writer.write(template, **words), color=False))
