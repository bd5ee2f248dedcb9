"""What the bit-map directory paper leaves to a prototype: programs on the machine with the network in its loop.

Purpose and machine: kudoh1995rhbd sections 5 and 6; the times are ours (`jumpnet.machine.timed.machine`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jumpnet.machine.closed_loop import ClosedLoop, closed_loop
from jumpnet.machine.timed.machine import Costs
from jumpnet.machine.timed.streams import Streams, streams_of
from jumpnet.machine.trace import Trace
from jumpnet.machine.workload import workload
from jumpnet.report._kept import kept_or_empty
from jumpnet.report._section import Cell, Figure, Golden, Progress, Section, Table
from jumpnet.report._sharing import CLUSTER, CURVES, KEY, Figures, captured
from jumpnet.sim.config.sim_config import preset

TITLE = "Execution time: RDT, torus and hypercube in the loop"
ORDER = 55

CONFIG: dict[str, Any] = {"vcs": 4, "vc_reuse": "tail"}
"""The router chip's clocks, but virtual channels enough for each routing, the same number for all."""
NETWORKS = {8: ("rdt:8", "torus:4x2", "hypercube:3"), 64: ("rdt:8", "torus:8x8", "hypercube:6"),
            256: ("rdt:16", "torus:16x16", "hypercube:8")}  # fmt: skip
"""Networks by clusters. No RDT is smaller than 8x8: the clusters of a smaller machine lie in its first row."""
PROGRAMS = (
    "gas:molecules=128,steps=1",
    "grid:processors=256,n=32,sweeps=1",
    "gas:processors=1024,molecules=128,steps=1",
    "grid:processors=1024,n=64,sweeps=1",
    "gas:molecules=512,steps=1",
    "gas:steps=2",
    "gas:processors=1024,molecules=1024,steps=1",
)
PROTOCOLS = ("water:molecules=32", "water", "gas:steps=1", "grid:processors=256,n=64,sweeps=2")
TOLD = ("gas:molecules=64,steps=1", "gas:molecules=256,steps=1", "grid:processors=256,n=32,sweeps=1",
        "gas:processors=1024,molecules=128,steps=1")  # fmt: skip
PARTS = ("water:molecules=32", "water", "gas:molecules=512,steps=1")
PARTS_OF_TEXT = ("networks", "protocols", "deliveries", "parts")
"""The tables of long runs, as `TABLES`."""
NOW = ("gas:molecules=64,steps=1",)
"""Run whenever the section is made, beside the committed results."""
STALLS = ("busy", "read_stall", "write_stall", "sync_stall", "idle")
ONE_BY_ONE = "one after another"
DELIVERIES: dict[str, dict[str, Any]] = {
    ONE_BY_ONE: {},
    "one after another, counted by the home's router": {"acknowledges": "counted"},
    "binomial tree, combined": {"multicast": "full_map", "acknowledges": "combined"},
    "SM, combined": {"multicast": "SM", "acknowledges": "combined"},
    "LPRA, combined": {"multicast": "LPRA", "acknowledges": "combined"},
    "LARP, combined": {"multicast": "LARP", "acknowledges": "combined"},
    "a map for each node of the tree, combined": {"multicast": "hierarchical", "acknowledges": "combined"},
}
"""How messages go to many nodes, and their acknowledges back; the last four on the RDT only."""
OTHERS = tuple(DELIVERIES)[:3]
DESIGNS: dict[str, dict[str, Any]] = {
    "one request at a time, caches without limit": {},
    "locks and barriers free of messages": {"synchronisation": "free"},
    "8 requests, writes buffered": {"outstanding": 8},
    "2 requests, writes buffered": {"outstanding": 2},
    "caches of 512 bytes, 2 ways": {"caches": (512, 2)},
    "the same, last clean copies told": {"caches": (512, 2), "hints": True},
}


def _run(streams: Streams, network: str, **design: Any) -> ClosedLoop:
    """On a network with the chip's clocks; invalidation and an entry a line unless something else is asked for."""
    chosen = {"directory": "line", **design}
    return closed_loop(streams, network, config=preset("jump1", **CONFIG), clusters_of=CLUSTER, **chosen)


def _figures(found: ClosedLoop) -> Figures:
    t = found.timing
    return {
        **{name: getattr(t, name) for name in ("cycles", *STALLS)},
        "network_share": found.network_share,
        "waits": [t.message_latency_mean, found.queueing_mean, t.node_wait_mean, found.hops_mean],
        "channel_load_max": found.channel_load_max,
        "packets": sum(t.messages.values()),
    }


