"""Networks of points: by their spec where it says all of them, else also by the hash of what they are.

A file may be edited between two sweeps, and a graph or a user's family may be another one under the same name; so
such networks are built whenever they are asked for, or once while they are `held`. Used by `study/point.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.topology import build, says_all

__all__ = ["content_of", "held", "network_of"]

MOST_KEPT = 8

_held: ContextVar[dict[str, Network] | None] = ContextVar("held", default=None)
_kept: dict[tuple[str, str], Network] = {}
"""Networks by spec and content, the oldest first."""


@contextmanager
def held() -> Iterator[None]:
    """Until it ends, a spec means the network that it meant first: a sweep is over what was there when it began."""
    if _held.get() is not None:
        yield
        return
    before = _held.set({})
    try:
        yield
    finally:
        _held.reset(before)


def content_of(spec: str) -> str | None:
    """Hash of the network that a spec means now; None where the spec says all of it.

    >>> content_of("torus:4x4"), len(content_of("file:example.anynet"))
    (None, 16)
    """
    return None if says_all(spec) else _keep(spec, _now(spec))


def network_of(spec: str, content: str | None = None) -> Network:
    """The network of a spec, which has this content where the spec does not say all of it.

    Raises JumpnetError when the spec means another network by now.
    """
    if says_all(spec):
        return _by_spec(spec)
    if content is None:
        return _now(spec)
    if (spec, content) not in _kept:
        found = _keep(spec, build(spec))
        if found != content:
            raise JumpnetError(
                f"{spec}: another network than that of the point: content {found} found, {content} expected"
            )
    return _kept[spec, content]


@lru_cache(maxsize=MOST_KEPT)
def _by_spec(spec: str) -> Network:
    return build(spec)


def _now(spec: str) -> Network:
    there = _held.get()
    if there is None:
        return build(spec)
    if spec not in there:
        there[spec] = build(spec)
    return there[spec]


def _keep(spec: str, net: Network) -> str:
    """Keep a network for points to come; its content."""
    content = net.digest
    _kept[spec, content] = net
    while len(_kept) > MOST_KEPT:
        del _kept[next(iter(_kept))]
    return content
