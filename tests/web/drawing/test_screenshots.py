"""What is drawn over a network looks as it did: pictures of the drawing alone, held against those in `pictures/`.

Words are left out, since fonts are the machine's; two by two pixels are taken together, since edges may be. Pictures
are written anew by JUMPNET_NEW_PICTURES=1, to be looked at before they are kept.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tests.web.conftest import Shown

PICTURES = Path(__file__).with_name("pictures")
WIDE, HIGH = 520, 400
NO_WORDS = """
for (const name of ['fillText', 'strokeText']) CanvasRenderingContext2D.prototype[name] = () => undefined;
"""
ALONE = f"""
#stage {{ position: fixed !important; inset: 0 auto auto 0 !important; width: {WIDE}px; height: {HIGH}px; z-index: 99 }}
.tools, .legend, .told, #refused {{ visibility: hidden }} #stage svg text {{ display: none }}
.cover {{ padding: 0 !important }} .cover .tools {{ display: none }}
"""
STATES = {
    "plane": ("net=rdt:8", "light", ""),
    "folded": ("net=torus:8x8&view=folded&picked=9", "dark", ""),
    "near": ("net=torus:8x8&view=space&picked=9&eye=1800_700_-400_900_-500", "dark", ""),
    "gather": ("net=hypercube:4&panel=collectives&collectives.what=gather&collectives.step=2", "dark", "After 2 of"),
    "space": ("net=torus:4x4x4&view=space", "light", ""),
    "distances": ("net=srt2d:8&picked=27&network.distance=true", "dark", "From router"),
    "route": (
        "net=torus:8x8&panel=route&routing=torus.duato&picked=9.44&route.taken=1.0", "light", "candidates, in order",
    ),
    "flits": ("net=torus:4x4&panel=simulate&load=0.3&seed=3", "light", "Flits in the network"),
    "heat": ("net=mesh:4x4&panel=simulate&load=0.3&simulate.heat=true", "dark", "Flits in the network"),
    "ring": ("net=torus:4x4&panel=deadlock&deadlock.cycle=8", "light", "holds"),
    "multicast": (
        "net=rdt:8&panel=multicast&multicast.to=own&multicast.source=20&multicast.receivers=3.30.52"
        "&multicast.scheme=LARP&multicast.territory=true", "dark", "In vain",
    ),
    "faults": ("net=mesh:8x8&panel=faults&faults.routers=1.8.36&faults.links=100.41", "light", "Average distance"),
    "wafer": ("net=srt2d:8&panel=wafer&wafer.density=0.1&wafer.seed=4&picked=9", "light", "Longest wire"),
    "collectives": ("net=hypercube:4&panel=collectives&collectives.step=3", "light", "After 3 of"),
}  # fmt: skip


def _drawn(it: Shown, words: str) -> Image.Image:
    page = it.page
    page.wait_for_function("words => document.querySelector('#panel').innerText.includes(words)", arg=words)
    page.add_style_tag(content=ALONE)
    page.wait_for_function(f"() => document.querySelector('#drawing').clientWidth === {WIDE}")
    page.wait_for_timeout(250)
    picture = page.screenshot(clip={"x": 0, "y": 0, "width": WIDE, "height": HIGH})
    return Image.open(io.BytesIO(picture)).convert("RGB").reduce(2)


@pytest.mark.parametrize("name", STATES)
def test_the_drawing_looks_as_it_did(name: str, shown: Callable[..., Shown]) -> None:
    at, theme, words = STATES[name]
    it = shown("net=complete:8", 1100, 700, theme, reduced_motion="reduce", device_scale_factor=1)
    it.page.add_init_script(NO_WORDS)
    it.page.reload()
    it.go(at)
    if "panel=simulate" in at:
        it.page.wait_for_function("words => document.querySelector('#panel').innerText.includes(words)", arg=words)
        for _ in range(2):  # a hundred cycles each, without motion
            it.page.get_by_role("button", name="Run", exact=True).click()
    found, kept = _drawn(it, words), PICTURES / f"{name}.png"
    if os.environ.get("JUMPNET_NEW_PICTURES"):
        found.save(kept, optimize=True)
    expected = np.asarray(Image.open(kept).convert("RGB"), np.int64)
    off = np.abs(np.asarray(found, np.int64) - expected).max(axis=2) > 48
    assert off.sum() < 20, f"{name}: {off.sum()} of {off.size} places differ, first at {np.argwhere(off)[:1].tolist()}"
    assert np.ptp(expected.reshape(-1, 3), axis=0).max() > 100  # something is drawn
