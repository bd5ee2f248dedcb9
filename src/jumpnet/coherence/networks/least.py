"""The least number of virtual networks of a protocol: kinds in networks that do not wait for each other in a cycle.

In one network a message stands behind whichever came first, of any kind, at endpoints and on all channels between. So a
deadlock needs a ring of kinds, each of which waits for another that shares its network
with the next. There is none exactly when networks have an order in which every kind waits for later ones only; the last
is always emptied, then the one before. Such an order needs as many networks as the longest chain of waits has kinds,
and no more: kinds go by the longest chain that they begin (mirsky1971dual). A cycle of waits cannot be broken at
all. The twin that goes through all partitions is `tests/naive/networks.py`. Called by `cli` and `joint`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from jumpnet.api.public import public
from jumpnet.coherence.networks.kinds import Kinds, Pair
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.spec import is_count

__all__ = ["Groups", "Networks", "least_networks", "named_groups", "ring_of"]

Groups = tuple[tuple[str, ...], ...]
"""The kinds of each virtual network."""


@dataclass(frozen=True)
class Networks:
    """The least number of virtual networks, with what shows that it is enough and that fewer are not."""

    protocol: str
    endpoints: str
    """One of `kinds.ENDPOINTS`."""
    least: int | None
    """None where no number is enough."""
    groups: Groups
    """Kinds of each network, those that wait first; empty where no number is enough."""
    why: tuple[str, ...]
    """`least` kinds, each of which waits for the next: two of them in one network close a ring. Where no number is
    enough: kinds each of which waits for the next, and the last for the first."""


@public
def least_networks(kinds: Kinds, endpoints: str = "held") -> Networks:
    """The least number of networks of a protocol's kinds; endpoints: one of `kinds.ENDPOINTS`.

    Cost: microseconds a pair of kinds.

    >>> from jumpnet.coherence.networks.kinds import kinds_of
    >>> from jumpnet.coherence.protocol import protocol
    >>> found = least_networks(kinds_of(protocol("msi")), "reserved")
    >>> found.least, found.why
    (3, ('GetS', 'Fetch', 'OwnerData'))
    """
    waits = kinds.waits(endpoints)
    cycle = _shortest_cycle(kinds.names, waits)
    if cycle:
        return Networks(kinds.protocol, endpoints, None, (), cycle)
    after = {name: [b for b in kinds.names if (name, b) in waits] for name in kinds.names}
    chain: dict[str, tuple[str, ...]] = {}

    def sent(names: tuple[str, ...]) -> int:
        return sum(pair in kinds.sends for pair in pairwise(names))  # of chains as long, the one that is easiest to see

    def longest(name: str) -> tuple[str, ...]:
        if name not in chain:
            ways = [(name, *longest(b)) for b in after[name]]
            chain[name] = max(ways, key=lambda way: (len(way), sent(way)), default=(name,))
        return chain[name]

    why = max(map(longest, kinds.names), key=lambda way: (len(way), sent(way)), default=())
    groups = tuple(tuple(n for n in kinds.names if len(chain[n]) == length) for length in range(len(why), 0, -1))
    return Networks(kinds.protocol, endpoints, len(why), groups, why)


@public
def ring_of(groups: Groups, waits: Iterable[Pair]) -> tuple[Pair, ...]:
    """A shortest ring of waits where kinds share networks so, or none: the ring is what may deadlock.

    Each pair is (kind that waits, kind that it waits for); the next pair's first is in the network of this one's
    second, and may stand before it there.

    >>> ring_of((("Get", "Data"),), [("Get", "Data")])
    (('Get', 'Data'),)
    >>> ring_of((("Get",), ("Data",)), [("Get", "Data")])
    ()
    """
    of = {name: str(k) for k, names in enumerate(groups) for name in names}
    first: dict[Pair, Pair] = {}
    for a, b in sorted(waits):
        first.setdefault((of[a], of[b]), (a, b))
    cycle = _shortest_cycle([str(k) for k in range(len(groups))], frozenset(first))
    return tuple(first[step] for step in pairwise((*cycle, *cycle[:1])))


@public
def named_groups(kinds: Kinds, found: Networks, text: str) -> Groups:
    """Kinds of each network as a person says them: a number, or kinds by network, such as `GetS GetM / Data`.

    A number less than the least puts the last ones together. Raises JumpnetError for kinds that are not the protocol's,
    left out or named twice, and for a number that is too large.

    >>> from jumpnet.coherence.networks.kinds import kinds_of
    >>> from jumpnet.coherence.protocol import protocol
    >>> kinds = kinds_of(protocol("update"))
    >>> named_groups(kinds, least_networks(kinds, "queued"), "1") == (kinds.names,)
    True
    """
    if not text:
        return _enough(found)
    if text.isdecimal():
        groups = found.groups or (kinds.names,)
        number = int(text) if is_count(text) else 0
        if not 1 <= number <= len(groups):
            raise JumpnetError(f"{text} networks found, 1 to {len(groups)} expected for {kinds.protocol}")
        last = {name for names in groups[number - 1 :] for name in names}
        return (*groups[: number - 1], tuple(name for name in kinds.names if name in last))
    made = tuple(tuple(part.replace(",", " ").split()) for part in text.split("/"))
    named = [name for names in made for name in names]
    for name in named:
        if name not in kinds.names:
            raise unknown_name("kind of message", name, kinds.names)
        if named.count(name) > 1:
            raise JumpnetError(f"{name} in two networks found, one expected")
    if left := [name for name in kinds.names if name not in named]:
        raise JumpnetError(f"networks without {left[0]} found, every kind of {kinds.protocol} expected in one")
    if () in made:
        raise JumpnetError("a network without kinds found, at least one expected")
    return made


def _enough(found: Networks) -> Groups:
    if found.least is None:
        cycle = " -> ".join((*found.why, *found.why[:1]))
        raise JumpnetError(f"{found.protocol}: no number of networks is enough ({cycle}); networks to try expected")
    return found.groups


def _shortest_cycle(names: Sequence[str], pairs: frozenset[Pair]) -> tuple[str, ...]:
    """Names along a shortest cycle of pairs, or none."""
    best: tuple[str, ...] = ()
    for start in names:
        ways: dict[str, tuple[str, ...]] = {start: (start,)}
        for here in (todo := [start]):
            for there in (b for b in names if (here, b) in pairs):
                if there == start and (not best or len(ways[here]) < len(best)):
                    best = ways[here]
                if there not in ways:
                    ways[there] = (*ways[here], there)
                    todo.append(there)
    return best
