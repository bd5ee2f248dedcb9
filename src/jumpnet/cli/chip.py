"""`jumpnet chip`: decode a packet, trace one through a network of chips, offer a load, run the fault campaign."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Any

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
from jumpnet.cli._answers.chip import load_row
from jumpnet.cli._command.output import emit_json, print_figures, print_rows
from jumpnet.cli._options.settings import chip_words, settings_given
from jumpnet.cli._options.shared import AsJson
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.settings.settings import make
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


def _trace(spec: str, asked: Chips, traced: Traced, settings: Settings) -> list[dict[str, Any]]:
    scheme, to = asked.scheme or "SM", traced.to
    if not to:
        raise JumpnetError("no --to found, a destination such as --to 3,1 expected")
    net = build(spec)
    chips = ChipNetwork(wire(net, scheme), settings)
    start, ends = net.router_at(traced.source or "0"), [net.router_at(word) for word in to]
    where = chips.wiring.where
    if scheme == "REMAKE":  # always acknowledged: the address names the maps
        packet = remake_packet(where, start, ends, key=KEY, body=(0x2A,))
        chips.install(directory(where, start, ends, KEY))
    else:
        packet = multicast_packet(where, scheme, start, ends, key=KEY if asked.acknowledged else None, body=(0x2A,))
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


@dataclass(frozen=True)
class Chips:
    """What `trace` and `load` have in common."""

    scheme: Annotated[
        str,
        typer.Option(
            "--scheme", help="For trace and load: SM (if left out), LPRA, LARP, LARP:path or REMAKE (acknowledged)."
        ),
    ] = ""
    acknowledged: Annotated[
        bool,
        typer.Option(
            "--acknowledged", help="For trace and load: send acknowledged packets, with a compressed address."
        ),
    ] = False
    choices: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="For trace and load: a setting of the chips such as entries=2 or full_duplex=true; repeatable. "
            "`jumpnet list setting chip` shows them.",
            autocompletion=chip_words,
        ),
    ] = None

    def given(self) -> dict[str, object]:
        """The options that were given, by name."""
        return {"--scheme": self.scheme, "--acknowledged": self.acknowledged, "--set": self.choices}


@dataclass(frozen=True)
class Traced:
    """The packet of `trace`."""

    source: Annotated[
        str, typer.Option("--source", help="For trace: the source, by index or coordinates; 0 if left out.")
    ] = ""
    to: Annotated[list[str] | None, typer.Option("--to", help="For trace: a destination; may be repeated.")] = None

    def given(self) -> dict[str, object]:
        """The options that were given, by name."""
        return {"--source": self.source, "--to": self.to}


@dataclass(frozen=True)
class Offered:
    """The packets of `load`; None is the default of `chip.load.Load`."""

    rate: Annotated[
        float | None,
        typer.Option(
            "--load", show_default=False, help="For load: packets a router creates in a clock; 0.002 if left out."
        ),
    ] = None
    clocks: Annotated[
        int | None,
        typer.Option(
            "--clocks", show_default=False, help="For load: clocks in which packets are created; 2000 if left out."
        ),
    ] = None
    destinations: Annotated[
        int | None,
        typer.Option("--destinations", show_default=False, help="For load: destinations of a packet; 1 if left out."),
    ] = None
    rank: Annotated[
        int | None,
        typer.Option(
            "--rank", show_default=False, help="For load: destinations are near the source, in this rank's territory."
        ),
    ] = None
    body: Annotated[
        int | None, typer.Option("--body", show_default=False, help="For load: body flits; 8 if left out.")
    ] = None
    seed: Annotated[int | None, typer.Option("--seed", show_default=False, help="For load: seed; 1 if left out.")] = (
        None
    )

    def given(self) -> dict[str, object]:
        """The options that were given, by name."""
        return {("--load" if name == "rate" else f"--{name}"): value for name, value in asdict(self).items()}

    def known(self) -> dict[str, Any]:
        """Those that were given, as `Load` takes them."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def run(
    chips: Chips,
    traced: Traced,
    offered: Offered,
    action: str = typer.Argument(..., metavar="ACTION", help="What to do: decode, trace, load or faults."),
    words: list[str] = typer.Argument(
        None, metavar="WORD", help="For decode the flits in hexadecimal; for trace and load the network."
    ),
    full: bool = typer.Option(False, "--full", help="For faults: longest packets, more shoot-downs, a larger network."),
    as_json: AsJson = False,
) -> None:
    """The JUMP-1 router chip: packets to the bit, one-line cycle traces, offered loads, the fault campaign."""
    if action not in ACTIONS:
        raise unknown_name("action of chip", action, ACTIONS)
    given = list(words or [])
    options: dict[str, tuple[tuple[str, ...], object]] = {}
    for actions, named in ((("trace",), traced), (("trace", "load"), chips), (("load",), offered)):
        options |= {name: (actions, value) for name, value in named.given().items()}
    _refuse(action, given, {**options, "--full": (("faults",), full)})
    spec, chosen = given[0] if given else "rdt:16", make(Settings, settings_given(chips.choices or []), "chip")
    if action == "decode":
        rows = _decode(given)
    elif action == "faults":
        rows = [outcome.row() for outcome in campaign(full=full)]
    elif action == "load":
        answered = chips.acknowledged or chips.scheme == "REMAKE"
        load = Load(scheme=chips.scheme or "SM", acknowledged=answered, **offered.known())
        rows = [load_row(spec, load, chosen)]
    else:
        rows = _trace(spec, chips, traced, chosen)
    if as_json:
        emit_json(rows)
    elif action == "trace":
        for row in rows:
            print(row["cycle"])
    elif action == "load":
        print_figures(action, rows[0].items())
    else:
        print_rows(action, list(rows[0]), [list(row.values()) for row in rows])
