"""Trees of multicasts for the timed machine: places where a packet is received or branches, from its home down.

A bit-map tree is the router chip's (`multicast.plan`), with the routers that only pass the packet on left out; it
reaches what the encoding's maps name, which may be more than the destinations. Under REMAKE a place below one of the
same router stands for the node's processor, which makes the packet anew and sends it on (kudoh1995rhbd section 6). A
scheme named as several, such as `SM+LPRA+LARP`, is the one with the fewest receivers, packet by packet. A binomial tree
is for any network: destinations in ascending order from the home on, halved again and again (mckinley1994unicast), each
holding the packet for the others of its half. Called by `machine` when a set of destinations is first seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import NamedTuple, Protocol

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.machine.timed.kernels.layout import ANSWERS, PLACE, RECEIVES, RELAYS
from jumpnet.multicast import scheme
from jumpnet.multicast.chip_rules import chip_rules
from jumpnet.multicast.plan import HANDS, Plan, bit_map_plan, least_plan
from jumpnet.terms import I64
from jumpnet.topology import build

__all__ = ["BinomialTrees", "BitMapTrees", "Tree", "Trees", "below", "gathering_tree", "place_rows", "require_makers"]


class Tree(NamedTuple):
    """Places of a multicast, breadth first: the children of a place lie side by side. Place 0 is the home."""

    router: list[int]
    parent: list[int]
    """-1 for the home."""
    receives: list[bool]
    """Whether the router's cluster takes the message; the home's does not."""


class Trees(Protocol):
    """What makes trees."""

    routers: int
    """Of the network."""
    reach: int
    """Routers below this may be reached without having a node."""
    remakes: bool
    """Whether processors make packets anew on the way."""

    @property
    def most_places(self) -> int:
        """No tree has more."""
        ...

    def tree(self, home: int, destinations: tuple[int, ...]) -> Tree:
        """The tree from a router to others."""
        ...

    def takers(self, home: int, destinations: tuple[int, ...]) -> Tree:
        """All that take the message where it branches in the routers, each below the home."""
        ...

    def makers(self, nodes: int) -> Iterator[tuple[int, int]]:
        """Homes among so many nodes, each with a router whose processor may have to make a packet of it anew."""
        ...


class BitMapTrees:
    """Trees of a bit-map scheme on an RDT or PRDT.

    >>> BitMapTrees("rdt:8", "SM").tree(0, (1, 2))
    Tree(router=[0, 1, 2], parent=[-1, 0, 1], receives=[False, True, True])
    """

    def __init__(self, network: str, scheme_name: str) -> None:
        """scheme_name: of a scheme, or of several with + between. Raises JumpnetError for unknown ones."""
        self.schemes, self.rules = [scheme(name) for name in scheme_name.split("+")], chip_rules(build(network))
        self.routers = self.reach = self.rules.where.routers
        self.most_places = 2 * self.routers
        self.remakes = any(used.remakes is not None for used in self.schemes)

    def tree(self, home: int, destinations: tuple[int, ...]) -> Tree:
        """The chip's tree. Raises JumpnetError where no territory of the home holds all destinations."""
        return _shortened(least_plan(self.rules, self.schemes, home, destinations))

    def takers(self, home: int, destinations: tuple[int, ...]) -> Tree:
        """All that the maps name, the home too if they do.

        >>> BitMapTrees("rdt:8", "SM").takers(0, (1, 2))
        Tree(router=[0, 1, 2], parent=[-1, 0, 0], receives=[False, True, True])
        """
        plan = least_plan(self.rules, self.schemes, home, destinations)
        return below(home, plan.router[(plan.local > 0) & (plan.local != HANDS)].tolist())

    def makers(self, nodes: int) -> Iterator[tuple[int, int]]:
        """Those of the plans to all nodes of a territory, one for each top rank: plans to fewer have no others.

        >>> next(BitMapTrees("rdt:8", "REMAKE").makers(4))
        (0, 1)
        """
        where, remaking = self.rules.where, [used for used in self.schemes if used.remakes is not None]
        for home, top, used in product(range(nodes), range(where.top + 1), remaking):
            if to := [node for node in where.members(home, top).tolist() if node < nodes and node != home]:
                plan = bit_map_plan(self.rules, used, home, to)
                yield from ((home, int(router)) for router in plan.router[plan.local == HANDS])


