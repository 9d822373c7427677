"""Frequency oracles from names to shares with intervals, beside the peers, up to 10^6 answers.

The floor is NumPy drawing as many doubles as the oracle needs words, and nothing else: one a row,
from which further draws of the row follow, and 10 more for every 64 bits of a unary encoding. The
peers are pure-ldp and multi-freq-ldpy, which take one answer a call and are given fewer rows
(``requirements.txt`` here; the package itself needs neither). All in one run and in turn, in CPU
seconds, the best of some. What is drawn, counted and estimated is said; nothing is extrapolated.

    python benchmarks/oracles/frequency.py --only names

compares what may hold names, through k-ary response: without peers, in some seconds.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

import askance as ak
from askance.mechanisms import (
    HadamardResponse,
    LocalHashing,
    ProjectiveGeometry,
    SubsetSelection,
    UnaryEncoding,
)

FOLDER = Path(__file__).parent
EPSILON = 1.0
K = 1024
RECIPES = {
    "k-ary": ak.KAry.at_epsilon(EPSILON),
    "unary (OUE)": UnaryEncoding.at_epsilon(EPSILON),
    "subset selection": SubsetSelection.at_epsilon(EPSILON),
    "Hadamard": HadamardResponse.at_epsilon(EPSILON),
    "projective geometry": ProjectiveGeometry.at_epsilon(EPSILON),
    "local hashing (OLH)": LocalHashing.at_epsilon(EPSILON),
}
SIZES = (2, 16, 128)  # k-ary response over these answers too
NAMED = (2, 4, 16, 64, 256, 1024)
FEWER = {"unary (OUE)": 10, "subset selection": 20, "local hashing (OLH)": 50}
DOUBLES = {"unary (OUE)": 1 + 10 * K // 64}
PASSES = 15
PART = 1 << 16

PEERS = """
import json, sys, time
import numpy as np
from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Aggregator_MI, GRR_Client
from multi_freq_ldpy.pure_frequency_oracles.UE import UE_Aggregator_MI, UE_Client
from pure_ldp.frequency_oracles import (
    DEClient, DEServer, LHClient, LHServer, UEClient, UEServer,
)
k, epsilon, rows = json.loads(sys.argv[1])
same = lambda answer: answer
GRR_Client(0, k, epsilon), UE_Client(0, k, epsilon, True)  # compiled before they are timed


def pure(client, server, answers):
    for one in answers:
        server.aggregate(client.privatise(one))
    server.estimate_all(range(k), suppress_warnings=True)


def grr(answers):
    GRR_Aggregator_MI(np.array([GRR_Client(one, k, epsilon) for one in answers]), k, epsilon)


def oue(answers):
    UE_Aggregator_MI(np.array([UE_Client(one, k, epsilon, True) for one in answers]), epsilon, True)


ways = {
    "k-ary": [
        lambda a: pure(DEClient(epsilon, k, same), DEServer(epsilon, k, same), a),
        grr,
    ],
    "unary (OUE)": [
        lambda a: pure(UEClient(epsilon, k, True, same), UEServer(epsilon, k, True, same), a),
        oue,
    ],
    "local hashing (OLH)": [
        lambda a: pure(LHClient(epsilon, k, 2, True, same), LHServer(epsilon, k, 2, True, same), a),
    ],
}
told = {}
for name, n in rows.items():
    several = ways[name]
    answers = np.random.default_rng(1).integers(0, k, n).tolist()
    best = []
    for work in several:
        began = time.process_time()
        work(answers)
        best.append((time.process_time() - began) / n)
    told[name] = min(best)
print(json.dumps(told))
"""


def main() -> None:
    """Print what each oracle takes, and one count of very many answers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--answers", type=int, default=1_000_000)
    parser.add_argument("--reports", type=int, default=100_000_000)
    parts: dict[str, Callable[[argparse.Namespace], None]] = {
        "built": lambda _: built(),
        "names": lambda text: names(text.rows),
        "cycle": lambda text: cycle(text.rows),
        "errors": lambda _: errors(),
        "many": lambda text: very_many(text.answers, text.reports),
    }
    parser.add_argument("--only", nargs="*", choices=parts, default=list(parts))
    options = parser.parse_args()
    for name in options.only:
        parts[name](options)


