"""A cache of simulated points: their figures, one file of JSON each, named by all that they depend on.

A name is a hash of the network's arrays, the routing, every setting and the simulator's sources, so that nothing else
has the same one. The JSON is signed with its owner's key (`_seal`): a file that was damaged, edited or made by another
is not there, and where there is no key nothing is kept. Used by the search for saturation.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from jumpnet import routings, traffic
from jumpnet._seal import owners_key
from jumpnet.errors import JumpnetError
from jumpnet.files import read_text, write_bytes
from jumpnet.jit.sources import source_key
from jumpnet.networks import Network
from jumpnet.own import contents, needed
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.resolve.by_routing import bound_with
from jumpnet.sim.result.point import Point
from jumpnet.sim.result.point_name import own_parts
from jumpnet.traffic import bind as bind_traffic

__all__ = ["point_key", "recall", "remember"]

MOST_BYTES = 64 << 20
"""Of one file, far more than the figures of a point take."""


def point_key(net: Network, routing: Any, config: SimConfig) -> str | None:
    """The name of a point; None where it depends on more than names and settings: a routing object, or a file."""
    if not (routing is None or isinstance(routing, str)):
        return None
    classes = [c.traffic for c in config.all_classes]
    if any(Path(part).is_file() for part in re.split("[:=,]", ":".join([routing or "", *classes])) if part):
        return None
    names = net.spec, routing, config.model_dump_json()
    files = needed(names)
    if "" in files:  # added by hand: nothing says what it was
        return None
    sources = source_key(str(Path(__file__).parents[1] / "saturation.py")), _entries_key()
    words = [net.spec, net.digest, routing, config.model_dump(mode="json"), *sources, files]
    if files:
        parts = own_parts(bound_with(routing, net, config.vcs), [bind_traffic(each, net) for each in classes])
        words += [contents(names), parts]
    return hashlib.sha256(json.dumps(words, sort_keys=True).encode()).hexdigest()[:32]


@cache
def _entries_key() -> str:
    """Hash of the sources of all routings and patterns, and of what these import: a name may mean any of them."""
    digest = hashlib.sha256()
    for package in (routings, traffic):
        for path in sorted(Path(str(package.__file__)).parent.rglob("*.py")):
            digest.update(source_key(str(path)).encode())
    return digest.hexdigest()


def recall(folder: Path, key: str) -> Point | None:
    """A point by its name; None when it is not there, or no longer readable."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError, JumpnetError):
        kept = read_text(folder / f"{key}.json", MOST_BYTES, "figures of a point expected")
        digest, _, text = kept.partition("\n")
        if not hmac.compare_digest(digest.encode(), _signed(key, text).encode()):
            return None
        found = json.loads(text)
        figures = {name: _as_it_was(value) for name, value in found["figures"].items()}
        if "saturated" in figures and "accepted_load" in figures:
            return Point(found["spec"], found["routing"], SimConfig(**found["config"]), figures)
    return None


def _signed(key: str, text: str) -> str:
    return hmac.digest(owners_key(), f"{key}\n{text}".encode(), "sha256").hex()


def _as_it_was(value: Any) -> Any:
    """A figure before it was JSON, which has no numbers for names (those of ranks) and no tuples (those of a ring)."""
    if isinstance(value, dict):
        return {int(rank): of_rank for rank, of_rank in value.items()}
    return [tuple(row) for row in value] if isinstance(value, list) else value


def remember(folder: Path, key: str, point: Point) -> None:
    """Keep the figures of a point: whole or not at all, and without complaint where the folder cannot be written."""
    kept = {
        "spec": point.spec,
        "routing": point.routing,
        "config": point.config.model_dump(mode="json"),
        "figures": dict(point.figures),
    }
    text = json.dumps(kept, default=lambda value: value.tolist())
    with contextlib.suppress(OSError, JumpnetError):
        signature = _signed(key, text)
        folder.mkdir(parents=True, exist_ok=True)
        write_bytes(folder / f"{key}.json", f"{signature}\n{text}".encode())
