"""`jumpnet multicast`: one multicast under a bit-map scheme, or a broadcast: receivers, bits, steps, the tree."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from jumpnet.cli._command.output import emit_json, print_figures, print_rows
from jumpnet.cli._options.files import picture
from jumpnet.cli._options.shared import AsJson, Spec, names_from, not_with, only_with
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.files import write_bytes
from jumpnet.multicast import broadcast, scheme, schemes
from jumpnet.multicast.schedule import Schedule, play
from jumpnet.multicast.territory import territories
from jumpnet.multicast.tree import multicast_tree
from jumpnet.networks import Network
from jumpnet.topology import build

NAME = "multicast"
PANEL = "Routing and proofs"
EXAMPLE = "jumpnet multicast rdt:128 --scheme SM --source 5,7 --to 6,7 --to 9,3"
MAPPED = ("rdt", "prdt")
"""Families with bit maps."""
COLLECTIVES = ("broadcast", "gather", "all-reduce")
FLITS = 13
"""Length of a packet: 3 of header, one of address, 8 of a cache line, one of parity (nishi1997router section 4.2.3)."""


def _place(net: Network, router: int) -> str:
    return ",".join(str(c) for c in net.coord[router].tolist())


def _broadcast(net: Network, source: int, asked: Broadcast, tree: bool) -> dict[str, Any]:
    name, model, collective = asked.name, asked.model, asked.collective
    out = broadcast(name)(net, source, model)
    parts = {"broadcast": [out], "gather": [out.backwards()], "all-reduce": [out.backwards(), out]}[collective]
    played = [play(net, schedule, model) for schedule in parts]
    row: dict[str, Any] = {
        "spec": net.spec,
        "broadcast": name,
        **({} if collective == "broadcast" else {"collective": collective}),
        "model": model,
        "source": source,
        "informed": min(each.informed for each in played),
        "steps": sum(each.steps for each in played),
        "transfers": sum(len(schedule.step) for schedule in parts),
        "received_again": int((play(net, out, model).received > 1).sum()),
    }
    if tree:
        row["tree"] = _transfers(parts)
    return row


def _transfers(parts: list[Schedule]) -> list[dict[str, int]]:
    """The transfers of schedules, each begun when the one before is over."""
    rows, begun = [], 0
    for part in parts:
        columns = (part.step + begun, part.sender, part.receiver)
        rows += [
            dict(zip(("step", "sender", "receiver"), t, strict=True))
            for t in zip(*(column.tolist() for column in columns), strict=True)
        ]
        begun += part.steps
    return rows


def _multicast(
    net: Network, name: str, source: int, destinations: list[int], top: int | None, tree: bool
) -> dict[str, Any]:
    found = multicast_tree(territories(net), scheme(name), source, destinations, top)
    row: dict[str, Any] = {
        "spec": net.spec,
        "scheme": found.scheme,
        "source": source,
        "root": found.root,
        "receivers": len(found.receivers),
        "destinations": len(found.destinations),
        "unnecessary": found.unnecessary,
        "bits": found.bits,
        "top_rank": found.address.top,
        "steps": found.steps,
        "hops": len(found.hops),
        "remade": len(found.remade),
    }
    if tree:
        row["receiver_routers"] = list(found.receivers)
        row["remade_at"] = list(found.remade)
        row["maps"] = [{"rank": r, "node": list(node), "map": m} for (r, node), m in sorted(found.maps.items())]
        row["tree"] = [hop._asdict() for hop in found.hops]
    return row


def _timed(
    net: Network, name: str, source: int, destinations: list[int], top: int | None, remake_cycles: int
) -> dict[str, Any]:
    """Cycles of one multicast alone on the simulated router chip, with combined acknowledges."""
    import numpy as np

    from jumpnet.multicast.chip_rules import chip_rules
    from jumpnet.multicast.plan import bit_map_plan
    from jumpnet.sim.config.sim_config import preset
    from jumpnet.sim.multicast.config import MulticastConfig
    from jumpnet.sim.multicast.engine import send_messages  # loading the kernels takes longer than the rest
    from jumpnet.sim.multicast.messages import COMBINED, Messages, forest

    rules = chip_rules(net)
    plan = bit_map_plan(rules, scheme(name), source, destinations, top)
    message = Messages(*(np.array([value]) for value in (0, 0, FLITS, COMBINED)))
    answers = MulticastConfig(remake_cycles=remake_cycles)
    chips = preset("jump1")
    chips = chips.replace(max_cycles=chips.max_cycles + max(remake_cycles, 0) * len(destinations))
    done = send_messages(net, rules.vcs, forest(net, [plan]), message, chips, answers)
    if done.acknowledged[0] < 0:
        raise JumpnetError(f"multicast under way after {chips.max_cycles} cycles found, one that has ended expected")
    return {
        "last_arrival_cycles": int(done.last_arrival[0]),
        "last_ack_cycles": int(done.acknowledged[0]),
        "link_flits": done.link_flits,
    }


def _territory(net: Network, source: int, top: int) -> dict[str, Any]:
    """What multicasts of a top rank can reach, whatever their destinations."""
    where = territories(net)
    return {"spec": net.spec, "source": source, "top_rank": top, "routers": len(where.members(source, top))}


def _draw(net: Network, source: int, top: int, file: Path, kind: str) -> None:
    from jumpnet.plot.figure import render  # loading Matplotlib takes longer than the rest of the verb
    from jumpnet.plot.territory import territory_drawer

    title = f"{net.spec}: territories of ({_place(net, source)})"
    made = render(territory_drawer(territories(net), source, top, title), name=net.spec, formats=(kind,))
    write_bytes(file, made[kind])


def _show(net: Network, row: dict[str, Any]) -> None:
    words = {"source": _place, "root": _place}
    cells = [(key, words[key](net, v) if key in words else v) for key, v in row.items() if not isinstance(v, list)]
    print_figures(row["spec"], cells)
    if "tree" in row:
        rows = [
            [h["step"], _place(net, h["sender"]), _place(net, h["receiver"]), h.get("rank", "")] for h in row["tree"]
        ]
        print_rows("transfers", ["step", "from", "to", "rank"], rows)


@dataclass(frozen=True)
class Message:
    """A multicast under a bit-map scheme."""

    scheme_name: Annotated[
        str,
        typer.Option(
            "--scheme",
            help="Scheme: SM, LPRA, LARP, LARP:path, REMAKE or full; all: one row for each.",
            autocompletion=names_from("jumpnet.multicast", "schemes"),
        ),
    ] = "SM"
    to: Annotated[
        list[str] | None,
        typer.Option(
            "--to",
            "--destinations",
            help="Destinations by index or coordinates; may be repeated: --to 6,7 --to 9,3.",
        ),
    ] = None
    top: Annotated[
        int | None,
        typer.Option("--top-rank", help="Rank to start at instead of the least that holds all destinations."),
    ] = None
    cycles: Annotated[
        bool,
        typer.Option(
            "--cycles", help="Also send it, alone, through the simulated router chip: cycles and flits over links."
        ),
    ] = False
    remake_cycles: Annotated[
        int, typer.Option("--remake-cycles", help="With --cycles: what a processor takes to make a new map (REMAKE).")
    ] = 0

    def rows(self, net: Network, source: int, tree: bool) -> list[dict[str, Any]]:
        """A row for each scheme. Raises JumpnetError for a network without bit maps."""
        if net.family not in MAPPED:
            raise JumpnetError(
                f"multicast: {net.spec} found, a network of family {' or '.join(MAPPED)} expected for bit maps; "
                "`--broadcast bfs` and `jumpnet simulate --multicast paths` take any network"
            )
        names = list(schemes()) if self.scheme_name == "all" else [scheme(self.scheme_name).name]
        targets = [net.router_at(word) for words in self.to or () for word in words.split()]
        rows = [_multicast(net, name, source, targets, self.top, tree) for name in names]
        for row in rows if self.cycles else []:
            row.update(_timed(net, row["scheme"], source, targets, self.top, self.remake_cycles))
        return rows


@dataclass(frozen=True)
class Broadcast:
    """A message to all routers instead, or what is built of such."""

    name: Annotated[
        str,
        typer.Option(
            "--broadcast",
            help="Instead of --to: rank_descending, rdn, binomial, or bfs (any network).",
            autocompletion=names_from("jumpnet.multicast", "broadcasts"),
        ),
    ] = ""
    collective: Annotated[
        str,
        typer.Option(
            "--collective",
            help="With --broadcast: broadcast, gather (a broadcast backwards, to the source), or all-reduce (a "
            "gather, then a broadcast).",
        ),
    ] = "broadcast"
    model: Annotated[str, typer.Option("--model", help="Port model of a broadcast: one-port or all-port.")] = "one-port"


def _check(message: Message, broadcast: Broadcast, draw: str, tree: bool) -> None:
    """Raise JumpnetError for options that do not go together, or change nothing without another one."""
    if draw and message.top is not None and not message.to and not broadcast.name:  # territories alone
        of_message = {"--scheme": message.scheme_name != "SM", "--cycles": message.cycles, "--tree": tree}
        only_with("--to", {**of_message, "--remake-cycles": message.remake_cycles})
        _only_of_all(broadcast)
        return
    if bool(message.to) == bool(broadcast.name):
        found = "both --to and --broadcast" if message.to else "no --to"
        raise JumpnetError(f"{found} found, destinations (--to 6,7 --to 9,3) or --broadcast NAME expected")
    if broadcast.name:
        of_message = {"--top-rank": message.top is not None, "--scheme": message.scheme_name != "SM"}
        not_with("--broadcast", {"--cycles": message.cycles, "--draw": draw, **of_message})
    if message.remake_cycles and not message.cycles:
        only_with("--cycles", {"--remake-cycles": True})
    if not broadcast.name:
        _only_of_all(broadcast)
    if broadcast.collective not in COLLECTIVES:
        raise unknown_name("collective", broadcast.collective, COLLECTIVES)


def _only_of_all(broadcast: Broadcast) -> None:
    """Raise JumpnetError for options of broadcasts where there is none."""
    of_all = {"--model": broadcast.model != "one-port", "--collective": broadcast.collective != "broadcast"}
    only_with("--broadcast", of_all)


def run(
    spec: Spec,
    message: Message,
    to_all: Broadcast,
    source: str = typer.Option(..., "--source", help="Source router by index or coordinates, e.g. 5,7."),
    tree: bool = typer.Option(False, "--tree", help="List the receivers, the maps and every transfer."),
    draw: str = typer.Option(
        "",
        "--draw",
        help="Picture of the territories up to the top rank to write: .svg, .png or .pdf; --top-rank is enough for it.",
    ),
    as_json: AsJson = False,
) -> None:
    """Send one message to many routers: who receives it, bits of the maps, steps; or broadcast to all."""
    _check(message, to_all, draw, tree)
    drawing = picture(draw) if draw else None
    net = build(spec)
    start = net.router_at(source)
    if drawing and not message.to and not to_all.name:
        rows = [_territory(net, start, message.top or 0)]
    else:
        rows = [_broadcast(net, start, to_all, tree)] if to_all.name else message.rows(net, start, tree)
    if drawing:
        _draw(net, start, rows[0]["top_rank"], *drawing)
    if as_json:
        emit_json(rows)
    else:
        for row in rows:
            _show(net, row)
