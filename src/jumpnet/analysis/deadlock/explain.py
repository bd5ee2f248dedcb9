"""A proof in words: what was followed, what it rests on, and why it is free of deadlock or which packet waits for what.

`explain(proof)`; printed by `jumpnet prove --explain` and given as text by `Proof.explain`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from jumpnet.analysis.deadlock.conditions.bubble import escape_dependencies, marked_dependencies
from jumpnet.analysis.deadlock.conditions.duato import extended_dependencies
from jumpnet.analysis.deadlock.confirmed import confirmed
from jumpnet.analysis.deadlock.cycles.class_order import Group, class_groups, longest_chain, numbered_groups
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.graph import Dependencies
from jumpnet.analysis.deadlock.how import HOW
from jumpnet.analysis.deadlock.kept import kept
from jumpnet.analysis.deadlock.progress import Progress, silent
from jumpnet.analysis.deadlock.proof import Proof
from jumpnet.analysis.deadlock.rows.compressed_rows import holders
from jumpnet.analysis.deadlock.waiting.who_waits import Waiting, bound_of, who_waits
from jumpnet.analysis.deadlock.waiting.witnesses import Witness
from jumpnet.analysis.deadlock.ways_to_graph.orbits.outlooks import equivariant_labels
from jumpnet.graph.links import name_of
from jumpnet.networks import Network
from jumpnet.notices import counted
from jumpnet.routings import BoundRouting
from jumpnet.terms import I64, Array

__all__ = ["ANSWER", "Explanation", "channel_row", "channel_words", "explain", "order_words", "packet_words"]

ANSWER = {"free": "free of deadlock", "deadlock": "can deadlock", "unproved": "not proved free of deadlock"}
MOST_SHOWN = 40
"""Lines of classes, packets or channels in the text; `as_json` has all."""
ESCAPES = (
    "Duato's condition: in every state a packet may take an escape channel; dependencies between escapes, by way of "
    "other channels too, form no cycle."
)


@dataclass(frozen=True)
class Explanation:
    """What stands behind a proof. `str()` is the text."""

    bound: BoundRouting
    headline: str
    followed: str
    condition: str
    """What the verdict rests on."""
    therefore: str
    groups: tuple[Group, ...] = ()
    """Classes of channels in the order of their dependencies, where it is free."""
    chain: tuple[int, ...] = ()
    """A longest chain of dependencies, where it is free; empty where they form rings or are not listed (Duato's
    condition by numbers), or no packet moves."""
    waiting: Waiting | None = None
    """Where it is not: the packets that wait for each other."""

    def __str__(self) -> str:
        lines = [self.headline, f"  {self.followed}", f"  {self.condition}"]
        shown = self.shown()
        more = [f"and {len(shown) - MOST_SHOWN} more"] if len(shown) > MOST_SHOWN else []
        lines += [f"    {line}" for line in shown[:MOST_SHOWN] + more]
        if self.chain:
            lines.append(f"  {self._chain_words()}")
        return "\n".join([*lines, f"  {self.therefore}"])

    def shown(self) -> list[str]:
        """A line for each class of channels, or for each packet that waits."""
        if self.waiting is not None:
            return [packet_words(self.bound, packet) for packet in self.waiting.packets]
        return [_group_words(group) for group in self.groups] if len(self.groups) > 1 else []

    def _chain_words(self) -> str:
        """The longest chain; its channels only where no order of classes says more."""
        words = f"The longest chain of dependencies has {len(self.chain)} channel{'s' * (len(self.chain) != 1)}"
        if len(self.groups) > 1:
            return words + "."
        named = [channel_words(self.bound, c) for c in self.chain[:MOST_SHOWN]]
        return f"{words}: {', '.join(named)}{', ...' if len(self.chain) > MOST_SHOWN else '.'}"

    def as_json(self) -> dict[str, Any]:
        """The same as plain objects."""
        packets = self.waiting.packets if self.waiting is not None else ()
        return {
            "followed": self.followed,
            "condition": self.condition,
            "therefore": self.therefore,
            "groups": [asdict(group) for group in self.groups],
            "longest_chain": [channel_row(self.bound, c) for c in self.chain],
            "waiting": None if self.waiting is None else self.waiting.kind,
            "packets": [_packet(self.bound, packet) for packet in packets],
        }


def channel_words(bound: BoundRouting, channel: int) -> str:
    """A channel for a person.

    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> channel_words(bind("torus.dateline", build("torus:4x4")), 9)
    '1 -> 2 (dimension 0 +, vc 1)'
    """
    one, net = channel_row(bound, channel), bound.network
    return f"{name_of(net, one['router'])} -> {name_of(net, one['to'])} ({one['link']}, vc {one['vc']})"


def channel_row(bound: BoundRouting, channel: int) -> dict[str, Any]:
    """A channel as plain objects."""
    net = bound.network
    router, port, vc = channel // (net.ports * bound.vcs), channel // bound.vcs % net.ports, channel % bound.vcs
    link = net.class_names[net.link_class[router, port]]
    return {"router": router, "port": port, "vc": vc, "to": int(net.neighbor[router, port]), "link": link}


def _route(net: Network, bound: BoundRouting, packet: Witness) -> list[int]:
    """Routers that a packet has come through, the one where it waits last."""
    wide = net.ports * bound.vcs
    last = packet.path[-1]
    return [*(c // wide for c in packet.path), int(net.neighbor[last // wide, last // bound.vcs % net.ports])]


def packet_words(bound: BoundRouting, packet: Witness) -> str:
    """One link of what waits for what.

    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> ring = bind("torus.dimension_order", build("torus:5"))
    >>> packet_words(ring, Witness(0, 2, 0, -1, (0,), 0, 2, ()))
    'packet from 0 to 2 holds 0 -> 1 (dimension 0 +, vc 0) and waits for 1 -> 2 (dimension 0 +, vc 0)'
    """
    begun = f" (draw {packet.draw}{f', queue {packet.busy} busy' * (packet.busy >= 0)})"
    net = bound.network
    way = "-".join(name_of(net, router) for router in _route(net, bound, packet))
    words = f"packet from {name_of(net, packet.source)} to {name_of(net, packet.destination)}"
    words += f"{begun if bound.draws > 1 or packet.busy >= 0 else ''}"
    words += f" holds {channel_words(bound, packet.holds)}"
    between = packet.path[packet.held + 1 :]
    if between:
        words += ", goes on by " + ", ".join(channel_words(bound, c) for c in between)
    words += f" and waits for {channel_words(bound, packet.wants)}"
    if packet.others:
        words += " or " + ", ".join(channel_words(bound, c) for c in packet.others)
    return words + (f"; it came {way}" if len(packet.path) > 1 else "")


def _packet(bound: BoundRouting, packet: Witness) -> dict[str, Any]:
    """A packet that waits, as plain objects."""
    return {
        "source": packet.source,
        "destination": packet.destination,
        "draw": packet.draw,
        "routers": _route(bound.network, bound, packet),
        "holds": channel_row(bound, packet.holds),
        "waits_for": channel_row(bound, packet.wants),
        "or_for": [channel_row(bound, c) for c in packet.others],
    }


def _group_words(group: Group) -> str:
    """A line of the order of classes.

    >>> _group_words(Group(2, ("dimension 0 +, vc 1",), 16, 3, "coordinate 0 rises"))
    '2. dimension 0 +, vc 1: 16 channels; within, coordinate 0 rises, chains of 3 at most'
    """
    words = f"{group.step}. {' | '.join(group.classes)}: {group.channels} channel{'s' * (group.channels != 1)}"
    if group.longest == 0:
        return f"{words}; within, rings, entered with room for one packet more"
    if group.longest == 1:
        return words
    return f"{words}; within, {group.along + ', ' if group.along else ''}chains of {group.longest} at most"


def explain(proof: Proof, made: Dependencies | None = None, progress: Progress = silent) -> Explanation:
    """What stands behind a proof; `made`: the dependencies of its routing, when they are there already.

    Raises JumpnetError for a proof about packets that branch, and for one that was changed since it was made and says
    something else than its routing's (`confirmed`). Cost: of a changed one, without `made`, and where `kept` has them
    no more, that of the proof again; then a list of the dependencies where it is free, else packets near the cycle or
    the knot.

    >>> from jumpnet.analysis.deadlock.prove import prove
    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> print(explain(prove(bind("mesh.dimension_order", build("mesh:3x3")))).groups[0].along)
    coordinate 0 rises
    """
    bound = bound_of(proof)
    proof, made = confirmed(proof, made, progress)
    made = kept(proof) if made is None else made
    if made is None or made.whole != proof.basis.whole:
        made = dependencies(bound, progress=progress, beyond=proof.basis.beyond)
    followed = _followed(bound, made)
    head = (
        f"{proof.routing} on {proof.spec}, {proof.vcs} virtual channel{'s' * (proof.vcs != 1)}: {ANSWER[proof.verdict]}"
    )
    if proof.verdict != "free":
        waiting = who_waits(proof, made, progress)
        method, found = _sentence(proof.method), waiting if waiting.packets else None
        return Explanation(
            bound, head, followed, f"{method}{':' if found else '.'}", _against(proof, waiting), waiting=found
        )
    if proof.escape_channels is not None and proof.escape_dependencies is None:
        assert proof.certificate is not None
        groups = numbered_groups(bound.network, bound.vcs, proof.certificate)
        return Explanation(bound, head, followed, ESCAPES + _numbers_words(groups), _freed(False, proof), groups)
    used, holder, wanted, condition = _why_free(proof, made, progress)
    groups = class_groups(bound.network, bound.vcs, used, holder, wanted)
    rings = any(group.longest == 0 for group in groups)
    chain = tuple(longest_chain(len(used), holder, wanted)) if groups and not rings else ()
    return Explanation(bound, head, followed, condition + order_words(groups), _freed(rings, proof), groups, chain)


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def _followed(bound: BoundRouting, made: Dependencies) -> str:
    """What was looked at."""
    words = HOW[made.by]
    if made.phased:
        how = "each of the two phases apart, joined at every middle router"
        how += "" if made.whole else "; of all ways by any router, among which are the routing's"
    elif made.to is not None:
        how = made.of_some
    elif made.by == "walks" and equivariant_labels(bound) is not None:
        how = HOW["orbits"].whose
    else:
        draws = ", every draw of the start hook" * (bound.draws > 1 and made.among is None)
        how = words.whose or f"every source, destination and candidate{draws}"
    how += words.how
    how += "" if made.among is None else f"; those of {made.among}"
    depends = counted(made.count, "dependency", "dependencies")
    return f"Followed: {how}; {counted(made.states, 'packet state')}, {counted(made.channels, 'channel')}, {depends}."


def _why_free(proof: Proof, made: Dependencies, progress: Progress) -> tuple[Array, I64, I64, str]:
    """(channels, holder, wanted) of the dependencies that the certificate orders, and the condition in words."""
    if proof.of_bubbles:
        how = "Bubble flow control: rings of channels are entered only where room for one more packet is left."
        if proof.escape_channels is not None:
            found = escape_dependencies(made, progress)
            assert found is not None
            how += " They are escape channels, of which in every state a packet may take one."
            return found[1], found[0].holder, found[0].wanted, how
        marked = marked_dependencies(made, progress)
        return made.used, marked.holder, marked.wanted, how
    if proof.escape_channels is not None:
        extended = extended_dependencies(made, progress)
        return made.escape, *extended.pairs, ESCAPES
    indptr, wanted = made.rows
    how = "Condition of Dally and Seitz: dependencies between channels form no cycle."
    return made.used, holders(indptr), wanted.astype(np.int64), how


def order_words(groups: tuple[Group, ...]) -> str:
    """What the order of classes shows."""
    if not groups:
        return " No packet asks for a channel."
    if len(groups) > 1:
        return " By classes of channels they lead to a later step only, or stay within a line:"
    if len(groups[0].classes) > 1:
        return f" No order of the {len(groups[0].classes)} classes of channels shows it: dependencies lead both ways."
    return f" There is one class of channels, {_group_words(groups[0]).partition('. ')[2]}."


def _numbers_words(groups: tuple[Group, ...]) -> str:
    """What the order of classes shows where it is read off numbers, and no list of dependencies is made."""
    if not groups:
        return " There is no escape channel."
    how = " They ascend in the numbers of the certificate"
    if len(groups) == 1:
        return f"{how}, in which {counted(len(groups[0].classes), 'class', 'classes')} of channels may interleave."
    return f"{how}, so by classes of channels they lead to a later step only, or stay within:"


def _freed(rings: bool, proof: Proof) -> str:
    if proof.channels == 0:
        return "So no packet waits."
    if rings:
        return "So a ring never fills up, and some packet can always move."
    if proof.escape_channels is not None:
        return "So among the packets that wait one finds an escape channel that none of them holds, and moves."
    return "So of the packets that wait, the one that holds the last channel waits for none of them, and moves."


def _against(proof: Proof, waiting: Waiting) -> str:
    """What the packets that wait mean."""
    if not waiting.packets:
        return "No packets were found that wait for each other: nothing is proved."
    each = "Each waits for the channel that the next holds, and the last for that of the first"
    if waiting.kind == "stuck":
        return f"{each}: none can move."
    if waiting.kind == "knot":
        return f"These {len(waiting.packets)} channels are a knot: each packet waits only for what the others hold."
    if waiting.kind == "indirect":
        return "Each may ask for the escape channel that the next holds; there may be ways round: nothing is proved."
    if proof.of_bubbles:
        return f"{each}; of buffers with bubbles a cycle says too little, so nothing is proved."
    knot = "No set of channels, each with a packet that waits at its end, leaves all without: no knot. Packets that lie"
    return (
        f"{each}; those with another channel have a way round. {knot} over several channels may deadlock all the same."
    )
