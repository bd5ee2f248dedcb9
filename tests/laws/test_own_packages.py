"""Packages with entry points on workers: the same version there, or a refusal."""

from __future__ import annotations

import pytest

from jumpnet import own
from jumpnet.errors import JumpnetError
from jumpnet.own import OwnFile, with_files

HERE = OwnFile("their.networks", "SIDE = 4", package=True)


@pytest.fixture
def one_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """This process has found one package, of one version."""
    monkeypatch.setattr(own, "_searched", [own.GROUP])
    monkeypatch.setattr(own, "_loaded", {HERE.name: HERE})


def test_the_same_package_does_the_work(one_package: None) -> None:
    assert with_files([HERE], len, "work") == 4


@pytest.mark.parametrize("sent", [HERE._replace(text="SIDE = 5"), HERE._replace(name="their.others")])
def test_another_version_or_none_is_refused(one_package: None, sent: OwnFile) -> None:
    with pytest.raises(JumpnetError, match=f"package {sent.name}: not the same on the worker"):
        with_files([sent], len, "work")
