"""Reader of BookSim's anynet files: one line a router, with its nodes and the routers it is joined to.

Source: BookSim 2, `anynet.cpp` and its example's README: `router 0 node 0 node 1 router 1 router 2 15`; a number after
a router is the latency in cycles of that direction, 1 where nothing is said. Used by the family `file`.
"""

from __future__ import annotations

from pathlib import Path

from jumpnet.topology._linkfile import LinkFile, whole_number

__all__ = ["read_anynet"]

MAX_ID = 1 << 31
"""Router and node ids are names, not array sizes; this bound is that of BookSim's integers."""


class _Anynet:
    """State of one reading."""

    def __init__(self, file: LinkFile):
        self.file = file
        self.cycles: dict[tuple[int, int], int] = {}
        """Latency of each direction stated so far, 0 where the statement gives none."""
        self.router_of: dict[int, int] = {}
        """Router of each node."""

    def statement(self, words: list[str]) -> None:
        """One line: a router or node, then what it is joined to."""
        head, at = self._item(words, 0)
        if at == len(words) and head[0] == "router":
            self.file.router(str(head[1]))
        while at < len(words):
            body, at = self._item(words, at)
            latency = ""
            if at < len(words) and words[at].lower() not in ("router", "node"):
                latency, at = words[at], at + 1
            self._join(head, body, self.file.cycles(latency) if latency else 0)

    def _item(self, words: list[str], at: int) -> tuple[tuple[str, int], int]:
        kind = words[at].lower()
        if kind not in ("router", "node"):
            self.file.fail(f"{self.file.shown(words[at])} found, router or node expected")
        if at + 1 == len(words):
            self.file.fail(f"the line ends after {kind!r}, its number expected")
        number = whole_number(words[at + 1], MAX_ID)
        if number is None:
            self.file.fail(f"{kind} {self.file.shown(words[at + 1])} found, a number 0 to {MAX_ID} expected")
        return (kind, number), at + 2

    def _join(self, head: tuple[str, int], body: tuple[str, int], cycles: int) -> None:
        if head[0] == "node" and body[0] == "node":
            self.file.fail(f"node {head[1]} joined to node {body[1]} found, a router expected")
        if head[0] == body[0]:
            here, there = self.file.router(str(head[1])), self.file.router(str(body[1]))
            if here == there:
                self.file.fail(f"router {head[1]} joined to itself found, two routers expected")
            if (here, there) in self.cycles:
                self.file.fail(f"router {head[1]} joined to router {body[1]} twice; anynet has no parallel links")
            self.cycles[here, there] = cycles
            return
        node, name = (head[1], body[1]) if head[0] == "node" else (body[1], head[1])
        router = self.file.router(str(name))
        if cycles > 1:
            self.file.fail(f"latency {cycles} between node {node} and its router found, 1 expected")
        if node in self.router_of:
            other = list(self.file.number)[self.router_of[node]]
            self.file.fail(f"node {node} at router {name} found, but it is already at router {other}")
        self.router_of[node] = router
        self.file.terminals[router] = self.file.terminals.get(router, 0) + 1

    def finish(self) -> tuple[int, ...] | None:
        """Fill the links; return the nodes in the order of the terminals when that is not 0, 1, 2, .."""
        for (here, there), cycles in self.cycles.items():
            back = self.cycles.get((there, here))
            if back is None or here < there:
                self.file.link(here, there, cycles, back or 0)
        ids = {number: int(name) for name, number in self.file.number.items()}
        nodes = tuple(sorted(self.router_of, key=lambda node: (ids[self.router_of[node]], node)))
        return None if nodes == tuple(range(len(nodes))) else nodes


def read_anynet(path: Path, lines: list[str]) -> tuple[LinkFile, tuple[int, ...] | None]:
    """Parse the lines of an anynet file; blank lines and lines that start with # or // are skipped.

    Returns the links, and the node ids in terminal order when they are not simply ascending with the routers.
    Raises JumpnetError with `path:line`.
    """
    file = LinkFile(path, missing_terminals=0)
    state = _Anynet(file)
    for file.line, line in enumerate(lines, 1):
        words = line.split()
        if words and not words[0].startswith(("#", "//")):
            state.statement(words)
    return file, state.finish()
