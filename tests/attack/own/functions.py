"""Functions of one's own, those that misbehave and some that behave; run, it prints what is said of each."""

from __future__ import annotations

import json
import traceback
from typing import Any

import numba
import numpy as np
from tests.attack.own import (
    families,
    helpers,
    hooks,
    processes,
    recursion,
    relations,
    unchecked,
)
from tests.attack.own.cases import CASES, FEW, RARE, dimension_order

import jumpnet
from jumpnet import traffic
from jumpnet.errors import JumpnetError
from jumpnet.own import trial
from jumpnet.routings import DESTINATION, INTERMEDIATE, STATE, Prepared, Routing, _checked

__all__ = [
    "CASES",
    "dimension_order",
    "families",
    "helpers",
    "hooks",
    "processes",
    "recursion",
    "relations",
    "unchecked",
]


@numba.njit
def first_way(net, here, target):
    """A helper compiled by the user."""
    for p in range(net.neighbor.shape[1]):
        if net.table[net.neighbor[here, p], target] < net.table[here, target]:
            return p
    return -1


def shortest(net, here, head, out):
    """Any first shortest way, by a table of distances."""
    if here == head[1]:
        return 0
    out[0, 0] = first_way(net, here, head[1])
    out[0, 1:] = 0
    return 1


def distances(net: Any, options: Any) -> Prepared:
    """A table of hops."""
    side, at = 4, np.asarray(net.coord)
    ahead = np.abs(at[:, None, :] - at[None, :, :])
    return Prepared(table=np.minimum(ahead, side - ahead).sum(axis=2))


def by_any(net, head, draw, queue):
    """Valiant's: by any router."""
    head[INTERMEDIATE] = draw


def two_phases(net, here, head, out):
    """To INTERMEDIATE in state 0, then to the destination in state 1, right round all of it."""
    state = 1 if here == head[INTERMEDIATE] else head[STATE]
    if state == 1 and here == head[DESTINATION]:
        return 0
    target = head[DESTINATION] if state == 1 else head[INTERMEDIATE]
    out[0, 0] = 0 if net.coord[here, 0] != net.coord[target, 0] else 2
    out[0, 1], out[0, 2], out[0, 3] = state, state, 0
    return 1


def behave() -> list[Any]:
    """What three own routings and a pattern give."""
    net = jumpnet.network(FEW)
    valiant = Routing(name="own.valiant", relation=two_phases, start=by_any, vcs=2, draws=lambda net, options: 16)
    table = Routing(name="own.shortest", relation=shortest, prepare=distances)
    order = Routing(name="own.order", relation=dimension_order)
    mirror = traffic.Pattern("mirror", lambda own, source, draw: own[0] - source, lambda net, options: [15])
    beat = traffic.Process("beat", processes.beat, lambda rate, options: [int(1 / rate)])
    traffic.register(beat)
    created = jumpnet.simulate(FEW, injection="beat", load=0.4, measure_cycles=100, warmup_cycles=0)
    return [
        created.offered_load,
        *(net.paths(made).maximum for made in (order, table, valiant)),
        net.prove(order).verdict,
        net.prove(valiant).verdict,
        [traffic.bind(traffic.register(mirror).name, net.net)(source, 0) for source in (0, 15)],
    ]


def main() -> None:
    """Say of each case what the public face says of it, as a line of JSON.

    Of a large network a smaller sample is asked in plain Python: its cases do harm where neither sample looks. A call
    that never ends is ended sooner.
    """
    trial.MOST_LINES = 20_000  # what is under it in one call is under it in 500,000
    _checked.MOST_CALLS = 1500  # every state of a small network, still
    print(json.dumps(["behave", behave()]))
    print(json.dumps(["helped", helpers.behave()]))
    for name, (_, case) in CASES.items():
        # Of a large network as many as are compared with compiled code.
        _checked.MOST_CALLS = _checked.KEPT_CALLS if name in RARE else 1500
        try:
            case()
            found = "nothing"
        except JumpnetError as error:
            found = f"JumpnetError {error}"
        except Exception:
            found = f"Traceback {traceback.format_exc()}"
        print(json.dumps([name, found]), flush=True)


if __name__ == "__main__":
    main()
