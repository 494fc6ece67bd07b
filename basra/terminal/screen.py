"""What is shown: every event and every answer as lines of text that scroll.

The order is always the same: what was played, a blank line, where we stand, the ground,
the hand, the prompt.  Nothing is cleared or drawn again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, TextIO

from ..captures import Captures, Kind, Play, bonus, kind_of, sweeps, worked
from ..cards import Cards, in_rank_order, visible
from ..engine import Count, Counted, Dealt, GameBegan, Item, Match, MatchBegan, Outcome, Played
from ..errors import BasraError, Unreadable
from ..rules import Rules
from ..view import View
from .teller import Block, Code, Teller
from .writing import GLUE, Signs, _, bold, cells, finished, fit, glued, ngettext

if TYPE_CHECKING:
    from ..analysis import Advice, Analysis
    from ..record import Record

LONGEST_NAME = 40  # characters that are shown of a name
TALLEST = 200  # lines of the screenful that hides a hand


class Screen(Teller):
    """Tell a match on a stream.

    `you` is the seat that is addressed as *you*, None where everybody has a name;
    `computers` names the player of each seat that a program plays; `width` is asked anew
    for each line.
    """

    gap = "  "
    code_indent = "  "
    hang = 2  # cells that the second line of a play is indented

    def __init__(
        self,
        out: TextIO,
        writer: Signs,
        width: Callable[[], int],
        *,
        color: bool = False,
        you: int | None = None,
        computers: dict[int, str] | None = None,
    ) -> None:
        super().__init__(out, writer, computers or {})
        self.width = width
        self.color = color
        self.you = you
        self.names: tuple[str, ...] = ()
        self.headed = True  # the last line was a heading: no blank line is due

    # ---- lines -------------------------------------------------------------------------

    def say(self, text: str = "", hang: int = 0) -> None:
        for line in fit(text, self.width(), hang):
            self.out.write(finished(line, color=self.color) + "\n")
        self.headed = False

    def sentences(self, *texts: str) -> None:
        """Write sentences one after the other."""
        self.say(self.gap.join(filter(None, texts)))

    def blank(self) -> None:
        if not self.headed:
            self.out.write("\n")
        self.headed = True

    def page(self, blocks: Sequence[Block]) -> None:
        wide = max((cells(block[0]) for block in blocks if not isinstance(block, str)), default=0) + 2
        for block in blocks:
            if isinstance(block, Code):
                self.verbatim([f"{self.code_indent}{block}\n"])
            elif isinstance(block, str):
                self.say(block, len(block) - len(block.lstrip(" ")))
            else:
                label, text = block
                self.say(glued(label) + " " * (wide - cells(label)) + text, min(wide, self.width() // 3))

    def refusal(self, error: BasraError) -> None:
        self.say(self.writer.sentence(self.writer.error(error)))

    def verbatim(self, lines: Sequence[str]) -> None:
        self.out.writelines(lines)
        self.headed = False

    def note(self, template: str, **words: Any) -> None:
        self.say(self.writer.sentence(self.writer.write(template, **words)))

    # ---- names -------------------------------------------------------------------------

    def name(self, seat: int) -> str:
        """Return the name of a seat within a sentence."""
        return _("you") if seat == self.you else self.names[seat - 1]

    def side(self, side: int) -> str:
        """Return the name of a side within a sentence."""
        seats = sorted(self.seats.of_side(side), key=lambda seat: seat != self.you)
        return _(" and ").join(self.name(seat) for seat in seats)

    @property
    def order(self) -> list[int]:
        """List the sides as figures show them: the own side first, else by number."""
        sides = list(range(1, self.seats.sides + 1))
        if self.you:
            own = self.seats.side(self.you)
            sides.sort(key=lambda side: side != own)
        return sides

    def figures(self, values: Sequence[int]) -> str:
        """Write one figure a side, `6:3`."""
        return ":".join(str(values[side - 1]) for side in self.order)

    def sides_with(self, values: Sequence[int]) -> str:
        """Write each side with its figure, `you 0, North 0`."""
        return ", ".join(f"{self.side(side)}{GLUE}{values[side - 1]}" for side in self.order)

    def capital(self, text: str) -> str:
        """Begin a sentence; a name stays as it is written."""
        return text if text.startswith(self.names) else text[:1].upper() + text[1:]

    def named(self, seat: int, yours: str, theirs: str, /, **words: object) -> str:
        """Write a sentence about a seat in the form for *you* or for a name."""
        template = yours if seat == self.you else theirs
        return self.writer.format(template, name=self.name(seat), **words)

    # ---- events ------------------------------------------------------------------------

    def match_began(self, event: MatchBegan) -> None:
        """Take note of who sits where and by which rules."""
        self.rules = event.rules
        self.seats = event.seats
        self.names = tuple(visible(name, LONGEST_NAME) for name in event.names)

    def player(self, seat: int) -> str:
        """Return a seat's name, with the player behind it if that is a program."""
        name = self.name(seat)
        return f"{name} ({self.computers[seat]})" if seat in self.computers else name

    def table(self) -> str:
        """Say who plays whom, by which rules."""
        sides = [_(" and ").join(map(self.player, self.seats.of_side(side))) for side in self.order]
        rules = self.rules.name
        for key, value in self.rules.differences():
            if key != "target":
                rules += f", {key} {value}"
        if self.you and self.seats.count == self.seats.sides:
            return _("A match to {target} against {others}, rule set {rules}.").format(
                target=self.rules.target, others=_(" and ").join(sides[1:]), rules=rules
            )
        return _("A match to {target}, {sides}, rule set {rules}.").format(
            target=self.rules.target, sides=_(" against ").join(sides), rules=rules
        )

    def greeting(self, match: Match) -> None:
        match.listen(self.event)
        self.sentences("Basra.", self.table())
        self.first_help()
        self.blank()

    def first_help(self) -> None:
        """Name the three commands that a newcomer needs."""
        self.sentences(
            _("rules: the game in one minute."), _("help: the commands."), _("quit: keeps the match.")
        )

    def going_on(self, match: Match, view: View | None, date: str | None) -> None:
        begun = _("Begun {day}.").format(day=date[:10]) if date else ""
        self.sentences("Basra.", self.table(), begun)
        self.sentences(_("This match goes on where it stopped."), _("basra play begins a new one."))
        self.blank()
        if view:
            number = _("Game {number}.").format(number=view.game)
            deal = _("Deal {deal} of {deals}.").format(deal=view.deal, deals=self.seats.deals)
            self.sentences(number, self.capital(self.sides_with(match.totals)) + ".", deal)

    def seal(self, commit: str) -> None:
        self.say(_("Pack sealed: {commit}").format(commit=commit))

    cut_question = _("Cut it with any words (Enter for none):")

    def cut_prompt(self) -> str:
        if cells(self.cut_question) < self.width():
            return f"{self.cut_question} "
        self.say(self.cut_question)
        return "> "

    def prompt(self, state: str, match: Match) -> str:
        if state == "ready":
            return finished(_("{name}, ready? ").format(name=self.names[match.game.turn - 1]), color=False)
        return "> "

    def waiting(self, state: str, match: Match) -> None:
        if state == "ready":
            self.out.write("\n" * min(get_terminal_size().lines, TALLEST))
            self.headed = True
        elif state == "between":
            self.say(_("Enter deals game {number}.").format(number=len(match.games) + 1))
        elif state == "stopped":
            name = self.names[match.game.turn - 1]
            self.say(_("{name} stopped.  Enter lets {name} play, quit leaves.").format(name=name))
        elif state == "over":
            self.say(_("Enter plays another match, quit leaves."))

    def game_began(self, event: GameBegan) -> None:
        self.blank()
        self.sentences(
            _("Game {number}.").format(number=event.number),
            self.capital(self.sides_with(event.totals)) + ".",
            self.who_deals(event.dealer),
        )
        self.headed = True

    def who_deals(self, dealer: int) -> str:
        """Say who deals and who plays first."""
        first = self.seats.after(dealer)
        deals = self.named(dealer, _("you deal"), _("{name} deals"))
        plays = self.named(first, _("you play first"), _("{name} plays first"))
        return self.capital(f"{deals}, {plays}.")

    def dealt(self, event: Dealt) -> None:
        self.blank()
        self.deal_heading(event)
        for card in event.buried:
            self.say(
                self.writer.write(_("{card:card} may not lie there: it goes under the pack."), card=card)
            )
        self.headed = True
        if event.deal == 1 and event.turn in self.computers:
            self.lying(_("ground"), event.ground)

    def deal_heading(self, event: Dealt) -> None:
        """Say which deal this is."""
        self.say(_("Deal {deal} of {deals}.").format(deal=event.deal, deals=event.deals))

    def play_sentence(self, event: Played) -> str:
        """Tell a play in a sentence whose verb says what happened."""
        card, take = event.play
        words = {"card": card, "take": take}
        if event.kind is Kind.DROP:
            return self.named(event.seat, _("You drop {card:card}."), _("{name} drops {card:card}."), **words)
        sums = worked(event.play, self.rules)
        if event.kind is Kind.CAPTURE and sweeps(event.play, self.rules):
            text = self.named(
                event.seat,
                _("You play {card:card} and sweep {take:row}"),
                _("{name} plays {card:card} and sweeps {take:row}"),
                **words,
            )
        else:
            text = self.named(
                event.seat,
                _("You play {card:card} and take {take:row}"),
                _("{name} plays {card:card} and takes {take:row}"),
                **words,
            )
        return text + self.writer.sums(sums)

    def played(self, event: Played) -> None:
        self.say(self.play_sentence(event), self.hang)
        if event.kind in (Kind.BASRA, Kind.JACK_BASRA):
            self.basra(event)

    def points(self, number: int) -> str:
        """Write a number of points."""
        return ngettext("{number} point", "{number} points", number).format(number=number)

    def basra(self, event: Played) -> None:
        """Give a basra its own line."""
        call = _("BASRA") if event.kind is Kind.BASRA else _("JACK BASRA")
        whose = self.side(self.seats.side(event.seat))
        points = _("{points} for {whose}").format(points=self.points(event.points), whose=whose)
        self.say(f"  {bold(glued(f'** {call} **'))}  {points}", 2)

    def counted(self, event: Counted) -> None:
        self.left_over(event)
        self.count_table(event)
        high = [total for total in event.totals if total >= self.rules.target]
        if high and event.totals.count(max(high)) > 1:
            self.blank()
            self.say(_("Level at {total}: another game decides.").format(total=max(high)))
        elif len(high) > 1:
            self.blank()
            both = _("Both") if self.seats.sides == 2 else str(len(high))
            self.say(
                _("{both} have reached {target}: the higher wins.").format(
                    both=both, target=self.rules.target
                )
            )

    def left_over(self, event: Counted) -> None:
        """Say what was left on the ground and whose it is."""
        if not event.left:
            return
        left = self.writer.format(_("Left on the ground: {left:row}."), left=event.left)
        if not event.left_to:
            self.sentences(left, _("Nobody took a card: they stay unclaimed."))
        elif self.you and self.seats.side(self.you) == event.left_to and not self.seats.teams:
            self.sentences(left, _("You took last: they are yours."))
        else:
            side = self.capital(self.side(event.left_to))
            self.sentences(left, _("They go to the side that took last: {side}.").format(side=side))

    def item_label(self, item: Item, count: Count) -> str:
        """Say what a line of the count is for."""
        amounts = f" ({self.figures(item.amounts)})" if any(item.amounts) else ""
        if item.key == "majority":
            if any(item.points) or not item.each:
                return _("cards{amounts}, most {each}").format(amounts=amounts, each=item.each)
            if count.carry:
                return _("cards{amounts}, level: {carry} go on").format(amounts=amounts, carry=count.carry)
            return _("cards{amounts}, level").format(amounts=amounts)
        what = {
            "basra": _("basras"),
            "jack_basra": _("jack basras"),
            "ace": _("aces"),
            "jack": _("jacks"),
            "two_of_clubs": self.writer.card(1),
            "ten_of_diamonds": self.writer.card(22),
        }[item.key]
        return _("{what}{amounts}, {each} each").format(what=what, amounts=amounts, each=item.each)

    @staticmethod
    def shown_items(count: Count) -> list[Item]:
        """Return the items of a count that can earn points, and cards and basras always."""
        return [item for item in count.items if item.each or item.key in ("majority", "basra")]

    def count_table(self, event: Counted) -> None:
        """Show the count of a game, item by item, for each side."""
        rows = [(self.item_label(i, event.count), i.points) for i in self.shown_items(event.count)]
        rows.append((_("this game"), event.count.points))
        rows.append((_("the match, to {target}").format(target=self.rules.target), event.totals))
        title = _("Count of game {number}").format(number=event.number)
        self.columns(title, [(label, [str(number or "-") for number in points]) for label, points in rows])

    def columns(self, title: str, rows: Sequence[tuple[str, Sequence[str]]]) -> None:
        """Show a table with a column for each side; where it is too wide, a line for each figure."""
        heads = [self.capital(self.side(side)) for side in self.order]
        first = max(cells(label) for label, _figures in rows) + 4
        widths = [max(cells(head), 4) + 3 for head in heads]
        self.blank()
        if max(first, cells(title)) + sum(widths) > self.width():
            self.say(title)
            for label, figures in rows:
                self.say("  " + glued(label), 4)
                for head, side in zip(heads, self.order):
                    self.say("    " + glued(f"{head} {figures[side - 1]}"), 6)
            return
        self._row(title, heads, max(first, cells(title)), widths)
        for label, figures in rows:
            values = [figures[side - 1] for side in self.order]
            self._row("  " + label, values, max(first, cells(title)), widths)

    def _row(self, label: str, values: list[str], first: int, widths: list[int]) -> None:
        line = label + " " * (first - cells(label))
        for value, width in zip(values, widths):
            line += " " * (width - cells(value)) + value
        self.say(glued(line))

    def ended(self, event: Outcome) -> None:
        winners = self.seats.of_side(event.winner)
        if event.resigned:
            self.blank()
            self.say(self.named(event.resigned, _("You give the match up."), _("{name} gives the match up.")))
        elif not self.reached_together(event):
            self.blank()
        totals = [event.totals[event.winner - 1]]
        totals += sorted((t for at, t in enumerate(event.totals, 1) if at != event.winner), reverse=True)
        games = ngettext("in {number} game", "in {number} games", event.games).format(number=event.games)
        score = _(" to ").join(map(str, totals))
        many = self.you in winners or len(winners) > 1
        wins = _("{side} win the match") if many else _("{side} wins the match")
        wins = wins.format(side=self.capital(self.side(event.winner)))
        self.say(f"{wins}, {score}, {games}." if event.games else f"{wins}.")
        self.unsealed(event)

    def reached_together(self, event: Outcome) -> bool:
        """Say whether several sides have reached the target."""
        return sum(total >= self.rules.target for total in event.totals) > 1

    def unsealed(self, event: Outcome) -> None:
        """Show what the match was dealt from."""
        if event.seed is None:
            return
        self.say(self.writer.format(_("seed {seed:whole}"), seed=event.seed))
        if event.cut:
            self.say(self.writer.format(_("cut {cut:whole}"), cut=event.cut))
        self.say(_("Anyone can check the deals with two lines: help fairness."))

    # ---- where we stand ----------------------------------------------------------------

    def status(self, view: View) -> None:
        """Say in one or two lines where we stand."""
        facts = [
            _("piles {figures}").format(figures=self.figures([pile.bit_count() for pile in view.piles])),
            _("basras {figures}").format(figures=self.figures(view.basras)),
        ]
        if any(view.jack_basras):
            facts.append(_("jack basras {figures}").format(figures=self.figures(view.jack_basras)))
        facts.append(
            _("match {figures} of {target}").format(
                figures=self.figures(view.totals), target=self.rules.target
            )
        )
        if view.carry:
            facts.append(_("majority {points}").format(points=self.rules.majority + view.carry))
        facts += [self.holds(seat, view.holds[seat - 1]) for seat in self.others(view)]
        facts.append(_("{number} to deal").format(number=view.to_deal))
        self.say("  " + "   ".join(map(glued, facts)), 2)

    def others(self, view: View) -> list[int]:
        """List the other seats in the order of play."""
        seats = [view.seat]
        while len(seats) < self.seats.count:
            seats.append(self.seats.after(seats[-1]))
        return seats[1:]

    def holds(self, seat: int, number: int) -> str:
        """Say how many cards a seat holds."""
        return _("{name} holds {number}").format(name=self.names[seat - 1], number=number)

    def lying(self, label: str, cards: Cards) -> None:
        """Show cards behind a label."""
        start = f"  {glued(label)}{' ' * max(0, 6 - cells(label))}  "
        self.say(start + self.writer.spread(cards), min(cells(start), self.width() // 4))

    def ground(self, view: View) -> None:
        self.lying(_("ground"), view.ground)

    def hand(self, view: View) -> None:
        self.lying(_("hand") if view.seat == self.you else self.names[view.seat - 1], view.hand)

    def position(self, view: View) -> None:
        self.blank()
        self.status(view)
        self.ground(view)
        self.hand(view)

    def score(self, view: View) -> None:
        self.status(view)

    def last(self, plays: Sequence[Played]) -> None:
        for play in plays:
            self.played(play)
        if not plays:
            self.note(_("nothing has been played yet"))

    # ---- legal plays -------------------------------------------------------------------

    def moves(self, view: View, listed: Sequence[Play], smaller: int) -> None:
        wide = len(str(len(listed)))
        for number, play in enumerate(listed, 1):
            self.say(f"  {number:{wide}}  {self.move(play, view.kind_of(play))}", wide + 4)
        if smaller:
            self.smaller(smaller)

    def smaller(self, number: int) -> None:
        """Say how many captures are left out because another contains them."""
        text = ngettext(
            "and {number} smaller one: moves CARD lists all of a card",
            "and {number} smaller ones: moves CARD lists all of a card",
            number,
        )
        self.say("  " + text.format(number=number), 2)

    def entry(self, label: str, text: str) -> None:
        """Write one line of a list."""
        self.say(f"  {label}  {text}", cells(label) + 4)

    def hint(self, view: View, advice: Advice) -> None:
        from .judging import hint

        hint(self, view, advice)

    def analysis(self, record: Record, found: Analysis) -> None:
        from .judging import analysis

        analysis(self, record, found)

    def move_sentence(self, play: Play) -> str:
        """Write what a legal play does."""
        if not play.take:
            return self.writer.format(_("{card:card} is dropped."), card=play.card)
        does = (
            _("{card:card} sweeps {take:row}")
            if sweeps(play, self.rules)
            else _("{card:card} takes {take:row}")
        )
        text = self.writer.format(does, card=play.card, take=play.take)
        return text + self.writer.sums(worked(play, self.rules))

    def move(self, play: Play, kind: Kind) -> str:
        """Write one legal play with what it earns."""
        text = self.move_sentence(play).rstrip(".")
        if kind in (Kind.BASRA, Kind.JACK_BASRA):
            call = _("basra") if kind is Kind.BASRA else _("jack basra")
            text += "   " + bold(glued(f"{call}, {self.points(bonus(kind, self.rules))}"))
        return text

    def legal_plays(self, ground: Cards, hand: Cards, rules: Rules) -> None:
        """List every legal play of a hand on a ground."""
        self.rules = rules
        captures = Captures.under(rules)
        for card in in_rank_order(hand):
            for play in captures.plays(card, ground):
                self.say(self.move(play, kind_of(play, ground, rules)), 2)


def check_position(ground: Cards, hand: Cards) -> None:
    """Raise `Unreadable` for a position that cannot arise: over 16 cards on the ground, a card twice."""
    if ground & hand:
        raise Unreadable("{cards:cards} stands twice", cards=ground & hand)
    if ground.bit_count() > 16:
        raise Unreadable("a ground has at most 16 cards, not {count}", count=ground.bit_count())