def built() -> None:
    """Print how long channels take to build and to be judged."""
    print("build the channel and judge local, Shafer's and Walley's loss; milliseconds")
    for k in (1024, 1_000_000):
        frame = ak.Frame([f"page {i}" for i in range(k)])
        for name, recipe in RECIPES.items():
            took = best(lambda recipe=recipe, frame=frame: judged(recipe.channel(frame)))
            print(f"  {name:<22}{k:>10,} answers {took * 1e3:8.1f}")


def judged(channel: ak.Channel) -> None:
    """Ask for all losses that have a closed form."""
    for loss in (ak.local_loss, ak.privacy.shafer_loss, ak.privacy.walley_loss):
        loss(channel)


def names(rows: int) -> None:
    """Measure k-ary response of names in three kinds of column, in turn with drawing alone."""
    print(
        f"\nk-ary response of {rows:,} names, beside drawing alone; of text, million rows a second"
    )
    head = "".join(f"{kind:>14}{'to shares':>10}" for kind in ("dictionary", "Arrow", "NumPy"))
    print(f"{'answers':>8}{'floor, ns':>11}{head}")
    for k in NAMED:
        frame = ak.Frame([f"page {at}" for at in range(k)])
        channel, codes = (
            RECIPES["k-ary"].channel(frame),
            np.random.default_rng(1).integers(0, k, rows),
        )
        coded = pa.array(codes.astype(np.int8 if k <= 1 << 7 else np.int16))
        dictionary = pa.DictionaryArray.from_arrays(coded, list(frame.answers))
        columns = (dictionary, dictionary.cast(pa.string()), np.array(frame.answers)[codes])
        works = [work for column in columns for work in privatised(channel, column)]
        passes = [
            [timed(work) for work in (lambda: np.random.default_rng(1).random(rows), *works)]
            for _ in range(PASSES)
        ]
        floor, *spent = (min(times) for times in zip(*passes, strict=True))
        pairs = zip(spent[::2], spent[1::2], strict=True)
        line = "".join(
            f"{rows / sent * 1e-6:>14.1f}{all_of / floor:>9.2f}×" for sent, all_of in pairs
        )
        print(f"{k:>8,}{floor / rows * 1e9:>11.1f}{line}", flush=True)


def privatised(channel: ak.Channel, column: Any) -> list[Callable[[], object]]:
    """Prepare to privatise a column, and to do so, count and estimate."""

    def send() -> object:
        return ak.privatise(channel, column, rng=1, name="said")

    return [send, lambda: ak.inference.estimate_frequencies(ak.tally(channel, send()))]


