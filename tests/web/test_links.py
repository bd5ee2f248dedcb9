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
from jumpnet.routings import routings

GATHERED = [
    ("rdt:8", "gather", "one-port"), ("hypercube:6", "gather", "all-port"), ("rdn:3,k=1", "all-reduce", "one-port"),
]  # fmt: skip
WAFER = "net=srt2d:8&panel=wafer"
DEADLOCK = "net=torus:4x4&panel=deadlock"
ASKED = [
    ("net=torus:4x4&panel=nothing&view=inside&picked=3.99", "net=torus:4x4&picked=3"),
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
