"""Whom a directory entry names when messages go out one after another: the timed machine's other half of an encoding.

A full map names those to be told, and needs nothing here. Maps of a bit-map scheme name more (whatever the scheme's
multicast would reach), few pointers name everybody once there are more copies than pointers, unless the oldest copy is
taken for each one more, and a chained list names its head only: the newest copy, which tells the next one when it is
through, and the last answers for all (kudoh1995rhbd section 5.1). Called by `machine` and `closed_loop`.
"""

from __future__ import annotations

from jumpnet.coherence.encoding import encoding
from jumpnet.errors import JumpnetError
from jumpnet.machine.timed.trees import BitMapTrees, Tree

__all__ = ["ChainedEntries", "Entries", "MapEntries", "PointerEntries", "entries_of", "places_of"]


class Entries:
    """What an encoding's entries name."""

    pointers: int = 0
    """Nodes beside the home that an entry can name, 0 without limit."""
    evicts: bool = False
    """Whether a node more than there are pointers takes the place of the oldest, which gives its copy up."""
    chained: bool = False
    """Whether the message goes from node to node."""

    def named(self, home: int, listed: tuple[int, ...], overflowed: bool, nodes: int) -> tuple[int, ...]:
        """The nodes that a message goes to, in order. listed: those to be told, in ascending order, of a chained list
        the newest copy first; overflowed: the entry has had to name more of them than it has pointers; nodes: of the
        machine."""
        return listed


class MapEntries(Entries):
    """Maps of a bit-map scheme, node i being router i.

    >>> MapEntries("rdt:8", "SM").named(0, (1, 8), False, 64)
    (1, 8)
    """

    def __init__(self, network: str, scheme_name: str) -> None:
        self.trees = BitMapTrees(network, scheme_name)

    def named(self, home: int, listed: tuple[int, ...], overflowed: bool, nodes: int) -> tuple[int, ...]:
        """All that the maps name. Raises JumpnetError where no territory of the home holds all that are listed."""
        tree = self.trees.tree(home, listed)
        reached = {router for router, takes in zip(tree.router, tree.receives, strict=True) if takes}
        return tuple(sorted(node for node in reached if node != home and node < nodes))


class PointerEntries(Entries):
    """A few pointers, and everybody where they are too few; where entries evict they never are.

    >>> PointerEntries(2).named(3, (0, 1), False, 5), PointerEntries(2).named(3, (0, 1), True, 5)
    ((0, 1), (0, 1, 2, 4))
    """

    def __init__(self, pointers: int, evicts: bool = False) -> None:
        self.pointers, self.evicts = pointers, evicts

    def named(self, home: int, listed: tuple[int, ...], overflowed: bool, nodes: int) -> tuple[int, ...]:
        """The listed nodes, or all but the home."""
        return tuple(node for node in range(nodes) if node != home) if overflowed else listed


class ChainedEntries(Entries):
    """A list from copy to copy."""

    chained = True


def entries_of(network: str, encoding_name: str) -> Entries | None:
    """What the entries of an encoding name on a network; None for a full map.

    Raises JumpnetError for bit-maps on a network that is no RDT, and for encodings of one's own.

    >>> entries_of("torus:4x4", "limited_broadcast").pointers
    6
    """
    used = encoding(encoding_name)
    if used.scheme:
        return MapEntries(network, used.scheme)
    if used.chained:
        return ChainedEntries()
    if used.pointers:
        return PointerEntries(used.pointers, used.evicts)
    if used.name == "full_map":
        return None
    why = "whom its entries name is not known"
    raise JumpnetError(f"a machine with time and encoding {used.name} found, another encoding expected: {why}")


def places_of(entries: Entries, home: int, named: tuple[int, ...]) -> Tree:
    """The way of a message as places of a tree: one below the other for a chained list, else all below the home."""
    k = range(len(named))
    return Tree([home, *named], [-1, *(k if entries.chained else [0 for _ in k])], [False, *(True for _ in k)])
