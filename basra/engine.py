"""Game and Match: the one way in which play moves on.

A `Game` is one pack played out, a `Match` the games until one side has won.  Both move on
by `play` alone, which always checks.  Seats and sides are numbered from 1; what is kept for
each of them stands in lists in that order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .captures import Captures, Kind, Play, bonus, point_cards, why_not
from .cards import FULL, JACKS, KOMI, PACK, Card, Cards, check_text, to_set
from .errors import Illegal, Unreadable
from .events import Count, Counted, Dealt, Event, GameBegan, Item, MatchBegan, Outcome, Played
from .rules import Rules
from .shuffle import commitment, first_dealer, pack_of

__all__ = [
    "Count",
    "Counted",
    "Dealt",
    "Event",
    "Game",
    "GameBegan",
    "Item",
    "Match",
    "MatchBegan",
    "Outcome",
    "Played",
    "Seats",
]

_DROP, _CAPTURE, _BASRA, _JACK_BASRA = Kind  # a name alone is quicker than a look into the class

# Sets that share no card are added, and a part is taken off: quicker than `|` and `^`.
_ALONE: tuple[Cards, ...] = tuple(1 << card for card in PACK)  # each card as a set
_ALL = set(PACK)
_AWAY: dict[str, Cards] = {"none": 0, "jacks": JACKS, "jacks+komi": JACKS | 1 << KOMI}  # by the key `bury`

_NAMES = {2: ("South", "North"), 3: ("South", "East", "West"), 4: ("South", "East", "North", "West")}


@dataclass(frozen=True)
class Seats:
    """How many seats there are, 2, 3 or 4, and whether four play in teams, 1+3 against 2+4."""

    count: int = 2
    teams: bool = False

    def __post_init__(self) -> None:
        if self.count not in _NAMES:
            raise Unreadable("there cannot be {count} seats: 2, 3 or 4", count=self.count)
        if self.teams and self.count != 4:
            raise Unreadable("teams need 4 seats, not {count}", count=self.count)

    @property
    def sides(self) -> int:
        """Return how many sides there are."""
        return 2 if self.teams else self.count

    def side(self, seat: int) -> int:
        """Return the side of a seat."""
        return (seat - 1) % 2 + 1 if self.teams else seat

    def of_side(self, side: int) -> tuple[int, ...]:
        """List the seats of a side."""
        return tuple(seat for seat in range(1, self.count + 1) if self.side(seat) == side)

    def after(self, seat: int) -> int:
        """Return the next seat number."""
        return seat % self.count + 1

    def check(self, seat: int) -> int:
        """Return a seat's number if there is such a seat; raise `Unreadable` otherwise."""
        if not 1 <= seat <= self.count:
            raise Unreadable("there is no seat {seat}: they are 1 to {count}", seat=seat, count=self.count)
        return seat

    @property
    def deals(self) -> int:
        """Return how many deals a game has."""
        return 48 // (4 * self.count)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of seats that nobody named."""
        return _NAMES[self.count]


