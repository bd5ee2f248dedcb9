"""The look of the page: nothing on it is hidden, colours tell the verdicts apart and can be read, tables scroll."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from tests.papers.page.page_made import Page, whole_page

from jumpnet.report import _page
from jumpnet.report._pieces import CLASS

SMALL, WIDE = "@media (max-width: 67.99rem)", "@media (min-width: 68rem)"
PRINT, DARK = "@media print", "@media (prefers-color-scheme: dark)"
HIDDEN = {
    (WIDE, "nav label", "display: none"), (WIDE, "nav input", "display: none"),
    (SMALL, "nav input", "opacity: 0"), (SMALL, "nav input", "position: absolute"),
    (SMALL, "nav .contents", "display: none"),
    (PRINT, "nav", "display: none"), (PRINT, ".files", "display: none"),
    ("", ".bar", "overflow: hidden"), (DARK, "figure svg", "filter: invert(1) hue-rotate(180deg)"),
}  # fmt: skip
"""All that the style sheet hides, moves away or inverts: the menu's switch, the menu where it is closed or printed."""
PROPERTIES = {
    "-webkit-print-color-adjust", "background", "border", "border-bottom", "border-collapse", "border-radius",
    "border-top", "box-sizing", "break-after", "break-before", "break-inside", "color", "color-scheme", "content",
    "cursor", "display", "filter", "font", "font-size", "font-variant-numeric", "font-weight", "gap",
    "grid-template-columns", "height", "letter-spacing", "line-height", "list-style", "margin", "margin-top",
    "max-height", "max-width", "min-width", "opacity", "outline", "overflow", "overflow-wrap", "overflow-x",
    "overflow-y", "padding", "padding-left", "padding-top", "position", "print-color-adjust", "scroll-behavior",
    "scroll-margin-top", "text-align", "text-decoration-thickness", "text-underline-offset", "top", "vertical-align",
    "white-space", "width", "z-index",
}  # fmt: skip
"""What it sets; none of these can hide words but as `_hides` tells."""
SIZES = {"height": {".6rem", "100vh", "auto"}, "max-height": {"100vh"}, "width": {"100%", "1.05em"}}
MAX_WIDTHS = {"100%", "46rem", "52rem", "66rem", "84rem", "none"}
TAGS = {
    "a", "b", "body", "code", "details", "div", "figcaption", "figure", "footer", "h1", "h2", "h3", "head", "header",
    "html", "i", "input", "label", "li", "main", "meta", "nav", "ol", "p", "section", "small", "span", "style",
    "summary", "sup", "svg", "table", "tbody", "td", "text", "th", "thead", "title", "tr", "ul", "caption",
}  # fmt: skip
LOOKED_AT = "28e0ae883e8c"
"""The style sheet with which the page was last looked at, 1300 and 400 pixels wide, on light and on dark ground."""
READABLE = 4.5
"""The least contrast of words on their ground, by WCAG 2.1."""


@pytest.fixture(scope="module")
def whole() -> Page:
    """The committed report, one section computed again, and the made cells."""
    return whole_page()


def _style() -> str:
    return (Path(_page.__file__).parent / "_page.css").read_text(encoding="utf-8")


MEDIA = re.compile(r"(@media[^{]+)\{((?:[^{}]+\{[^{}]*\})+)\s*\}")