def _cells(found: Figures) -> list[Cell | None]:
    cells: list[Cell | None] = [Cell(None, found["cycles"])]
    cells += [Cell(None, f"{100 * found[name] / found['cycles']:.1f}") for name in STALLS]
    cells.append(Cell(None, f"{100 * found['network_share']:.0f}"))
    cells += [Cell(None, f"{x:.1f}") for x in found["waits"]]
    return [*cells, Cell(None, f"{found['channel_load_max']:.3f}"), Cell(None, found["packets"])]


COLUMNS = (
    "cycles", "issuing (%)", "waiting for reads (%)", "for writes (%)", "at locks and barriers (%)", "at the end (%)",
    "of the time, by the network (%)", "packet latency (cycles)", "of it, for other packets", "then, at the node",
    "routers passed", "busiest channel", "packets",
)  # fmt: skip
Runs = dict[str, Figures]
"""By label."""


def _clusters(trace: Trace) -> int:
    assert trace.processors is not None
    return -(-trace.processors // CLUSTER)


def _figure(rows: Sequence[tuple[str, Figures]]) -> Figure:
    labels = ("issuing", "waiting for reads", "waiting for writes", "at locks and barriers", "at the end")
    data: dict[str, Any] = {"run": [label for label, _ in rows]}
    for name, label in zip(STALLS, labels, strict=True):
        data[label] = [found[name] for _, found in rows]

    def draw(figure: Any) -> None:
        figure.set_size_inches(7.2, 1.0 + 0.26 * len(rows))
        axes = figure.subplots()
        left = [0.0] * len(rows)
        places = range(len(rows))
        for label in labels:
            axes.barh(places, data[label], left=left, label=label)
            left = [a + b for a, b in zip(left, data[label], strict=True)]
        axes.set_yticks(places, data["run"], fontsize=6.5)
        axes.invert_yaxis()
        axes.xaxis.set_major_formatter(lambda cycles, place: f"{cycles / 1000:g}")
        axes.set_xlabel("thousands of cycles, mean of all processors")
        figure.legend(fontsize=7, loc="outside upper center", ncols=len(labels))

    return Figure(
        "rhbd-execution-time", "Where the time goes: networks, protocols and entries", "computed here", draw, data
    )


@dataclass(frozen=True)
class _Plan:
    """One run: the table it belongs to, its label, and what to run."""

    table: str
    label: str
    program: str
    network: str
    design: dict[str, Any]


def _deliveries(program: str, network: str) -> list[_Plan]:
    """Every way to tell many nodes, under both protocols."""
    return [
        _Plan("deliveries", f"{program}, {network}, {protocol}: {name}", program, network,
              {**DELIVERIES[name], "directory": "page", "protocol": protocol})
        for protocol in ("invalidate", "update")
        for name in (DELIVERIES if network.startswith("rdt") else OTHERS)
    ]  # fmt: skip


def every_program() -> tuple[str, ...]:
    """The programs of all runs."""
    return tuple(dict.fromkeys((*PROGRAMS, *PROTOCOLS, *TOLD, *PARTS)))


def plans(traces: dict[str, Trace]) -> list[_Plan]:
    """Every run of the section. traces: by program, shipped or captured."""
    found = []
    for program in (*PROGRAMS, *(spec for spec in traces if "captured" in spec)):
        networks = NETWORKS[_clusters(traces[program])]
        found += [_Plan("networks", f"{program}, {network}", program, network, {}) for network in networks]
    for program in PROTOCOLS:
        network = NETWORKS[_clusters(traces[program])][0]
        for protocol, directory in CURVES:
            label = f"{program}, {network}, {protocol}, entry a {directory}"
            design = {"protocol": protocol, "directory": directory}
            found.append(_Plan("protocols", label, program, network, design))
    for program in TOLD:
        for network in NETWORKS[_clusters(traces[program])]:
            found += _deliveries(program, network)
    for program in PARTS:
        network = NETWORKS[_clusters(traces[program])][0]
        found += [_Plan("parts", f"{program}, {network}: {name}", program, network, DESIGNS[name]) for name in DESIGNS]
    return found


def live(todo: Sequence[_Plan], traces: dict[str, Trace], progress: Progress) -> dict[str, Runs]:
    """Run these, by table."""
    streams: dict[str, Streams] = {}
    found: dict[str, Runs] = {}
    for done, plan in enumerate(todo):
        progress(done, len(todo))
        if plan.program not in streams:
            streams[plan.program] = streams_of(traces[plan.program], clusters_of=CLUSTER)
        run = _run(streams[plan.program], plan.network, **plan.design)
        found.setdefault(plan.table, {})[plan.label] = _figures(run)
    return found


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Run programs on each network, under each protocol, with each way to tell many nodes, and with other parts."""
    specs = every_program() if full else NOW
    traces = {spec: workload(spec).trace() for spec in specs}
    committed = kept_or_empty(KEY, "execution_time")
    old: dict[str, Runs] = {name: dict(committed.data.get(name, {})) for name in PARTS_OF_TEXT}
    if full:
        traces |= captured(False)
        found = live(plans(traces), traces, progress)
        for name in PARTS_OF_TEXT:
            old[name] |= found[name]
    now = live([p for spec in NOW for p in _deliveries(spec, "rdt:8")[:3]], traces, progress)["deliveries"]
    source = "computed here"
    tables = [
        Table(title, source, COLUMNS, [(label, _cells(old[name][label])) for label in sorted(old[name])], note)
        for name, (title, note) in zip(PARTS_OF_TEXT, TABLES, strict=True)
    ]
    tables.append(Table("Run now", source, COLUMNS, [(label, _cells(run)) for label, run in now.items()]))
    shown = [(label, old[name][label]) for name in PARTS_OF_TEXT[:2] for label in sorted(old[name])]
    same = sum(old["deliveries"].get(label) == run for label, run in now.items())
    where = f"\n\n{committed.said} The last table is run now: {same} of its {len(now)} rows are the same there."
    return Section(TITLE, TEXT + _told(old["deliveries"]) + where, tables, (_figure(shown),), old)


def _told(runs: Runs) -> str:
    """What the table of deliveries says, in words."""
    cycles = {label: found["cycles"] for label, found in runs.items()}
    faster: dict[str, list[tuple[float, str]]] = {}
    for label in sorted(cycles):
        where, _, how = label.rpartition(": ")
        if how != ONE_BY_ONE and f"{where}: {ONE_BY_ONE}" in cycles:
            faster.setdefault(how, []).append((cycles[f"{where}: {ONE_BY_ONE}"] / cycles[label], where))
    words = [
        f"{how}: {min(faster[how])[0]:.1f} ({min(faster[how])[1]}) to {max(faster[how])[0]:.1f} ({max(faster[how])[1]})"
        for how in DELIVERIES
        if how in faster
    ]
    return f"""

Times as fast as one after another with each acknowledge handled by the home, the least and the most of the programs,
networks and protocols of the table. {"; ".join(words)}."""


TABLES = (
    (
        "Networks: invalidation, an entry a line",
        f"Clusters of {CLUSTER} processors. 'By the network': what the same machine saves when a packet takes its "
        "flits only and meets no other. 'For other packets': waiting to enter the network and in it.",
    ),
    ("Protocols and entries on the RDT", ""),
    ("Messages to many nodes: an entry a page", "A tree's packets are counted from branch to branch."),
    ("Parts of the machine: invalidation, an entry a line", ""),
)

TEXT = f"""Messages are packets of the flit-level simulator, with the clocks of the router chip, four virtual channels
and dimension-order, e-cube or deadlock-free vector routing. A processor issues a reference a cycle and waits for each
miss; a memory-based processor takes {Costs().occupancy_cycles} cycles for a message and sends to several nodes one
after another. Locks are queues at their homes; at a barrier the clusters tell its home, and the home tells them, both
by the trees of multicasts where acknowledges are combined. The cycles and these rules are assumptions of ours: the
papers give none. The programs are scaled down, so that next to no time is left for issuing: what is compared is the
time of the same misses and locks on different networks. 1024 processors are the 256 clusters of JUMP-1.

Where nearly all the time is spent at locks (the grid: every processor adds its changes to one sum) the time is that of
a chain of single misses, and the network's part is its latency without load. Where every write is told to many nodes
(update, an entry a page) the memory-based processors of the homes are what all wait for, and the network's part is
small: that is the work that multicast and combined acknowledges take from them. A multicast is a tree of packets, taken
whole and sent on where it branches; the router chip branches flit by flit, as the sections on directories have it, so
that its multicasts take less. The order in which processors get a lock depends on a few cycles here and there: small
differences of totals mean nothing."""
