"""Settings on the command line: whose there are, `--set name=value`, and what a shell completes them to.

Used by `list`, and by verbs that take specs or `--set`.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING

from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.settings.settings import Settings, settings_of

if TYPE_CHECKING:
    from jumpnet.networks import Network
    from jumpnet.routings import Routing

__all__ = [
    "KINDS", "chip_words", "known_settings", "point_words", "routing_words", "settings_given", "settings_named",
    "spec_words",
]  # fmt: skip


REGISTRIES = {
    "family": ("jumpnet.topology", "families"),
    "routing": ("jumpnet.routings", "routings"),
    "traffic": ("jumpnet.traffic", "patterns"),
    "injection": ("jumpnet.traffic", "processes"),
    "workload": ("jumpnet.machine.workload", "workloads"),
    "point": ("jumpnet.study.kinds", "kinds"),
}
"""Modules, and their functions, that know what has settings; loaded when asked for."""
KINDS = (*REGISTRIES, "setting")
"""Kinds of things that have settings, by what `jumpnet list` calls them; under `setting`, those of runs."""
MOST_BUILT = 1 << 16
"""Routers of a network that is built to complete a word: a fraction of a second."""


def known_settings(kind: str) -> dict[str, Settings]:
    """The settings of everything of a kind, by name.

    >>> list(known_settings("injection")["onoff"])
    ['alpha', 'beta', 'r1']
    """
    if kind == "setting":
        return _runs()
    module, registry = REGISTRIES[kind]
    found = getattr(import_module(module), registry)()
    return {name: settings_of(it) if isinstance(it, type) else it.settings for name, it in found.items()}


def _runs() -> dict[str, Settings]:
    from jumpnet.chip.settings import Settings as ChipSettings
    from jumpnet.multicast.chip_rules import ChannelUse
    from jumpnet.sim.config.sim_config import SimConfig
    from jumpnet.sim.multicast.config import MulticastConfig

    models = {"simulate": settings_of(SimConfig), "multicast": settings_of(MulticastConfig)}
    return {**models, "chip": settings_of(ChipSettings, "chip"), "channels": settings_of(ChannelUse, "chip")}


def settings_named(kind: str, name: str) -> Settings:
    """The settings of one thing; raises JumpnetError for kinds without settings, and with the nearest name.

    >>> list(settings_named("traffic", "uniform"))
    ['self']
    """
    if kind not in KINDS:
        raise unknown_name("kind with settings", kind, KINDS)
    known = known_settings(kind)
    if name not in known:
        raise unknown_name(kind, name, known)
    return known[name]


def settings_given(words: Iterable[str]) -> dict[str, str]:
    """The values of `--set name=value` by name; raises JumpnetError for other words, and what is given twice.

    >>> settings_given(["vcs=2", "buffer-flits=4"])
    {'vcs': '2', 'buffer_flits': '4'}
    """
    found: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        name = name.replace("-", "_")
        if not equals:
            raise JumpnetError(f"--set {word!r} found, key=value expected")
        if name in found:
            raise JumpnetError(f"--set {word} found, one value of each setting expected")
        found[name] = value
    return found


def _words(known: Settings, incomplete: str) -> list[str]:
    """What a shell may complete a word to: names of settings, then their values where they are few."""
    name, equals, value = incomplete.partition("=")
    if not equals:
        return [f"{each}=" for each in known if each.startswith(name)]
    choices = known[name].choices if name in known else ()
    return [f"{name}={choice}" for choice in choices if choice.startswith(value)]


def spec_words(kind: str, incomplete: str) -> list[str]:
    """What a shell may complete a spec to: names of things of a kind; behind the colon, their settings.

    >>> spec_words("routing", "rdt.floating:ties=best,or"), spec_words("traffic", "transpose:by=")
    (['rdt.floating:ties=best,order='], ['transpose:by=bits', 'transpose:by=coordinates'])
    """
    known = known_settings(kind)
    name, colon, rest = incomplete.partition(":")
    if not colon:
        return [each for each in known if each.startswith(name)]
    before, comma, word = rest.rpartition(",")
    return [f"{name}:{before}{comma}{each}" for each in (_words(known[name], word) if name in known else ())]


def routing_words(incomplete: str, words: Iterable[str] = ()) -> list[str]:
    """What a shell may complete a routing to: those that fit all networks among the words before.

    A network that cannot be built, or of more than MOST_BUILT routers, lets all pass.

    >>> routing_words("rdt.", ["torus:8x8"]), routing_words("torus.d", ["torus:8x8", "none:8"])
    ([], ['torus.dateline', 'torus.dimension_order', 'torus.duato'])
    """
    from jumpnet.routings import routings
    from jumpnet.topology import build, families, family

    known, fitting = routings(), spec_words("routing", incomplete)
    for spec in (word.partition("@")[0] for word in words if word.partition(":")[0] in families()):
        try:
            if family(spec).claims().get("routers", 0) > MOST_BUILT:
                continue
            net = build(spec)
        except Exception:  # the command itself will say so; here a message would stand in the middle of the line
            continue
        fitting = [word for word in fitting if _fits(known[word.partition(":")[0]], net)]
    return fitting


def _fits(routing: Routing, net: Network) -> bool:
    """Whether a routing fits, as far as it can say so: a user's own may fail."""
    with suppress(JumpnetError):
        return routing.misfit(net) is None
    return False


def point_words(incomplete: str) -> list[str]:
    """What a shell may complete `--set` of a simulation to.

    >>> point_words("injection=on"), point_words("vc_reuse=a")
    (['injection=onoff'], ['vc_reuse=auto'])
    """
    name, equals, value = incomplete.partition("=")
    if equals and name in ("traffic", "injection"):
        return [f"{name}={word}" for word in spec_words(name, value)]
    from jumpnet.sim.config.sim_config import SimConfig
    from jumpnet.sim.multicast.config import MulticastConfig

    return [word for model in (SimConfig, MulticastConfig) for word in _words(settings_of(model), incomplete)]


def chip_words(incomplete: str) -> list[str]:
    """What a shell may complete `--set` of the router chip to."""
    return _words(_runs()["chip"], incomplete)
