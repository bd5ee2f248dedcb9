"""What is typed into fields of the page, and what stands in them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.web.conftest import Shown


@pytest.mark.parametrize(
    ("traffic", "field", "typed"),
    [
        ("hotspot", "nodes", "-1"),
        ("hotspot:nodes=3-4", "weights", "2, -3"),
        ("permutation:to=3-2-1-0", "to", "3 2 -1 0"),
    ],
)
def test_a_negative_number_is_refused_and_its_sign_is_not_lost(
    traffic: str, field: str, typed: str, shown: Callable[..., Shown]
) -> None:
    """Numbers may be joined by a hyphen; one before a number is a sign. What was typed and what runs stay."""
    at = "net=torus:2x2" if field == "to" else "net=torus:8x8"
    seen = shown(f"{at}&panel=simulate&traffic={traffic}")
    before = seen.part()
    seen.page.fill(f"#traffic-{field}", typed)
    seen.page.locator(f"#traffic-{field}").blur()
    if field == "to":
        seen.page.get_by_role("button", name="Use it").click()
    negative = next(each for each in typed.replace(",", " ").split() if each.startswith("-"))
    said = seen.page.locator(".wrong:visible").inner_text()
    assert f"“{negative}” found, whole numbers from 0 on expected." in said
    assert seen.page.input_value(f"#traffic-{field}") == typed
    assert seen.part() == before
    assert not seen.errors


def test_numbers_joined_by_a_hyphen_are_taken(shown: Callable[..., Shown]) -> None:
    """As a spec joins them."""
    seen = shown("net=torus:8x8&panel=simulate&traffic=hotspot")
    seen.page.fill("#traffic-nodes", "3-4 - 5")
    seen.page.locator("#traffic-nodes").blur()
    assert "traffic=hotspot:nodes=3-4-5" in seen.part()
    assert not seen.errors


@pytest.mark.parametrize("spec", ["torus:8x8", "mesh:4x4", "hypercube:6", "rdt:16"])
@pytest.mark.parametrize("width", [1280, 1200, 400])
def test_the_size_that_stands_in_the_field_is_not_cut_off(spec: str, width: int, shown: Callable[..., Shown]) -> None:
    """Its words are no wider than the room between the borders."""
    seen = shown(f"net={spec}", width=width)
    wide, room = seen.page.evaluate(
        """() => {
          const field = document.querySelector("#other-size"), style = getComputedStyle(field);
          const pen = document.createElement("canvas").getContext("2d");
          pen.font = style.font;
          return [pen.measureText(field.placeholder).width,
            field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)];
        }"""
    )
    assert wide <= room
