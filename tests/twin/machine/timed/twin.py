"""The timed machine held against its naive twin: random work as a trace, and both run. Used by the tests beside it."""

from __future__ import annotations

import numpy as np
import pytest
from tests.naive import timing_machine as naive

from jumpnet.machine.timed.machine import KINDS, run_machine
from jumpnet.machine.timed.trees import BinomialTrees, BitMapTrees
from jumpnet.machine.trace import Trace, block_of

TREES = {
    "one after another": None,
    "binomial": BinomialTrees(10),
    "SM": BitMapTrees("rdt:8", "SM"),
    "LARP": BitMapTrees("rdt:8", "LARP"),
    "REMAKE": BitMapTrees("rdt:4", "REMAKE"),
}
WHAT = ("read", "write", "lock", "unlock", "barrier", "condition", "post", "await")


def made_trace(records, processors):
    columns = [np.array(c) for c in zip(*records, strict=True)]
    return Trace("made", processors, lambda: iter([block_of(*columns)]))


def rows_of(program, processors):
    """Records of random pieces of work: accesses, alone or locked, reads and barriers of all, flags, handed locks."""
    rows = []
    for number, (kind, p, address, writes) in enumerate(program):
        if kind == 3:
            # Handed over; where this is the first piece, another lock is held at the start too.
            held = [(p % processors, 2 << 20, 4, True, 3)] if number == 0 else []
            # Each its own lock: of two who want one that is never opened again, one would wait for ever.
            pause = [(q % processors, (7 << 20) + 8 * number, 4, True, k) for q, k in ((p, 3), (p + 1, 2))]
            rows += [*held, *pause]
        elif kind == 4:
            rows += [(q, 1 << 20, 4, True, 4) for q in range(processors)]
        elif kind == 7:
            rows += [(q, address, 4, False, 0) for q in range(processors)]
        elif kind == 5:
            for q in range(processors):
                rows += [(q, 3 << 20, 4, True, 2), (q, 4 << 20, 4, True, 5), (q, 3 << 20, 4, True, 3)]
        elif kind == 6:
            # One or two wait with a lock held, which the condition gives up, until another opens.
            for q in dict.fromkeys(((p + 1) % processors, (p + 2) % processors)):
                if q != p % processors:
                    lock = (5 << 20) + 8 * q
                    rows += [(q, lock, 4, True, 2), (q, (6 << 20) + 8 * number, 4, True, 5), (q, lock, 4, True, 3)]
            rows += 2 * [(p % processors, (6 << 20) + 8 * number, 4, True, 5)]
        else:
            p %= processors
            locked = [(p, (2 << 20) + 8 * (address % 2), 4, True, k) for k in (2, 3)] if kind == 2 else [None, None]
            work = [(p, address + 8 * i, 4, w, 0) for i, w in enumerate(writes)]
            rows += [r for r in (locked[0], *work, locked[1]) if r]
    return rows


def _naive(s, processors, design, latency, trees, entries):
    codes = (s.references.take(p, 0, 1 << 30).tolist() for p in range(processors))
    streams = [[(WHAT[code & 7], code >> 3) for code in of] for of in codes]
    pages = range(len(s.home))
    chosen = design.update_pages if design.protocol == "mixed" else ()
    mixed = {k for k in pages if int(s.page_number[k]) in chosen}
    below = len(s.members) - len(s.first_flag)
    numbers = 1 + max((number for of in streams for what, number in of if what not in WHAT[:2]), default=-1)
    flags = np.arange(below, numbers)
    row = np.append(np.arange(below), below - 1 + np.searchsorted(s.first_flag, flags, side="right"))
    expected = [s.expected[b].tolist() if b >= 0 else None for b in s.barrier[row].tolist()]
    held = [*s.holder[:below].tolist(), *[-1] * len(flags)]  # the twin has an object for each flag
    machine = naive.Machine(
        streams,
        s.page.tolist(),
        s.home.tolist(),
        set(pages) if design.protocol in ("update", "dragon", "limited_update") else mixed,
        (s.members[row].tolist(), s.where[row].tolist(), expected, held),
        design=design,
        latency=latency,
        number_of=s.number.tolist(),
        page_number=s.page_number.tolist(),
        trees=trees,
        entries=entries,
    )
    return machine.run()


def assert_equal_the_naive_twin(streams, processors, design, latency, trees=None, entries=None):
    slow = _naive(streams, processors, design, latency, trees, entries)
    fast = run_machine(streams, latency_cycles=latency, trees=trees, entries=entries, **vars(design))
    assert fast.cycles == max(slow.done.values())
    assert fast.destinations_histogram == dict(slow.histogram)
    stalls = {"busy": fast.busy, "read": fast.read_stall, "write": fast.write_stall, "sync": fast.sync_stall}
    for kind, value in stalls.items():
        assert round(value * processors) == slow.stall[kind], kind
    assert fast.messages == {kind: slow.sent[kind] for kind in KINDS}
    assert fast.flits == slow.sent["flits"] and fast.transactions == slow.counts["transactions"]
    assert fast.caches == {kind: slow.counts[kind] for kind in fast.caches}
    assert fast.node_wait_mean == pytest.approx(slow.counts["waited"] / max(1, slow.counts["served"]))
    return fast
