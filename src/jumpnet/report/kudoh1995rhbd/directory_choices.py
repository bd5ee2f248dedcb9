"""The same question on further choices: the scheme of a packet, entries of lines, update, and maps made anew.

Purpose: kudoh1995rhbd sections 3, 5.1 and 6; the times are ours, measured as in the section `directories`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jumpnet.report._kept import kept_or_empty
from jumpnet.report._section import Golden, Progress, Section
from jumpnet.report._sharing import KEY
from jumpnet.report.kudoh1995rhbd._ways import Runs, answer, ranges, tables
from jumpnet.report.kudoh1995rhbd.directories import NOW, PROGRAMS, WAYS, measured

TITLE = "Directories on programs, further choices: schemes by packet, entries of lines, update, maps made anew"
ORDER = 56

INSIDE = {"acknowledges": "combined", "branches": "routers"}
PACKETS = {"acknowledges": "combined"}
LEAST = "SM+LPRA+LARP"
SCHEMES: dict[str, dict[str, Any]] = {
    "SM": {"multicast": "SM", **INSIDE},
    "LPRA": {"multicast": "LPRA", **INSIDE},
    "LARP": {"multicast": "LARP", **INSIDE},
    "the least of them": {"multicast": LEAST, **INSIDE},
}
LINE = {"directory": "line"}
LINES: dict[str, dict[str, Any]] = {
    **{way: {**design, **LINE} for way, design in WAYS.items()},
    "6 pointers (copies taken)": {"encoding_name": "limited_evicting", **LINE},
}
UPDATES: dict[str, dict[str, Any]] = {way: {**design, "protocol": "update"} for way, design in WAYS.items()}
ANEW: dict[str, dict[str, Any]] = {
    "SM": {"multicast": "SM", **PACKETS},
    "LARP": {"multicast": "LARP", **PACKETS},
    "REMAKE": {"multicast": "REMAKE", **PACKETS},
}
EVERY = tuple(program for programs in PROGRAMS.values() for program in programs)
PLACEMENTS = 2
TABLES: dict[str, tuple[str, tuple[str, ...], dict[str, dict[str, Any]]]] = {
    "lines": ("An entry a line", EVERY, LINES),
    "updates": ("Update, an entry a page", EVERY, UPDATES),
    "schemes": ("Multicasts by scheme, an entry a page", EVERY, SCHEMES),
    "anew": ("Maps made anew, trees of packets", tuple(p for p in EVERY if p not in PROGRAMS[32]), ANEW),
    "large": ("1024 processors, two placements", PROGRAMS[1024], WAYS),
}
"""Title, programs and ways of each table; the other ways are held against the first."""

TEXT = """Machines and programs of the section before, and four more questions; a band is over two placements.

An entry a line: the whole list, six pointers (everybody, or the oldest copy taken for one more), lists and SM maps.
Update: each write is told to all that have touched the page.

Schemes: SM, LPRA and LARP, and for each packet the one of the three with the fewest receivers, which a home could
only choose from an entry that lists its destinations one by one. Maps made anew (REMAKE): the processor of every
cluster where a rank starts takes the packet and makes the next map, here with 10 cycles for it as for any message; the
three ways of that table send trees of packets, which routers take whole, and need a cluster at every router.

1024 processors are those of the section before, with a second placement. BARNES and captured traces are in the next
three sections."""


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Every table in full, one way on one program otherwise."""
    committed = kept_or_empty(KEY, "directory_choices")
    old: dict[str, Runs] = dict(committed.data)
    if full:
        old = _all(progress)
    now = measured(NOW, range(1), progress, ways={"the least of them": SCHEMES["the least of them"]})
    shown, words = [], []
    for key, (title, _, ways) in TABLES.items():
        if old.get(key):
            shown += tables(title, old[key], list(ways))
            words += answer(title, old[key], list(ways))
    words += against_pages(old, _pages())
    shown += tables("Run now", now, ["the least of them"], "The first one.")
    return Section(TITLE, "\n\n".join([TEXT, *words, committed.said]), shown, (), old)


def _all(progress: Progress) -> dict[str, Runs]:
    """All tables."""
    found: dict[str, Runs] = {}
    todo = [(key, program) for key, (_, programs, _) in TABLES.items() for program in programs]
    for done, (key, program) in enumerate(todo):
        runs = measured(program, range(PLACEMENTS), progress, done, len(todo), TABLES[key][2])
        found.setdefault(key, {}).update(runs)
    return found


def _pages() -> Runs:
    """Committed figures of an entry a page under invalidation."""
    sizes = kept_or_empty(KEY, "directories").data.values()
    return {label: run for size in sizes for label, run in size.items()}


def against_pages(old: Mapping[str, Runs], pages: Runs) -> list[str]:
    """What an entry a line and what update change, against an entry a page under invalidation."""
    if not pages or not old:
        return []
    words, base = [], {f"{label} by page": run for label, run in pages.items()}
    for key, what in (("lines", "An entry a line"), ("updates", "Update")):
        both = {**base, **old.get(key, {})}
        each = "; ".join(f"{way} {ranges(both, way, f'{way} by page', 'cycles')}" for way in WAYS if old.get(key))
        if each:
            words.append(f"{what} takes, in units of the time of an entry a page under invalidation: {each}.")
    return words
