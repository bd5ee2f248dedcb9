"""A study file: TOML that says which networks, routings, patterns, loads and seeds; `read_plan` turns it into curves.

    [study]
    name = "small"
    title = "Small networks"       # heading of its pictures, the name when left out
    threads = 1                    # of each point, one when left out; a few points of large networks want more
    load = ["nets/king.py"]        # the user's files, relative to the folder of this one; they are executed

    [settings]                     # of every point: any setting of the simulator, and `preset`
    preset = "booksim"

    [presets.long]                 # named sets of settings of this study
    packet_flits = 128

    [[sweep]]                      # lists are axes, and the points are their product
    network = ["torus:8x8", "mesh:8x8"]
    routing = ["torus.dateline", "mesh.dimension_order"]
    zip = [["network", "routing"]] # axes that go together
    preset = ["booksim", "long"]
    buffer_flits = "$packet_flits" # the value of another key of the same point
    load = { adaptive = true, points = 8 }

Used by `study/run.py`. A curve is everything but the load; its loads are given, or found while it runs.
"""

from __future__ import annotations

import itertools
import math
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, NamedTuple, TypeVar

from annotated_types import Ge
from pydantic import Field, field_validator

from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.files import read_text
from jumpnet.settings.model import Model
from jumpnet.settings.settings import make, settings_from
from jumpnet.study.kinds import takes_load

__all__ = ["NO_LOAD", "AdaptiveLoads", "Curve", "Plan", "RisingLoads", "read_plan"]

T = TypeVar("T")

MAX_FILE_BYTES = 1_000_000
MAX_POINTS = 1_000_000
MOST_PARTS = 100
"""Of a dotted key: reading one takes the square of their number."""
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'')
NO_LOAD = (0.1,)
"""Stands where points have no load: those of kinds that take none, and of curves whose loads are yet to be found."""


def _parts(line: str) -> int:
    """Parts of the longest dotted key that a line of TOML may have.

    >>> _parts("a.b.c = [0.1, 0.2, 0.3] # and so on ..."), _parts('"a.b.c".d = 1')
    (3, 2)
    """
    plain = QUOTED.sub("q", line).partition("#")[0]
    return 1 + max(piece.count(".") for piece in re.split(r"[=,{}\[\]]", plain))


@dataclass(frozen=True)
class About:
    """The table [study]."""

    name: str = ""
    title: str = ""
    threads: Annotated[int | None, Ge(1)] = None
    load: tuple[str, ...] = ()


class AdaptiveLoads(Model):
    """Loads found while the curve runs: saturation to within `tolerance`, then `points` loads closest to it densest."""

    called: ClassVar[str] = "load"
    adaptive: bool = True
    points: int = Field(10, ge=2, le=1000)
    """Loads below saturation."""
    tolerance: float = Field(0.02, gt=0.0, lt=0.5)
    """Relative width of the bracket in which saturation is left."""
    highest: float = Field(1.0, gt=0.0, le=1.0)
    """No load is tried above this."""
    grid: tuple[float, ...] = ()
    """Loads that every curve has as well, as far as they lie below its saturation: there curves can be compared."""

    @field_validator("grid")
    @classmethod
    def _loads(cls, grid: tuple[float, ...]) -> tuple[float, ...]:
        if any(not 0.0 < load <= 1.0 for load in grid):
            raise ValueError(f"load grid {list(grid)} found, loads above 0 up to 1 expected")
        return grid


class RisingLoads(Model):
    """Loads in rising order, up to the first at which the network saturates, and loads between them near saturation."""

    loads: tuple[float, ...]
    points: int = 0
    """Loads below saturation that a curve has at least, once closed in on; 0 leaves it at the given loads."""


class Curve(NamedTuple):
    """All points that differ in nothing but the load."""

    point: dict[str, Any]
    """Settings without `load`: `network`, `routing` (may be None), and simulator settings, presets spread out."""
    loads: tuple[float, ...] | AdaptiveLoads | RisingLoads
    """Loads in the order of the file, or the rule that finds them."""


class Plan(NamedTuple):
    """A study: its name and its curves in the order of the file."""

    name: str
    curves: tuple[Curve, ...]
    title: str = ""
    """Heading of its pictures; empty when not given."""
    threads: int | None = None
    """Threads of each point, None when not given; figures are the same for any number, so no point is named by it."""
    files: tuple[str, ...] = ()
    """Python files that define what the study names, found from its folder; they are loaded where it runs."""


