"""A proof that words, pictures and runs may rest on: as it was made, or proved again and found to say the same.

A `Proof` is a plain record, of which anyone can make one that says something else. Called by `explain`, the words of
changes, pictures of cycles, certificates as text and the simulator's replay.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import numpy as np

from jumpnet.analysis.deadlock.as_made import is_as_made
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.graph import Dependencies, require_made_of
from jumpnet.analysis.deadlock.how import Basis
from jumpnet.analysis.deadlock.progress import Progress, silent
from jumpnet.analysis.deadlock.proof import Proof
from jumpnet.analysis.deadlock.prove import proved
from jumpnet.analysis.deadlock.shared_channels import are_apart, name_of_kinds
from jumpnet.analysis.deadlock.waiting.who_waits import bound_of
from jumpnet.errors import JumpnetError
from jumpnet.own.trial import shown
from jumpnet.routings import BoundRouting

__all__ = ["confirmed", "confirmed_by", "confirmed_of"]

OF = ("spec", "routing", "vcs")
FIRST = ("verdict", "condition")
"""Fields that are compared before others, as those follow from them."""
LONGEST = 40
"""Characters of a value that a message shows."""


def confirmed(
    proof: Proof, made: Dependencies | None = None, progress: Progress = silent
) -> tuple[Proof, Dependencies | None]:
    """A proof of one routing as it is true, and its dependencies where they are known.

    One that is as `prove` made it rests on what `prove` has checked, and nothing is done. Of any other (made by
    `dataclasses.replace`, unpickled, written into) the routing is proved again: verdict, condition, counts, cycle and
    certificate must be those that come out, and `method` is taken from there. Raises JumpnetError with the first field
    that differs. Cost: nothing, or that of `prove`.

    >>> from dataclasses import replace
    >>> from jumpnet.analysis.deadlock.prove import prove
    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> proof = prove(bind("torus.dateline", build("torus:4")))
    >>> confirmed(replace(proof, channels=10))
    Traceback (most recent call last):
        ...
    jumpnet.errors.JumpnetError: torus.dateline on torus:4: a changed proof with channels 10 found, 9 is proved
    """
    bound = bound_of(proof)
    if made is not None:
        require_made_of(bound, made)
    return (proof, made) if is_as_made(proof) else _confirmed_again(bound, proof, progress)


def confirmed_of(bound: BoundRouting, proof: Proof) -> Proof:
    """A proof as it is true, as `confirmed`, of a routing that is given.

    One that is of a routing bound elsewhere, or was changed, must be what comes out where this one is proved. Raises
    JumpnetError with the first field that differs.
    """
    if proof.bound is bound and is_as_made(proof):
        return proof
    return _confirmed_again(bound, replace(proof, bound=bound, network=bound.network), silent)[0]


def _confirmed_again(bound: BoundRouting, proof: Proof, progress: Progress) -> tuple[Proof, Dependencies]:
    """A proof that was changed as proving its routing again gives it, and the dependencies."""
    again: list[Dependencies] = []

    def prove_again() -> Proof:
        own = dependencies(bound, progress=progress, beyond=proof.basis.beyond)
        true, own = proved(bound, progress=progress, made=own)
        again.append(own)
        return replace(true, routing=name, basis=replace(true.basis, kinds=kinds))

    if proof.network is not bound.network:
        raise _changed(proof, "with another network than that of its routing found")
    if not isinstance(proof.basis, Basis):
        raise _changed(proof, f"with basis {_short(proof.basis)} found")
    kinds = proof.basis.kinds
    if not (isinstance(kinds, tuple) and all(type(k) is int for k in kinds) and are_apart(kinds, bound.vcs)):
        raise _changed(proof, f"with kinds {shown(kinds)} found, first channels of kinds that share none expected")
    name = name_of_kinds(bound, kinds)
    return confirmed_by(proof, prove_again, (bound.network.spec, name, bound.vcs)), again[0]


def confirmed_by(
    proof: Proof, prove_again: Callable[[], Proof], of: tuple[str, str, int], change: object = None
) -> Proof:
    """A proof as it is true: itself where it is as it was made, else what proving it again gives, if that is the same.

    of: network, routing and virtual channels that it must be of. change: the change that it must have been made of.
    """
    if is_as_made(proof, change) and (proof.spec, proof.routing, proof.vcs) == of:
        return proof
    for name, whose in zip(OF, of, strict=True):
        _require_equal(proof, name, whose)
    true = prove_again()
    names = [field.name for field in fields(Proof) if field.name not in ("method", "bound", "network", *FIRST)]
    for name in (*FIRST, *names):
        _require_equal(proof, name, getattr(true, name))
    return true


def _require_equal(proof: Proof, name: str, true: Any) -> None:
    """Raise JumpnetError where a field of a proof is not what is true."""
    said = getattr(proof, name)
    if name == "certificate" and isinstance(said, np.ndarray) and isinstance(true, np.ndarray):
        if not np.array_equal(said, true):
            raise _changed(proof, "with other numbers in its certificate found than those that are proved")
    elif name == "cycle" and isinstance(said, tuple) and isinstance(true, tuple):
        if said != true:
            raise _changed(proof, "with another cycle found than the one that is proved")
    elif isinstance(said, np.ndarray) or isinstance(true, np.ndarray) or said != true:
        raise _changed(proof, f"with {name} {_short(said)} found, {_short(true)} is proved")


def _changed(proof: Proof, what: str) -> JumpnetError:
    return JumpnetError(f"{proof.routing} on {proof.spec}: a changed proof {what}")


def _short(value: Any) -> str:
    """A value in few words."""
    if isinstance(value, np.ndarray | tuple):
        return f"of {len(value)} {'numbers' if isinstance(value, np.ndarray) else 'channels'}"
    words = repr(value)
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 3]}..."
