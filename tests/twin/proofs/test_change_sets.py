"""Changes of routing by sets of destinations, beside the states of all packets: at least all dependencies."""

from __future__ import annotations

import pytest

from jumpnet.analysis.deadlock.changes import changeover as changeover_module
from jumpnet.analysis.deadlock.changes.changeover import Changeover, prove_changeover
from jumpnet.analysis.deadlock.changes.words import explain_changeover
from jumpnet.analysis.deadlock.cycles.checker import accepts
from jumpnet.analysis.deadlock.ways_to_graph.digits.changes import change_by_digits
from jumpnet.analysis.deadlock.ways_to_graph.digits.rows import Rows
from jumpnet.routings import bind
from jumpnet.topology import build

FREE = [
    ("fattree:2,n=3", ("fattree.nca", "fattree.nca:up=destination")),
    ("fattree:3,n=2", ("fattree.nca:up=random", "fattree.nca", "fattree.nca:up=destination")),
    ("fattree:2,n=3", ("fattree.anca_booksim", "fattree.nca:up=random")),
    ("clos:3,2,4", ("clos.nca:up=random", "clos.nca:up=destination")),
    ("dragonfly:2", ("dragonfly.minimal", "dragonfly.minimal")),
    ("dragonfly:2,p=1,a=3,g=4", ("dragonfly.minimal", "dragonfly.minimal")),
    ("dragonfly:3,a=4,g=5", ("dragonfly.minimal", "dragonfly.minimal")),
]
NOT = [
    ("ccc:4", ("ccc.ecube", "ccc.ecube")),
    ("debruijn:2,n=4", ("debruijn.shift", "debruijn.shift")),
    ("rdn:5x5,k=1", ("rdn.recursive", "rdn.recursive")),
]
"""Heads that are routed anew begin with the first class again, from the last one."""


@pytest.mark.parametrize(("spec", "names"), FREE)
def test_numbers_of_sets_ascend_along_all_dependencies_of_packets(spec, names, monkeypatch) -> None:
    net = build(spec)
    change = Changeover(*(bind(name, net, 2) for name in names))
    pairs, used, _ = change.dependencies()
    made = change_by_digits((change.old, *change.new))
    assert made is not None and accepts(made.number, pairs[:, 0], pairs[:, 1])
    assert (made.dependencies, made.channels) >= (len(pairs), len(used))
    monkeypatch.setattr(changeover_module, "SETS_ROUTERS", 0)
    proof = prove_changeover(change)
    assert (proof.verdict, proof.by, proof.dependencies) == ("free", "digits", made.dependencies)
    assert "sets of packets" in str(explain_changeover(change, proof))


@pytest.mark.parametrize(("spec", "names"), NOT)
def test_a_change_that_packets_may_end_in_a_circle_is_not_proved(spec, names, monkeypatch) -> None:
    """Nor would the comparison pass if what packets ask for that are routed anew were forgotten."""
    net = build(spec)
    change = Changeover(*(bind(name, net) for name in names))
    assert change_by_digits((change.old, *change.new)) is None
    monkeypatch.setattr(changeover_module, "SETS_ROUTERS", 0)
    proof = prove_changeover(change)
    assert (proof.verdict, proof.by) == ("unproved", "walks") and proof.cycle
    monkeypatch.setattr(Rows, "begun", lambda self: [])
    wrong, (pairs, _, _) = change_by_digits((change.old, *change.new)), change.dependencies()
    assert wrong is not None and not accepts(wrong.number, pairs[:, 0], pairs[:, 1])


def test_what_sets_do_not_serve_is_left_to_walks() -> None:
    """Other channels or links, and routings with a router in the middle."""
    net = build("dragonfly:2")
    for names in (("dragonfly.minimal", "dragonfly.valiant"), ("dragonfly.valiant", "dragonfly.valiant")):
        assert change_by_digits([bind(name, net) for name in names]) is None
    tree = build("fattree:2,n=3")
    assert change_by_digits([bind("fattree.nca", tree, 1), bind("fattree.nca", tree, 2)]) is None
    assert change_by_digits([bind("fattree.nca", tree, 1), bind("up_down", tree, 1)]) is None
    fly = bind("fly.destination_tag", build("fly:2,n=3"))  # a head in the middle has no way to some ends
    assert change_by_digits([fly, fly]) is None