class Game:
    """One pack of 52 cards, from the first deal to the last card.

    Public and for reading: `rules`, `seats`, `dealer`, `turn` (the seat to play), `deal`
    (from 1), `hands` (a set a seat), `ground`, `piles`, `basras` and `jack_basras` (one a
    side), `last_taker` (the side that captured last, 0: none), `stock` (the cards still to
    deal, top first), `plays` (all so far), `first_ground`, `buried` (cards that went to the
    bottom of the pack when the first ground was turned up), `left` (what nobody took), `over`
    (whether the last card has been played).
    """

    rules: Rules
    seats: Seats
    dealer: int
    deal: int
    hands: list[Cards]
    ground: Cards
    piles: list[Cards]
    basras: list[int]
    jack_basras: list[int]
    last_taker: int
    stock: tuple[Card, ...]
    plays: list[Play]
    first_ground: Cards
    buried: tuple[Card, ...]
    left: Cards
    over: bool
    _captures: Captures
    _legal: tuple[Play, ...]  # the legal plays of this turn, once they have been asked for
    _at: int  # the place of the seat to play, from 0
    _next: tuple[int, ...]  # the place after each: quicker than to count
    __slots__ = tuple(__annotations__)

    def __init__(
        self, pack: Sequence[Card], rules: Rules = Rules(), seats: Seats = Seats(), dealer: int = 1
    ) -> None:
        """Deal a game from a pack, top first, as paragraph 2 of the rules says.

        Packets of four to each seat from the one after the dealer; then four to the ground,
        where a card that the key `bury` keeps away goes under the pack.  Raises
        `Unreadable` for a pack that is not the 52 cards.
        """
        if len(pack) != 52 or set(pack) != _ALL:
            raise Unreadable("a pack is the 52 cards, each once")
        seats.check(dealer)
        self._set_up(rules, seats, dealer)
        away, rest, at, turned_up = _AWAY[rules.bury], list(pack), 4 * seats.count, 0
        while turned_up < 4:
            card = rest.pop(at)
            if away >> card & 1:
                rest.append(card)
                self.buried += (card,)
            else:
                self.ground |= _ALONE[card]
                turned_up += 1
        self.first_ground = self.ground
        self.stock = tuple(rest)
        self._deal()

    def _set_up(self, rules: Rules, seats: Seats, dealer: int) -> None:
        self.rules = rules
        self.seats = seats
        self.dealer = dealer
        self._next = (*range(1, seats.count), 0)
        self._at = seats.after(dealer) - 1
        self.deal = 0
        self.hands = [0] * seats.count
        self.ground = 0
        none = [0] * seats.sides
        self.piles, self.basras, self.jack_basras = none, none.copy(), none.copy()
        self.last_taker = 0
        self.stock = ()
        self.plays = []
        self.first_ground = 0
        self.buried = ()
        self.left = 0
        self.over = False
        self._captures = Captures.under(rules)
        self._legal = ()

    @classmethod
    def position(
        cls,
        hands: Sequence[Cards],
        ground: Cards = 0,
        *,
        stock: Sequence[Card] = (),
        piles: Sequence[Cards] = (),
        turn: int = 1,
        rules: Rules = Rules(),
        seats: Seats | None = None,
        last_taker: int = 0,
    ) -> Game:
        """Set up a position in the middle of a game; cards that are named nowhere are out of play.

        >>> from basra.cards import read_cards
        >>> game = Game.position([read_cards("9H"), read_cards("3S")], read_cards("4H 5C"))
        >>> [str(play) for play in game.legal_plays()]
        ['9H take 5C,4H']

        Raises `Unreadable` where a card stands twice or a hand is missing.
        """
        seats = seats or Seats(len(hands))
        if len(hands) != seats.count:
            raise Unreadable(
                "{count} seats need as many hands, not {hands}", count=seats.count, hands=len(hands)
            )
        seats.check(turn)
        seen = 0
        for cards in (*hands, ground, to_set(stock), *piles):
            if cards & seen:
                raise Unreadable("{cards:cards} stands twice", cards=cards & seen)
            seen |= cards
        if seen & ~FULL or to_set(stock).bit_count() != len(stock):
            raise Unreadable("a card stands twice, or is none")
        holds = [hands[(turn - 1 + at) % seats.count].bit_count() for at in range(seats.count)]
        if not holds[0] or holds != sorted(holds, reverse=True) or holds[0] - holds[-1] > 1:
            raise Unreadable(
                "hands of {holds} cards, from the seat to play on, do not arise", holds=str(holds)
            )
        if len(stock) % (4 * seats.count):
            raise Unreadable("a stock of {stock} cards is not a number of whole deals", stock=len(stock))
        if piles and len(piles) != seats.sides:
            raise Unreadable(
                "{sides} sides need as many piles, not {piles}", sides=seats.sides, piles=len(piles)
            )
        game = cls.__new__(cls)
        game._set_up(rules, seats, (turn - 2) % seats.count + 1)
        game.deal = seats.deals - len(stock) // (4 * seats.count)
        game.hands = list(hands)
        game.ground = game.first_ground = ground
        game.piles = list(piles) or game.piles
        game.stock = tuple(stock)
        game.last_taker = last_taker
        return game

    @property
    def turn(self) -> int:
        """Return the seat to play."""
        return self._at + 1

    def copy(self) -> Game:
        """Return an independent copy, cheaply, for players that think ahead."""
        other = Game.__new__(Game)
        other.rules = self.rules
        other.seats = self.seats
        other.dealer = self.dealer
        other._at = self._at
        other.deal = self.deal
        other.hands = self.hands[:]
        other.ground = self.ground
        other.piles = self.piles[:]
        other.basras = self.basras[:]
        other.jack_basras = self.jack_basras[:]
        other.last_taker = self.last_taker
        other.stock = self.stock
        other.plays = self.plays[:]
        other.first_ground = self.first_ground
        other.buried = self.buried
        other.left = self.left
        other.over = self.over
        other._captures = self._captures
        other._legal = self._legal
        other._next = self._next
        return other

    def _deal(self) -> None:
        """Deal four cards to each seat from the stock."""
        self.deal += 1
        stock, hands, seat = self.stock, self.hands, self.dealer
        for at in range(0, 4 * len(hands), 4):
            hands[seat % len(hands)] = (
                _ALONE[stock[at]] + _ALONE[stock[at + 1]] + _ALONE[stock[at + 2]] + _ALONE[stock[at + 3]]
            )
            seat += 1
        self.stock = stock[4 * len(hands) :]

    def legal_plays(self) -> tuple[Play, ...]:
        """List the legal plays of the seat whose turn it is.

        Cards of the hand in the order of the pack; for each card its captures, those with
        the most cards first, then those whose cards come first in the pack.
        """
        legal = self._legal
        if not legal:
            legal = self._legal = self._captures.of_hand(self.hands[self._at], self.ground)
        return legal

    def plays_of(self, card: Card) -> tuple[Play, ...]:
        """List the legal plays of one card: none where it is not in the hand of the seat to play."""
        return self._captures.of_hand(self.hands[self._at] & 1 << card, self.ground)

    def why_not(self, play: Play) -> Illegal | None:
        """Say why a play is not legal now, or return None where it is."""
        if self.over:
            return Illegal("the game is over")
        hand = self.hands[self._at]
        if not hand >> play.card & 1:
            return Illegal("{card:card} is not in your hand: {hand:row}", card=play.card, hand=hand)
        return why_not(play, self.ground, self.rules)

    @property
    def is_last_play(self) -> bool:
        """Say whether the next play is the very last of the game."""
        return not self.stock and sum(hand.bit_count() for hand in self.hands) == 1

    def kind_of(self, play: Play) -> Kind:
        """Say what a legal play would be now."""
        barred = not self.rules.last_card_basra and self.is_last_play
        return self._captures.kind_of(play, self.ground, barred=barred)

    def play(self, play: Play) -> Kind:
        """Play a card and say what it was.  Raises `Illegal` and changes nothing if it may not be played.

        What is taken and the card go to the pile of the seat's side.  When every hand is
        empty the next deal is dealt; after the last card what is left on the ground goes to
        the side that captured last.
        """
        if play not in (self._legal or self.plays_of(play[0])):
            raise self.why_not(play) or AssertionError("a play that is not legal has a reason")
        card, take = play[0], play[1]  # quicker than to unpack
        at, hands, ground = self._at, self.hands, self.ground
        bit = _ALONE[card]
        if take:
            kind = self.kind_of(play) if take == ground else _CAPTURE
            piles = self.piles
            side = at % len(piles)  # its place, as in `Seats.side`
            piles[side] += take + bit
            self.ground = ground - take
            self.last_taker = side + 1
            if kind is _BASRA:
                self.basras[side] += 1
            elif kind is _JACK_BASRA:
                self.jack_basras[side] += 1
        else:
            kind = _DROP
            self.ground = ground + bit
        hands[at] = hand = hands[at] - bit
        self.plays.append(play)
        self._legal = ()
        self._at = self._next[at]
        if not hand and not any(hands):
            self._after_deal()
        return kind

    def _after_deal(self) -> None:
        if self.stock:
            self._deal()
        else:
            self.over = True
            self.left = self.ground
            if self.last_taker:
                self.piles[self.last_taker - 1] |= self.ground
                self.ground = 0

    def count(self, carry: int = 0) -> Count:
        """Count the game, item by item (paragraph 6 of the rules).

        `carry` is what level majorities of earlier games add to this one.
        """
        rules = self.rules
        cards = tuple(pile.bit_count() for pile in self.piles)
        most = max(cards)
        majority = rules.majority + carry
        single = cards.count(most) == 1
        items = [
            Item("majority", majority, cards, tuple(majority if single and n == most else 0 for n in cards)),
            self._item("basra", rules.basra, self.basras),
            self._item("jack_basra", rules.jack_basra, self.jack_basras),
        ]
        for key, which, each in point_cards(rules):
            items.append(self._item(key, each, [(pile & which).bit_count() for pile in self.piles]))
        left_over = 0 if single or rules.majority_tie == "none" else majority
        return Count(tuple(items), cards, tuple(self.basras), tuple(self.jack_basras), left_over)

    @staticmethod
    def _item(key: str, each: int, amounts: Sequence[int]) -> Item:
        return Item(key, each, tuple(amounts), tuple(each * amount for amount in amounts))


