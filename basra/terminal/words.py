"""The match in words, for ears: whole sentences, one fact a line, the hand last.

Where we stand is said once a deal; `score` says it at any time.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..captures import Kind, Play, bonus
from ..cards import Cards
from ..engine import Count, Counted, Dealt, Item, Match, Outcome, Played
from ..view import View
from .screen import Screen
from .teller import Block, Code
from .writing import _, glued


class WordsScreen(Screen):
    """Tell a match in whole sentences."""

    gap = " "
    hang = 0

    def blank(self) -> None:
        """Leave no empty lines: they say nothing to an ear."""

    def page(self, blocks: Sequence[Block]) -> None:
        for block in blocks:
            if isinstance(block, Code):
                self.verbatim([f"{block}\n"])
            elif isinstance(block, str):
                self.say(self.writer.sentence(block.strip()))
            else:
                label, text = block[0].replace("  ", " "), block[1]
                self.say(f"{label}: {text}" if text.endswith(".") else f"{label}: {text}.")

    def player(self, seat: int) -> str:
        name = self.name(seat)
        return f"{name}, {self.computers[seat]}" if seat in self.computers else name

    def table(self) -> str:
        return super().table().replace(", rule set ", ". Rule set ")

    def first_help(self) -> None:
        self.say(_("Type rules for the game in one minute, help for the commands, quit to leave."))

    def seal(self, commit: str) -> None:
        self.say(_("The pack is sealed. Type record to hear the seal."))

    cut_question = _("Cut it with any words, or press Enter:")

    def prompt(self, state: str, match: Match) -> str:
        if state == "turn":
            return _("Your turn: ")
        if state == "between":
            return _("Press Enter to deal game {number}: ").format(number=len(match.games) + 1)
        if state == "over":
            return _("Press Enter to play another match, or type quit: ")
        return super().prompt(state, match)

    def waiting(self, state: str, match: Match) -> None:
        if state in ("ready", "stopped"):
            super().waiting(state, match)

    def deal_heading(self, event: Dealt) -> None:
        others = [seat for seat in range(1, self.seats.count + 1) if seat != self.you]
        self.sentences(
            _("Deal {deal} of {deals}.").format(deal=event.deal, deals=event.deals),
            self.held([(seat, 4) for seat in others], event.to_deal),
            _("Piles: {sides}.").format(sides=self.sides_with(event.piles)),
        )

    def held(self, holds: Sequence[tuple[int, int]], to_deal: int) -> str:
        """Say how many cards the others hold, and how many are to be dealt."""
        facts = [self.holds(seat, number) for seat, number in holds]
        return ", ".join([*facts, _("{number} to deal").format(number=to_deal)]) + "."

    def basra(self, event: Played) -> None:
        call = _("Basra!") if event.kind is Kind.BASRA else _("Jack basra!")
        whose = self.side(self.seats.side(event.seat))
        self.sentences(call, _("{points} for {whose}.").format(points=self.points(event.points), whose=whose))

    def amounts(self, item: Item) -> str:
        """Say how many of an item each side has, and what they earn."""
        if not any(item.amounts):
            return _("none.")
        earned = [
            _("{side} {amount}, {points}.").format(
                side=self.side(side), amount=item.amounts[side - 1], points=self.points(item.points[side - 1])
            )
            for side in self.order
            if item.amounts[side - 1]
        ]
        return " ".join([earned[0], *map(self.capital, earned[1:])])

    def majority(self, item: Item, count: Count) -> str:
        """Say who has the majority."""
        for side in self.order:
            if item.points[side - 1]:
                return _("Most cards: {side}, {points}.").format(
                    side=self.side(side), points=self.points(item.points[side - 1])
                )
        if count.carry:
            return _("Level: {points} go on to the next game.").format(points=self.points(count.carry))
        return _("Nobody has the most.")

    def count_table(self, event: Counted) -> None:
        self.say(_("Count of game {number}.").format(number=event.number))
        labels = {
            "basra": _("Basras"),
            "jack_basra": _("Jack basras"),
            "ace": _("Aces"),
            "jack": _("Jacks"),
            "two_of_clubs": _("Two of clubs"),
            "ten_of_diamonds": _("Ten of diamonds"),
        }
        for item in self.shown_items(event.count):
            if item.key == "majority":
                cards = _("Cards: {sides}.").format(sides=self.sides_with(item.amounts))
                self.sentences(cards, self.majority(item, event.count))
            else:
                self.say(f"{labels[item.key]}: {self.amounts(item)}")
        self.say(_("This game: {sides}.").format(sides=self.sides_with(event.count.points)))
        self.say(
            _("The match, to {target}: {sides}.").format(
                target=self.rules.target, sides=self.sides_with(event.totals)
            )
        )

    def unsealed(self, event: Outcome) -> None:
        if event.seed is None:
            return
        self.say(_("Seed: {seed}").format(seed=event.seed))
        if event.cut:
            self.say(_("Cut: {cut}").format(cut=event.cut))
        self.say(_("Anyone can check the deals. Type help fairness."))

    def status(self, view: View) -> None:
        counts = [pile.bit_count() for pile in view.piles]
        self.say(_("Piles: {sides}.").format(sides=self.sides_with(counts)))
        self.say(_("Basras: {sides}.").format(sides=self.sides_with(view.basras)))
        if any(view.jack_basras):
            self.say(_("Jack basras: {sides}.").format(sides=self.sides_with(view.jack_basras)))
        self.say(
            _("The match, to {target}: {sides}.").format(
                target=self.rules.target, sides=self.sides_with(view.totals)
            )
        )
        if view.carry:
            points = self.points(self.rules.majority + view.carry)
            self.say(_("Most cards: {points} now.").format(points=points))
        self.say(self.held([(seat, view.holds[seat - 1]) for seat in self.others(view)], view.to_deal))

    def lying(self, label: str, cards: Cards) -> None:
        self.say(f"{self.capital(label)}: {self.writer.spread(cards)}.")

    def position(self, view: View) -> None:
        self.ground(view)
        self.hand(view)

    def moves(self, view: View, listed: Sequence[Play], smaller: int) -> None:
        for number, play in enumerate(listed, 1):
            self.say(f"{number}: {self.move(play, view.kind_of(play))}")
        if smaller:
            self.smaller(smaller)

    def entry(self, label: str, text: str) -> None:
        self.say(f"{label.strip()}: {text}")

    def columns(self, title: str, rows: Sequence[tuple[str, Sequence[str]]]) -> None:
        self.say(title + ".")
        for label, figures in rows:
            known = [f"{self.side(at)} {figures[at - 1]}" for at in self.order if figures[at - 1] != "-"]
            self.say(f"{self.capital(label)}: {', '.join(map(glued, known))}.")

    def smaller(self, number: int) -> None:
        self.say(
            _("Smaller ones, left out: {number}. Type moves and a card to hear all of it.").format(
                number=number
            )
        )

    def move(self, play: Play, kind: Kind) -> str:
        text = self.writer.sentence(self.move_sentence(play))
        if kind in (Kind.BASRA, Kind.JACK_BASRA):
            call = _("Basra") if kind is Kind.BASRA else _("Jack basra")
            text += " " + glued(f"{call}, {self.points(bonus(kind, self.rules))}.")
        return text
