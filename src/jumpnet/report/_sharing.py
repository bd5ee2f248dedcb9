"""What the sections about real programs share: the programs, and their coherence messages by number of destinations.

The programs ship with jumpnet. Captured traces are run when a section is computed in full and they are at hand: Parquet
files in the folder that the environment variable JUMPNET_TRACES names, else in `shared/traces` beside the checkout.
Otherwise what they gave is read from the committed results, so that the report does not depend on files at hand.
Used by every section with programs: of kudoh1995rhbd, and by `_page_entries`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from jumpnet.machine.trace import Trace, open_trace
from jumpnet.machine.traffic import Traffic, coherence_traffic
from jumpnet.machine.workload import workload
from jumpnet.report._kept import kept_or_empty
from jumpnet.report._section import Progress

__all__ = [
    "CLUSTER", "CURVES", "KEY", "PAPERS_OWN", "SHIPPED", "Figures", "captured", "captured_files", "files_said",
    "measured", "share", "shipped", "traffic",
]  # fmt: skip

KEY = "kudoh1995rhbd"

CLUSTER = 4
"""Processors of a cluster of JUMP-1."""
CURVES = (("invalidate", "line"), ("invalidate", "page"), ("update", "line"), ("update", "page"))
"""The four curves of Figure 9."""
PAPERS_OWN = {"gas": "gas", "water": "water"}
"""Stand-ins for the two programs of Figure 9, MP3D and WATER, at their sizes."""
SHIPPED = {
    **PAPERS_OWN,
    "grid": "grid:processors=256,n=128,sweeps=6",
    "radix": "radix:processors=256,n=8192",
    "fft": "fft:processors=64",
    "lu": "lu:processors=64",
}
CAPTURED_OWN = {"rgas_1024mol_p256": "rarefied gas, captured", "water_nsq_64mol_p32": "WATER of Splash-3, captured"}


def shipped(full: bool) -> dict[str, Trace]:
    """Programs by label: the paper's two, or all."""
    specs = SHIPPED if full else PAPERS_OWN
    made = {label: workload(spec) for label, spec in specs.items()}
    return {f"{label}, {w.processors} processors": w.trace() for label, w in made.items()}


def captured_files() -> dict[str, Path]:
    """Captured traces at hand by the names of their files; empty without the files or without pyarrow."""
    default = Path(__file__).parents[4] / "shared" / "traces"
    folder = Path(os.environ.get("JUMPNET_TRACES", default))
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        return {}
    return {path.stem: path for path in sorted(folder.glob("*.parquet"))} if folder.is_dir() else {}


def captured(full: bool) -> dict[str, Trace]:
    """Captured traces by label, the two of the paper's sizes or all, of those at hand."""
    found = captured_files()
    chosen = found if full else [stem for stem in CAPTURED_OWN if stem in found]
    return {CAPTURED_OWN.get(stem, f"{stem}, captured"): open_trace(found[stem]) for stem in chosen}


Figures = dict[str, Any]
"""What a section needs of one program: numbers and words only, so that it can be committed."""


def measured(
    section: str, programs: Mapping[str, Trace], figures: Callable[[Trace], Figures], progress: Progress, full: bool,
    every: bool = True,
) -> tuple[dict[str, Figures], dict[str, Figures]]:  # fmt: skip
    """Figures by label: of the programs, and of captured traces, as `Section.kept` wants them.

    Captured traces are run in full, those at hand (the two of the paper's sizes, or `every` one); the others' figures
    are the committed ones.
    """
    at_hand = captured(every) if full else {}
    found: dict[str, Figures] = {}
    for done, (label, trace) in enumerate({**programs, **at_hand}.items()):
        progress(done, len(programs) + len(at_hand))
        found[label] = figures(trace)
    old: Mapping[str, Figures] = kept_or_empty(KEY, section).data
    return {k: found[k] for k in programs}, {**old, **{k: found[k] for k in at_hand}}


_known: dict[tuple[str, str, str, int, str], Traffic] = {}


def traffic(
    trace: Trace, protocol: str, directory: str, clusters_of: int, page_entry: str = "never_cleared"
) -> Traffic:
    """Coherence messages of a trace with caches without limit, counted once in a process."""
    key = (trace.name, protocol, directory, clusters_of, page_entry)
    if key not in _known:
        _known[key] = coherence_traffic(
            trace, protocol=protocol, directory=directory, clusters_of=clusters_of, page_entry=page_entry
        )
    return _known[key]


def share(histogram: Mapping[int, int], least: int, most: int) -> float:
    """Part of the messages that have so many destinations.

    >>> share({1: 3, 5: 1}, 4, 8)
    0.25
    """
    total = sum(histogram.values())
    return sum(count for k, count in histogram.items() if least <= k <= most) / total if total else 0.0


def files_said(digests: Mapping[str, str]) -> list[str]:
    """A sentence with the files that figures are of, by stem; none without files."""
    each = ", ".join(f"{stem} {digest[:12]}" for stem, digest in sorted(digests.items()))
    return [f"Files, by the beginning of their SHA-256: {each}."] if each else []
