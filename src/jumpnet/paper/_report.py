"""Finds the sections of every paper by folder scan, computes them in order, and lists their cells.

`paper/<key>/<section>.py` is the only place to add: no list is edited. Called by `cli` and `lab`.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from jumpnet.errors import unknown_name
from jumpnet.paper._section import Section
from jumpnet.papers import bibliography, golden
from jumpnet.registry import modules

__all__ = ["MARKS", "VERDICTS", "Computed", "cell_rows", "compute", "counts", "papers", "unexplained"]

VERDICTS = ("equal", "rounded", "differs", "not printed")
"""Every verdict, best first; the words of `Cell.verdict`."""

MARKS = {"equal": "=", "rounded": "≈", "differs": "≠", "not printed": "·"}
"""The sign of each verdict on the page and in the terminal."""

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
    """The section modules of each paper, in their ORDER; papers in the order of their year.

    >>> "yang2001rdt" in papers()
    True
    """
    found: dict[str, list[ModuleType]] = {}
    for package in modules("jumpnet.paper"):
        key = package.__name__.rsplit(".", 1)[-1]
        found[key] = sorted(modules(package.__name__), key=lambda m: (m.ORDER, m.__name__))
    order = list(found)
    return {key: found[key] for key in sorted(order, key=lambda k: (bibliography()[k]["year"], k))}


def compute(
    keys: Sequence[str] = (), *, full: bool = False, only: str = "", step: Step = lambda key, title, done, total: None
) -> Iterator[Computed]:
    """Compute the sections of the papers `keys` (all when empty), one at a time, so that each can be shown at once.

    `only` keeps sections whose file name holds that word. Raises JumpnetError for an unknown key.
    """
    known = papers()
    for key in keys:
        if key not in known:
            raise unknown_name("paper", key, known)
    for key, parts in known.items():
        if keys and key not in keys:
            continue
        for module in parts:
            name = module.__name__.rsplit(".", 1)[-1]
            if only and only not in name:
                continue
            step(key, module.TITLE, 0, 1)

            def progress(done: int, total: int, key: str = key, title: str = module.TITLE) -> None:
                step(key, title, done, total)

            more: dict[str, Any] = {"full": full} if "full" in inspect.signature(module.section).parameters else {}
            section = module.section(golden(key), progress, **more)
            step(key, module.TITLE, 1, 1)
            yield Computed(key, name, section)


def cell_rows(part: Computed) -> Iterator[dict[str, Any]]:
    """One flat record for each cell of a section: the lines of `jumpnet paper --json`."""
    for table in part.section.tables:
        for label, cells in table.rows:
            for column, cell in zip(table.columns, cells, strict=True):
                if cell is not None:
                    yield {
                        "paper": part.key,
                        "section": part.name,
                        "table": table.title,
                        "row": label,
                        "column": column,
                        "printed": cell.printed,
                        "computed": cell.computed,
                        "difference": cell.difference,
                        "verdict": cell.verdict,
                        "note": cell.note,
                    }


def counts(parts: Sequence[Computed]) -> dict[str, int]:
    """How many cells have each verdict, every verdict named."""
    found = Counter(row["verdict"] for part in parts for row in cell_rows(part))
    return {verdict: found[verdict] for verdict in VERDICTS}


def unexplained(parts: Sequence[Computed]) -> list[dict[str, Any]]:
    """The cells that differ without a note that says why: there must be none."""
    return [row for part in parts for row in cell_rows(part) if row["verdict"] == "differs" and not row["note"].strip()]
