"""The match as one JSON object a line, for programs.

Cards are written as in records and stand in the order of the pack; lists with one entry a
side or a seat begin with the first.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TextIO

from ..captures import Captures, Kind, Play, bonus, kind_of
from ..cards import Cards, in_pack_order, name, names
from ..engine import Counted, Dealt, GameBegan, Match, MatchBegan, Outcome, Played
from ..errors import Ambiguous, BasraError, Illegal
from ..rules import KEYS, Rules
from ..view import View
from .teller import Block, Teller
from .writing import Signs, finished

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
