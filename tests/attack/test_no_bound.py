"""Jobs whose work has no bound in sight are refused in one line, before they start."""

from __future__ import annotations

import pytest
from tests.attack.command import refused

from jumpnet.errors import JumpnetError
from jumpnet.traffic.onoff import LONGEST_SILENCE, ONOFF


def test_bursts_that_never_come() -> None:
    line = refused("simulate", "torus:4x4", "--load", "1e-9", "--set", "injection=onoff")
    assert "cycles between bursts found" in line
    for rate, options in ((1e-9, {}), (0.1, {"alpha": 1e-9, "beta": 1e-9}), (1e-300, {}), (5e-324, {})):
        with pytest.raises(JumpnetError, match="between bursts"):
            ONOFF.own(rate, options)
    assert ONOFF.own(2.1 / LONGEST_SILENCE, {})[2] > 0
    assert ONOFF.own(0.0, {}).tolist() == [0, 0, 0, 0]
