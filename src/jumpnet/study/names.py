"""Names of points: the hash of a resolved configuration and of the model's version.

`Names` finds the names of a whole curve; what its settings mean is kept in the store, so that listing a study loads
neither networks nor the simulator. Used by `study/run.py` and `study/results.py`.
A network in a file, a graph and what a user has added are named by their content too (`CONTENT`): their names stay the
same when the file is edited.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from jumpnet.own import WITHOUT_DEFINITION
from jumpnet.registry import users

__all__ = [
    "CONTENT", "OWN", "Meanings", "Names", "Resolve", "canonical", "is_unsure", "names_before", "point_hash",
    "sources_key",
]  # fmt: skip

Config = dict[str, Any]
Resolve = Callable[[Config, float], Config]
"""`resolve(point, load)`: the complete configuration of a curve's point at a load."""

HASH_DIGITS = 32
OWN = "own"
"""Key of the user's files that a point needs, by name with their hashes; a point that needs none has no such key."""
CONTENT = "content"
"""Key of the hashes of what specs do not say: `network`, and functions of the user's by name; points whose specs say it
all have no such key."""
_PACKAGE = Path(__file__).parents[1]
CUT_LOAD = -1.0
"""Stands for the load where a configuration is cut in two around it."""


def canonical(value: Any) -> str:
    """A configuration (or a part of it) as JSON, equal for equal ones: keys in order, no spaces, no NaN.

    >>> canonical({"b": 1, "a": 0.1})
    '{"a":0.1,"b":1}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def point_hash(config: Mapping[str, Any], model: str) -> str:
    """The name of a point: hash of its resolved configuration and of the version of the model.

    >>> len(point_hash({"load": 0.1}, "1"))
    32
    """
    return hashlib.sha256(f"{model}\n{canonical(config)}".encode()).hexdigest()[:HASH_DIGITS]


def is_unsure(config: Mapping[str, Any]) -> bool:
    """Whether a configuration leaves open what the network was, as those of earlier versions may.

    >>> is_unsure({"network": "file:a.edgelist"}), is_unsure({"network": "torus:4x4"})
    (True, False)
    """
    return CONTENT not in config and (OWN in config or _family(config) in WITHOUT_DEFINITION)


def _family(config: Mapping[str, Any]) -> str:
    return str(config.get("network")).partition(":")[0].strip()


def names_before(configs: Iterable[Mapping[str, Any]], model: str) -> list[str]:
    """What earlier versions called points that are named by their content now."""
    return [
        point_hash({key: value for key, value in config.items() if key != CONTENT}, model)
        for config in configs
        if CONTENT in config
    ]


@cache
def sources_key() -> str:
    """Hash of the names, sizes and times of this package's source files: whatever an edit may change is keyed by it."""

    def files(folder: str) -> Iterator[os.DirEntry[str]]:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir():
                    yield from files(entry.path)
                elif entry.name.endswith(".py"):
                    yield entry

    found = ((entry.path, entry.stat()) for entry in files(str(_PACKAGE)))
    lines = sorted(f"{path} {about.st_size} {about.st_mtime_ns}" for path, about in found)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


class Meanings(Protocol):
    """Where resolved configurations are kept: a `Store`."""

    def meaning(self, settings: str, sources: str) -> str | None:
        """What settings resolved to when the sources had this key; None where that is not kept."""

    def keep_meanings(self, found: Mapping[str, str], sources: str) -> None:
        """Keep what settings resolve to while the sources have this key."""


class Names:
    """The names of the points of a study's curves.

    A curve's settings are resolved once and kept under a hash of these settings, of the model and of the sources;
    networks in files and anything a user has added in this process are resolved each time.
    """

    def __init__(self, kept: Meanings, resolve: Resolve, model: str) -> None:
        self._kept, self._resolve, self.model = kept, resolve, model
        self._fresh: dict[str, str] = {}

    def of(self, point: Config) -> Callable[[float], str]:
        """`name(load)` of a curve's points, each equal to `point_hash(resolve(point, load), model)`."""
        return self.of_meaning(self.meaning(point))

    def of_meaning(self, config: Config) -> Callable[[float], str]:
        """As `of`, from what a curve's settings mean."""
        if "load" not in config:
            name = point_hash(config, self.model)
            return lambda load: name
        before, after = canonical({**config, "load": CUT_LOAD}).split(f'"load":{CUT_LOAD}')
        start = hashlib.sha256(f'{self.model}\n{before}"load":'.encode())

        def at(load: float) -> str:
            whole = start.copy()
            whole.update(f"{canonical(load)}{after}".encode())
            return whole.hexdigest()[:HASH_DIGITS]

        return at

    def save(self) -> None:
        """Keep what had to be resolved, in one transaction."""
        if self._fresh:
            self._kept.keep_meanings(self._fresh, sources_key())
            self._fresh = {}

    def meaning(self, point: Config) -> Config:
        """The resolved configuration of a curve at some load."""
        if users.extended or _family(point) in WITHOUT_DEFINITION:
            return self._resolve(point, 0.0)
        key = hashlib.sha256(f"{self.model}\n{canonical(point)}".encode()).hexdigest()
        text = self._fresh.get(key) or self._kept.meaning(key, sources_key())
        if text is None:
            resolved = self._resolve(point, 0.0)
            if users.extended:  # by a package, which was looked for where a name was not known
                return resolved
            text = self._fresh[key] = canonical(resolved)
        found: Config = json.loads(text)
        return found
