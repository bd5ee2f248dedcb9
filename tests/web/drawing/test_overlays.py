"""What panels lay over a drawing, and the colours and widths of it, where a picture at its end would not tell."""

from __future__ import annotations

from typing import Any

import numpy as np
from tests.web.simulator.in_node import evaluated

# colours of heat from black to white in equal steps, everything else grey
COLOURS = """
  const heats = { "--heat-0": "#000000", "--heat-1": "#404040", "--heat-2": "#808080", "--heat-3": "#c0c0c0", "--heat-4": "#ffffff" };
  globalThis.document = { documentElement: {} };
  globalThis.getComputedStyle = () => ({ getPropertyValue: (name) => heats[name] ?? "#808080" });
"""  # noqa: E501
# a line of routers 0 - 1 - 2, ports 0 (on) and 1 (back), and beside 1 a link of one direction to 3 (port 2)
LINE = "{ routers: 4, ports: 3, neighbor: Int32Array.of(1, -1, -1, 2, 0, 3, -1, 1, -1, -1, -1, -1), farPort: Int32Array.of(1, -1, -1, 1, 0, 0, -1, 0, -1, -1, -1, -1) }"  # fmt: skip # noqa: E501
LOOKS = '{ linkLooks, lineWidth } from "./src/draw/look"; export { heat } from "./src/draw/colours"'


def _looks(heat: str) -> Any:
    """Colours and widths of three links, of which the last has one direction, under loads of their channels."""
    drawn = "{ links: { count: 3, channel: [0, 1, 2], back: [3, 4, -1], rank: [0, 0, 0] }, ranks: [0], net: { baseRank: -1, ports: 1 }, view: 'plane', spacing: 1, ink: 1, strokes: {} }"  # noqa: E501
    program = f"""(part) => {{ {COLOURS}
      const look = part.linkLooks({drawn}, {{ heat: Float32Array.from({heat}) }}, 40);
      return [0, 1, 2].map(look).map((each) => [each.colour[0], each.width, each.alpha]);
    }}"""
    return evaluated(LOOKS, program)


def test_heat_goes_from_colour_to_colour() -> None:
    found = evaluated(
        LOOKS, f"(part) => {{ {COLOURS} return [0, 0.25, 0.125, 0.875, 1, 2, -1].map((x) => part.heat(x)[0]); }}"
    )
    assert np.allclose(found, [0, 0x40, 0x20, (0xC0 + 0xFF) / 2, 0xFF, 0xFF, 0], atol=0.1)


def test_a_link_is_as_hot_as_the_busier_of_its_channels() -> None:
    """Both ways of a link are one stroke; one of a single direction has its own load, or none that is known."""
    one, other, single = _looks("[0.25, 1, 0.5, 0.75, 0.5]")
    assert [round(each[0]) for each in (one, other, single)] == [0xC0, 0xFF, 0x80]
    assert other[1] > one[1] > single[1]  # the hotter, the wider
    one, other, single = _looks("[NaN, 0.5, NaN, 0.5, NaN]")
    assert one[0] == other[0] == 0x80 and one[1] == other[1] and single[2] < one[2]


MULTICAST = (
    '{ overlayOf } from "./src/panels/multicast/overlay"; export { shaded } from "./src/panels/multicast/territory"'
)
TREE = "{ tree: { steps: 2, receivers: [0, 1, 2], remade: [] }, source: 0, destinations: [2], step: [0, 1], channels: [0, 3] }"  # noqa: E501


def _multicast(step: int, going: bool) -> Any:
    program = f"""(part) => {{
      const {"{ links, routers, legend }"} = part.overlayOf({LINE}, {TREE}, {step}, {str(going).lower()}, null);
      const colours = (marks) => Object.fromEntries([...marks].map(([key, each]) => [key, each.colour]));
      return [colours(links), colours(routers), legend.map(([colour]) => colour)];
    }}"""
    return evaluated(MULTICAST, program)


