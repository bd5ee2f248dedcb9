"""BookSim's routing functions by their names here, and the virtual channels with which they mean the same.

Source: the behaviour of BookSim2, commit 28f4329. Called by `_networks` and `_meaning`.
"""

from __future__ import annotations

from collections.abc import Mapping

from jumpnet.errors import JumpnetError
from jumpnet.study.booksim._allocators import allocators
from jumpnet.study.booksim._keys import Value

__all__ = ["channels_fit", "routing_of", "with_channels"]

Settings = Mapping[str, Value]

_ROUTINGS: Mapping[str, Mapping[str, str]] = {
    "torus": {
        "dim_order": "torus.booksim",
        "min_adapt": "torus.min_adapt_booksim",
        "valiant": "torus.valiant_booksim",
        "dim_order_bal": "torus.balanced_booksim",
        "dim_order_ni": "torus.noninterfering",
        "chaos": "torus.dimension_order",
    },
    "mesh": {
        "dor": "mesh.dimension_order",
        "dim_order": "mesh.dimension_order",
        "min_adapt": "mesh.min_adapt_booksim",
        "valiant": "mesh.valiant_booksim",
        "romm": "mesh.romm",
        "xy_yx": "mesh.o1turn",
        "adaptive_xy_yx": "mesh.o1turn_adaptive",
        "planar_adapt": "mesh.planar_adapt_booksim",
        "chaos": "mesh.dimension_order",
    },
    "cmesh": {
        "dor_no_express": "mesh.dimension_order",
        "xy_yx_no_express": "mesh.o1turn",
        "dor": "cmesh.express",
        "xy_yx": "cmesh.express_o1turn_booksim",
    },
    "fly": {"dest_tag": "fly.destination_tag"},
    "fattree": {"nca": "fattree.nca:up=random", "anca": "fattree.anca_booksim"},
    "qtree": {"nca": "threetier.nca"},
    "tree4": {"nca": "threetier.nca", "anca": "threetier.nca:up=first"},
    "flatfly": {
        "ran_min": "hyperx.dimension_order",
        "valiant": "hyperx.valiant_booksim",
        "ugal": "hyperx.ugal_booksim",
        "xyyx": "hyperx.o1turn_booksim",
        "adaptive_xyyx": "hyperx.o1turn_adaptive_booksim",
        "ugal_xyyx": "hyperx.ugal_o1turn_booksim",
    },
    "dragonflynew": {"min": "dragonfly.booksim", "ugal": "dragonfly.ugal_booksim"},
    "anynet": {"min": "file.booksim"},
}

_ODD: Mapping[str, str] = {
    "mesh.romm": "mesh.romm_booksim",
    "mesh.o1turn": "mesh.o1turn_booksim",
    "mesh.o1turn_adaptive": "mesh.o1turn_adaptive_booksim",
}
"""Routings with BookSim's rule for an odd number of virtual channels, whose middle one both phases or orders have."""

_LEAST: Mapping[tuple[str, str], int] = {
    ("torus", "dim_order"): 2,
    ("torus", "valiant"): 4,
    ("mesh", "valiant"): 2,
    ("mesh", "romm"): 2,
    ("mesh", "xy_yx"): 2,
    ("mesh", "adaptive_xy_yx"): 2,
    ("cmesh", "xy_yx_no_express"): 2,
    ("cmesh", "xy_yx"): 2,
    ("flatfly", "valiant"): 2,
    ("flatfly", "ugal"): 2,
    ("flatfly", "xyyx"): 2,
    ("flatfly", "adaptive_xyyx"): 2,
    ("flatfly", "ugal_xyyx"): 4,
}
"""Virtual channels that these need in BookSim2: one for each half of a ring, phase or order; halves may share the
middle one of an odd number."""


def routing_of(settings: Settings) -> str:
    """The routing of a topology that is supported; raises JumpnetError naming the one key that is not."""
    topology, function = str(settings["topology"]), str(settings["routing_function"])
    known = _ROUTINGS[topology]
    if function not in known:
        raise JumpnetError(
            f"routing_function = {function} found, {' or '.join(known)} expected with topology = {topology}"
        )
    if function == "min_adapt" and _asks_beside(settings):
        return known[function] + ":asks=beside"
    return known[function]


