"""Networks from files: BookSim anynet, edge lists, GraphML, adjacency matrices; nothing in a file is ever executed.

The readers are `_anynet`, `_edgelist`, `_graphml` and `_matrix`; `graph/exchange.py` writes the first three.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from jumpnet.networks import Network
from jumpnet.topology._anynet import read_anynet
from jumpnet.topology._edgelist import read_edgelist
from jumpnet.topology._family import Family
from jumpnet.topology._graphml import read_graphml
from jumpnet.topology._linkfile import read_bytes, text_lines
from jumpnet.topology._matrix import read_matrix

__all__ = ["FileNetwork"]

EXAMPLES = Path(__file__).with_name("examples")
SUFFIXES = {
    ".anynet": "anynet",
    ".graphml": "graphml",
    ".xml": "graphml",
    ".edgelist": "edgelist",
    ".edges": "edgelist",
    ".csv": "matrix",
}


@dataclass(frozen=True)
class FileNetwork(Family):
    """`file:my.anynet`: a network from an anynet file, an edge list, GraphML or an adjacency matrix.

    format: `auto` goes by the suffix (.anynet, .edgelist, .edges, .graphml, .xml, .csv), else by the first word. A bare
    name that is not in the current folder may be one of the examples that come along: example.anynet, .edgelist,
    .graphml.
    Routers with integer names are numbered in ascending order, others as they appear; names are kept as labels. Ports
    are in the order of the neighbors. An anynet router has the terminals the file says (none is possible), others one
    each unless the file says so. An anynet whose node numbers do not ascend with the routers has them, in terminal
    order, as the attribute `nodes`. A spec string cannot hold a path with a comma.
    """

    path: str
    """The file."""
    format: Literal["auto", "anynet", "edgelist", "graphml", "matrix"] = "auto"
    """Format of the file; `auto` goes by its suffix, else by its first word."""

    name: ClassVar[str] = "file"
    samples: ClassVar[tuple[str, ...]] = ("file:example.anynet", "file:example.edgelist", "file:example.graphml")

    def build(self) -> Network:
        path = Path(self.path)
        if path.name == self.path and not path.exists() and (EXAMPLES / path).is_file():
            path = EXAMPLES / path
        data = read_bytes(path)
        kind = self._kind(path, data)
        nodes = None
        if kind == "graphml":
            file = read_graphml(path, data)
        elif kind == "anynet":
            file, nodes = read_anynet(path, text_lines(path, data))
        elif kind == "matrix":
            file = read_matrix(path, text_lines(path, data))
        else:
            file = read_edgelist(path, text_lines(path, data))
        return file.network(self.spec, {**self.attributes, **({} if nodes is None else {"nodes": nodes})})

    def _kind(self, path: Path, data: bytes) -> str:
        if self.format != "auto":
            return self.format
        if path.suffix.lower() in SUFFIXES:
            return SUFFIXES[path.suffix.lower()]
        for line in data[:65536].removeprefix(b"\xef\xbb\xbf").splitlines():
            words = line.split()
            if words and not words[0].startswith((b"#", b"%", b"//")):
                if words[0].startswith(b"<"):
                    return "graphml"
                return "anynet" if words[0].lower() in (b"router", b"node") else "edgelist"
        return "edgelist"
