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
from jumpnet.cli._options import AsJson
from jumpnet.cli._output import emit_json, print_rows
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.topology import build

NAME = "chip"
EXAMPLE = "jumpnet chip trace rdt:16 --source 0 --to 1 --to 20"
ACTIONS = ("decode", "faults", "trace")
KEY = 1
WORDS = {"faults": 0, "trace": 1}
"""Most words after an action."""


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
    chips = ChipNetwork(wire(net, scheme))
    start, ends = net.router_at(source), [net.router_at(word) for word in to]
    key = KEY if acknowledged else None
    packet = multicast_packet(chips.wiring.where, scheme, start, ends, key=key, body=(0x2A,))
    chips.trace(range(net.routers))
    chips.mbps[start].send(packet.flits(), link=MBP0)
    chips.run_until(lambda: chips.idle and not chips.mbps[start].own_keys)
    lines = sorted((line for each in chips.seen.values() for line in each), key=lambda line: int(line.split()[0]))
    return [{"spec": spec, "cycle": line} for line in lines]


def _refuse(action: str, words: list[str], options: dict[str, tuple[str, object]]) -> None:
    """Words and options that say nothing to an action; `options` has the action of each and what was given."""
    most = WORDS.get(action)
    if most is not None and len(words) > most:
        expected = "one network" if most else "nothing"
        raise JumpnetError(f"{words[most]!r} found, {expected} expected after {action}")
    for name, (wanted, given) in options.items():
        if given and wanted != action:
            raise JumpnetError(f"{name} with {action} found, {wanted} expected")


def run(
    action: str = typer.Argument(..., metavar="ACTION", help="What to do: decode, trace or faults."),
    words: list[str] = typer.Argument(
        None, metavar="[WORD]...", help="For decode the flits in hexadecimal; for trace the network."
    ),
    scheme: str = typer.Option("", "--scheme", help="For trace: SM (if left out), LPRA, LARP or LARP:path."),
    source: str = typer.Option("", "--source", help="For trace: the source, by index or coordinates; 0 if left out."),
    to: list[str] = typer.Option([], "--to", help="For trace: a destination; may be repeated."),
    acknowledged: bool = typer.Option(
        False, "--acknowledged", help="For trace: acknowledged, with a compressed address."
    ),
    full: bool = typer.Option(False, "--full", help="For faults: longest packets, more shoot-downs, a larger network."),
    as_json: AsJson = False,
) -> None:
    """The JUMP-1 router chip: packets to the bit, one-line cycle traces, the fault campaign."""
    if action not in ACTIONS:
        raise unknown_name("action of chip", action, ACTIONS)
    given = list(words or [])
    tracing = {"--scheme": scheme, "--source": source, "--to": to, "--acknowledged": acknowledged}
    _refuse(action, given, {**{name: ("trace", value) for name, value in tracing.items()}, "--full": ("faults", full)})
    if action == "decode":
        rows = _decode(given)
    elif action == "faults":
        rows = [outcome.row() for outcome in campaign(full=full)]
    else:
        rows = _trace(given[0] if given else "rdt:16", scheme or "SM", source or "0", to, acknowledged)
    if as_json:
        emit_json(rows)
    elif action == "trace":
        for row in rows:
            print(row["cycle"])
    else:
        print_rows(action, list(rows[0]), [list(row.values()) for row in rows])
