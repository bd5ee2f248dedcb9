"""Directory encodings, ways to write down which nodes hold a copy: a file has all of a kind.

>>> sorted(encodings())  # doctest: +NORMALIZE_WHITESPACE
['LARP', 'LARP:path', 'LPRA', 'REMAKE', 'SM', 'chained', 'full_map', 'hierarchical', 'limited_broadcast',
 'limited_evicting']
"""

from __future__ import annotations

from jumpnet.api.public import public
from jumpnet.coherence.encoding._encoding import Delivery, Encoding, EntryBits, nodes_of, tables_for
from jumpnet.registry import Registry, instances

__all__ = ["Delivery", "Encoding", "EntryBits", "encoding", "encodings", "nodes_of", "register", "tables_for"]


_registry: Registry[Encoding] = Registry("directory encoding", __name__, instances(Encoding))


@public
def encodings() -> dict[str, Encoding]:
    """Every registered encoding by name.

    >>> "full_map" in encodings()
    True
    """
    return _registry.all()


@public
def encoding(name: str) -> Encoding:
    """The encoding called `name`; raises JumpnetError with the nearest name.

    >>> encoding("SM").bits(2**14).entry
    40
    """
    return _registry.get(name)


def register(made: Encoding) -> Encoding:
    """Add a user's own encoding for this process, for instance one with another number of pointers."""
    _registry.add(made.name, made)
    return made
