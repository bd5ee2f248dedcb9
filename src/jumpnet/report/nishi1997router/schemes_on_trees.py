"""Sections 3.1 to 3.3: the schemes' rules on a 3-ary tree (Figures 5, 6), and what a multicast saves."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import NamedTuple

from jumpnet.chip.compiled.network import FastNetwork, Sending
from jumpnet.chip.configuration import wire
from jumpnet.chip.messages import message, multicast_packet
from jumpnet.graph.distances import distances_from
from jumpnet.multicast import scheme
from jumpnet.multicast.territory import Territories, territories
from jumpnet.multicast.tree import multicast_tree
from jumpnet.report._plain_tree import DESTINATIONS, SOURCE, Cast, Visit, cast, figures_5_and_6
from jumpnet.report._section import Golden, Progress, Section, Table
from jumpnet.report._territories import by_rank, roots
from jumpnet.report.nishi1997router._cells import Said, sentences
from jumpnet.topology import build

TITLE = "Section 3: the rules of the schemes, and what a multicast saves"
ORDER = 25

SCHEMES = ("LPRA", "SM", "LARP")
CHIPS, LARGE = "rdt:16", "prdt:64"
MANY, DRAWS, POINTERS = 32, 50, 6
CLOCKED, APART = 10, 500
"""Draws on chips; clocks from one message of a list to the next, which is alone then."""
EVERY = 0b111
LOST = "The figure is lost in our copy; the leaves are ours. s source, d destination, dots receive, B broadcasts."


def _share(those: list[bool]) -> Said:
    """The scheme is defined by the sentence: that its nodes do so shows nothing."""
    share = "all" if all(those) else f"{sum(those)} of {len(those)}"
    return Said(share, f"{len(those)} nodes of the example; the sentence defines the scheme", stated=True)


def _mapped(visits: list[Visit]) -> list[bool]:
    return [visit.served == visit.bit_map for visit in visits]


def _rules(golden: Golden, found: dict[str, Cast]) -> Table:
    """Which nodes of the example broadcast, and which serve by their map."""
    at = {name: [v for v in each.visits if v.level >= 1] for name, each in found.items()}
    wide = [visit for visit in at["LARP"] if visit.local and not visit.starts]
    far = [visit for visit in at["LARP"] if not visit.local and visit.node[:2] != SOURCE[:2]]
    return sentences(
        golden,
        f"One multicast to {len(DESTINATIONS)} leaves of a 3-ary tree",
        "nishi1997router, section 3.2 and Figure 6",
        {
            "lpra_local": _share(_mapped([v for v in at["LPRA"] if v.local])),
            "lpra_remote": _share([v.served == EVERY for v in at["LPRA"] if not v.local]),
            "sm_maps": _share(_mapped(at["SM"])),
            "larp_local": _share([v.served == EVERY for v in wide]),
            "larp_remote": _share(_mapped(far)),
        },
    )


def _one_after_another() -> tuple[int, int]:
    """Clocks until the last of 32 routers has a message of the chips: sent one by one, and as one multicast."""
    wiring = wire(CHIPS)
    where, source = wiring.where, 0
    to = random.Random(1).sample([r for r in where.members(source, where.top).tolist() if r != source], MANY)
    ways = (
        [Sending(source, 0, message(where, source, r, body=(1,)).flits()) for r in to],
        [Sending(source, 0, multicast_packet(where, "SM", source, to, body=(1,)).flits())],
    )
    found = []
    for packets in ways:
        net = FastNetwork(wiring, packets)
        net.run(20_000)
        last: dict[int, int] = {}
        for arrival in net.arrivals():
            if arrival.router in to:
                last[arrival.router] = arrival.clock
        assert len(last) == MANY
        found.append(max(last.values()))
    return found[0], found[1]


class Ways(NamedTuple):
    """What it takes until the last of many copies near the home is reached."""

    maps: float
    """By LARP's maps, on average."""
    chain: float
    """Along a list in the order of the draws, on average."""
    broadcast: int
    """To all nodes, as pointers do when there are more copies than pointers."""

    @property
    def answer(self) -> str:
        """Whether maps take no longer than either other way."""
        return "comparable or better" if self.maps <= min(self.chain, self.broadcast) else "worse"

    def said(self, what: str) -> str:
        """All three in words."""
        return (
            f"{what} to the last: maps of LARP {self.maps:.1f}, a list {self.chain:.1f}, a broadcast {self.broadcast}"
        )


