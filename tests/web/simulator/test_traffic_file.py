"""Traffic from a file of one's own is the spec that a command takes; what does not suit is refused in one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.web.conftest import Shown
from tests.web.simulator.in_node import evaluated

GOOD = {
    "1 2 3 0": "permutation:to=1-2-3-0",
    "# mine\n1,2\n3;x # the last sends nothing\n": "permutation:to=1-2-3-x",
    "0,1,2,3\r\n1,0,0,0\r\n0,0,0,9\r\n1,1,1,0\r\n": "matrix:rows=0-1-2-3/1-0-0-0/0-0-0-9/1-1-1-0",
    " permutation:to=1-0-3-2\n": "permutation:to=1-0-3-2",
}
TRACE = "f: packets with their cycles found, which this page does not replay; jumpnet simulate with --trace does"
BAD = {
    "": "f: 0 numbers in 0 rows found; 4 destinations, or 4 rows of 4 weights, expected",
    "1 2 3": "f: 3 numbers in 1 row found; 4 destinations, or 4 rows of 4 weights, expected",
    "1 2\n3 -1": "f, line 2: “-1” found, whole numbers expected, or x where a terminal sends nothing",
    "a,b\n1,2": "f, line 1: “a” found, whole numbers expected, or x where a terminal sends nothing",
    "0.5 1 1 1": "f, line 1: “0.5” found, whole numbers expected, or x where a terminal sends nothing",
    "cycle source destination flits\n0 1 2 4": TRACE,
    "0 1 2 4\n5 2 1 4": TRACE,
}  # fmt: skip


def test_files_are_read() -> None:
    program = f"""part => {json.dumps([*GOOD, *BAD])}.map((text) => {{
      try {{ return part.fromText("f", text, {{sources: 4, sinks: 4}}); }} catch (error) {{ return error.message; }}
    }})"""
    found = evaluated('{ fromText } from "./src/views/run/traffic/file"', program)
    assert found == [*GOOD.values(), *BAD.values()]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    texts = {
        "ring.csv": ",".join(str((t + 1) % 16) for t in range(16)),
        "pairs.txt": "\n".join(" ".join(str(int(t == s ^ 1)) for t in range(16)) for s in range(16)),
        "short.csv": "1,2,3",
        "far.csv": ",".join(["16"] * 16),
        "large.csv": "1," * 600_000,
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return {name: tmp_path / name for name in texts}


DROP = """([files, link]) => {
  const data = new DataTransfer();
  for (const [name, text] of files) data.items.add(new File([text], name));
  if (link) data.setData("text/uri-list", link);
  const here = (kind) => new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true });
  return ["dragover", "drop"].every((kind) => !document.body.dispatchEvent(here(kind)));
}"""


def _dropped(it: Shown, *files: Path, link: str = "") -> bool:
    """Whether the page keeps the browser from opening what is dropped."""
    return bool(it.page.evaluate(DROP, [[[file.name, file.read_text()] for file in files], link]))


def _notice(it: Shown) -> str:
    return str(it.page.inner_text("#refused p"))


@pytest.mark.parametrize("panel", ["network", "route", "deadlock", "wafer"])
def test_a_file_dropped_on_another_panel_is_traffic(panel: str, shown: Callable[..., Shown], files) -> None:
    it = shown(f"net=torus:4x4&panel={panel}")
    assert _dropped(it, files["ring.csv"])
    it.page.wait_for_function("() => location.hash.includes('traffic=permutation:to=1-2-3')")
    assert "panel=simulate" in it.part() and it.errors == []


def test_what_is_no_traffic_is_refused_and_the_page_stays(shown: Callable[..., Shown], files: dict[str, Path]) -> None:
    it = shown("net=torus:4x4")
    assert _dropped(it, files["ring.csv"], files["short.csv"])
    assert _notice(it) == "2 files found, one expected."
    assert _dropped(it, link="http://localhost/")
    assert _notice(it) == "A link found, a file expected."
    assert it.part() == "net=torus:4x4"
    assert _dropped(it, files["short.csv"])  # before the runs are unpacked
    it.page.wait_for_selector("#panel [role=alert]:has-text('short.csv: 3 numbers in 1 row found')")
    it.go("net=torus:4x4&panel=simulate&faults.routers=5")
    it.page.wait_for_selector("#panel :text('Flits in the network')")
    assert _dropped(it, files["ring.csv"])
    it.page.wait_for_selector("#panel [role=alert]:has-text('other traffic than uniform does not run here')")
    assert it.errors == []


def test_a_file_dropped_while_a_network_is_opened_is_told(shown: Callable[..., Shown], files: dict[str, Path]) -> None:
    it = shown("net=torus:4x4")
    drop = f"({DROP})([[['ring.csv', '1 2 3 0']], ''])"
    it.page.evaluate(f"addEventListener('hashchange', () => {drop}); location.hash = 'net=rdt:64'")
    it.page.wait_for_selector("#refused p")
    assert _notice(it) == "ring.csv found while a network is opened; drop it again."
    it.page.context.add_init_script(f"document.addEventListener('DOMContentLoaded', () => {drop})")
    early = it.page.context.new_page()
    wrong: list[str] = []
    early.on("pageerror", lambda error: wrong.append(str(error)))
    early.goto(it.file.as_uri())
    early.wait_for_selector("#panel :text('Average distance')")
    assert wrong == it.errors == []


def test_a_file_is_chosen_or_dropped(shown: Callable[..., Shown], files: dict[str, Path]) -> None:
    it = shown("net=torus:4x4&panel=simulate")
    page = it.page
    page.wait_for_selector("#panel :text('Flits in the network')")
    choose = page.locator("#panel input[type=file]")
    choose.set_input_files(files["ring.csv"])
    to = "-".join(str((t + 1) % 16) for t in range(16))
    page.wait_for_function("to => location.hash.endsWith(to)", arg=f"traffic=permutation:to={to}")
    assert f"--traffic permutation:to={to}" in page.inner_text('code[aria-label="Command"]')
    assert f'traffic="permutation:to={to}"' in page.inner_text('code[aria-label="Python"]')
    for name, said in {
        "short.csv": "short.csv: 3 numbers in 1 row found; 16 destinations, or 16 rows of 16 weights, expected.",
        "far.csv": "permutation: terminal 16 found, 0 to 15 expected.",
        "large.csv": "large.csv: 1,200,000 bytes found, at most 1,000,000 expected.",
    }.items():
        choose.set_input_files(files[name])
        page.wait_for_selector(f"#panel [role=alert]:text-is('{said}')")
    assert it.part().endswith(to)  # what does not suit changes nothing
    assert _dropped(it, files["pairs.txt"])
    page.wait_for_function("() => decodeURIComponent(location.hash).includes('traffic=matrix:rows=0-1-0')")
    assert page.get_by_label("Weights").input_value().startswith("0 1 0") and it.errors == []
