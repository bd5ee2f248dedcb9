"""The proof of a change between routings in words: what gives it an order, or which packets may wait for each other.

Of a cycle it names for each channel a packet that holds it and may wait for the next, and which routing gave it each.
Called by `jumpnet prove --then`; `explain` does the same for one routing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, cast

import numpy as np

from jumpnet.analysis.deadlock.changes.changeover import Changeover, prove_changeover
from jumpnet.analysis.deadlock.confirmed import confirmed_by
from jumpnet.analysis.deadlock.cycles.class_order import class_groups, longest_chain
from jumpnet.analysis.deadlock.explain import ANSWER, Explanation, channel_row, channel_words, order_words
from jumpnet.analysis.deadlock.how import HOW
from jumpnet.analysis.deadlock.proof import Proof
from jumpnet.analysis.deadlock.rows.compressed_rows import holders, row_starts
from jumpnet.analysis.deadlock.walks.packet_states import Section
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.changes import change_by_dimension
from jumpnet.graph.links import name_of
from jumpnet.networks import Network
from jumpnet.notices import counted
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import ESCAPE
from jumpnet.terms import I64

__all__ = ["ChangeExplanation", "Turned", "explain_changeover"]


class _All(NamedTuple):
    """What channels of all routings together are of."""

    network: Network
    vcs: int


class Turned(NamedTuple):
    """A packet that holds a channel and may wait for another."""

    source: int
    destination: int
    way: tuple[int, ...]
    """Channels that it has come by, the one that it holds among them, and goes on by."""
    by: tuple[int, ...]
    """The routing that gave each, 0 the old one."""
    held: int
    """Place in `way` of the channel that it holds."""
    wants: int
    wants_by: int


@dataclass(frozen=True)
class ChangeExplanation(Explanation):
    """What stands behind a proof of a change. `str()` is the text."""

    names: tuple[str, ...] = ()
    """Of the routings, the old one first."""
    turned: tuple[Turned, ...] = ()
    """A packet for each channel of the cycle, where there is one."""

    def shown(self) -> list[str]:
        """A line for each class of channels, or for each packet of the cycle."""
        return [self._words(packet) for packet in self.turned] or super().shown()

    def _words(self, packet: Turned) -> str:
        net = self.bound.network
        begin = f"packet from {name_of(net, packet.source)} to {name_of(net, packet.destination)}"
        words = f"{begin} holds {channel_words(self.bound, packet.way[packet.held])}"
        words += f", by {self.names[packet.by[packet.held]]},"
        for channel, by in list(zip(packet.way, packet.by, strict=True))[packet.held + 1 :]:
            words += f" goes on by {channel_words(self.bound, channel)}, by {self.names[by]},"
        return f"{words} and may wait for {channel_words(self.bound, packet.wants)}, by {self.names[packet.wants_by]}"

    def as_json(self) -> dict[str, Any]:
        """The same as plain objects."""
        rows = [
            {
                "source": packet.source,
                "destination": packet.destination,
                "way": [
                    {**channel_row(self.bound, channel), "by": self.names[by]}
                    for channel, by in zip(packet.way, packet.by, strict=True)
                ],
                "holds": channel_row(self.bound, packet.way[packet.held]),
                "waits_for": {**channel_row(self.bound, packet.wants), "by": self.names[packet.wants_by]},
            }
            for packet in self.turned
        ]
        return {**super().as_json(), "packets": rows}


def explain_changeover(change: Changeover, proof: Proof) -> ChangeExplanation:
    """What stands behind the proof of a change.

    Raises JumpnetError where a graph of escape channels does not fit, or where the proof is of another change, or was
    changed since it was made and says something else than this change's (`confirmed`). Cost: that of the proof again,
    twice of one that was changed; by Duato's condition, or with a cycle, packets are followed on grids too, and where
    the proof is by sets of destinations.

    >>> from jumpnet.analysis.deadlock.changes.changeover import prove_changeover
    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> net = build("mesh:3x3")
    >>> change = Changeover(bind("mesh.west_first", net), bind("mesh.north_last", net))
    >>> len(explain_changeover(change, prove_changeover(change)).turned)
    4
    """
    bound = cast(BoundRouting, _All(change.old.network, change.vcs))
    proof = confirmed_by(proof, partial(prove_changeover, change), (change.spec, change.name, change.vcs), change)
    names = tuple(one.name for one in (change.old, *change.new))
    head = f"{proof.routing} on {proof.spec}, {counted(proof.vcs, 'virtual channel')}: {ANSWER[proof.verdict]}"
    depends = counted(proof.dependencies, "dependency", "dependencies")
    how = HOW[proof.by].how
    followed = (
        f"Followed: every packet by each routing, and routed anew by each later one wherever it stands{how}; "
        f"{counted(proof.states, 'packet state')}, {counted(proof.channels, 'channel')}, {depends}."
    )
    method = proof.method[:1].upper() + proof.method[1:]
    if not proof.deadlock_free:
        turned = _packets(change, proof)
        therefore = (
            "Each may wait for the channel that the next holds, and the last for that of the first: at some moment of "
            "the change they may all stand so; whether they do is not shown."
        )
        return ChangeExplanation(bound, head, followed, f"{method}:", therefore, names=names, turned=turned)
    used, holder, wanted = _ordered(change, proof)
    groups = class_groups(change.old.network, change.vcs, used, holder, wanted)
    rings = any(group.longest == 0 for group in groups)
    chain = tuple(longest_chain(len(used), holder, wanted)) if groups and not rings else ()
    therefore = "So whenever the change comes, of the packets that wait one can move."
    if rings:
        therefore = "So whenever the change comes, a ring never fills up, and some packet can always move."
    return ChangeExplanation(bound, head, followed, f"{method}.{order_words(groups)}", therefore, groups, chain)


def _ordered(change: Changeover, proof: Proof) -> tuple[I64, I64, I64]:
    """(channels, holder, wanted) of the dependencies that the certificate orders."""
    used = np.zeros(change.old.network.neighbor.size * change.vcs, np.uint8)
    if proof.of_bubbles:
        rings = change.rings(proof.escape_channels is not None)
        used[rings.among] = 1
        return used, rings.marked.holder, rings.marked.wanted
    if proof.escape_channels is None and proof.by == "dimensions":
        made = change_by_dimension((change.old, *change.new), change.vcs)
        assert made is not None
        indptr, wanted = made.rows
        return made.used, holders(indptr), wanted
    if proof.escape_channels is None:
        pairs, some, _ = change.dependencies()
        used[some] = 1
        return used, pairs[:, 0], pairs[:, 1]
    extended = change.extended()
    used[extended.channel] = 1
    return used, *extended.pairs


def _packets(change: Changeover, proof: Proof) -> tuple[Turned, ...]:
    """For each channel of the cycle a packet that holds it and may wait for the next."""
    net, escapes = change.old.network, proof.escape_channels is not None
    cycle = [(hop.router * net.ports + hop.port) * change.vcs + hop.vc for hop in proof.cycle or ()]
    links = dict.fromkeys(zip(cycle, cycle[1:] + cycle[:1], strict=True))
    found: dict[tuple[int, int], Turned] = {}
    for section, of in change.sections_by_routing(escapes):
        for link in [link for link in links if link not in found]:
            packet = _packet(section, of, *link, escapes)
            if packet is not None:
                found[link] = packet
        if len(found) == len(links):
            break
    return tuple(found[link] for link in links)


def _packet(section: Section, of: I64, held: int, wanted: int, escapes: bool) -> Turned | None:
    """A packet of a section that holds one channel and may wait for the other, at once or (escapes) after others."""
    ways = section.ways
    asks = np.zeros(len(section.router), bool)
    asks[ways[(ways[:, 1] == wanted) & ((ways[:, 2] & ESCAPE != 0) | (not escapes)), 0]] = True
    taken = np.flatnonzero(ways[:, 1] == held)
    if not len(taken) or not asks.any():
        return None
    on = np.flatnonzero(ways[:, 2] & ESCAPE == 0) if escapes else np.zeros(0, np.int64)
    after = _tree(ways, on, ways[taken, 3])
    ends = [state for state in np.flatnonzero(asks).tolist() if state in after]
    if not ends:
        return None
    onward = _way(after, ways, ends[0])
    first = ways[onward[0], 0] if onward else ends[0]
    way = next(int(w) for w in taken if ways[w, 3] == first)
    before = _way(_tree(ways, np.arange(len(ways)), np.flatnonzero(section.begins)), ways, int(ways[way, 0]))
    whole = [*before, way, *onward]
    source = int(section.router[ways[whole[0], 0]])
    by = tuple(of[ways[whole, 0]].tolist())
    return Turned(source, section.sink, tuple(ways[whole, 1].tolist()), by, len(before), wanted, int(of[ends[0]]))


def _tree(ways: I64, taken: I64, begin: I64) -> dict[int, int]:
    """For each state that is come to from some others by ways `taken`, the last way; -1 of those begun at."""
    last = dict.fromkeys(begin.tolist(), -1)
    first = row_starts(ways[taken, 0], int(ways[:, (0, 3)].max()) + 1)
    todo = list(last)
    for state in todo:
        for way in taken[first[state] : first[state + 1]].tolist():
            there = int(ways[way, 3])
            if there not in last:
                last[there] = way
                todo.append(there)
    return last


def _way(last: dict[int, int], ways: I64, state: int) -> list[int]:
    """The ways to a state, in order."""
    found: list[int] = []
    while last[state] >= 0:
        found.insert(0, last[state])
        state = int(ways[last[state], 0])
    return found
