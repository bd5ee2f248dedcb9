"""Words and bars beside the drawing that no other test reads: pieces, candidates, schedules, links, distances."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from tests.web.conftest import Shown
from tests.web.simulator.in_node import evaluated

from jumpnet.analysis.what_is_left import what_is_left
from jumpnet.graph.distances import distance_counts
from jumpnet.multicast import broadcast
from jumpnet.routings import bind
from jumpnet.routings.view import ESCAPE, KIND, PORT, call, call_start, new_head, new_out
from jumpnet.sim.simulate import simulate
from jumpnet.topology import build


def _says(it: Shown, words: str) -> str:
    it.page.wait_for_function("words => document.querySelector('#panel').innerText.includes(words)", arg=words)
    return str(it.page.inner_text("#panel"))


def test_the_largest_piece_is_that_with_most_terminals(shown: Callable[..., Shown]) -> None:
    net = build("fattree:2,n=4")
    leaves = net.terminals > 0
    above = sorted({s for s in net.neighbor[leaves].ravel().tolist() if s >= 0})
    left = what_is_left(net, routers=above)
    it = shown(f"net={net.spec}&panel=faults&faults.routers={'.'.join(map(str, above))}")
    assert left.largest_piece == 1 < left.working // left.pieces  # a piece without terminals has more routers
    _says(it, f"Largest piece\n1 router ({left.working - 1} cut off)\n")


def test_candidates_say_their_links_and_which_of_them_escape(shown: Callable[..., Shown]) -> None:
    net = build("torus:8x8")
    bound, head, out = bind("torus.duato", net), new_head(0, 18), new_out()
    call_start(bound.start_pointer, bound.view, head, 0, np.zeros(bound.view.queues, np.int64))
    count = call(bound.pointer, bound.view, 0, head, out)
    links = [net.class_names[net.link_class[0, port]] for port in out[:count, PORT]]
    words = [link + ", escape" * bool(kind & ESCAPE) for link, kind in zip(links, out[:count, KIND], strict=True)]
    it = shown("net=torus:8x8&panel=route&picked=0.18&routing=torus.duato")
    _says(it, f"{count} candidates, in order of preference")
    assert it.page.locator("#panel table").first.locator("td:nth-child(4)").all_text_contents() == words
    assert 0 < sum("escape" in each for each in words) < count


def test_routers_that_receive_twice_are_counted(shown: Callable[..., Shown]) -> None:
    net, root = build("rdt:16"), 136
    schedule = broadcast("rank_descending")(net, root, "all-port")
    again = len(schedule.receiver) - len(np.unique(schedule.receiver))
    it = shown(f"net={net.spec}&panel=collectives&collectives.model=all-port&collectives.algorithm=rank_descending")
    assert again and f"\nRouters that receive twice\n{again}" in _says(it, "The schedule")


def test_a_link_under_the_pointer_is_named(shown: Callable[..., Shown]) -> None:
    it = shown("net=mesh:2")
    box = it.page.locator("#drawing").bounding_box()
    it.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 + 6)
    assert it.page.text_content("#stage .told") == "0 to 1: dimension 0 +"


def test_bars_of_compared_networks_are_their_pairs_by_distance(shown: Callable[..., Shown]) -> None:
    it = shown("net=rdt:8&panel=papers&papers.group=64")
    it.page.wait_for_selector("#stage svg.spread")
    shares = []
    for name in it.page.locator("#stage figcaption button:first-child").all_text_contents():
        pairs = np.array(distance_counts(build(name)).counts[1:], float)
        shares.append(pairs / pairs.sum())
    most = max(each.max() for each in shares)
    bars = it.page.locator("#stage svg.spread").all()
    assert len(bars) == len(shares) > 3
    for bar, share in zip(bars, shares, strict=True):
        tall = bar.locator("rect").evaluate_all("all => all.map((each) => +each.getAttribute('height'))")
        assert np.allclose(tall, 30 * share / most)


def test_channels_are_named_where_a_preset_would_have_more(shown: Callable[..., Shown]) -> None:
    """yang2001 has two at least where none are named; the page begins with as many as the routing needs."""
    it = shown("net=mesh:4x4&panel=simulate&simulate.preset=yang2001")
    _says(it, "Flits in the network")
    assert simulate("mesh:4x4", name="yang2001", load=0.05, warmup_cycles=10, measure_cycles=20).config.vcs == 2
    assert " --set vcs=1 " in it.page.inner_text("code[aria-label=Command]")


def test_a_share_near_all_is_not_told_as_all() -> None:
    program = "(part) => [1, 0.99949, 0.99951, 0.5, 0, NaN].map(part.percent)"
    told = evaluated('{ percent } from "./src/panels/faults/figures"', program)
    assert told == ["100.0 %", "99.9 %", "99.951 %", "50.0 %", "0.0 %", "none"]
