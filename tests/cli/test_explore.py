"""`jumpnet explore`: the page with networks of one's own, opened or written; what it refuses."""

from __future__ import annotations

import json
import os
import webbrowser
from pathlib import Path

import pytest

from jumpnet.cli import main, run_words
from jumpnet.errors import JumpnetError
from jumpnet.explore.packed import unpack
from jumpnet.explore.pieces import specs_in


def test_a_page_is_written_with_the_networks_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["explore", "torus:3x5", "rdt:8", "--routing", "lash", "--out", str(tmp_path / "new"), "--json"]
    assert run_words(words) == 0
    row = json.loads(capsys.readouterr().out)
    page = (tmp_path / "new" / "index.html").read_text(encoding="utf-8")
    assert row["file"] == str(tmp_path / "new" / "index.html") and row["bytes"] == len(page.encode())
    assert row["specs"] == specs_in(page) and row["specs"][:2] == ["torus:3x5", "rdt:8"] and not row["opened"]
    assert '<body data-net="torus:3x5" data-routing="lash">' in page
    held = unpack(page.partition('data-spec="torus:3x5"')[2].partition(">")[2].partition("<")[0])
    assert held["neighbor"].shape == (15, 4) and "lash" in [each["name"] for each in held["routings"]]


def test_it_is_opened_in_the_browser(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda address: bool(opened.append(address)) or len(opened) == 1)
    assert run_words(["explore", "mesh:3x3"]) == 0
    path = capsys.readouterr().out.strip()
    assert opened == [Path(path).as_uri()] and Path(path).is_file()
    assert run_words(["explore"]) == 0
    assert "no browser found" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["torus:4x4", "tours:4x4"], "did you mean 'torus'"),
        (["torus:4x4", "--routing", "rdt.floating"], "it needs a network of family rdt or prdt"),
        (["rdt:512"], "262144 routers found, at most 16384 expected"),
        (["--routing", "lash"], "--routing lash without a SPEC found"),
        (["--at", "view=space"], "--at view=space without a SPEC found"),
        (["torus:4x4", "--at", "net=rdt:8&view=space"], "'net=rdt:8' found, words as in view=space&picked=3 expected"),
        (["torus:4x4", "--at", "space"], "at: 'space' found"),
        (["torus:4x4", "--at", "view=space&<b>=1"], "at: '<b>=1' found"),
        (["torus:4x4", "--at", "viw=space"], "at: 'viw=space' found, unknown key 'viw'; did you mean 'view'?"),
        (["torus:4x4", "--at", "view=spice"], "one of plane, folded, space expected; did you mean 'space'?"),
        (["torus:4x4", "--at", "panel=simulat"], "did you mean 'simulate'?"),
        (["torus:4x4", "--at", "load=2"], "at: 'load=2' found, a number from 0 to 1 expected"),
        (["torus:4x4", "--at", "load=.5e"], "a number from 0 to 1 expected"),
        (["torus:4x4", "--at", "vcs=1.5"], "a whole number from 0 to 64 expected"),
        (["torus:4x4", "--at", "simulate.heat=yes"], "true or false expected"),
        (["torus:4x4", "--at", "picked=3.99"], "routers from 0 to 15 expected, no 99"),
        (["torus:4x4", "--at", "network.path=0.16"], "routers from 0 to 15 expected, no 16"),
        (["torus:4x4", "--at", "multicast.source=16"], "routers from 0 to 15 expected, no 16"),
        (["torus:4x4", "--at", "simulate.curve=0.1,2"], "found, up to 60 ascending loads (above 0, at most 1) such as"),
        (["torus:4x4", "--at", "simulate.curve=0.1,0.0"], "found, up to 60 ascending loads (above 0, at most 1) such"),
        (["torus:4x4", "--at", "simulate.loads=a"], "found, up to 40 ascending cycles (up to simulate.cycle), each"),
        (["torus:4x4", "--at", "picked=a"], "whole numbers joined by dots expected"),
        (["torus:4x4", "--at", "eye=1"], "at: 'eye=1' found, numbers as the page writes them expected"),
        (["torus:4x4", "--at", "eye=1_0_0_0_0%0A"], "numbers as the page writes them expected"),
        (["torus:4x4", "--at", "routing=torus.dutao"], "did you mean 'torus.duato'?"),
        (["torus:4x4", "--at", "routing=mesh.west_first"], "routing mesh.west_first does not fit torus:4x4"),
        (["torus:4x4", "--at", "routing=torus.duato:x=1"], "setting 'x' of torus.duato found, none expected"),
        (["torus:4x4", "--at", "routing=lash:paths=few"], "unknown value of lash paths 'few'"),
        (["torus:4x4", "--at", "picked=3.3"], "at: 'picked=3.3' found, each router once expected"),
        (["torus:4x4", "--at", "traffic=hotspot:count=99"], "hotspot: count=99 found, 1 to 16 expected"),
        (["torus:4x4", "--at", "traffic=transpose:by=foo"], "expected one of bits, coordinates"),
        (["torus:4x4", "--at", "traffic=permutation:to=1-2"], "permutation: 2 destinations found, 16 expected"),
        (["torus:4x4", "--at", "traffic=worst:routing=torus.dutao"], "did you mean 'torus.duato'?"),
        (["torus:4x4", "--at", "traffic=uniforn"], "did you mean 'uniform'?"),
        (["torus:4x4", "--at", "simulate.preset=boksim"], "did you mean 'booksim'?"),
        (["rdt:8", "--at", "multicast.scheme=LARQ"], "did you mean 'LARP'?"),
        (["torus:4x4", "--out", "/dev/null"], "a folder to write expected"),
    ],
)
def test_errors(words, message, capsys, monkeypatch) -> None:
    monkeypatch.setattr("sys.argv", ["jumpnet", "explore", *words])
    with pytest.raises(SystemExit) as stop:
        main()
    said = capsys.readouterr()
    assert stop.value.code == 2 and message in said.err and said.err.count("\n") == 1


