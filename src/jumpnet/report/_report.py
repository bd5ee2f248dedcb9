"""Finds the sections of every paper by folder scan, computes them in order, and lists their cells.

`report/<key>/<section>.py` is the only place to add: no list is edited. Called by `cli` and `lab`.
"""

from __future__ import annotations

import importlib
import inspect
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import ModuleType
from typing import Any

from jumpnet.errors import unknown_name
from jumpnet.papers import golden
from jumpnet.plot.describe import described
from jumpnet.plot.figure import render
from jumpnet.process.workers import Workers
from jumpnet.registry import modules
from jumpnet.report._notes import annotated
from jumpnet.report._section import Golden, Progress, Section

__all__ = ["Computed", "cell_rows", "chosen", "compute", "computed", "papers", "slow", "unexplained"]

Step = Callable[[str, str, int, int], None]
"""`step(key, title, done, total)`: called whenever a section has come further."""


@dataclass(frozen=True)
class Computed:
    """One section, recomputed: which paper and file it belongs to, and what it found."""

    key: str
    """Bibliography key of the paper."""
    name: str
    """Name of the section's file, unique within the paper; names its CSV files."""
    section: Section


def papers() -> dict[str, list[ModuleType]]:
    """The section modules of each paper, in their ORDER; papers in the order in which the report tells of them.

    >>> "yang2001rdt" in papers()
    True
    """
    found: dict[str, list[ModuleType]] = {}
    for package in modules("jumpnet.report"):
        key = package.__name__.rsplit(".", 1)[-1]
        found[key] = sorted(modules(package.__name__), key=lambda m: (m.ORDER, m.__name__))
    order = list(found)
    return {key: found[key] for key in sorted(order, key=lambda k: golden(k)["order"])}


def chosen(keys: Sequence[str], only: str) -> list[tuple[str, ModuleType]]:
    """The sections to compute, in the order of the report: those of a file called `only`, else all that hold the word.

    Raises JumpnetError for an unknown key.

    >>> [[module.__name__.rsplit(".", 1)[-1] for _, module in chosen((), only)] for only in ("table_1_r", "symmetry")]
    [['table_1_routing'], ['symmetry']]
    """
    known = papers()
    for key in keys:
        if key not in known:
            raise unknown_name("paper", key, known)
    named = {
        (key, module): module.__name__.rsplit(".", 1)[-1]
        for key, parts in known.items()
        for module in parts
        if not keys or key in keys
    }
    return [part for part, name in named.items() if name == only] or [p for p, name in named.items() if only in name]


def slow(module: ModuleType) -> bool:
    """Whether a section has a form that only `--full` runs."""
    return "full" in inspect.signature(module.section).parameters


def _silent(done: int, total: int) -> None:
    """Progress that nobody watches."""


def computed(
    key: str, module: ModuleType, *, full: bool = False, progress: Progress = _silent, data: Golden | None = None
) -> Computed:
    """One section with the notes of its cells; `data` stands in for the paper's printed data.

    >>> computed("li2009rdn", next(m for m in papers()["li2009rdn"] if m.__name__.endswith("symmetry"))).name
    'symmetry'
    """
    more: dict[str, Any] = {"full": full} if slow(module) else {}
    name = module.__name__.rsplit(".", 1)[-1]
    return Computed(key, name, annotated(key, name, module.section(data or golden(key), progress, **more)))


def _drawn(figure: Any) -> None:
    """The drawing function of a figure that another process has drawn: there is nothing left to do."""


def _elsewhere(key: str, module: str, full: bool) -> Computed:
    """One section in a worker process, its figures drawn there: a closure does not travel, a picture does."""
    part = computed(key, importlib.import_module(module), full=full)
    figures = [
        replace(f, draw=_drawn, pictures=render(f.draw, name=f.name), described=described(f.draw))
        for f in part.section.figures
    ]
    return replace(part, section=replace(part.section, figures=figures))


def _share(threads: int) -> None:
    """What each worker may use of the machine, so that all together use it once."""
    os.environ.setdefault("JUMPNET_THREADS", str(threads))


def compute(
    keys: Sequence[str] = (),
    *,
    full: bool = False,
    only: str = "",
    workers: int = 1,
    step: Step = lambda key, title, done, total: None,
) -> Iterator[Computed]:
    """Compute the sections of the papers `keys` (all when empty) and give each, in order, as soon as it is there.

    `only` keeps sections as `chosen` says; `workers` above 1 computes them in so many processes. Raises JumpnetError
    for an unknown key.
    """
    jobs = chosen(keys, only)
    if workers == 1 or len(jobs) == 1:
        for key, module in jobs:
            step(key, module.TITLE, 0, 1)
            yield computed(key, module, full=full, progress=partial(step, key, module.TITLE))
        return
    share = max(1, (os.cpu_count() or 1) // workers)
    pool = Workers(workers, _share, (share,))
    try:
        waiting = [pool.submit(_elsewhere, key, module.__name__, full) for key, module in jobs]
        for (key, module), future in zip(jobs, waiting, strict=True):
            step(key, module.TITLE, 0, 1)
            yield future.result()
    finally:
        pool.stop()


def cell_rows(part: Computed) -> Iterator[dict[str, Any]]:
    """One flat record for each cell of a section: the lines of `jumpnet paper --json`."""
    for number, table in enumerate(part.section.tables, 1):
        for label, cells in table.rows:
            for column, cell in zip(table.columns, cells, strict=True):
                if cell is not None:
                    yield {
                        "paper": part.key,
                        "section": part.name,
                        "number": number,
                        "table": table.title,
                        "row": label,
                        "column": column,
                        "printed": cell.printed,
                        "computed": cell.computed,
                        "difference": cell.difference,
                        "verdict": cell.verdict,
                        "stated": cell.stated,
                        "claim": cell.claim,
                        "place": list(cell.place or ()),
                        "reading": cell.reading,
                        "detail": cell.detail,
                        "note": cell.note,
                    }


def unexplained(parts: Sequence[Computed]) -> list[dict[str, Any]]:
    """The cells that differ without a note that says why: there must be none."""
    return [
        row
        for part in parts
        for row in cell_rows(part)
        if row["verdict"] in ("differs", "conflicts") and not row["note"].strip()
    ]
