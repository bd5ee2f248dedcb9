"""Random multicasts: the same however they are sent; alone they take the time of their depth; gains have a sign."""

from __future__ import annotations

import numpy as np
import pytest

from jumpnet.errors import JumpnetError
from jumpnet.sim.config import preset
from jumpnet.sim.multicast.load import UNICAST, MulticastLoad, MulticastTraffic
from jumpnet.topology import build

CHIP = preset("jump1")


def traffic(destinations: int = 4) -> MulticastTraffic:
    return MulticastTraffic(build("prdt:8"), "full", sigma=1.0, destinations=destinations)


def test_the_same_multicasts_however_they_are_sent() -> None:
    made = traffic()
    one, group = made.messages(MulticastLoad(3.0, cycles=400))
    many, parts = made.messages(MulticastLoad(3.0, cycles=400, as_unicast=True, unicasts=5.0))
    assert len(one.cycle) == len(np.unique(group)) > 40
    for k in range(len(one.cycle)):
        mine = parts == group[k]
        assert (many.cycle[mine] == one.cycle[k]).all() and mine.sum() == 4
        wanted = made._plans[one.plan[k]]
        each = [made._plans[p] for p in many.plan[mine]]
        assert sorted(r for plan in each for r in plan.receivers) == sorted(wanted.receivers)
        assert {int(plan.router[0]) for plan in each} == {int(wanted.router[0])}
    background = many.plan[parts == UNICAST]
    assert len(background) > 80 and all(len(made._plans[p].receivers) == 1 for p in background)
    assert abs((parts == UNICAST).sum() / (400 * 64) - 0.005) < 0.0015


def test_alone_the_mean_is_that_of_the_depths() -> None:
    made, load = traffic(), MulticastLoad(0.01, cycles=40_000)
    messages, _ = made.messages(load)
    far = messages.cycle[1:] - messages.cycle[:-1] > 200
    alone = np.append(far, True) & np.append(True, far)
    times = []
    for plan, cycle in zip(messages.plan[alone], messages.cycle[alone], strict=True):
        tree = made._plans[plan]
        depth = np.zeros(len(tree.router), int)
        for k in range(1, len(depth)):
            depth[k] = depth[tree.parent[k]] + 1
        if load.cycles // 4 <= cycle < load.cycles * 3 // 4:
            times.append(CHIP.zero_load_cycles(int(depth[tree.local == 1].max()) + 1, load.flits))
    point = made.run(load, CHIP)
    assert point.finished and len(times) > 0.7 * point.measured
    assert abs(point.last_arrival_cycles - np.mean(times)) < 1.0


def test_gains_under_load() -> None:
    """Eight destinations: branching is faster than eight packets, combining faster than eight answers."""
    made = traffic(8)
    load = {"multicasts": 3.0, "cycles": 800}
    branching = made.run(MulticastLoad(**load, acks="combined"), CHIP)  # type: ignore[arg-type]
    direct = made.run(MulticastLoad(**load, acks="direct"), CHIP)  # type: ignore[arg-type]
    repeated = made.run(MulticastLoad(**load, acks="direct", as_unicast=True), CHIP)  # type: ignore[arg-type]
    assert branching.last_arrival_cycles < repeated.last_arrival_cycles
    assert branching.last_ack_cycles < direct.last_ack_cycles
    assert branching.link_flits < repeated.link_flits and branching.fallbacks > 0


def test_bad_settings_are_one_line() -> None:
    with pytest.raises(JumpnetError, match="40 destinations at sigma 1 found, at most half"):
        traffic(40)
    with pytest.raises(JumpnetError, match="no message in 10 cycles"):
        traffic().messages(MulticastLoad(0.0, cycles=10))
