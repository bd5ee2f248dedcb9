"""Of a large network less is drawn while it moves, where drawing takes long, and all of it once it stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.web.conftest import Shown
from tests.web.simulator.in_node import evaluated

PACE = '{ Pace } from "./src/draw/pace"'
# timers that the test lets pass by hand, and a pace of which it is told when it stands
BY_HAND = """
  const due = []; let stood = 0;
  globalThis.window = { setTimeout: (act) => due.push(act) };
  globalThis.clearTimeout = (number) => { if (number) due[number - 1] = () => {}; };
  const pass = () => due.splice(0).forEach((act) => act());
  const pace = new part.Pace(() => stood++);
"""


def _told(steps: str) -> Any:
    return evaluated(PACE, f"(part) => {{ {BY_HAND} {steps} }}")


def test_slow_drawings_are_thinned_while_it_moves() -> None:
    """Aimed at are 50 ms; the first drawing of a network compiles shaders, and says nothing."""
    assert _told("pace.measured(900, 1); pace.moves(); return [pace.every, pace.waits];") == [1, False]
    seen = _told("""
      const seen = []; pace.measured(900, 1); pace.measured(401, 1); pace.moves(); seen.push(pace.every, pace.waits);
      pace.measured(110, 8); seen.push(pace.every); pace.measured(60, 16); seen.push(pace.every);
      pace.measured(34, 16); seen.push(pace.every); pass(); return [...seen, pace.every, stood];""")
    assert seen == [16, True, 16, 16, 8, 1, 1]
    fast = "pace.measured(9, 1); pace.measured(90, 1); pace.moves(); const seen = pace.every; pass();"
    assert _told(f"{fast} return [seen, stood];") == [1, 0]
    hitch = "pace.measured(9, 1); pace.moves(); pace.measured(200, 1); const once = pace.every; pace.measured(200, 1);"
    assert _told(f"{hitch} return [once, pace.every];") == [1, 4]  # a single one may be chance


def test_another_network_begins_with_all_of_it() -> None:
    slow = "pace.measured(9, 1); pace.measured(900, 1); pace.moves(); const before = pace.every; pace.anew();"
    assert _told(f"{slow} return [before, pace.every, pace.waits];") == [32, 1, False]


def test_the_links_that_are_drawn_are_scattered_and_their_part_is_right() -> None:
    for every in (2, 8, 32):
        links = "Array.from({length: 15120}, (_, k) => k)"
        kept = evaluated(PACE, f"(part) => {links}.filter((k) => part.Pace.keeps(k, {every}))")
        assert 0.9 < len(kept) * every / 15120 < 1.1
        assert len({k % 6 for k in kept}) == 6  # no dimension is missing


def test_it_is_told_that_less_is_drawn(shown: Callable[..., Shown]) -> None:
    """On a machine that takes 200 ms for each drawing, as its card is made to say here."""
    it = shown("net=torus:16x16&panel=simulate&simulate.heat=true")
    told = it.page.locator("#stage .thinned")
    assert not told.is_visible()
    it.page.evaluate(
        """() => {
          const of = WebGL2RenderingContext.prototype;
          const [fence, until] = [of.fenceSync, new WeakMap()];
          of.fenceSync = function (...all) {
            const made = fence.apply(this, all);
            until.set(made, performance.now() + 200);
            return made;
          };
          of.getSyncParameter = function (made) {
            return performance.now() < until.get(made) ? this.UNSIGNALED : this.SIGNALED;
          };
        }"""
    )
    it.page.get_by_role("button", name="Run", exact=True).click()
    told.wait_for(state="visible")
    assert told.inner_text().startswith("Drawing takes long here: 1 link in ")
    it.page.get_by_role("button", name="Pause", exact=True).click()
    told.wait_for(state="hidden")
    assert it.errors == []
