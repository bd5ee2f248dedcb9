"""A control that makes another run begins it anew: its link has neither the cycle nor the points of the one before."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.web.conftest import Shown

AT = "net=torus:4x4&panel=simulate&routing=torus.duato&load=0.05"
CONTROLS = {"Virtual channels": "vcs=", "Buffer depth": "simulate.buffer=", "Packet length": "packet="}


@pytest.mark.parametrize("label", CONTROLS)
def test_another_run_begins_anew(label: str, shown: Callable[..., Shown]) -> None:
    it = shown(f"{AT}&simulate.cycle=50&simulate.curve=0.05")
    it.page.wait_for_function("() => document.querySelector('#panel').innerText.includes('Cycle\\n50')")
    it.page.wait_for_selector("#panel td:text('0.05')")
    assert "simulate.cycle=50" in it.part() and "simulate.curve=0.05" in it.part()
    it.page.get_by_label(label).press("ArrowRight")
    it.page.wait_for_function("() => document.querySelector('#panel').innerText.includes('Cycle\\n0')")
    part = it.part()
    assert CONTROLS[label] in part and "simulate.cycle" not in part and "simulate.curve" not in part
    assert it.errors == []
