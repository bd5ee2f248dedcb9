"""Peak memory and time of exact metrics of big networks, each in a new process.

Time is that of `metrics(family(spec))` alone, wall and CPU, with a warm kernel cache; memory is the peak of the whole
process.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys

from jumpnet.errors import JumpnetError

SPECS = ["rdt:256", "torus:16x16x16", "rdt:1024", "rdn:5x5,k=2", "rdt:4096", "rdn:5,k=3"]

PROGRAM = """
import json, resource, sys, time
from jumpnet.graph.metrics import metrics
from jumpnet.topology import family
metrics(family("rdt:8")); metrics(family("rdn:3,k=1"))
wall, cpu = time.perf_counter(), time.process_time()
found = metrics(family(sys.argv[1]))
wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps([wall, cpu, peak, found.routers, found.diameter, float(found.average_distance or 0), found.searches]))
"""


def main(words: list[str]) -> None:
    """Parse the options, run each network, print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks memory", description=__doc__)
    parser.add_argument("specs", nargs="*", default=SPECS)
    specs = parser.parse_args(words).specs
    print(f"{'':18}{'routers':>12}{'diameter':>9}{'average':>10}{'searches':>9}{'wall s':>8}{'CPU s':>8}{'peak MB':>9}")
    for spec in specs:
        done = subprocess.run([sys.executable, "-c", PROGRAM, spec], capture_output=True, text=True)
        if done.returncode:
            raise JumpnetError(f"{spec}: {done.stderr.splitlines()[-1]}")
        wall, cpu, peak, routers, diameter, average, searches = json.loads(done.stdout)
        print(
            f"{spec:18}{routers:12,}{diameter:9}{average:10.5f}{searches:9}{wall:8.2f}{cpu:8.2f}{peak / 1e6:9.0f}",
            flush=True,
        )
