"""Reports that say nothing of the answer change nothing that is said of the shares."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import askance as ak
from askance.channels import Channel, Frame, GroupedTally, Tally
from askance.inference import (
    ShareLikelihood,
    compare_groups,
    estimate_compliance,
    estimate_domains,
    estimate_joint,
    estimate_sets,
    estimate_small_areas,
    fay_herriot,
    maximum_likelihood,
    moment_estimate,
    most_likely,
)

SILENT = ("nothing", "nothing else")


@st.composite
def surveys(draw):
    """A channel of which two reports say nothing, and counts of those that say something."""
    k = draw(st.integers(2, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    m = k + int(rng.integers(0, 3))
    result = rng.dirichlet(np.ones(m), size=k) * 0.5
    result[:, :k] += 0.5 * np.eye(k)
    silence = rng.uniform(0.05, 0.7)
    part = rng.uniform(0.1, 0.9)
    matrix = np.column_stack(
        [(1 - silence) * result, np.full(k, silence * part), np.full(k, silence * (1 - part))]
    )
    answers = [f"a{index}" for index in range(k)]
    reports = {f"r{index}": [answers[index % k]] for index in range(m)} | dict.fromkeys(
        SILENT, answers
    )
    size = int(10 ** rng.uniform(0.5, 3))
    counts = rng.multinomial(size, rng.dirichlet(np.ones(k)) @ result, size=4)
    return Channel(Frame(answers), reports, matrix), counts


def tallied(channel: Channel, counts, silent: tuple[int, int]) -> Tally:
    return Tally(channel, dict(zip(channel.reports, [*counts.tolist(), *silent], strict=True)))


def figures(result: object, names: str) -> list[np.ndarray]:
    return [np.asarray(getattr(result, name), dtype=float) for name in names.split()]


SHARES = "value covariance se lower upper effective_sample_size reports"
BOUNDS = "low high lower upper"


def grouped(tallies: list[Tally]) -> GroupedTally:
    return GroupedTally({f"g{index}": tally for index, tally in enumerate(tallies)})


def of_groups(tallies: list[Tally]) -> list[np.ndarray]:
    comparison = compare_groups(grouped(tallies))
    every = [*comparison.groups.values(), comparison.pooled]
    shared = figures(comparison, "difference se lower upper deviance p_value")
    return [*shared, *(column for item in every for column in figures(item, SHARES))]


def of_areas(tallies: list[Tally]) -> list[np.ndarray]:
    direct = [moment_estimate(tally) for tally in tallies]
    values, errors = (
        np.array([getattr(item, name)[0] for item in direct]) for name in ("value", "se")
    )
    fit = fay_herriot(values, errors + 0.01, support=(-np.inf, np.inf))
    return figures(fit, "value se lower upper shrinkage coefficients between_sd")


def of_domains(tallies: list[Tally]) -> list[np.ndarray]:
    estimate = estimate_domains(dict(enumerate(tallies)))
    return [column for item in estimate.estimates for column in figures(item, SHARES)]


def of_answer_sets(tallies: list[Tally]) -> list[np.ndarray]:
    frame = tallies[0].channel.frame
    return figures(estimate_sets(tallies[0], {"first": frame.answers[:1]}), BOUNDS)


def of_classes(tallies: list[Tally]) -> list[np.ndarray]:
    estimate = estimate_compliance(tallies[0], ())
    return [*figures(estimate.answers, BOUNDS), *figures(estimate.classes, BOUNDS)]


def of_joint(tallies: list[Tally]) -> list[np.ndarray]:
    """Silence about both of two questions; the second is a plain one with a report of its own."""
    first, own = tallies[0].channel, tallies[0].counts
    plain = Channel(Frame(["a", "b"]), {"a": ["a"], "b": ["b"], "": ["a", "b"]}, PLAIN)
    counts = np.zeros((len(first.reports), 3), dtype=np.int64)
    counts[:-2, 0], counts[:-2, 1] = own[:-2] // 3, own[:-2] - own[:-2] // 3
    counts[-2:, 2] = own[-2:]
    return figures(estimate_joint({"one": first, "other": plain}, counts), SHARES)


PLAIN = [[0.6, 0.2, 0.2], [0.1, 0.7, 0.2]]


def of_likelihood(tallies: list[Tally]) -> list[np.ndarray]:
    likelihood = ShareLikelihood({"all": tallies[0]})
    k = len(likelihood.labels)
    places = np.stack([np.full(k, 1 / k), np.arange(1.0, k + 1) / (k * (k + 1) / 2)])
    gradient = likelihood.gradient(places[:1])
    values = [likelihood.value(position[None]) for position in places]
    return [gradient - gradient.mean(), np.array(values[1] - values[0])]


ESTIMATORS: dict[str, Callable[[list[Tally]], list[np.ndarray]]] = {
    "estimate": lambda tallies: figures(ak.estimate(tallies[0]), SHARES),
    "maximum_likelihood": lambda tallies: figures(maximum_likelihood(tallies[0]), SHARES),
    "moment_estimate": lambda tallies: figures(moment_estimate(tallies[0]), SHARES),
    "most_likely": lambda tallies: figures(most_likely(tallies[0]), "value reports"),
    "pooled groups": lambda tallies: figures(ak.estimate(grouped(tallies)), SHARES),
    "unbiased groups": lambda tallies: figures(moment_estimate(grouped(tallies)), SHARES),
    "compare_groups": of_groups,
    "estimate_domains": of_domains,
    "fay_herriot": of_areas,
    "estimate_sets": of_answer_sets,
    "estimate_compliance": of_classes,
    "ShareLikelihood": of_likelihood,
    "estimate_joint": of_joint,
}


@pytest.mark.parametrize("name", ESTIMATORS)
@settings(max_examples=12, deadline=None)
@given(drawn=surveys(), more=st.integers(1, 5000), other=st.integers(0, 300))
def test_silent_reports_change_no_figure(name, drawn, more, other):
    channel, counts = drawn
    silences = ((0, 0), (more, other), (other, more))
    quiet, *louder = (
        ESTIMATORS[name](
            [
                tallied(channel, count, silent if index != 1 else (0, 0))
                for index, count in enumerate(counts)
            ]
        )
        for silent in silences
    )
    for result in louder:
        for before, after in zip(quiet, result, strict=True):
            assert after == pytest.approx(before, rel=1e-5, abs=1e-6, nan_ok=True)


@pytest.mark.parametrize("name", sorted(ESTIMATORS.keys() - {"estimate_joint"}))
@settings(max_examples=5, deadline=None)
@given(drawn=surveys(), more=st.integers(1, 5000), other=st.integers(0, 300))
def test_silent_reports_with_weights_change_no_figure(name, drawn, more, other):
    """Neither how many there are nor what they weigh: not even by n/(n − 1)."""
    channel, counts = drawn

    def found(*silent: int) -> list[np.ndarray]:
        none = (0, 0)
        silents = [silent if index != 1 else none for index in range(len(counts))]
        return ESTIMATORS[name](
            [weighed(channel, count, more) for count, more in zip(counts, silents, strict=True)]
        )

    for before, after in zip(found(0, 0), found(more, other), strict=True):
        assert after == pytest.approx(before, rel=1e-9, abs=1e-9, nan_ok=True)


def weighed(channel: Channel, counts, silent: tuple[int, int]) -> Tally:
    """People of a mean weight that differs by their report, and half as much about it."""
    number = dict(zip(channel.reports, [*counts.tolist(), *silent], strict=True))
    weight = dict(zip(channel.reports, np.linspace(1, 2, len(number)).tolist(), strict=True))
    return Tally(
        channel,
        number,
        weights={name: n * weight[name] for name, n in number.items()},
        squares={name: n * weight[name] ** 2 * 1.25 for name, n in number.items()},
    )


def test_silent_reports_with_weights_change_no_test_of_compliance():
    """Of people who answer anything else by chance, and are as silent as all."""
    channel = ak.Abstain(truth="3/5", lie="1/10").channel(Frame(["yes", "no"]))
    other = ak.Abstain(truth="1/10", lie="3/5").channel(Frame(["yes", "no"]))
    chances = dict(zip(channel.reports, ("13/20", "1/20", "3/10"), strict=True))
    kinds = (ak.inference.Noncompliers(name="say yes", says=chances),), ()

    def compared(silent: int) -> tuple[float, float]:
        received = np.array([[80, 60], [90, 40]])
        tallies = [
            weighed(q, n, (silent,)) for q, n in zip((channel, other), received, strict=True)
        ]
        wide, small = (estimate_compliance(grouped(tallies), kind) for kind in kinds)
        statistic, _, p_value = wide.likelihood_ratio(small)
        return statistic, p_value

    statistic, p_value = compared(0)
    assert statistic > 1
    assert compared(700) == pytest.approx((statistic, p_value), rel=1e-9)


WHOLE = (-np.inf, np.inf)


@pytest.mark.parametrize("spread", ["weights", "robust", "clusters"])
def test_silent_rows_change_no_error_of_a_regression(spread):
    """By √(n/(n − 1)) they did, and by the degrees of freedom."""
    rng = np.random.default_rng(5)
    channel = ak.Abstain(truth="3/5", lie="1/10").channel(Frame(["yes", "no"]))
    x, weights = rng.normal(size=120), rng.uniform(0.5, 2, 420)
    reports = np.where(rng.random(120) < 1 / (1 + np.exp(-x)), "yes", "no").tolist()
    number = x + rng.normal(size=120)
    cut = rng.uniform(-1, 1, 120)

    def fits(silent: int) -> list[np.ndarray]:
        n = 120 + silent
        covariates = np.append(x, np.linspace(-2, 2, silent))[:, None]
        result = {
            "weights": {"weights": weights[:n]},
            "robust": {"errors": "robust"},
            "clusters": {"clusters": np.append(np.arange(120) // 4, np.full(silent, 99))},
        }[spread]
        sides = np.where(number <= cut, -np.inf, cut), np.where(number <= cut, cut, np.inf)
        ends = [
            np.append(side, np.full(silent, end)) for side, end in zip(sides, WHOLE, strict=True)
        ]
        shares = ak.response_regression(
            [*reports, *[channel.reports[-1]] * silent], covariates, channel, **result
        )
        line = ak.censored_regression(ak.Ranges(*ends), covariates, **result)
        return [column for fit in (shares, line) for column in (fit.covariance, fit.df)]

    for before, after in zip(fits(0), fits(300), strict=True):
        np.testing.assert_allclose(after, before, rtol=1e-7, atol=1e-12)


def test_silent_rows_change_no_error_of_joint_shares_with_weights():
    rng = np.random.default_rng(1)
    channel = ak.Abstain(truth="3/5", lie="1/10").channel(Frame(["yes", "no"]))
    tolist_result = rng.choice(["yes", "no"], (2, 150)).tolist()
    weights = rng.uniform(0.5, 2, 650)

    def joint(silent: int) -> list[np.ndarray]:
        reports = [[*element, *[channel.reports[-1]] * silent] for element in tolist_result]
        sampling = ak.inference.SamplingDesign(weights=weights[: 150 + silent])
        mapping = dict(zip(("first", "second"), reports, strict=True))
        estimate = estimate_joint(
            dict.fromkeys(mapping, channel), reports=mapping, sampling=sampling
        )
        return figures(estimate, "value se lower upper df")

    for before, after in zip(joint(0), joint(500), strict=True):
        np.testing.assert_allclose(after, before, rtol=1e-9)


def test_silent_reports_change_no_small_area():
    channel = ak.Abstain(truth="3/5", lie="1/10").channel(Frame(["yes", "no"]))

    def areas(silent: int) -> list[np.ndarray]:
        counts = {"a": (9, 20), "b": (14, 31), "c": (30, 11), "d": (2, 9)}
        estimate = estimate_small_areas(
            {
                name: Tally(channel, dict(zip(channel.reports, (*value, silent), strict=True)))
                for name, value in counts.items()
            }
        )
        names = "value se lower upper direct reports effective_sample_size mean between_sd"
        return figures(estimate, names)

    for before, after in zip(areas(0), areas(500), strict=True):
        assert after == pytest.approx(before, rel=1e-9)


@settings(max_examples=25, deadline=None)
@given(drawn=surveys(), unknown=st.integers(0, 2000))
def test_standard_errors_are_those_of_the_numeric_hessian(drawn, unknown):
    """Minus the second differences of the log-likelihood on k − 1 free shares, inverted."""
    channel, counts = drawn
    total = counts.sum(axis=0)
    fit = maximum_likelihood(tallied(channel, total, (unknown, unknown // 2)))
    if fit.value.min() < 0.02:
        return
    k, step = len(fit.value), 1e-3 * fit.value.min()
    values = np.array([*total.tolist(), unknown, unknown // 2])

    def likelihood(free: np.ndarray) -> float:
        shares = np.append(free, 1 - free.sum())
        return float(values @ np.log(shares @ channel.matrix))

    local, hessian = fit.value[:-1], np.zeros((k - 1, k - 1))
    moves = step * np.eye(k - 1)
    for row, move in enumerate(moves):
        for column, other in enumerate(moves):
            corners = [likelihood(local + a * move + b * other) * a * b for a, b in SIGNS]
            hessian[row, column] = sum(corners) / (4 * step**2)
    covariance = np.linalg.inv(-hessian)
    assert fit.covariance[:-1, :-1] == pytest.approx(covariance, rel=2e-3, abs=1e-7)


SIGNS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
