"""The proof that a multicast cannot deadlock: its channel dependency graph, with branches.

A copy that came in on a channel waits for *every* channel it branches to, so one dependency leads from the channel to
each of them, and the packets of an acyclic graph drain from its last channels backwards, as Dally and Seitz 1987 argue
for one way out. That is enough where a buffer takes a packet whole (the router chip, nishi1997router section 4.2.1):
a branch once begun ends by itself. Where a buffer may be smaller than a packet, a branch that has begun also waits for
its siblings, since the slowest keeps the flits that follow; then channels of one fork depend on each other, both ways
(Lin, McKinley and Ni 1994 on tree multicast under wormhole routing).

Acknowledges go back over one link and are then consumed by the combining unit or the processor, so that they add no
dependency, whichever virtual channel they use. Called by `cli/prove`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import Literal, get_args

import numpy as np

from jumpnet.analysis.deadlock.proof import Proof, proof_by_order
from jumpnet.analysis.deadlock.walks.packet_states import Section
from jumpnet.api.public import public
from jumpnet.multicast.forwarding import Forwarding, asked, begun
from jumpnet.terms import I64

__all__ = [
    "BUFFERS",
    "Buffers",
    "MulticastDependencies",
    "branching_states",
    "multicast_dependencies",
    "prove_multicast",
]

Buffers = Literal["packet", "flit"]
BUFFERS: tuple[Buffers, ...] = get_args(Buffers)
"""Whether a buffer takes a packet whole before one is sent to it, or may be smaller."""


@dataclass(frozen=True, eq=False)
class MulticastDependencies:
    """Channel dependencies of a multicast; channel number (router * P + port) * V + vc."""

    rules: Forwarding
    edges: frozenset[tuple[int, int]]
    """(channel held, channel wanted)."""
    used: frozenset[int]
    """Channels that some packet may take."""
    states: int
    """Number of (router, header, channel) that were followed."""

    @property
    def rows(self) -> tuple[I64, I64]:
        """(indptr, indices): the channels that channel c depends on are indices[indptr[c]:indptr[c + 1]]."""
        net, vcs = self.rules.network, self.rules.vcs
        pairs = np.array(sorted(self.edges), np.int64).reshape(-1, 2)
        count = np.bincount(pairs[:, 0], minlength=net.routers * net.ports * vcs)
        return np.concatenate([[0], np.cumsum(count)]), pairs[:, 1].copy()


def multicast_dependencies(rules: Forwarding, buffers: Buffers = "packet") -> MulticastDependencies:
    """The channel dependency graph of a multicast, by following every header from every start.

    buffers: see `prove_multicast`. Cost: O(headers) Python steps.

    >>> from jumpnet.multicast.chip_rules import chip_rules
    >>> from jumpnet.topology import build
    >>> len(multicast_dependencies(chip_rules(build("prdt:8,R=0"))).used)
    264
    """
    net, vcs = rules.network, rules.vcs
    edges: set[tuple[int, int]] = set()
    used: set[int] = set()
    todo = [(router, stage, -1) for router, stage in begun(rules)]
    seen = set(todo)
    while todo:
        here, stage, held = todo.pop()
        fork = asked(rules, here, stage, len(seen))
        wanted = [(here * net.ports + b.port) * vcs + b.vc for b in fork.branches]
        used.update(wanted)
        if held >= 0:
            edges.update((held, c) for c in wanted)
        if buffers == "flit":
            edges.update(permutations(wanted, 2))
        for branch, channel in zip(fork.branches, wanted, strict=True):
            after = (int(net.neighbor[here, branch.port]), branch.stage, channel)
            if after not in seen:
                seen.add(after)
                todo.append(after)
        anew = (here, fork.again, -1)  # what a processor sends holds nothing; rules need not begin with it
        if fork.again is not None and anew not in seen:
            seen.add(anew)
            todo.append(anew)
    return MulticastDependencies(rules, frozenset(edges), frozenset(used), len(seen))


def _started(rules: Forwarding) -> list[tuple[int, object]]:
    """Every (router, header) with which a packet enters the network, from its source or from a processor on the way."""
    found = list(dict.fromkeys(begun(rules)))
    todo, seen, begins = list(found), set(found), set(found)
    for here, stage in todo:
        fork = asked(rules, here, stage, len(todo))
        anew = [] if fork.again is None else [(here, fork.again)]
        found += [one for one in anew if one not in begins]
        begins.update(anew)
        ahead = [(int(rules.network.neighbor[here, branch.port]), branch.stage) for branch in fork.branches]
        new = [one for one in dict.fromkeys([*ahead, *anew]) if one not in seen]
        seen.update(new)
        todo += new
    return found


def branching_states(rules: Forwarding) -> Section:
    """The states of all packets of a multicast, which take all their ways, and those of their acknowledges.

    Sink -1. The key is the number of the header, and 1 where the router's own terminal receives. An acknowledge goes
    back over the link that a copy came by, on any virtual channel, and is taken there: two states for each, of header
    -1. Cost: as `multicast_dependencies`.
    """
    net, vcs = rules.network, rules.vcs
    starts = _started(rules)
    node = {start: n for n, start in enumerate(starts)}
    todo, begins, ways = list(node), len(node), list[tuple[int, int, int, int]]()
    key, heads = list[tuple[int, int, int]](), dict[object, int]()
    links = dict[tuple[int, int], None]()
    for n, (here, stage) in enumerate(todo):
        fork = asked(rules, here, stage, len(todo))
        key.append((heads.setdefault(stage, len(heads)), int(fork.local), -1))
        for branch in fork.branches:
            after = int(net.neighbor[here, branch.port]), branch.stage
            if after not in node:
                node[after] = len(todo)
                todo.append(after)
            ways.append((n, (here * net.ports + branch.port) * vcs + branch.vc, 0, node[after]))
            back = after[0], int(net.far_port[here, branch.port])
            links.update({back: None} if back[1] >= 0 else {})
    router, count = [here for here, _ in todo], len(todo)
    for here, port in links:
        ways += [(len(router), (here * net.ports + port) * vcs + vc, 0, len(router) + 1) for vc in range(vcs)]
        router += [here, int(net.neighbor[here, port])]
    starting = [*(n < begins for n in range(count)), *([True, False] * len(links))]
    key += [(-1, 0, -1)] * (2 * len(links))
    moves = np.array(ways, np.int64).reshape(-1, 4)
    return Section(-1, -1, np.array(router, np.int64), np.array(starting, bool), np.array(key, np.int64), moves)


@public
def prove_multicast(rules: Forwarding, buffers: Buffers = "packet") -> Proof:
    """Whether a multicast can deadlock: a certificate that the separate checker accepted, or a shortest cycle.

    buffers: `packet` when a virtual channel's buffer takes a packet whole before one is sent to it, `flit` when not.
    A cycle is a deadlock: each of its channels may hold a packet whose header names only the branch to the next one.
    One between siblings needs two packets side by side at the fork, as two injection buffers give. Cost: some ten
    microseconds a header; a few seconds for 4096 routers.

    >>> from jumpnet.multicast.chip_rules import chip_rules
    >>> from jumpnet.topology import build
    >>> net = build("prdt:8")
    >>> prove_multicast(chip_rules(net)).deadlock_free
    True
    >>> [hop.link for hop in prove_multicast(chip_rules(net, "chip:change=none")).cycle]
    ['rank 1 y+', 'rank 1 y+', 'rank 1 y+', 'rank 1 y+']
    """
    net, vcs = rules.network, rules.vcs
    made = multicast_dependencies(rules, buffers)
    kind = "packet-sized buffers" if buffers == "packet" else "buffers smaller than a packet: siblings wait too"
    return proof_by_order(
        net,
        vcs,
        made.rows,
        "deadlock",
        f"with branches ({kind})",
        spec=net.spec,
        routing=f"multicast {rules.name}",
        adaptive=False,
        channels=len(made.used),
        dependencies=len(made.edges),
        states=made.states,
    )
