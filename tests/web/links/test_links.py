"""The link, the command and the Python line say what is shown, also where a link asks for what there is not."""

from __future__ import annotations

import ast
import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.web.conftest import Shown

from jumpnet.cli import run_words
from jumpnet.explore.pieces import specs_in
from jumpnet.explore.written import write_page
from jumpnet.routings import routings
from jumpnet.topology import build

GATHERED = [
    ("rdt:8", "gather", "one-port"), ("hypercube:6", "gather", "all-port"), ("rdn:3,k=1", "all-reduce", "one-port"),
]  # fmt: skip
WAFER = "net=srt2d:8&panel=wafer"
DEADLOCK = "net=torus:4x4&panel=deadlock"
ASKED = [
    ("net=torus:4x4&panel=nothing&view=inside&picked=3.99&load=-1&packet=17", "net=torus:4x4&picked=3"),
    ("net=torus:8x8&panel=route&routing=torus.duato&picked=9.44&route.taken=1.99.1.0.0.0.0.0.0.0.0.0&route.draw=7",
     "net=torus:8x8&panel=route&routing=torus.duato&picked=9.44&route.taken=1.2.1.0.0.0.0"),
    ("net=torus:8&panel=route&routing=torus.bubble:of=3&picked=1.2", "net=torus:8&panel=route&picked=1.2"),
    (f"{DEADLOCK}&deadlock.routing=none&deadlock.cycle=9999&deadlock.vc=63",
     f"{DEADLOCK}&deadlock.cycle=10&deadlock.vc=1"),
    (f"{WAFER}&wafer.density=0.08&wafer.seed=4&wafer.method=magic", f"{WAFER}&wafer.density=0.1&wafer.seed=4"),
    ("net=srt2d:16&panel=wafer&wafer.method=exact&wafer.links=true", "net=srt2d:16&panel=wafer&wafer.method=exact"),
    ("net=rdt:8&panel=papers&papers.group=77&papers.sort=colour", "net=rdt:8&panel=papers"),
    ("net=hypercube:4&panel=collectives&collectives.algorithm=none&collectives.step=99",
     "net=hypercube:4&panel=collectives&collectives.step=4"),
    ("net=rdt:8&panel=multicast&multicast.scheme=NONE&multicast.count=5&multicast.step=99",
     "net=rdt:8&panel=multicast"),
    ("net=torus:8x8&panel=faults&faults.seed=1&faults.count=15",
     "net=torus:8x8&panel=faults&faults.seed=1&faults.count=12"),
    ("net=mesh:4x4&panel=faults&faults.seed=1&faults.count=2", "net=mesh:4x4&panel=faults"),
    ("net=mesh:4x4&panel=faults&faults.routers=5.5.99.2&faults.links=3.0.0.9999",
     "net=mesh:4x4&panel=faults&faults.routers=2.5&faults.links=0"),
    ("net=torus:8x8&picked=.&vcs=0x10&load=%200.5&seed=1e3&packet=3.", "net=torus:8x8"),
    ("net=torus:8x8&load=.25&eye=1200_5_-6_400_-300", "net=torus:8x8&eye=1200_5_-6_0_0&load=0.25"),
    ("net=mesh:4x4&view=folded&load=2.E-1&eye=1200_5_-6_400_0", "net=mesh:4x4&eye=1200_5_-6_0_0&load=0.2"),
    ("net=torus:8x8&view=space&eye=1200_5_-6_400_-300", "net=torus:8x8&view=space&eye=1200_5_-6_400_-300"),
    ("net=torus:8x8&picked=3.3.9.3&seed=7&seed=8&seed=x&load=0.5", "net=torus:8x8&picked=3.9&load=0.5&seed=8"),
    ("net=rdt:8&panel=multicast&multicast.to=own&multicast.receivers=9.9.3.400&multicast.source=9000",
     "net=rdt:8&panel=multicast&multicast.to=own&multicast.receivers=9.3"),
]  # fmt: skip


def _settled(it: Shown, at: str) -> str:
    it.go(at)
    it.page.wait_for_function("() => !document.querySelector('#panel').innerText.includes('One moment')")
    it.page.wait_for_timeout(120)
    return it.part()


def _told(it: Shown, name: str) -> str:
    return str(it.page.inner_text(f'code[aria-label="{name}"]'))


def _given(python: str) -> Any:
    """What the last statement of a line of Python gives."""
    *lines, last = ast.parse(python).body
    assert isinstance(last, ast.Expr) and "\n" not in python
    names: dict[str, Any] = {}
    exec(compile(ast.Module(lines, []), "page", "exec"), names)
    return eval(compile(ast.Expression(last.value), "page", "eval"), names)


