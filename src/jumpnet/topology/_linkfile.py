"""What the readers of network files share: bounded reading, messages with file and line, the list of links they fill.

Used by `_anynet`, `_edgelist`, `_graphml` and the family `file`. Files come from anywhere, so every size is limited.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

import numpy as np

from jumpnet import files
from jumpnet.errors import PACKERS, JumpnetError, file_error
from jumpnet.networks import Network, from_links
from jumpnet.terms import I64, MAX_LATENCY_CYCLES

__all__ = ["LinkFile", "read_bytes", "text_lines", "whole_number"]

MAX_BYTES = 128 << 20
MAX_ROUTERS = 1 << 22
MAX_LINKS = 1 << 23
MAX_TERMINALS = 1 << 20
MAX_NAME_CHARACTERS = 1000


def _shown(text: str) -> str:
    """A word of a file as it may appear in a message: short, without control characters."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


def read_bytes(path: Path) -> bytes:
    """The bytes of a regular file of at most MAX_BYTES; raises JumpnetError for anything else."""
    return files.read_bytes(path, MAX_BYTES, "a network file expected")


def text_lines(path: Path, data: bytes) -> list[str]:
    """The lines of a UTF-8 text; raises JumpnetError, with the line, for binary content."""
    bad = data.find(b"\0")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if data.startswith(tuple(PACKERS)):
            raise file_error(path, error, "a network file expected") from None
        bad = error.start if bad < 0 else min(bad, error.start)
    if bad >= 0:
        line = data.count(b"\n", 0, bad) + 1
        raise JumpnetError(f"{path}:{line}: binary data found, text expected")
    return text.split("\n")


def whole_number(word: str, largest: int) -> int | None:
    """The number 0..largest that a word spells in plain digits, or None.

    >>> whole_number("12", 100), whole_number("-1", 100), whole_number("1e3", 100), whole_number("101", 100)
    (12, None, None, None)
    """
    if not (word.isascii() and word.isdigit()) or len(word) > 18:
        return None
    value = int(word)
    return value if value <= largest else None


@dataclass
class LinkFile:
    """A network file as it is read: routers by name, and links between them. Methods raise with `path:line`."""

    path: Path
    line: int = 0
    """Number of the line that is being read."""
    number: dict[str, int] = field(default_factory=dict)
    """Router number of each name, in order of appearance."""
    terminals: dict[int, int] = field(default_factory=dict)
    """Terminals of the routers for which the file gives a number."""
    sinks: dict[int, int] = field(default_factory=dict)
    """Sinks likewise; as many as terminals when not given."""
    missing_terminals: int = 1
    """Terminals of a router for which the file gives no number."""
    ends: list[tuple[int, int]] = field(default_factory=list)
    latency: list[tuple[int, int]] = field(default_factory=list)
    """Cycles there and back of each link; 0 where the file gives none."""
    directed: bool = False

    def fail(self, message: str) -> NoReturn:
        """Raise JumpnetError that starts with the file and the line."""
        raise JumpnetError(f"{self.path}:{self.line}: {message}")

    def router(self, name: str) -> int:
        """The number of the router with this name; a new one when it is new."""
        known = self.number.get(name)
        if known is not None:
            return known
        if len(name) > MAX_NAME_CHARACTERS:
            self.fail(f"a name of {len(name)} characters found, at most {MAX_NAME_CHARACTERS} expected")
        if len(self.number) >= MAX_ROUTERS:
            self.fail(f"more than {MAX_ROUTERS} routers found")
        self.number[name] = len(self.number)
        return len(self.number) - 1

    def link(self, here: int, there: int, cycles: int = 0, cycles_back: int = 0) -> None:
        """Add a link."""
        if here == there:
            self.fail("a link from a router to itself found, two routers expected")
        if len(self.ends) >= MAX_LINKS:
            self.fail(f"more than {MAX_LINKS} links found")
        self.ends.append((here, there))
        self.latency.append((cycles, cycles_back))

    def cycles(self, word: str) -> int:
        """A latency."""
        value = whole_number(word, MAX_LATENCY_CYCLES)
        if not value:
            self.fail(f"latency {_shown(word)} found, 1 to {MAX_LATENCY_CYCLES} cycles expected")
        return value

    def endpoints(self, word: str) -> int:
        """A number of terminals or sinks."""
        value = whole_number(word, MAX_TERMINALS)
        if value is None:
            self.fail(f"{_shown(word)} terminals found, 0 to {MAX_TERMINALS} expected")
        return value

    def shown(self, word: str) -> str:
        """A word of the file for a message."""
        return _shown(word)

    def network(self, spec: str, attributes: dict[str, object]) -> Network:
        """The network: integer names in ascending order, other names in order of appearance.

        Raises JumpnetError when the file has no router.
        """
        names, routers = list(self.number), len(self.number)
        if routers == 0:
            raise JumpnetError(f"{self.path}: no router found, at least one expected")
        new = np.arange(routers)
        if all(whole_number(name, 10**18) is not None for name in names):
            ascending = sorted(range(routers), key=lambda i: int(names[i]))
            names = [names[i] for i in ascending]
            new[ascending] = np.arange(routers)
        ends = new[np.array(self.ends, np.int64).reshape(-1, 2)]
        latency = np.array(self.latency, np.int64).reshape(-1, 2)
        order = (
            np.lexsort((ends[:, 1], ends[:, 0])) if self.directed else np.lexsort((ends.max(axis=1), ends.min(axis=1)))
        )
        return from_links(
            spec,
            "file",
            routers,
            ends[order],
            latency=_latency(latency[order]),
            directed=self.directed,
            terminals=self._per_router(self.terminals, new),
            sinks=self._per_router({**self.terminals, **self.sinks}, new),
            labels=None if names == [str(i) for i in range(routers)] else tuple(names),
            attributes=attributes,
        )

    def _per_router(self, given: dict[int, int], new: I64) -> I64:
        result = np.full(len(new), self.missing_terminals, np.int32)
        for router, count in given.items():
            result[new[router]] = count
        return result


def _latency(given: I64) -> I64 | None:
    """None when no link has one, else 1 cycle where a file that gives some leaves one out."""
    return np.maximum(given, 1) if given.any() else None
