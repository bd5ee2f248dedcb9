"""Shipped routings, patterns and processes as a user's own: copies of their files, compiled with checks.

A run with the copies must come to the same as one with those that are shipped; so must path figures and proofs.
"""

from __future__ import annotations

import re
import tempfile
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from tests.attack.drawn.engine_draws import Case, build_case, drawn
from tests.attack.drawn.engine_views import difference
from tests.attack.drawn.engines import BASE, Way, pictures
from tests.attack.pairs import Seen

import jumpnet
from jumpnet import own
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.routes.paths import path_figures
from jumpnet.errors import JumpnetError
from jumpnet.routings import bind
from jumpnet.topology import build

__all__ = ["compared"]

MOST_ROUTERS = 100
NAME = re.compile(r'name="([a-z_0-9.]+)"')


@cache
def _copies() -> tuple[dict[str, str], tempfile.TemporaryDirectory[str]]:
    """Names of copies by name, and the folder that they are in."""
    folder: tempfile.TemporaryDirectory[str] = tempfile.TemporaryDirectory()
    names: dict[str, str] = {}
    for kind in ("routings", "traffic"):
        for path in sorted((Path(jumpnet.__file__).parent / kind).rglob("[a-z]*.py")):
            text = path.read_text()
            found = NAME.findall(text)
            if not found:
                continue
            copy = Path(folder.name) / f"my_{path.parent.name}_{path.name}"  # several families have a `valiant.py`
            copy.write_text(NAME.sub(lambda match: f'name="my_{match[1]}"', text))
            try:
                own.load(copy)
            except JumpnetError:
                continue
            names |= {name: f"my_{name}" for name in found}
    return names, folder


def _copied(case: Case) -> tuple[Case, int]:
    """The case with copies in place of what is shipped, and how many these are."""
    names, _ = _copies()
    words = {"routing": case.routing, **{k: str(case.settings[k]) for k in ("traffic", "injection")}}
    mine = {key: re.sub(r"^[a-z_0-9.]+", lambda m: names.get(m[0], m[0]), word) for key, word in words.items()}
    settings = case.settings | {k: mine[k] for k in ("traffic", "injection")}
    count = sum(mine[key] != word for key, word in words.items())
    return case._replace(routing=mine["routing"], settings=settings), count


def compared(draw: Random, seen: Seen) -> tuple[Any, str]:
    """One case, and how it differs."""
    case, _ = drawn(str(draw.random()))
    while build(case.spec).routers > MOST_ROUTERS or case.faults:
        case, _ = drawn(str(draw.random()))
    if case.settings["traffic"] == "worst":  # that of another routing
        case = case._replace(settings=case.settings | {"traffic": "uniform"})
    mine, count = _copied(case)
    try:
        build_case(mine)
    except JumpnetError as error:
        return case, f"a copy is refused: {error}"
    seen[f"{count} copies"] += 1
    case, mine = (each._replace(stops=each.stops[-1:]) for each in (case, mine))
    expected = list(pictures(case, BASE, "own"))
    for way in (BASE, Way("sets", sets=True), Way("threads", threads=2, sets=None, pieces=True)):
        for one, other in zip(expected, pictures(mine, way, "own"), strict=True):
            if isinstance(one, str) or isinstance(other, str):
                how = "" if str(one).replace(case.routing, mine.routing) == other else f"{one!s:.200} | {other!s:.200}"
            else:
                how = difference(one, other)
            if how:
                return case, f"{way.name}: {how}"
    net = build(case.spec)
    bounds = [bind(each.routing, net, each.vcs) for each in (case, mine)]
    if mine.routing != case.routing and bounds[0].draws * net.routers**2 < 1 << 16:
        seen["proofs"] += 1
        one, other = (path_figures(bound) for bound in bounds)
        if one.counts != other.counts or one.stretch_maximum != other.stretch_maximum:
            return case, f"path figures: {one} and {other}"
        one, other = (prove(bound, 1) for bound in bounds)
        if (one.verdict, one.dependencies, len(one.cycle or ())) != (
            other.verdict, other.dependencies, len(other.cycle or ())
        ):  # fmt: skip
            return case, f"proof: {one.verdict} by {one.by} and {other.verdict} by {other.by}"
    return case, ""
