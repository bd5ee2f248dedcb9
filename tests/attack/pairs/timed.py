"""The timed machine against its naive twin, the machine without time, and itself with another quantum and by Python.

With a fixed latency the twin gives the same figures. Where each access is followed by a meeting of all, the order of
time is that of the trace, and all that does not depend on time is the functional machine's. On a simulated network no
figure depends on how far events run ahead. In each, all references are done, and what was asked was answered.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.attack.pairs import Seen
from tests.naive.turns import run_in_turns
from tests.tiny.protocols import FIREFLY, MESIF, SINGLE
from tests.twin.machine.timed.that_count import that_count
from tests.twin.machine.timed.twin import TREES, assert_equal_the_naive_twin, made_trace, rows_of

from jumpnet.coherence.functional import PAGE_ENTRIES, Functional
from jumpnet.coherence.protocol import register
from jumpnet.errors import JumpnetError
from jumpnet.machine.closed_loop import chosen_machine, closed_loop
from jumpnet.machine.timed import machine as timed_machine
from jumpnet.machine.timed.design import ACKNOWLEDGES, BRANCHES, SYNCHRONISATION
from jumpnet.machine.timed.entries import Entries
from jumpnet.machine.timed.machine import KINDS, Costs, Design, Timing, run_machine
from jumpnet.machine.timed.streams import Streams, streams_of
from jumpnet.machine.timed.together import check_together
from jumpnet.machine.trace import Trace

__all__ = ["compared"]

PROTOCOLS = ["msi", "mesi", "moesi", "dragon", "update", "mixed", "single", "mesif", "firefly"]
OF_TWIN = ["invalidate", "update", "mixed", "mesi", "moesi", "dragon", "single"]
MEETING = 1 << 20
HANDS_OVER = 3
FEW = ["limited", "limited_update"]


def _rows(draw: Random, processors: int) -> list[tuple[Any, ...]]:
    """Records of pieces of work: accesses, locks, barriers, flags.

    A lock is handed over once at most: who has it at the end never gives it back, and might come first another time.
    """
    stride, lines = draw.choice([24, 32, 64, 4096]), draw.choice([3, 8, 40])
    program = [
        (draw.choice([0, 0, 0, 0, 2, 3, 4, 5, 6, 7, 7]), draw.randrange(processors), stride * draw.randrange(lines),
         [draw.random() < 0.5 for _ in range(draw.randint(1, 6))])
        for _ in range(draw.randint(1, 40))
    ]  # fmt: skip
    handed = {piece[2] % 2: piece for piece in program if piece[0] == HANDS_OVER}
    return rows_of([p for p in program if p[0] != HANDS_OVER or p is handed[p[2] % 2]], processors)


def _one_at_a_time(draw: Random, processors: int) -> list[tuple[Any, ...]]:
    """Each access is followed by a meeting of all."""
    stride, lines, writes = draw.choice([32, 32, 100, 4096]), draw.choice([3, 12, 40]), draw.choice([0.1, 0.5])
    rows = []
    for _ in range(draw.choice([40, 200])):
        rows.append((draw.randrange(processors), stride * draw.randrange(lines), 4, draw.random() < writes, 0))
        rows += [(q, MEETING, 4, True, 4) for q in range(processors)]
    return rows


def _placed(draw: Random, trace: Trace, cluster: int) -> tuple[Streams, dict[str, Any]]:
    """References where machines find them, and where pages are."""
    how: dict[str, Any] = {"placement": draw.choice(["first-touch", "round-robin", "interleaved", "given"])}
    if how["placement"] == "given":
        nodes = -(-trace.processors // cluster)
        how["homes"] = {draw.randrange(40): draw.randrange(nodes) for _ in range(draw.randint(0, 8))}
    return streams_of(trace, clusters_of=cluster, chunk=draw.choice([None, None, 1, 5]), **how), how


def _design(draw: Random, protocols: list[str], pages: bool) -> dict[str, Any]:
    """Settings that all machines with time have; pages: entries of pages may have more parts."""
    found: dict[str, Any] = {
        "protocol": draw.choice(protocols), "directory": draw.choice(["line", "page"]),
        "clusters_of": draw.choice([1, 1, 2, 3, 4]), "hints": draw.random() < 0.4,
        "caches": draw.choice([None, (32, 1), (64, 2), (64, 1), (256, 2), (1024, 4)]),
        "update_pages": frozenset(draw.sample(range(4), draw.randint(0, 2))),
        "memory_processors": draw.choice([1, 2, 3]), "translation": draw.choice([None, (1, 1), (2, 0), (0, 2), (4, 8)]),
    }  # fmt: skip
    if pages and found["directory"] == "page":
        found["pruning"] = draw.choice([0, 1, 4])
        found["page_entry"] = draw.choice(PAGE_ENTRIES)
    return found


def _costs(draw: Random, **more: int) -> Costs:
    occupancy, spacing, sync = draw.choice([(10, 2, 20), (1, 0, 1), (3, 5, 2)])
    more.setdefault("sync_cycles", sync)
    return Costs(
        occupancy_cycles=occupancy, spacing_cycles=spacing, forward_cycles=draw.choice([1, 4]),
        stage_1_cycles=draw.choice([1, 20]), stage_2_cycles=draw.choice([1, 20]),
        bus_request_cycles=draw.choice([0, 1, 4]), bus_line_cycles=draw.choice([0, 1, 9]),
        handlers={draw.choice(KINDS): draw.randint(1, 25) for _ in range(draw.randint(0, 3))}, **more,
    )  # fmt: skip


def _unfinished(found: Timing, streams: Streams, processors: int) -> str:
    """What was not done, or not answered; empty where all was."""
    references = int(streams.first[-1])
    if round(found.busy * processors) != references:
        return f"{found.busy * processors} of {references} references done"
    sent = found.messages
    for asked, answer in (("fetch", "owner's data"), ("data", "done"), ("lock", "grant")):
        if sent[asked] < sent[answer] or (asked != "lock" and sent[asked] > sent[answer]):
            return f"{sent[asked]} of {asked}, {sent[answer]} of {answer}"
    if sent["page"] == 0 and sent["write back"] != sent["write back done"]:
        return f"{sent['write back']} of write back, {sent['write back done']} of write back done"
    return ""


def _by_twin(draw: Random, seen: Seen) -> tuple[Any, str]:
    processors = draw.choice([1, 2, 5, 7, 10])
    how = _design(draw, OF_TWIN, True)
    trees = TREES[draw.choice(sorted(TREES.keys() - {"REMAKE"}))] if draw.random() < 0.5 else None
    entries = draw.choice([None, Entries(1), Entries(2), Entries(chained=True)]) if trees is None else None
    if draw.random() < 0.2:
        trees, entries, how["protocol"] = None, Entries(draw.choice([2, 3]), evicts=True), draw.choice(FEW)
        how["directory"] = "line"
    if entries is not None and (entries.pointers or entries.chained):
        how |= {"pruning": 0, "page_entry": PAGE_ENTRIES[0]}
    how |= {
        "outstanding": draw.choice([1, 2, 4]), "acknowledges": draw.choice(ACKNOWLEDGES[: 3 if trees else 2]),
        "branches": draw.choice(BRANCHES) if trees else BRANCHES[0], "synchronisation": draw.choice(SYNCHRONISATION),
        "migrates": 0 if entries is not None and entries.pointers else draw.choice([0, 0, 1, 3]), "costs": _costs(draw),
    }  # fmt: skip
    nodes = -(-processors // how["clusters_of"])
    how = that_count(lambda **given: check_together(Design(**given), trees, entries, nodes), how)
    streams, where = _placed(draw, made_trace(_rows(draw, processors), processors), how["clusters_of"])
    latency = draw.choice([0, 7, 40])
    case = f"twin: {processors} processors, {where}, latency {latency}, {trees}, {entries}, {how}"
    seen[f"twin, {how['protocol']}"] += 1
    try:
        found = assert_equal_the_naive_twin(streams, processors, Design(**how), latency, trees, entries)
    except AssertionError as error:
        return case, str(error) or "another figure than the twin's"
    return case, _unfinished(found, streams, processors)


def _by_order(draw: Random, seen: Seen) -> tuple[Any, str]:
    processors = draw.choice([2, 3, 6, 9])
    how = _design(draw, [*PROTOCOLS, "chained", *FEW], True)
    few = how["protocol"] in FEW
    entries = Entries(2, evicts=True) if few else Entries(chained=True) if how["protocol"] == "chained" else None
    if few:
        how["directory"] = "line"
    if entries is not None:
        how |= {"pruning": 0, "page_entry": PAGE_ENTRIES[0]}
    costs, free = _costs(draw, sync_cycles=3000), {"synchronisation": "free"}
    how = that_count(lambda **given: check_together(Design(**given), None, entries), {**how, **free, "costs": costs})
    costs, units = how.pop("costs"), how.pop("memory_processors")
    del how["synchronisation"]
    trace = made_trace(_one_at_a_time(draw, processors), processors)
    streams, where = _placed(draw, trace, how["clusters_of"])
    engine = Functional(processors, **how, **where)
    for block in trace.blocks():
        engine.feed(*block)
    timed = run_machine(
        streams, entries=entries, latency_cycles=draw.choice([0, 9, 50]), memory_processors=units,
        outstanding=1 if few else draw.choice([1, 3]), costs=costs, **free, **how,
    )  # fmt: skip
    seen[f"order, {how['protocol']}"] += 1
    names = engine.machine.keys() & timed.caches.keys()
    mine = {name: timed.caches[name] for name in names} | {"misses": timed.caches["misses"]}
    theirs = {name: engine.machine[name] for name in names} | {"misses": engine.misses}
    mine["destinations"], theirs["destinations"] = timed.destinations_histogram, engine.destinations_histogram
    if few:
        mine["evictions"], theirs["evictions"] = timed.caches["evictions"], engine.evictions
    case = f"order: {processors} processors, {units} units, {where}, {how}"
    return case, f"{mine} found, {theirs} expected" if mine != theirs else _unfinished(timed, streams, processors)


def _checked(network: str, nodes: int, settings: dict[str, Any]) -> None:
    """Raise JumpnetError for settings of a machine with so many nodes that `closed_loop` would refuse."""
    machine = chosen_machine(network, **settings)
    check_together(machine.design, machine.trees, machine.entries, nodes)


def _by_network(draw: Random, seen: Seen) -> tuple[Any, str]:
    network = draw.choice(["torus:4x2", "torus:4x2", "mesh:3x3", "hypercube:3", "rdt:4", "rdt:4", "rdt:8"])
    how = _design(draw, [*PROTOCOLS, "limited"], True)
    how["multicast"] = draw.choice(["", "", "full_map", *(["SM", "LPRA", "LARP"] if network[0] == "r" else [])])
    many = how["multicast"] != ""
    if how["protocol"] == "limited":
        many, how["multicast"], how["directory"], how["encoding_name"] = False, "", "line", "limited_evicting"
        how |= {"pruning": 0, "page_entry": PAGE_ENTRIES[0]}
    elif not many and draw.random() < 0.4:
        how |= {"protocol": "invalidate", "encoding_name": draw.choice(["limited_broadcast", "chained"])}
        how |= {"pruning": 0, "page_entry": PAGE_ENTRIES[0]}
    how |= {
        "outstanding": draw.choice([1, 2, 4]), "acknowledges": draw.choice(ACKNOWLEDGES[: 3 if many else 2]),
        "branches": draw.choice(BRANCHES) if many else BRANCHES[0], "synchronisation": draw.choice(SYNCHRONISATION),
        "migrates": 0 if "encoding_name" in how else draw.choice([0, 0, 2]), "costs": _costs(draw),
    }  # fmt: skip
    if how["branches"] == BRANCHES[0] and draw.random() < 0.4:
        how |= {"networks": "least", "endpoint_room": draw.choice([0, 1, 2, 4])}
    if how["branches"] != BRANCHES[0]:
        how["combining_entries"] = draw.choice([0, 1, 4])
    processors = draw.choice([2, 4, 7, 8])
    how = that_count(lambda **given: _checked(network, -(-processors // how["clusters_of"]), given), how)
    streams, where = _placed(draw, made_trace(_rows(draw, processors), processors), how["clusters_of"])
    case, quantum = f"network: {processors} processors on {network}, {where}, {how}", draw.choice([1, 2, 7])
    found = closed_loop(streams, network, **how)
    seen[f"network, {how['protocol']}"] += 1
    with pytest.MonkeyPatch.context() as python:
        other = closed_loop(streams, network, quantum=quantum, **how)
        python.setattr(timed_machine, "run_cosimulated", run_in_turns)
        slow = closed_loop(streams, network, quantum=1, **how)
    if found != other or found != slow:
        return case, f"{found} found, {other} with quantum {quantum}, {slow} by Python"
    return case, _unfinished(found.timing, streams, processors)


def compared(draw: Random, seen: Seen) -> tuple[Any, str]:
    """One case, and how it differs."""
    for made in (SINGLE, MESIF, FIREFLY):
        register(made)
    try:
        return draw.choice([_by_twin, _by_order, _by_network])(draw, seen)
    except JumpnetError as error:
        if "for ever" not in str(error):
            raise
        return "", str(error)