def test_a_multicast_on_its_way_marks_whom_it_has_reached() -> None:
    """0 sends over 1, which nobody asked, to 2."""
    assert _multicast(0, going=False)[:2] == [{}, {"0": "ink", "2": "quiet"}]
    assert _multicast(0, going=True)[:2] == [{"0": "accent"}, {"0": "ink", "2": "quiet"}]
    assert _multicast(1, going=False)[:2] == [{"0": "accent"}, {"0": "ink", "1": "hue-4", "2": "quiet"}]
    assert _multicast(1, going=True)[0] == {"0": "hue-0", "3": "accent"}
    links, routers, legend = _multicast(2, going=False)
    assert links == {"0": "hue-0", "3": "hue-0"} and routers == {"0": "ink", "1": "hue-4", "2": "good"}
    assert "accent" not in legend and "quiet" not in legend


def test_territories_are_shaded_up_to_their_rank_and_deeper_for_lower_ones() -> None:
    program = "(part) => { const { routerHeat, legend } = part.shaded({ least: Int32Array.of(0, 1, 2, -1), upTo: 1 }); return [[...routerHeat].map((x) => (Number.isNaN(x) ? null : x)), legend.length]; }"  # noqa: E501
    (lowest, highest, outside, never), rows = evaluated(MULTICAST, program)
    assert lowest > highest > 0 and outside is never is None and rows == 2


COLLECTIVE = (
    '{ overlayOf } from "./src/panels/collectives/overlay"; export { holding } from "./src/panels/collectives/schedule"'
)
# all of the line's first three routers send to 0 and then hear of it: two steps in, two out
REDUCE = "{ one: { root: 0 }, kind: 'all-reduce', turn: 2, steps: 4, moves: { step: Int32Array.of(0, 1, 2, 3), channel: Int32Array.of(7, 4, 0, 3) } }"  # noqa: E501


def _collective(done: int, going: bool) -> Any:
    program = f"""(part) => {{
      const {"{ links }"} = part.overlayOf({LINE}, {REDUCE}, {done}, {str(going).lower()});
      const held = [...part.holding({LINE}, {REDUCE}, {done})];
      return [Object.fromEntries([...links].map(([key, each]) => [key, each.colour])), held];
    }}"""
    return evaluated(COLLECTIVE, program)


def test_an_all_reduce_shows_what_is_gathered_until_it_turns() -> None:
    assert _collective(0, going=False) == [{}, [1, 1, 1, 1]]
    assert _collective(1, going=False) == [{"7": "accent"}, [1, 2, 0, 1]]
    assert _collective(2, going=False) == [{"7": "hue-0", "4": "accent"}, [3, 0, 0, 1]]
    assert _collective(3, going=False) == [{"0": "accent"}, [1, 1, 0, 0]]
    assert _collective(4, going=False) == [{"0": "hue-0", "3": "accent"}, [1, 1, 1, 0]]


FAULTS = '{ goneMarks, namedFaults } from "./src/data/faults"'
# two routers joined by two links, and a third behind the second
BESIDE = "{ routers: 3, ports: 3, neighbor: Int32Array.of(1, 1, -1, 0, 0, 2, 1, -1, -1), farPort: Int32Array.of(0, 1, -1, 0, 1, 0, 2, -1, -1) }"  # noqa: E501


def test_links_of_a_broken_router_are_marked_once_and_named_by_a_port_where_others_are_beside() -> None:
    program = f"(part) => [...part.goneMarks({BESIDE}, {{ routers: [1], links: [5] }})[0]].map(([channel, each]) => [channel, each.colour])"  # noqa: E501
    assert evaluated(FAULTS, program) == [[0, "quiet"], [1, "quiet"], [5, "bad"]]
    program = f"(part) => part.namedFaults({BESIDE}, {{ routers: [2], links: [1, 5] }})"
    assert evaluated(FAULTS, program) == "router=2,link=0@1,link=1-2"


def test_ranks_have_hues_then_paler_ones_and_the_base_its_own() -> None:
    """Sixteen that differ; the base of a recursive network takes none of them."""
    program = """(part) => {
      const ranks = Array.from({ length: 18 }, (_, k) => k);
      const few = [0, 1, 2].map((rank) => part.rankColour(rank, [0, 1, 2], 0));
      return [ranks.map((rank) => part.rankColour(rank, ranks, -1)), few];
    }"""
    plain, recursive = evaluated('{ rankColour } from "./src/draw/colours"', program)
    hues = [f"hue-{k}" for k in range(8)]
    assert plain == [*hues, *(f"{hue}+" for hue in hues), *hues[:2]]
    assert recursive == ["base", "hue-0", "hue-1"]
