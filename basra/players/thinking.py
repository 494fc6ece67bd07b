"""Thinking ahead: deal out what cannot be seen, play it out, and see what came of it.

Every card that was ever seen is remembered: only those that a seat cannot place are dealt out
afresh, each sample to the hands and the pack as they may really lie.  Each play is tried on
the same samples; every seat then plays by `Judgement`, knowing no more than it would at the
table, to the end of the deal, and what stands there is worth what `Standing` says.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from math import sqrt
from typing import Any, NamedTuple

from ..captures import Play, card_points, choices
from ..cards import FULL, Cards, in_pack_order
from ..rules import Rules
from ..view import View
from .judgement import Judged, Judgement, Weights, chance_of
from .prospects import Prospects

# Fitted by playing the weights against each other, see `master`.
WEIGHTS = Weights(
    card=1.29,
    keep_jack=4.7,
    keep_komi=6.0,
    risk_points=1.07,
    risk_cards=0.48,
    own_points=0.19,
    own_cards=0.22,
    clear=0.0,
)


PLAYS = 10  # how many plays are thought about: those that promise most at a glance


class Thought(NamedTuple):
    """A play, what it is worth on average in points, and on how many samples it was tried."""

    play: Play
    worth: float
    samples: int


class Samples:
    """The ways in which the cards that a seat cannot see may lie, each as likely as another."""

    def __init__(self, view: View) -> None:
        self.view = view
        count = view.seats.count
        self.placed: list[Cards] = [0] * count
        known = 0
        # Buried cards lie at the bottom of the pack in their order, and are dealt from there.
        for up, card in enumerate(reversed(view.buried), 1):
            if up <= view.to_deal:
                known |= 1 << card
            elif view.unseen >> card & 1:
                packet = (view.to_deal + 4 * count - up) // 4
                self.placed[(view.dealer + packet) % count] |= 1 << card
        self.loose = list(in_pack_order(view.unseen & ~known & ~sum(self.placed)))
        self.placed[view.seat - 1] = view.hand
        self.need = [holds - hand.bit_count() for holds, hand in zip(view.holds, self.placed)]

    def draw(self, rng: random.Random) -> list[Cards]:
        """Draw the hands, one a seat."""
        loose, chance = self.loose, rng.random
        hands = self.placed[:]
        at = 0
        for place, need in enumerate(self.need):
            for _ in range(need):
                other = at + int(chance() * (len(loose) - at))
                loose[at], loose[other] = loose[other], loose[at]
                hands[place] |= 1 << loose[at]
                at += 1
        return hands


class Line:
    """A deal played on in thought: whose turn it is, and where the cards have come to lie.

    It moves cards as `Game` does, but for the check, which plays from `Judgement` do not need:
    they come from `Captures`, and so does what they are.  Seats and sides are places from 0.
    `points` counts what each side has made since, but for the majority; `plays` are those made.
    """

    __slots__ = ("ground", "hands", "new", "piles", "plays", "points", "sides", "taker", "turn")

    def __init__(self, view: View, hands: Sequence[Cards]) -> None:
        """Stand where a view does, with these hands."""
        self.hands = list(hands)
        self.ground = view.ground
        self.piles = list(view.piles)
        self.points = [0] * view.seats.sides
        self.sides = tuple(view.seats.side(seat) - 1 for seat in range(1, view.seats.count + 1))
        self.taker = view.last_taker - 1
        self.turn = view.seat - 1
        self.new = 4 if view.to_deal else 0
        self.plays: list[Play] = []

    def copy(self) -> Line:
        """Return an independent copy."""
        other = Line.__new__(Line)
        other.hands = self.hands[:]
        other.ground = self.ground
        other.piles = self.piles[:]
        other.points = self.points[:]
        other.sides = self.sides
        other.taker = self.taker
        other.turn = self.turn
        other.new = self.new
        other.plays = self.plays[:]
        return other

    def glance(self, judgement: Judgement, tried: list[tuple[float, Judged]] | None = None) -> Judged:
        """Return what the seat at its turn would play by judgement, knowing what it would know."""
        hands, turn = self.hands, self.turn
        hand = hands[turn]
        unseen = FULL & ~hand & ~self.ground
        for pile in self.piles:
            unseen &= ~pile
        holds = hands[(turn + 1) % len(hands)].bit_count() or self.new
        chance = holds / unseen.bit_count() if holds else 0.0
        return judgement.best(hand, self.ground, unseen, chance, tried)

    def play(self, judged: Judged, judgement: Judgement) -> bool:
        """Make a play; return whether the deal goes on."""
        play, _, _, points, after = judged
        turn = self.turn
        bit = 1 << play.card
        hands = self.hands
        hands[turn] ^= bit
        goes_on = any(hands)
        if play.take:
            side = self.sides[turn]
            if not goes_on and not self.new:
                points = judgement.points(play, self.ground, last=True)
            self.points[side] += points
            self.piles[side] |= play.take | bit
            self.taker = side
        self.ground = after
        self.plays.append(play)
        self.turn = (turn + 1) % len(hands)
        return goes_on

    def play_out(self, judgement: Judgement) -> None:
        """Play the deal to its end, every seat by judgement."""
        while self.play(self.glance(judgement), judgement):
            pass


class Likely(Samples):
    """The ways in which they may lie, those more often that go with what the others have played.

    A sample is kept with a chance that falls with what each seat would have given up, by
    `Judgement`, by the plays that it has made since the deal.
    """

    DOUBT = 3.0  # points given up at which a play is half as likely
    TRIES = 24  # samples drawn for one at most

    def __init__(self, view: View, judgement: Judgement) -> None:
        super().__init__(view)
        self.judgement = judgement
        self.made = self._history()

    def _history(self) -> list[tuple[int, Cards, Play, Cards, Cards, float]]:
        """List what the others have played since the deal, as each stood before it.

        The place of the seat, what it has played since, the play, the ground, the cards in
        sight, and the chance of the next seat to hold any one other card.
        """
        view = self.view
        count = view.seats.count
        number = sum(4 - holds for holds in view.holds)
        made: list[tuple[int, Cards, Play, Cards, Cards, float]] = []
        ground, piles = view.ground, 0
        for pile in view.piles:
            piles |= pile
        played = [0] * count
        place = view.seat - 1
        for play in reversed(view.plays[-number:] if 0 < number <= len(view.plays) else ()):
            place = (place - 1) % count
            bit = 1 << play.card
            if play.take:
                ground |= play.take
                piles &= ~(play.take | bit)
            else:
                ground &= ~bit
            played[place] |= bit
            after = (place + 1) % count
            holds = view.holds[after] + played[after].bit_count() or (4 if view.to_deal else 0)
            if place != view.seat - 1:
                hand = view.holds[place] + played[place].bit_count()
                hidden = 52 - (ground | piles).bit_count() - hand
                made.append((place, played[place], play, ground, piles, holds / hidden if hidden else 0.0))
        return made

    def draw(self, rng: random.Random) -> list[Cards]:
        """Draw the hands, as likely as they are after what was played."""
        hands = super().draw(rng)
        for _ in range(self.TRIES if self.made else 0):
            if rng.random() < self._likely(hands):
                break
            hands = super().draw(rng)
        return hands

    def _likely(self, hands: list[Cards]) -> float:
        likely = 1.0
        for place, since, made, ground, piles, chance in self.made:
            hand = hands[place] | since
            tried: list[tuple[float, Judged]] = []
            self.judgement.best(hand, ground, FULL & ~hand & ~ground & ~piles, chance, tried)
            best = max(value for value, _ in tried)
            given_up = best - next((value for value, judged in tried if judged.play == made), best)
            likely /= 1.0 + (given_up / self.DOUBT) ** 2
        return likely


class Tree:
    """The next plays of the seat that thinks, in each way that the deal may have gone by then.

    What it knows is its hand and what was played, so the same plays lead to the same place,
    whatever the others hold; which of its plays does best there is learnt as samples go by.
    """

    PLAYS = 4  # plays tried at each place
    CURIOUS = 6.0  # how much the less tried ones are favoured, in points

    def __init__(self, view: View, judgement: Judgement) -> None:
        self.seat = view.seat
        self.judgement = judgement
        self.places: dict[tuple[Play, ...], list[list[Any]]] = {}
        self.way: list[list[Any]] = []

    def play_out(self, line: Line) -> None:
        """Play the deal to its end, this seat by what was learnt, the others by judgement."""
        judgement, fresh, goes_on = self.judgement, False, True
        while goes_on:
            if fresh or line.turn != self.seat - 1:
                goes_on = line.play(line.glance(judgement), judgement)
                continue
            key = tuple(line.plays)
            place = self.places.get(key)
            if place is None:
                tried: list[tuple[float, Judged]] = []
                line.glance(judgement, tried)
                tried.sort(key=lambda each: -each[0])
                place = self.places[key] = [[judged, 0, 0.0] for _, judged in tried[: self.PLAYS]]
                fresh = True
            number = sum(choice[1] for choice in place)
            best, most = place[0], -1e9
            if number and len(place) > 1:
                mean = sum(choice[2] for choice in place) / number
                for choice in place:
                    hope = choice[2] / choice[1] if choice[1] else mean
                    hope += self.CURIOUS * sqrt(sqrt(number) / (1 + choice[1]))
                    if hope > most:
                        best, most = choice, hope
            self.way.append(best)
            goes_on = line.play(best[0], judgement)

    def learn(self, worth: float) -> None:
        """Remember what came of the line that was just played out."""
        for choice in self.way:
            choice[1] += 1
            choice[2] += worth
        self.way.clear()


class Standing:
    """What a position between two deals, or at the end of a game, is worth to a side, in points.

    That is what its basras and cards count, less the average of the other sides; what it can
    expect of the majority; and what the seat that plays next can expect of the ground.
    """

    # Measured over games of the judgement against itself, two seats: the difference in cards
    # still to come has a variance of 2.9 for each card that is in no pile, and 9 for the last
    # capture; the seat that plays first gets a card less of it, and makes 0.57 of the points that
    # the ground offers to a hand of four.
    VARIANCE, LAST, FIRST, OFFERED = 2.9, 9.0, -1, 0.57

    def __init__(self, rules: Rules, carry: int = 0) -> None:
        self.rules = rules
        self.majority = rules.majority + carry
        self.pointed = bool(rules.ace or rules.jack or rules.two_of_clubs or rules.ten_of_diamonds)
        self.ground = Judgement.under(rules, Weights(0, 0, 0, 1.0, 0, 0, 0, 0))

    def worth(self, line: Line, side: int) -> float:
        """Return what the end of a deal is worth to a side."""
        points, shares, first, offered = self.stand(line)
        worth = [had + self.majority * share for had, share in zip(points, shares)]
        worth[first] += offered
        mine = worth[side - 1]
        return mine - (sum(worth) - mine) / (len(worth) - 1)

    def stand(self, line: Line) -> tuple[list[int], list[float], int, float]:
        """Return how things stand at the end of a deal.

        The points of each side but for the majority, its chance of that, the place of the
        side that plays first, and the points that the ground offers it.
        """
        piles, points = line.piles, line.points
        first = line.sides[line.turn]
        if not line.new:
            if line.taker >= 0:
                piles, points = piles[:], points[:]
                piles[line.taker] |= line.ground
                if self.pointed:
                    points[line.taker] += card_points(line.ground, self.rules)
            cards = [pile.bit_count() for pile in piles]
            most = max(cards)
            single = cards.count(most) == 1
            return points, [float(single and number == most) for number in cards], first, 0.0
        cards = [pile.bit_count() for pile in piles]
        unseen = FULL & ~line.ground
        for pile in piles:
            unseen &= ~pile
        offered = 0.0
        for which, each, _ in self.ground.threats(line.ground):
            offered += (which & unseen).bit_count() * each
        offered *= self.OFFERED * 4 / unseen.bit_count()
        spread = sqrt(self.VARIANCE * (52 - sum(cards)) + self.LAST)
        cards[first] += self.FIRST
        shares = []
        for at, number in enumerate(cards):
            share = 1.0
            for other, less in enumerate(cards):
                if other != at:
                    share *= below((number - less) / spread)
            shares.append(share)
        return points, shares, first, offered


class MatchStanding(Standing):
    """What a position is worth where the match counts, two sides: a chance in a hundred to win it."""

    def __init__(self, view: View) -> None:
        super().__init__(view.rules, view.carry)
        rules = view.rules
        self.prospects = Prospects.under(rules)
        self.to_deal = view.to_deal
        self.had = [
            total + basras * rules.basra + jacks * rules.jack_basra + card_points(pile, rules)
            for total, basras, jacks, pile in zip(view.totals, view.basras, view.jack_basras, view.piles)
        ]

    def worth(self, line: Line, side: int) -> float:
        """Return the chance of a side to win the match, in hundredths."""
        points, shares, first, offered = self.stand(line)
        at, other = side - 1, 2 - side
        mine, theirs = self.had[at] + points[at], self.had[other] + points[other]
        majority, hope = self.majority, self.prospects.hope
        parts = -(-8 * self.to_deal // 48)
        win = shares[at] * hope(mine + majority, theirs, parts)
        win += shares[other] * hope(mine, theirs + majority, parts)
        if not shares[at] and not shares[other]:
            win = hope(mine, theirs, parts)
        if offered:
            more = self.rules.basra
            if first == at:
                slope = hope(mine + more, theirs, parts) - hope(mine, theirs, parts)
            else:
                slope = hope(mine, theirs + more, parts) - hope(mine, theirs, parts)
            win += slope * offered / more
        return 100.0 * win


def below(deviations: float) -> float:
    """Return how much of a normal distribution lies below so many deviations.

    An approximation by arithmetic that is the same to the last bit everywhere, which `math.erf` is not.
    """
    slope = deviations * (0.8 + 0.13 * deviations * deviations)
    return 0.5 + 0.5 * slope / sqrt(1.0 + slope * slope)


def promising(view: View, judgement: Judgement, also: Sequence[Play] = ()) -> list[Judged]:
    """Return the plays worth thinking about, each of those that come to the same once; `also` first."""
    tried: list[tuple[float, Judged]] = []
    judgement.best(view.hand, view.ground, view.unseen, chance_of(view, view.unseen), tried)
    tried.sort(key=lambda each: -each[0])
    known = {judged.play: judged for _, judged in tried}
    for play in also:  # one of those captures of a card that are not looked at, perhaps
        if play not in known:
            points, after = judgement.points(play, view.ground), view.ground ^ (play.take or 1 << play.card)
            known[play] = Judged(play, 0.0, (), points, after)
    return [known[play] for play in choices((*also, *known), view.rules)[: PLAYS + len(also)]]


def think(
    view: View,
    rng: random.Random,
    samples: int,
    *,
    standing: Standing | None = None,
    likely: bool = False,
    follow: bool = False,
    batch: int = 16,
    also: Sequence[Play] = (),
) -> list[Thought]:
    """Try every play on samples of what cannot be seen; return them, the best first.

    `samples` says on how many one play at most is tried.  After each `batch` those are
    dropped that are surely worse than the best so far.  `standing` says what counts, points
    unless it is given.  With `likely` the samples are those that go with what the others have played; with
    `follow` this seat's next plays are searched too.  `also` are tried whatever they promise.
    """
    judgement = Judgement.under(view.rules, WEIGHTS)
    plays = promising(view, judgement, also)
    if len(plays) == 1:
        return [Thought(plays[0].play, 0.0, 0)]
    standing = standing or _standing(view.rules, view.carry)
    side = view.side
    tried: dict[Play, list[float]] = {judged.play: [] for judged in plays}
    left = list(plays)
    means: dict[Play, float] = {}
    tree = Tree(view, judgement) if follow else None
    dealt = Likely(view, judgement) if likely else Samples(view)
    for number in range(1, samples + 1):
        start = Line(view, dealt.draw(rng))
        for judged in left:
            line = start.copy()
            if line.play(judged, judgement):
                if tree:
                    tree.play_out(line)
                else:
                    line.play_out(judgement)
            worth = standing.worth(line, side)
            tried[judged.play].append(worth)
            if tree:
                tree.learn(worth)
        if number % batch and number < samples:
            continue
        means = {play: sum(worth) / len(worth) for play, worth in tried.items()}
        best = max((judged.play for judged in left), key=means.__getitem__)
        left = [
            judged
            for judged in left
            if judged.play == best or not _surely_less(tried[judged.play], tried[best])
        ]
        if len(left) == 1:
            break
    thoughts = [Thought(play, means[play], len(worth)) for play, worth in tried.items()]
    return sorted(thoughts, key=lambda thought: (-thought.samples, -thought.worth))


def _surely_less(worth: list[float], best: list[float]) -> bool:
    """Say whether one play did worse than another on the same samples by over 2.5 standard errors."""
    number = len(worth)
    mean = sum(best) / number - sum(worth) / number
    squares = sum((b - w - mean) ** 2 for b, w in zip(best, worth))
    return mean > 0 and mean * mean * number * (number - 1) > 6.25 * squares


@cache
def _standing(rules: Rules, carry: int) -> Standing:
    return Standing(rules, carry)
