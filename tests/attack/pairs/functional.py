"""Functional coherence against its naive twin, with all options of caches, directories and placements together."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
from tests.attack.pairs import Seen
from tests.naive.functional import machine
from tests.tiny.protocols import FIREFLY, MESIF
from tests.twin.machine.timed.that_count import that_count

from jumpnet.coherence.functional import Functional
from jumpnet.coherence.protocol import register
from jumpnet.machine.trace import block_of

__all__ = ["compared"]

FEW = {"limited": "invalidate", "limited_update": "update"}
"""Protocols of few pointers, which take copies, and what writes do."""
LIKE: dict[str, dict[str, Any]] = {
    **{name: {"protocol": writes, "evicts": True} for name, writes in FEW.items()},
    "chained": {"protocol": "invalidate", "hints": True},
}
"""What the twin is told of protocols that it does not know: every copy of a list is given up with a word."""
PROTOCOLS = ["invalidate", "update", "mixed", "mesi", "moesi", "dragon", "mesif", "firefly", *LIKE]


def _records(draw: Random, processors: int, page_bytes: int) -> list[tuple[Any, ...]]:
    """References that gather in some lines and pages, of some processors."""
    few, lines = draw.randint(1, processors), draw.choice([3, 30, 300])
    stride, writes = draw.choice([4, 32, 100, page_bytes]), draw.choice([0.05, 0.3, 0.7])
    return [
        (draw.randrange(few if draw.random() < 0.8 else processors), stride * draw.randrange(lines),
         draw.choice((1, 4, 64, 200)), draw.random() < writes, draw.randrange(3))
        for _ in range(draw.choice([50, 600, 2500]))
    ]  # fmt: skip


def _options(draw: Random, processors: int) -> dict[str, Any]:
    page_bytes = draw.choice([256, 1024, 4096])
    line_bytes = draw.choice([16, 32, 64])
    ways = draw.choice([1, 2, 4])
    found: dict[str, Any] = {
        "protocol": draw.choice(PROTOCOLS), "directory": draw.choice(["line", "page"]),
        "clusters_of": draw.choice([1, 1, 2, 4]), "caches": (line_bytes * ways * draw.choice([1, 2, 8, 32]), ways),
        "hints": draw.random() < 0.4, "exclusive": draw.random() < 0.4, "line_bytes": line_bytes,
        "page_bytes": page_bytes, "placement": draw.choice(["first-touch", "given", "round-robin", "interleaved"]),
    }  # fmt: skip
    nodes = -(-processors // found["clusters_of"])
    if found["placement"] == "given":
        found["homes"] = {draw.randrange(40): draw.randrange(nodes) for _ in range(draw.randint(0, 8))}
    if found["protocol"] == "mixed":
        found["update_pages"] = {draw.randrange(40) for _ in range(draw.randint(0, 8))}
    if draw.random() < 0.3:
        found["translation"] = (draw.choice([1, 2, 8, 64, 128]), draw.choice([1, 3, 16, 128]))
    if found["protocol"] in FEW:
        found["pointers"] = draw.randint(2, 4)
    elif draw.random() < 0.4:
        found |= {"pointers": draw.randint(1, 4), "evicts": draw.random() < 0.5}
    elif draw.random() < 0.5:
        found["pruning"] = draw.choice([1, 2, 4, 16, 128])
    elif draw.random() < 0.5:
        found["page_entry"] = "valid_holders"
    return that_count(lambda **given: Functional(processors, **given), found)


def _sent(engine: Functional) -> Counter[Any]:
    sent: Counter[Any] = Counter()
    for part in engine.take_sets():
        unknown = [False] * len(part.home) if part.overflowed is None else part.overflowed.tolist()
        for (home, nodes, count), lost in zip(part, unknown, strict=True):
            sent[(home, frozenset(nodes), *([True] if lost else []))] += count
    return sent


def compared(draw: Random, seen: Seen) -> tuple[Any, str]:
    """One case, and how it differs."""
    processors = draw.choice([1, 2, 5, 11, 40, 70, 130])
    options = _options(draw, processors)
    records = _records(draw, processors, options["page_bytes"])
    for made in (MESIF, FIREFLY):
        register(made)
    engine = Functional(processors, collect=True, **options)
    first = 0
    while first < len(records):
        last = first + draw.choice([1, 17, 400, 10**6])
        engine.feed(*block_of(*(np.array(c) for c in zip(*records[first:last], strict=True))))
        first = last
    expected, figures = machine(records, processors, **{**options, **LIKE.get(options["protocol"], {})})
    seen[options["protocol"]] += 1
    case = f"{processors} processors, {len(records)} records, {options}"
    if (found := _sent(engine)) != expected:
        more, less = (list(each.items())[:2] for each in (found - expected, expected - found))
        return case, f"messages: {more} found, {less} expected"
    for key, value in engine.machine.items():
        if value != figures[key]:
            return case, f"{key}: {value}, {figures[key]} expected"
    if (engine.evictions, engine.misses) != (figures["evictions"], figures["misses"]):
        return case, f"evictions, misses: {engine.evictions, engine.misses}, {figures['evictions'], figures['misses']}"
    pages = {r[1] // options["page_bytes"] for r in records if r[4] < 2}
    for multicast in (False, True):
        mine = engine.packets_of_pages(multicast)
        theirs = {page: figures["packets", page] - multicast * figures["spared", page] for page in {*pages, *mine}}
        if {k: v for k, v in mine.items() if v} != {k: v for k, v in theirs.items() if v}:
            return case, f"packets of pages: {mine}, {theirs} expected"
    return case, ""
