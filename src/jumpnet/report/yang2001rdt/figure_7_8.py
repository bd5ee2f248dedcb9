"""Figures 7 and 8 of the RDT paper: what a node and its router consist of, counted on the five simulated networks."""

from __future__ import annotations

from functools import partial
from typing import Any

from jumpnet.networks import Network
from jumpnet.report._section import Cell, Figure, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report.yang2001rdt._curves import NETWORKS
from jumpnet.sim.config.sim_config import preset
from jumpnet.sim.engine.engine import Engine
from jumpnet.topology import build

TITLE = "Figures 7 and 8: a node and its router"
ORDER = 70

KEY = "yang2001rdt"


def _one_way(net: Network) -> int:
    """Channels without one that leads back over the same pair of ports."""
    router, port, far = net.channel_ends
    return int((net.neighbor[far, net.far_port[router, port]] != router).sum())


def _box(axes: Any, x: float, y: float, wide: float, high: float, words: str) -> None:
    axes.fill([x, x + wide, x + wide, x], [y, y, y + high, y + high], facecolor="#eef2f6", edgecolor="#20262e")
    axes.text(x + wide / 2, y + high / 2, words, ha="center", va="center", fontsize=8)


def _arrow(axes: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    axes.annotate("", xy=end, xytext=start, arrowprops={"arrowstyle": "->", "color": "#20262e"})


def _draw_node(links: int, figure: Any) -> None:
    """Processor, request queue and router with its links both ways."""
    axes = figure.subplots()
    axes.axis("off")
    axes.set_aspect("equal")
    _box(axes, 0, 3.4, 2.4, 0.8, "processor")
    _box(axes, 0, 1.7, 1.4, 0.8, "request queue")
    _box(axes, 0, 0, 2.4, 0.8, "router")
    for start, end in (((0.7, 3.4), (0.7, 2.5)), ((0.7, 1.7), (0.7, 0.8)), ((2.0, 0.8), (2.0, 3.4))):
        _arrow(axes, start, end)
    for k in range(links):
        x = 2.4 * (k + 0.5) / links
        _arrow(axes, (x - 0.05, 0), (x - 0.05, -0.8))
        _arrow(axes, (x + 0.05, -0.8), (x + 0.05, 0))
    axes.text(1.2, -1.1, f"{links} links, both ways", ha="center", fontsize=8)
    axes.set_xlim(-0.4, 2.8)
    axes.set_ylim(-1.4, 4.4)


def _draw_router(ports: int, vcs: int, figure: Any) -> None:
    """Channel buffers, crossbar and control, for the ports of links and one of the processor."""
    axes = figure.subplots()
    axes.axis("off")
    high = ports + 1
    _box(axes, 3.4, 0, 1.6, high, f"crossbar\n{high} x {high}")
    for k in range(high):
        name = "processor" if k == ports else f"link {k}"
        axes.text(-0.2, k + 0.5, name, ha="right", va="center", fontsize=7)
        _box(axes, 0, k + 0.2, 0.7, 0.6, "LC")
        for v in range(vcs):
            _box(axes, 1.0 + 0.6 * v, k + 0.2, 0.5, 0.6, "VC" if v == 0 else "")
        _arrow(axes, (1.0 + 0.6 * vcs, k + 0.5), (3.4, k + 0.5))
        _arrow(axes, (5.0, k + 0.5), (5.8, k + 0.5))
    _box(axes, 3.4, high + 0.3, 1.6, 0.7, "control")
    axes.set_xlim(-1.4, 6)
    axes.set_ylim(-0.2, high + 1.2)


def section(golden: Golden, progress: Progress) -> Section:
    """Counts on each network, and both pictures for RDT(2,4,1)/alpha."""
    rows: Rows = []
    sizes = {}
    for done, who in enumerate(NETWORKS):
        progress(done, len(NETWORKS))
        net = build(who.spec)
        engine = Engine(net, who.routing, preset("yang2001"))
        shape = engine.shape
        links = int((net.neighbor >= 0).sum(axis=1).max())
        sizes[who.label] = links, shape.vcs
        back = _one_way(net)
        processors = set(net.terminals.tolist())
        processor = processors.pop() if len(processors) == 1 else "?"
        parts = f"{processor} processor, {engine.config.injection_ports} request queue"
        rows.append(
            (
                who.label,
                [
                    claimed(golden, "node_parts", parts, stated=True),
                    claimed(golden, "bidirectional", "all" if back == 0 else f"all but {back}"),
                    Cell(None, links, claim="figure_7"),
                    Cell(None, shape.inputs * shape.vcs, claim="figure_8"),
                    Cell(None, f"{shape.inputs} x {shape.outputs}", claim="figure_8"),
                ],
            )
        )
    columns = ("beside the router", "two-way channels", "links", "channel buffers", "crossbar")
    table = Table("A node of each simulated network", f"{KEY}, Figures 7 and 8", columns, rows, NOTE)
    links, vcs = sizes[NETWORKS[0].label]
    figures = (
        Figure(
            "rdt-figure-7", "Construction of a node", f"{KEY}, Figure 7", partial(_draw_node, links), claim="figure_7"
        ),
        Figure("rdt-figure-8", "Router model", f"{KEY}, Figure 8", partial(_draw_router, links, vcs), claim="figure_8"),
    )
    return Section(TITLE, TEXT, (table,), figures)


NOTE = "Processors and queues are settings of our simulator; links, buffers and crossbars are counted in it."
TEXT = """Our copy of the paper has lost both pictures; they are drawn from the text and from what the simulator has
on RDT(2,4,1)/alpha. A node is a processor, its request queue and a router; the router has link controllers (LC), a
buffer for each virtual channel (VC) of each input, a crossbar and control. Output buffers, which Table IV mentions,
are not modelled: a flit goes from the crossbar to the link."""
