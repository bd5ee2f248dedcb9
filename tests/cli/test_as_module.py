"""`python -m jumpnet` is the same program as the script `jumpnet`."""

from __future__ import annotations

import subprocess
import sys

from jumpnet import __version__


def test_python_m_jumpnet_is_the_command_line() -> None:
    found = subprocess.run([sys.executable, "-m", "jumpnet", "--version"], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == f"jumpnet {__version__}"
    wrong = subprocess.run([sys.executable, "-m", "jumpnet", "metrik"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2
    assert "metrics" in wrong.stderr
