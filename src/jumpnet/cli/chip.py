"""`jumpnet chip`: decode a packet of the router chip, trace one through a network of chips, run the fault campaign."""

from __future__ import annotations

from typing import Any

import typer

from jumpnet.chip.configuration import wire
from jumpnet.chip.decode import decode
from jumpnet.chip.faults import campaign
from jumpnet.chip.links import MBP0
from jumpnet.chip.messages import multicast_packet
from jumpnet.chip.network import ChipNetwork
from jumpnet.cli._output import JSON_OPTION_HELP, emit_json, print_rows
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.topology import build

NAME = "chip"
ACTIONS = ("decode", "faults", "trace")
KEY = 1


def _decode(words: list[str]) -> list[dict[str, Any]]:
    if not words:
        raise JumpnetError(
            "no packet found, its flits in hexadecimal digits expected, such as 00005 003ff 1fffe 00005 00005"
        )
    return decode(" ".join(words))


def _trace(spec: str, scheme: str, source: str, to: list[str], acknowledged: bool) -> list[dict[str, Any]]:
    if not to:
        raise JumpnetError("no --to found, a destination such as --to 3,1 expected")
    net = build(spec)
    chips = ChipNetwork(wire(net))
    start, ends = net.router_at(source), [net.router_at(word) for word in to]
    key = KEY if acknowledged else None
    packet = multicast_packet(chips.wiring.where, scheme, start, ends, key=key, body=(0x2A,))
    chips.trace(range(net.routers))
    chips.mbps[start].send(packet.flits(), link=MBP0)
    chips.run_until(lambda: chips.idle and not chips.mbps[start].own_keys)
    lines = sorted(line for each in chips.seen.values() for line in each)
    return [{"spec": spec, "cycle": line} for line in lines]


def run(
    action: str = typer.Argument(..., help="decode, trace or faults"),
    words: list[str] = typer.Argument(None, help="decode: the flits in hexadecimal digits; trace: the network"),
    scheme: str = typer.Option("SM", "--scheme", help="trace: SM, LPRA or LARP"),
    source: str = typer.Option("0", "--source", help="trace: source router, an index or coordinates"),
    to: list[str] = typer.Option([], "--to", help="trace: a destination; repeat for more"),
    acknowledged: bool = typer.Option(False, "--acknowledged", help="trace: with a compressed address"),
    full: bool = typer.Option(False, "--full", help="faults: longest packets, more shoot-downs, a larger network"),
    as_json: bool = typer.Option(False, "--json", help=JSON_OPTION_HELP),
) -> None:
    """The JUMP-1 router chip: packets to the bit, one-line cycle traces, the fault campaign."""
    if action not in ACTIONS:
        raise unknown_name("action of chip", action, ACTIONS)
    given = list(words or [])
    if action == "decode":
        rows = _decode(given)
    elif action == "faults":
        rows = [outcome.row() for outcome in campaign(full=full)]
    else:
        rows = _trace(given[0] if given else "rdt:16", scheme, source, to, acknowledged)
    if as_json:
        emit_json(rows)
    elif action == "trace":
        for row in rows:
            print(row["cycle"])
    else:
        print_rows(action, list(rows[0]), [list(row.values()) for row in rows])
