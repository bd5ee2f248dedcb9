"""What a directory encoding is: how many bits an entry takes, and which messages one update or invalidation costs.

Called by the report, the coherence protocols and `cli`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from jumpnet.errors import JumpnetError
from jumpnet.own.hooks import call_hook
from jumpnet.own.trial import shown
from jumpnet.topology import family

__all__ = ["Delivery", "Encoding", "EntryBits", "nodes_of", "pointer_bits", "tables_for"]


@dataclass(frozen=True)
class EntryBits:
    """Storage of one directory entry."""

    entry: int
    """Bits in the directory, whatever the number of copies."""
    per_copy: int = 0
    """Bits in each cache that holds a copy."""


@dataclass(frozen=True)
class Delivery:
    """One coherence message to all holders of copies."""

    receivers: int
    """Nodes that take the message from the network."""
    unnecessary: int
    """Receivers that hold no copy."""
    packets: int
    """Packets that the home node sends itself; a multicast is one, a broadcast too."""
    serial: int
    """Messages that wait for each other: 1 for a multicast, the number of copies where they are sent one by one."""
    evicted: int = 0
    """Copies that had to be given up earlier because the entry could not name them."""


@dataclass(frozen=True)
class Encoding:
    """A directory encoding."""

    name: str
    """Registered name, e.g. `full_map`."""
    bits: Callable[[int], EntryBits]
    """`bits(nodes)`."""
    deliver: Callable[[str, int, tuple[int, ...]], Delivery]
    """`deliver(spec, home, holders)`: holders are different nodes, the home not among them, in the order of arrival."""
    source: str = ""
    """Where it comes from."""
    summary: str = ""
    """One line for a list."""
    parameters: str = ""
    """What was fixed, e.g. `6 pointers`."""
    scheme: str = ""
    """The bit-map scheme of `multicast` that delivers its messages, so that kernels can count many at once."""
    by_number: bool = False
    """The delivery depends on how many holders there are, not on which."""
    pointers: int = 0
    """Nodes that an entry can name, 0 where it can name all of them."""
    evicts: bool = False
    """An entry without a free pointer takes the oldest copy away; otherwise it no longer names any node."""
    chained: bool = False
    """A message goes from holder to holder."""
    invalidates: str = "msi"
    """The protocol whose tables `invalidate` stands for where entries are such ones."""
    updates: str = "update"
    """The same of `update`."""

    def __post_init__(self) -> None:
        for what in ("bits", "deliver"):
            if not callable(given := getattr(self, what)):
                raise JumpnetError(f"encoding {self.name}: {what} {shown(given)} found, a function expected")

    def message(self, spec: str, home: int, holders: tuple[int, ...]) -> Delivery:
        """The cost of one message from the home node to all holders of copies on a network.

        Raises JumpnetError for repeated holders or the home among them, and whatever `deliver` raises.

        >>> from jumpnet.coherence.encoding import encoding
        >>> encoding("full_map").message("prdt:16", 0, (3, 5)).receivers
        2
        """
        if len(set(holders)) != len(holders) or home in holders:
            raise JumpnetError(f"holders {holders} of home {home} found, different nodes without the home expected")
        if not holders:
            return Delivery(0, 0, 0, 0)
        found: Delivery = call_hook(f"encoding {self.name}", "deliver", self.deliver, spec, home, holders)
        if not isinstance(found, Delivery):
            raise JumpnetError(f"encoding {self.name}: deliver gives {shown(found)}, a Delivery expected")
        return found


def tables_for(protocol: str, used: Encoding | None) -> str:
    """The name of the tables that a protocol of the machines stands for with an encoding; some have several.

    >>> tables_for("update", None)
    'update'
    """
    if used is None or protocol not in ("invalidate", "update"):
        return protocol
    return used.invalidates if protocol == "invalidate" else used.updates


@lru_cache
def nodes_of(spec: str) -> int:
    """Nodes of a network, which most families know by its spec; asked once for each message of a sum.

    >>> nodes_of("prdt:128")
    16384
    """
    size = family(spec).size()
    return family(spec).build().routers if size is None else size[0]


def pointer_bits(nodes: int) -> int:
    """Bits that name one of `nodes` nodes.

    >>> pointer_bits(2**14)
    14
    """
    return max(1, (nodes - 1).bit_length())
