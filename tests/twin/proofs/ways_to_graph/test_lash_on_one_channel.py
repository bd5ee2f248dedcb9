"""LASH on one channel without its tables, where they would be too large: the graph of the walk over them."""

from __future__ import annotations

import numpy as np
import pytest
from tests.twin.proofs.ways_to_graph.test_two_hops import _drawn

from jumpnet.analysis.deadlock import dependency as dependency_module
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.routings import _tables as tables_module
from jumpnet.routings import bind
from jumpnet.topology import build

SPECS = ("mesh:3x4", "hypercube:4", "torus:4x5", "fattree:2,n=3", "tree:3,height=2", "slimfly:5", "clos:m=3,n=2,r=4")


def _agree(net: Network, monkeypatch: pytest.MonkeyPatch) -> str | None:
    """The verdict without tables, where the graph is that of the walk over them, and free if one layer serves."""
    monkeypatch.undo()
    try:
        layers = bind("lash", net).vcs
        walked = dependencies(bind("lash", net, 1), 1, apart=False)
    except JumpnetError:  # a pair without a way
        return None
    old = prove(bind("lash", net, 1), made=walked)
    monkeypatch.setattr(tables_module, "TABLE_LIMIT_BYTES", 0)
    monkeypatch.setattr(dependency_module, "SHORTEST_ROUTERS", 0)
    bound = bind("lash", net, 1)
    made, proof = dependencies(bound), prove(bound)
    assert made.by in ("hops", "shortest") and not made.choices
    assert np.array_equal(made.bits, walked.bits) and np.array_equal(made.used, walked.used)
    assert (proof.verdict, len(proof.cycle or ())) == (old.verdict, len(old.cycle or ()))
    assert (proof.verdict == "free") == (layers == 1)
    if layers == 1:  # more layers are more states of a packet
        assert made.states == walked.states
    return proof.verdict


def test_one_channel_needs_no_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    said = [_agree(build(spec), monkeypatch) for spec in SPECS]
    said += [_agree(net, monkeypatch) for k in range(140) if (net := _drawn(k)) is not None and net.ports > 1]
    assert said.count("free") > 15 and said.count("deadlock") > 15


def test_other_channels_and_paths_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables_module, "TABLE_LIMIT_BYTES", 0)
    monkeypatch.setattr(dependency_module, "SHORTEST_ROUTERS", 0)
    for name, vcs in (("lash", None), ("lash", 2), ("lash:paths=balanced", 1), ("dfsssp", 1)):
        with pytest.raises(JumpnetError, match=r"needs tables of .* on one channel lash is proved without tables"):
            prove(bind(name, build("mesh:3x4"), vcs))
    assert prove(bind("lash", build("mesh:3x4"), 1)).verdict == "free"
    assert prove(bind("lash", build("torus:5"), 1)).verdict == "deadlock"
