"""Reader of GraphML, streaming and bounded: no document type, no entities, no nesting, no external anything.

Source: the GraphML primer (Brandes et al.). Read are nodes, edges, and the data `terminals`, `sinks` (nodes),
`latency`, `latency_back` (edges, cycles); other data is skipped. Used by the family `file`.
"""

from __future__ import annotations

from pathlib import Path
from xml.parsers import expat

from jumpnet.errors import JumpnetError
from jumpnet.topology._linkfile import LinkFile

__all__ = ["read_graphml"]

MAX_DEPTH = 12
MAX_DATA_CHARACTERS = 4096
WANTED = ("terminals", "sinks", "latency", "latency_back")


class _Reader:
    """Handlers of the parser's events."""

    def __init__(self, path: Path):
        self.file = LinkFile(path)
        # Expat's namespace support is not asked for, so that prefixes can be cut off without a table of their own.
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.text
        self.parser.StartDoctypeDeclHandler = self.doctype
        self.parser.EntityDeclHandler = self.doctype
        self.read_as = {
            "key": self._key,
            "graph": self._graph,
            "node": self._node,
            "edge": self._edge,
            "data": self._data,
        }
        """What is done where an element of a name opens."""
        self.path: list[str] = []
        self.names: dict[str, str] = {}
        """attr.name of each wanted key id."""
        self.key: str | None = None
        """Name of the wanted data element that is open."""
        self.value = ""
        self.node: int | None = None
        self.edge: tuple[int, int] | None = None
        self.data: dict[str, int] = {}
        self.graphs = 0
        self.declared: set[int] = set()
        """Routers that a <node> names."""
        self.line_of: dict[int, int] = {}
        """Line of the first edge to each router that was not declared before it."""

    def read(self, data: bytes) -> LinkFile:
        """Parse everything."""
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            self.file.line = error.lineno
            self.file.fail(f"not well-formed XML ({expat.ErrorString(error.code)})")
        except (ValueError, LookupError) as error:  # an encoding that Python does not know
            if isinstance(error, JumpnetError):
                raise
            self.file.fail("text in an unknown encoding found, UTF-8 expected")
        if self.graphs == 0:
            self.file.fail("no <graph> found, a GraphML document expected")
        for router in self.line_of.keys() - self.declared:
            self.file.line = self.line_of[router]
            self.file.fail(f"an edge to {self.file.shown(list(self.file.number)[router])} found, which is no node")
        return self.file

    def doctype(self, *_: object) -> None:
        """Refuse entities before any could be defined."""
        self._here()
        self.file.fail("a document type or entity found; GraphML without one expected")

    def start(self, tag: str, about: dict[str, str]) -> None:
        """An element opens."""
        self._here()
        name = tag.rpartition(":")[2]
        self.path.append(name)
        if len(self.path) > MAX_DEPTH:
            self.file.fail(f"elements nested more than {MAX_DEPTH} deep found")
        if len(self.path) == 1 and name != "graphml":
            self.file.fail(f"<{self.file.shown(name)[1:-1]}> found, <graphml> expected")
        if name in ("port", "hyperedge") or (name == "graph" and self.graphs):
            self.file.fail(f"<{name}> found, one plain graph expected")
        if name in self.read_as:
            self.read_as[name](about)

    def _key(self, about: dict[str, str]) -> None:
        if about.get("attr.name") in WANTED:
            self.names[self._attribute(about, "id")] = about["attr.name"]

    def _graph(self, about: dict[str, str]) -> None:
        self.graphs = 1
        self.file.directed = self._is_directed(about.get("edgedefault", "undirected"))

    def _node(self, about: dict[str, str]) -> None:
        self.node = self.file.router(self._attribute(about, "id"))
        if self.node in self.declared:
            self.file.fail(f"node {self.file.shown(about['id'])} found twice")
        self.declared.add(self.node)

    def _edge(self, about: dict[str, str]) -> None:
        if "directed" in about and (about["directed"] == "true") != self.file.directed:
            self.file.fail("an edge unlike the graph's edgedefault found; all two-way or all directed expected")
        ends = [self._attribute(about, end) for end in ("source", "target")]
        self.edge = (self.file.router(ends[0]), self.file.router(ends[1]))
        for router in self.edge:
            if router not in self.declared:
                self.line_of.setdefault(router, self.file.line)

    def _data(self, about: dict[str, str]) -> None:
        self.key, self.value = self.names.get(about.get("key", "")), ""

    def text(self, text: str) -> None:
        """Characters: only those of wanted data are kept."""
        if self.key is not None:
            self._here()
            if len(self.value) + len(text) > MAX_DATA_CHARACTERS:
                self.file.fail(f"more than {MAX_DATA_CHARACTERS} characters in <data> found")
            self.value += text

    def end(self, tag: str) -> None:
        """An element closes."""
        self._here()
        name = self.path.pop()
        if name == "data" and self.key is not None:
            word = self.value.strip()
            endpoint = self.key in ("terminals", "sinks")
            self.data[self.key] = self.file.endpoints(word) if endpoint else self.file.cycles(word)
            self.key = None
        elif name == "node" and self.node is not None:
            if "terminals" in self.data:
                self.file.terminals[self.node] = self.data["terminals"]
            if "sinks" in self.data:
                self.file.sinks[self.node] = self.data["sinks"]
            self.node, self.data = None, {}
        elif name == "edge" and self.edge is not None:
            cycles = self.data.get("latency", 0)
            self.file.link(*self.edge, cycles, self.data.get("latency_back", cycles))
            self.edge, self.data = None, {}

    def _here(self) -> None:
        self.file.line = self.parser.CurrentLineNumber

    def _attribute(self, about: dict[str, str], name: str) -> str:
        if not about.get(name):
            self.file.fail(f"<{self.path[-1]}> without {name} found")
        return about[name]

    def _is_directed(self, word: str) -> bool:
        if word not in ("directed", "undirected"):
            self.file.fail(f"edgedefault {self.file.shown(word)} found, directed or undirected expected")
        return word == "directed"


def read_graphml(path: Path, data: bytes) -> LinkFile:
    """Parse a GraphML document; raises JumpnetError with `path:line`."""
    return _Reader(path).read(data)
