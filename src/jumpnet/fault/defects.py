"""Defect maps: from places, from files (CSV, JSON, PNG mask), or drawn at random, spread evenly or in clusters.

A map is an array (height, width) of bool, true where the element is defective, spares included; broken links, switches
and tracks come beside it, see `breaks.py`. Used by `cli`, `yields.py` and tests.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from jumpnet.api.public import public
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.fault._wafers import draw_breaks, draw_defects
from jumpnet.fault.array import MAX_TRACKS, WaferArray
from jumpnet.fault.breaks import KINDS, Break, Breaks, breaks_from
from jumpnet.fault.png import read_mask
from jumpnet.files import read_bytes
from jumpnet.terms import Array

__all__ = [
    "DENSITY", "PATTERNS", "DefectModel", "from_file", "from_places", "random_breaks", "random_defects", "seed_number",
    "seed_probability",
]  # fmt: skip

PATTERNS = ("random", "clustered")
BREAKS = ("link", "switch", "track")
DENSITY = 0.01
"""Mean part of the elements that is defective where nothing else is said."""
MAX_BYTES = 1 << 28
HEADERS = (["row", "column"], ["kind", "row", "column", "side", "track"])

_Found = tuple[Array, Breaks | None]


@public
def from_places(array: WaferArray, places: Iterable[tuple[int, int]], where: str = "defects") -> Array:
    """The map with the given physical (row, column) places defective.

    >>> int(from_places(WaferArray(4, 4), [(0, 1), (5, 5)]).sum())
    2
    """
    height, width = array.shape
    bad = np.zeros((height, width), bool)
    for x, y in places:
        if not (0 <= x < height and 0 <= y < width):
            raise JumpnetError(
                f"{where}: element ({x}, {y}) found, rows 0 to {height - 1} and columns 0 to {width - 1} expected"
                f" (spares included)"
            )
        bad[x, y] = True
    return bad


def _mask(array: WaferArray, mask: Array, where: str) -> Array:
    if mask.shape != array.shape:
        found, wanted = ("x".join(map(str, s)) for s in (mask.shape, array.shape))
        raise JumpnetError(f"{where}: a map of {found} elements found, {wanted} expected (spares included)")
    return mask


def _whole(word: Any, where: str) -> int:
    if isinstance(word, bool) or not re.fullmatch(r"-?[0-9]{1,18}", str(word).strip()):
        raise JumpnetError(f"{where}: {str(word)[:40]!r} found, a whole number expected")
    return int(word)


def _grid(array: WaferArray, rows: list[list[Any]], where: str) -> Array:
    if not any(rows):
        raise JumpnetError(f"{where}: an empty map found, {'x'.join(map(str, array.shape))} elements expected")
    if len({len(row) for row in rows}) > 1:
        raise JumpnetError(f"{where}: rows of different lengths found, {array.shape[1]} columns expected in each")
    cells = [[_whole(c, where) for c in row] for row in rows]
    wrong = [c for row in cells for c in row if c not in (0, 1)]
    if wrong:
        raise JumpnetError(f"{where}: {wrong[0]} found in the map, 0 (good) or 1 (defective) expected")
    return _mask(array, np.array(cells, bool).reshape(len(cells), -1), where)


def _named(array: WaferArray, items: list[tuple[str, list[Any]]], where: str) -> _Found:
    """The map and the breaks from (kind, [row, column, side, track]) of each; elements have row and column only."""
    elements, broken = list[tuple[int, int]](), list[Break]()
    for kind, words in items:
        if kind != "element" and kind not in KINDS:
            raise unknown_name(f"kind of defect in {where}", kind, ["element", *KINDS])
        wanted = 2 if kind == "element" else 3 if kind == "link" else 4
        if len(words) != wanted:
            names = ", ".join(HEADERS[1][1 : 1 + wanted])
            raise JumpnetError(f"{where}: {len(words)} words for a {kind} found, {names} expected")
        x, y = _whole(words[0], where), _whole(words[1], where)
        if kind == "element":
            elements.append((x, y))
        else:
            broken.append((kind, x, y, str(words[2]).upper(), _whole(words[3], where) if wanted == 4 else 0))
    return from_places(array, elements, where), breaks_from(array, broken, where) if broken else None


def _from_csv(array: WaferArray, text: str, where: str) -> _Found:
    rows = [[c.strip() for c in row] for row in csv.reader(text.splitlines()) if any(c.strip() for c in row)]
    header = [c.lower() for c in rows[0]] if rows else []
    if header == HEADERS[0]:
        for row in rows[1:]:
            if len(row) != 2:
                raise JumpnetError(f"{where}: {len(row)} cells in a line found, row and column expected")
        return from_places(array, [(_whole(a, where), _whole(b, where)) for a, b in rows[1:]], where), None
    if header == HEADERS[1]:
        for row in rows[1:]:
            while row and not row[-1]:  # cells that the kind does not need may be left empty
                row.pop()
        return _named(array, [(row[0].lower(), row[1:]) for row in rows[1:]], where)
    if rows and rows[0][0][:1].isalpha():
        wanted = " or ".join(map(",".join, HEADERS))
        raise JumpnetError(f"{where}: header {','.join(rows[0])[:60]!r} found, {wanted} expected, or rows of 0 and 1")
    return _grid(array, rows, where), None


def _from_json(array: WaferArray, text: str, where: str) -> _Found:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise JumpnetError(f"{where}: not JSON ({str(error)[:60]})") from None
    if isinstance(data, dict):
        kinds = {"defects": "element", "links": "link", "switches": "switch", "tracks": "track"}
        if not data:
            raise JumpnetError(f"{where}: no keys found, some of {', '.join(kinds)} expected")
        for key in data:
            if key not in kinds:
                raise unknown_name(f"key of {where}", key, kinds)
        shapes = {"defects": "[row, column]", "links": "[row, column, side]"}
        for key, places in data.items():
            if not isinstance(places, list) or any(
                not isinstance(p, list) or (key == "defects" and len(p) != 2) for p in places
            ):
                shape = shapes.get(key, "[row, column, side, track]")
                raise JumpnetError(f"{where}: {key!r} must be a list of {shape}")
        return _named(array, [(kinds[key], place) for key, places in data.items() for place in places], where)
    if not isinstance(data, list) or any(not isinstance(row, list) for row in data):
        raise JumpnetError(f"{where}: a list of rows of 0 and 1, or {{'defects': [[row, column], ...]}} expected")
    return _grid(array, data, where), None


def from_file(array: WaferArray, path: str) -> _Found:
    """The map in a file, and what else is broken (None for nothing).

    `.csv`: a grid of 0 and 1, or a header row,column and places, or a header kind,row,column,side,track with kinds
    element, link, switch and track. `.json`: a grid, or {"defects": [[row, column], ...]}, with it or instead "links":
    [[row, column, side], ...], "switches" and "tracks": [[row, column, side, track], ...]. `.png`: one pixel an
    element, dark is defective. What side and track mean: `breaks.Break`.

    Raises JumpnetError, in one line, for a file that cannot be read, is not what its ending says, or does not fit.
    """
    file = Path(path)
    kind = file.suffix.lower()
    readers = {".csv": _from_csv, ".json": _from_json}
    if kind != ".png" and kind not in readers:
        raise unknown_name("kind of defect file", kind or file.name, [*readers, ".png"])
    data = read_bytes(path, MAX_BYTES, "a defect file expected")
    if kind == ".png":
        return _mask(array, read_mask(data, path, array.shape), path), None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise JumpnetError(f"{path}: bytes that are not UTF-8 text found, {kind[1:].upper()} expected") from None
    try:
        return readers[kind](array, text, path)
    except csv.Error as error:
        raise JumpnetError(f"{path}: not CSV ({error})") from None


def seed_probability(density: float, pattern: str) -> float:
    """The probability per element that a defect (or a cluster of them) starts there, for a mean density.

    A cluster spoils its seed and each of the eight elements round it with probability 1/2; an element is good when
    neither its own place nor a hit from a neighbour spoils it: 1 - density = (1 - q) (1 - q / 2)^8, solved for q.

    >>> round(seed_probability(0.05, "clustered"), 5), seed_probability(0.05, "random")
    (0.01023, 0.05)
    """
    if pattern not in PATTERNS:
        raise unknown_name("defect pattern", pattern, PATTERNS)
    if not 0.0 <= density < 1.0:
        raise JumpnetError(f"density {density} found, 0 or more and less than 1 expected")
    if pattern == "random":
        return density
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if (1 - middle) * (1 - middle / 2) ** 8 > 1 - density else (low, middle)
    return low


def seed_number(seed: int) -> int:
    """The seed, when a kernel can take it: 0 to 2**63 - 1; raises JumpnetError for another.

    >>> seed_number(7)
    7
    """
    if not 0 <= seed < 2**63:
        raise JumpnetError(f"seed {seed} found, 0 to 2**63 - 1 expected")
    return seed


def random_defects(array: WaferArray, density: float, seed: int = 1, wafer: int = 0, pattern: str = "random") -> Array:
    """The map of wafer number `wafer` of a seed: `density` is the mean fraction of defective elements.

    >>> int(random_defects(WaferArray(16, 16), 0.05, seed=3).sum())
    8
    """
    bad = np.empty(array.shape, bool)
    q = seed_probability(density, pattern)
    draw_defects(np.int64(seed_number(seed)), np.int64(wafer), int(q * 2**63), pattern == "clustered", bad)
    return bad


def _thresholds(links: float, switches: float, tracks: float, pattern: str) -> list[int]:
    """Numbers below which a draw is a broken link, switch and piece of track. Raises JumpnetError."""
    densities = links, switches, tracks
    for kind, density in zip(BREAKS, densities, strict=True):
        if not 0.0 <= density < 1.0:
            raise JumpnetError(f"{kind} density {density} found, 0 or more and less than 1 expected")
    return [int(seed_probability(density, pattern) * 2**63) for density in densities]


def random_breaks(
    array: WaferArray,
    links: float = 0.0,
    switches: float = 0.0,
    tracks: float = 0.0,
    seed: int = 1,
    wafer: int = 0,
    pattern: str = "random",
) -> Breaks | None:
    """What is broken on wafer number `wafer` of a seed: links, switches and pieces of track, with these mean densities.

    Each breaks on its own, or in clusters as elements do (`seed_probability`): links across neighbouring gaps and lines
    together, likewise switches of one track, and pieces of one track. None for densities of 0. The defective elements
    of the same wafer do not depend on them.

    >>> broken = random_breaks(WaferArray(16, 16), links=0.01, seed=3)
    >>> int((broken.rows > 0).sum()), int((broken.columns > 0).sum())
    (5, 5)
    """
    thresholds = _thresholds(links, switches, tracks, pattern)
    if not any((links, switches, tracks)):
        return None
    found = breaks_from(array)
    for which, broken in enumerate((found.rows, found.columns)):
        if pattern == "random":
            draw_breaks(np.int64(seed_number(seed)), np.int64(wafer), *thresholds, which, broken)
            continue
        hit = np.empty(broken.shape[:2], bool)
        for number, (kind, threshold) in enumerate(zip(BREAKS, thresholds, strict=True)):
            for t in range(1 if kind == "link" else array.tracks):
                # A stream of its own for each map, far beyond the wafers' numbers.
                stream = wafer + (((2 * number + which) * MAX_TRACKS + t + 1) << 32)
                draw_defects(np.int64(seed_number(seed)), np.int64(stream), threshold, True, hit)
                if kind == "track":
                    hit[:, -1] = False  # tracks do not go round
                bits = np.where(hit, KINDS[kind], 0).astype(np.int8)
                broken[:, :, slice(None) if kind == "link" else slice(t, t + 1)] |= bits[:, :, None]
    return found


@public
@dataclass(frozen=True)
class DefectModel:
    """How defects are drawn: wafer w of a seed is the same for every method and whatever else is asked.

    Raises JumpnetError for densities, patterns and seeds that are none.

    >>> bad, breaks = DefectModel(0.05, seed=3).wafer(WaferArray(16, 16))
    >>> int(bad.sum()), breaks
    (8, None)
    """

    density: float = DENSITY
    """Mean fraction of defective elements, spares included."""
    pattern: str = PATTERNS[0]
    seed: int = 1
    link_density: float = 0.0
    """Probability of a broken link."""
    switch_density: float = 0.0
    """Probability of a broken switch."""
    track_density: float = 0.0
    """Probability of a broken piece of track between two neighbouring switches."""

    def __post_init__(self) -> None:
        _thresholds(*self.of_breaks, self.pattern)
        seed_probability(self.density, self.pattern)
        seed_number(self.seed)

    @property
    def of_breaks(self) -> tuple[float, float, float]:
        """Densities of broken links, switches and pieces of track."""
        return self.link_density, self.switch_density, self.track_density

    def wafer(self, array: WaferArray, number: int = 0) -> tuple[Array, Breaks | None]:
        """The map and the breaks of wafer `number`, from 0 on."""
        breaks = random_breaks(array, *self.of_breaks, self.seed, number, self.pattern)
        return random_defects(array, self.density, self.seed, number, self.pattern), breaks
