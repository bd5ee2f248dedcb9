"""The bit-map directory paper's question on programs in time: bit-map multicasts against other directories.

Purpose: kudoh1995rhbd sections 1 and 5.1; the times are ours (`jumpnet.machine.timed.machine`), with multicasts that
branch in the routers and acknowledges that they combine (nishi1997router sections 4.2 and 4.3).
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from statistics import mean
from typing import Any

import numpy as np

from jumpnet.machine.closed_loop import ClosedLoop, closed_loop
from jumpnet.machine.place import placed_trace
from jumpnet.machine.timed.streams import streams_of
from jumpnet.machine.trace import Trace
from jumpnet.machine.workload import workload
from jumpnet.report._kept import kept_or_empty
from jumpnet.report._section import Golden, Progress, Section
from jumpnet.report._sharing import CLUSTER, KEY
from jumpnet.report.kudoh1995rhbd._ways import Bands, Runs, answer, tables
from jumpnet.sim.config.sim_config import preset

TITLE = "Directories on programs: execution time and traffic of bit-map multicasts, full maps, pointers and lists"
ORDER = 56

WAYS: dict[str, dict[str, Any]] = {
    "full map": {},
    "SM": {"multicast": "SM", "acknowledges": "combined", "branches": "routers"},
    "list": {"encoding_name": "chained"},
    "6 pointers": {"encoding_name": "limited_broadcast"},
}
"""What a directory's entries hold, and so how many nodes are told; the first is what others are held against."""
PROGRAMS = {
    32: (
        "water:processors=32,molecules=16,steps=1", "grid:processors=32,n=16,sweeps=1", "fft:processors=32,m=10",
        "lu:processors=32,n=32", "radix:processors=32,n=128,bits=4,passes=1",
        "gas:processors=32,molecules=32,steps=1",
    ),
    64: ("water:processors=64,molecules=32,steps=1", "gas:processors=64,molecules=64,steps=1"),
    256: ("grid:processors=256,n=32,sweeps=1", "gas:processors=256,molecules=64,steps=1"),
    1024: ("gas:processors=1024,molecules=64,steps=1",),
}  # fmt: skip
"""By processors. Up to 64 each is a node of the network, more are in clusters."""
NOW = "gas:processors=32,molecules=32,steps=1"
LARGE = 256
PLACEMENTS = 3
"""Processes where they are, and at nodes drawn at random."""


def per_node(processors: int) -> int:
    """Processors of a node."""
    return CLUSTER if processors >= LARGE else 1


def _placed(trace: Trace, seed: int) -> Trace:
    """Processes on nodes drawn at random, those of a node together; where they are for seed 0."""
    processors = trace.processors or 1
    if seed == 0:
        return trace
    each = per_node(processors)
    nodes = random.Random(seed).sample(range(processors // each), processors // each)
    p = np.arange(processors)
    return placed_trace(trace, np.array(nodes)[p // each] * each + p % each, processors)


def _bands(runs: Sequence[ClosedLoop]) -> Bands:
    values = {"cycles": [run.timing.cycles for run in runs], "link_flits": [run.link_flits for run in runs]}
    bands = {name: [round(mean(found)), min(found), max(found)] for name, found in values.items()}
    return {**bands, "placements": [len(runs)]}


def measured(
    program: str, seeds: Sequence[int], progress: Progress, done: int = 0, of: int = 1,
    ways: Mapping[str, dict[str, Any]] = WAYS,
) -> Runs:  # fmt: skip
    """`runs_of` a program."""
    progress(done, of)
    return runs_of(workload(program).trace(), program, seeds, ways)


def runs_of(trace: Trace, name: str, seeds: Sequence[int], ways: Mapping[str, dict[str, Any]]) -> Runs:
    """Every way on a trace, invalidation and an entry a page unless a way says otherwise; on one network, with one
    routing and two channels."""
    each = per_node(trace.processors or 1)
    network = "rdt:16" if (trace.processors or 1) // each > 64 else "rdt:8"
    runs: dict[str, list[ClosedLoop]] = {}
    for seed in seeds:
        streams = streams_of(_placed(trace, seed), clusters_of=each)
        for way, design in ways.items():
            routing = None if "branches" in design else "rdt.chip"
            run = closed_loop(streams, network, routing=routing, config=preset("jump1"), clusters_of=each, **design)
            runs.setdefault(f"{name}: {way}", []).append(run)
    return {label: _bands(each) for label, each in runs.items()}


TEXT = """The paper holds bit-maps against full maps, few pointers and chained lists by bits and messages.
Here programs run in time on machines that differ in the directory alone: invalidation, an entry a page, caches without
limit, RDT with the router chip's clocks, its route and two virtual channels.

With a full map, or six pointers
(everybody once there are more copies), the home tells one node after another and handles each acknowledge; a list is
told from node to node and its last answers; with SM maps one packet branches in the routers, to all that the maps name,
and four combining buffers a router bring back one acknowledge.

Programs are scaled down (a run of all takes minutes);
FFT, LU, RADIX, WATER and gas are ours, grid stands for OCEAN; BARNES and captured traces follow in a later section.
Up to 64 processors each is a node of its own; from 256 on, four make a cluster. A band is over placements of the
processes."""


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Every way on every program in full, on one program otherwise."""
    committed = kept_or_empty(KEY, "directories")
    old: dict[str, Runs] = dict(committed.data)
    if full:
        old = {}
        todo = [(size, program) for size, programs in PROGRAMS.items() for program in programs]
        for done, (size, program) in enumerate(todo):
            seeds = range(PLACEMENTS if size < 4 * LARGE else 1)
            old.setdefault(str(size), {}).update(measured(program, seeds, progress, done, len(todo)))
    now = measured(NOW, range(PLACEMENTS), progress)
    every = {label: runs for size in sorted(old, key=int) for label, runs in old[size].items()}
    same = sum(every.get(label) == runs for label, runs in now.items())
    where = f"{committed.said} The last two tables are run now: {same} of their {len(now)} ways are the same there."
    shown = tables("", every, list(WAYS)) if every else []
    words = answer("", every, list(WAYS)) if every else []
    return Section(TITLE, "\n\n".join([TEXT, *words, where]), [*shown, *tables("Run now", now, list(WAYS))], (), old)