def _asks_beside(settings: Settings) -> bool:
    """Whether a head asks for its escape beside the others, as by all allocators but one that goes input first.

    What it prefers is `Routing.escapes_last`. Raises JumpnetError where BookSim's rule is not ours.
    """
    if int(settings["vc_prioritize_empty"]) > 0:
        raise JumpnetError(
            "vc_prioritize_empty = 1 with routing_function = min_adapt is not supported (a head of BookSim2 then takes "
            "an empty escape before its other channels), 0 expected"
        )
    return allocators(settings)["vc_allocator"] != "input_first"


def channels_fit(settings: Settings, vcs: int) -> None:
    """Raise JumpnetError for virtual channels that BookSim's function shares out in a way that ours does not.

    vcs: those that a packet may have, which with reads and writes are not all.
    """
    topology, function = str(settings["topology"]), str(settings["routing_function"])
    whole = int(settings["num_vcs"])
    found = f"num_vcs = {whole} found" if vcs == whole else f"num_vcs = {whole} in ranges of {vcs} found"
    where = f"with topology = {topology} and routing_function = {function}"
    if function == "anca" and not settings["routing_delay"]:
        raise JumpnetError(
            "routing_delay = 0 with routing_function = anca is not supported (each switch would have to look at the "
            "queues of the next one), 1 or more expected"
        )
    if topology == "dragonflynew" and function == "ugal" and vcs != 3:
        raise JumpnetError(f"{found}, 3 expected with ugal on dragonflynew, as BookSim2 does")
    if topology == "dragonflynew" and str(settings["use_read_write"]).strip("{}") != "0":
        raise JumpnetError(
            f"use_read_write = {settings['use_read_write']} with topology = dragonflynew is not supported "
            "(BookSim2's routing does not look at their ranges of virtual channels there), 0 expected"
        )
    if vcs < (least := _LEAST.get((topology, function), 0)):
        raise JumpnetError(f"{found}, at least {least} expected {where}, as BookSim2 does")
    if function == "chaos" and whole != 1:
        raise JumpnetError(f"{found}, 1 expected with routing_function = chaos, which uses channel 0 alone in BookSim2")
    if (topology, function) == ("cmesh", "xy_yx") and int(settings["k"]) > 4:
        raise JumpnetError(
            f"k = {settings['k']} found, 4 or less expected {where}, as packets of BookSim2 go to and fro"
        )
    nodes = int(settings["k"]) ** int(settings["n"])
    if function == "dim_order_ni" and vcs < nodes:
        raise JumpnetError(f"{found}, at least {nodes} expected {where} (one for each node), as BookSim2 does")
    if (topology, function) == ("torus", "min_adapt") and vcs in (1, 3):
        raise JumpnetError(f"{found}, 2 or at least 4 expected {where}, as BookSim2 does")


def with_channels(routing: str, vcs: int, by_output: bool = False) -> str:
    """The routing of a packet that may have so many virtual channels; few enough, and `min_adapt` has escapes alone.

    by_output: whether channels go by the output at the next router (`noq`).

    >>> with_channels("torus.booksim", 3), with_channels("torus.booksim", 4), with_channels("mesh.romm", 3)
    ('torus.booksim:middle=shared', 'torus.booksim', 'mesh.romm_booksim')
    >>> with_channels("torus.booksim", 9, by_output=True), with_channels("torus.min_adapt_booksim", 2)
    ('torus.booksim:middle=unmarked', 'torus.booksim')
    """
    if routing.startswith("torus.min_adapt_booksim") and vcs == 2:
        return "torus.booksim"
    if routing.startswith("mesh.min_adapt_booksim") and vcs == 1:
        return "mesh.dimension_order"
    if vcs % 2 == 0:
        return routing
    if routing in ("torus.booksim", "torus.balanced_booksim"):
        return routing + (":middle=unmarked" if by_output else ":middle=shared")
    return _ODD.get(routing, routing)
