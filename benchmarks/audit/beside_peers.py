"""Lower bounds of an audit beside those of LDP-Auditor and DP-Auditorium, on their own examples.

Neither is a package that can be installed. Both are cloned into ``benchmarks/audit/.venv``, beside
what they import (but for the search for data sets), unless it is said where they are::

    python benchmarks/audit/beside_peers.py ldp-audit differential-privacy/python/dp_auditorium

LDP-Auditor draws and judges as in its README (ε = 1, 0.01 for each side's interval, two answers;
and 25); the audit is given reports of the same protocols' clients, as many. DP-Auditorium's testers
and the audit are given the same samples of its example, the mean that is not private, and of the
private one, at the example's ε = 1, 10,000 samples and failure 0.05, and one pair of data sets: [1]
and [0, 1].
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

FOLDER = Path(__file__).parent
LDP_AUDIT = "https://github.com/hharcolezi/ldp-audit"
DP_AUDITORIUM = "https://github.com/google/differential-privacy"
TRIALS, ALPHA, EPSILON = 50_000, 0.01, 1.0
PROTOCOLS = ("GRR", "SS", "SUE", "OUE")
SIZES = (2, 25)
SAMPLES, FAILURE = 10_000, 0.05


def main(*places):
    sys.path.insert(0, str(FOLDER.parent))
    from peers import peers

    python = peers(FOLDER)
    ldp_audit, dp_auditorium = places or (
        cloned(LDP_AUDIT),
        cloned(DP_AUDITORIUM) / "python" / "dp_auditorium",
    )
    audits = [json.loads(line) for line in their_part(python, "ldp", ldp_audit)]
    print(f"ε = {EPSILON:g}, {TRIALS:,} reports of each answer; lower bounds of the local loss")
    print(f"{'protocol':10}{'answers':>8}{'LDP-Auditor':>13}{'askance':>9}{'seconds':>9}")
    for peer_audit in audits:
        bound, seconds = audited(peer_audit["reports"], EPSILON, 2 * ALPHA)
        figures = f"{peer_audit['bound']:13.3f}{bound.lower:9.3f}{seconds:9.2f}"
        print(f"{peer_audit['protocol']:10}{peer_audit['answers']:8}{figures}")
    print(f"\nε = {EPSILON:g}, {SAMPLES:,} samples of each data set, failure {FAILURE}; δ, or")
    print("for askance ε, at least: above 0, or above what is stated, the mechanism is refused")
    print(f"{'mean':14}{'histogram':>11}{'hockey-stick':>14}{'askance':>9}{'seconds':>9}")
    for peer_audit in map(json.loads, their_part(python, "dp", dp_auditorium)):
        bound, seconds = audited(peer_audit["reports"], EPSILON, FAILURE)
        figures = (
            f"{peer_audit['histogram']:11.3f}{peer_audit['hockey_stick']:14.3f}{bound.lower:9.3f}"
        )
        print(f"{peer_audit['mechanism']:14}{figures}{seconds:9.2f}  {bound.event}")


def cloned(url):
    """Give the folder of a repository, cloned where it is missing."""
    wheel = FOLDER / ".venv" / Path(url).name
    if not wheel.exists():
        ran = subprocess.run(["git", "clone", "-q", "--depth", "1", url, str(wheel)], check=False)
        if ran.returncode:
            sys.exit(f"{url} could not be cloned: say where both are, as python {__file__} A B")
    return wheel


def audited(reports, epsilon, failure):
    """Audit reports that are there already; failure is for the bounds alone, half of the whole."""
    from askance.audit import BatchSubject, Responses, audit

    pools = [iter(column) for column in reports]

    def replay(answers):
        return Responses(reports=[next(pools[int(answer)]) for answer in answers])

    began = time.process_time()
    subject = BatchSubject(["0", "1"], replay)
    draws = 2 * len(reports[0])
    result = audit(subject, epsilon=epsilon, draws=draws, alpha=min(0.5, 2 * failure), rng=1)
    local = [bound for bound in result.losses if bound.notion == result.losses[0].notion]
    return max(local, key=lambda bound: bound.lower), time.process_time() - began


def their_part(python, part, folder):
    """Let the other Python draw, and judge as its library does."""
    room = os.environ | {"PYTHONPATH": str(folder), "TF_CPP_MIN_LOG_LEVEL": "3"}
    room |= {"RAY_AUTH_MODE": "disabled", "RAY_DEDUP_LOGS": "0"}
    command = [str(python), __file__, "--draw", part]
    ran = subprocess.run(command, env=room, capture_output=True, text=True, check=False)
    if ran.returncode:
        sys.exit(f"{folder} did not run:\n{ran.stderr[-2000:]}")
    return [line for line in ran.stdout.splitlines() if line.startswith("{")]


def draw_ldp():
    import numpy as np
    from ldp_audit.base_auditor import LDPAuditor
    from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Client
    from multi_freq_ldpy.pure_frequency_oracles.SS import SS_Client
    from multi_freq_ldpy.pure_frequency_oracles.UE import UE_Client

    def subset(value, k):
        subset = set(SS_Client(value, k, EPSILON).tolist())
        return "".join("01"[i in subset] for i in range(k))

    def bits(value, k, *, optimal):
        return "".join(map(str, UE_Client(value, k, EPSILON, optimal).astype(int).tolist()))

    clients = {
        "GRR": lambda value, k: str(GRR_Client(value, k, EPSILON)),
        "SS": subset,
        "SUE": lambda value, k: bits(value, k, optimal=False),
        "OUE": lambda value, k: bits(value, k, optimal=True),
    }
    for k in SIZES:
        auditor = LDPAuditor(
            nb_trials=TRIALS,
            alpha=ALPHA,
            epsilon=EPSILON,
            delta=0.0,
            k=k,
            random_state=42,
            n_jobs=1,
        )
        for protocol in PROTOCOLS:
            bound = float(auditor.run_audit(protocol))
            np.random.seed(1)  # noqa: NPY002  what their clients draw from
            reports = [[clients[protocol](v, k) for _ in range(TRIALS)] for v in (0, k - 1)]
            results = {"protocol": protocol, "answers": k, "bound": bound, "reports": reports}
            print(json.dumps(results), flush=True)


def open_without_search():
    """Open the library's folders without its first file, which wants what searches for data."""
    (home,) = (Path(entry) for entry in sys.path if Path(entry, "dp_auditorium").is_dir())
    for name in ("", ".configs", ".mechanisms", ".testers"):
        package = ModuleType(f"dp_auditorium{name}")
        package.__path__ = [str(home / package.__name__.replace(".", "/"))]
        sys.modules[package.__name__] = package


