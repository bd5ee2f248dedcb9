"""What is drawn looks as it was kept: small pictures of some states, in one file.

Wrong colours, places, marks or themes are seen; edges and letters, which differ between browsers, are not. After a
wanted change: JUMPNET_KEEP_LOOKS=1 python -m pytest tests/web/drawing/test_kept_looks.py, then look at the file.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image
from tests.web.conftest import Shown

KEPT = Path(__file__).with_name("kept_looks.png")
SIZE = (96, 72)
MOST = 1.2  # mean difference of a colour's channel, of 255
FAR, FEW = 45, 10  # a pixel is another one from this difference on; so many may be, for letters of other browsers
STATES = [
    ("net=rdt:16", "light", "Routers"),
    ("net=torus:4x4x4&view=space&picked=3&network.distance=true", "light", "Furthest router"),
    ("net=torus:8x8&view=folded&picked=9", "dark", "Furthest router"),
    ("net=torus:8x8&panel=route&routing=torus.duato&picked=9.44&route.taken=1.1", "light", "At router"),
    ("net=hypercube:6&panel=collectives&collectives.what=gather&collectives.step=2", "dark", "After 2 of 6"),
    ("net=torus:4x4&panel=deadlock&deadlock.cycle=5", "light", "waits for"),
    ("net=torus:4x4&panel=deadlock&deadlock.show=cure", "dark", "Free of deadlock"),
    ("net=srt2d:8&panel=wafer&wafer.density=0.1&wafer.seed=4&picked=9", "light", "Repaired"),
]


def _small(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB").resize(SIZE, Image.Resampling.BOX)


def test_the_drawings_are_those_that_were_kept(shown: Callable[..., Shown]) -> None:
    found = []
    for at, theme, words in STATES:
        it = shown(at, 1100, 800, theme=theme)
        it.page.wait_for_function("words => document.querySelector('#panel').innerText.includes(words)", arg=words)
        it.page.wait_for_timeout(100)
        found.append(_small(it.page.locator("#stage").screenshot()))
    if os.environ.get("JUMPNET_KEEP_LOOKS"):
        sheet = Image.new("RGB", (SIZE[0], SIZE[1] * len(found)))
        for k, picture in enumerate(found):
            sheet.paste(picture, (0, SIZE[1] * k))
        sheet.save(KEPT, optimize=True)
    kept = np.asarray(Image.open(KEPT).convert("RGB"), np.float64).reshape(len(STATES), SIZE[1], SIZE[0], 3)
    apart = [np.abs(np.asarray(one, np.float64) - other) for one, other in zip(found, kept, strict=True)]
    other = [int((each.max(axis=-1) > FAR).sum()) for each in apart]
    assert max(each.mean() for each in apart) < MOST and max(other) < FEW, ([each.mean() for each in apart], other)
