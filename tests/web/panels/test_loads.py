"""The offered load is shown as it is, whatever the slider rounds it to; and what a curve measures of it is said."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.web.conftest import Shown

LOADS = {".125": "0.125", "1e-7": "1e-7", "0.1234567": "0.1234567", "0.3": "0.30", "1": "1.00"}


def _slider(it: Shown) -> tuple[str, str]:
    """What is seen beside the slider, and what a screen reader is told."""
    it.page.wait_for_selector("#panel :text('Flits in the network')")
    control = it.page.get_by_label("Offered load")
    seen = control.locator("xpath=../output").text_content()
    return str(seen), str(control.get_attribute("aria-valuetext"))


@pytest.mark.parametrize("load", LOADS)
def test_a_load_is_shown_with_all_its_digits(load: str, shown: Callable[..., Shown]) -> None:
    it = shown(f"net=torus:4x4&panel=simulate&load={load}")
    assert _slider(it) == (LOADS[load], LOADS[load]) and it.errors == []


@pytest.mark.parametrize(
    ("load", "key", "then"),
    [
        (".125", "ArrowRight", "0.13"),
        (".125", "ArrowLeft", "0.12"),
        ("0.123", "ArrowUp", "0.13"),
        ("0.123", "ArrowDown", "0.12"),
        ("0.12", "ArrowRight", "0.13"),
        ("1e-7", "ArrowLeft", "0"),
    ],
)
def test_an_arrow_key_leads_to_the_next_step(load: str, key: str, then: str, shown: Callable[..., Shown]) -> None:
    it = shown(f"net=torus:4x4&panel=simulate&load={load}")
    _slider(it)
    it.page.get_by_label("Offered load").focus()
    it.page.keyboard.press(key)
    assert it.part() == f"net=torus:4x4&panel=simulate&load={then}"
    assert _slider(it)[0] == f"{float(then):.2f}" and it.errors == []


@pytest.mark.parametrize(
    ("load", "words"),
    [
        ("0.1234567", "Loads of a curve are whole millionths: 0.123457 is measured for 0.1234567."),
        ("1e-7", "A curve has loads above 0. They are whole millionths: 1e-7 is none."),
    ],
)
def test_a_curve_says_which_load_it_measures(load: str, words: str, shown: Callable[..., Shown]) -> None:
    it = shown(f"net=torus:4x4&panel=simulate&load={load}")
    _slider(it)
    it.page.get_by_role("button", name="This load alone").click()
    it.page.wait_for_function("words => document.querySelector('#panel').innerText.includes(words)", arg=words)
    assert it.errors == []
