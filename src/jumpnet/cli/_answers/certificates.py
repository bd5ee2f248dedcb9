"""The file that `prove --certificate` names: numbers alone (.npy), or a text that outsiders check. Used by `prove`."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from jumpnet.analysis.deadlock.certificates.text import (
    MOST_STATES,
    write_certificate,
    write_changeover_certificate,
    write_multicast_certificate,
)
from jumpnet.analysis.deadlock.changes.changeover import Changeover
from jumpnet.analysis.deadlock.proof import Proof
from jumpnet.cli._command.output import progress_line
from jumpnet.cli._options.files import writable
from jumpnet.cli._options.shared import only_with
from jumpnet.errors import JumpnetError
from jumpnet.files import replaced
from jumpnet.multicast.forwarding import Forwarding
from jumpnet.notices import notice
from jumpnet.routings import BoundRouting

__all__ = ["Proved", "certificate_asked", "keep_certificate"]

Proved = BoundRouting | Changeover | Forwarding
"""What a proof may be about."""
TEXTS = (".cert", ".cert.gz")


def certificate_asked(file: Path | None, states: int) -> None:
    """Refuse a file that no certificate goes to, before the proof is made."""
    is_text = file is not None and writable(file).name.endswith(TEXTS)
    if file is not None and not is_text and file.suffix != ".npy":
        raise JumpnetError(f"--certificate {file} found, a file ending in .npy, .cert or .cert.gz expected")
    if not is_text:
        given = states != MOST_STATES and f"--states {states}"
        only_with("--certificate FILE.cert", {"--states": given})
    if states < 0:
        raise JumpnetError(f"--states {states} found, at least 0 expected")


def keep_certificate(file: Path | None, of: Proved, proof: Proof, states: int) -> None:
    """Write the certificate of a proof where one was asked for, or say why there is none."""
    if file is None:
        return
    if proof.certificate is None:
        notice(f"{file} is not written: not proved free of deadlock, so there is no certificate")
    elif not file.name.endswith(TEXTS):
        with replaced(file) as place:
            np.save(place, proof.certificate)
    else:
        with progress_line("writing the certificate"):
            if isinstance(of, BoundRouting):
                held = write_certificate(file, of, proof, states)
            elif isinstance(of, Changeover):
                held = write_changeover_certificate(file, of, proof, states)
            else:
                held = write_multicast_certificate(file, of, proof, states)
        if held.cases:
            notice(f"{file} holds Duato's condition by {held.cases} cases of pairs, for check_grid_certificate")
        elif held.orbits:
            notice(f"{file} holds Duato's condition by {held.orbits} orbits of routers, for check_orbit_certificate")
        elif proof.states and not held.states:
            why = "were not counted" if proof.basis.among is not None else f"are more than --states {states}"
            notice(f"{file} lists dependencies and no packet states, which {why}")
