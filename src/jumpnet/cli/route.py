"""`jumpnet route`: the path of one packet, hop by hop, beside the length of a shortest path."""

from __future__ import annotations

from typing import Any

import typer

from jumpnet.analysis.routes.paths import route, shortest
from jumpnet.cli._command.output import emit_json, print_rows, printable
from jumpnet.cli._options.defaults import routing_for
from jumpnet.cli._options.shared import WITHOUT, AsJson, Missing, RoutingName, Spec, Vcs, at_least_one
from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.notices import counted
from jumpnet.routings import BoundRouting, bind
from jumpnet.topology import build

NAME = "route"
PANEL = "Routing and proofs"
EXAMPLE = "jumpnet route rdt:64 1,2 5,9"


def _place(net: Network, router: int) -> str:
    coord = ",".join(str(c) for c in net.coord[router])
    if net.labels is not None:
        return net.labels[router]
    return coord if net.coord.shape[1] > 1 else str(router)


def _number(word: str) -> int:
    """A candidate's number as it is typed."""
    if not word.isdecimal() or len(word) > 4:
        raise JumpnetError(f"--take {word} found, numbers of candidates from 0 expected")
    return int(word)


def _row(bound: BoundRouting, source: int, destination: int, draw: int, take: list[int]) -> dict[str, Any]:
    net = bound.network
    hops = route(bound, source, destination, draw, take)
    return {
        "spec": net.spec,
        "routing": bound.name,
        "source": source,
        "destination": destination,
        "path": [hop.router for hop in hops] + [destination],
        **({} if net.labels is None else {"names": [net.labels[r] for r in [*(h.router for h in hops), destination]]}),
        "length": len(hops),
        "channels": [hop._asdict() for hop in hops],
        "shortest": int(shortest(bound, source)[destination]),
    }


def run(
    spec: Spec,
    source: str = typer.Argument(..., metavar="SOURCE", help="Router by index, coordinates, e.g. 1,2, or label."),
    destination: str = typer.Argument(
        ..., metavar="DESTINATION", help="Router by index, coordinates, e.g. 5,9, or label."
    ),
    routing: RoutingName = "",
    vcs: Vcs = None,
    draw: int = typer.Option(
        0, "--draw", help="Number in place of the random draw at the source, for routings that draw there."
    ),
    take: str = typer.Option(
        "", "--take", help="Candidate to take at each hop, from 0, e.g. '1 0 2'; the first where left out."
    ),
    missing: Missing = None,
    as_json: AsJson = False,
) -> None:
    """Show the path from one router to another, channel by channel."""
    at_least_one("--vcs", vcs)
    net = build(spec)
    if missing:
        from jumpnet.cli._answers.fault_sequence import without  # more to load than all of a route

        net, routing = without(net, missing), routing or WITHOUT
    name, about = routing_for(net, routing, vcs)
    bound = bind(name, net, vcs)
    taken = [_number(word) for word in take.split()]
    row = _row(bound, net.router_at(source), net.router_at(destination), draw, taken) | about
    if as_json:
        emit_json([row])
        return
    print_rows(
        f"{bound.name} on {net.spec}: {counted(row['length'], 'hop')}, shortest {row['shortest']}",
        ["hop", "router", "port", "vc", "link"],
        [(k, _place(net, c["router"]), c["port"], c["vc"], c["link_class"]) for k, c in enumerate(row["channels"])],
    )
    print(printable(f"arrives at {_place(net, row['destination'])}"))
    for words in about.values():
        print(words)
