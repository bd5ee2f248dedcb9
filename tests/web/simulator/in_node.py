"""Run images in Node, for tests of the page's simulator: `run_images.mjs`, where Node and the page's tools are."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from jumpnet.explore.network_data import packed_network
from jumpnet.explore.runs import runs_text
from jumpnet.networks import Network

ROOT = Path(__file__).parents[3]
WEB = ROOT / "web"
KERNELS = WEB / "kernels" / "kernels.wasm"


def node_here() -> str:
    """Where Node is. The test is skipped where Node, or the page's tools, are not: before what is long to prepare."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node found: the page's simulator is not run")
    if not (WEB / "node_modules" / ".bin" / "esbuild").exists():
        pytest.skip("no esbuild found (npm ci in web/): the page's simulator is not run")
    return node


def answers(jobs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What `run_images.mjs` answers to each job; the test is skipped where `node_here` says so."""
    node = node_here()
    script = Path(__file__).with_name("run_images.mjs")
    done = subprocess.run(
        [node, str(script), str(WEB), str(KERNELS)], input=json.dumps(jobs), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def runs_of(net: Network) -> dict[str, str]:
    """The part of a job that says what the page has of a network and its runs."""
    return {"net": packed_network(net), "runs": runs_text(net)}


def evaluated(exports: str, program: str) -> Any:
    """What an expression gives in Node, by names that `exports` takes from web/src, as `{ Live } from "./src/..."`."""
    node = node_here()
    esbuild = WEB / "node_modules" / ".bin" / "esbuild"
    words = [str(esbuild), "--bundle", "--format=iife", "--global-name=part", "--log-level=error"]
    made = subprocess.run(words, input=f"export {exports};", capture_output=True, text=True, check=True, cwd=WEB)
    text = f"{made.stdout}\nconsole.log(JSON.stringify(({program})(part)));"
    done = subprocess.run([node, "-e", text], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
