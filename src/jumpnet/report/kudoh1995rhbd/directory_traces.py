"""The same question on BARNES and on captured traces: messages of all, time of some whose reads are all there.

Purpose: kudoh1995rhbd sections 5.1 and 5.2. The traces are no part of the project; what they gave is committed with
their digests, and counted again in full for those at hand (`report._sharing`). The times are ours, as in the section
`directories`.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping
from pathlib import Path
from statistics import mean
from typing import Any

from jumpnet.coherence.encoding import encoding
from jumpnet.coherence.functional import Functional
from jumpnet.machine.trace import Trace, open_trace
from jumpnet.machine.traffic import Deliveries, coherence_traffic, routers_of
from jumpnet.machine.workload import workload
from jumpnet.report._kept import kept_or_empty
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table
from jumpnet.report._sharing import KEY, captured_files
from jumpnet.report.kudoh1995rhbd._study import SCHEMES
from jumpnet.report.kudoh1995rhbd._ways import Runs, answer, called, listed, tables
from jumpnet.report.kudoh1995rhbd.directories import WAYS, per_node, runs_of

TITLE = "Directories on BARNES and on captured traces: who is told, execution time and traffic"
ORDER = 56

NETWORK, EXACT = "rdt:8", "full_map"
TIMED = ("fft_m12_p32", "radix_32k_p32", "rgas_1024mol_p256", "water_nsq_64mol_p32")
"""Traces that hold every read."""
THINNED = ("barnes_512_p32", "ocean_66_p32", "barnes_1024_p256")
"""Of those where a read is left out that can only hit if references are in the order of the trace: messages are the
same in that order, times are those of what is left."""
PROGRAMS = (
    "barnes:processors=32,bodies=128,steps=1", "barnes:processors=64,bodies=128,steps=1",
    "barnes:processors=256,bodies=256,steps=1",
)  # fmt: skip
NOW = PROGRAMS[0]
TREES: dict[str, dict[str, Any]] = {
    **WAYS,
    "SM": {"multicast": "SM", "acknowledges": "combined"},
}
"""SM as trees of packets."""
PLACEMENTS = 2
PLACES = 4
"""Placements for who is told, which takes no time."""

TREES_NOTE = "SM multicasts as trees of packets."
TABLES = {
    "barnes": ("BARNES of our own", ""),
    "time": ("Captured traces with every read", TREES_NOTE),
    "thinned": ("Captured traces without reads that hit", TREES_NOTE),
}
"""Title and note of each table of times."""

TEXT = """BARNES is a program of ours: bodies attract each other by a tree of cells that all processors build, with
locks at its cells. It runs as the programs of the section before last, on the same machines.

Then captured traces, of Splash-3 and of a gas. They are no part of the project: what they gave is committed with the
digest of each file, and counted again by those who have them. Who is told does not depend on time: messages are those
of references in the order of the trace, with caches without limit, lines of 32 bytes and invalidation, an entry a
page; up to 64 processors each is a node, more are in clusters of four, and a band is over placements of the nodes on
64 routers. Six pointers tell all routers once there are more copies.

FFT, RADIX, WATER and the gas hold every read. They run in time as well, SM multicasts as trees of packets, which
routers take whole. OCEAN and BARNES leave out reads that can only hit in that
order: with time the order is another one, and a read that would have missed then is not there. So their times, in a
table of their own, are of what is left of the program: they compare directories on equal references, and are not the
program's. OCEAN of 256 processors, of which a run takes minutes, follows in the section after the next."""


def traced(path: Path) -> dict[str, Any]:
    """Who is told by the messages of a captured trace: under bit-maps least, mean and most of the placements."""
    trace = open_trace(path)
    processors = trace.processors or 1
    each = per_node(processors)
    engine = Functional(processors, directory="page", collect=True, clusters_of=each, protocol="invalidate")
    nodes = engine.nodes
    places = [list(range(nodes))]
    places += [random.Random(seed).sample(range(64), nodes) for seed in range(1, PLACES)]
    routers = [routers_of(nodes, NETWORK, at) for at in places]
    told = {name: [Deliveries(encoding(name), NETWORK, at) for at in routers] for name in SCHEMES}
    told[EXACT] = [Deliveries(encoding(EXACT), NETWORK, routers[0])]
    for block in trace.blocks():
        engine.feed(*block)
        _add(told, engine.full_sets())
    _add(told, engine.take_sets())
    few = coherence_traffic(trace, encoding_name="limited_broadcast", network=NETWORK, clusters_of=each)
    bands: dict[str, list[float]] = {}
    for name, deliveries in told.items():
        means = [d.receivers / max(1, d.multicasts) for d in deliveries]
        bands[name] = [round(value, 3) for value in (mean(means), min(means), max(means))]
    exact = bands.pop(EXACT)
    return {
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "processors": processors,
        "nodes": nodes,
        "messages": few.multicasts,
        "destinations": exact[0],
        "pointers": round(few.receivers_mean or 0.0, 3),
        "receivers": bands,
    }