def test_a_link_that_asks_for_what_there_is_not_becomes_what_is_shown(shown: Callable[..., Shown]) -> None:
    it = shown()
    found = {at: _settled(it, at) for at, _ in ASKED}
    assert found == dict(ASKED) and it.errors == []
    for said in found.values():
        assert _settled(it, said) == said  # and it stays so


def test_the_last_choice_is_shown_whatever_is_unpacked_meanwhile(shown: Callable[..., Shown]) -> None:
    it = shown("net=torus:4x4")
    size = it.page.get_by_label("Size")
    size.select_option("torus:16x16x16")
    size.select_option("torus:4x4")
    it.page.wait_for_timeout(700)
    assert (it.part(), it.page.title(), size.input_value()) == ("net=torus:4x4", "torus:4x4 · jumpnet", "torus:4x4")
    it.page.evaluate("() => { location.hash = 'net=torus:16x16x16&picked=1'; location.hash = 'net=rdt:8&picked=3'; }")
    it.page.wait_for_timeout(700)
    assert it.part() == "net=rdt:8&picked=3" and it.page.title() == "rdt:8 · jumpnet"


def test_a_network_that_is_not_here_leaves_what_is_shown(shown: Callable[..., Shown]) -> None:
    it = shown("net=torus:8x8&picked=5")
    it.page.evaluate("location.hash = 'net=fattree:3,n=3&picked=7'")
    it.page.wait_for_selector("#refused")
    assert "jumpnet explore fattree:3,n=3 writes one" in it.page.inner_text("#refused")
    assert it.part() == "net=torus:8x8&picked=5" and "Routers\n64" in it.page.inner_text("#panel")
    it.page.get_by_role("tab", name="Deadlock").click()
    assert it.part() == "net=torus:8x8&panel=deadlock&picked=5" and it.page.locator("#refused").count() == 0
    for panel in ("papers", "wafer"):  # where something else stands over the drawing
        _settled(it, f"net=srt2d:8&panel={panel}")
        it.page.wait_for_selector("#stage .cover")
        it.page.locator("#other-size").fill("99")
        it.page.locator("#other-size").press("Enter")
        it.page.wait_for_selector("#refused", timeout=5000)
    first = shown("net=fattree:3,n=3")  # as the first page that is opened, too
    assert "fattree:3,n=3" in first.page.inner_text("#refused")
    assert first.page.get_by_label("Size").input_value() == "rdt:16"


def test_a_route_of_ones_own_choice_elsewhere(shown: Callable[..., Shown], capsys: pytest.CaptureFixture[str]) -> None:
    it = shown()
    for rest in ("torus.duato&route.taken=1.2.1", "torus.valiant&route.draw=17"):
        _settled(it, f"net=torus:8x8&panel=route&picked=9.44&routing={rest}")
        it.page.get_by_title("Take first candidates to the end").click()
        rows = it.page.locator("xpath=//h3[.='So far']/following-sibling::*[1]//tbody/tr")
        cells = [row.locator("td").all_text_contents() for row in rows.all()]
        there = [(int(port), int(vc)) for _, _, port, vc, _ in cells]
        assert run_words([*shlex.split(_told(it, "Command"))[1:], "--json"]) == 0
        said = json.loads(capsys.readouterr().out)["channels"]
        assert [(hop["port"], hop["vc"]) for hop in said] == there
        assert [(hop.port, hop.vc) for hop in _given(_told(it, "Python"))] == there


