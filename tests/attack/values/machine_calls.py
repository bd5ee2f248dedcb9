"""Good arguments for what people call of the machine and of coherence, so that each parameter can be odd alone.

`face` gives all that a function must be given an odd value at once, so that what it may be given is never looked at.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import cache, partial
from typing import Any

import numpy as np

from jumpnet.coherence.check import check_protocol
from jumpnet.coherence.encoding import encoding
from jumpnet.coherence.functional.design import FunctionalDesign
from jumpnet.coherence.networks.joint import shared_networks
from jumpnet.coherence.networks.kinds import kinds_of
from jumpnet.coherence.networks.least import least_networks
from jumpnet.coherence.protocol import protocol
from jumpnet.machine.dependences import Dependent
from jumpnet.machine.timed.design import Design
from jumpnet.machine.timed.streams import streams_of
from jumpnet.machine.workload import workload
from jumpnet.routings import bind
from jumpnet.topology import build

LU = "lu:processors=4,n=16"
MORE = {
    "closed_loop": Design, "Functional": FunctionalDesign, "coherence_traffic": FunctionalDesign,
}  # fmt: skip
"""Whose fields a function takes beside its own parameters."""
SINGLE = {"read_dependent", "register", "protocol", "encodings", "encoding", "Program"}
"""Of one parameter, or of a user's own things: `face` tries them."""


@cache
def good() -> dict[str, dict[str, Any]]:
    """Arguments of each function and record by name."""
    trace, msi = workload(LU).trace(), protocol("msi")
    kinds, checked = kinds_of(msi), check_protocol(msi)
    columns = dict.fromkeys(("cycle", "source", "destination", "flits", "waiting"), np.zeros(0, np.int64))
    packets = {**columns, "first": np.zeros(1, np.int64), "unknown": 0}
    return {
        "block_of": {"proc": [0], "address": [0], "size": [4], "is_write": [True]},
        "chart_of": {"protocol": msi, "found": checked},
        "check_liveness": {"protocol": msi},
        "check_protocol": {"protocol": msi},
        "closed_loop": {"streams": streams_of(trace), "network": "torus:2x2"},
        "coherence_traffic": {"trace": trace},
        "Costs": {},
        "Dependent": packets,
        "Design": {},
        "directory_memory": {"used": encoding("SM"), "nodes": 16, "pages": 1, "lines": 2},
        "Functional": {"processors": 4},
        "FunctionalDesign": {},
        "kinds_of": {"protocol": msi},
        "least_networks": {"kinds": kinds},
        "named_groups": {"kinds": kinds, "found": least_networks(kinds), "text": ""},
        "Protocol": {"name": "mine", "cache": "I read IS GetS\n", "home": "N GetS S Data\n"},
        "prove_joint": {
            "bound": bind("mesh.dimension_order", build("mesh:2x2")), "shared": shared_networks(msi),
        },
        "replay": {"packets": Dependent(**packets), "network": "mesh:2x2"},
        "replay_fault": {"protocol": msi, "found": checked},
        "ring_of": {"groups": (("Get",), ("Data",)), "waits": [("Get", "Data")]},
        "shared_networks": {"protocol": msi},
        "streams_of": {"trace": trace},
        "Trace": {"name": "mine", "processors": 1, "blocks": lambda: iter(())},
        "workload": {"spec": LU},
    }  # fmt: skip


def _with_one(thing: Any, name: str, key: str, value: Callable[[], Any]) -> Any:
    return thing(**{**good()[name], key: value()})


def calls(marked: dict[str, Any]) -> Iterator[tuple[str, Callable[[Callable[[], Any]], Any]]]:
    """Each parameter of each of these things, alone, by name."""
    for where, thing in marked.items():
        name = where.rpartition(".")[2]
        if where.startswith(("jumpnet.machine.", "jumpnet.coherence.")) and name not in SINGLE:
            known = inspect.signature(thing).parameters.values()
            more = [each.name for each in fields(MORE[name])] if name in MORE else []
            for key in [each.name for each in known if each.kind != each.VAR_KEYWORD] + more:
                yield f"{where}({key})", partial(_with_one, thing, name, key)
