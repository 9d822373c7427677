"""How often an audit finds each planted fault in its stated draws, and leaves the right one alone.

``python benchmarks/audit/planted.py [TIMES] [NAME ...]`` prints the operating characteristics as a
table, of all or of some. The faults are those of ``tests/audit/planted.py``, at the audit's own
failure of 1 in 1,000. Programs, which take seconds, are audited a fifth as often.
"""

import sys
import time
from pathlib import Path

import numpy as np

from askance.audit import audit

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "audit"))
from planted import FAULTY, RIGHT, planted

TIMES = 100
DRAWS = 20_000


def find_planted(name, times, draws, claim):
    """Say how often something was found wrong, in how many seconds each, and what."""
    counts, wrong, began = {}, 0, time.process_time()
    for seed in range(times):
        result = audit(planted(name, np.random.default_rng(seed)), draws=draws, rng=seed, **claim)
        wrong += not result.passed
        broken = {bound.notion for bound in result.losses if bound.is_violated}
        for name_of_fault in broken | {check.name for check in result.checks if check.is_violated}:
            counts[name_of_fault] = counts.get(name_of_fault, 0) + 1
    first = max(counts, key=counts.get) if counts else ""
    return wrong, (time.process_time() - began) / times, first


def main():
    times = int(sys.argv[1]) if len(sys.argv) > 1 else TIMES
    print(f"{times} audits each; found by: what was broken in most of them")
    print(f"{'mechanism':34}{'reports':>9}{'found':>8}{'seconds':>9}  found by")
    rows = [(name, draws, claim) for name, (_, _, claim, draws) in FAULTY.items()]
    rows += [(name, DRAWS, claim) for name, (_, _, claim) in RIGHT.items()]
    for name, draws, claim in rows:
        if len(sys.argv) > 2 and name not in sys.argv[2:]:
            continue
        program = isinstance({**RIGHT, **FAULTY}[name][0], str)
        often = max(times // 5, 1) if program else times
        wrong, seconds, first = find_planted(name, often, draws, claim)
        print(f"{name:34}{draws:9,}{wrong:4}/{often:<3}{seconds:9.3f}  {first}", flush=True)


if __name__ == "__main__":
    main()