@pytest.mark.parametrize(
    ("at", "named"),
    [
        ("torus:4x4&routing=up_down&picked=1.11&faults.routers=6&faults.links=21", " --without router=6,link=4-5"),
        ("torus:2x2,double=true&routing=lash&picked=0.1&faults.links=0", " --without link=0@0"),
    ],
)
def test_a_route_round_faults_is_that_of_its_lines(
    at: str, named: str, shown: Callable[..., Shown], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A link is named by its ends or, where another joins the same two routers, by its port."""
    it = shown("", file=write_page(tmp_path, [at.partition("&")[0]]).path.absolute())
    _settled(it, f"net={at}&panel=route")
    it.page.get_by_title("Take first candidates to the end").click()
    rows = it.page.locator("xpath=//h3[.='So far']/following-sibling::*[1]//tbody/tr")
    cells = [row.locator("td").all_text_contents() for row in rows.all()]
    there = [(int(port), int(vc)) for _, _, port, vc, _ in cells]
    assert there and named in _told(it, "Command")
    assert run_words([*shlex.split(_told(it, "Command"))[1:], "--json"]) == 0
    said = json.loads(capsys.readouterr().out)["channels"]
    assert [(hop["port"], hop["vc"]) for hop in said] == there
    assert [(hop.port, hop.vc) for hop in _given(_told(it, "Python"))] == there
    for panel, verb in (("simulate", "simulate"), ("faults", "degrade")):
        _settled(it, f"net={at}&panel={panel}")
        command = _told(it, "Command")
        assert command.startswith(f"jumpnet {verb} ") and named.split()[-1] in command


@pytest.mark.parametrize("panel", ["route&picked=12.3", "simulate"])
def test_a_routing_that_is_refused_is_named_at_the_foot(panel: str, shown: Callable[..., Shown]) -> None:
    """Else Python takes its default one, which may have a route there."""
    it = shown(f"net=mesh:4x4&panel={panel}&faults.routers=10.11.13")
    it.page.wait_for_function("() => document.querySelector('#panel').innerText.includes('in pieces')")
    it.page.wait_for_function("() => document.querySelector('code[aria-label=Python]').innerText.includes('up_down')")
    assert it.errors == []


def test_every_draw_of_a_routing_has_a_link(shown: Callable[..., Shown]) -> None:
    at = "net=mesh:5x5x5x5&panel=route&routing=mesh.romm&picked=0.624&route.draw=5000000"  # of 60 to the fourth
    it = shown(at)
    it.page.wait_for_selector("xpath=//h3[starts-with(., 'At router')]")
    assert it.part() == at and _told(it, "Command").endswith(" --draw 5000000")


def test_a_gather_and_an_all_reduce_are_those_of_the_command(
    shown: Callable[..., Shown], capsys: pytest.CaptureFixture[str]
) -> None:
    """Parts at the root after each step, from the command's own transfers."""
    it = shown()
    for spec, what, model in GATHERED:
        at = f"net={spec}&panel=collectives&collectives.what={what}&collectives.model={model}"
        _settled(it, at)
        assert run_words([*shlex.split(_told(it, "Command"))[1:], "--json"]) == 0
        said = json.loads(capsys.readouterr().out)
        assert said["informed"] == max(len(part.step) + 1 for part in _parts(_given(_told(it, "Python"))))
        parts = dict.fromkeys({hop[end] for hop in said["tree"] for end in ("sender", "receiver")}, 1)
        steps = said["steps"] if what == "gather" else said["steps"] // 2
        for step in range(steps + 1):
            _settled(it, f"{at}&collectives.step={step}")
            words = f"steps {parts[said['source']]} of {len(parts)} parts are at the root."
            assert f"After {step} of {said['steps']} {words}" in it.page.inner_text("#panel")
            now = [hop for hop in said["tree"] if hop["step"] == step]
            moved = [(hop["receiver"], parts[hop["sender"]]) for hop in now]
            parts.update((hop["sender"], 0) for hop in now)
            for receiver, count in moved:
                parts[receiver] += count


LEFT = [
    "net=fattree:2,n=4&panel=faults&faults.routers=0.1.8&faults.links=60",
    "net=clos:4,4,8&panel=faults&faults.routers=1.8.9.10.11",
    "net=mesh:4x4&panel=faults&faults.routers=1.4",
    "net=dragonfly:2&panel=faults&faults.routers=1.2.3.4.8",  # those of router 0
]


def test_what_faults_leave_is_what_the_line_of_python_and_the_command_give(
    shown: Callable[..., Shown], capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where some routers have no terminals, and where a corner is cut off."""
    it = shown()
    for at in LEFT:
        it.go(at)
        it.page.wait_for_function("() => document.querySelector('#panel').innerText.includes('Average distance')")
        [left] = _given(_told(it, "Python")).rows()
        words = it.page.inner_text("#panel")
        assert f"\nPieces\n{left['pieces']}\nLargest piece\n{left['largest_piece']} router" in words, at
        assert f"\nPairs joined\n{100 * left['joined']:.1f} %\nDiameter, hops\n{left['diameter']}" in words, at
        assert f"\nAverage distance, hops\n{left['average_distance']:.4f}" in words, at
        assert run_words([*shlex.split(_told(it, "Command"))[1:], "--json"]) == 0
        assert json.loads(capsys.readouterr().out) == left
        net = build(at.removeprefix("net=").partition("&")[0])
        assert ("routers with terminals" in words) == (0 in net.terminals)
        legend = it.page.locator("#stage .legend li").all_text_contents()
        assert "broken" in legend and ("cut off" in legend) == (" cut off)" in words), at


def test_random_faults_leave_what_the_line_of_python_and_the_command_give(
    shown: Callable[..., Shown], capsys: pytest.CaptureFixture[str]
) -> None:
    it = shown("net=hypercube:6&panel=faults&faults.seed=2&faults.kind=links&faults.count=8")
    it.page.wait_for_selector("#panel .facts >> text=Average distance")
    it.page.wait_for_selector("#panel table >> text=lash")
    left, routed = _given(_told(it, "Python"))
    words = it.page.inner_text("#panel")
    cells = it.page.locator("#panel table tr", has_text="lash").locator("td").all_text_contents()
    [row] = routed.rows()
    assert cells[2:5] == [f"{row['average_route']:.3f}", f"{row['longest_route']:.0f}", f"{row['vcs']:.0f}"]
    assert run_words(shlex.split(_told(it, "Command"))[1:]) == 0
    said = capsys.readouterr().out
    for figure in (f"{float(left.average_distance):.4f}", f"{float(100 * left.joined):.1f} %"):
        assert figure in words and figure in said
    it.go("net=hypercube:6&panel=faults")  # nothing is broken
    it.page.wait_for_selector("#panel .facts >> text=Average distance")
    average = f"{float(_given(_told(it, 'Python')).average_distance):.4f}"
    assert run_words(shlex.split(_told(it, "Command"))[1:]) == 0
    assert average in it.page.inner_text("#panel") and average in capsys.readouterr().out


def test_compared_figures_are_what_the_line_of_python_gives(shown: Callable[..., Shown]) -> None:
    it = shown("net=rdt:8&panel=papers&papers.group=64")
    it.page.wait_for_selector("#stage .compared table")
    rows = [row.locator("th, td").all_text_contents() for row in it.page.locator("#stage tbody tr").all()]
    there = _given(_told(it, "Python"))
    assert [(one["spec"], str(one["links"])) for one in there] == [(row[0], row[1]) for row in rows]
    for one, row in zip(there, rows, strict=True):
        assert [float(cell) for cell in row[-2:]] == pytest.approx([one["capacity"], one["equal"]], abs=6e-4)


def test_a_name_with_a_space_is_one_word_of_a_command(
    shown: Callable[..., Shown], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("it's a.anynet").write_text("router 0 node 0 router 1\nrouter 1 node 1\n")
    spec = "file:it's a.anynet"
    it = shown("", file=write_page(tmp_path, [spec]).path.absolute())
    for panel in ("network", "route", "simulate", "faults", "deadlock"):
        it.page.evaluate(f"location.hash = location.hash.replace(/&.*/, '') + '&panel={panel}'")
        it.page.wait_for_function(f"() => location.hash.includes('{panel}') || '{panel}' === 'network'")
        it.page.wait_for_timeout(150)
        assert spec in shlex.split(_told(it, "Command")), panel


def test_a_long_line_is_shortened_at_the_foot_and_copied_whole(shown: Callable[..., Shown]) -> None:
    matrix = "matrix:rows=" + "/".join("-".join(str(int(s != t)) for t in range(16)) for s in range(16))
    it = shown(f"net=torus:4x4&panel=simulate&traffic={matrix}", 400, 800)
    it.page.wait_for_function("() => document.querySelector('#same').innerText.includes('jumpnet simulate')")
    it.page.evaluate("() => { navigator.clipboard.writeText = (text) => { window.copied = text; } }")
    for name in ("Link", "Command", "Python"):
        line = _told(it, name)
        assert len(line) <= 400 and "…" in line, name
        it.page.get_by_title(f"Copy the {name.lower()}").click()
        it.page.wait_for_function("() => window.copied")
        copied = str(it.page.evaluate("window.copied"))
        assert matrix in copied and line.partition("…")[0] in copied and copied.endswith(line.partition("…")[2])
        it.page.evaluate("() => { window.copied = '' }")


def _parts(given: Any) -> tuple[Any, ...]:
    return given if isinstance(given, tuple) else (given,)


def test_where_a_panel_has_no_command_of_its_own_the_page_at_this_link_is_one(
    shown: Callable[..., Shown], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    it = shown()
    at = "net=torus:4x4&view=space&picked=5&network.distance=true"
    assert _settled(it, at) == at
    command = shlex.split(_told(it, "Command"))
    assert command == ["jumpnet", "explore", "torus:4x4", "--at", at.partition("&")[2]]
    written = _given(_told(it, "Python"))
    assert run_words([*command[1:], "--out", "there"]) == 0
    assert written.path.read_bytes() == Path("there/index.html").read_bytes()
    again = shown("", file=written.path.absolute())
    assert again.part() == at and _told(again, "Link") == f"#{at}"
    for panel in ("route", "deadlock", "multicast", "wafer"):
        _settled(it, f"net=star:7&panel={panel}")
        assert _told(it, "Command") == f"jumpnet explore star:7 --at panel={panel}".replace("panel=", "'panel=") + "'"
    _settled(it, "net=star:5")
    assert _told(it, "Command") == "jumpnet draw star:5"
    assert "star:7" in specs_in(it.file.read_text(encoding="utf-8")) and "torus.duato" in routings()
