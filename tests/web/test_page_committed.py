"""The page that comes with jumpnet is what its sources give, and holds the networks that Python makes."""

from __future__ import annotations

import base64
import re
import shutil
import subprocess
import zlib
from html import unescape
from pathlib import Path

import numpy as np
import pytest

from jumpnet.explore.gallery import GALLERY, SIZED
from jumpnet.explore.kernels.layout import mark
from jumpnet.explore.network_data import network_data
from jumpnet.explore.packed import unpack
from jumpnet.explore.pieces import COMMITTED, specs_in
from jumpnet.explore.runs import runs_text, sized_text
from jumpnet.topology import build, families
from web import make

PAGE = COMMITTED.read_text(encoding="utf-8")
ARRAYS = ("neighbor", "farPort", "linkClass", "coord", "terminals", "sinks", "params")
ROUTINGS_KNOWN = ("rdt:8", "torus:4x4", "dragonfly:2", "graph:petersen")


def test_its_sources_are_those_that_are_here() -> None:
    """Else `make page` must be run, and its page committed."""
    assert f'<meta name="sources" content="{make.digest()}">' in PAGE
    assert len(PAGE.encode()) < 2_000_000


def test_node_bundles_the_same_script(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None or not (make.HERE / "node_modules").is_dir():
        pytest.skip("no Node or no web/node_modules found: the script is not bundled again")
    subprocess.run([node, str(make.HERE / "build.mjs"), "--out", str(tmp_path)], check=True, timeout=120)
    for name in ("page.js", "page.css", "licences.txt", "keys.json"):
        assert (tmp_path / name).read_text(encoding="utf-8").replace("</script", "<\\/script") in PAGE, name


def test_the_gallery_holds_every_family_as_python_builds_it() -> None:
    assert set(GALLERY) == set(families())
    specs = [spec for listed in GALLERY.values() for spec in listed]
    assert [spec for spec in specs_in(PAGE) if spec in specs] == specs
    assert [unescape(spec) for spec in re.findall(r'x-jumpnet-run" data-spec="([^"]*)"', PAGE)] == specs
    for spec, text in re.findall(r'x-jumpnet" data-spec="([^"]*)"[^>]*>([^<]*)</script>', PAGE):
        net, held = build(unescape(spec)), unpack(text)
        made = {"neighbor": net.neighbor, "farPort": net.far_port, "linkClass": net.link_class, "coord": net.coord,
                "terminals": net.terminals, "sinks": net.sinks, "params": net.params}  # fmt: skip
        for name in ARRAYS:
            assert np.array_equal(held[name], made[name]), (spec, name)
        if spec in ROUTINGS_KNOWN:
            assert held["routings"] == network_data(net)["routings"]


def test_its_runs_are_of_this_simulator() -> None:
    texts = re.findall(r'x-jumpnet-run" data-spec="[^"]*">([^<]*)</script>', PAGE)
    assert texts and {unpack(text)["mark"] for text in texts} == {mark()}


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return (value.dtype, value.tolist()) if isinstance(value, np.ndarray) else value


def test_its_runs_are_what_python_prepares_now() -> None:
    """Of the smallest network of each family, and of some sizes that the page makes by rule."""
    held = {
        unescape(spec): text for spec, text in re.findall(r'x-jumpnet-(?:run|size)" data-spec="([^"]*)">([^<]*)', PAGE)
    }
    made = {specs[0]: runs_text for specs in GALLERY.values()} | dict.fromkeys(SIZED[:3], sized_text)
    for spec, text in made.items():
        assert _plain(unpack(held[spec])) == _plain(unpack(text(build(spec)))), spec


def test_its_module_is_this_simulator() -> None:
    """Else no run begins in the page: `python web/kernels/build.py` first, then `make page`."""
    found = re.findall(r'x-jumpnet-wasm">([^<]*)</script>', PAGE)
    assert len(found) == 1 and mark().encode() in zlib.decompress(base64.b64decode(found[0]))


def test_no_address_of_any_host_is_loaded() -> None:
    frame = re.sub(r'<script type="application/x-[^>]*>[^<]*</script>', "", PAGE)
    assert not re.findall(r'(?:src|href)="(?!data:,"|#)[^"]*"', frame) and "default-src 'none'" in frame
    assert not re.search(r"\b(?:fetch|XMLHttpRequest|WebSocket|importScripts|sendBeacon)\b", frame)
