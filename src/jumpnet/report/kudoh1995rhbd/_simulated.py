"""What the simulated sections share: the network of 256 clusters, its trees, one point, curves, committed results.

Used by every `simulated_` file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from jumpnet.networks import Network
from jumpnet.plot.figure import logarithmic
from jumpnet.report._kept import kept, long_and_short, packed
from jumpnet.report._section import Cell, Figure, Section, Table
from jumpnet.sim.config.sim_config import preset
from jumpnet.sim.multicast.config import MulticastConfig
from jumpnet.sim.multicast.simulate import MulticastResult, simulate_multicasts
from jumpnet.sim.multicast.trees import Trees
from jumpnet.topology import build

__all__ = [
    "BAND", "CHIP", "FLITS", "NETWORK", "SIGMA", "Curves", "assembled", "carried", "curves", "cycles_cell", "mean",
    "point",
]  # fmt: skip

NETWORK = "rdt:16"
"""RDT(2,4,1)/alpha with 256 routers: the clusters of the JUMP-1 prototype (nishi1997router section 2.1)."""
FLITS = 13
"""3 of header, one of address, 8 of a cache line, one of parity (nishi1997router section 4.2.3)."""
CHIP = preset("jump1", packet_flits=str(FLITS), seed=1995)
"""The router chip: five clocks a hop, two virtual channels, buffers of a whole packet."""
SIGMA = 1.0
BAND = "with half widths of 95% confidence intervals"


@cache
def _network() -> Network:
    return build(NETWORK)


@cache
def _trees(scheme: str) -> Trees:
    """Those of a scheme, kept for all points."""
    return Trees(_network(), "chip", scheme_name=scheme)


def point(scheme: str, multicasts: float, cycles: int, unicasts: float = 0.0, **cast: Any) -> MulticastResult:
    """Rates per router and 1000 cycles, measured over half of so many cycles after a quarter of them.

    cast: further settings of `MulticastConfig`; destinations lie around the source at SIGMA.
    """
    rate = multicasts + unicasts
    config = CHIP.replace(load=rate * FLITS / 1000, warmup_cycles=cycles // 4, measure_cycles=cycles // 2,
                          batch_cycles=max(1, cycles // 40))  # fmt: skip
    settings = MulticastConfig(multicast="chip", scheme=scheme, multicast_share=multicasts / rate, sigma=SIGMA, **cast)
    return simulate_multicasts(_network(), "", config, settings, trees=_trees(scheme))


def mean(result: MulticastResult, kind: str) -> float:
    """Mean latency of a kind of message in cycles; nan where there is none, or the load is too high."""
    return float("nan") if result.saturated else float(result.figures.get(f"{kind}_latency_mean_cycles", "nan"))


def cycles_cell(result: MulticastResult, kind: str) -> Cell | None:
    """A mean time with the half width of its 95% confidence interval, or that the load is too high."""
    if result.saturated:
        return Cell(None, "too high")
    if f"{kind}_latency_mean_cycles" not in result.figures:
        return None
    return Cell(None, f"{mean(result, kind):.0f} ± {result.figures[f'{kind}_latency_half_width_cycles']:.0f}")


def curves(
    name: str,
    title: str,
    label: str,
    loads: Sequence[float],
    found: Mapping[str, Sequence[float]],
    x_label: str = "multicasts per router and 1000 cycles",
) -> Figure:
    """One line for each way of sending, over the load."""

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        for way, values in found.items():
            axes.plot(loads, values, marker="o", markersize=3, label=way)
        logarithmic(axes)
        axes.set_xlabel(x_label)
        axes.set_ylabel(label)
        axes.legend()

    data: dict[str, Sequence[Any]] = {x_label: list(loads), **found}
    return Figure(name, title, "computed here", draw, data)


Curves = Mapping[str, Sequence[float]]
"""Figures by way of sending, over the loads."""


def assembled(
    name: str,
    section: Section,
    picture: Callable[[Sequence[float], Curves], Figure],
    loads: Sequence[float],
    found: Curves,
    full: bool,
    claims: Sequence[Table] = (),
    told: Callable[[Sequence[float], Curves], str] | None = None,
) -> Section:
    """The section with its committed long run, beside the short one that was just made.

    `section` has the tables of this run. In full they are the section, and what is to be committed; otherwise the
    committed ones come first, and the figure is drawn from them. `claims` are tables of this run's verdicts, `told`
    says in words what the drawn curves show.
    """
    ran = list(section.tables)
    data = {
        "tables": [packed(table) for table in ran],
        "loads": list(loads),
        "curves": {way: [None if v != v else v for v in values] for way, values in found.items()},
    }
    known = None if full else kept("kudoh1995rhbd", name)
    tables = ran
    if known is not None:
        tables = long_and_short(known, [replace(table, note=f"{table.note} Too short to be steady.") for table in ran])
        loads = known.data["loads"]
        found = {w: [float("nan") if v is None else v for v in values] for w, values in known.data["curves"].items()}
    words = [section.text, *([told(loads, found)] if told else [])]
    return replace(
        section, text="\n\n".join(words), tables=(*tables, *claims), figures=(picture(loads, found),),
        kept=data if full else section.kept,
    )  # fmt: skip


def carried(loads: Sequence[float], values: Sequence[float]) -> float:
    """The highest load of a curve that is not too high; 0 where there is none.

    >>> carried([0.1, 0.5, 1.0], [40.0, 60.0, float("nan")])
    0.5
    """
    return max((load for load, value in zip(loads, values, strict=True) if value == value), default=0.0)
