"""The same question on further choices: the scheme of a packet, entries of lines, update, and maps made anew.

Purpose: kudoh1995rhbd sections 3, 5.1 and 6; the times are ours, measured as in the section `directories`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jumpnet.report._kept import kept
from jumpnet.report._section import Golden, Progress, Section
from jumpnet.report._sharing import KEY
from jumpnet.report.kudoh1995rhbd.directories import NOW, PROGRAMS, WAYS, Runs, measured, table, wins

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
    "full map": LINE,
    "6 pointers": {"encoding_name": "limited_broadcast", **LINE},
    "6 pointers, copies taken": {"encoding_name": "limited_evicting", **LINE},
    "list": {"encoding_name": "chained", **LINE},
    "SM": {"multicast": "SM", **INSIDE, **LINE},
}
UPDATE = {"protocol": "update"}
UPDATES: dict[str, dict[str, Any]] = {
    "full map": UPDATE,
    "6 pointers": {"encoding_name": "limited_broadcast", **UPDATE},
    "list": {"encoding_name": "chained", **UPDATE},
    "SM": {"multicast": "SM", **INSIDE, **UPDATE},
}
ANEW: dict[str, dict[str, Any]] = {
    "SM": {"multicast": "SM", **PACKETS},
    "LARP": {"multicast": "LARP", **PACKETS},
    "REMAKE": {"multicast": "REMAKE", **PACKETS},
}
FEW = tuple(name for name in PROGRAMS[32] if name.split(":")[0] in ("water", "grid", "gas"))
PLACEMENTS = 2
TABLES: dict[str, tuple[str, tuple[str, ...], dict[str, dict[str, Any]], str]] = {
    "schemes": ("Multicasts by scheme, an entry a page", PROGRAMS[32], SCHEMES, "SM"),
    "lines": ("An entry a line", FEW, LINES, "full map"),
    "anew": ("Maps made anew by processors, trees of packets", PROGRAMS[64][1:], ANEW, "SM"),
    "updates": ("Update, an entry a page", FEW[1:], UPDATES, "full map"),
    "large": ("1024 processors, two placements", PROGRAMS[1024], WAYS, "full map"),
}
"""Title, programs, ways, and the way that figures are held against, of each table."""

TEXT = """Machines and programs of the section before, and four more questions. Schemes: SM, LPRA and LARP, and for
each packet the one of the three with the fewest receivers, which a home could only choose from an entry that lists
its destinations one by one. An entry a line: the whole list, six pointers (everybody, or the oldest copy taken for
one more), lists and SM maps. Update: each write is told to all that have touched the page. Maps made anew (REMAKE):
the processor of every cluster where a rank starts takes the packet and makes the next map, here with 10 cycles for it
as for any message; the three ways of that table send trees of packets, which routers take whole, and need a cluster at
every router. 1024 processors are those of the section before, with a second placement. A band is over two
placements. BARNES and captured traces are in the next section."""


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Every table in full, one way on one program otherwise."""
    committed = kept(KEY, "directory_choices")
    old: dict[str, Runs] = dict(committed.data) if committed else {}
    if full:
        old = _all(progress)
    now = measured(NOW, range(1), progress, ways={"the least of them": SCHEMES["the least of them"]})
    tables, words = [], []
    for key, (title, _, _, base) in TABLES.items():
        if old.get(key):
            tables.append(table(title, old[key], base_way=base))
            words.append(f"{title}. " + " ".join(wins(old[key])))
    words += _against_pages(old)
    tables.append(table("Run now", now, "one placement, the first", base_way="the least of them"))
    said = committed.said if committed else "No committed results are at hand."
    return Section(TITLE, "\n\n".join([TEXT, *words, said]), tables, (), old)


def _all(progress: Progress) -> dict[str, Runs]:
    """All tables."""
    found: dict[str, Runs] = {}
    todo = [(key, program) for key, (_, programs, _, _) in TABLES.items() for program in programs]
    for done, (key, program) in enumerate(todo):
        runs = measured(program, range(PLACEMENTS), progress, done, len(todo), TABLES[key][2])
        found.setdefault(key, {}).update(runs)
    return found


def _against_pages(old: Mapping[str, Runs]) -> list[str]:
    """What an entry a line and what update change, against an entry a page under invalidation."""
    pages = kept(KEY, "directories")
    if pages is None or not old:
        return []
    base, words = pages.data["32"], []
    for key, what in (("lines", "An entry a line"), ("updates", "Update")):
        ratios: dict[str, list[float]] = {}
        for label, run in old.get(key, {}).items():
            if label in base:
                ratios.setdefault(label.rpartition(": ")[2], []).append(run["cycles"][0] / base[label]["cycles"][0])
        each = "; ".join(f"{way} {min(r):.2f} to {max(r):.2f}" for way, r in ratios.items())
        if each:
            words.append(f"{what} takes, of the time of an entry a page under invalidation: {each}.")
    return words
