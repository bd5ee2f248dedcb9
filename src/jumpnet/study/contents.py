"""What distinguishes points of a store whose settings are all the same: other contents of a file or graph of one name.

Used by `results`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from jumpnet.study.names import canonical

__all__ = ["contents_shown"]

CONTENT, OWN = "content", "own"
DIGITS_SHOWN = 8
"""Of a hash, as people write it."""


def contents_shown(configs: Sequence[Mapping[str, Any]]) -> list[str]:
    """For each configuration the files, or the networks and functions, of which others alike have another content.

    Each with the first digits of its hash; all empty where the settings distinguish the points. Cost: a few times ten
    microseconds for each point of a network of which some have contents.

    >>> king = {"network": "king:8", "load": 0.1}
    >>> first, second = ({**king, "own": {"king.py": digest}} for digest in ("7dfeda5193f8a135", "11b48e0c7a8b1f00"))
    >>> contents_shown([first, second, {"network": "torus:8", "load": 0.1}])
    ['king.py 7dfeda51', 'king.py 11b48e0c', '']
    >>> contents_shown([first, {**second, "load": 0.2}])
    ['', '']
    """
    alike: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    networks = {config.get("network") for config in configs if config.get(OWN) or config.get(CONTENT)}
    for config in (config for config in configs if config.get("network") in networks):
        alike[canonical({key: value for key, value in config.items() if key not in (CONTENT, OWN)})].append(config)
    for kind in (OWN, CONTENT):  # a file says it by a name of the user's; its content has changed with it
        if names := {name for group in alike.values() for name in _differing([one.get(kind) or {} for one in group])}:
            return [_words(config.get(kind) or {}, names) for config in configs]
    return [""] * len(configs)


def _differing(found: Sequence[Mapping[str, str]]) -> set[str]:
    """Names with several hashes, or that some lack."""
    return {name for one in found for name in one if len({other.get(name) for other in found}) > 1}


def _words(hashes: Mapping[str, str], names: set[str]) -> str:
    return ", ".join(f"{name} {digest[:DIGITS_SHOWN]}" for name, digest in sorted(hashes.items()) if name in names)
