"""The dependencies of the last proofs, so that words and runs asked of a proof need no second look at all packets.

Kept by `prove`, asked for by `explain` and the simulator's replay. They go with their proof, and the oldest before it
where several take much room.
"""

from __future__ import annotations

from dataclasses import replace
from weakref import WeakKeyDictionary

from jumpnet.analysis.deadlock.graph import Dependencies
from jumpnet.analysis.deadlock.proof import Proof

__all__ = ["keep", "kept"]

MOST_BYTES = 1 << 28
"""Bytes of all that is kept."""
MOST_PROOFS = 16
_kept: WeakKeyDictionary[Proof, Dependencies] = WeakKeyDictionary()


def keep(proof: Proof, made: Dependencies) -> None:
    """Keep the dependencies that a proof rests on; not those of kinds, products or pieces, of which there is more."""
    if made.kinds is not None or made.cover is not None or made.pieces is not None:
        return
    _kept[proof] = replace(made, ends=None, short=None, number=None, moved=None)
    for oldest in list(_kept):
        if len(_kept) <= MOST_PROOFS and sum(map(_size, _kept.values())) <= MOST_BYTES:
            break
        _kept.pop(oldest, None)


def kept(proof: Proof) -> Dependencies | None:
    """Those of a proof as far as words and runs need them, or None where they are no longer kept."""
    made = _kept.get(proof)
    return None if made is None else replace(made, awaited=list(made.awaited))


def _size(made: Dependencies) -> int:
    """Bytes of its arrays."""
    waits = sum(one.after.nbytes + one.mask.nbytes + one.first.nbytes for one in made.awaited)
    return int(made.bits.nbytes + made.used.nbytes + made.escape.nbytes + waits)
