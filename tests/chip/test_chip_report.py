"""The report's section on the chip: what the paper prints comes out of the model."""

from __future__ import annotations

from jumpnet.paper._report import cell_rows, compute, unexplained


def test_every_printed_number_of_the_chip_comes_out() -> None:
    (part,) = compute(["nishi1997router"], only="chip")
    verdicts = [cell["verdict"] for cell in cell_rows(part) if cell["printed"] is not None]
    assert len(verdicts) == 20 and set(verdicts) == {"equal"}
    assert not unexplained([part])
