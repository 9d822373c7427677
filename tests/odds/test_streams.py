"""Noise drawn by a seed is independent of what a caller draws by it, and of another column's."""

import numpy as np
import pytest
from budget import alarm, judge

import askance as ak

pytestmark = pytest.mark.odds

N, SEEDS, SHARE, LIE = 20_000, range(8), 0.3, 0.25
WARNER = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))

CALLERS = {
    "default_rng(s)": np.random.default_rng,
    "default_rng([s])": lambda seed: np.random.default_rng([seed]),
    "Generator(PCG64(s))": lambda seed: np.random.Generator(np.random.PCG64(seed)),
    "RandomState(s)": np.random.RandomState,
    "a child of SeedSequence(s)": lambda seed: np.random.default_rng(
        np.random.SeedSequence(seed).spawn(1)[0]
    ),
}
SOURCES = {
    "a seed": lambda seed: {"rng": seed, "name": "tea"},
    "a sequence": lambda seed: {"rng": [seed], "name": "tea"},
    "default_rng": lambda seed: {"rng": np.random.default_rng(seed)},
    "RandomState": lambda seed: {"rng": np.random.RandomState(seed)},
    "PCG64": lambda seed: {"rng": np.random.PCG64(seed)},
    "SeedSequence": lambda seed: {"rng": np.random.SeedSequence(seed)},
}


def random_numbers(dice, n):
    return dice.random_sample(n) if isinstance(dice, np.random.RandomState) else dice.random(n)


def lies(answers, inputs):
    return ak.privatise(WARNER, answers, **inputs) != answers


def verdict(caller, noise):
    """Count those who say yes and whose report is a lie: .075 where the two are independent."""
    hits = 0
    for seed in SEEDS:
        yes = random_numbers(CALLERS[caller](seed), N) < SHARE
        hits += int((yes & noise(seed, np.where(yes, "yes", "no"))).sum())
    spend = alarm("streams, a caller's draws") / len(CALLERS) / len(SOURCES)
    return judge(hits, N * len(SEEDS), (SHARE * LIE, SHARE * LIE), spend)


@pytest.mark.parametrize("given", SOURCES)
@pytest.mark.parametrize("caller", CALLERS)
def test_noise_is_independent_of_the_callers_draws(caller, given):
    assert verdict(caller, lambda seed, answers: lies(answers, SOURCES[given](seed))) == "holds"


def test_noise_from_the_callers_own_stream_is_refused():
    for dependent, expected in (
        (lambda seed, _: np.random.default_rng(seed).random(N) < LIE, "too high"),
        (lambda seed, _: np.random.default_rng(seed).random(N) > 1 - LIE, "too low"),
    ):
        assert verdict("default_rng(s)", dependent) == expected


def together(first, second):
    """Count rows in which two columns lie: 1/16 where their noise is independent."""
    answers = np.repeat("yes", N)
    hits = sum(int((first(seed, answers) & second(seed, answers)).sum()) for seed in SEEDS)
    spend = alarm("streams, two columns")
    return judge(hits, N * len(SEEDS), (LIE**2, LIE**2), spend)


def test_two_columns_with_one_seed_are_independent():
    def named(name):
        return lambda seed, answers: lies(answers, {"rng": seed, "name": name})

    assert together(named("tea"), named("gin")) == "holds"
    assert together(named("tea"), named("tea")) == "too high"  # one stream, as is said
    assert together(named("tea"), lambda *pair: ~named("tea")(*pair)) == "too low"
