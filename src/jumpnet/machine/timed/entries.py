"""Whom a directory entry names when messages go out one after another: the timed machine's other half of an encoding.

A full map names those to be told, and needs nothing here. Maps of a bit-map scheme name more (whatever the scheme's
multicast would reach), few pointers name everybody once there are more copies than pointers, unless the oldest copy is
taken for each one more, and a chained list names its head only: the newest copy, which tells the next one when it is
through, and the last answers for all (kudoh1995rhbd section 5.1). Called by `machine` and `closed_loop`.
"""

from __future__ import annotations

from dataclasses import dataclass

from jumpnet.coherence.encoding import encoding
from jumpnet.errors import JumpnetError
from jumpnet.machine.timed.trees import BitMapTrees

__all__ = ["Entries", "entries_of"]


@dataclass(frozen=True)
class Entries:
    """What an encoding's entries name.

    >>> Entries(maps=BitMapTrees("rdt:8", "SM")).named(0, (1, 8), 64)
    (1, 8)
    """

    pointers: int = 0
    """Nodes beside the home that an entry can name, 0 without limit."""
    evicts: bool = False
    """Whether a node more than there are pointers takes the place of the oldest, which gives its copy up."""
    chained: bool = False
    """Whether the message goes from node to node."""
    maps: BitMapTrees | None = None
    """Trees of the bit-map scheme whose maps these are, node i being router i."""

    def named(self, home: int, listed: tuple[int, ...], nodes: int) -> tuple[int, ...]:
        """The nodes of so many that maps of those listed name, in ascending order; those listed where there are none.

        Raises JumpnetError where no territory of the home holds all that are listed.
        """
        if self.maps is None:
            return listed
        reached = {*self.maps.takers(home, listed).router}
        return tuple(sorted(node for node in reached if node != home and node < nodes))


def entries_of(network: str, encoding_name: str) -> Entries | None:
    """What the entries of an encoding name on a network; None for a full map.

    Raises JumpnetError for bit-maps on a network that is no RDT, and for encodings of one's own.

    >>> entries_of("torus:4x4", "limited_broadcast").pointers
    6
    """
    used = encoding(encoding_name)
    if used.name == "full_map":
        return None
    if not (used.scheme or used.chained or used.pointers):
        why = "whom its entries name is not known"
        raise JumpnetError(f"a machine with time and encoding {used.name} found, another encoding expected: {why}")
    maps = BitMapTrees(network, used.scheme) if used.scheme else None
    return Entries(used.pointers, used.evicts, used.chained, maps)