def test_what_a_link_may_say_is_taken(tmp_path: Path) -> None:
    for settings in ("routing=lash:paths=balanced", "traffic=hotspot:nodes=3-4", "traffic=worst:routing=torus.duato"):
        assert run_words(["explore", "torus:4x4", "--at", settings, "--out", str(tmp_path)]) == 0
    at = "view=space&picked=3.7&eye=1298_-839_370_0_0&routing=torus.duato&load=.35&seed=4294967295"
    assert (
        run_words(["explore", "torus:4x4", "--at", "load=2.E-1", "--out", str(tmp_path)]) == 0
    )  # as the page takes it
    at += "&deadlock.ring=false&simulate.curve=.1,0.25,1.0"
    assert run_words(["explore", "torus:4x4", "--at", at, "--out", str(tmp_path)]) == 0
    assert f'data-at="{at.replace("&", "&amp;")}"' in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_a_pipe_or_device_of_the_page_s_name_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    there = tmp_path / "index.html"
    for make in (os.mkfifo, lambda path: path.symlink_to("/dev/null"), Path.mkdir):
        make(there)
        with pytest.raises(JumpnetError, match=r"index.html: not a regular file; a page of jumpnet expected"):
            run_words(["explore", "torus:4x4", "--out", str(tmp_path)])
        there.rmdir() if there.is_dir() else there.unlink()


def test_no_file_but_a_page_of_jumpnet_is_written_over(tmp_path: Path) -> None:
    mine = tmp_path / "index.html"
    for text in ("<h1>My own</h1>", '<title>Papers</title>\n<meta name="sources" content="books">'):
        mine.write_text(text)
        with pytest.raises(JumpnetError, match=r"index.html: another file found, none or a page of jumpnet expected"):
            run_words(["explore", "torus:4x4", "--out", str(tmp_path)])
        assert mine.read_text() == text
    mine.unlink()
    for spec in ("torus:4x4", "mesh:3x4"):  # one of its own is
        assert run_words(["explore", spec, "--out", str(tmp_path)]) == 0
    assert '<body data-net="mesh:3x4"' in mine.read_text(encoding="utf-8")
