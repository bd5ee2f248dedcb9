"""Degradation curves of our own: torus, SRT, RDT and RDN with faulty nodes, each point routed and proved anew.

The papers claim fault tolerance for the SRT and the RDT and print no figures; `study/degrade.py` computes these.
"""

from __future__ import annotations

from typing import Any

from jumpnet.report._kept import with_long_run
from jumpnet.report._section import Cell, Figure, Golden, Progress, Rows, Section, Table, on_first_use
from jumpnet.study.degrade import degradation_table, short_runs

TITLE = "Degradation: what faulty nodes and links leave of a network"
ORDER = 40

NETWORKS = ("torus:8x8", "srt2d:8", "rdt:8", "rdn:6,k=1")
"""64 routers each; there is no RDN of 64, the next one has 72."""
FAULTS, FULL_FAULTS = (0, 4, 8), (0, 1, 2, 4, 6, 8, 12, 16)
SEEDS, FULL_SEEDS = (1, 2, 3), tuple(range(1, 11))
SHOWN = {
    "reachable": "pairs reached",
    "average_route": "mean route (hops)",
    "load_shift": "largest load / without faults",
    "saturation_load": "saturation load",
}


def _data(tables: dict[str, list[dict[str, Any]]]) -> dict[str, list[Any]]:
    """The curves as columns."""
    data: dict[str, list[Any]] = {"faults": [row["faults"] for row in next(iter(tables.values()))]}
    for name, table in tables.items():
        for key in SHOWN:
            data[f"{name} {key}"] = [row[key]["mean"] for row in table]
            data[f"{name} {key} half width"] = [row[key]["half_width"] for row in table]
    return data


def _table(tables: dict[str, list[dict[str, Any]]], kind: str, shown: dict[str, str]) -> Table:
    rows: Rows = []
    for name, table in tables.items():
        for row in table:
            proved = f"{row['verdicts'].get('free', 0)} of {len(row['seeds'])}"
            means = [row[key]["mean"] for key in shown]
            cells = [None if mean is None else Cell(None, mean) for mean in means]
            rows.append((f"{name}, {row['faults']} faulty", [*cells, Cell(None, proved)]))
    columns = [*shown.values(), "proved free of deadlock"]
    return Table(f"Networks of about 64 routers with faulty {kind}", "ours; not in the papers", columns, rows)


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Mean route and saturation load against the number of faulty nodes, with bands over the seeds."""
    config = short_runs(packet_flits="4", warmup_cycles=300, measure_cycles=1000)
    faults, seeds = (FULL_FAULTS, FULL_SEEDS) if full else (FAULTS, SEEDS)
    tables: dict[str, list[dict[str, Any]]] = {}
    for done, name in enumerate(NETWORKS):
        progress(done, len(NETWORKS))
        tables[name] = degradation_table(name, faults, "nodes", seeds, config=config)
    figure = Figure(
        "srt-degradation", "Degradation with faulty nodes", "ours; not in the papers",
        on_first_use("jumpnet.plot.degradation", "degradation_drawer", tables, "nodes"),
        _data(tables),
    )  # fmt: skip
    simulated = config if full else None
    links = {name: degradation_table(name, faults, "links", seeds, config=simulated) for name in NETWORKS}
    shown = {key: name for key, name in SHOWN.items() if full or key != "saturation_load"}
    made = Section(TITLE, TEXT, (_table(tables, "nodes", SHOWN), _table(links, "links", shown)), (figure,))
    return with_long_run("inoguchi1996srt", "degradation", made, full)


TEXT = """Nodes, or links, fail in a random order, nested for each seed. On what is left, every network is routed by
shortest paths in acyclic layers (LASH), as the papers on the SRT and the RDN name no routing round faults; the tables
say at how many seeds the result was proved free of deadlock. Saturation was searched by simulation (with faulty links
in the long run only): packets of 4 flits, uniform traffic, short windows, as many virtual channels as the layers
need. Bands are 95 % over the seeds.

The RDN has 72 routers (there is none of 64). The networks are not of one degree."""