def cycle(rows: int) -> None:
    """Measure privatise, tally and estimate together, beside the peers."""
    print(f"\nfrom categories to shares with intervals, ε = {EPSILON:g}")
    head = f"{'answers':>9}{'rows':>10}{'floor, ns':>11}{'ns a row':>10}{'× floor':>9}"
    print(f"{'':<22}{head}{'best peer':>14}{'times':>8}")
    for k in SIZES:
        of_oracle("k-ary", k, rows, peers(k, {"k-ary": 100_000}))
    sizes = {"k-ary": 100_000, "unary (OUE)": 10_000, "local hashing (OLH)": 2_000}
    peer_times = peers(K, sizes)
    for name in RECIPES:
        of_oracle(name, K, rows // FEWER.get(name, 1), peer_times)


def of_oracle(name: str, k: int, n: int, peer_times: dict[str, float]) -> None:
    """Measure one oracle, in turn with its floor."""
    frame = ak.Frame([f"page {i}" for i in range(k)])
    channel, doubles = RECIPES[name].channel(frame), n * DOUBLES.get(name, 1)
    kind = np.int8 if k <= 1 << 7 else np.int16
    codes = np.random.default_rng(1).integers(0, k, n).astype(kind)
    column = pa.DictionaryArray.from_arrays(codes, list(frame.answers))

    def work() -> object:
        counted = ak.tally(channel, ak.privatise(channel, column, rng=1, name="said"))
        return ak.inference.estimate_frequencies(counted)

    pairs = [
        (timed(lambda: np.random.default_rng(1).random(doubles)), timed(work))
        for _ in range(PASSES)
    ]
    floor, spent = (min(times_measured) / n for times_measured in zip(*pairs, strict=True))
    peer = peer_times.get(name)
    more = f"{peer * 1e9:>11,.0f} ns{peer / spent:>8.0f}" if peer else f"{'none':>14}{'':>8}"
    figures = f"{floor * 1e9:>11,.1f}{spent * 1e9:>10,.1f}{spent / floor:>9.1f}"
    print(f"{name:<22}{k:>9,}{n:>10,}{figures}{more}", flush=True)


def errors() -> None:
    """Compare the exact squared errors of projective geometry response and subset selection."""
    print("\nsum of squared errors, n = 1, projective geometry response over subset selection")
    for k in (1024, 100_000, 1_000_000):
        frame = ak.Frame([f"page {i}" for i in range(k)])
        shares = np.full(k, 1 / k)
        lines = []
        for epsilon in (0.5, 1, 2, 3, 4):
            pair = [
                squared(recipe.at_epsilon(epsilon).channel(frame), shares)
                for recipe in (ProjectiveGeometry, SubsetSelection)
            ]
            lines.append(f"ε = {epsilon:g}: {pair[0] / pair[1]:.4f}")
        print(f"  {k:>9,} answers  {'  '.join(lines)}")


def squared(channel: ak.Channel, shares: np.ndarray[Any, Any]) -> float:
    """Give Σ Var of the unbiased shares from one report."""
    oracle = channel.oracle
    assert oracle is not None
    inside, outside = float(oracle.true_positive_rate), float(oracle.false_positive_rate)
    chances = outside + (inside - outside) * shares
    return float((chances * (1 - chances)).sum() / (inside - outside) ** 2)


def very_many(k: int, reports: int) -> None:
    """Draw, count and estimate very many reports of very many answers."""
    frame = ak.Frame([f"page {i}" for i in range(k)])
    channel, dice = RECIPES["projective geometry"].channel(frame), np.random.default_rng(1)
    names, law = np.array(frame.answers), 1 / np.arange(1, k + 1)
    upto = np.cumsum(law / law.sum())
    spent = {"draw answers": 0.0, "privatise": 0.0, "tally": 0.0}
    tallies = []
    for start in range(0, reports, 16 * PART):
        n = min(16 * PART, reports - start)
        began = time.process_time()
        codes = np.minimum(np.searchsorted(upto, dice.random(n)), k - 1)
        column = pd.Series(pd.Categorical.from_codes(codes, names))
        times_read = [began, time.process_time()]
        reports_sent = ak.privatise(channel, column, rng=dice)
        times_read.append(time.process_time())
        tallies.append(ak.tally(channel, reports_sent))
        if len(tallies) > 1:
            tallies = [sum(tallies)]
        times_read.append(time.process_time())
        for name, first, two in zip(spent, times_read, times_read[1:], strict=False):
            spent[name] += two - first
    began = time.process_time()
    estimate = ak.inference.estimate_frequencies(tallies[0])
    spent["estimate with intervals"] = time.process_time() - began
    print(f"\n{k:,} answers, {reports:,} reports, projective geometry response; CPU seconds")
    for name, second in spent.items():
        print(f"  {name:<26}{second:8.1f}")
    print(f"  {'all but the answers':<26}{sum(spent.values()) - spent['draw answers']:8.1f}")
    true = law / law.sum()
    coverage = float(((estimate.lower <= true) & (true <= estimate.upper)).mean())
    print(f"  intervals that hold the true share: {coverage:.4f}")


def peers(k: int, rows: dict[str, int]) -> dict[str, float]:
    """Give seconds a row of the best peer of each oracle that has one."""
    sys.path.insert(0, str(FOLDER.parent))
    from peers import peers as interpreter

    query = json.dumps([k, EPSILON, rows])
    command = [str(interpreter(FOLDER)), "-c", PEERS, query]
    completed = subprocess.run(command, capture_output=True, text=True, check=True)
    return dict(json.loads(completed.stdout))


def best(work: Callable[[], object]) -> float:
    """Give the least CPU seconds of three."""
    return min(timed(work) for _ in range(3))


def timed(work: Callable[[], object]) -> float:
    """Give CPU seconds."""
    began = time.process_time()
    work()
    return time.process_time() - began


if __name__ == "__main__":
    main()