def _steps(where: Territories) -> Ways:
    """Mean steps to the last of 32 copies near the home: by LARP's maps, along a list in the order of the draws; and
    steps of a broadcast to all nodes, which pointers need when there are more copies than pointers."""
    source = where.side // 2 * (where.side + 1)
    away = distances_from(build(LARGE), 0)
    draw, maps, chain = random.Random(1), 0, 0
    for _ in range(DRAWS):
        to: dict[int, None] = {}
        while len(to) < MANY:
            to[where.moved(source, round(draw.gauss(0, 1)), round(draw.gauss(0, 1)))] = None
            to.pop(source, None)
        maps += multicast_tree(where, scheme("LARP"), source, list(to)).steps
        places = [source, *to]
        chain += sum(int(away[_apart(where, a, b)]) for a, b in pairwise(places))
    everyone = [r for r in range(where.routers) if r != source]
    return Ways(maps / DRAWS, chain / DRAWS, multicast_tree(where, scheme("SM"), source, everyone).steps)


def _apart(where: Territories, a: int, b: int) -> int:
    """The router that lies from router 0 as b from a."""
    return where.moved(0, b % where.side - a % where.side, b // where.side - a // where.side)


def _clocks() -> Ways:
    """The same on chips, in clocks and for draws around router 0: by LARP's maps; along a list, each message sent when
    the one before has come, without what a processor takes; and a broadcast."""
    wiring = wire(CHIPS)
    where, draw = wiring.where, random.Random(1)
    maps = chain = 0
    for _ in range(CLOCKED):
        to: dict[int, None] = {}
        while len(to) < MANY:
            to[where.moved(0, round(draw.gauss(0, 1)), round(draw.gauss(0, 1)))] = None
            to.pop(0, None)
        packet = multicast_packet(where, "LARP", 0, list(to), body=(1,))
        maps += max(_arrivals([Sending(0, 0, packet.flits())], set(to)))
        steps = [
            Sending(a, k * APART, message(where, a, b, body=(1,)).flits())
            for k, (a, b) in enumerate(pairwise([0, *to]))
        ]
        came = sorted(_arrivals(steps, set(to)))
        assert all(k * APART < clock < (k + 1) * APART for k, clock in enumerate(came))
        chain += sum(clock - k * APART for k, clock in enumerate(came))
    everyone = set(range(1, where.routers))
    packet = multicast_packet(where, "SM", 0, list(everyone), body=(1,))
    return Ways(maps / CLOCKED, chain / CLOCKED, max(_arrivals([Sending(0, 0, packet.flits())], everyone)))


def _arrivals(packets: list[Sending], to: set[int]) -> list[int]:
    """Clocks at which the destinations have the message, once each."""
    net = FastNetwork(CHIPS, packets)
    net.run(20_000)
    found = [(arrival.router, arrival.clock) for arrival in net.arrivals() if arrival.router in to]
    assert len(found) == len(to) == len(dict(found))
    return [clock for _, clock in found]


def _saved(golden: Golden) -> Table:
    """What a multicast saves, and how many roots the network has."""
    singly, together = _one_after_another()
    steps, clocks = _steps(territories(LARGE)), _clocks()
    starts = roots(wire(CHIPS).where, build(CHIPS))
    return sentences(
        golden,
        "What a multicast saves",
        f"nishi1997router, sections 3.1 and 3.3; {CHIPS}, {LARGE}",
        [
            (
                "sequential_long",
                Said(
                    "longer" if singly > together else "not longer",
                    f"{MANY} destinations on {CHIPS}: {singly} clocks one by one, {together} as one multicast under SM",
                ),
            ),
            (
                "many_roots",
                Said("many" if all(each.many for each in starts) else "few", by_rank(starts)),
            ),
            (
                "comparable",
                Said(
                    steps.answer,
                    f"{MANY} copies at sigma 1, {DRAWS} draws; {steps.said('steps')} (more copies than "
                    f"{POINTERS} pointers)",
                ),
            ),
            (
                "comparable",
                Said(
                    clocks.answer,
                    f"{MANY} copies at sigma 1, {CLOCKED} draws; {clocks.said('clocks')}",
                    label=f"the same in clocks, on {CHIPS}",
                ),
            ),
        ],
        "Steps are transfers between neighbors one after another; a list is followed in the order of the draws. Clocks "
        "of a list are those of its messages, without what the processors between them take.",
    )


def section(golden: Golden, progress: Progress) -> Section:
    """Send one multicast down a plain tree under every scheme; send messages singly and together."""
    found = {name: cast(scheme(name), 3, SOURCE, DESTINATIONS) for name in ("full", *SCHEMES)}
    pictures = figures_5_and_6("nishi1997router", "chip", found, SCHEMES, (7, 7), LOST)
    return Section(TITLE, TEXT, (_rules(golden, found), _saved(golden)), pictures)


TEXT = """The rules of the three schemes, on the example that the section on RHBD's Figures 5 and 6 uses: the leaves of
the paper's own are lost. LARP is read as there: all below the child of the start that holds the source broadcast."""
