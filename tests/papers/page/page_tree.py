"""A page of HTML as a tree, for tests that read a page back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html.parser import HTMLParser

VOID = {"meta", "br", "link", "input", "path", "use", "rect"}


class Element:
    """One element: its attributes, its own words, what is inside."""

    def __init__(self, tag: str, attributes: dict[str, str], parent: Element | None) -> None:
        self.tag, self.attributes, self.parent = tag, attributes, parent
        self.inside: list[Element | str] = []

    @property
    def words(self) -> list[str]:
        """The words directly inside."""
        return [part for part in self.inside if isinstance(part, str)]

    @property
    def all_text(self) -> str:
        """All words, line breaks and all."""
        return "".join(part if isinstance(part, str) else part.all_text for part in self.inside)

    @property
    def text(self) -> str:
        """All words as one line."""
        return " ".join(self.all_text.split())

    def classes(self) -> set[str]:
        return set(self.attributes.get("class", "").split())

    def has(self, name: str) -> bool:
        """Whether it is of that class."""
        return name in self.classes()

    def walk(self) -> Iterator[Element]:
        """Everything inside, in order."""
        for part in self.inside:
            if isinstance(part, Element):
                yield part
                yield from part.walk()

    def all(self, tag: str) -> list[Element]:
        """Every element of that name inside."""
        return [part for part in self.walk() if part.tag == tag]

    def one(self, tag: str) -> Element:
        """The first element of that name inside."""
        return next(part for part in self.walk() if part.tag == tag)

    def by_id(self) -> dict[str, Element]:
        """What is inside by its id, each once."""
        found: dict[str, Element] = {}
        for part in self.walk():
            if name := part.attributes.get("id"):
                assert name not in found, name
                found[name] = part
        return found

    def within(self, wanted: Callable[[Element], bool]) -> bool:
        """Whether it stands inside such an element."""
        return self.parent is not None and (wanted(self.parent) or self.parent.within(wanted))


class _Tree(HTMLParser):
    """What is marked as code are words between back-ticks, as the report's texts have them."""

    def __init__(self) -> None:
        super().__init__()
        self.at = self.root = Element("", {}, None)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "code":
            return self.handle_data("`")
        made = Element(tag, {name: value or "" for name, value in attrs}, self.at)
        self.at.inside.append(made)
        if tag not in VOID:
            self.at = made

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.at.inside.append(Element(tag, {name: value or "" for name, value in attrs}, self.at))

    def handle_endtag(self, tag: str) -> None:
        if tag == "code":
            return self.handle_data("`")
        assert self.at.tag == tag and self.at.parent is not None, f"{tag} closed inside {self.at.tag}"
        self.at = self.at.parent

    def handle_data(self, data: str) -> None:
        self.at.inside.append(data)


def parsed(text: str) -> Element:
    """The page as a tree; every element is closed where it was opened."""
    tree = _Tree()
    tree.feed(text)
    tree.close()
    assert tree.at is tree.root, f"{tree.at.tag} left open"
    return tree.root
