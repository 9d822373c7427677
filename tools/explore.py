"""Search for cases that no test knows: every law with fresh seeds, again and again.

What falls out is printed with the example; mend it, and keep the example as a case of the test
(``@example``), so that `make test` tries it for ever.
"""

import os
import secrets
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]


def explored(seed: int, *chosen: str) -> bool:
    """Try every law once with this seed; say whether all held."""
    command = [sys.executable, "-m", "pytest", "-n", "2", "-q", "-m", "hypothesis or odds"]
    command += ["--hypothesis-profile=explore", f"--hypothesis-seed={seed}", *chosen]
    own = {"ASKANCE_ODDS_SEED": str(seed)}
    done = subprocess.run(command, cwd=ROOT, env=os.environ | own, check=False)  # noqa: S603 ours
    return done.returncode == 0


def main(minutes: str = "60", *chosen: str) -> int:
    """Explore until the time is over; give the number of rounds that found something."""
    end = time.monotonic() + 60 * float(minutes)
    rounds = failures = 0
    while not rounds or time.monotonic() < end:
        seed = secrets.randbits(32)
        print(f"round {rounds + 1}, seed {seed}", flush=True)
        failures += not explored(seed, *chosen)
        rounds += 1
    print(f"{rounds} rounds, {failures} of them with findings")
    return failures


if __name__ == "__main__":
    sys.exit(min(main(*sys.argv[1:]), 1))
