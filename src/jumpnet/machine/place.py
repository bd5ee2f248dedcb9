"""Where to put the processes of a program, so that those that share are near: kudoh1995rhbd section 5.2 asks for it.

Cost = sum over coherence messages of the distance from home to destination. Distance is in hops, or, for bit-map
multicasts on RDTs, the size of the territory that holds the destination; none inside a cluster. This is the quadratic
assignment problem; the method is threshold accepting (Dueck and Scheuer, 1990) and then descent by swaps, with the same
result everywhere for the same seed. Homes move with the processes that first touch the pages. Called by `cli`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jumpnet.coherence.encoding import nodes_of
from jumpnet.coherence.functional import Functional, FunctionalDesign, MessageSets
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.graph.distances import distances_from
from jumpnet.jit.random import stream_key
from jumpnet.machine import _place as kernel
from jumpnet.machine.records import checked_blocks
from jumpnet.machine.trace import Block, Trace
from jumpnet.machine.traffic import Traffic, coherence_traffic, processors_of
from jumpnet.memory import require
from jumpnet.multicast import scheme
from jumpnet.multicast.receivers import receivers_of_sets
from jumpnet.multicast.territory import territories
from jumpnet.settings.typed import fits_word, refuse_unknown
from jumpnet.terms import I64
from jumpnet.topology import build

__all__ = [
    "METRICS",
    "Placed",
    "best_placement",
    "candidates",
    "check_placing",
    "message_weights",
    "place",
    "placed_trace",
    "slot_distances",
]

METRICS = ("hops", "territory")
PROPOSALS = 1000
"""Random swaps tried for each slot."""
SAMPLE = 256
"""Swaps whose mean size is the first threshold."""


@dataclass(frozen=True)
class Placed:
    """Processes on slots; slot s belongs to router s // cluster."""

    slot: I64
    """(processes,) slot of each process."""
    before: int
    """Cost of process i on slot i."""
    after: int
    """Cost as placed."""


def _weigh(weights: I64, part: MessageSets) -> None:
    bits = np.unpackbits(np.ascontiguousarray(part.destinations, "<u8").view(np.uint8), axis=1, bitorder="little")
    for home in np.unique(part.home).tolist():
        mine = part.home == home
        weights[home] += part.count[mine] @ bits[mine, : len(weights)].astype(np.int64)


def message_weights(trace: Trace, processors: int | None = None, **machine: Any) -> I64:
    """(N, N) destinations in node b of coherence messages from homes in node a.

    machine: fields of `FunctionalDesign` other than the placement of homes, which are the first to touch a page. A node
    is a process, or a cluster where `clusters_of` is given. Raises JumpnetError as `Functional` does.
    """
    count = processors_of(trace) if processors is None else processors
    refuse_unknown(FunctionalDesign, machine)
    require(16 * count * count, f"the sharing of {count} processes")
    engine = Functional(count, collect=True, **machine)
    weights = np.zeros((engine.nodes, engine.nodes), np.int64)
    for block in checked_blocks(trace):
        engine.feed(*block)
        for part in engine.full_sets():
            _weigh(weights, part)
    for part in engine.take_sets():
        _weigh(weights, part)
    np.fill_diagonal(weights, 0)
    return weights


def slot_distances(network: str, clusters_of: int = 1, metric: str = "hops") -> I64:
    """(S, S) distance between slots, `clusters_of` on each router; 0 on the same router.

    metric: `hops`, or `territory`, the routers in the least territory of the source that holds the destination (RDT and
    PRDT only; the number of all routers where none does). Raises JumpnetError for other words and networks.

    >>> slot_distances("torus:4x4", 2)[0, :6].tolist()
    [0, 0, 1, 1, 2, 2]
    >>> slot_distances("prdt:16", 1, "territory")[0, :4].tolist()
    [0, 8, 64, 256]
    """
    _check_metric(network, clusters_of, metric)
    net = build(network)
    if metric == "hops":
        rows = [distances_from(net, r) for r in range(net.routers)]
        found = np.array(rows, np.int64)
    else:
        where = territories(network)
        source, target = (a.reshape(-1) for a in np.indices((net.routers, net.routers)))
        _, top = receivers_of_sets(where, scheme("SM"), source, target[:, None])
        size = np.minimum(where.fanout ** (top + 1), net.routers)
        found = np.where(top < 0, net.routers, size).reshape(net.routers, net.routers)
        np.fill_diagonal(found, 0)
    return np.ascontiguousarray(np.kron(found, np.ones((clusters_of, clusters_of), np.int64)))


def _check_metric(network: str, clusters_of: int, metric: str) -> None:
    """Raise JumpnetError where there are no distances by this metric."""
    if metric not in METRICS:
        raise unknown_name("metric", metric, METRICS)
    slots = build(network).routers * clusters_of
    require(24 * slots**2, f"distances between {slots} slots")
    if metric == "territory":
        territories(network)


def cost(weights: I64, distances: I64, slot: I64) -> int:
    """Sum of weight times distance. weights (P, P), distances (S, S), slot (P,) or longer."""
    at = slot[: len(weights)]
    return int((weights * distances[np.ix_(at, at)]).sum())