def draw_dp():
    import numpy as np
    import tensorflow as tf

    open_without_search()
    from dp_auditorium.configs import mechanism_config, privacy_property, property_tester_config
    from dp_auditorium.mechanisms import mean
    from dp_auditorium.testers import histogram_tester, hockey_stick_tester

    stated = privacy_property.ApproximateDp(epsilon=EPSILON, delta=0.0)
    histogram = histogram_tester.HistogramTester(
        property_tester_config.HistogramPropertyTesterConfig(
            test_discrete_mechanism=False,
            histogram_size=20,
            min_value=-1.0,
            max_value=1.0,
            approximate_dp=stated,
        )
    )
    for private in (False, True):
        tf.random.set_seed(0)
        mechanism = mean.MeanMechanism(
            mechanism_config.MeanMechanismConfig(
                epsilon=EPSILON,
                delta=0.0,
                use_noised_counts_for_calculating_mean=private,
                use_noised_counts_for_calculating_noise_scale=private,
                min_value=0.0,
                max_value=1.0,
            ),
            np.random.default_rng(0),
        )
        hockey_stick = hockey_stick_tester.HockeyStickPropertyTester(
            config=property_tester_config.HockeyStickPropertyTesterConfig(
                training_config=hockey_stick_tester.make_default_hs_training_config(),
                approximate_dp=stated,
            ),
            base_model=hockey_stick_tester.make_default_hs_base_model(),
        )
        sets = [np.array([1.0]), np.array([0.0, 1.0])]
        samples = [np.tanh(mechanism(answer_set, SAMPLES)) for answer_set in sets]
        orders = (samples, samples[::-1])
        results = {
            "mechanism": "private" if private else "not private",
            "histogram": max(histogram.estimate_lower_bound(*pair, FAILURE) for pair in orders),
            "hockey_stick": max(
                hockey_stick.estimate_lower_bound(*pair, FAILURE) for pair in orders
            ),
            "reports": [[repr(float(value)) for value in part.ravel()] for part in samples],
        }
        print(json.dumps(results, default=float), flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--draw"]:
        {"ldp": draw_ldp, "dp": draw_dp}[sys.argv[2]]()
    else:
        main(*(Path(argument).resolve() for argument in sys.argv[1:]))
