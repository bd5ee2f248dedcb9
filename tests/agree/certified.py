"""Certificates of the free ones among drawn routings, written and given to all checkers. Used by `campaign`."""

from __future__ import annotations

import io
from pathlib import Path

from tests.attack.files.certificates import accepted, accepted_by_page, reasons_in_c
from tests.naive.certificate import is_true
from tests.naive.orbit_certificate import is_true_by_orbits
from tools import check_orbit_certificate

from jumpnet.analysis.deadlock.certificates.orbit import orbit_certificate
from jumpnet.analysis.deadlock.certificates.text import write_certificate
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.proof import Proof
from jumpnet.routings import BoundRouting

__all__ = ["Checkers"]

FEW_NODES = 4000
"""States of files that are held against the definitions too."""


class Checkers:
    """The checkers in C beside those in Python; files are written in a folder."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "c.cert"
        self._in_c = {name: reasons_in_c(name) for name in ("check_certificate", "check_orbit_certificate")}

    def refused(self, bound: BoundRouting, proof: Proof) -> tuple[int, list[str]]:
        """How many files of a free routing were written, and what is wrong with them: nothing, one hopes."""
        held = write_certificate(self._file, bound, proof)
        data, wrong = self._file.read_bytes(), list[str]()
        wrong += [] if held.states else ["no states"]
        wrong += [] if accepted(data) else ["refused in Python"]
        wrong += [f"refused in C: {why}" for why in [self._in_c["check_certificate"](data)] if why]
        wrong += [] if held.condition != "acyclic" or accepted_by_page(data) else ["refused by the page"]
        wrong += [] if held.states > FEW_NODES or is_true(data.decode()) else ["not true"]
        if held.condition != "escape":
            return 1, wrong
        assert proof.certificate is not None
        by_orbits = orbit_certificate(bound, dependencies(bound), proof.certificate, 10**6)
        if by_orbits is None:
            return 1, wrong
        text = "".join(by_orbits.lines())
        try:
            check_orbit_certificate.check(io.BytesIO(text.encode()))
        except check_orbit_certificate.Refused as why:
            wrong.append(f"by orbits: {why}")
        wrong += [f"by orbits, in C: {why}" for why in [self._in_c["check_orbit_certificate"](text.encode())] if why]
        wrong += [] if by_orbits.states > FEW_NODES or is_true_by_orbits(text) else ["by orbits: not true"]
        return 2, wrong
