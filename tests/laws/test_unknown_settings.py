"""Names that are no settings: the same hints wherever settings are given as keywords."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from jumpnet.errors import JumpnetError
from jumpnet.lab.network import network
from jumpnet.sim.config import SimConfig, config_from, preset
from jumpnet.sim.faults.simulate import simulate_with_faults
from jumpnet.sim.multicast.simulate import compare, find_multicast_saturation, simulate_multicasts
from jumpnet.sim.saturation import find_saturation
from jumpnet.sim.simulate import simulate

MESH = "mesh:3x3"
RUNS: dict[str, Callable[..., Any]] = {
    "simulate": partial(simulate, MESH),
    "find_saturation": partial(find_saturation, MESH),
    "simulate_multicasts": partial(simulate_multicasts, MESH),
    "find_multicast_saturation": partial(find_multicast_saturation, MESH),
    "compare": partial(compare, MESH),
    "simulate_with_faults": partial(simulate_with_faults, MESH, ["cycle=10,link=0-1"]),
}
CONFIGS: dict[str, Callable[..., Any]] = {
    "SimConfig": SimConfig,
    "config_from": lambda **given: config_from(given),
    "preset": partial(preset, "booksim"),
    "replace": SimConfig().replace,
    "sweep": partial(network(MESH).sweep, load=0.1, workers=1),
    "sweep of a kind": partial(network(MESH).sweep, load=0.1, workers=1, kind="multicast"),
}
HINTS = {
    "num_vcs": "BookSim's num_vcs is 'vcs' here",
    "vct": "BookSim's vct is 'flow_control' here",
    "sample_period": "BookSim's sample_period is 'measure_cycles' here",
    "cycles": "did you mean 'measure_cycles'?",
    "bufer_flits": "did you mean 'buffer_flits'?",
    "qqqq": "none of the known ones is close, see `jumpnet list setting`",
}


@pytest.mark.parametrize("name", HINTS)
@pytest.mark.parametrize("where", [*RUNS, *CONFIGS])
def test_all_functions_have_the_same_hints(where: str, name: str) -> None:
    with pytest.raises(JumpnetError) as refused:
        {**RUNS, **CONFIGS}[where](**{name: 2})
    assert str(refused.value) == f"unknown setting {name!r}; {HINTS[name]}"


@pytest.mark.parametrize("where", RUNS)
def test_the_preset_of_a_command_is_the_name_of_a_run(where: str) -> None:
    with pytest.raises(JumpnetError, match=r"^unknown setting 'preset'; did you mean 'name'\?$"):
        RUNS[where](preset="jump1")


def test_what_only_other_runs_take_is_said() -> None:
    for name in ("threads", "trace", "checkpoint"):
        with pytest.raises(JumpnetError, match=f"^unknown setting '{name}'; `simulate` takes it beside its settings$"):
            RUNS["simulate_multicasts"](**{name: 2})


@pytest.mark.parametrize(
    ("where", "name", "meant"),
    [
        ("simulate", "thread", "threads"),
        ("find_saturation", "resoluton", "resolution"),
        ("simulate_multicasts", "tree", "trees"),
        ("simulate_multicasts", "destination", "destinations"),
        ("simulate_with_faults", "retry_cycle", "retry_cycles"),
        ("simulate_with_faults", "checkpont", "checkpoint"),
        ("sweep", "worker", "workers"),
    ],
)
def test_the_nearest_may_stand_beside_the_settings(where: str, name: str, meant: str) -> None:
    with pytest.raises(JumpnetError, match=f"^unknown setting '{name}'; did you mean '{meant}'\\?$"):
        {**RUNS, **CONFIGS}[where](**{name: 2})
