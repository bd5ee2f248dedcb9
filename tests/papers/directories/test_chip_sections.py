"""The chip's pictures and the comparison of its schemes: by hand, and against the RHBD paper's figures."""

from __future__ import annotations

import pytest

from jumpnet.report import _blocks
from jumpnet.report.kudoh1995rhbd._study import DEFAULT, SCHEMES, figure
from jumpnet.report.nishi1997router import _schemes
from jumpnet.report.nishi1997router._schemes import CASES, compared


@pytest.mark.parametrize("case", CASES, ids=[case.label for case in CASES])
def test_means_are_those_of_the_rhbd_figures(case) -> None:
    """Other random numbers, the same distribution: within the bands of both, half as wide again."""
    there = figure(DEFAULT, {1: 10, 5: 11}[case.sigma])
    mean, _ = compared(case)
    row = there.destinations.index(case.destinations)
    for name, value in mean.items():
        k = SCHEMES.index(name)
        wide = float(there.band[row, k]) * (1 + (there.trials / _schemes.TRIALS) ** 0.5)
        assert abs(value - float(there.mean[row, k])) < 1.5 * wide


def test_an_order_that_the_draws_leave_open_is_not_called_certain() -> None:
    assert _schemes._word({"SM": (1.0, 2.0), "LPRA": (0.1, 9.0)}) == "below"
    assert _schemes._word({"SM": (1.0, 2.0), "LPRA": (-0.1, 9.0)}) == "not certain"
    assert _schemes._word({"SM": (-2.0, -1.0), "LPRA": (0.1, 9.0)}) == "not below"


def test_the_chip_is_drawn_with_its_ten_links_twenty_buffers_and_eleven_outputs() -> None:
    drawn = _blocks.chip_figure("x", "key", 9, "")
    joined = dict(zip(drawn.data["block"], drawn.data["joined to"], strict=True))
    assert len(joined["crossbar"].split()) == 2 * 10 + 2 * 10 + 1  # `N0 buffers`, `N0 out` are two words each
    assert joined["AC"] == "crossbar" and sum(name.endswith(" buffers") for name in joined) == 10
    buffer = _blocks.buffer_figure("x", "key", 12, "")
    assert [name for name in buffer.data["block"] if name.startswith("RAM")] == ["RAM 0", "RAM 1"]


def test_a_cluster_has_what_the_text_names() -> None:
    blocks = _blocks.cluster_figure("x", "key", 2, "").data["block"]
    assert [sum(name.startswith(what) for name in blocks) for what in ("CPU", "M", "memory")] == [4, 2, 2]
    assert len(_blocks.machine_figure("x", "key", 1, "").data["cluster"]) == 256
