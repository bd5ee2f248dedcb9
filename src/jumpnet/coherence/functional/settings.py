"""Settings of the functional machine: names of tables, of directories and of homes, sizes, and what each must be.

Called by `functional.engine` and `machine.timed`, whose settings of the same names mean the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import numpy as np

from jumpnet.coherence.functional import _tables as at
from jumpnet.coherence.protocol import Protocol, protocols
from jumpnet.coherence.store import BUFFERS, empty_buffer, empty_store, pair_of
from jumpnet.errors import JumpnetError, unknown_name, written
from jumpnet.settings.typed import fits_word
from jumpnet.terms import I64

__all__ = [
    "DIRECTORIES", "MOST_NODES", "PAGE_ENTRIES", "PLACEMENTS", "PROTOCOLS", "check_names", "check_pointers",
    "check_sizes", "empty_stores", "given_homes", "pages_by_update", "power_of_two", "tables_named",
]  # fmt: skip

PROTOCOLS = {"invalidate": "msi", "update": "update", "mixed": "mixed"}
"""Names of what writes do, and the tables they stand for; those of `coherence.protocol` are known too."""
DIRECTORIES = ("line", "page")
PAGE_ENTRIES = ("never_cleared", "valid_holders")
"""The nodes that the entry of a page lists: those that have touched it so far, or that hold a line of it now."""
PLACEMENTS = {
    "first-touch": at.FIRST_TOUCH,
    "round-robin": at.ROUND_ROBIN,
    "interleaved": at.INTERLEAVED,
    "given": at.GIVEN,
}
MOST_NODES = 1 << 14


def tables_named(protocol: str) -> Protocol:
    """The tables that a protocol's name stands for in a machine. Raises JumpnetError for an unknown one.

    >>> tables_named("invalidate").name
    'msi'
    """
    known, name = protocols(), PROTOCOLS.get(protocol, protocol)
    if name not in known:
        raise unknown_name("protocol", protocol, {*PROTOCOLS, *known})
    return known[name]


def power_of_two(name: str, value: int, least: int, most: int) -> int:
    """The power that a number of bytes is of two. Raises JumpnetError for another number, and for one beyond bounds.

    >>> power_of_two("line", 32, 4, 64)
    5
    """
    if value < least or value > most or value & (value - 1):
        raise JumpnetError(f"{name} of {value} bytes found, a power of two from {least} to {most} expected")
    return value.bit_length() - 1


def empty_stores(
    machine: at.Machine, processors: int, caches: tuple[int, int] | None, translation: tuple[int, int] | None,
    pruning: int,
) -> at.Stores:  # fmt: skip
    """The caches of a machine, all empty. Raises JumpnetError for sizes that none has, or that do not fit in memory."""
    size, ways = pair_of("caches", caches)
    line = 1 << machine.line_shift
    if caches is not None and (size < line or size % line):
        raise JumpnetError(f"caches of {size} bytes found, a multiple of the line's {line} expected")
    one, two = pair_of("translation", translation)
    owners, entries = (processors, machine.nodes, machine.nodes), (one, two, pruning)
    buffers = (field for each in zip(owners, entries, BUFFERS, strict=True) for field in empty_buffer(*each))
    return at.Stores(
        processors,
        machine.cluster,
        *empty_store(processors, size // line, ways, "a cache"),
        *buffers,
    )


def check_names(*chosen: tuple[str, str, Collection[str]]) -> None:
    """Raise JumpnetError for the first name that is not among those of its kind: (kind, name, known names).

    >>> check_names(("directory", "pages", DIRECTORIES))
    Traceback (most recent call last):
        ...
    jumpnet.errors.JumpnetError: unknown directory 'pages'; did you mean 'page'?
    """
    for kind, name, known in chosen:
        if name not in known:
            raise unknown_name(kind, name, known)


def check_sizes(processors: int, clusters_of: int) -> None:
    """Raise JumpnetError for a machine, or a cluster of processors, that is too small or too large."""
    for size in (f"{processors} processors", processors), (f"clusters of {clusters_of} processors", clusters_of):
        if not 1 <= size[1] <= MOST_NODES:
            raise JumpnetError(f"{size[0]} found, 1 to {MOST_NODES} expected")


def check_pointers(pointers: int, tables: Protocol, needed: int, evicts: bool, without: str) -> None:
    """Raise JumpnetError for entries of too few pointers, or beside which there is what has none.

    needed: pointers that the tables take at least. evicts: the oldest gives way to a new one. without: that of the
    machine which cannot be where pointers are few, or nothing.

    >>> from jumpnet.coherence.protocol import protocol
    >>> check_pointers(2, protocol("msi"), needed=0, evicts=False, without="pruning")
    Traceback (most recent call last):
        ...
    jumpnet.errors.JumpnetError: 2 pointers with pruning found, one expected
    """
    if pointers < 0 or (evicts and not pointers):
        raise JumpnetError(f"a directory of {pointers} pointers found, at least {1 if evicts else 0} expected")
    if pointers < needed:
        raise JumpnetError(f"{pointers} pointers under {tables.name} found, at least {needed} expected")
    if pointers and without:
        raise JumpnetError(f"{pointers} pointers with {without} found, one expected")


def pages_by_update(update_pages: Iterable[int]) -> I64:
    """Page numbers in order, each once. Raises JumpnetError where one is no whole number.

    >>> pages_by_update({7, 3}).tolist()
    [3, 7]
    """
    pages = [*update_pages]
    for page in pages:
        if not isinstance(page, int | np.integer) or isinstance(page, bool) or not fits_word(int(page)):
            raise JumpnetError(f"page {written(page):.80} in update mode found, a whole number expected")
    return np.unique(np.array(pages, np.int64))


def given_homes(homes: Mapping[int, int] | None, placement: str, nodes: int) -> tuple[I64, I64]:
    """Page numbers in order, and the home of each. Raises JumpnetError for a home that is none of the nodes, and where
    homes and placement `given` are not both there, or neither.

    >>> [found.tolist() for found in given_homes({7: 1, 3: 0}, "given", 2)]
    [[3, 7], [0, 1]]
    """
    if (homes is not None) != (placement == "given"):
        found = "homes without" if homes is not None else "no homes with"
        raise JumpnetError(f"{found} placement 'given' found, both or none expected")
    homes = homes or {}
    pages = np.array(sorted(homes), np.int64)
    for page, node in homes.items():
        if not 0 <= node < nodes:
            raise JumpnetError(f"home {node} of page {page} found, 0 to {nodes - 1} expected")
    return pages, np.array([homes[page] for page in pages.tolist()], np.int64)
