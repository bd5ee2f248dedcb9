"""How fast the simulator is in Node and in Chromium beside native code: `python web/kernels/speed.py`.

Flit-hops a second of CPU, all threads of the process counted (those that compile too), in turns; each turn goes on from
the one before, so the first has the time that the engine takes to optimise the module. Native runs have one thread.
"""

from __future__ import annotations

import argparse
import base64
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jumpnet.explore.kernels import run_image
from jumpnet.sim.config import preset
from jumpnet.sim.engine import Engine
from jumpnet.sim.memory.fields import COUNTER
from jumpnet.sim.resolve.by_routing import bound_with
from jumpnet.topology import build

WEB = Path(__file__).parents[1]
SETTINGS: list[tuple[str, str, dict[str, Any]]] = [
    ("torus:8x8", "torus.dateline", {"vcs": 2, "load": 0.3}),
    ("torus:16x16", "torus.dateline", {"vcs": 2, "load": 0.2}),
    ("torus:32x32", "torus.dateline", {"vcs": 2, "load": 0.1}),
    ("torus:16x16", "torus.duato", {"vcs": 3, "load": 0.3}),
    ("rdt:16", "rdt.duato", {"load": 0.2}),
    ("mesh:8x8", "mesh.dimension_order", {"vcs": 1, "load": 0.2, "packet_flits": "1"}),
    ("torus:8x8", "torus.dateline", {"vcs": 2, "load": 0.3, "allocator": "islip"}),
]
START = """
async (image, wasm) => {
  const bytes = Uint8Array.from(atob(wasm), (one) => one.charCodeAt(0));
  const kernels = await jumpnet.Kernels.load(bytes);
  globalThis.sim = await jumpnet.Simulation.from(await jumpnet.Image.open(image), kernels);
}
"""
TURN = "(cycles) => { sim.run(cycles); return sim.figures().flit_hops; }"


def _bundle() -> str:
    """The simulator's TypeScript as one script that defines `jumpnet`."""
    words = ["--bundle", "--format=iife", "--global-name=jumpnet", "--log-level=error"]
    command = [str(WEB / "node_modules" / ".bin" / "esbuild"), str(WEB / "src/sim/simulation.ts"), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _in_node(script: str, image: str, wasm: str, cycles: int, turns: int) -> list[tuple[int, float]]:
    program = f"""{script};
(async () => {{
  const {{ image, wasm }} = JSON.parse(require("fs").readFileSync(0, "utf8"));
  await ({START})(image, wasm);
  for (let k = 0; k < {turns}; k++) {{
    const before = process.cpuUsage();
    const hops = ({TURN})({cycles});
    const {{ user, system }} = process.cpuUsage(before);
    console.log(JSON.stringify([hops, (user + system) / 1e6]));
  }}
}})();"""
    given = json.dumps({"image": image, "wasm": wasm})
    done = subprocess.run(["node", "-e", program], input=given, check=True, capture_output=True, text=True)
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


def _in_chromium(browser: Any, script: str, image: str, wasm: str, cycles: int, turns: int) -> list[tuple[int, float]]:
    page, session = browser.new_page(), browser.new_browser_cdp_session()

    def seconds() -> float:
        processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
        return float(sum(each["cpuTime"] for each in processes if each["type"] == "renderer"))

    page.add_script_tag(content=script)
    page.evaluate(f"([image, wasm]) => ({START})(image, wasm)", [image, wasm])
    found = []
    for _ in range(turns):
        before = seconds()
        hops = page.evaluate(TURN, cycles)
        found.append((hops, seconds() - before))
    page.close()
    return found


def _native(spec: str, routing: str, settings: dict[str, Any], cycles: int, turns: int) -> list[tuple[int, float]]:
    net, config = build(spec), preset("booksim", **settings)
    engine = Engine(net, bound_with(routing, net, config.vcs, config.least_vcs), config, threads=1)
    found = []
    for _ in range(turns):
        seconds = engine.advance(cycles)
        found.append((int(engine.state.counter[COUNTER.flit_hops]), seconds))
    return found


def _rates(turns: list[tuple[int, float]]) -> str:
    hops = [0, *(each[0] for each in turns)]
    return " ".join(f"{(b - a) / max(s, 1e-9) / 1e6:6.1f}" for a, b, (_, s) in zip(hops, hops[1:], turns, strict=False))


def main(cycles: int, turns: int) -> None:
    """Print million flit-hops a second of CPU, a line for each setting and place."""
    script, wasm = _bundle(), base64.b64encode((WEB / "kernels/kernels.wasm").read_bytes()).decode()
    chromium = shutil.which("chromium")

    def all_of(places: dict[str, Callable[..., list[tuple[int, float]]]]) -> None:
        for spec, routing, settings in SETTINGS:
            image = run_image(spec, routing, **settings)
            print(f"{spec} {routing} {settings}")
            found = {"native": _native(spec, routing, settings, cycles, turns)}
            found |= {name: run(script, image, wasm, cycles, turns) for name, run in places.items()}
            for name, rates in found.items():
                print(f"  {name:9}{_rates(rates)}", flush=True)
                assert [each[0] for each in rates] == [each[0] for each in found["native"]], "other results"

    if chromium is None:
        all_of({"node": _in_node})
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        all_of({"node": _in_node, "chromium": lambda *args: _in_chromium(browser, *args)})
        browser.close()


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--cycles", type=int, default=10_000)
    options.add_argument("--turns", type=int, default=3)
    main(**vars(options.parse_args()))
