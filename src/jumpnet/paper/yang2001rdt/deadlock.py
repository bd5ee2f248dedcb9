"""Virtual channels of the RDT paper's deadlock-free routing: its claim checked by the dependency graph.

The paper's own argument is one paragraph; here every reachable dependency is found and the graph searched for cycles.
"""

from __future__ import annotations

import numpy as np

from jumpnet.analysis.dependency import dependencies
from jumpnet.analysis.prove import Proof, prove
from jumpnet.network import Network
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table
from jumpnet.papers import claim
from jumpnet.routing import bind
from jumpnet.topology import build

TITLE = "Deadlock freedom: how many virtual channels the descending order needs"
ORDER = 62

NETWORKS = ("prdt:16", "rdt:16")
RULES = ("x", "step", "near")
CHANNELS = (1, 2, 3)


def _answer(proof: Proof) -> str:
    return "free" if proof.cycle is None else f"cycle of {len(proof.cycle)}"


def _extra_channel_links(net: Network, moves: str) -> str:
    """Which base links carry the third channel: that of changes of rank."""
    used = dependencies(bind(f"rdt.deadlock_free:moves={moves}", net, 3)).used.reshape(net.routers, net.ports, 3)[
        :, :, 2
    ]
    base = net.class_rank[net.link_class] == 0
    names = {net.class_names[c].split()[-1][0] for c in np.unique(net.link_class[(used > 0) & base])}
    return " and ".join(sorted(names)) or "none"


def section(golden: Golden, progress: Progress) -> Section:
    """Each network under each rule for the base moves between ranks, with one, two and three virtual channels."""
    needed = {"prdt": int(claim(golden, "prdt_channels")), "rdt": int(claim(golden, "alpha_channels"))}
    rows: list[tuple[str, list[Cell | None]]] = []
    total = len(NETWORKS) * len(RULES)
    for spec in NETWORKS:
        net = build(spec)
        for moves in RULES if net.family == "rdt" else RULES[:1]:
            progress(len(rows), total)
            cells: list[Cell | None] = []
            least = 0
            for vcs in CHANNELS:
                proof = prove(bind(f"rdt.deadlock_free:moves={moves}", net, vcs))
                least = least or (vcs if proof.deadlock_free else 0)
                printed = "free" if vcs == needed[net.family] and moves == "x" else None
                cells.append(Cell(printed, _answer(proof)))
            cells.append(Cell(str(needed[net.family]) if moves == "x" else None, least))
            third = net.family == "rdt"
            cells.append(Cell("x" if moves == "x" else None, _extra_channel_links(net, moves)) if third else None)
            rows.append((f"{spec}, moves={moves}" if net.family == "rdt" else spec, cells))
    table = Table(
        "Channel dependency graph of descending-rank routing: acyclic (free), or its shortest cycle",
        "yang2001rdt, section IV.C.d",
        ("1 channel", "2 channels", "3 channels", "channels needed", "base links with the third"),
        rows,
        "With fewer channels than classes, class c uses channel c modulo their number.",
    )
    return Section(TITLE, TEXT, (table,))


TEXT = """The paper gives the PRDT two virtual channels for each link (e-cube order with a dateline in every ring), and
RDT(2,4,1)/alpha, whose packets must change between ranks, another one on the rank-0 links in x. Ranks are used in
descending order. How a packet walks to a router of the next rank is left open: `x` walks along x only, as the extra
channel suggests; `step` takes the one base hop that makes the whole route shortest, `near` the one that leaves the
least rank-0 vector.

Found: the claim holds as printed. Two channels are enough on the PRDT, and one is not. On RDT(2,4,1)/alpha two are not
enough under any rule: changes of rank close cycles with the dateline classes. The third channel makes every rule free
of deadlock; with `x` it is needed on the x links of rank 0 alone, with the other rules on x and y. Upper links need
two."""