def _error(path: str, text: str, key: str, message: object) -> JumpnetError:
    """An error at the line that sets `key` (TOML keeps no positions, so it is looked up in the text)."""
    found = re.search(rf"^[^#\n]*?(?<![\w-]){re.escape(key)}(?![\w-])\s*[\]=.]", text, re.MULTILINE)
    line = text.count("\n", 0, found.start()) + 1 if found else 1
    return JumpnetError(f"{path}:{line}: {message}")


class _Reader:
    """Reads one file; knows the text for messages, the settings allowed and the presets that exist."""

    def __init__(self, path: str, text: str, allowed: Sequence[str], presets: Mapping[str, Mapping[str, Any]]):
        self.path, self.text = path, text
        self.allowed = {"network", "routing", "load", "preset", *allowed}
        self.presets = dict(presets)
        self.points = 0

    def fail(self, key: str, message: object) -> JumpnetError:
        return _error(self.path, self.text, key, message)

    def table(self, name: str, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self.fail(name, f"{name} = {value!r} found, a table [{name}] expected")
        return value

    def each(self, values: Mapping[str, Any], read: Callable[[Mapping[str, Any]], object]) -> None:
        """Read the keys of a table one by one; raises at the line of the first that is wrong."""
        for key, value in values.items():
            try:
                read({key: value})
            except JumpnetError as error:
                raise self.fail(key, error) from None

    def settings(self, where: str, values: Mapping[str, Any], extra: Sequence[str] = ()) -> None:
        """Raise for a key that is no setting."""
        self.each(values, settings_from(f"[{where}]", dict.fromkeys([*self.allowed, *extra])).refuse_unknown)

    def made(self, cls: type[T], name: str, values: Mapping[str, Any]) -> T:
        """An object of a class from a table."""
        self.each(values, lambda one: make(cls, one, name))
        return make(cls, values, name)

    def document(self) -> dict[str, Any]:
        for number, line in enumerate(self.text.splitlines(), 1):
            if line.count(".") > MOST_PARTS and _parts(line) > MOST_PARTS:
                raise JumpnetError(f"{self.path}:{number}: a key of over {MOST_PARTS} parts found")
        try:
            document = tomllib.loads(self.text)
        except ValueError as error:  # no TOML, or a number of thousands of digits
            raise JumpnetError(f"{self.path}: {error}") from None
        except RecursionError:
            raise JumpnetError(f"{self.path}: arrays or tables nested too deep found") from None
        for key, value in document.items():
            if key not in ("study", "settings", "presets", "sweep"):
                raise self.fail(key, unknown_name("table", key, ["study", "settings", "presets", "sweep"]))
            self.plain(key, value)
        return document

    def plain(self, key: str, value: Any) -> None:
        """Raise for what TOML knows and no setting is: dates, numbers that are none, those beyond 64 bits."""
        if isinstance(value, dict):
            for inner, part in value.items():
                self.plain(inner, part)
        elif isinstance(value, list):
            for part in value:
                self.plain(key, part)
        elif isinstance(value, float) and not math.isfinite(value):
            raise self.fail(key, f"{key} = {value} found, a finite number expected")
        elif isinstance(value, int) and abs(value) >= 2**63:
            raise self.fail(key, f"{key} = {str(value)[:20]}... found, a number below 2**63 expected")
        elif not isinstance(value, str | int | float):
            raise self.fail(key, f"{key} = {value} found, a number, a text, true or false expected")

    def loads(self, value: Any) -> tuple[float, ...] | AdaptiveLoads:
        if isinstance(value, dict):
            return self.made(AdaptiveLoads, "load", value)
        many = value if isinstance(value, list) else [value]
        if not many:
            raise self.fail("load", "load = [] found, at least one value expected")
        for load in many:
            if isinstance(load, bool) or not isinstance(load, int | float) or not 0 <= load <= 1:
                raise self.fail("load", f"load {load!r} found, numbers from 0 to 1 expected")
        return tuple(float(load) for load in many)

    def zipped(self, block: Mapping[str, Any], axes: Mapping[str, list[Any]]) -> list[list[str]]:
        groups = block.get("zip", [])
        if not isinstance(groups, list) or not all(
            isinstance(g, list) and all(isinstance(key, str) for key in g) for g in groups
        ):
            raise self.fail("zip", f"zip = {groups!r} found, lists of keys such as [['network', 'routing']] expected")
        seen: set[str] = set()
        for group in groups:
            for key in group:
                if key not in axes:
                    raise self.fail("zip", unknown_name("axis in zip", key, axes))
                if key in seen:
                    raise self.fail("zip", f"axis {key!r} found twice in zip")
                seen.add(key)
            lengths = {key: len(axes[key]) for key in group}
            if len(set(lengths.values())) > 1:
                sizes = ", ".join(f"{key} has {n}" for key, n in lengths.items())
                raise self.fail("zip", f"axes of different lengths found in zip: {sizes}")
        return [list(g) for g in groups] + [[key] for key in axes if key not in seen]

    def resolved(self, point: dict[str, Any]) -> dict[str, Any]:
        """Spread the presets, then replace references `$key`; chains are followed, cycles refused."""
        names = point.pop("preset", [])
        spread: dict[str, Any] = {}
        for name in names if isinstance(names, list) else [names]:
            if not isinstance(name, str) or name not in self.presets:
                raise self.fail("preset", unknown_name("preset", str(name), self.presets))
            spread.update(self.presets[name])
        merged = {**spread, **point}
        for key in merged:
            trail = [key]
            value = merged[key]
            while isinstance(value, str) and value.startswith("$"):
                other = value[1:]
                if other in trail:
                    raise self.fail(key, f"cyclic references found: {' -> '.join([*trail, other])}")
                if other not in merged:
                    raise self.fail(key, unknown_name("reference", other, merged))
                trail.append(other)
                value = merged[other]
            merged[key] = value
        return merged

    def curves(self, common: Mapping[str, Any], block: Mapping[str, Any]) -> Iterator[Curve]:
        self.settings("sweep", block, ("zip",))
        given_load = block.get("load", common.get("load"))
        loads = NO_LOAD if given_load is None else self.loads(given_load)
        given = {k: v for k, v in {**common, **block}.items() if k not in ("load", "zip")}
        if "network" not in given:
            raise self.fail("sweep", "no network found in [[sweep]], a spec such as torus:8x8 expected")
        axes = {key: value if isinstance(value, list) else [value] for key, value in given.items()}
        for key, values in axes.items():
            if not values:
                raise self.fail(key, f"{key} = [] found, at least one value expected")
        groups = self.zipped(block, axes)
        rows = [list(zip(*(axes[key] for key in group), strict=True)) for group in groups]
        each = len(loads) if isinstance(loads, tuple) else loads.points
        self.points += math.prod(len(row) for row in rows) * each
        if self.points > MAX_POINTS:
            raise JumpnetError(f"{self.path}: {self.points} points found, at most {MAX_POINTS} expected")
        for choice in itertools.product(*rows):
            point: dict[str, Any] = {}
            for group, chosen in zip(groups, choice, strict=True):
                point.update(zip(group, chosen, strict=True))
            resolved = self.resolved({k: point[k] for k in axes})
            if given_load is None and takes_load(str(resolved.get("kind", "simulate"))):
                raise self.fail("sweep", "no load found in [[sweep]], loads such as [0.1, 0.2] expected")
            yield Curve(resolved, loads)


def read_plan(path: Path, allowed: Sequence[str], presets: Mapping[str, Mapping[str, Any]]) -> Plan:
    """The plan in a study file. `allowed` are the simulator's settings, `presets` its named sets of them.

    Raises JumpnetError with `file:line` for unknown keys (nearest one named), contradictory zips and bad references.
    """
    text = read_text(path, MAX_FILE_BYTES, "a study file (TOML) expected")
    reader = _Reader(str(path), text, allowed, presets)
    document = reader.document()
    about = reader.made(About, "[study]", reader.table("study", document.get("study", {})))
    files = [about.load] if isinstance(about.load, str) else about.load
    if not isinstance(files, list | tuple) or any(not isinstance(one, str) or not one for one in files):
        raise reader.fail("load", f"load = {files!r} found, a list of Python files such as ['nets/king.py'] expected")
    for name, values in reader.table("presets", document.get("presets", {})).items():
        reader.settings(f"presets.{name}", reader.table(name, values))
        reader.presets[name] = values
    common = reader.table("settings", document.get("settings", {}))
    reader.settings("settings", common)
    blocks = document.get("sweep", [])
    if not isinstance(blocks, list) or not blocks:
        raise reader.fail("sweep", "no [[sweep]] found, at least one expected")
    curves = tuple(curve for block in blocks for curve in reader.curves(common, block))
    return Plan(about.name or path.stem, curves, about.title, about.threads, tuple(files))
