"""`jumpnet chip`: decode a packet, trace one through a network of chips, offer a load, run the fault campaign."""

from __future__ import annotations

from typing import Any

import typer

from jumpnet.chip.configuration import wire
from jumpnet.chip.decode import decode
from jumpnet.chip.faults import campaign
from jumpnet.chip.links import MBP0
from jumpnet.chip.load import Load
from jumpnet.chip.messages import multicast_packet
from jumpnet.chip.network import ChipNetwork
from jumpnet.chip.remake import directory, remake_packet
from jumpnet.chip.settings import Settings
from jumpnet.cli._chip import load_row
from jumpnet.cli._options import AsJson
from jumpnet.cli._output import emit_json, print_rows
from jumpnet.cli._settings import chip_words, settings_given
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.settings import make
from jumpnet.topology import build

NAME = "chip"
PANEL = "Machine and coherence"
EXAMPLE = "jumpnet chip trace rdt:16 --source 0 --to 1 --to 20"
ACTIONS = ("decode", "faults", "load", "trace")
KEY = 1
WORDS = {"faults": 0, "load": 1, "trace": 1}
"""Most words after an action."""


def _decode(words: list[str]) -> list[dict[str, Any]]:
    if not words:
        raise JumpnetError(
            "no packet found, its flits in hexadecimal digits expected, such as 00005 003ff 1fffe 00005 00005"
        )
    return decode(" ".join(words))


def _trace(
    spec: str, scheme: str, source: str, to: list[str], acknowledged: bool, settings: Settings
) -> list[dict[str, Any]]:
    if not to:
        raise JumpnetError("no --to found, a destination such as --to 3,1 expected")
    net = build(spec)
    chips = ChipNetwork(wire(net, scheme), settings)
    start, ends = net.router_at(source), [net.router_at(word) for word in to]
    where = chips.wiring.where
    if scheme == "REMAKE":  # always acknowledged: the address names the maps
        packet = remake_packet(where, start, ends, key=KEY, body=(0x2A,))
        chips.install(directory(where, start, ends, KEY))
    else:
        packet = multicast_packet(where, scheme, start, ends, key=KEY if acknowledged else None, body=(0x2A,))
    chips.trace(range(net.routers))
    chips.mbps[start].send(packet.flits(), link=MBP0)
    chips.run_until(lambda: chips.idle and not chips.mbps[start].own_keys)
    lines = sorted((line for each in chips.seen.values() for line in each), key=lambda line: int(line.split()[0]))
    return [{"spec": spec, "cycle": line} for line in lines]


def _refuse(action: str, words: list[str], options: dict[str, tuple[tuple[str, ...], object]]) -> None:
    """Words and options that say nothing to an action; `options` has the actions of each and what was given."""
    most = WORDS.get(action)
    if most is not None and len(words) > most:
        expected = "one network" if most else "nothing"
        raise JumpnetError(f"{words[most]!r} found, {expected} expected after {action}")
    for name, (wanted, given) in options.items():
        if given not in (False, None, "", []) and action not in wanted:
            raise JumpnetError(f"{name} with {action} found, {' or '.join(wanted)} expected")


def run(
    action: str = typer.Argument(..., metavar="ACTION", help="What to do: decode, trace, load or faults."),
    words: list[str] = typer.Argument(
        None, metavar="WORD", help="For decode the flits in hexadecimal; for trace and load the network."
    ),
    scheme: str = typer.Option(
        "", "--scheme", help="For trace and load: SM (if left out), LPRA, LARP, LARP:path or REMAKE (acknowledged)."
    ),
    source: str = typer.Option("", "--source", help="For trace: the source, by index or coordinates; 0 if left out."),
    to: list[str] = typer.Option([], "--to", help="For trace: a destination; may be repeated."),
    acknowledged: bool = typer.Option(
        False, "--acknowledged", help="For trace and load: acknowledged, with a compressed address."
    ),
    rate: float = typer.Option(
        None, "--load", show_default=False, help="For load: packets a router creates in a clock; 0.002 if left out."
    ),
    clocks: int = typer.Option(
        None, "--clocks", show_default=False, help="For load: clocks in which packets are created; 2000 if left out."
    ),
    destinations: int = typer.Option(
        None, "--destinations", show_default=False, help="For load: destinations of a packet; 1 if left out."
    ),
    rank: int = typer.Option(
        None, "--rank", show_default=False, help="For load: destinations are near the source, in this rank's territory."
    ),
    body: int = typer.Option(None, "--body", show_default=False, help="For load: body flits; 8 if left out."),
    seed: int = typer.Option(None, "--seed", show_default=False, help="For load: seed; 1 if left out."),
    choices: list[str] = typer.Option(
        [],
        "--set",
        help="For trace and load: a setting of the chips such as entries=2 or full_duplex=true; repeatable. "
        "`jumpnet list setting chip` shows them.",
        autocompletion=chip_words,
    ),
    full: bool = typer.Option(False, "--full", help="For faults: longest packets, more shoot-downs, a larger network."),
    as_json: AsJson = False,
) -> None:
    """The JUMP-1 router chip: packets to the bit, one-line cycle traces, offered loads, the fault campaign."""
    if action not in ACTIONS:
        raise unknown_name("action of chip", action, ACTIONS)
    given = list(words or [])
    both, loads = ("trace", "load"), ("load",)
    amounts = {"rate": rate, "clocks": clocks, "destinations": destinations, "rank": rank, "body": body, "seed": seed}
    named = {("--load" if name == "rate" else f"--{name}"): (loads, value) for name, value in amounts.items()}
    tracing = {"--source": source, "--to": to}
    shared = {"--scheme": scheme, "--acknowledged": acknowledged, "--set": choices}
    options: dict[str, tuple[tuple[str, ...], object]] = {name: (("trace",), value) for name, value in tracing.items()}
    options |= {name: (both, value) for name, value in shared.items()}
    _refuse(action, given, {**options, **named, "--full": (("faults",), full)})
    spec, chosen = given[0] if given else "rdt:16", make(Settings, settings_given(choices), "chip")
    if action == "decode":
        rows = _decode(given)
    elif action == "faults":
        rows = [outcome.row() for outcome in campaign(full=full)]
    elif action == "load":
        known: dict[str, Any] = {name: value for name, value in amounts.items() if value is not None}
        answered = acknowledged or scheme == "REMAKE"
        rows = [load_row(spec, Load(scheme=scheme or "SM", acknowledged=answered, **known), chosen)]
    else:
        rows = _trace(spec, scheme or "SM", source or "0", to, acknowledged, chosen)
    if as_json:
        emit_json(rows)
    elif action == "trace":
        for row in rows:
            print(row["cycle"])
    elif action == "load":
        print_rows(action, ("what", "value"), [(name, value) for name, value in rows[0].items()])
    else:
        print_rows(action, list(rows[0]), [list(row.values()) for row in rows])
