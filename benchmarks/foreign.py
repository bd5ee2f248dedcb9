"""What routings carry on random regular graphs, which have none of their own: channel loads and saturation.

`python -m benchmarks foreign [SPEC ...]`. The bound is 1 / the largest channel load, exact; saturation is found by
simulation (uniform traffic, packets of 16 flits, buffers of 8, 2,000 cycles of warm-up, 4,000 measured, to 3%).
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from jumpnet.analysis.loads import channel_loads
from jumpnet.errors import JumpnetError
from jumpnet.routings import bind, default_routing
from jumpnet.sim.saturation import find_saturation
from jumpnet.topology import build
from jumpnet.traffic import bind as bind_traffic

SPECS = [f"random:{routers},d={d},seed=1" for routers in (64, 256, 1024) for d in (3, 4, 6)]
ROUTINGS = (("up_down", 1), ("up_down", 4), ("nue", 1), ("nue", 4), ("lash", None), ("lash:paths=balanced", None))
SETTINGS: dict[str, Any] = {"warmup_cycles": 2000, "measure_cycles": 4000, "packet_flits": "16", "buffer_flits": 8}


def _row(spec: str, name: str, vcs: int | None) -> str:
    net = build(spec)
    before = time.process_time()
    try:
        bound = bind(name, net, vcs)
    except JumpnetError as error:
        return f"| {spec} | {name} | | | | {error} |"
    assert bound.view is not None  # the tables are made here
    seconds = time.process_time() - before
    loads = channel_loads(bound, bind_traffic("uniform", net))
    found = find_saturation(net, bound, resolution=0.03, load=min(1.0, 0.25 * loads.ideal_throughput), **SETTINGS)
    shown = f"{name}*" if name == default_routing(net) else name
    figures = f"{bound.vcs} | {seconds:.1f} | {loads.ideal_throughput:.3f} | {found.load:.3f}"
    return f"| {spec} | {shown} | {figures} |"


def main(words: list[str]) -> None:
    """Print the table; `*` marks the routing that is taken when none is named."""
    parser = argparse.ArgumentParser(prog="benchmarks foreign", description=__doc__)
    parser.add_argument("specs", nargs="*", default=SPECS, help="networks, e.g. random:64,d=3,seed=1")
    specs = parser.parse_args(words).specs
    print("| network | routing | channels | CPU s for tables | bound | saturation |\n|---|---|---|---|---|---|")
    for spec in specs:
        for name, vcs in ROUTINGS:
            print(_row(spec, name, vcs), flush=True)
