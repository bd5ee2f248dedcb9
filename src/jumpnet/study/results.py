"""Results of a study as rows and as a data frame, always in the order of the study file, loads ascending.

    from jumpnet.study.results import frame
    frame("study.toml")          # one row a finished point

Used by the verbs `results` and `plot`, and by people who analyse with pandas.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jumpnet.errors import JumpnetError
from jumpnet.study.plan import Plan, read_plan
from jumpnet.study.point import MODEL, PRESETS, SETTINGS, resolve
from jumpnet.study.run import states
from jumpnet.study.store import Store

__all__ = ["frame", "open_plan", "rows", "store_path"]

NESTED = (list, dict)


def open_plan(study: str | Path) -> Plan:
    """The plan in a study file of simulator points."""
    return read_plan(Path(study), SETTINGS, PRESETS)


def store_path(study: str | Path, store: str | Path | None = None) -> Path:
    """The store of a study: the one named, else the study's name with `.sqlite`, beside it."""
    return Path(store) if store is not None else Path(study).with_suffix(".sqlite")


def rows(study: str | Path, store: str | Path | None = None) -> list[dict[str, Any]]:
    """Finished points: what differs between the points of the study, the figures, and the hash.

    Nested figures (histograms, loads by rank) are left out; `Store` has them.
    """
    path = store_path(study, store)
    if not path.exists():
        raise JumpnetError(f"{path}: no store found; `jumpnet sweep {study}` makes it")
    plan = open_plan(study)
    found: list[dict[str, Any]] = []
    with Store(path) as opened:
        keys = sorted({key for curve in plan.curves for key in curve.point})
        for curve, load, row in states(plan, opened, resolve, MODEL, "latency_histogram"):
            if row is None:
                continue
            settings = {key: curve.point.get(key) for key in keys}
            figures = {k: v for k, v in row.result.items() if k != "hash" and not isinstance(v, NESTED)}
            found.append({**settings, **figures, "load": load, "hash": row.hash})
    return found


def frame(study: str | Path, store: str | Path | None = None) -> Any:
    """The finished points of a study as a pandas DataFrame; raises JumpnetError when pandas is missing."""
    try:
        import pandas
    except ImportError:
        raise JumpnetError("pandas is missing: pip install 'jumpnet[data]'") from None
    return pandas.DataFrame(rows(study, store))
