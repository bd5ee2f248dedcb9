"""`jumpnet protocol`: the checker's table as JSON and text, bad words in one line."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from jumpnet.cli import app
from jumpnet.coherence.murphi.export import murphi_model
from jumpnet.coherence.protocol import Protocol, protocol, protocols, register
from jumpnet.errors import JumpnetError


def _run(*words):
    return CliRunner().invoke(app("protocol"), ["protocol", *words])


def test_table_of_states() -> None:
    result = _run("mesi", "--caches", "2", "--json")
    assert result.exit_code == 0, result.output
    row = json.loads(result.stdout)
    assert (row["protocol"], row["fault"], row["path"], row["unused"]) == ("mesi", "", [], [])
    assert sum(entry["states"] for entry in row["table"]) == row["states"] < row["all_states"] <= 2 * row["states"]
    rest = {(entry["home"], *entry["caches"]) for entry in row["table"] if entry["at_rest"]}
    # Shared copies are dropped without a word, so the home may go on saying S.
    assert rest == {
        ("U", "I", "I"),
        ("M", "E", "I"),
        ("M", "I", "M"),
        ("S", "S", "S"),
        ("S", "I", "S"),
        ("S", "I", "I"),
    }


def test_tables_as_text() -> None:
    result = _run("msi", "--caches", "2", "--rows", "--states")
    assert result.exit_code == 0
    assert "send InvAck, drop" in result.output and "at rest" in result.output and "none" in result.output
    names = [json.loads(line)["protocol"] for line in _run("--caches", "1", "--json").stdout.splitlines()]
    assert names == sorted(protocols())


def test_a_fault_is_status_1_and_its_way_is_told() -> None:
    good = protocol("msi")
    wrong = Protocol("test-wrong", good.cache.replace("S   Inv       I ", "S   Inv       S "), good.home)
    register(wrong)
    result = _run("test-wrong", "--caches", "2")
    assert result.exit_code == 1
    assert "the way to" in result.output and "Inv: home -> cache 1" in result.output
    chart = json.loads(_run("test-wrong", "--caches", "2", "--json").stdout)["chart"]
    assert chart[-1] == {"what": "Inv: home -> cache 1", "home": "WI", "caches": ["S", "IM"]}


def test_a_fault_is_replayed_in_the_machine_with_time() -> None:
    good = protocol("msi")
    register(Protocol("test-late", good.cache, good.home.replace("M   PutM-      M   ack", "")))
    result = _run("test-late", "--caches", "2", "--replay")
    assert result.exit_code == 1 and "the way to" not in result.output
    assert "in cycle 650 of the machine with time" in result.output and "150 cycles, write, 39" in result.output
    assert result.output.endswith("what it does there is no table's, and nothing goes wrong\n")
    row = json.loads(_run("test-late", "--caches", "2", "--replay", "--json").stdout)["replay"]
    assert (row["cycle"], row["fault"]) == (650, "no row for PutM- at the home in M")
    assert row["steps"][-1] == {"cycle": 650, "what": "PutM: cache 1 -> home", "home": "M", "caches": ["MI", "M"]}
    assert row["messages"][0] == {"event": "GetM", "source": 2, "to": 3, "sent": 111, "arrived": 390}
    register(Protocol("test-reads", good.cache + "IS read IS send GetS", good.home))
    result = _run("test-reads", "--caches", "1", "--replay")
    assert "the way to" in result.output and "not replayed: protocol test-reads: a step of cache 1" in result.output
    assert json.loads(_run("msi", "--caches", "1", "--replay", "--json").stdout)["replay"] is None
    assert isinstance(_run("msi", "--replay", "--export", "-").exception, JumpnetError)


def test_the_way_to_a_fault_is_drawn(tmp_path, capsys) -> None:
    good = protocol("msi")
    register(Protocol("test-wrong", good.cache.replace("S   Inv       I ", "S   Inv       S "), good.home))
    way = tmp_path / "way.svg"
    assert _run("test-wrong", "--caches", "2", "--draw", str(way)).exit_code == 1
    assert way.read_text().startswith("<?xml")
    result = _run("msi", "--caches", "1", "--draw", str(tmp_path / "none.svg"))
    assert result.exit_code == 0 and not (tmp_path / "none.svg").exists()
    assert "none.svg is not written: no fault was found" in result.stderr
    for words, found in (
        (("--draw", str(way)), "--draw without a protocol found"),
        (("msi", "--draw", str(tmp_path / "way.gif")), "unknown picture format 'gif'"),
        (("msi", "--draw", str(way), "--export", "-"), "--draw with --export found"),
    ):
        refused = _run(*words)
        assert isinstance(refused.exception, JumpnetError) and found in str(refused.exception)


def test_bad_words_in_one_line() -> None:
    for words, found in ((("mesy",), "did you mean 'mesi'"), (("msi", "--caches", "12"), "1 to 11 expected")):
        result = _run(*words)
        assert isinstance(result.exception, JumpnetError)
        assert found in str(result.exception)


def test_export_writes_a_model_and_checks_nothing(tmp_path) -> None:
    out = tmp_path / "msi.m"
    result = _run("msi", "--caches", "3", "--order", "fifo", "--export", str(out))
    assert result.exit_code == 0 and "3 caches, order fifo" in result.output
    assert out.read_text() == murphi_model(protocol("msi"), 3, order="fifo")
    assert _run("msi", "--caches", "3", "--order", "fifo", "--export", "-").stdout == out.read_text()
    for words, found in (
        (("--export", str(out)), "without a protocol"),
        (("msi", "--export", str(out), "--json"), "--json with --export"),
        (("msi", "--export", str(tmp_path)), "a folder found"),
        (("msi", "--export", str(out), "--caches", "12"), "1 to 11 expected"),
    ):
        result = _run(*words)
        assert isinstance(result.exception, JumpnetError)
        assert found in str(result.exception)


def test_liveness_is_a_table_and_a_loop() -> None:
    row = json.loads(_run("msi", "--caches", "2", "--liveness", "--json").stdout)
    assert row["liveness"] == {"ends": True, "states": 422, "steps": 1142, "waits": "", "path": [], "loop": []}
    assert "liveness" not in json.loads(_run("msi", "--caches", "2", "--json").stdout)
    assert "every request ends" in _run("msi", "--caches", "2", "--liveness").output
    good = protocol("msi")
    home = good.home.replace("DS  Done       S   -", "DS  Done       DS  -")
    register(Protocol("test-waits", good.cache, home))
    result = _run("test-waits", "--caches", "1", "--liveness")
    assert result.exit_code == 1
    assert "waits in SM" in result.output and "no message is left that may arrive" in result.output


def test_networks_are_tables_and_rows() -> None:
    row = json.loads(_run("msi", "--caches", "1", "--networks", "--json").stdout)
    assert [one["endpoints"] for one in row["networks"]] == ["held", "reserved", "queued"]
    assert [one["least"] for one in row["networks"]] == [5, 3, 2]
    assert row["networks"][1]["groups"][1] == ["Inv", "Fetch", "FetchInv"]
    assert row["networks"][0]["why_not_fewer"] == ["GetS", "Fetch", "OwnerData", "Data", "Done"]
    assert "networks" not in json.loads(_run("msi", "--caches", "1", "--json").stdout)
    told = _run("msi", "--caches", "1", "--networks").output
    assert "GetS -> Fetch -> OwnerData" in told and "GetS GetM PutM" in told
    again = Protocol("test-again", "I read R send Get\nV read V hit\nR Data V take\nR Nack R send Get", NACKS)
    register(again)
    told = _run("test-again", "--caches", "1", "--networks").output
    assert "none is enough" in told and "Get -> Nack -> Get" in told
    result = _run("msi", "--networks", "--export", "-")
    assert isinstance(result.exception, JumpnetError) and "--networks with --export" in str(result.exception)


NACKS = "U Get O ask, reply Data, own\nO Get O ask, reply Nack"


def test_compact_says_how_likely_a_state_was_missed(tmp_path) -> None:
    exact = json.loads(_run("msi", "--caches", "3", "--json").stdout)
    compact = json.loads(_run("msi", "--caches", "3", "--compact", "40", "--json").stdout)
    assert (exact["compact"], exact["missed"], compact["compact"]) == (0, 0.0, 40)
    assert 1e-10 < compact["missed"] < 1e-8
    assert {**compact, "compact": 0, "missed": 0.0} == exact
    text = _run("msi", "--caches", "3", "--compact", "40").output
    assert f"{compact['missed']:.2g}" in text and "40 bits of a hash" in text and "a state missed with" in text
    assert "missed" not in _run("msi", "--caches", "3").output


def test_a_search_kept_in_a_folder(tmp_path) -> None:
    folder = tmp_path / "msi"
    rows = [_run("msi", "--caches", "3", "--checkpoint", str(folder), "--json").stdout for _ in range(2)]
    assert rows[0] == rows[1] == _run("msi", "--caches", "3", "--json").stdout
    assert {file.name for file in folder.iterdir()} == {"states", "parents", "search.npz"}
    for words, found in (
        (("msi", "--caches", "2", "--checkpoint", str(folder)), "another search or version found"),
        (("--caches", "2", "--checkpoint", str(folder)), "--checkpoint without a protocol"),
        (("msi", "--liveness", "--checkpoint", str(folder)), "--liveness together with --checkpoint"),
        (("msi", "--checkpoint-every", "5"), "without --checkpoint"),
        (("msi", "--compact", "7"), "8 to 62 bits expected"),
        (("msi", "--compact", "40", "--export", "-"), "--compact with --export"),
        (("msi", "--caches", "12", "--checkpoint", str(tmp_path / "new")), "1 to 11 expected"),
        (("msi", "--checkpoint", str(tmp_path / "no" / "folder")), "no such file or directory"),
    ):
        result = _run(*words)
        assert isinstance(result.exception, JumpnetError)
        assert found in str(result.exception)
    assert not (tmp_path / "new").exists()