def _add(told: Mapping[str, list[Deliveries]], parts: Any) -> None:
    for part in parts:
        for deliveries in told.values():
            for each in deliveries:
                each.add(part)


def _messages(found: Mapping[str, Mapping[str, Any]]) -> Table:
    """A row for each trace."""
    rows: Rows = []
    for stem, f in sorted(found.items()):
        means = {name: f["receivers"][name] for name in SCHEMES}
        cells: list[Cell | None] = [Cell(None, f["nodes"]), Cell(None, f["messages"])]
        cells += [Cell(None, f"{f['destinations']:.2f}"), Cell(None, f"{f['pointers']:.2f}")]
        cells += [Cell(None, f"{m:.2f} ({low:.2f} to {high:.2f})") for m, low, high in means.values()]
        cells += [Cell(None, min(means, key=lambda name: means[name][0])), Cell(None, f["sha256"][:12])]
        rows.append((stem, cells))
    columns = (
        "nodes",
        "messages",
        "destinations: full map, list",
        "6 pointers",
        *SCHEMES,
        "fewest of the maps",
        "file",
    )
    note = f"Nodes told by one message; {PLACES} placements. The last column begins the file's SHA-256."
    return Table("Who is told, captured traces", "computed here", columns, rows, note)


def _said(found: Mapping[str, Mapping[str, Any]]) -> str:
    """What the table of messages says, in words."""
    best: dict[str, list[str]] = {}
    close = []
    for stem, f in sorted(found.items()):
        means = {name: f["receivers"][name] for name in SCHEMES}
        name = min(means, key=lambda n: means[n][0])
        best.setdefault(name, []).append(stem)
        if not all(means[name][2] < low for other, (_, low, _) in means.items() if other != name):
            close.append(stem)
    words = "; ".join(f"{name} in {len(stems)} of {len(found)}, {listed(stems)}" for name, stems in best.items())
    overlap = f" (bands overlap on {listed(close)})" if close else ""
    few = {stem: f["pointers"] / min(b[0] for b in f["receivers"].values()) for stem, f in found.items()}
    least, most = min(few, key=lambda stem: few[stem]), max(few, key=lambda stem: few[stem])
    return (
        f"Who is told. Of the bit-maps the fewest by {words}{overlap}. Six pointers tell {few[least]:.2f} "
        f"({called(least)}) to {few[most]:.2f} ({called(most)}) times as many as the best of the maps."
    )


def _of_traces(progress: Progress) -> dict[str, dict[str, Any]]:
    """Figures of the captured traces at hand."""
    files = captured_files()
    found: dict[str, dict[str, Any]] = {"traces": {}, "time": {}, "thinned": {}}
    for done, (stem, path) in enumerate(files.items()):
        progress(done, len(files))
        found["traces"][stem] = traced(path)
        for name, stems in (("time", TIMED), ("thinned", THINNED)):
            if stem in stems:
                found[name].update(runs_of(open_trace(path), stem, range(PLACEMENTS), TREES))
    return found


def _ours(program: str, ways: Mapping[str, dict[str, Any]], seeds: range) -> Runs:
    trace: Trace = workload(program).trace()
    return runs_of(trace, program, seeds, ways)


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """All programs and the traces at hand in full, one way on one program otherwise."""
    committed = kept_or_empty(KEY, "directory_traces")
    old: dict[str, dict[str, Any]] = {k: dict(v) for k, v in committed.data.items()}
    if full:
        for name, figures in _of_traces(progress).items():
            old.setdefault(name, {}).update(figures)
        old["barnes"] = {k: v for program in PROGRAMS for k, v in _ours(program, WAYS, range(PLACEMENTS)).items()}
    now = _ours(NOW, {"full map": WAYS["full map"]}, range(1))
    shown, words = [], []
    if old.get("traces"):
        shown.append(_messages(old["traces"]))
        words.append(_said(old["traces"]))
    for name, (title, note) in TABLES.items():
        if old.get(name):
            shown += tables(title, old[name], list(WAYS), note)
            words += answer(title, old[name], list(WAYS))
    shown += tables("Run now", now, ["full map"], "The first one.")
    words.append(committed.said)
    return Section(TITLE, "\n\n".join([TEXT, *words]), shown, (), old)
