"""What is drawn over a network is what Python computes: ends of marked links, rings of routers, figures beside them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from tests.web.conftest import Shown
from tests.web.drawing.drawn import DISC, PATH, VALUE, Picture, drawn

from jumpnet.analysis.reconfigure import reconfigure
from jumpnet.analysis.routes.paths import route
from jumpnet.errors import JumpnetError
from jumpnet.graph.distances import distances_from
from jumpnet.multicast import broadcast, scheme
from jumpnet.multicast.territory import territories
from jumpnet.multicast.tree import multicast_tree
from jumpnet.replay.deadlock import replay_deadlock
from jumpnet.routings import bind
from jumpnet.topology import build

COLOURS = ["accent", "hue-0", "hue-4", "good", "hue-3", "quiet"]

RGB = """name => { const mark = document.createElement('i'); mark.style.color = `var(--${name})`;
  document.body.append(mark); return getComputedStyle(mark).color; }"""


def _picture(it: Shown, at: str, routers: int, words: str, colours: list[str] = COLOURS) -> Picture:
    it.go(at)
    it.page.wait_for_function("words => document.querySelector('#panel').innerText.includes(words)", arg=words)
    it.page.wait_for_timeout(100)
    return drawn(it, routers, colours)


def _within(found: Picture, colour: str, expected: set[tuple[int, int]]) -> None:
    """All links drawn in a colour are expected, whichever way bent ones lead, and most of those are drawn whole."""
    links = {(min(ends), max(ends)) for ends in found.links.get(colour, set())}
    expected = {(min(ends), max(ends)) for ends in expected}
    assert links <= expected and 2 * len(links) > len(expected), (colour, links ^ expected)


def test_a_route_and_its_candidates(shown: Callable[..., Shown]) -> None:
    it, bound = shown(), bind("torus.duato", build("torus:8x8"))
    at = "net=torus:8x8&panel=route&routing=torus.duato&picked=9.44&route.taken=1.0"
    found = _picture(it, at, 64, "At router")
    hops = route(bound, 9, 44, 0, [1, 0])
    here, offered = hops[2].router, set()
    for k in range(4):
        try:
            offered.add((here, route(bound, 9, 44, 0, [1, 0, k])[3].router))
        except JumpnetError:
            assert k > 2  # there is no such candidate
    assert found.links["accent"] == {(hops[k].router, hops[k + 1].router) for k in range(2)}
    assert found.links.get("hue-0", set()) | found.links.get("hue-4", set()) == offered
    assert {hops[0].router, hops[1].router} <= found.rings["accent"] and here not in found.rings["accent"]


def test_a_multicast(shown: Callable[..., Shown]) -> None:
    it = shown()
    found = _picture(it, "net=rdt:8&panel=multicast&multicast.to=anywhere", 64, "Routers that receive")
    to = [int(each) for each in it.page.inner_text('code[aria-label="Command"]').split("--to ")[1:-1]]
    to.append(int(it.page.inner_text('code[aria-label="Command"]').split("--to ")[-1].split()[0]))
    tree = multicast_tree(territories(build("rdt:8")), scheme("SM"), 36, to)
    assert found.rings["good"] == set(to)
    assert found.rings["hue-4"] == set(tree.receivers) - set(to) - {36}
    _within(found, "hue-0", {(hop.sender, hop.receiver) for hop in tree.hops})
    vain = len(set(tree.receivers) - set(to))
    assert f"In vain\n{vain} ({100 * vain / len(tree.receivers):.0f} %)" in it.page.inner_text("#panel")


def test_a_collective(shown: Callable[..., Shown]) -> None:
    schedule = broadcast("binomial")(build("hypercube:4"), 0, "one-port")
    found = _picture(shown(), "net=hypercube:4&panel=collectives&collectives.step=3", 16, "After 3 of 4")
    pairs = list(zip(schedule.step.tolist(), schedule.sender.tolist(), schedule.receiver.tolist(), strict=True))
    assert found.links["accent"] == {(a, b) for step, a, b in pairs if step == 2}
    assert found.links["hue-0"] == {(a, b) for step, a, b in pairs if step < 2}


def test_a_ring_of_a_deadlock(shown: Callable[..., Shown]) -> None:
    net = build("torus:4x4")
    proof = bind_proof()
    found = _picture(shown(), "net=torus:4x4&panel=deadlock&deadlock.cycle=0", 16, "Can deadlock")
    ring = {(int(r), int(net.neighbor[r, p])) for r, p, _ in proof}
    _within(found, "accent", ring)
    assert found.rings["accent"] == {a for a, _ in ring}


def bind_proof() -> list[tuple[int, int, int]]:
    """The ring of channels (router, port, vc) that `prove` finds."""
    import jumpnet

    proof = jumpnet.network("torus:4x4").prove("torus.dimension_order", vcs=1)
    assert replay_deadlock(proof) is not None
    return [(hop.router, hop.port, hop.vc) for hop in proof.cycle]


def test_figures_beside_a_network_and_a_wafer(shown: Callable[..., Shown]) -> None:
    it, net = shown("net=rdt:8&picked=9"), build("rdt:8")
    hops = distances_from(net, 9)
    words = it.page.inner_text("#panel")
    assert f"Furthest router\n{hops.max()} hops" in words and f"Average distance\n{hops[hops > 0].mean():.4f}" in words
    rows = [row.locator("td").all_text_contents() for row in it.page.locator("#panel tbody tr").all()]
    there = [
        (p, f"{s} = " + ",".join(map(str, net.coord[s]))) for p, s in enumerate(net.neighbor[9].tolist()) if s >= 0
    ]
    assert [(int(port), to) for port, to, _ in rows] == there
    bars = it.page.locator(".bars li span:last-child").all_text_contents()
    assert [f"{count}" for count in np.bincount(hops)[1:]] == bars
    it.go("net=srt2d:8&panel=wafer&wafer.density=0.1&wafer.seed=4")
    it.page.wait_for_selector("svg.picture")
    it.page.focus("svg.picture")
    it.page.keyboard.press("ArrowRight")
    made, ends = reconfigure("srt2d:8", density=0.1, seed=4), set(build("srt2d:8").neighbor[0].tolist()) - {-1}
    wires = {f"{s // 8},{s % 8}": int(made.segments[0, s]) for s in ends}
    it.page.wait_for_function("() => document.querySelector('#said').textContent.startsWith('element 0,0')")
    said = it.page.text_content("#said").partition("segments to ")[2].split("; ")
    assert {each.split(" by ")[0]: int(each.split(" by ")[1]) for each in said} == wires


def test_numbers_of_a_proof_are_those_of_the_channel_that_is_chosen(shown: Callable[..., Shown]) -> None:
    it, strokes = shown(), []
    for vc in (0, 1):
        it.go(f"net=mesh:4x4&panel=deadlock&deadlock.show=cure&deadlock.vc={vc}")
        it.page.wait_for_function("() => document.querySelector('.legend')?.textContent.includes('last')")
        with it.page.expect_download() as saved:
            it.page.get_by_title("Save this picture as SVG").dispatch_event("click")
        strokes.append([each[1] for each in PATH.findall(saved.value.path().read_text(encoding="utf-8"))])
    assert len(strokes[0]) == len(strokes[1]) and strokes[0] != strokes[1]


def test_links_of_a_wafer_have_the_colours_of_their_wires(shown: Callable[..., Shown]) -> None:
    it = shown("net=torus:8x8&panel=wafer&wafer.density=0.1&wafer.seed=2&wafer.links=true")
    it.page.wait_for_function("() => document.querySelector('.legend')?.textContent.includes('segments')")
    segments = reconfigure("torus:8x8", density=0.1, seed=2).segments
    assert segments is not None
    longest = max(segments.values())
    assert it.page.locator("#stage .legend li").all_text_contents() == [f"0{longest} segments"]
    scale = [it.page.evaluate(VALUE, f"heat-{k}") for k in range(5)]
    steps = np.array([[int(each[k : k + 2], 16) for k in (1, 3, 5)] for each in scale])
    for wire in (longest - 2, longest - 1):  # the longest leave the frame
        mixed = [np.interp(4 * wire / longest, range(5), steps[:, k]) for k in range(3)]
        it.page.add_style_tag(content=f":root {{ --wire-{wire}: #{''.join(f'{round(each):02x}' for each in mixed)} }}")
    found = drawn(it, 64, [f"wire-{longest - 2}", f"wire-{longest - 1}"]).links
    assert len(found) == 2
    for name, links in found.items():
        wires = {segments.get((a, b)) or segments[b, a] for a, b in links}
        assert links and wires == {int(name.removeprefix("wire-"))}


def test_links_have_the_colours_that_the_legend_names_and_folded_ones_are_short(shown: Callable[..., Shown]) -> None:
    it, net = shown(), build("mesh:4x4")
    found = _picture(it, "net=mesh:4x4", 16, "Routings that fit", ["hue-0", "hue-1"])
    named = it.page.locator("#stage .legend li").evaluate_all(
        "all => all.map((each) => [each.textContent, getComputedStyle(each.querySelector('i')).backgroundColor])"
    )
    colours = {it.page.evaluate(RGB, name): name for name in ("hue-0", "hue-1")}
    for words, colour in named:
        dimension = int(words.removeprefix("dimension "))
        pairs = {(r, int(s)) for r in range(16) for s in net.neighbor[r] if s > r}
        own = {(a, b) for a, b in pairs if net.coord[a, dimension] != net.coord[b, dimension]}
        assert {(min(ends), max(ends)) for ends in found.links[colours[colour]]} == own
    at = _picture(it, "net=torus:8x8&view=folded", 64, "Routings that fit").places
    links = np.array([(r, s) for r, row in enumerate(build("torus:8x8").neighbor.tolist()) for s in row])
    lengths = np.hypot(*(at[links[:, 0]] - at[links[:, 1]]).T)
    assert lengths.max() < 2.1 * lengths.min()  # as wired: no link is long


def test_best_figures_are_marked_and_copied_texts_are_whole(shown: Callable[..., Shown]) -> None:
    it = shown("net=rdt:8&panel=papers&papers.group=64")
    it.page.wait_for_selector("#stage .compared table")
    heads = it.page.locator("#stage thead th").all_text_contents()
    rows = [row.locator("td").all() for row in it.page.locator("#stage tbody tr").all()]
    for head, best in (("Diameter, hops", min), ("Average distance, hops", min), ("Bound on uniform load", max)):
        cells = [row[heads.index(head) - 1] for row in rows]
        values = [float(str(cell.text_content())) for cell in cells]
        marked = [
            value for cell, value in zip(cells, values, strict=True) if "best" in str(cell.get_attribute("class"))
        ]
        assert marked and set(marked) == {best(values)}, head
    links = [float(str(row[0].text_content())) for row in rows]
    bound, equal = (
        [float(str(row[heads.index(head) - 1].text_content())) for row in rows]
        for head in ("Bound on uniform load", "Bound at equal cost")
    )
    assert np.allclose(equal, np.array(bound) * min(links) / np.array(links), atol=1.1e-3)
    it.page.evaluate(
        "Object.defineProperty(navigator, 'clipboard', {value: {writeText: async (text) => { window.kept = text; }}})"
    )
    for name in ("Link", "Command", "Python"):
        it.page.get_by_title(f"Copy the {name.lower()}").click()
        said = str(it.page.text_content(f'code[aria-label="{name}"]'))
        assert len(said) > 20 and it.page.evaluate("window.kept").endswith(said)


def test_no_link_is_painted_over_the_router_that_it_leaves_towards_the_eye(shown: Callable[..., Shown]) -> None:
    for spec in ("hypercube:4", "torus:4x4x4"):
        it = shown(f"net={spec}&view=space&picked=3&network.distance=true")
        with it.page.expect_download() as saved:
            it.page.locator("#stage > .tools [title='Save this picture as SVG']").dispatch_event("click")
        text = saved.value.path().read_text(encoding="utf-8")
        discs = [(disc.start(), float(disc[1]), float(disc[2])) for disc in DISC.finditer(text) if disc[4] != "none"]
        assert len(discs) == build(spec).routers
        lines = [(line.start(), point) for line in PATH.finditer(text) for point in line[1].split("L")]
        over = [
            point
            for at, point in lines
            for painted, x, y in discs
            if at > painted and np.hypot(*(np.array(point.split(), float) - (x, y))) < 0.1
        ]
        assert over == [], spec
