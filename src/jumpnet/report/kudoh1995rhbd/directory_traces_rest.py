"""What the sections before left out for its time: OCEAN of 256 processors, and the further choices on captured traces.

Purpose: kudoh1995rhbd sections 3, 5.1 and 6. Ways as in the section `directory_choices`. It runs nothing but in full:
the traces are no part of the project, and what they gave is committed with their digests, as in `directory_traces`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from jumpnet.machine.trace import open_trace
from jumpnet.report._kept import kept_or_empty
from jumpnet.report._section import Golden, Progress, Section
from jumpnet.report._sharing import KEY, captured_files, files_said
from jumpnet.report.kudoh1995rhbd._ways import Runs, answer, called, listed, tables
from jumpnet.report.kudoh1995rhbd.directories import runs_of
from jumpnet.report.kudoh1995rhbd.directory_choices import ANEW, LINES, SCHEMES, UPDATES, against_pages
from jumpnet.report.kudoh1995rhbd.directory_traces import TREES, TREES_NOTE
from jumpnet.report.kudoh1995rhbd.directory_traces_choices import pages

TITLE = "Directories on captured traces, what takes longest: OCEAN of 256 processors, and the further choices"
ORDER = 56

LARGEST, OCEAN = "ocean_130_p256", "ocean_66_p32"
BARNES, LARGE_BARNES, GAS = "barnes_512_p32", "barnes_1024_p256", "rgas_1024mol_p256"
FFT, RADIX, WATER = "fft_m12_p32", "radix_32k_p32", "water_nsq_64mol_p32"


class Question(NamedTuple):
    """A table of ways, the first of which the others are held against."""

    title: str
    traces: tuple[str, ...]
    ways: dict[str, dict[str, Any]]
    placements: int = 2
    """On OCEAN of 256 processors always one."""


TABLES = {
    "pages": Question("OCEAN of 256 processors", (LARGEST,), TREES),
    "lines": Question("An entry a line", (BARNES, OCEAN, RADIX, LARGE_BARNES, GAS, LARGEST), LINES),
    "updates": Question("Update, an entry a page", (BARNES, FFT, OCEAN, RADIX, WATER, LARGE_BARNES, GAS), UPDATES, 1),
    "schemes": Question(
        "Multicasts by scheme, an entry a page", (BARNES, OCEAN, RADIX, LARGE_BARNES, GAS, LARGEST), SCHEMES
    ),
    "anew": Question("Maps made anew, trees of packets", (LARGE_BARNES, GAS, LARGEST), ANEW),
}

EVERYWHERE = (LARGE_BARNES, LARGEST, GAS)
"""Traces of 256 processors, which have a cluster at every router."""
CHOICES = {"lines": "entries of lines", "updates": "update", "schemes": "schemes", "anew": "maps made anew"}


def figures(path: Path, key: str, way: str) -> Runs:
    """One way of a table on a captured trace."""
    design = {way: TABLES[key].ways[way]}
    return runs_of(open_trace(path), path.stem, range(placements(key, path.stem)), design)


def placements(key: str, stem: str) -> int:
    """Over how many placements a table has the mean of a trace."""
    return 1 if stem == LARGEST else TABLES[key].placements


TEXT = """The figures that the two sections before left out for the time that they take, on captured traces alone; of
OCEAN and BARNES what is left without the reads that can only hit. An entry a page and invalidation unless a table says
otherwise. A band is over two placements; OCEAN of 256 processors and update have one, and so no band.

SM multicasts branch inside the routers, but go as trees of packets in the first table and where maps are made
anew, which needs a cluster at every router. SM beside maps made anew is that of the first table or of the section on
captured traces: the machine is the same."""


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Every table of the traces at hand in full; what is committed otherwise."""
    committed = kept_or_empty(KEY, "directory_traces_rest")
    old: dict[str, Any] = {key: dict(of) for key, of in committed.data.items()}
    if full:
        for key, runs in _all(progress).items():
            old.setdefault(key, {}).update(runs)
    shown, words = [], []
    for key, runs in by_table(old).items():
        title, ways = TABLES[key].title, list(TABLES[key].ways)
        shown += tables(title, runs, ways, TREES_NOTE if key == "pages" else "")
        words += answer(title, runs, ways)
    alike = {label: run for label, run in old.get("pages", {}).items() if not label.endswith(": SM")}
    inside = {label: run for label, run in old.get("schemes", {}).items() if label.endswith(": SM")}
    words += [*against_pages(old, {**pages(), **alike, **inside}), not_run(old)]
    words += files_said(old.get("files", {}))
    return Section(TITLE, "\n\n".join([TEXT, *words, committed.said]), shown, (), old)


def by_table(data: Mapping[str, Runs]) -> dict[str, Runs]:
    """Figures of each table that has some, with those of SM where maps are made anew."""
    found = {key: {**data[key]} for key in TABLES if data.get(key)}
    others: Mapping[str, Runs] = kept_or_empty(KEY, "directory_traces").data
    every = {label: run for name in ("time", "thinned") for label, run in others.get(name, {}).items()}
    every.update(data.get("pages", {}))
    for stem in {label.rpartition(": ")[0] for label in found.get("anew", {})}:
        found["anew"][f"{stem}: SM"] = every[f"{stem}: SM"]
    return found


def not_run(data: Mapping[str, Runs]) -> str:
    """Which captured traces have no figures, here or in the sections before, by table."""
    stems = list(kept_or_empty(KEY, "directory_traces").data.get("traces", ()))
    choices = kept_or_empty(KEY, "directory_traces_choices").data
    ways = [way for way in TREES if f"{LARGEST}: {way}" not in data.get("pages", {})]
    words = [f"{' and '.join(ways)} on {called(LARGEST)}"] if ways else []
    for key, what in CHOICES.items():
        labels = {*data.get(key, {}), *choices.get(key, {})}
        there = {label.rpartition(": ")[0] for label in labels}
        lacks = [stem for stem in (EVERYWHERE if key == "anew" else sorted(stems)) if stem not in there]
        words += [f"{what} on {listed(lacks)}"] if lacks else []
    return f"Not run, for the time that they take: {'; '.join(words)}." if words else "Nothing was left out."


def _all(progress: Progress) -> dict[str, dict[str, Any]]:
    """All tables of the traces at hand, and the digests of the files."""
    files = captured_files()
    todo = [(key, stem, way) for key, asked in TABLES.items() for stem in asked.traces for way in asked.ways
            if stem in files and (key, way) != ("anew", "SM")]  # fmt: skip
    found: dict[str, dict[str, Any]] = {}
    for done, (key, stem, way) in enumerate(todo):
        progress(done, len(todo))
        found.setdefault(key, {}).update(figures(files[stem], key, way))
        found.setdefault("files", {})[stem] = hashlib.sha256(files[stem].read_bytes()).hexdigest()
    return found
