"""CPU seconds of jumpnet and of CNSim for the same cycles of a mesh: part of the benchmark `simulator`.

Dimension order, uniform traffic, buffers of one size, one thread each, in turns; the median of the runs counts. jumpnet
runs twice: with wormhole flow control, its usual one, and with virtual cut-through, which is CNSim's.
"""

from __future__ import annotations

import json
import statistics
import time
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks._cnsim import Setting, run
from jumpnet.sim.simulate import simulate

__all__ = ["MESHES", "measure_mesh", "print_meshes", "spec_of"]

MESHES = tuple(
    Setting(side, load, cycles, flits, vcs, 16)
    for side, loads, sizes in (
        (8, (0.1, 0.25), ((1, 20_000), (5, 40_000), (16, 60_000))),
        (64, (0.0125, 0.03), ((1, 1_200), (5, 1_200), (16, 2_400))),
    )
    for vcs in (2, 8)
    for flits, cycles in sizes
    for load in loads
)
"""Both loads are below saturation of both programs: a fifth and a half of what the links in the middle carry."""
FLOW_CONTROLS = ("wormhole", "cut_through")


class Spent(NamedTuple):
    """CPU seconds of a run, and the flits delivered in its measured cycles."""

    whole: float
    loop: float
    """Of the cycles alone."""
    flits: float
    latency: float
    """Mean of the packets measured, in cycles."""


def spec_of(mesh: Setting) -> str:
    """The network as jumpnet spells it."""
    return f"mesh:{mesh.side}x{mesh.side}"


def _own(mesh: Setting, flow_control: str, seed: int) -> Spent:
    before = time.process_time()
    result = simulate(
        spec_of(mesh),
        "mesh.dimension_order",
        load=mesh.load,
        traffic="uniform",
        packet_flits=str(mesh.flits),
        buffer_flits=mesh.buffers,
        vcs=mesh.vcs,
        flow_control=flow_control,
        seed=seed,
        warmup_cycles=mesh.cycles // 2,
        measure_cycles=mesh.cycles,
        drain=False,
    )
    whole = time.process_time() - before
    flits = result.accepted_load * mesh.side**2 * mesh.cycles
    return Spent(whole, result.cpu_seconds, flits, result.packet_latency_mean_cycles)


def _cnsim(mesh: Setting, binary: Path) -> Spent:
    found = run(binary, mesh)
    return Spent(found["cpu_seconds"], found["loop_seconds"], found["packets"] * mesh.flits, found["latency"])


def measure_mesh(mesh: Setting, rounds: int, binary: Path) -> dict[str, Any]:
    """Medians of one mesh, and CNSim's time over that of jumpnet: of everything, and of the cycles alone."""
    spent: dict[str, list[Spent]] = {name: [] for name in (*FLOW_CONTROLS, "cnsim")}
    for flow_control in FLOW_CONTROLS:
        _own(mesh._replace(cycles=20), flow_control, 1)  # compiles
    for seed in range(1, rounds + 1):
        for flow_control in FLOW_CONTROLS:
            spent[flow_control].append(_own(mesh, flow_control, seed))
        spent["cnsim"].append(_cnsim(mesh, binary))
    middle = {name: Spent(*map(statistics.median, zip(*runs, strict=True))) for name, runs in spent.items()}
    row: dict[str, Any] = {"spec": spec_of(mesh), **mesh._asdict(), "rounds": rounds}
    for name, median in middle.items():
        row |= {f"{name}_{field}": value for field, value in median._asdict().items()}
    for name in FLOW_CONTROLS:
        row[f"{name}_ratio"] = middle["cnsim"].whole / middle[name].whole
        row[f"{name}_loop_ratio"] = middle["cnsim"].loop / middle[name].loop
    return row


def print_meshes(meshes: list[Setting], rounds: int, binary: Path, as_json: bool) -> None:
    """Measure each mesh and print a line: flits and CPU seconds of each program, then the four ratios."""
    if meshes and not as_json:
        print(
            f"{'network':11}{'load':>7}{'cycles':>8}{'flits':>6}{'vcs':>4}{'delivered':>12}{'by CNSim':>11}"
            f"{'wormhole':>10}{'cut':>8}{'CNSim':>8}{'ratio':>7}{'loop':>7}{'cut':>7}{'loop':>7}"
        )
    for mesh in meshes:
        row = measure_mesh(mesh, rounds, binary)
        if as_json:
            print(json.dumps(row), flush=True)
            continue
        ratios = "".join(f"{row[f'{name}_{kind}']:7.2f}" for name in FLOW_CONTROLS for kind in ("ratio", "loop_ratio"))
        print(
            f"{row['spec']:11}{mesh.load:7g}{mesh.cycles:8}{mesh.flits:6}{mesh.vcs:4}{row['wormhole_flits']:12,.0f}"
            f"{row['cnsim_flits']:11,.0f}{row['wormhole_whole']:10.3f}{row['cut_through_whole']:8.3f}"
            f"{row['cnsim_whole']:8.3f}{ratios}",
            flush=True,
        )
