"""What `--at` says of the page's state: keys and values are checked before a page is written that would not show them.

The keys are the page's own: they stand in it as JSON, as `web/build.mjs` has written them down from its sources.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote

from jumpnet.errors import JumpnetError, nearest, unknown_name
from jumpnet.multicast import scheme
from jumpnet.networks import Network
from jumpnet.routings import routings
from jumpnet.sim.config import preset
from jumpnet.spec import split
from jumpnet.traffic import pattern

__all__ = ["check_stated", "keys_of"]

KEYS = re.compile(r'<script type="application/json" id="keys">(.*?)</script>')
WHOLE = re.compile(r"[0-9]{1,15}")
PART = re.compile(r"([0-9]{1,15}(\.[0-9]{0,20})?|\.[0-9]{1,20})(e[+-]?[0-9]{1,2})?", re.IGNORECASE)


def _routing(spec: str, net: Network) -> None:
    """Raise for a routing that there is not, does not fit the network, or has no such settings.

    As `routings.bind`, without the virtual channels that it needs, which for some are long to find.
    """
    name, positional, keyed = split(spec)
    if name not in routings():
        raise unknown_name("routing", name, routings())
    if why := routings()[name].misfit(net):
        raise JumpnetError(f"routing {name} does not fit {net.spec}: {why}")
    routings()[name].settings.complete({**dict.fromkeys(positional, "true"), **keyed})


def _traffic(spec: str, net: Network) -> None:
    """Raise for traffic that the network does not have; of the worst for a routing, which is long to find, that one is
    looked at."""
    found, options = pattern(spec)
    if found.name != "worst":
        found.bind(net, **options)
    elif options.get("routing"):
        _routing(options["routing"], net)


NAMED: dict[str, Callable[[str, Network], object]] = {
    "routing": _routing,
    "traffic": _traffic,
    "simulate.preset": lambda value, _: preset(value),
    "multicast.scheme": lambda value, _: scheme(value),
}
"""Keys whose values are names, some with settings, and what raises where there is no such thing on a network."""


def keys_of(page: str) -> dict[str, dict[str, Any]]:
    """The keys of a page's state: their default, bounds, choices and form."""
    found = KEYS.search(page)
    if not found:
        raise JumpnetError("page: no keys found, those of its state expected; `make page` builds it anew")
    keys: dict[str, dict[str, Any]] = json.loads(found[1])
    return keys


def check_stated(at: str, net: Network, keys: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise a JumpnetError for the first word of a link's state that this network's page would not show.

    Each word is a key of the page, `=` and a value, joined by `&`: what is found, what is expected and the nearest name
    are said. What depends on what a panel has of a network is left to the page, which says so itself.

    >>> from jumpnet.topology import build
    >>> check_stated("load=2", build("torus:4"), {"load": {"initial": 0.1, "least": 0, "most": 1}})
    Traceback (most recent call last):
    jumpnet.errors.JumpnetError: at: 'load=2' found, a number from 0 to 1 expected
    """
    for word in at.removeprefix("#").split("&"):
        name, equals, text = word.partition("=")
        if not equals or name == "net":
            raise JumpnetError(f"at: {word!r} found, words as in view=space&picked=3 expected, without a network")
        if name not in keys:
            raise JumpnetError(f"at: {word!r} found, {unknown_name('key', name, keys)}")
        value = unquote(text)
        if expected := _expected(value, keys[name]):
            close = nearest(value, keys[name].get("choices", ()))
            raise JumpnetError(
                f"at: {word!r} found, {expected} expected{f'; did you mean {close!r}?' if close else ''}"
            )
        if keys[name].get("of") in ("routers", "way"):
            _check_routers(word, value, net)
        elif name in NAMED and value:
            try:
                NAMED[name](value, net)
            except JumpnetError as error:
                raise JumpnetError(f"at: {word!r} found: {error}") from None


def _check_routers(word: str, value: str, net: Network) -> None:
    """Raise for a router that the network does not have, and for one that is picked twice."""
    routers = [int(each) for each in value.split(".") if each]
    beyond = next((each for each in routers if each >= net.routers), None)
    if beyond is not None:
        raise JumpnetError(f"at: {word!r} found, routers from 0 to {net.routers - 1} expected, no {beyond}")
    if word.startswith("picked=") and len(set(routers)) < len(routers):
        raise JumpnetError(f"at: {word!r} found, each router once expected")


def _expected(value: str, key: Mapping[str, Any]) -> str:
    """What a key expects in place of a value, empty where it takes it: the rules of `web/src/state/state.ts`."""
    initial = key["initial"]
    if isinstance(initial, bool):
        return "" if value in ("true", "false") else "true or false"
    if isinstance(initial, list):
        whole = not value or all(WHOLE.fullmatch(each) for each in value.split("."))
        return "" if whole else str(key.get("like", "whole numbers joined by dots"))
    if isinstance(initial, str):
        if value == initial or ("choices" not in key and "form" not in key):
            return ""
        if "form" in key:
            expected: str = key.get("like", "numbers as the page writes them")
            return "" if re.fullmatch(key["form"], value, re.ASCII) else expected
        return "" if value in key["choices"] else f"one of {', '.join(filter(None, key['choices']))}"
    return _bounded(value, key)


def _bounded(value: str, key: Mapping[str, Any]) -> str:
    """A number: as it is written, whole where the default is, between its bounds."""
    least, most = key.get("least", float("-inf")), key.get("most", float("inf"))
    whole = isinstance(key["initial"], int)
    if (WHOLE if whole else PART).fullmatch(value) and least <= float(value) <= most:
        return ""
    kind = "a whole number" if whole else "a number"
    return kind + (f" from {least} to {most}" if "most" in key else f" from {least} on" if "least" in key else "")
