"""What the flits of a packet say, field by field, with the source of each field.

Source: the field tables of `packet`. Called by `jumpnet chip decode`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from jumpnet.chip.packet import (
    ACK,
    ACKED,
    ADDRESS,
    FLIT_1,
    FLIT_2,
    FLIT_3,
    FLIT_BITS,
    FLIT_MASK,
    HEADER_FLITS,
    LONGEST,
    MODES,
    ROUTE,
    Ack,
    Field,
    Packet,
    status_name,
    unpack,
)
from jumpnet.chip.parity import good
from jumpnet.errors import JumpnetError
from jumpnet.multicast.children import FIGURE_7_ORDER
from jumpnet.spec import plain

__all__ = ["decode", "flits_of"]

DIGITS = 5
"""Hexadecimal digits of a flit of one slice."""
WIDE_DIGITS = 9
"""Hexadecimal digits of a flit of both slices."""


def flits_of(text: str) -> tuple[list[int], int]:
    """The flits in hexadecimal text, and how many slices they have.

    Words of up to five digits are flits of one slice, of nine digits of two; one long word is cut into fives.

    >>> flits_of("00209 001ff")
    ([521, 511], 1)
    """
    words = text.replace(",", " ").replace("_", " ").split()
    if len(words) == 1 and len(words[0]) > WIDE_DIGITS:
        if len(words[0]) % DIGITS:
            raise JumpnetError(f"{len(words[0])} hexadecimal digits found, {DIGITS} for each flit expected")
        words = [words[0][k : k + DIGITS] for k in range(0, len(words[0]), DIGITS)]
    try:
        flits = [int(plain(word), 16) for word in words]
    except ValueError:
        raise JumpnetError(f"{text[:40]!r} found, hexadecimal digits expected") from None
    slices = 2 if words and all(len(word) == WIDE_DIGITS for word in words) else 1
    if not 0 < len(flits) <= LONGEST:
        raise JumpnetError(f"packet of {len(flits)} flits found, 1 to {LONGEST} expected")
    for word, flit in zip(words, flits, strict=True):
        if not 0 <= flit < 1 << FLIT_BITS * slices:
            raise JumpnetError(
                f"flit {word!r} found, {FLIT_BITS} bits in up to {DIGITS} digits expected, "
                f"or {2 * FLIT_BITS} in {WIDE_DIGITS}, all flits alike"
            )
    return flits, slices


def _meaning(name: str, value: int, mode: int) -> str:
    if name == "status":
        return status_name(mode, value)
    if name == "mode":
        return MODES[value]
    if name.startswith("map"):
        return " ".join(child for k, child in enumerate(FIGURE_7_ORDER) if value >> k & 1) or "none"
    return str(value)


def _fields(k: int, flit: int, fields: Sequence[Field]) -> Iterator[dict[str, Any]]:
    values = unpack(fields, flit)
    mode = values.get("mode", 0)
    for field in reversed(fields):
        value = values[field.name]
        yield {
            "flit": k + 1,
            "field": field.name,
            "bits": f"{field.low + field.bits - 1}..{field.low}",
            "value": value,
            "meaning": ("even" if good(flit) else "WRONG")
            if field.name == "parity"
            else _meaning(field.name, value, mode),
            "source": field.source,
        }


def decode(text: str) -> list[dict[str, Any]]:
    """One row for each field of each flit, then one that says whether the packet is whole.

    Raises JumpnetError for text that is no flits.

    >>> rows = decode("00005 003ff 1fffe 00005 00005")
    >>> rows[4]["field"], rows[4]["meaning"], rows[-1]["meaning"]
    ('map', 'E', 'good packet')
    """
    flits, slices = flits_of(text)
    rows: list[dict[str, Any]] = []
    for s in range(slices):
        part = [flit >> FLIT_BITS * s & FLIT_MASK for flit in flits]
        found = list(_slice(part))
        rows.extend([{"slice": s, **row} for row in found] if slices > 1 else found)
    return rows


def _slice(flits: list[int]) -> Iterator[dict[str, Any]]:
    ack = flits[0] >> 12 & 7 == ACK
    acked = not ack and len(flits) > 1 and flits[1] >> 13 & 3 == ACKED
    formats = [FLIT_1, ADDRESS, ROUTE] if ack else [FLIT_1, FLIT_2, FLIT_3, *([ADDRESS] if acked else [])]
    for k, flit in enumerate(flits):
        if k < len(formats):
            yield from _fields(k, flit, formats[k])
        else:
            last = k == len(flits) - 1
            yield {
                "flit": k + 1,
                "field": "vertical parity" if last else "body",
                "bits": f"{FLIT_BITS - 1}..0",
                "value": flit,
                "meaning": f"{flit:#07x}",
                "source": "section 4.2.3; exclusive or of the body" if last else "section 4.2.3",
            }
    try:
        verdict = "good " + type((Ack if ack else Packet).parse(flits)).__name__.lower()
    except JumpnetError as error:
        verdict = f"wrong: {error}"
    yield {
        "flit": len(flits),
        "field": "packet",
        "bits": "",
        "value": len(flits),
        "meaning": verdict,
        "source": f"flits; header {HEADER_FLITS}",
    }
