"""How long importing the package takes, as a ratio to importing numpy and scipy themselves.

Every line is a fresh interpreter; the lines take turns, so that all meet the same machine. Told are
the medians. A name is loaded when it is first used, so the first call of each kind is timed too.
"""

import argparse
import subprocess
import sys
from statistics import median

OWN = "import numpy, scipy.special, scipy.linalg"
WARNER = "import askance as ak; q = ak.Warner(truth='3/4').channel(ak.Frame(['yes', 'no']))"
LINES = {
    "numpy and scipy": OWN,
    "import askance": "import askance",
    "both": f"{OWN}; import askance",
    "first shares": f"{OWN}; {WARNER}; ak.estimate(ak.Tally(q, {{'yes': 40, 'no': 60}}))",
    "first loss": f"{OWN}; {WARNER}; ak.local_loss(q)",
    "first npmle": f"{OWN}; import askance as ak; ak.npmle(ak.Ranges([0, 1, 2], [2, 3, 5]))",
    "all names of every day": f"{OWN}; from askance import *",
}
TIMED = "from time import perf_counter as now; start = now(); {}; print(now() - start)"


def seconds(line: str) -> float:
    """Time a line in an interpreter of its own, its start not counted."""
    say = [sys.executable, "-c", TIMED.format(line)]
    return float(subprocess.run(say, capture_output=True, text=True, check=True).stdout)


def main() -> None:
    """Print the medians and their ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passes", type=int, default=9)
    passes = parser.parse_args().passes
    times: dict[str, list[float]] = {name: [] for name in LINES}
    for _ in range(passes):
        for name, line in LINES.items():
            times[name].append(seconds(line))
    own = median(times["numpy and scipy"])
    print(f"{'':24}{'ms':>8}{'ratio':>8}   (medians of {passes} interpreters each)")
    for name, spent in times.items():
        print(f"{name:24}{1000 * median(spent):8.1f}{median(spent) / own:8.2f}")


if __name__ == "__main__":
    main()
