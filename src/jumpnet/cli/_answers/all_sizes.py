"""What `jumpnet prove --all-sizes` says. Used by `prove`."""

from __future__ import annotations

from typing import Any

from jumpnet.analysis.deadlock.all_sizes.argument import AllSizes, prove_all_sizes
from jumpnet.cli._command.output import emit_json, progress_bar
from jumpnet.routings import BoundRouting

__all__ = ["tell_all_sizes"]


def _row(proof: AllSizes, about: dict[str, str]) -> dict[str, Any]:
    (row,) = proof.rows()
    return {
        **row,
        "deadlock_free": proof.deadlock_free,
        "rules": proof.rules(),
        "checked": list(proof.checked),
        **about,
    }


def _say(proof: AllSizes) -> None:
    of = f"every {proof.family} of {proof.dimensions} dimension{'s' * (proof.dimensions != 1)}"
    free = "free of deadlock" if proof.deadlock_free else "not proved for all sizes"
    channels = f"{proof.vcs} virtual channel{'s' * (proof.vcs != 1)}"
    print(f"{proof.routing} on {of}, sides of {proof.least_side} and more, {channels}: {free}")
    print(f"  {proof.method}")
    if proof.states:
        print(f"  {proof.states} kinds of packet states, {proof.kinds} kinds of dependencies")
    if proof.deadlock_free:
        print("  every dependency leads to a later line, or on within one:")
        print("\n".join(f"    {line}" for line in proof.rules()))
        print(f"  held against packets followed one by one on {', '.join(proof.checked)}")
        print(
            f"  {'every packet arrives: none' if proof.arrives else 'not shown that no packet'} comes back to a place"
        )


def tell_all_sizes(bound: BoundRouting, about: dict[str, str], as_json: bool) -> None:
    """Prove a routing for all sizes of its network's family, and say what came of it."""
    with progress_bar("all sizes") as progress:
        proof = prove_all_sizes(bound, progress)
    if as_json:
        emit_json([_row(proof, about)])
    else:
        _say(proof)
        for words in about.values():
            print(f"  {words}")