def place(weights: I64, distances: I64, *, seed: int = 1, proposals: int | None = None) -> Placed:
    """Place processes on slots so that weight times distance is small; never worse than process i on slot i.

    weights: (P, P), distances: (S, S) with S >= P, whole numbers. Raises JumpnetError for more processes than slots.
    Cost: O(P) a proposal, 1000 proposals a slot by default.

    >>> chain = np.zeros((16, 16), np.int64)
    >>> chain[np.arange(15), np.arange(1, 16)] = 1
    >>> found = place(chain, slot_distances("torus:4x4"))
    >>> found.before, found.after
    (18, 16)
    """
    processes, slots = len(weights), len(distances)
    _check_seed(seed)
    if processes > slots:
        raise JumpnetError(f"{processes} processes found, at most {slots} slots expected")
    weights, distances = (np.ascontiguousarray(a, np.int64) for a in (weights, distances))
    slot = np.arange(slots)
    if processes < 2:
        return Placed(slot[:processes], 0, 0)
    draw = np.random.default_rng(seed)
    pairs = [draw.choice(processes, 2, replace=False) for _ in range(SAMPLE)]
    changes = [abs(int(kernel.swap_change(weights, distances, slot, int(r), int(s)))) for r, s in pairs]
    tries = PROPOSALS * slots if proposals is None else proposals
    kernel.accept(weights, distances, slot, int(stream_key(seed, 0)), tries, sum(changes) // SAMPLE)
    kernel.descend(weights, distances, slot)
    before, after = cost(weights, distances, np.arange(slots)), cost(weights, distances, slot)
    if after > before:
        return Placed(np.arange(processes), before, before)
    return Placed(slot[:processes].copy(), before, after)


def _check_seed(seed: int) -> None:
    """Raise JumpnetError for a seed that is none."""
    if seed < 0 or not fits_word(seed):
        raise JumpnetError(f"seed {seed} found, 0 to {(1 << 63) - 1} expected")


def check_placing(network: str, clusters_of: int, metrics: Sequence[str], seed: int, placement: str) -> None:
    """Raise JumpnetError for what `best_placement` does not take, whatever the trace; placement: of homes."""
    if placement != "first-touch":
        raise JumpnetError(f"placement {placement!r} of homes found, first-touch expected")
    _check_seed(seed)
    for metric in metrics:
        _check_metric(network, clusters_of, metric)


def candidates(
    trace: Trace,
    network: str,
    *,
    clusters_of: int = 1,
    metrics: Sequence[str] = METRICS,
    seed: int = 1,
    processors: int | None = None,
    **machine: Any,
) -> list[tuple[str, Placed]]:
    """Placements worth trying, by name: by each metric, of single processes and of the clusters that they have.

    Distance is only a stand-in for what an encoding sends, and clusters of other processes share other pages. machine:
    as `message_weights`. Raises JumpnetError as that does.
    """
    count, found = processors_of(trace) if processors is None else processors, []
    for unit in sorted({1, clusters_of}):
        weights = message_weights(trace, count, clusters_of=unit, **machine)
        for metric in metrics:
            placed = place(weights, slot_distances(network, clusters_of // unit, metric), seed=seed)
            slot = (placed.slot[:, None] * unit + np.arange(unit)).reshape(-1)[:count]
            name = metric if unit == 1 else f"{metric}, clusters whole"
            found.append((name, Placed(slot, placed.before, placed.after)))
    return found


def best_placement(
    trace: Trace,
    network: str,
    encoding_name: str,
    *,
    clusters_of: int = 1,
    metrics: Sequence[str] = METRICS,
    seed: int = 1,
    processors: int | None = None,
    tried: Sequence[tuple[str, Placed]] | None = None,
    **machine: Any,
) -> tuple[Traffic, Traffic, str, Placed]:
    """Try placements, and keep what sends the fewest unnecessary messages under an encoding, or nothing moved.

    Returns (traffic before, traffic as placed, name of the placement or "", placement). tried: the placements, those
    of `candidates` by default. machine: as `coherence_traffic`, with homes by first touch, which move with the
    processes. Raises JumpnetError as that does.
    """
    known = metrics if tried is None else ()
    check_placing(network, clusters_of, known, seed, machine.get("placement", "first-touch"))
    count = processors_of(trace) if processors is None else processors
    where: dict[str, Any] = {"encoding_name": encoding_name, "network": network, "clusters_of": clusters_of, **machine}
    before = coherence_traffic(trace, processors=count, **where)
    best, chosen = (before, "", Placed(np.arange(count), 0, 0)), _received(before)
    if tried is None:
        tried = candidates(
            trace, network, clusters_of=clusters_of, metrics=metrics, seed=seed, processors=count, **machine
        )
    slots = nodes_of(network) * clusters_of
    for name, placed in tried:
        after = coherence_traffic(placed_trace(trace, placed.slot, slots), **where)
        if _received(after) < chosen:
            best, chosen = (after, name, placed), _received(after)
    return before, *best


def _received(found: Traffic) -> tuple[float, float]:
    """Unnecessary receptions first, then all."""
    return found.unnecessary or 0, (found.receivers_mean or 0) * (found.multicasts or 0)


def placed_trace(trace: Trace, slot: I64, slots: int) -> Trace:
    """The same trace with process p on processor slot[p], of a machine with so many slots."""

    def blocks() -> Iterator[Block]:
        for block in checked_blocks(trace):
            yield block._replace(proc=np.ascontiguousarray(slot[block.proc], np.int64))

    return Trace(trace.name, slots, blocks)