class Match:
    """Games until one side has reached the target and leads.

    With `seed` (and `cut`) every pack comes from the shuffle, and so does the first dealer;
    without one, `begin_game` is given each pack, and `dealer` is who deals the first.
    Public and for reading: `rules`, `seats`, `names`, `seed`, `cut`, `games` (begun so far),
    `counts` (of those finished), `packs` (those that were given), `totals`, `outcome` (None
    while it goes on).

    >>> match = Match(seed="42")
    >>> print(match.begin_game().legal_plays()[0])
    JC take 5D,3H,AS,5S
    """

    def __init__(
        self,
        rules: Rules = Rules(),
        seats: Seats = Seats(),
        *,
        names: Sequence[str] = (),
        seed: str | None = None,
        cut: str = "",
        dealer: int = 1,
    ) -> None:
        self.rules = rules
        self.seats = seats
        given = [check_text("the name", name) for name in names]
        if len(given) > seats.count:
            raise Unreadable(
                "{given} names are too many for {count} seats", given=len(given), count=seats.count
            )
        self.names: tuple[str, ...] = (*given, *seats.names[len(given) :])
        self.seed = None if seed is None else check_text("the seed", seed)
        self.cut = check_text("the cut", cut, empty=True)
        self.dealer = seats.check(dealer) if self.seed is None else first_dealer(self.seed, seats.count)
        self.games: list[Game] = []
        self.counts: list[Count] = []
        self.packs: list[tuple[Card, ...]] = []
        self.totals: tuple[int, ...] = (0,) * seats.sides
        self.outcome: Outcome | None = None
        self._listeners: list[Callable[[Event], None]] = []

    @property
    def game(self) -> Game:
        """Return the game that was begun last."""
        return self.games[-1]

    @property
    def waiting(self) -> bool:
        """Say whether the next game is still to begin."""
        return self.outcome is None and len(self.counts) == len(self.games)

    @property
    def commit(self) -> str | None:
        """Return the seal of the seed, or None without one."""
        return None if self.seed is None else commitment(self.seed)

    def listen(self, listener: Callable[[Event], None]) -> None:
        """Call `listener` with each event from now on, the first being `MatchBegan`.

        Events are made only while somebody listens.
        """
        listener(MatchBegan(self.rules, self.seats, self.names, self.commit))
        self._listeners.append(listener)

    def _tell(self, event: Event) -> None:
        for listener in self._listeners:
            listener(event)

    def begin_game(self, pack: Sequence[Card] | None = None) -> Game:
        """Shuffle and deal the next game; `pack` is given exactly where there is no seed.

        Raises `Illegal` while a game is being played or when the match is over.
        """
        if not self.waiting:
            raise Illegal("the match is over" if self.outcome else "a game is being played")
        number = len(self.games) + 1
        if self.seed is not None:
            if pack is not None:
                raise Illegal("the pack comes from the seed")
            pack = pack_of(self.seed, number, self.cut)
        elif pack is None:
            raise Illegal("a match without a seed needs the pack of each game")
        dealer = (self.dealer + number - 2) % self.seats.count + 1
        game = Game(pack, self.rules, self.seats, dealer)
        self.games.append(game)
        if self.seed is None:
            self.packs.append(tuple(pack))
        if self._listeners:
            self._tell(GameBegan(number, dealer, self.totals))
            self._tell_deal()
        return game

    def play(self, play: Play) -> Kind:
        """Play a card for the seat whose turn it is and say what it was.

        Raises `Illegal`, and then nothing has changed.
        """
        if self.outcome or not self.games:
            raise Illegal("the match is over" if self.outcome else "no game has begun")
        game = self.games[-1]
        kind = self._play_aloud(game, play) if self._listeners else game.play(play)
        if game.over:
            self._finish_game()
        return kind

    def _play_aloud(self, game: Game, play: Play) -> Kind:
        seat, ground, deal = game.turn, game.ground, game.deal
        kind = game.play(play)
        self._tell(Played(seat, play, kind, bonus(kind, self.rules), ground, game.turn))
        if game.deal != deal:
            self._tell_deal()
        return kind

    def resign(self) -> Outcome:
        """Give the match up for the seat whose turn it is: the other side has won.

        Raises `Illegal` where there are more than two sides, or it is nobody's turn.
        """
        if self.outcome:
            raise Illegal("the match is over")
        if self.seats.sides != 2:
            raise Illegal("a match of {sides} sides cannot be given up: leave it", sides=self.seats.sides)
        if self.waiting:
            raise Illegal("no game is being played: it is nobody's turn")
        seat = self.game.turn
        return self._end(3 - self.seats.side(seat), resigned=seat)

    def _tell_deal(self) -> None:
        game = self.game
        self._tell(
            Dealt(
                deal=game.deal,
                deals=self.seats.deals,
                hands=tuple(game.hands),
                ground=game.ground,
                to_deal=len(game.stock),
                turn=game.turn,
                buried=game.buried if game.deal == 1 else (),
                piles=tuple(pile.bit_count() for pile in game.piles),
            )
        )

    def _finish_game(self) -> None:
        game = self.game
        count = game.count(self.counts[-1].carry if self.counts else 0)
        self.counts.append(count)
        self.totals = tuple(map(sum, zip(self.totals, count.points)))
        if self._listeners:
            self._tell(Counted(len(self.games), count, game.left, game.last_taker, self.totals))
        most = max(self.totals)
        if most >= self.rules.target and self.totals.count(most) == 1:
            self._end(self.totals.index(most) + 1)

    def _end(self, winner: int, resigned: int | None = None) -> Outcome:
        self.outcome = Outcome(winner, self.totals, len(self.counts), resigned, self.seed, self.cut)
        self._tell(self.outcome)
        return self.outcome
