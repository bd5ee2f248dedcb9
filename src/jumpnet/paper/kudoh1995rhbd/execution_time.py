"""What the bit-map directory paper leaves to a prototype: programs on the machine with the network in its loop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jumpnet.machine.closed_loop import ClosedLoop, closed_loop
from jumpnet.machine.timing import Costs
from jumpnet.machine.timing_streams import Streams, streams_of
from jumpnet.machine.trace import Trace
from jumpnet.machine.workload import workload
from jumpnet.paper._section import Cell, Figure, Golden, Progress, Section, Table
from jumpnet.paper.kudoh1995rhbd._sharing import CLUSTER, CURVES, captured
from jumpnet.sim.config import preset

TITLE = "Execution time: RDT, torus and hypercube in the loop"
ORDER = 55

CONFIG: dict[str, Any] = {"vcs": 4, "vc_reuse": "tail"}
"""The router chip's clocks, but virtual channels enough for each routing, the same number for all."""
NETWORKS = {8: ("rdt:8", "torus:4x2", "hypercube:3"), 64: ("rdt:8", "torus:8x8", "hypercube:6"),
            256: ("rdt:16", "torus:16x16", "hypercube:8")}  # fmt: skip
"""Networks by clusters. No RDT is smaller than 8x8: the clusters of a smaller machine lie in its first row."""
PROGRAMS = ("gas:molecules=512,steps=1", "grid:processors=256,n=64,sweeps=1", "grid:processors=1024,n=64,sweeps=1")
MORE = ("gas:steps=2", "gas:processors=1024,molecules=1024,steps=1")
PROTOCOLS = "water"
MORE_PROTOCOLS = ("gas:steps=1", "grid:processors=256,n=64,sweeps=2")
STALLS = ("busy", "read_stall", "write_stall", "sync_stall", "idle")


def _run(streams: Streams, network: str, protocol: str, directory: str) -> ClosedLoop:
    return closed_loop(
        streams,
        network,
        config=preset("jump1", **CONFIG),
        protocol=protocol,
        directory=directory,
        clusters_of=CLUSTER,
    )


def _cells(found: ClosedLoop) -> list[Cell | None]:
    t = found.timing
    cells: list[Cell | None] = [Cell(None, t.cycles)]
    cells += [Cell(None, f"{100 * getattr(t, name) / t.cycles:.1f}") for name in STALLS]
    cells.append(Cell(None, f"{100 * found.network_share:.0f}"))
    cells += [Cell(None, f"{x:.1f}") for x in (t.message_latency_mean, found.hops_mean)]
    cells += [Cell(None, f"{found.channel_load_max:.3f}"), Cell(None, sum(t.messages.values()))]
    return cells


COLUMNS = (
    "cycles", "issuing (%)", "waiting for reads (%)", "for writes (%)", "at locks and barriers (%)", "at the end (%)",
    "of the time, by the network (%)", "message latency (cycles)", "routers passed", "busiest channel", "messages",
)  # fmt: skip


def _clusters(trace: Trace) -> int:
    assert trace.processors is not None
    return -(-trace.processors // CLUSTER)


def _figure(rows: Sequence[tuple[str, ClosedLoop]]) -> Figure:
    labels = ("issuing", "waiting for reads", "waiting for writes", "at locks and barriers", "at the end")
    data: dict[str, Any] = {"run": [label for label, _ in rows]}
    for name, label in zip(STALLS, labels, strict=True):
        data[label] = [getattr(found.timing, name) for _, found in rows]

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        left = [0.0] * len(rows)
        places = range(len(rows))
        for label in labels:
            axes.barh(places, data[label], left=left, label=label)
            left = [a + b for a, b in zip(left, data[label], strict=True)]
        axes.set_yticks(places, data["run"], fontsize="small")
        axes.invert_yaxis()
        axes.set_xlabel("cycles, mean of all processors")
        axes.legend(fontsize="small", loc="lower right")

    return Figure("rhbd-execution-time", "Where the time goes", "computed here", draw, data)


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Run programs on each network, and one program under each protocol and directory."""
    traces = {spec: workload(spec).trace() for spec in (*PROGRAMS, *(MORE if full else ()))}
    protocols = {spec: workload(spec).trace() for spec in (PROTOCOLS, *(MORE_PROTOCOLS if full else ()))}
    if full:
        traces |= captured(False)
    total, done = 3 * len(traces) + 4 * len(protocols), 0
    by_network: list[tuple[str, ClosedLoop]] = []
    for spec, trace in traces.items():
        streams = streams_of(trace, clusters_of=CLUSTER)
        for network in NETWORKS[_clusters(trace)]:
            progress(done, total)
            by_network.append((f"{spec}, {network}", _run(streams, network, "invalidate", "line")))
            done += 1
    by_protocol: list[tuple[str, ClosedLoop]] = []
    for spec, trace in protocols.items():
        streams = streams_of(trace, clusters_of=CLUSTER)
        network = NETWORKS[_clusters(trace)][0]
        for protocol, directory in CURVES:
            progress(done, total)
            found = _run(streams, network, protocol, directory)
            by_protocol.append((f"{spec}, {network}, {protocol}, entry a {directory}", found))
            done += 1
    tables = (
        Table(
            "Networks: invalidation, an entry a line",
            "computed here",
            COLUMNS,
            [(label, _cells(found)) for label, found in by_network],
            f"Clusters of {CLUSTER} processors. 'By the network': what the same machine saves when a message takes its "
            "flits only and meets no other.",
        ),
        Table(
            "Protocols and entries on the RDT",
            "computed here",
            COLUMNS,
            [(label, _cells(found)) for label, found in by_protocol],
        ),
    )
    return Section(TITLE, TEXT, tables, (_figure(by_network + by_protocol),))


TEXT = f"""Messages are packets of the flit-level simulator, with the clocks of the router chip, four virtual channels
and dimension-order, e-cube or deadlock-free vector routing. A processor issues a reference a cycle and waits for each
miss; a memory-based processor takes {Costs().occupancy_cycles} cycles for a message and sends to several nodes one
after another. Both are assumptions of ours: the papers give no times. The programs are scaled down (the grid has 64x64
points, the gas makes one step), so that next to no time is left for issuing: what is compared is the time of the same
misses and locks on different networks. 1024 processors are the 256 clusters of JUMP-1.

Where nearly all the time is spent at locks (the grid: every processor adds its changes to one sum) the time is that of
a chain of single misses, and the network's part is its latency without load. Where every write is told to many nodes
(update, an entry a page) the memory-based processors of the homes are what all wait for, and the network's part is
small: that is the work that multicast and combined acknowledges take from them. The order in which processors get a
lock depends on a few cycles here and there and moves totals by some percent; smaller differences mean nothing."""
