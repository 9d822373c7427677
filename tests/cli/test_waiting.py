"""Fits to many replicates: who waits at a terminal sees how far they are, and nobody else does."""

import time

import numpy as np
import pytest
from click.testing import CliRunner

import askance as ak
from askance.cli import verbs

lab = ak.inference


@pytest.fixture
def words(tmp_path):
    """A regression by twelve replicates."""
    rng = np.random.default_rng(4)
    choices, x = rng.choice(["yes", "no"], 120), rng.normal(size=120).round(3)
    left_out = lab.jackknife(lab.SamplingDesign(clusters=np.arange(120) % 12)).replicates
    head = ["said", "x", "w", *(f"r{index}" for index in range(12))]
    rows = zip(choices, x, np.ones(120), *left_out.T, strict=True)
    lines = [",".join(map(str, item)) for item in (head, *rows)]
    (tmp_path / "a.csv").write_text("\n".join(lines), encoding="utf-8")
    words = ["regress", "--mechanism", "warner:truth=9/10", str(tmp_path / "a.csv")]
    return [*words, "--formula", "said ~ x", "--weights", "w", "--replicates", "jk1:r*"]


@pytest.mark.parametrize("seconds", [0.01, 0.5])
def test_a_bar_is_shown_at_a_terminal_where_fits_take_two_seconds(words, seconds, monkeypatch):
    plain = CliRunner().invoke(verbs, words, catch_exceptions=False)
    assert (plain.exit_code, plain.stderr) == (0, "")
    assert "12 replicates" in plain.stdout
    clock = iter(np.arange(0, 10_000, seconds).tolist())
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    ran = CliRunner(env={"FORCE_COLOR": "1"}).invoke(verbs, words, catch_exceptions=False)
    assert ran.stdout == plain.stdout
    assert ("replicates fitted" in ran.stderr) == (seconds == 0.5)


def test_every_replicate_that_counts_is_heard_of_and_nobody_hears_after():
    rng = np.random.default_rng(2)
    choices, x = rng.choice(["yes", "no"], 90), rng.normal(size=(90, 1))
    jackknife_result = lab.jackknife(lab.SamplingDesign(clusters=np.arange(90) % 9))
    some = np.where(np.arange(9) % 4 == 1, 0.0, 1.0)
    result = {
        "weights": jackknife_result.weights,
        "replicates": jackknife_result.replicates,
        "rscales": some,
    }
    sampling = lab.ReplicateWeights(**result, scale=8 / 9)
    channel, received = ak.Warner(truth="9/10").channel(ak.Frame(["yes", "no"])), []
    with lab.track_replicates(lambda index, many: received.append((index, many))):
        ak.response_regression(choices, x, channel, sampling=sampling)
    assert received == [(position, 7) for position in range(1, 8)]
    ak.response_regression(choices, x, channel, sampling=sampling)
    assert len(received) == 7