def _rules(style: str) -> dict[tuple[str, str], dict[str, str]]:
    """What a style sheet gives by (screen, selector); the screen is empty where a rule holds for all."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for screen, block in (("", MEDIA.sub("", style)), *MEDIA.findall(style)):
        for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", block):
            pairs = (pair.partition(":") for pair in body.split(";") if ":" in pair)
            given = {name.strip(): value.strip() for name, _, value in pairs}
            for selector in selectors.split(","):
                found.setdefault((screen.strip(), selector.strip()), {}).update(given)
    return found


def test_wide_tables_scroll_navigation_stays_numbers_stand_right(whole: Page) -> None:
    assert whole.root.one("style").text.split() == _style().split()
    given = _rules(_style())
    assert given["", ".scroll"]["overflow-x"] == given["", ".picture"]["overflow-x"] == "auto"
    assert given["", "td.num"]["text-align"] == "right"
    screens = {screen for screen, _ in given if "-width: 6" in screen}
    assert len(screens) == 2
    for screen in screens:
        nav = given[screen, "nav"]
        assert (nav["position"], nav["top"], nav["overflow-y"]) == ("sticky", "0", "auto")
    assert given["", "main"]["min-width"] == "0"
    assert all(table.within(lambda box: box.has("scroll")) for table in whole.root.all("table"))
    assert all(svg.within(lambda box: box.has("picture")) for svg in whole.root.all("svg"))


def _brightest(colour: str) -> str:
    """Which of red, green and blue is the strongest in `#rrggbb`."""
    return max((int(colour[at : at + 2], 16), name) for at, name in ((1, "red"), (3, "green"), (5, "blue")))[1]


def test_each_verdict_has_a_colour_of_its_own() -> None:
    """On light and on dark ground: in a cell, and in the bar."""
    given = _rules(_style())
    kinds = sorted(set(CLASS.values()))
    for kind in kinds:
        assert given["", f".{kind}"] == {"background": f"var(--{kind})", "color": f"var(--{kind}-ink)"}
    bar = {kind: given["", f".bar .{kind}"]["background"] for kind in kinds}
    for screen in ("", "@media (prefers-color-scheme: dark)"):
        root = given[screen, ":root"]
        for colours in (bar, *({k: root[f"--{k}{end}"] for k in kinds} for end in ("", "-ink"))):
            assert len(set(colours.values())) == len(kinds)
            assert (_brightest(colours["equal"]), _brightest(colours["differs"])) == ("green", "red")


def _hides(name: str, value: str) -> bool:
    """Whether words may be out of sight where a style sheet says so."""
    if name in SIZES or name == "max-width":
        return value not in SIZES.get(name, MAX_WIDTHS)
    if name == "font-size":
        return not value.endswith(("rem", "pt")) or float(value.rstrip("rempt")) < (0.75 if "rem" in value else 9)
    if name == "color":
        return re.fullmatch(r"var\(--(ink|soft|accent|\w+-ink)\)", value) is None
    return {
        "display": value == "none",
        "opacity": name == "opacity" and float(value) < 0.8,
        "overflow": value in ("hidden", "clip"),
        "overflow-x": value in ("hidden", "clip"),
        "overflow-y": value in ("hidden", "clip"),
        "position": value not in ("sticky", "static", "relative"),
        "content": value != '"☰ "',
        "filter": True,
    }.get(name, "-" in value and name.startswith(("margin", "padding")))


def test_the_style_sheet_hides_nothing_but_the_menu() -> None:
    given = _rules(_style())
    known = [(place, name, value) for place, rules in given.items() for name, value in rules.items()]
    assert {name for _, name, _ in known if not name.startswith("--")} <= PROPERTIES
    found = {(*place, f"{name}: {value}") for place, name, value in known if name in PROPERTIES and _hides(name, value)}
    assert found == HIDDEN
    assert given[SMALL, "nav input:checked ~ .contents"] == {"display": "block"}, "the menu opens"
    assert {screen for screen, _ in given} == {"", SMALL, WIDE, PRINT, DARK, "@media (max-width: 40rem)"}


def test_the_style_sheet_is_the_one_that_was_looked_at() -> None:
    """No rule can say whether a page looks well: after a change look at it, and then write its digest here."""
    assert hashlib.sha256(" ".join(_style().split()).encode()).hexdigest()[:12] == LOOKED_AT


def test_the_page_hides_nothing(whole: Page) -> None:
    """No attribute or element keeps words from a reader; the bar, whose counts the tiles have, is without words."""
    for part in whole.root.walk():
        assert part.tag in TAGS, part.tag
        assert not {"hidden", "inert"} & part.attributes.keys(), part.tag
        assert "style" not in part.attributes or (part.tag == "i" and part.parent and part.parent.has("bar"))
        assert "aria-hidden" not in part.attributes or part.has("bar")


def _light(colour: str) -> float:
    """Relative luminance of `#rrggbb`."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("screen", ["", DARK], ids=["light", "dark"])
def test_words_can_be_read_on_their_ground(screen: str) -> None:
    root = _rules(_style())[screen, ":root"]
    pairs = [(kind, f"{kind}-ink") for kind in set(CLASS.values())]
    pairs += [(ground, ink) for ground in ("ground", "card") for ink in ("ink", "soft", "accent")]
    for ground, ink in pairs:
        light, dark = sorted((_light(root[f"--{name}"]) for name in (ground, ink)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= READABLE, (ground, ink)
