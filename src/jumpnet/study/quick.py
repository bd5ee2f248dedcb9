"""Studies without a file: points over lists of settings, run on all cores, kept in a store and found again there.

Called by `jumpnet simulate SPEC... --load A..B` and `jumpnet.network(...).sweep(...)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, overload

from jumpnet.api.shown import ShownCurves, columns
from jumpnet.errors import JumpnetError, nearest, unknown_name, written
from jumpnet.own import loaded, with_files
from jumpnet.process.threads import processors
from jumpnet.sim.result.figures import COLUMNS
from jumpnet.study.names import Names, canonical
from jumpnet.study.networks import held
from jumpnet.study.plan import NO_LOAD, Curve, Plan
from jumpnet.study.point import MODEL, evaluate, require_memory, resolve
from jumpnet.study.pool import LocalPool, check_workers
from jumpnet.study.run import Progress, run_plan, states
from jumpnet.study.settings import varied
from jumpnet.study.store import Store
from jumpnet.topology.named import graphs_in, with_graphs

__all__ = ["Points", "curves_over", "run_curves"]

MOST_POINTS = 100_000
MOST_CURVES = 3
"""So many are named by `repr`."""


class Points(ShownCurves):
    """Points of a sweep: `rows()` with the keys of `jumpnet results`, by curve and rising load."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self._rows = rows

    @columns(COLUMNS)
    def rows(self) -> list[dict[str, Any]]:
        """The points as flat objects."""
        return self._rows

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, which: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, which: slice) -> Points: ...
    def __getitem__(self, which: int | slice) -> dict[str, Any] | Points:
        """A point, or some of them."""
        return Points(self._rows[which]) if isinstance(which, slice) else self._rows[which]

    def __repr__(self) -> str:
        """How many points, of which curves and loads."""
        curves = dict.fromkeys(f"{row.get('spec')} {row.get('routing')}" for row in self)
        named = ", ".join([*islice(curves, MOST_CURVES), *["..."] * (len(curves) > MOST_CURVES)])
        loads = [row["load"] for row in self if row.get("load") is not None]
        span = f", load {min(loads):g} to {max(loads):g}" if loads else ""
        return f"Points({len(self)}: {named}{span})" if len(self) else "Points(0)"


def _values(name: str, given: Any) -> list[Any]:
    """The values of a setting: one number, text or table, or those of a list, tuple, range or array.

    >>> _values("vcs", range(2, 4)), _values("routing", "torus.duato")
    ([2, 3], ['torus.duato'])
    """
    one = (
        isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable) or getattr(given, "shape", 0) == ()
    )
    values = [given] if one else list(islice(given, MOST_POINTS + 1))
    values = [value.tolist() if hasattr(value, "tolist") else value for value in values]  # of NumPy's numbers
    for value in values:
        try:
            canonical(value)
        except (TypeError, ValueError, RecursionError):
            said = "a number or a name, or a list of them, expected"
            raise JumpnetError(f"{name} {_short(value)} found, {said}; other processes read it") from None
    return values


def _short(value: Any) -> str:
    """A value in a line of text."""
    return " ".join(written(value).split())[:60]


def _load(given: Any) -> float:
    """One offered load."""
    try:
        return float(given)
    except (TypeError, ValueError, OverflowError):
        raise JumpnetError(f"load {_short(given)} found, a number from 0 to 1 expected") from None


def curves_over(network: str, settings: Mapping[str, Any]) -> list[Curve]:
    """The curves of all combinations of settings, each of which may have several values; `load` may be one.

    Raises JumpnetError for a setting `network`, for values that are no text and no numbers, and for too many points.

    >>> curves = curves_over("torus:4x4", {"load": [0.1, 0.2], "vcs": [2, 4], "seed": 1})
    >>> [(curve.point["vcs"], curve.loads) for curve in curves]
    [(2, (0.1, 0.2)), (4, (0.1, 0.2))]
    """
    named = {**settings}
    load = named.pop("load", None)
    if load is None:
        for name in named:
            if nearest(name, ["load"]):
                raise unknown_name("setting", name, ["load"])
        raise JumpnetError("no load found, one or a list of them expected")
    if "network" in named:
        raise JumpnetError(f"network={_short(named['network'])} found among the settings of a sweep over {network}")
    loads = tuple(sorted(map(_load, _values("load", load))))
    axes = {name: _values(name, value) for name, value in named.items()}
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

    workers: processes that run points, as many as there are processors when None.
    Raises JumpnetError, before the first point is run, for settings that the simulator refuses and for points that do
    not fit in memory. What is finished stays in the store when interrupted.
    """
    if workers is not None and (type(workers) is not int or workers < 1):
        raise JumpnetError(f"workers {_short(workers)} found, a whole number from 1 expected")
    if workers:
        check_workers(workers)
    plan, cores = Plan("simulate", tuple(curves)), processors(threads=workers)
    work: Callable[[Any], Any] = evaluate
    if graphs := graphs_in(str(curve.point["network"]) for curve in curves):
        work = partial(with_graphs, graphs, work)
    if loaded():
        work = partial(with_files, loaded(), work)
    with held(), TemporaryDirectory() as folder, Store(store or Path(folder) / "points.sqlite") as opened:
        for curve in curves:
            loads = curve.loads if isinstance(curve.loads, tuple) else getattr(curve.loads, "loads", NO_LOAD)
            require_memory(resolve(curve.point, loads[0]), cores)
        pool = LocalPool(work, cores)
        try:
            run_plan(plan, opened, pool, resolve, MODEL, {}, show)
        finally:
            pool.close()
        found = states(plan, opened, Names(opened, resolve, MODEL))
        varying = varied([curve.point for curve in curves])  # else rows of unlike settings would look alike
        return Points(
            [
                {"load": load, **{key: curve.point.get(key) for key in varying}, **figures}
                for curve, load, _, figures in found
                if figures
            ]
        )
