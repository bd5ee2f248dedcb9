"""The further choices on BARNES and on captured traces: entries of lines, update, schemes by packet, maps made anew.

Purpose: kudoh1995rhbd sections 3, 5.1 and 6. Ways as in the section `directory_choices`; figures of captured traces are
kept with their digests as in `directory_traces`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from jumpnet.machine.trace import open_trace
from jumpnet.machine.workload import workload
from jumpnet.report._kept import kept_or_empty
from jumpnet.report._section import Golden, Progress, Section
from jumpnet.report._sharing import KEY, captured_files, files_said
from jumpnet.report.kudoh1995rhbd._ways import Runs, answer, tables
from jumpnet.report.kudoh1995rhbd.directories import measured, runs_of
from jumpnet.report.kudoh1995rhbd.directory_choices import ANEW, LINES, SCHEMES, UPDATES, against_pages
from jumpnet.report.kudoh1995rhbd.directory_traces import PROGRAMS

TITLE = (
    "Directories on BARNES and on captured traces, further choices: lines, update, schemes by packet, maps made anew"
)
ORDER = 56

CAPTURED = ("water_nsq_64mol_p32", "fft_m12_p32")
PLACEMENTS = 2
NOW = PROGRAMS[0]
TABLES: dict[str, tuple[str, tuple[str, ...], dict[str, dict[str, Any]]]] = {
    "lines": ("An entry a line", (*PROGRAMS, *CAPTURED), LINES),
    "updates": ("Update, an entry a page", PROGRAMS, UPDATES),
    "schemes": ("Multicasts by scheme, an entry a page", (*PROGRAMS, *CAPTURED), SCHEMES),
    "anew": ("Maps made anew, trees of packets", PROGRAMS[1:], ANEW),
}
"""Title, programs and ways of each table; the other ways are held against the first. A program without a colon is a
captured trace."""

TEXT = """The four questions of the section on further choices, on BARNES of our own; entries of lines and schemes on
captured WATER and FFT too, which hold every read. Two placements each. SM multicasts branch inside the routers here, on
captured traces too; where maps are made anew all go as trees of packets, and need a cluster at every router, as there
is from 64 nodes on.

Update and maps made anew on captured traces, and all of it on more of them, follow in the next section."""


def pages() -> Runs:
    """Committed figures of an entry a page under invalidation; of captured traces without SM, which goes as trees of
    packets there."""
    data: Mapping[str, Runs] = kept_or_empty(KEY, "directory_traces").data
    found = dict(data.get("barnes", {}))
    for name in ("time", "thinned"):
        found.update({label: run for label, run in data.get(name, {}).items() if not label.endswith(": SM")})
    return found


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Every table in full, of captured traces those at hand; one way on one program otherwise."""
    committed = kept_or_empty(KEY, "directory_traces_choices")
    old: dict[str, Any] = {key: dict(of) for key, of in committed.data.items()}
    if full:
        for key, runs in _all(progress).items():
            old.setdefault(key, {}).update(runs)
    now = measured(NOW, range(1), progress, ways={"full map": LINES["full map"]})
    shown, words = [], []
    for key, (title, _, ways) in TABLES.items():
        if old.get(key):
            shown += tables(title, old[key], list(ways))
            words += answer(title, old[key], list(ways))
    words += against_pages(old, pages())
    words += files_said(old.get("files", {}))
    shown += tables("Run now", now, ["full map"], "An entry a line, the first placement.")
    return Section(TITLE, "\n\n".join([TEXT, *words, committed.said]), shown, (), old)


def _all(progress: Progress) -> dict[str, dict[str, Any]]:
    """All tables, and the digests of the files."""
    files = captured_files()
    todo = [(key, p) for key, (_, programs, _) in TABLES.items() for p in programs if ":" in p or p in files]
    found: dict[str, dict[str, Any]] = {}
    for done, (key, program) in enumerate(todo):
        progress(done, len(todo))
        trace = workload(program).trace() if ":" in program else open_trace(files[program])
        found.setdefault(key, {}).update(runs_of(trace, program, range(PLACEMENTS), TABLES[key][2]))
        if program in files:
            digest = hashlib.sha256(files[program].read_bytes()).hexdigest()
            found.setdefault("files", {})[program] = digest
    return found
