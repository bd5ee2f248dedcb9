"""What `jumpnet prove --protocol` says: a protocol's messages on a network, endpoints that wait. Used by `prove`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from jumpnet.cli._command.output import print_rows, printable, progress_bar
from jumpnet.cli._options.shared import not_with, only_with
from jumpnet.coherence.networks.joint import Joint, Shared, prove_joint, shared_networks
from jumpnet.coherence.networks.programs import draws_of
from jumpnet.coherence.protocol import protocol
from jumpnet.notices import notice
from jumpnet.routings import BoundRouting

__all__ = ["ByProtocol", "Messages"]


@dataclass(frozen=True)
class ByProtocol:
    """The options."""

    protocol: Annotated[
        str,
        typer.Option(
            "--protocol", help="Prove network and coherence protocol together, e.g. msi: endpoints wait for messages."
        ),
    ] = ""
    endpoints: Annotated[
        str,
        typer.Option(
            "--endpoints", help="With --protocol: room of the endpoints for messages: held, reserved or queued."
        ),
    ] = "held"
    networks: Annotated[
        str,
        typer.Option(
            "--networks",
            help="With --protocol: virtual networks, their number or the messages of each ('GetS GetM / "
            "Data ...'); if left out, as many as are enough.",
        ),
    ] = ""
    parts: Annotated[
        str,
        typer.Option(
            "--parts",
            help="With --protocol: parts of the machine that change what waits for what: trees (multicasts as trees of "
            "packets), counted (acknowledges that routers count or combine), moves (pages that move); several with "
            "commas between.",
        ),
    ] = ""

    def messages(self, others: dict[str, object]) -> Messages:
        """What the options say; `others`: those that do not go with a protocol."""
        if not self.protocol:
            endpoints = self.endpoints != "held" and self.endpoints
            given = {"--endpoints": endpoints, "--networks": self.networks, "--parts": self.parts}
            only_with("--protocol", given)
            return Messages(None)
        not_with("--protocol", others)
        parts = filter(None, self.parts.split(","))
        return Messages(shared_networks(protocol(self.protocol), self.endpoints, self.networks, parts))


@dataclass
class Messages:
    """The protocol that is asked for, if any, and what was found."""

    shared: Shared | None
    joint: Joint | None = None

    def prove(self, bound: BoundRouting) -> Joint:
        """The proof on one network."""
        assert self.shared is not None
        with progress_bar("following messages") as progress:
            self.joint = prove_joint(bound, self.shared, progress=progress)
        return self.joint

    def row(self) -> dict[str, Any]:
        """What `--json` says besides the proof."""
        if self.joint is None:
            return {}
        shared = self.joint.shared
        return {
            "protocol": shared.kinds.protocol,
            "endpoints": shared.endpoints,
            "networks": shared.groups,
            "ring_of_kinds": [{"waits": a, "for": b} for a, b in shared.ring],
            "two_lengths": list(self.joint.lengths or ()),
            "chains_followed": not self.joint.apart,
            "deadlock_free": self.joint.deadlock_free,
            "verdict": self.joint.verdict,
        }

    def say_of(self, certificate: Path | None) -> None:
        """A word on a certificate that says less than was asked."""
        if certificate is not None and self.joint is not None and self.joint.apart and self.joint.proof.deadlock_free:
            notice(f"{certificate} is of the routing within a network alone: {self.joint.apart}")

    def say(self) -> None:
        """The same for a person."""
        if self.joint is None:
            return
        shared = self.joint.shared
        print(
            printable(
                f"  endpoints {shared.endpoints}, {len(shared.groups)} virtual network{'s' * (len(shared.groups) > 1)} "
                f"of {shared.kinds.protocol}:"
            )
        )
        for number, names in enumerate(shared.groups):
            print(printable(f"    {number}: {' '.join(names)}"))
        if self.joint.apart:
            print(printable(f"  messages are not followed from endpoint to endpoint: {self.joint.apart};"))
            print("  the proof above is of one network, whose endpoints take what comes")
        if self.joint.lengths:
            longer, shorter = self.joint.lengths
            print("  bubbles are for packets of one length, as short ones may part the room that a long one left;")
            print(printable(f"  {longer} carries the line, {shorter}, in the same network, does not"))
        answer = {"free": "free of deadlock", "deadlock": "can deadlock", "unproved": "not proved free of deadlock"}
        if not shared.ring:
            print(f"  networks wait for later ones only; in all: {answer[self.joint.verdict]}")
            return
        print(f"  in all: {answer[self.joint.verdict]}; networks wait for each other in a ring:")
        for a, b in shared.ring:
            print(printable(f"    {a} waits for {b}, which may stand behind others in its network"))
        if not self.joint.apart:
            rows = [
                (draws, " -> ".join(leg.kind for leg in made))
                for draws, made in draws_of(shared.programs, self._ends())
            ]
            print_rows("chains of messages: a packet is one of them", ["draws", "messages"], rows)

    def _ends(self) -> int:
        assert self.joint is not None and self.joint.proof.network is not None
        return self.joint.proof.network.endpoints
