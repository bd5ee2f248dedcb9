"""`jumpnet prove`: is a routing on a network free of deadlock; the certificate, or the cycle."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from jumpnet._seal import EVERY_CPU_SECONDS
from jumpnet.analysis.deadlock.certificates.text import MOST_STATES
from jumpnet.analysis.deadlock.changes.changeover import Changeover, prove_changeover
from jumpnet.analysis.deadlock.how import HOW
from jumpnet.analysis.deadlock.least_channels import least_channels
from jumpnet.analysis.deadlock.multicast import BUFFERS, Buffers, prove_multicast
from jumpnet.analysis.deadlock.proof import Proof
from jumpnet.analysis.deadlock.prove import proved
from jumpnet.analysis.deadlock.walks.checkpoint import ProofCheckpoint
from jumpnet.analysis.routes.trees import path_rules
from jumpnet.cli._answers.all_sizes import tell_all_sizes
from jumpnet.cli._answers.certificates import Proved, certificate_asked, keep_certificate
from jumpnet.cli._answers.explained import More, Words
from jumpnet.cli._answers.fault_sequence import Change
from jumpnet.cli._answers.joint import ByProtocol, Messages
from jumpnet.cli._command.output import emit_json, print_rows, printable, progress_bar, progress_line
from jumpnet.cli._options.defaults import routing_for
from jumpnet.cli._options.files import picture
from jumpnet.cli._options.shared import AsJson, RoutingName, Vcs, at_least_one, family_names, not_with, only_with
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.multicast.chip_rules import chip_rules
from jumpnet.multicast.forwarding import Forwarding
from jumpnet.multicast.remaking import Remaking
from jumpnet.networks import Network
from jumpnet.notices import counted, notice
from jumpnet.routings import bind, default_routing
from jumpnet.topology import build

NAME = "prove"
PANEL = "Routing and proofs"
EXAMPLE = "jumpnet prove torus:4x4 --routing torus.dimension_order"
SPECS = typer.Argument(
    ..., metavar="SPEC", help="Network, e.g. rdt:64; several are proved one after another.", autocompletion=family_names
)


def _row(proof: Proof) -> dict[str, Any]:
    return {
        "spec": proof.spec,
        "routing": proof.routing,
        "vcs": proof.vcs,
        "deadlock_free": proof.deadlock_free,
        "verdict": proof.verdict,
        "method": proof.method,
        "condition": proof.condition,
        "adaptive": proof.adaptive,
        "channels": proof.channels,
        "dependencies": proof.dependencies,
        "states": proof.states,
        "by": proof.by,
        "cycle": None
        if proof.cycle is None
        else [
            {"router": h.router, "coord": list(h.coord), "port": h.port, "vc": h.vc, "to": h.to, "link": h.link}
            | ({"name": h.name, "to_name": h.to_name} if h.name else {})
            for h in proof.cycle
        ],
        "certificate_checked": proof.certificate_checked,
        "escape_channels": proof.escape_channels,
        "escape_dependencies": proof.escape_dependencies,
        "may_circle": proof.may_circle,
    }


def _say(proof: Proof) -> None:
    answer = {
        "free": "free of deadlock",
        "deadlock": "can deadlock",
        "unproved": "not proved free of deadlock",
    }[proof.verdict]
    print(printable(f"{proof.routing} on {proof.spec}, {counted(proof.vcs, 'virtual channel')}: {answer}"))
    print(f"  {proof.method}")
    dependencies = ("dependency", "dependencies")
    graph = f"{counted(proof.channels, 'channel')}, {counted(proof.dependencies, *dependencies)}"
    print(f"  {graph}, {counted(proof.states, 'packet state')} {HOW[proof.by].followed}")
    if proof.escape_channels is not None:
        between = (
            f", {counted(proof.escape_dependencies, *dependencies)} between them" if proof.escape_dependencies else ""
        )
        print(f"  {counted(proof.escape_channels, 'escape channel')}{between}")
    if proof.certificate is not None:
        along = ", or stays equal along a ring" if proof.of_bubbles else ""
        print(f"  certificate: numbers by which every dependency ascends{along}; the checker accepts them")
    if proof.may_circle:
        print("  a packet may come back to a state it was in: not bounded without a limit on misrouting")
    if proof.cycle is not None:
        rows = [
            (h.router, h.name or ",".join(map(str, h.coord)), h.port, h.link, h.vc, h.to_name or h.to)
            for h in proof.cycle
        ]
        when = "" if proof.whole_cycle else ", at once or after others"
        which = "shortest cycle" if proof.basis.at_least is None else "shortest cycle found"
        title = f"{which}, {len(rows)} channels (each is held while the next is wanted{when})"
        print_rows(title, ["router", "at", "port", "link", "vc", "to"], rows)


def _rules(net: Network, rules: str, buffers: str, routing: str, vcs: int | None) -> Forwarding:
    """The multicast that is asked for."""
    if buffers not in BUFFERS:
        raise unknown_name("--buffers", buffers, BUFFERS)
    if rules == "paths":
        named = routing or default_routing(net, vcs)
        return path_rules(bind(named, net, vcs))
    if routing or vcs:
        raise JumpnetError(f"--multicast {rules} found with --routing or --vcs, one without the other expected")
    name, _, options = rules.partition(":")
    if name == "remake":
        return Remaking(chip_rules(net, f"chip:{options}" if options else "chip"))
    return chip_rules(net, rules)


@dataclass(frozen=True)
class Of:
    """Which routing."""

    routing: RoutingName = ""
    vcs: Vcs = None


@dataclass(frozen=True)
class Instead:
    """Other questions than whether packets of a routing on one network wait for each other."""

    multicast: Annotated[
        str,
        typer.Option(
            "--multicast",
            help="Prove a multicast instead: chip (the router chip's rules; also chip:change=none), remake (the same, "
            "with new maps made by processors), or paths (those of the routing).",
        ),
    ] = ""
    buffers: Annotated[
        str, typer.Option("--buffers", help="With --multicast: what a buffer holds: packet (a whole one) or flit.")
    ] = "packet"
    least: Annotated[
        bool,
        typer.Option(
            "--least-vcs", help="Instead: the least number of virtual channels for shortest paths by a table."
        ),
    ] = False
    sizes: Annotated[bool, typer.Option("--all-sizes", help="Instead: one proof for meshes or tori of every size.")] = (
        False
    )

    def asked(self) -> dict[str, object]:
        """By option."""
        return {"--multicast": self.multicast, "--least-vcs": self.least, "--all-sizes": self.sizes}

    def check(self, of: Of, files: dict[str, object]) -> None:
        """Refuse what does not go together."""
        if self.least:
            of_routings = {"--routing": of.routing, "--vcs": of.vcs, "--all-sizes": self.sizes}
            not_with("--least-vcs", of_routings | {"--multicast": self.multicast} | files)
        if self.sizes:
            not_with("--all-sizes", {"--multicast": self.multicast} | files)
        if not self.multicast:
            only_with("--multicast", {"--buffers": self.buffers != "packet"})


@dataclass(frozen=True)
class Files:
    """What is written."""

    draw: Annotated[Path | None, typer.Option("--draw", help="Picture of the cycle to write: .svg, .png or .pdf.")] = (
        None
    )
    certificate: Annotated[
        Path | None,
        typer.Option(
            "--certificate",
            help="Certificate to write: .cert or .cert.gz, for `jumpnet check` and others; .npy for the numbers alone.",
        ),
    ] = None
    states: Annotated[
        int,
        typer.Option(
            "--states", help="With --certificate: most packet states to list; none are listed if there are more."
        ),
    ] = MOST_STATES
    checkpoint: Annotated[
        Path | None,
        typer.Option("--checkpoint", help="File that keeps the state of a long proof, which resumes from it."),
    ] = None
    every: Annotated[
        float, typer.Option("--checkpoint-every", help="CPU seconds of each thread between two checkpoints.")
    ] = EVERY_CPU_SECONDS

    def check(self) -> None:
        """Refuse what cannot be written."""
        if self.draw is not None:
            picture(self.draw)
        certificate_asked(self.certificate, self.states)

    def kept(self, others: dict[str, object]) -> ProofCheckpoint | None:
        """Where a proof is kept, if anywhere; `others`: options that leave nothing to keep."""
        if self.checkpoint is None:
            every = self.every != EVERY_CPU_SECONDS and f"{self.every}"
            only_with("--checkpoint", {"--checkpoint-every": every})
            return None
        not_with("--checkpoint", others)
        return ProofCheckpoint(self.checkpoint, self.every)


def run(
    of: Of,
    change: Change,
    by_protocol: ByProtocol,
    instead: Instead,
    files: Files,
    words: Words,
    specs: list[str] = SPECS,
    as_json: AsJson = False,
) -> None:
    """Prove that a routing cannot deadlock, or show the cycle. Both are answers: the exit status is 0."""
    at_least_one("--vcs", of.vcs)
    files.check()
    elsewhere = {"--then": change.then} | instead.asked()
    more = words.more(elsewhere)
    kept_apart = {"--draw": files.draw, "--checkpoint": files.checkpoint}
    messages = by_protocol.messages(elsewhere | kept_apart)
    change.check(instead.asked())
    written: dict[str, object] = {"--draw": files.draw, "--certificate": files.certificate}
    instead.check(of, written)
    if len(specs) > 1:
        not_with("several networks", written | {"--packets": words.packets, "--checkpoint": files.checkpoint})
    kept = files.kept(elsewhere)
    asked = _Asked(of, change, instead, files, more, kept, messages, as_json)
    for net in [build(spec) for spec in specs]:
        if instead.least:
            _least(net, as_json)
        elif instead.sizes:
            name, about = routing_for(net, of.routing, of.vcs)
            tell_all_sizes(bind(name, net, of.vcs), about, as_json)
        else:
            _proved(net, asked)


def _least(net: Network, as_json: bool) -> None:
    """Say how many channels a table of shortest paths needs."""
    found = least_channels(net)
    if as_json:
        emit_json([{"spec": net.spec, "least_vcs": found.exact, "lower": found.lower, "upper": found.upper}])
    else:
        between = f"{found.lower} to {found.upper} virtual channels"
        print(printable(f"{net.spec}: {counted(found.exact, 'virtual channel') if found.exact else between}"))


@dataclass(frozen=True)
class _Asked:
    """What is asked of each network."""

    of: Of
    change: Change
    instead: Instead
    files: Files
    more: More
    kept: ProofCheckpoint | None
    messages: Messages
    as_json: bool


def _proved(net: Network, asked: _Asked) -> None:
    """Prove one network, and write what is asked for."""
    about: dict[str, str] = {}
    of: Proved
    more, routing, vcs, files = asked.more, asked.of.routing, asked.of.vcs, asked.files
    if asked.instead.multicast:
        of = _rules(net, asked.instead.multicast, asked.instead.buffers, routing, vcs)
        proof = prove_multicast(of, cast(Buffers, asked.instead.buffers))
    elif asked.change.then:
        name, about = routing_for(net, routing, vcs)
        of = Changeover(bind(name, net, vcs), *asked.change.new(net, vcs))
        with progress_line("proving the change"):
            proof = prove_changeover(of)
        more.find_change(of, proof)
    elif asked.messages.shared is not None:
        name, about = routing_for(net, routing, vcs)
        proof = asked.messages.prove(bind(name, net, vcs)).proof
        assert proof.bound is not None
        of = proof.bound
        more.find(proof)
    else:
        name, about = routing_for(net, routing, vcs)
        of = bind(name, net, vcs)
        with progress_bar("proving") as progress:
            proof, made = proved(of, progress=progress, checkpoint=asked.kept)
        more.find(proof, made)
        del made  # a certificate makes them anew, and there need be no room for both
    keep_certificate(files.certificate, of, proof, files.states)
    asked.messages.say_of(files.certificate)
    if files.draw is not None and proof.cycle is None:
        notice(f"{files.draw} is not written: there is no cycle to draw")
    elif files.draw is not None:
        from jumpnet.plot.cycle import draw_cycle

        draw_cycle(net, proof, files.draw)
    if asked.as_json:
        emit_json([_row(proof) | about | asked.messages.row() | more.row()])
    else:
        if not more.explained:
            _say(proof)
        more.say()
        asked.messages.say()
        for words in about.values():
            print(f"  {words}")
