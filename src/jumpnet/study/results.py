"""Results of a study as rows and as a data frame, always in the order of the study file, loads ascending.

    from jumpnet.study.results import frame
    frame("study.toml")          # one row a finished point

Used by the verbs `results` and `plot`, and by people who analyse with pandas.
"""

from __future__ import annotations

import shlex
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jumpnet.api.public import public
from jumpnet.api.shown import data_frame
from jumpnet.errors import JumpnetError
from jumpnet.notices import counted, notice
from jumpnet.own import load
from jumpnet.study.contents import contents_shown
from jumpnet.study.names import Names
from jumpnet.study.plan import Plan, read_plan
from jumpnet.study.run import states
from jumpnet.study.settings import MODEL, PRESETS, settings, varied
from jumpnet.study.store import Store, is_store

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["frame", "must_be_named", "open_plan", "plan_and_rows", "rows", "store_path"]

NESTED = (list, dict)


def open_plan(study: str | Path) -> Plan:
    """The plan in a study file of simulator points; loads the files of the user's that it names."""
    path = Path(study)
    if is_store(path):
        raise JumpnetError(f"{study}: a store found, its study file (TOML) expected; `jumpnet results` lists a store")
    plan = read_plan(path, settings(), PRESETS)
    for file in plan.files:
        load(path.parent / file)
    return plan


def must_be_named(study: str | Path) -> None:
    """Raise JumpnetError for a path without a file's name, such as an empty one, from which none could be made."""
    if not Path(study).name:
        raise JumpnetError(f"'{study}' found, a study file expected")


def store_path(study: str | Path, store: str | Path | None = None) -> Path:
    """The store of a study: the one named, else the study file's name with `.sqlite`, beside it."""
    if store is not None:
        return Path(store)
    must_be_named(study)
    return Path(study).with_suffix(".sqlite")


def rows(study: str | Path, store: str | Path | None = None) -> list[dict[str, Any]]:
    """Finished points: what differs between the points of the study, the figures, and the hash.

    Nested figures (histograms, loads by rank) are left out; `Store` has them. A store in the place of the study gives
    all its points, by network, routing and load: sweeps in Python and curves have no study file. Where a file or graph
    of one name had several contents, `content` says which.
    """
    return _all_rows(Path(study)) if store is None and is_store(Path(study)) else plan_and_rows(study, store)[1]


def _all_rows(path: Path) -> list[dict[str, Any]]:
    """Every finished point of a store."""
    with Store(path) as opened:
        made = [(row.config, row.result, row.hash) for row in opened.rows()]
    made.sort(key=lambda point: [str(point[0].get(key)) for key in ("network", "routing", "load")])
    varying = [key for key in varied([config for config, _, _ in made]) if key != "network"]  # it is the figures' spec
    found, contents = [], contents_shown([config for config, _, _ in made])
    for (config, result, name), content in zip(made, contents, strict=True):
        distinct = {key: config.get(key) for key in varying} | ({"content": content} if any(contents) else {})
        both = {**distinct, **result, "load": config.get("load"), "hash": name}
        found.append({key: value for key, value in both.items() if not isinstance(value, NESTED)})
    return found


def plan_and_rows(
    study: str | Path, store: str | Path | None = None, some: bool = False
) -> tuple[Plan, list[dict[str, Any]]]:
    """The plan in a study file, and its finished points as `rows` gives them; a notice says when not all are there.

    some: whether one at least must be there; raises JumpnetError when none is.
    """
    path = store_path(study, store)
    if not path.exists() and not Path(study).is_file():
        raise JumpnetError(f"{study}: no study found, a study file or its store expected")
    if not path.exists():
        raise JumpnetError(f"{path}: no store found; `jumpnet sweep {shlex.quote(str(study))}` makes it")
    plan = open_plan(study)
    found: list[dict[str, Any]] = []
    wanted = 0
    with Store(path) as opened:
        names = Names(opened, _resolve, MODEL)
        keys = sorted({key for curve in plan.curves for key in curve.point})
        for curve, load, name, result in states(plan, opened, names):
            wanted += 1
            if result is None:
                continue
            figures = {key: value for key, value in result.items() if not isinstance(value, NESTED)}
            found.append({**{key: curve.point.get(key) for key in keys}, **figures, "load": load, "hash": name})
        with suppress(JumpnetError):  # a full disk: it only makes the next listing slower
            names.save()
        if some and not found:
            first = f"run `jumpnet sweep {shlex.quote(str(study))}` first"
            raise JumpnetError(f"{study}: no finished points found{_damaged(opened)}; {first}")
        if len(found) < wanted:
            notice(f"{study}: {len(found)} of {wanted} points there{_damaged(opened)}")
    return plan, found


def _damaged(store: Store) -> str:
    """Whether the points that are missing may be damaged ones: with another hash a point is not found by its own."""
    names = store.damaged()
    if not names:
        return ""
    return f"; {counted(len(names), 'point')} of the store damaged, such as {names[0]!r}: see `jumpnet store check`"


def _resolve(point: dict[str, Any], load: float) -> dict[str, Any]:
    """`point.resolve`, loaded with all that it needs when a curve is met for the first time."""
    from jumpnet.study.point import resolve

    return resolve(point, load)


@public
def frame(study: str | Path, store: str | Path | None = None) -> DataFrame:
    """The finished points of a study as a pandas DataFrame; raises JumpnetError when pandas is missing."""
    return data_frame(rows(study, store))
