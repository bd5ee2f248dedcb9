"""Sets of destinations where a routing asks what is left of their numbers after division, which may be no digit."""

from __future__ import annotations

import numpy as np
import pytest

from jumpnet.analysis.deadlock import dependency as dependency_module
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.proof import LONGER, SHORTEST
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.rows.compressed_rows import holders
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.analysis.deadlock.ways_to_graph.digits.asked import asked_digits
from jumpnet.analysis.deadlock.ways_to_graph.digits.graph import dependencies_by_digits
from jumpnet.routings import bind
from jumpnet.topology import build

SEVERAL = ("dragonfly:2,p=1,a=3,g=4", "dragonfly:2,a=4,g=4,arrangement=palmtree", "dragonfly:3,a=4,g=5")
"""Two and three links lead from group to group, whose number divides that of a group or does not."""


@pytest.mark.parametrize("spec", SEVERAL)
def test_what_is_left_of_a_number_is_a_digit_besides(spec):
    bound = bind("dragonfly.minimal", build(spec))
    system = asked_digits(bound, job_of(bound))
    links = int(bound.network.params[4])
    assert system.rests == {links: 2} and len(system.classes) == links
    assert (system.digit[:, 2] == np.arange(bound.network.routers) % links).all()
    finer = system.refined(1, 2)
    assert finer.rests == {links: 3} and (finer.digit[:, 3] == system.digit[:, 2]).all()


@pytest.mark.parametrize("spec", SEVERAL)
@pytest.mark.parametrize("name", ["minimal", "valiant", "ugal", "ugal_g", "par", "booksim"])
def test_sets_have_all_dependencies_and_the_same_verdict(spec, name, monkeypatch):
    """With the channels that each needs, and with one, where a cycle as short as any of the sets is a shortest."""
    network = build(spec)
    for vcs in (None, 1):
        bound = bind(f"dragonfly.{name}", network, vcs)
        walked, plain = dependencies(bound), prove(bound)
        sets = dependencies_by_digits(bound, job_of(bound), long=True)
        assert not (walked.bits & ~sets.graph[0]).any() and not (walked.used & ~sets.graph[1]).any()
        with monkeypatch.context() as patched:
            for threshold in ("DIGITS_ROUTERS", "LONG_WALKS", "MINUTES_OF_WALKS"):
                patched.setattr(dependency_module, threshold, 0)
            proof = prove(bound)
        assert proof.verdict == plain.verdict and walked.by == "walks"
        if vcs is not None and LONGER.split("{")[0] not in proof.method:
            assert len(proof.cycle or ()) == len(plain.cycle or ())


@pytest.mark.parametrize("spec", ["dragonfly:2,p=1,a=3,g=4", "dragonfly:2,a=4,g=4", "dragonfly:3,a=4,g=5"])
@pytest.mark.parametrize(("vcs", "length"), [(1, 2), (2, 3), (3, 4)])
def test_shortest_cycles_by_progressive_choice_are_known_to_be_shortest(spec, vcs, length, monkeypatch):
    bound = bind("dragonfly.par", build(spec), vcs)
    plain = prove(bound)
    for threshold in ("DIGITS_ROUTERS", "LONG_WALKS", "MINUTES_OF_WALKS"):
        monkeypatch.setattr(dependency_module, threshold, 0)
    proof = prove(bound)
    assert plain.verdict == proof.verdict == "deadlock"
    assert len(proof.cycle) == len(plain.cycle) == length and proof.method.endswith(SHORTEST)


def test_packets_to_the_destinations_that_sets_name_have_the_dependency():
    """Of sets that have no more dependencies than packets: of each, packets to one of those named have it."""
    bound = bind("dragonfly.par", build("dragonfly:2,p=1,a=3,g=4"), 1)
    sets, job = dependencies_by_digits(bound, job_of(bound), long=True), job_of(bound)
    walks = dependency_module.Asked(bound, job, np.arange(12, dtype=np.int32), 1, lambda *_: None, True, 1).walks
    whole = dependencies(bound)
    assert (whole.bits == sets.graph[0]).all()
    indptr, asked = whole.rows
    for held, wanted in list(zip(holders(indptr).tolist(), asked.tolist(), strict=True))[::7]:
        named = sets.bound_for(held, wanted).astype(np.int32)
        assert len(named)
        bit = wanted - int(whole.base[held])
        rows = np.bitwise_or.reduce([graph[0][held] for graph in walks.to_some(named, job)])
        assert rows[bit >> 6] >> np.uint64(bit & 63) & np.uint64(1)
