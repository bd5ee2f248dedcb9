"""`python -m validation` lists the validations; `python -m validation NAME [options]` runs one.

A validation is a file of this folder with a docstring and `main(words)`; names with `_` are helpers. Exit status 1 when
something disagrees, 2 for bad words.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from pathlib import Path

from jumpnet.errors import JumpnetError, unknown_name


def main() -> int:
    """List, or run the validation that is named."""
    found = [m.name for m in pkgutil.iter_modules([str(Path(__file__).parent)]) if not m.name.startswith("_")]
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        for name in found:
            module = importlib.import_module(f"validation.{name}")
            print(f"{name:12} {(module.__doc__ or '').splitlines()[0]}")
        return 0
    try:
        if sys.argv[1] not in found:
            raise unknown_name("validation", sys.argv[1], found)
        agrees: bool = importlib.import_module(f"validation.{sys.argv[1]}").main(sys.argv[2:])
    except JumpnetError as error:
        print(f"validation: {error}", file=sys.stderr)
        return 2
    return 0 if agrees else 1


sys.exit(main())
