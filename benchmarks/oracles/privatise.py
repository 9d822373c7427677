"""Columns of named answers through k-ary response and any dense channel, and a stream of them.

The floor is NumPy drawing one double a row and nothing else. The peers are pure-ldp and
multi-freq-ldpy, which take one answer a call, as a number (``requirements.txt`` here; the package
itself needs neither). All in one run, in CPU seconds, each the best of some; a stream of NumPy text
is sent in a process of its own, whose memory is read at its highest.
"""

import argparse
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import askance as ak

FOLDER = Path(__file__).parent
EPSILON = 1.0
SIZES = (2, 16, 128, 1024)
PART = 1 << 16

PEERS = """
import json, sys, time
import numpy as np
from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Client
from pure_ldp.frequency_oracles import DEClient
n, epsilon, sizes = json.loads(sys.argv[1])
GRR_Client(0, 2, epsilon)  # compiled before it is timed
told = {}
for k in sizes:
    answers = np.random.default_rng(1).integers(0, k, n).tolist()
    client = DEClient(epsilon, k, index_mapper=lambda answer: answer)
    for name, send in (("pure-ldp", client.privatise), ("multi-freq-ldpy", None)):
        began = time.process_time()
        if send is None:
            [GRR_Client(one, k, epsilon) for one in answers]
        else:
            [send(one) for one in answers]
        told.setdefault(name, {})[k] = (time.process_time() - began) / n
print(json.dumps(told))
"""


def main() -> None:
    """Print nanoseconds a row, and ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--streamed", type=int, default=100_000_000)
    parser.add_argument("--stream", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.stream:
        stream(options.stream)
        return
    print(
        f"{options.rows:,} rows; nanoseconds of CPU a row, × the floor, millions of rows a second"
    )
    columns(options.rows, peers())
    started = [sys.executable, __file__, "--stream", str(options.streamed)]
    print(subprocess.run(started, capture_output=True, text=True, check=True).stdout, end="")


def columns(rows: int, peer_times: dict[str, dict[str, float]]) -> None:
    """Measure k-ary response beside the peers, and then any channel."""
    for k in SIZES:
        channel = kary(k)
        floor = of_channel(f"k-ary, k = {k}", channel, rows)
        text = np.array(channel.frame.answers)[np.arange(rows // 10) % k]
        spent = best(lambda text=text, channel=channel: ak.privatise(channel, text))
        line("NumPy text, dice", spent / len(text), floor)
        for name, times_by_rows in peer_times.items():
            line(f"{name}, numbers one by one", times_by_rows[str(k)], floor)
    of_channel("any channel, 128 × 1,024", dense(128, 1024), rows)


def of_channel(name: str, channel: ak.Channel, rows: int) -> float:
    """Measure categories with dice and with the coin; give the floor."""
    import pandas as pd
    import polars as pl

    dice, answers = np.random.default_rng(1), channel.frame.answers
    codes = dice.integers(0, len(answers), rows).astype(np.int16)
    categorical = pd.Series(pd.Categorical.from_codes(codes, answers))
    enum = pl.Series(answers, dtype=pl.Enum(answers)).gather(codes)
    floor = best(lambda: dice.random(rows)) / rows
    print(f"{name}: drawing alone {floor * 1e9:.1f} ns")
    ways: dict[str, Callable[[], object]] = {
        "pandas categories, dice": lambda: ak.privatise(channel, categorical, rng=dice),
        "pandas categories, coin": lambda: ak.privatise(channel, categorical, coin=True),
        "polars enum, dice": lambda: ak.privatise(channel, enum, rng=dice),
    }
    for kind, work in ways.items():
        line(kind, best(work) / rows, floor)
    return floor


def peers() -> dict[str, dict[str, float]]:
    """Give seconds a row of each peer, by the number of answers."""
    sys.path.insert(0, str(FOLDER.parent))
    from peers import peers as interpreter

    query = json.dumps([100_000, EPSILON, SIZES])
    command = [str(interpreter(FOLDER)), "-c", PEERS, query]
    completed = subprocess.run(command, capture_output=True, text=True, check=True)
    return dict(json.loads(completed.stdout))


def kary(k: int) -> ak.Channel:
    """Write k-ary response with a ratio just under e^ε in whole parts."""
    share = 1000
    truth = int(share * np.exp(EPSILON))
    rows = np.full((k, k), share) + (truth - share) * np.eye(k, dtype=int)
    frame = ak.Frame([f"answer {i}" for i in range(k)])
    reports = {name: 1 << i for i, name in enumerate(frame.answers)}
    return ak.Channel(frame, reports, ak.exact.Table(int(rows[0].sum()), rows.tolist()))


def dense(k: int, reports: int) -> ak.Channel:
    """Write a channel in which no two rows or columns are alike."""
    weights = np.random.default_rng(1).integers(1, 1000, (k, reports))
    weights[:, 0] += 2_000_000 - weights.sum(axis=1)
    frame = ak.Frame([f"answer {i}" for i in range(k)])
    named = {f"report {i}": 1 + i for i in range(reports)}
    return ak.Channel(frame, named, ak.exact.Table(2_000_000, weights.tolist()))


def stream(rows: int) -> None:
    """Send a stream of NumPy text, count it, and tell the time and the memory it took."""
    channel, dice = kary(16), np.random.default_rng(1)
    names = np.array(channel.frame.answers)
    parts = (names[dice.integers(0, 16, PART)] for _ in range(rows // PART))
    began, count = time.process_time(), 0
    for part in ak.privatise(channel, parts, rng=1, name="said"):
        count += len(part)
    spent = time.process_time() - began
    (most,) = re.findall(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text(encoding="utf-8"))
    print(
        f"{count:,} rows of NumPy text streamed, k = 16: {spent:.0f} s, "
        f"{int(most) / 1024:.0f} MB at the highest"
    )


def line(name: str, second: float, floor: float) -> None:
    """Print one way's time a row."""
    print(f"  {name:<34}{second * 1e9:8.1f} ns {second / floor:8.1f} × {1e-6 / second:8.1f}")


def best(work: Callable[[], object]) -> float:
    """Give the least CPU seconds of three."""
    spent = []
    for _ in range(3):
        began = time.process_time()
        work()
        spent.append(time.process_time() - began)
    return min(spent)


if __name__ == "__main__":
    main()
