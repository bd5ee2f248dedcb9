"""Whether a proof is as it was made: a seal for each, so that words are not made of one that was changed since.

Sealed by `prove`, `prove_kinds` and `prove_changeover`; asked for by `confirmed`. A seal goes with its proof.
"""

from __future__ import annotations

import hashlib
from dataclasses import fields
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from jumpnet.analysis.deadlock.proof import Proof
from jumpnet.arrays.checks import content_hash
from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting

__all__ = ["is_as_made", "seal"]


class _Seal(NamedTuple):
    """What a proof said when it was made."""

    said: bytes
    """Digest of all fields but those that follow."""
    network: Network | None
    bound: BoundRouting | None
    arrays: str | None
    """Hash of what the network's arrays held."""
    of: object = None
    """What was proved where it is no routing alone: a change."""


_seals: WeakKeyDictionary[Proof, _Seal] = WeakKeyDictionary()


def seal(proof: Proof, of: object = None) -> Proof:
    """The proof, of which it is known from now on how it was made, and of what where that is no routing."""
    _seals[proof] = _seal(proof)._replace(of=of)
    return proof


def is_as_made(proof: Proof, of: object = None) -> bool:
    """Whether nothing of a proof was changed since it was sealed, as one of `of` where that is given.

    Raises JumpnetError where its network or its routing was written into. Cost: a digest of its certificate and of the
    network's arrays, 1 GB/s.

    >>> from dataclasses import replace
    >>> from jumpnet.analysis.deadlock.prove import prove
    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> proof = prove(bind("mesh.dimension_order", build("mesh:3x3")))
    >>> is_as_made(proof), is_as_made(replace(proof, verdict="deadlock"))
    (True, False)
    >>> proof.certificate[0] = 7
    >>> is_as_made(proof)
    False
    """
    made, now = _seals.get(proof), _seal(proof)
    if made is None or (of is not None and made.of is not of):
        return False
    if proof.bound is not None:
        proof.bound.confirm()
    if made.network is now.network is not None and made.arrays != now.arrays:
        raise JumpnetError(f"{now.network.spec}: arrays were written into since its proof was made; build it anew")
    return made.said == now.said and made.network is now.network and made.bound is now.bound


def _seal(proof: Proof) -> _Seal:
    digest = hashlib.sha256()
    for field in fields(proof):
        value = getattr(proof, field.name)
        if isinstance(value, np.ndarray):
            digest.update(f"{value.shape}{value.dtype}".encode())
            digest.update(np.ascontiguousarray(value).data)
        elif field.name not in ("network", "bound"):
            digest.update(f"{value!r}\n".encode())
    arrays = None if proof.network is None else content_hash(proof.network)
    return _Seal(digest.digest(), proof.network, proof.bound, arrays)
