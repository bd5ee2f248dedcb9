"""Dependencies kept once for all routers, of networks that look alike from each, beside the walk over all packets."""

from __future__ import annotations

import numpy as np
import pytest

from jumpnet.analysis.deadlock import dependency as dependency_module
from jumpnet.analysis.deadlock.conditions.duato import extended_dependencies
from jumpnet.analysis.deadlock.cycles.checker import accepts_rows
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.explain import explain
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.ways_to_graph.dimensions import translation
from jumpnet.errors import JumpnetError
from jumpnet.routings import bind
from jumpnet.topology import build

CASES = [
    ("hyperx:3x4", "hyperx.dimension_order", None),
    ("hyperx:5x2", "hyperx.adaptive", None),
    ("hyperx:3x3", "hyperx.adaptive", 1),
    ("hyperx:2x3x2", "hyperx.adaptive", 3),
    ("hyperx:3x3", "hyperx.valiant", None),
    ("hyperx:4x3", "hyperx.valiant", 1),
    ("flatfly:3", "hyperx.ugal", None),
    ("flatfly:3", "hyperx.ugal_booksim", None),
    ("hypercube:4", "hypercube.duato", None),
    ("hypercube:3", "hypercube.duato", 1),
    ("hypercube:3", "hypercube.valiant", 1),
    ("torus:5x3", "torus.dimension_order", None),
    ("complete:6", "minimal", 2),
    ("complete:7", "up_down", None),
    ("complete:5", "minimal:ports=all", None),
]


@pytest.mark.parametrize(("spec", "name", "vcs"), CASES, ids=str)
def test_one_router_s_rows_are_those_of_all(spec, name, vcs, monkeypatch: pytest.MonkeyPatch) -> None:
    bound = bind(name, build(spec), vcs)
    monkeypatch.setattr("jumpnet.analysis.deadlock.dependency.MANY_WALKS", 0)  # those of all ways in two phases
    monkeypatch.setattr("jumpnet.analysis.deadlock.walks.walkers.FEW_TRIPLES", 0)  # without packets home
    walked, proved = dependencies(bound, beyond=True), prove(bound)
    monkeypatch.setattr(translation, "SPREAD_BYTES", 0)
    made, proof = dependencies(bound, beyond=True), prove(bound)
    assert (walked.by, made.alike) == ("walks", True)
    assert (np.tile(made.bits, (bound.network.routers, 1)) == walked.bits).all()
    assert all(np.array_equal(one, two) for one, two in zip(made.rows, walked.rows, strict=True))
    for field in (
        "used",
        "escape",
        "count",
        "states",
        "channels",
        "adaptive",
        "choices",
        "has_escape",
        "phased",
        "whole",
    ):
        assert np.array_equal(getattr(made, field), getattr(walked, field)), field
    assert (proof.verdict, proof.may_circle) == (proved.verdict, proved.may_circle)
    assert proof.method.split(":")[0] == proved.method.split(":")[0]
    assert len(proof.cycle or ()) == len(proved.cycle or ())
    assert _ascends(proof, walked)


def _ascends(proof, walked) -> bool:
    """Whether the certificate, if there is one, holds along all dependencies that were followed."""
    if proof.certificate is None or proof.escape_channels is None:
        return proof.certificate is None or accepts_rows(proof.certificate, *walked.rows)
    extended = extended_dependencies(walked)
    return accepts_rows(proof.certificate[extended.channel], extended.indptr, extended.indices)


def test_what_depends_on_the_place_is_not_kept_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translation, "SPREAD_BYTES", 0)
    for spec, name in (
        ("torus:4x4", "torus.dateline"),
        ("mesh:3x3", "mesh.valiant"),
        ("torus:4x3", "torus.valiant"),
        ("hypercube:3", "minimal"),
    ):
        assert not dependencies(bind(name, build(spec))).alike


def test_a_list_that_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translation, "SPREAD_BYTES", 0)
    proof = prove(bind("hyperx.dimension_order", build("hyperx:9x8")))
    monkeypatch.setenv("JUMPNET_MEMORY_LIMIT", "20000")
    with pytest.raises(JumpnetError, match="hyperx:9x8: a list of its dependencies needs about"):
        explain(proof)


def test_threads_are_as_many_as_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    bound = bind("mesh.west_first", build("mesh:16x8"))
    monkeypatch.setattr("jumpnet.analysis.deadlock.walks.limits.MEMORY_LIMIT_BYTES", 128 * 4 * 8)
    assert dependencies(bound, threads=2).by == "walks"  # one of both has room
    monkeypatch.setattr("jumpnet.analysis.deadlock.walks.limits.MEMORY_LIMIT_BYTES", 128 * 4 * 8 - 1)
    with pytest.raises(JumpnetError, match="with 1 virtual channel needs"):
        dependencies(bound)


@pytest.mark.parametrize(
    ("spec", "name", "by"),
    [
        ("hyperx:5x4", "hyperx.adaptive", "translation"),
        ("hypercube:4", "hypercube.duato", "translation"),
        ("torus:5x4", "torus.duato", "dimensions"),
        ("hyperx:5x4", "hyperx.dimension_order", "dimensions"),
    ],
)
def test_choices_are_not_parted_into_cases_where_differences_say_all(
    spec: str, name: str, by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cases of pairs are asked for where they are the answer only; the graph is that of the walk either way."""
    bound, asked = bind(name, build(spec)), list[str]()
    walked, inner = dependencies(bound), dependency_module.dependencies_by_dimension

    def counted(*given):
        asked.append(name)
        return inner(*given)

    monkeypatch.setattr(dependency_module, "dependencies_by_dimension", counted)
    monkeypatch.setattr(dependency_module, "GRID_ROUTERS", 0)
    made = dependencies(bound)
    assert made.by == by and len(asked) == (by == "dimensions")
    for field in ("bits", "used", "escape"):
        assert np.array_equal(getattr(made, field), getattr(walked, field)), field
