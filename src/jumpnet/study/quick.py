"""Studies without a file: points over lists of settings, run on all cores, kept in a store and found again there.

Called by `jumpnet simulate SPEC... --load A..B` and `jumpnet.network(...).sweep(...)`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from jumpnet.errors import JumpnetError
from jumpnet.own import loaded, with_files
from jumpnet.study.names import Names
from jumpnet.study.plan import Curve, Plan
from jumpnet.study.point import MODEL, evaluate, require_memory, resolve
from jumpnet.study.pool import LocalPool
from jumpnet.study.run import Progress, run_plan, states
from jumpnet.study.store import Store

__all__ = ["Points", "curves_over", "run_curves"]

MOST_POINTS = 100_000


@dataclass(frozen=True)
class Points:
    """Points of a sweep: `rows` with the keys of `jumpnet results`, by curve and rising load."""

    rows: list[dict[str, Any]]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def to_pandas(self) -> Any:
        """The points as a pandas DataFrame; raises JumpnetError when pandas is missing."""
        try:
            import pandas
        except ImportError:
            raise JumpnetError("pandas is missing: pip install 'jumpnet[data]'") from None
        return pandas.DataFrame(self.rows)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return str(self.to_pandas()._repr_html_())

    def __repr__(self) -> str:
        """How many points, and what they say."""
        return f"Points({len(self.rows)})"


def curves_over(network: str, settings: Mapping[str, Any]) -> list[Curve]:
    """The curves of all combinations of settings, of which lists name several values; `load` may be one.

    >>> curves = curves_over("torus:4x4", {"load": [0.1, 0.2], "vcs": [2, 4], "seed": 1})
    >>> [(curve.point["vcs"], curve.loads) for curve in curves]
    [(2, (0.1, 0.2)), (4, (0.1, 0.2))]
    """
    named = {**settings}
    load = named.pop("load", None)
    if load is None:
        raise JumpnetError("no load found, one or a list of them expected")
    loads = tuple(sorted(float(one) for one in (load if hasattr(load, "__iter__") else [load])))
    axes = {name: value if isinstance(value, list) else [value] for name, value in named.items()}
    count = len(loads)
    for values in axes.values():
        count *= len(values)
    if not 1 <= count <= MOST_POINTS:
        raise JumpnetError(f"{count} points found, 1 to {MOST_POINTS} expected")
    made = (dict(zip(axes, values, strict=True)) for values in product(*axes.values()))
    return [Curve({"network": network, **point}, loads) for point in made]


def run_curves(
    curves: Sequence[Curve],
    store: Path | None = None,
    workers: int | None = None,
    show: Callable[[Progress], None] = lambda progress: None,
) -> Points:
    """Run the points that a store does not have yet; without one they are kept for this call alone.

    Raises JumpnetError, before the first point is run, for settings that the simulator refuses and for points that do
    not fit in memory. What is finished stays in the store when interrupted.
    """
    plan, cores = Plan("simulate", tuple(curves)), workers or max(1, os.cpu_count() or 1)
    for curve in curves:
        loads = curve.loads if isinstance(curve.loads, tuple) else getattr(curve.loads, "loads", (0.1,))
        require_memory(resolve(curve.point, loads[0]), cores)
    work = partial(with_files, loaded(), evaluate) if loaded() else evaluate
    with TemporaryDirectory() as folder, Store(store or Path(folder) / "points.sqlite") as opened:
        pool = LocalPool(work, cores)
        try:
            run_plan(plan, opened, pool, resolve, MODEL, {}, show)
        finally:
            pool.close()
        found = states(plan, opened, Names(opened, resolve, MODEL))
        return Points([{"load": load, **figures} for _, load, _, figures in found if figures])
