"""The page of settings is what the simulator has; BookSim's names are BookSim's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jumpnet.cli import run_words
from jumpnet.cli.list import setting_rows
from jumpnet.sim.config import SimConfig
from jumpnet.sim.config.parameters import BOOKSIM
from jumpnet.study.booksim._keys import DEFAULTS

PAGE = Path(__file__).parents[2] / "docs" / "settings.md"


def settings_page() -> str:
    """The settings as a table in Markdown."""
    heads = {"name": "setting", "unit": "unit", "range": "values", "default": "default", "booksim": "BookSim 2"}
    lines = [" | ".join(["", *heads.values(), "meaning", ""]).strip(), "|---" * 6 + "|"]
    for row in setting_rows():
        cells = [f"`{row[key]}`" if row[key] and key in ("name", "booksim") else row[key] for key in heads]
        lines.append("| " + " | ".join([*cells, row["meaning"]]).replace("  ", " ") + " |")
    return "\n".join(lines) + "\n"


def test_the_page_holds_the_settings_as_they_are() -> None:
    assert PAGE.read_text(encoding="utf-8").endswith("\n\n" + settings_page()), (
        "write settings_page() into docs/settings.md"
    )


def test_every_setting_has_a_meaning_values_and_a_default() -> None:
    rows = setting_rows()
    assert [row["name"] for row in rows] == [*SimConfig.model_fields]
    for row in rows:
        assert row["meaning"].endswith(".") and row["range"] and row["default"], row


def test_names_are_those_of_booksim() -> None:
    assert set(BOOKSIM) <= set(SimConfig.model_fields)
    assert set(BOOKSIM.values()) <= set(DEFAULTS)


def test_the_command_prints_them(capsys: pytest.CaptureFixture[str]) -> None:
    run_words(["list", "setting", "--json"])
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == setting_rows()
    run_words(["list", "setting", "buffer_flits"])
    assert {"unit", "flits"} <= set(capsys.readouterr().out.replace("│", " ").replace("┃", " ").split())


def test_routings_for_a_network_begin_with_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    run_words(["list", "--for", "torus:4x4", "--json"])
    names = [json.loads(line)["name"] for line in capsys.readouterr().out.splitlines()]
    assert names[0] == "torus.dateline" and "lash" in names
    assert not any(name.startswith(("mesh.", "rdt.", "dragonfly.")) for name in names)


def test_help_is_a_word_too(capsys: pytest.CaptureFixture[str]) -> None:
    run_words(["help", "list"])
    asked = capsys.readouterr().out
    run_words(["list", "--help"])
    assert asked == capsys.readouterr().out != ""
