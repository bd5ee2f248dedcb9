"""Bounds of the page, and files of a search that are none: refused before they are built, followed or waited for."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

from jumpnet.coherence.search.state_storage import FILES, StateStorage
from jumpnet.errors import JumpnetError
from jumpnet.explore import written
from jumpnet.explore.network_data import MOST_ROUTERS
from jumpnet.explore.runs import runs_text
from jumpnet.explore.written import MOST_NETWORKS, page_text
from jumpnet.topology import build


def test_a_page_takes_so_many_networks_before_any_is_built() -> None:
    with (
        mock.patch.object(written, "build", side_effect=AssertionError("built")),
        pytest.raises(JumpnetError, match=f"{MOST_NETWORKS + 1} networks found, at most {MOST_NETWORKS} expected"),
    ):
        page_text(["torus:4x5"] * (MOST_NETWORKS + 1))


def test_a_network_too_large_for_a_page_is_not_built() -> None:
    with (
        mock.patch.object(written, "build", side_effect=AssertionError("built")),
        pytest.raises(JumpnetError, match=f"1000000000000 routers found, at most {MOST_ROUTERS} expected"),
    ):
        page_text(["mesh:1000000x1000000"])


def test_a_network_without_terminals_is_drawn_and_not_run() -> None:
    none = np.zeros(16, np.int32)
    net = replace(build("torus:4x4"), spec="none", terminals=none, sinks=none)
    assert runs_text(net) == "" and net.spec in page_text([net])


@pytest.mark.parametrize("name", FILES)
def test_a_link_in_a_folder_of_states_is_not_followed(name: str, tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("precious")
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / name).symlink_to("../precious")
    with pytest.raises(JumpnetError, match="a folder for states expected"):
        StateStorage("states", 1, tmp_path / "kept")
    assert (tmp_path / "precious").read_text() == "precious"


@pytest.mark.parametrize("name", FILES)
def test_a_pipe_in_a_folder_of_states_is_not_waited_for(name: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / name)
    with pytest.raises(JumpnetError):
        StateStorage("states", 1, tmp_path)
