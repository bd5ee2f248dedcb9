"""The figures beyond distance in one object, and the verb that shows them."""

from __future__ import annotations

import json

import pytest

from jumpnet.cli import metrics as verb
from jumpnet.graph.bisection import bisection
from jumpnet.graph.layout import linear_layout
from jumpnet.graph.spectrum import algebraic_connectivity
from jumpnet.graph.structure import structure
from jumpnet.topology import build


@pytest.mark.parametrize(
    "spec", ["rdt:8", "srt1d:32", "hypercube:4", "debruijn:2,n=4", "fattree:4,n=2", "fattree:4,n=3"]
)
def test_structure_says_what_its_parts_say(spec):
    net = build(spec)
    found, cut, line = structure(net), bisection(net), linear_layout(net)
    assert (found.bisection_exact, found.bisection_upper, found.bisection_lower) == (cut.exact, cut.upper, cut.lower)
    assert (found.wiring_width, found.cut_width) == (line.tracks, line.cut_width)
    assert found.algebraic_connectivity == pytest.approx(algebraic_connectivity(net), abs=1e-8)
    assert found.vertex_transitive is not None
    assert found.edge_transitive is not None


def test_the_verb_adds_it_on_request(capsys):
    verb.run(["torus:4x4", "torus:4x6"], False, True, True)
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["edge_transitive"] for row in rows] == [True, False]
    assert rows[0]["bisection_exact"] == 8
    verb.run(["torus:4x4"], False, False, True)
    assert "bisection_exact" not in json.loads(capsys.readouterr().out)
    verb.run(["torus:4x4"], False, True, False)
    assert "vertex-transitive" in capsys.readouterr().out


@pytest.mark.parametrize("spec", ["torus:1", "clos:4,4,1"])
def test_a_network_without_two_halves_leaves_the_others_their_figures(spec, capsys):
    verb.run([spec, "torus:4"], False, True, True)
    one, other = map(json.loads, capsys.readouterr().out.splitlines())
    assert [one[f"bisection_{key}"] for key in ("exact", "upper", "lower")] == [None] * 3
    assert "nothing to halve" in one["bisection_method"]
    assert one["wiring_width"] == linear_layout(build(spec)).tracks
    assert other["bisection_exact"] == 2
    verb.run([spec, "torus:4"], False, True, False)
    shown = capsys.readouterr().out
    assert "not known" not in shown
    assert "nothing to halve" in shown
