"""Networks that the page makes by a family's rule are, array by array, those that Python builds."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.web.conftest import Shown
from tests.web.simulator.in_node import answers, evaluated

from jumpnet.errors import JumpnetError
from jumpnet.explore.gallery import GALLERY
from jumpnet.explore.network_data import network_data
from jumpnet.topology import build

MADE = (
    "torus:2", "torus:9", "torus:2x3", "torus:1x4", "torus:7x5", "torus:5x2x3", "torus:3x2x3x2", "mesh:3", "mesh:7",
    "mesh:5x1x4", "mesh:6x9", "mesh:3x3x2x2x2", "hypercube:1", "hypercube:2", "hypercube:5", "hypercube:9", "rdt:4",
    "rdt:16", "rdt:24", "rdt:32", "rdt:64", "prdt:2", "prdt:12", "prdt:20", "prdt:64",
)  # fmt: skip
REFUSED = ("rdt:12", "rdt:40", "rdt:10", "rdt:20", "rdt:0", "prdt:6", "prdt:9", "mesh:0x3", "torus:3x0", "hypercube:0")
ELSEWHERE = ("fattree:3,n=3", "rdt:16,assignment=none", "torus:", "torus:x3", "torus:4x-4")
PLAIN = ("spec", "family", "directed", "classNames", "classRank", "rankNames", "baseRank", "labels", "latency")
ARRAYS = ("neighbor", "farPort", "linkClass", "coord", "terminals", "sinks", "params")


def test_every_array_is_that_of_python() -> None:
    for spec, got in zip(MADE, answers([{"grown": spec} for spec in MADE]), strict=True):
        made, wanted = got["grown"], network_data(build(spec))
        for name in PLAIN:
            assert made[name] == wanted[name], (spec, name)
        for name in ARRAYS:
            assert made[name] == wanted[name].ravel().tolist(), (spec, name)
        place, places = made["place"], wanted["place"]
        for name in ("position", "basis"):  # thousandths; a rounding on a circle may differ between libraries
            if places[name] is None:
                assert place[name] is None, (spec, name)
            else:
                apart = np.abs(1000 * np.array(place[name]) - places[name].ravel())
                assert apart.max() < (1.5 if places["circle"] else 0.1), (spec, name)
        assert all(place[name] == places[name] for name in ("sides", "circle", "arch")), spec
        assert made["routers"] == len(wanted["terminals"]) and made["routings"] == []


def test_sizes_that_python_refuses_are_refused_and_others_are_left_to_it() -> None:
    specs = [*REFUSED, "torus:65x64", "hypercube:13"]
    for spec, got in zip(specs, answers([{"grown": spec} for spec in specs]), strict=True):
        assert (spec in got["refused"] and "expected" in got["refused"]) or "jumpnet explore" in got["refused"]
    for spec in REFUSED:
        with pytest.raises(JumpnetError):
            build(spec)
    assert [got["grown"] for got in answers([{"grown": spec} for spec in ELSEWHERE])] == [None] * len(ELSEWHERE)


NEAREST = {
    "ring:5": "torus:5", "torsu:4x4": "torus:4x4", "trous:8": "torus:8", "Torus:8x8": "torus:8x8",
    "grid:5x7": "mesh:5x7", "fat-tree:4": "fattree:4,n=3", "rdt:10": "rdt:8", "rdt:20": "rdt:16",
    "rdt:20,assignment=none": "rdt:16,assignment=none", "prdt:999999": "prdt:64", "hypercube:0": "hypercube:1",
    "hypercube:99": "hypercube:12", "torus:8,8": "torus:8x8", "torus:8x": "torus:8", "torus:1x1": "torus:2",
    "torus": "torus:4x4", "mesh:70x70": "mesh:64x64", "mesh:0x3": "mesh:1x3", "dragonfly:5": "dragonfly:4",
    "slimfly:6": "slimfly:7", "zzz:5": "", "torus:1e2": "torus:100", "hypercube:1E1": "hypercube:10", "": "", "a:5": "",
}  # fmt: skip


def test_the_nearest_network_to_a_name_that_there_is_not() -> None:
    listed = [{"spec": spec, "family": family} for family, specs in GALLERY.items() for spec in specs]
    asked = f"(part) => {json.dumps([*NEAREST])}.map((spec) => part.nearest(spec, {json.dumps(listed)}))"
    found = evaluated('{ nearest } from "./src/data/nearest"', asked)
    assert dict(zip(NEAREST, found, strict=True)) == NEAREST
    for spec in filter(None, found):  # there are such networks
        assert build(spec).spec == spec


def _typed(it: Shown, size: str) -> str:
    field: Any = it.page.locator("#other-size")
    field.fill(size)
    field.press("Enter")
    it.page.wait_for_timeout(200)
    return it.part()


def test_a_size_that_is_typed_is_drawn_or_answered_with_its_command(shown: Callable[..., Shown]) -> None:
    it = shown("net=torus:8x8")
    assert _typed(it, "09x7") == "net=torus:9x7"
    assert "63 routers, 126 links" in it.page.get_attribute("#drawing", "aria-label")
    assert it.page.locator("#head select").nth(1).input_value() == "torus:9x7"
    assert "by its family's rule" in it.page.inner_text("#panel")
    assert _typed(it, "rdt:24") == "net=rdt:24" and "576 routers" in it.page.get_attribute("#drawing", "aria-label")
    assert _typed(it, "8") == "net=rdt:8"  # which is in the page
    assert _typed(it, "20") == "net=rdt:8" and "multiple of 8 expected" in it.page.inner_text("#refused")
    assert _typed(it, "fattree:3,n=3") == "net=rdt:8"
    assert "jumpnet explore fattree:3,n=3 writes" in it.page.inner_text("#refused")
    assert _typed(it, "torsu:4x4") == "net=rdt:8" and "Open torus:4x4, the nearest" in it.page.inner_text("#refused")
    assert _typed(it, "torus:4xx4") == "net=rdt:8" and "a size as in torus:9x9 expected" in it.page.inner_text(
        "#refused"
    )
    it.page.get_by_role("button", name="Open torus:4x4, the nearest").click()
    assert it.part() == "net=torus:4x4" and it.page.locator("#refused").count() == 0
    assert _typed(it, "mesh") == "net=mesh:8x8"
    it.go("net=torus:6x5&panel=faults&faults.links=3.9")
    it.page.wait_for_function("() => document.querySelector('#panel').innerText.includes('Average distance')")
    assert not it.errors and all(url.startswith("file:") for url in it.requests)
