"""The links of a Network as a list: what every exporter writes. Used by the exporters of `graph/` and `cli/`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from jumpnet.errors import file_error
from jumpnet.files import write_bytes
from jumpnet.networks import Network
from jumpnet.terms import I64

__all__ = ["Links", "joined_routers", "links_of", "name_of", "names_of", "nodes_of", "write_lines"]


class Links(NamedTuple):
    """The links of a network, one row each (every channel of a directed one), in order of router and port."""

    ends: I64
    """(L, 2) router at each end."""
    ports: I64
    """(L, 2) port at each end (output port, input port)."""
    latency: I64
    """(L, 2) cycles there and back; 0 where the network says nothing."""
    link_class: I64
    """(L, 2) link class of the channel there and of the channel back."""


def links_of(net: Network) -> Links:
    """Each link once, from the end with the smaller (router, port). Cost: O(R P).

    >>> from jumpnet.topology import build
    >>> links_of(build("torus:3")).ends.tolist()
    [[0, 1], [0, 2], [1, 2]]
    """
    router, port, far = net.link_ends
    far_port = net.far_port[router, port]

    def both(table: I64) -> I64:
        """(L, 2) entries of a table of ports, of both directions of each link."""
        there = table[router, port]
        return np.stack([there, there if net.directed else table[far, far_port]], axis=1).astype(np.int64)

    return Links(
        np.stack([router, far], axis=1),
        np.stack([port, far_port], axis=1),
        np.zeros((len(router), 2), np.int64) if net.latency is None else both(net.latency),
        both(net.link_class),
    )


def joined_routers(net: Network) -> set[tuple[int, int]]:
    """The pairs of routers with a link, the smaller number first.

    >>> from jumpnet.topology import build
    >>> sorted(joined_routers(build("torus:3")))
    [(0, 1), (0, 2), (1, 2)]
    """
    router, _, far = net.channel_ends
    return set(zip(np.minimum(router, far).tolist(), np.maximum(router, far).tolist(), strict=True))


def name_of(net: Network, router: int) -> str:
    """The label of a router, or its number where it has none."""
    return str(router) if net.labels is None else net.labels[router]


def nodes_of(net: Network) -> list[Any]:
    """What stands for each router: the node objects of the NetworkX graph that it was made from, labels, or numbers.

    >>> from jumpnet.topology import build
    >>> nodes_of(build("mesh:3"))
    [0, 1, 2]
    """
    if net.given is not None and net.given[1] == net.digest:
        return list(net.given[0].nodes)
    return list(range(net.routers)) if net.labels is None else list(net.labels)


def names_of(net: Network) -> list[str]:
    """The label of each router, or its number where it has none."""
    return [str(i) for i in range(net.routers)] if net.labels is None else list(net.labels)


def write_lines(path: str | Path, lines: Iterable[str]) -> None:
    """Write lines to a UTF-8 file; raises JumpnetError when that is not possible.

    All lines are made first, so that a network that the format cannot say leaves the file as it was.
    """
    text = "".join(f"{line}\n" for line in lines)
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        raise file_error(path, error, "a file that can be written expected") from None
    write_bytes(path, data)
