"""Shortest cycles from packets to some destinations, against those of all packets."""

from __future__ import annotations

import pytest

from jumpnet.analysis.deadlock import dependency as dependency_module
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.errors import JumpnetError
from jumpnet.routings import bind
from jumpnet.topology import build

CASES = [
    ("srt1d:128", "srt.hierarchical", 4, True),
    ("srt2d:16,variant=ls", "srt.hierarchical", 4, True),
    ("rdt:32", "rdt.partitioned", 4, False),  # two channels are not reached, so all packets are followed
    ("srt1d:64", "srt.hierarchical:layers=least", None, False),
]


@pytest.mark.parametrize(("spec", "name", "length", "some"), CASES)
def test_cycles_are_as_short_as_those_of_all_packets(spec, name, length, some, monkeypatch):
    bound = bind(name, build(spec))
    plain = prove(bound)
    monkeypatch.setattr(dependency_module, "LONG_WALKS", 0)
    proof, all_of = prove(bound), dependencies(bound)
    assert all_of.to is None and all_of.whole
    assert (proof.method != plain.method, proof.states < plain.states) == (some, some)
    assert (proof.verdict, plain.verdict) == (("deadlock",) * 2 if length else ("free",) * 2)
    if length is None:
        assert proof.certificate is not None and proof.cycle is plain.cycle is None
        return
    assert len(proof.cycle) == len(plain.cycle) == length
    slots = bound.network.ports * bound.vcs
    channel = [hop.router * slots + hop.port * bound.vcs + hop.vc for hop in proof.cycle]
    indptr, indices = all_of.rows
    for held, wanted in zip(channel, channel[1:] + channel[:1], strict=True):
        assert wanted in indices[indptr[held] : indptr[held + 1]]


def test_an_explanation_follows_the_same_packets(monkeypatch):
    monkeypatch.setattr(dependency_module, "LONG_WALKS", 0)
    proof = prove(bind("srt.hierarchical", build("srt1d:64")))
    assert "no cycle can be shorter" in str(proof.explain()) and str(proof.explain()).count("packet from") == 4


def test_what_says_how_short_cycles_can_be_is_a_function():
    with pytest.raises(JumpnetError, match="least_cycle 4 found, a function or None expected"):
        bind("srt.hierarchical", build("srt1d:16")).routing.changed(least_cycle=4)
