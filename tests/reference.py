"""The rules once more, as slow and plain as they can be said, on written cards.

Nothing here calls the package: a card is its text, a capture a frozenset of texts.
"""

from itertools import combinations

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
JACK = 11


def number(card):
    return RANKS.index(card[:-1]) + 1


def is_group(some, played, komi):
    """Section 3: one card of the rank, the wild komi alone, or number cards that add up to it."""
    if len(some) == 1:
        return number(some[0]) == played or (komi == "wild" and some[0] == "7D")
    numbers = played <= 10 and all(number(card) <= 10 for card in some)
    return numbers and sum(map(number, some)) == played


def captures_as(played, ground, komi):
    """Every union of groups that share no card: all subsets are tried."""
    unions = {frozenset()}
    for size in range(1, len(ground) + 1):
        for some in combinations(ground, size):
            if is_group(some, played, komi):
                unions |= {union.union(some) for union in unions if union.isdisjoint(some)}
    return unions - {frozenset()}


def ranks_of(card, komi):
    if card == "7D" and komi == "wild":
        return [rank for rank in range(1, 14) if rank != JACK]
    if number(card) == JACK or (card == "7D" and komi == "sweep"):
        return []
    return [number(card)]


def captures(card, ground, komi="wild", capture="any"):
    """Every capture of a card; none where it has to be dropped."""
    sweeps = number(card) == JACK or (card == "7D" and komi != "plain")
    found = {frozenset(ground)} if ground and sweeps else set()
    for played in ranks_of(card, komi):
        found |= captures_as(played, ground, komi)
    if capture == "largest":
        most = max(map(len, found), default=0)
        found = {take for take in found if len(take) == most}
    return found


def kind(card, take, ground, komi="wild", jack_basra=True):
    """Section 5: what a play is."""
    if not take:
        return "drop"
    if set(take) != set(ground):
        return "capture"
    if number(card) == JACK or (card == "7D" and komi == "wild"):
        jacks = {"JC", "JD", "JH", "JS"} | ({"7D"} if komi == "wild" else set())
        if len(ground) == 1 and set(ground) <= jacks:
            return "jack-basra" if jack_basra else "capture"
    if card == "7D" and komi == "sweep":
        small = all(number(c) <= 10 for c in ground) and sum(map(number, ground)) <= 10
        return "basra" if small else "capture"
    for played in ranks_of(card, komi):
        if frozenset(ground) in captures_as(played, ground, komi):
            return "basra"
    return "capture"


def sequences(hands, ground, stock, turn, depth, komi="wild", capture="any"):
    """How many sequences of plays there are; seats are numbered from 0 here."""
    if not depth:
        return 1
    total = 0
    for card in hands[turn]:
        for take in captures(card, ground, komi, capture) or {frozenset()}:
            left = [c for c in ground if c not in take] if take else [*ground, card]
            held = [[c for c in hand if c != card] for hand in hands]
            rest, after = stock, (turn + 1) % len(hands)
            if not any(held):
                if not stock:
                    total += depth == 1
                    continue
                for at in range(len(hands)):
                    held[(after + at) % len(hands)] = rest[4 * at : 4 * at + 4]
                rest = rest[4 * len(hands) :]
            total += sequences(held, left, rest, after, depth - 1, komi, capture)
    return total