def _shortened(plan: Plan) -> Tree:
    """A plan without the places that only pass the packet on; who drops it takes it too (`plan.DROPS`)."""
    first, local, router = plan.first.tolist(), plan.local.tolist(), plan.router.tolist()
    starts = (plan.port < 0).tolist()

    def end_of(place: int) -> int:
        while local[place] == 0 and first[place + 1] - first[place] == 1 and not starts[place]:
            place = first[place]
        return place

    places, parent = [0], [-1]
    for number, place in enumerate(places):  # the list grows while it is read
        below = [end_of(child) for child in range(first[place], first[place + 1])]
        places += below
        parent += [number] * len(below)
    return Tree([router[k] for k in places], parent, [k > 0 and local[k] not in (0, HANDS) for k in places])


class BinomialTrees:
    """Trees of single packets on any network; receivers are the destinations.

    >>> BinomialTrees(16).tree(8, (3, 9, 12))
    Tree(router=[8, 12, 9, 3], parent=[-1, 0, 0, 1], receives=[False, True, True, True])
    """

    def __init__(self, routers: int) -> None:
        self.most_places = self.routers = routers
        self.reach, self.remakes = 0, False

    def tree(self, home: int, destinations: tuple[int, ...]) -> Tree:
        """The tree in which a packet is never passed to one that is not a destination."""
        chain = [home, *sorted(destinations, key=lambda router: (router - home) % self.routers)]
        router, parent = [home], [-1]
        spans = [(0, len(chain))]  # of each place: itself and those it has to serve
        for number, (low, high) in enumerate(spans):  # the list grows while it is read
            while high - low > 1:
                middle = (low + high + 1) // 2
                router.append(chain[middle])
                parent.append(number)
                spans.append((middle, high))
                high = middle
        return Tree(router, parent, [k > 0 for k in range(len(router))])

    def takers(self, home: int, destinations: tuple[int, ...]) -> Tree:
        """The destinations."""
        return below(home, destinations)

    def makers(self, nodes: int) -> Iterator[tuple[int, int]]:
        """None."""
        return iter(())


def below(home: int, takers: Iterable[int]) -> Tree:
    """Places of those that take a message, each below the home."""
    router = [home, *takers]
    return Tree(router, [-1, *(0 for _ in router[1:])], [k > 0 for k in range(len(router))])


def gathering_tree(trees: Trees, home: int, members: frozenset[int]) -> Tree:
    """The part of a multicast's tree by which its members answer; `receives` is true where one of them does.

    members: routers, the home among them or not. One that the tree reaches twice answers at its first place.

    >>> gathering_tree(BitMapTrees("rdt:8", "SM"), 9, frozenset({9, 1, 8}))
    Tree(router=[9, 8, 1], parent=[-1, 0, 0], receives=[True, True, True])
    """
    others = tuple(sorted(members - {home}))
    tree = trees.tree(home, others) if others else Tree([home], [-1], [False])
    first = {router: k for k, router in reversed([*enumerate(tree.router)]) if k == 0 or tree.receives[k]}
    takes = [router in members and first.get(router) == k for k, router in enumerate(tree.router)]
    kept = list(takes)
    for k in range(len(kept) - 1, 0, -1):
        kept[tree.parent[k]] |= kept[k]
    places = [k for k, keep in enumerate(kept) if keep]
    number = {-1: -1, **{k: n for n, k in enumerate(places)}}
    parent = [number[tree.parent[k]] for k in places]
    return Tree([tree.router[k] for k in places], parent, [takes[k] for k in places])


def require_makers(trees: Trees, nodes: int) -> None:
    """Raise JumpnetError where a message between some of so many nodes is made anew at a router without a node."""
    if not trees.remakes or trees.reach <= nodes:
        return
    for home, router in trees.makers(nodes):
        if router >= nodes:
            found = f"{nodes} nodes found with multicasts that processors make anew"
            raise JumpnetError(f"{found}: router {router} has none, and one from node {home} may need it")


def place_rows(tree: Tree, start: int, nodes: int) -> I64:
    """(places, PLACE) rows of a tree whose home is place `start` of the table; routers from `nodes` on have nobody.

    Raises JumpnetError for a tree whose children do not lie side by side.
    """
    router, parent = np.array(tree.router, np.int64), np.array(tree.parent, np.int64)
    if (np.diff(parent) < 0).any():
        raise JumpnetError("a tree whose places are not breadth first found")
    k = np.arange(len(router))
    first = np.searchsorted(parent, k)
    children = np.searchsorted(parent, k, "right") - first
    takes = np.array(tree.receives) & (router < nodes)
    receives = np.where(takes, RECEIVES, np.where(children > 0, RELAYS, ANSWERS))
    above = np.where(parent < 0, -1, (parent + start) * len(PLACE))
    return np.stack([router, above, (first + start) * len(PLACE), children, receives, k, 0 * k - 1], axis=1)
