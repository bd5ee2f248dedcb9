"""What verbs print as JSON against Python, and exported files read back: `metrics`, `route`, `prove`, `export`."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from tests.attack.drawn import drawn_networks
from tests.attack.pairs import Seen
from typer.testing import CliRunner

from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.routes.paths import route
from jumpnet.cli import app
from jumpnet.errors import JumpnetError
from jumpnet.graph.metrics import metrics
from jumpnet.networks import Network
from jumpnet.routings import bind
from jumpnet.topology import build

__all__ = ["compared"]

FORMATS = ["anynet", "edgelist", "graphml"]


def _said(*words: str) -> Any:
    """The JSON of a verb; JumpnetError where it refuses."""
    done = CliRunner().invoke(app(), [*words, "--json"])
    if isinstance(done.exception, JumpnetError):
        raise done.exception
    return json.loads(done.stdout)


def _channels(net: Network) -> Counter[tuple[int, int, int]]:
    """Every channel by its routers, with its latency."""
    r, p = np.nonzero(net.neighbor >= 0)
    cycles = np.zeros(len(r), np.int64) if net.latency is None else net.latency[r, p]
    return Counter(zip(r.tolist(), net.neighbor[r, p].tolist(), cycles.tolist(), strict=True))


def _read_back(net: Network, format: str, folder: Path) -> str:
    """How a network that was exported and read again differs."""
    out = folder / f"net.{format}"
    _said("export", net.spec, "--format", format, "--out", str(out))
    again = build(f"file:{out},format={format}")
    ends = [(each.terminals.tolist(), each.sinks.tolist()) for each in (net, again)]
    if ends[0] != ends[1] or _channels(net) != _channels(again) or net.directed != again.directed:
        return f"{format}: another network was read back"
    one, other = metrics(net).to_dict(), _said("metrics", f"file:{out},format={format}")
    names = [key for key in one if key not in ("spec", "family", "searches")]
    unlike = [key for key in names if json.loads(json.dumps(one[key])) != other[key]]
    return f"metrics of a file: {unlike}" if unlike else ""


def compared(draw: Random, seen: Seen) -> tuple[Any, str]:
    """One member, and how what is said of it differs."""
    net = drawn_networks.family_member(draw, 40)
    name = drawn_networks.fitting(draw, net)
    bound, case = bind(name, net), f"{net.spec} {name}"
    one, other = metrics(net).to_dict(), _said("metrics", net.spec)
    unlike = [key for key, value in one.items() if json.loads(json.dumps(value)) != other.get(key)]
    if unlike:
        return case, f"metrics: {unlike}"
    ends, sinks = np.flatnonzero(net.terminals > 0).tolist(), np.flatnonzero(net.sinks > 0).tolist()
    s, d, k = draw.choice(ends), draw.choice(sinks), draw.randrange(bound.draws)
    if s != d:
        words = ("route", net.spec, str(s), str(d), "--routing", name, "--draw", str(k))
        said = [(c["router"], c["port"], c["vc"], c["link_class"]) for c in _said(*words)["channels"]]
        if said != [tuple(hop) for hop in route(bound, s, d, k)]:
            return case, f"route {s} to {d}, draw {k}: {said}"
    if bound.draws * net.routers**2 < 1 << 15:
        seen["proofs"] += 1
        proof, said = prove(bound), _said("prove", net.spec, "--routing", name)
        mine = (proof.verdict, proof.method, proof.channels, proof.dependencies, len(proof.cycle or ()))
        theirs = *(said[n] for n in ("verdict", "method", "channels", "dependencies")), len(said.get("cycle") or ())
        if mine != theirs:
            return case, f"prove: {theirs}, {mine} expected"
    with tempfile.TemporaryDirectory() as folder:
        for format in FORMATS:
            try:
                how = _read_back(net, format, Path(folder))
            except JumpnetError:
                seen[f"{format} refused"] += 1
                continue
            seen[format] += 1
            if how:
                return case, how
    return case, ""
