"""The style sheet's colours: apart from the ground and from each other, for colour-blind eyes too."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest

from web import make

SHEET = (make.HERE / "src" / "styles.css").read_text(encoding="utf-8")
THEMES = {"light": r":root \{(.*?)\}", "dark": r'data-theme="dark"\] \{(.*?)\}', "system": r"not\(.*?\) \{(.*?)\}"}
HUES = [f"hue-{k}" for k in range(8)]
HEAT = [f"heat-{k}" for k in range(5)]
TOGETHER = [
    *combinations([*HUES, "base"], 2), *((hue, "accent") for hue in HUES), ("base", "accent"), ("accent", "good"),
    *combinations(["good", "hue-4", "quiet", "hue-3"], 2), ("good", "bad"),
]  # fmt: skip
EYES = np.array(
    [
        np.eye(3),
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    ]
)
"""Machado, Oliveira and Fernandes 2009, severity 1: none, protanopia, deuteranopia, tritanopia; linear RGB."""


def _theme(name: str) -> dict[str, np.ndarray]:
    text = re.search(THEMES[name], SHEET, re.DOTALL).group(1)
    return {key: _linear(value) for key, value in re.findall(r"--([\w-]+): (#[0-9a-f]{6})", text)}


def _linear(text: str) -> np.ndarray:
    c = np.array([int(text[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def _light(rgb: np.ndarray) -> float:
    return float(rgb @ [0.2126, 0.7152, 0.0722])


def _lab(rgb: np.ndarray) -> np.ndarray:
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ np.clip(rgb, 0, 1)
    x, y, z = np.cbrt(np.maximum(xyz / [0.95047, 1, 1.08883], 0.0088565))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def _apart(one: np.ndarray, other: np.ndarray) -> float:
    """CIEDE2000 (Sharma, Wu and Dalal 2005)."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    more = 1.5 - 0.5 * np.sqrt(mean**7 / (mean**7 + 25.0**7))
    c1, c2 = np.hypot(a1 * more, b1), np.hypot(a2 * more, b2)
    h1, h2 = np.degrees(np.arctan2(b1, a1 * more)) % 360, np.degrees(np.arctan2(b2, a2 * more)) % 360
    turn = (h2 - h1 + 180) % 360 - 180
    h = h1 + turn / 2
    light, c = (l1 + l2) / 2, (c1 + c2) / 2
    t = 1 - 0.17 * _cos(h - 30) + 0.24 * _cos(2 * h) + 0.32 * _cos(3 * h + 6) - 0.2 * _cos(4 * h - 63)
    dl = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2))
    dc = (c2 - c1) / (1 + 0.045 * c)
    dh = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2)) / (1 + 0.015 * c * t)
    bend = np.exp(-(((h % 360 - 275) / 25) ** 2))
    turned = -2 * np.sqrt(c**7 / (c**7 + 25.0**7)) * np.sin(np.radians(60 * bend))
    return float(np.sqrt(dl**2 + dc**2 + dh**2 + turned * dc * dh))


def _cos(degrees: float) -> float:
    return float(np.cos(np.radians(degrees)))


def test_the_measure_is_that_of_its_paper() -> None:
    lab = [(50, 2.6772, -79.7751), (50, 0, -82.7485)], [(22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619)]
    assert [round(_apart(*map(np.array, pair)), 4) for pair in lab] == [2.0425, 2.0373]


@pytest.mark.parametrize("name", THEMES)
def test_colours_that_stand_together_are_told_apart(name: str) -> None:
    held = _theme(name)
    near = {
        pair: min(_apart(_lab(eye @ held[pair[0]]), _lab(eye @ held[pair[1]])) for eye in EYES) for pair in TOGETHER
    }
    assert min(near.values()) >= 10, sorted(near.items(), key=lambda item: item[1])[:5]


@pytest.mark.parametrize("name", THEMES)
def test_colours_stand_out_from_the_ground_and_heat_has_one_direction(name: str) -> None:
    held = _theme(name)
    ground = _light(held["ground"])
    for key in [*HUES, "base", "accent", "good", "bad", "quiet", "heat-1", "heat-2", "heat-3", "heat-4"]:
        light, dark = sorted((_light(held[key]), ground), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= (4.5 if key in ("good", "bad", "accent", "quiet") else 3), key
    for eye in EYES:
        steps = np.diff([_lab(eye @ held[key])[0] for key in HEAT]) * (1 if ground < 0.5 else -1)
        assert (steps > 4).all(), steps
