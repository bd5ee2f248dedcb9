"""`jumpnet degrade`: what is left of a network against the number of its faults, with a proof at each point."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from jumpnet.analysis.deadlock.certificates.text import write_certificate
from jumpnet.analysis.degradation import DEFAULT_ROUTING, DegradedFigures
from jumpnet.analysis.what_is_left import what_is_left
from jumpnet.cli._answers.fault_sequence import broken_by
from jumpnet.cli._command.output import emit_json, give_or_take, number, print_rows
from jumpnet.cli._options.files import picture, writable_folder
from jumpnet.cli._options.shared import AsJson, Spec, at_least_one, not_with, only_with, routing_names
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.fault.random_faults import with_faults
from jumpnet.files import replaced, write_bytes
from jumpnet.networks import Network
from jumpnet.notices import counted
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.spec import is_count
from jumpnet.study.degrade import degradation_table, short_runs
from jumpnet.topology import build

NAME = "degrade"
PANEL = "Wafers and faults"
EXAMPLE = "jumpnet degrade rdt:8 --faults 0,1,2 --seeds 2 --no-simulate"
MOST_SEEDS = 1000
FORMS = ("npy", "cert", "cert.gz")
SHOWN = {
    "reachable": "reached",
    "average_route": "route",
    "load_shift": "load",
    "vcs": "vcs",
    "saturation_load": "saturation",
}
"""Figures of the table for a person: the pairs reached, hops, largest channel load over that without faults, ..."""


def _counts(text: str) -> list[int]:
    words = [w.strip() for w in text.split(",")]
    if not all(is_count(w) for w in words):
        raise JumpnetError(f"--faults {text!r} found, numbers such as 0,1,2,5,10 expected")
    return [int(w) for w in words]


def _keeper(folder: Path | None, form: str) -> Any:
    """What writes each certificate into a folder; does nothing without one."""
    if form not in FORMS:
        raise unknown_name("--certificates-as", form, FORMS)
    if folder is None:
        only_with("--certificates", {"--certificates-as": form != FORMS[0] and f"--certificates-as {form}"})
        return lambda found: None
    writable_folder(folder)

    def keep(found: DegradedFigures) -> None:
        file = folder / f"{found.kind}-{len(found.faults)}-seed-{found.seed}.{form}"
        if found.certificate is None or found.bound is None or found.proof is None:
            return
        if form == "npy":
            with replaced(file) as place:
                np.save(place, found.certificate)
        else:
            write_certificate(file, found.bound, found.proof)

    return keep


def _cell(band: dict[str, Any]) -> str:
    return give_or_take(band["mean"], band["half_width"]) or "-"


def _show(spec: str, kind: str, table: list[dict[str, Any]]) -> None:
    shown = [key for key in SHOWN if any(row[key]["mean"] is not None for row in table)]
    proofs = [", ".join(f"{n} {v}" for v, n in row["verdicts"].items()) for row in table]
    rows = [[row["faults"], *[_cell(row[k]) for k in shown], p] for row, p in zip(table, proofs, strict=True)]
    title = (
        f"{spec} with faulty {kind}, {table[0]['routing']}: means over {counted(len(table[0]['seeds']), 'seed')}, 95 %"
    )
    print_rows(title, ["faults", *(SHOWN[k] for k in shown), "proofs"], rows)


def _draw(spec: str, kind: str, table: list[dict[str, Any]], file: Path, form: str) -> None:
    from jumpnet.plot.degradation import degradation_drawer
    from jumpnet.plot.figure import render

    write_bytes(file, render(degradation_drawer({spec: table}, kind), name=spec, formats=(form,))[form])


def _left(net: Network, routers: list[int], links: list[tuple[int, int]], as_json: bool = False) -> None:
    """Print what is left of a network, whatever its routing."""
    found = what_is_left(net, routers, links)
    if as_json:
        emit_json(found.rows())
        return
    joined = "none" if found.joined is None else f"{float(100 * found.joined):.1f} %"
    average = "none" if found.average_distance is None else number(float(found.average_distance), ".4f")
    rows: list[list[Any]] = [
        ["routers that work", found.working],
        ["pieces", found.pieces],
        ["routers of the largest", found.largest_piece],
        ["pairs joined", joined],
        ["diameter", "none" if found.diameter is None else found.diameter],
        ["average distance", average],
    ]
    print_rows(f"what is left of {net.spec}", ["figure", "value"], rows)


@dataclass(frozen=True)
class Broken:
    """What fails."""

    faults: Annotated[str, typer.Option("--faults", help="Numbers of faults, separated by commas.")] = "0,1,2,5,10"
    kind: Annotated[str, typer.Option("--kind", help="What fails: nodes or links.")] = "nodes"
    seeds: Annotated[
        int,
        typer.Option("--seeds", help="Number of seeds; the larger fault sets of one seed include the smaller ones."),
    ] = 5
    seed: Annotated[int, typer.Option("--seed", help="First seed.")] = 1
    named: Annotated[
        list[str] | None,
        typer.Option(
            "--fault",
            help="What fails, e.g. link=3-7,router=5, instead of random faults; may be repeated. Without a routing.",
        ),
    ] = None

    def is_one(self) -> bool:
        """Whether one set of faults is asked for."""
        return self.seeds == 1 and len(_counts(self.faults)) == 1

    def drawn(self) -> dict[str, object]:
        """What was said of random faults."""
        usual = Broken()
        words = {"--faults": "faults", "--kind": "kind", "--seeds": "seeds", "--seed": "seed"}
        return {word: getattr(self, name) != getattr(usual, name) for word, name in words.items()}

    def numbers(self) -> range:
        """The seeds. Raises JumpnetError for too many."""
        if not 1 <= self.seeds <= MOST_SEEDS:
            raise JumpnetError(f"--seeds {self.seeds} found, 1 to {MOST_SEEDS} expected")
        return range(self.seed, self.seed + self.seeds)


@dataclass(frozen=True)
class Simulated:
    """Whether each point is simulated too, and with which packets."""

    simulate: Annotated[bool, typer.Option(help="Search the saturation load of each point by simulation.")] = True
    packet_flits: Annotated[str, typer.Option("--packet-flits", help="Packet lengths of the simulation.")] = "4"


@dataclass(frozen=True)
class Certificates:
    """Where certificates go."""

    folder: Annotated[
        Path | None, typer.Option("--certificates", help="Folder to write each point's certificate to.")
    ] = None
    form: Annotated[
        str,
        typer.Option(
            "--certificates-as", help="Format of the certificates: npy, or as text for other checkers cert or cert.gz."
        ),
    ] = FORMS[0]


def run(
    spec: Spec,
    broken: Broken,
    simulated: Simulated,
    certificates: Certificates,
    routing: str = typer.Option(
        DEFAULT_ROUTING,
        "--routing",
        help="Routing, bound again to each degraded network.",
        autocompletion=routing_names,
    ),
    vcs: int | None = typer.Option(
        None,
        "--vcs",
        show_default=False,
        help="Virtual channels of a port; what the routing needs at each point if left out.",
    ),
    draw: str = typer.Option("", "--draw", help="Picture of the curves to write: .svg, .png or .pdf."),
    as_json: AsJson = False,
) -> None:
    """Degrade a network step by step: reachability, distances, loads, saturation, and a proof at every step."""
    at_least_one("--vcs", vcs)
    if broken.named:
        others = {"--routing": routing != DEFAULT_ROUTING, "--vcs": vcs, "--draw": draw}
        not_with("--fault", {**broken.drawn(), **others, "--certificates": certificates.folder})
        net = build(spec)
        _left(net, *broken_by(net, broken.named)[-1], as_json)
        return
    counts, numbers, kind = _counts(broken.faults), broken.numbers(), broken.kind
    config: SimConfig | None = short_runs(packet_flits=simulated.packet_flits) if simulated.simulate else None
    keep, drawing = _keeper(certificates.folder, certificates.form), picture(draw) if draw else None
    net = build(spec)
    table = degradation_table(net, counts, kind, numbers, routing, vcs, config, keep=keep)
    if drawing:
        _draw(net.spec, kind, table, *drawing)
    if as_json:
        emit_json(table)
    else:
        _show(net.spec, kind, table)
    if broken.is_one() and not as_json:
        faults = with_faults(net, kind, counts[0], broken.seed)[1].tolist()
        nodes = [router for router, port in faults if port < 0]
        _left(net, nodes, [(router, port) for router, port in faults if port >= 0])
