"""Sweeps without a file: which points lists of settings name, and one line for what is no setting."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jumpnet
from jumpnet.errors import JumpnetError
from jumpnet.study.quick import Points, curves_over

SHORT: dict[str, Any] = {"packet_flits": "1", "warmup_cycles": 20, "measure_cycles": 50, "workers": 1}
NET = jumpnet.network("torus:4x4")


def test_a_load_named_twice_is_run_once() -> None:
    found = NET.sweep(load=[0.1, 0.1, 0.05], **SHORT)
    assert [row["load"] for row in found] == [0.05, 0.1]


@pytest.mark.parametrize("values", [[2, 4], (2, 4), range(2, 5, 2), np.array([2, 4]), {2: 0, 4: 0}.keys()])
def test_whatever_holds_several_values_names_several_points(values: Any) -> None:
    curves = curves_over("torus:4x4", {"load": 0.1, "vcs": values})
    assert [curve.point["vcs"] for curve in curves] == [2, 4]
    assert all(type(curve.point["vcs"]) is int for curve in curves)


@pytest.mark.parametrize("load", ["0.1", 0.1, np.float64(0.1), np.array(0.1), (0.1,), iter([0.1])])
def test_a_load_alone_is_one_load(load: Any) -> None:
    assert curves_over("torus:4x4", {"load": load})[0].loads == (0.1,)


def test_the_routing_comes_first_as_in_simulate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = ["torus.duato", "torus.dateline"]
    assert [row["routing"] for row in NET.sweep(names, load=0.1, vcs=3, **SHORT)] == names
    assert [row["routing"] for row in NET.sweep("torus.duato", load=0.1, vcs=3, **SHORT)] == names[:1]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"load": 0.1, "network": "mesh:4x4"}, "network='mesh:4x4' found among the settings of a sweep over torus:4x4"),
        ({"load": "fast"}, "load 'fast' found, a number from 0 to 1 expected"),
        ({"load": [[0.1]]}, "load [0.1] found, a number from 0 to 1 expected"),
        ({"load": 0.1, "workers": -1}, "workers -1 found, a whole number from 1 expected"),
        ({"load": 0.1, "workers": 0}, "workers 0 found, a whole number from 1 expected"),
        ({"load": 0.1, "workers": "2"}, "workers '2' found, a whole number or None expected"),
        ({"load": 0.1, "routing": test_a_load_named_twice_is_run_once}, "found, a number or a name, or a list of them"),
        ({"load": 0.1, "more_classes": [[{"traffic": "unifrom"}]]}, "did you mean 'uniform'?"),
        ({"load": 0.1, "vcs": [2, {3}]}, "vcs {3} found, a number or a name, or a list of them, expected"),
    ],
)
def test_what_is_no_setting_is_refused_in_one_line(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(JumpnetError) as caught:
        NET.sweep(**{**SHORT, **settings})
    assert said in str(caught.value) and "\n" not in str(caught.value)


def test_a_notebook_without_pandas_shows_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert Points([{"load": 0.1}])._repr_html_() == "<table><tr><th>load</th><td>0.1</td></tr></table>"
