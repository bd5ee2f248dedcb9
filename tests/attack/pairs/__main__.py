"""The command `python -m tests.attack.pairs`: cases of one kind, and what differs."""

from __future__ import annotations

import argparse
import sys
import time

import numpy as np
from tests.attack import pairs
from tests.attack.pairs import Seen, attack, kinds


def main() -> int:
    """Compare what the options say, and say what differs."""
    options = argparse.ArgumentParser(prog="python -m tests.attack.pairs", description=pairs.__doc__)
    options.add_argument("kind", choices=kinds(), help="What is compared.")
    options.add_argument("--count", type=int, default=100, help="Cases.")
    options.add_argument("--first", type=int, default=0, help="Number of the first one.")
    options.add_argument("--seed", default="0", help="Another seed, other cases.")
    options.add_argument("--slow", type=float, default=30.0, help="Tell of cases that take more CPU seconds.")
    options.add_argument("--minutes", type=float, default=0.0, help="Stop after so many minutes.")
    given = options.parse_args()
    end = time.monotonic() + 60 * given.minutes if given.minutes else 0.0
    seen, differ = Seen(), 0
    for number, case, how in attack(given.kind, given.seed, given.first, given.count, end, seen, given.slow):
        differ += 1
        print(f"case {number} differs: {how:.1500}\n  {case}", flush=True)
    for name, times in sorted(seen.items()):
        print(f"{times:7} {name}")
    print(f"{seen['cases']} cases, {differ} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    np.seterr(all="raise")
    sys.exit(main())
