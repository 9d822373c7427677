"""Figures 10 to 13 at their printed settings: regression of ranges between random cuts.

Ding & Ding (2022), Section IV-B and supplement S1, Algorithm 1, all with 200 people.

Line (figures 10, 12 and 13): f(x) = βx with β = 1; x and the noise are standard normal; one cut
each, logistic of scale 5. Figure 12 has scales from .1 to 30 and 50 surveys each, figure 13 noise
of Student's t laws, taken for normal, and 200 surveys each. Parabola (figure 11): f(x) = x² − 2x +
3; two logistic cuts of scale 5 each; a forest of 100 trees of depth 3 learns from x and x². All
start from f = 0 and take twenty iterations, with normal noise of scale 1. The law of x for the
parabola and the scale are not printed: they are those of the line. Beside them stands where the
line would end, the likelihood's maximum.
"""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from remaking import Results, Run
from scipy.optimize import brentq
from scipy.special import erfcx
from scipy.stats import logistic, norm, t
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression

import askance as ak
from askance.learn import IntervalRegressor
from askance.present.figures import LIGHT

N, SPREAD, ITERATIONS, AFTER = 200, 5.0, 20, (1, 3, 20)
SPREADS = (0.1, 0.3, 0.5, 1.0, 3.0, 5.0, 10.0, 20.0, 30.0)
DEGREES = (1000, 100, 10, 5, 3, 1)
SURVEYS, TREES = {12: 50, 13: 200}, 100
SEED = 2
NEW = norm.ppf((np.arange(1001) + 0.5) / 1001)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Surveys:
    """Surveys: covariates, numbers, and the ends of ranges; arrays of shape (surveys, people)."""

    x: np.ndarray
    y: np.ndarray
    low: np.ndarray
    high: np.ndarray


def truth(x: np.ndarray, power: int) -> np.ndarray:
    """Give the line, or the parabola."""
    return x if power == 1 else x**2 - 2 * x + 3


def ask(
    surveys: int,
    rng: np.random.Generator,
    power: int = 1,
    spread: float = SPREAD,
    noise: Any = None,
) -> Surveys:
    """Ask people about as many cuts as the power."""
    size = (surveys, N)
    x = rng.standard_normal(size)
    y = truth(x, power) + (noise or norm()).rvs(size, random_state=rng)
    none = np.full((*size, 1), np.inf)
    ends = np.concatenate([-none, np.sort(rng.logistic(0, spread, (*size, power))), none], axis=2)
    piece = (y[..., None] > ends[..., 1:-1]).sum(axis=2, keepdims=True)
    low, high = (np.take_along_axis(ends, piece + side, axis=2)[..., 0] for side in (0, 1))
    return Surveys(x=x, y=y, low=low, high=high)


def hidden(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Give E[ε | low < ε ≤ high] of standard normal noise; the nearer end is taken to the right."""
    turned = low + high < 0
    near, far = np.where(turned, -high, low), np.where(turned, -low, high)
    fade = np.exp(-(far - near) * (far + near) / 2)
    means = np.sqrt(2 / np.pi) * (1 - fade) / (erfcx(near / 2**0.5) - fade * erfcx(far / 2**0.5))
    return np.where(turned, -means, means)


def slopes(sample: Surveys, iterations: int = ITERATIONS) -> np.ndarray:
    """Give the slopes of Algorithm 1: shape (iterations, surveys)."""
    slope, path = np.zeros(len(sample.x)), []
    for _ in range(iterations):
        fitted = slope[:, None] * sample.x
        filled = fitted + hidden(sample.low - fitted, sample.high - fitted)
        slope = (sample.x * filled).sum(axis=1) / (sample.x**2).sum(axis=1)
        path.append(slope)
    return np.array(path)


def likeliest(sample: Surveys, noise: Any = None) -> np.ndarray:
    """Give the most likely slope of each survey with one cut, by Fisher's scoring."""
    law, below = noise or norm(), np.isneginf(sample.low)
    cut, slope = (
        np.where(below, sample.high, sample.low),
        np.ones(len(sample.x)),
    )
    for _ in range(100):
        residuals = cut - slope[:, None] * sample.x
        with np.errstate(divide="ignore"):
            density, share, rest = (
                law.logpdf(residuals),
                law.logcdf(residuals),
                law.logsf(residuals),
            )
        pull = np.where(below, -np.exp(density - share), np.exp(density - rest))
        weight = np.nan_to_num(np.exp(2 * density - share - rest), posinf=0.0)
        step = (sample.x * pull).sum(axis=1) / (sample.x**2 * weight).sum(axis=1)
        slope = slope + np.clip(step, -0.5, 0.5)
        if np.abs(step).max() < 1e-10:
            break
    return slope


def endless(iterations: int, spread: float = SPREAD) -> float:
    """Give the slope that Algorithm 1 has with endless people; the truth is 1."""
    x, weight, cut, slope = *grid(spread), 0.0
    for _ in range(iterations):
        residuals, share = cut - slope * x, norm.cdf(cut - x)
        none = np.full(residuals.shape, np.inf)
        filled = (
            slope * x + share * hidden(-none, residuals) + (1 - share) * hidden(residuals, none)
        )
        slope = float((weight * x * filled).sum() / cut.size / (weight * x**2).sum())
    return slope


def grid(spread: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Give people's x, how many have it, and cuts that are as likely, along the other axis."""
    x = np.linspace(-5, 5, 41)[:, None]
    weight = norm.pdf(x) / norm.pdf(x).sum()
    return x, weight, logistic(0, spread).ppf((np.arange(200) + 0.5) / 200)


def in_the_long_run(
    spread: float = SPREAD, noise: Any = None, assumed: Any = None
) -> tuple[float, float]:
    """Give the slope that endless people end at, and the mean squared error that 200 have there.

    Where the assumed law is not that of the noise, the variance is the sandwich (White, 1982).
    """
    true, law = noise or norm(), assumed or norm()
    x, weight, cut = grid(spread)
    below, step = true.cdf(cut - x), 1e-4

    def pulls(slope: float) -> tuple[np.ndarray, np.ndarray]:
        residuals = cut - slope * x
        density = law.logpdf(residuals)
        return -x * np.exp(density - law.logcdf(residuals)), x * np.exp(
            density - law.logsf(residuals)
        )

    def pull(slope: float) -> float:
        upward, other = pulls(slope)
        return float((weight * (below * upward + (1 - below) * other)).sum()) / cut.size

    slope = float(brentq(pull, 0.1, 2))
    bend = (pull(slope - step) - pull(slope + step)) / (2 * step)
    upward, other = pulls(slope)
    spent = (weight * (below * upward**2 + (1 - below) * other**2)).sum() / cut.size
    return slope, float((slope - 1) ** 2 + spent / bend**2 / N)


def measure_distance(noise: str) -> float:
    """Give how far Algorithm 1 of the library ends from the most likely line, in noise scales."""
    sample = ask(1, np.random.default_rng(SEED), spread=2.0)
    ranges = ak.Ranges(sample.low[0], sample.high[0])
    line = LinearRegression(fit_intercept=False)
    ends = [
        IntervalRegressor(line, noise=noise, scale=1.0, response=response, max_iter=2000, tol=1e-8)
        .fit(sample.x[0][:, None], ranges)
        .estimator_.coef_[0]
        for response in ("mean", "likelihood")
    ]
    return float(abs(ends[0] - ends[1]))


def features(x: np.ndarray) -> np.ndarray:
    """Give x and its square."""
    return np.column_stack([x, x**2])


def forests(sample: Surveys, iterations: int = ITERATIONS, trees: int = TREES) -> tuple[Any, ...]:
    """Run Algorithm 1 with forests on the first survey.

    Give the filled-in numbers, shape (iterations, people), and predictions at NEW.
    """
    x, low, high = sample.x[0], sample.low[0], sample.high[0]
    fitted, filled, errors = np.zeros(len(x)), [], []
    for _ in range(iterations):
        filled.append(fitted + hidden(low - fitted, high - fitted))
        learner = RandomForestRegressor(trees, max_depth=3, random_state=0)
        learner.fit(features(x), filled[-1])
        fitted = learner.predict(features(x))
        errors.append(learner.predict(features(NEW)))
    return np.array(filled), np.array(errors)


def missed(estimates: np.ndarray, power: int) -> np.ndarray:
    """Give E(f(x) − f̂(x))² over new people."""
    return np.mean((estimates - truth(NEW, power)) ** 2, axis=-1)


def coverage(power: int, spread: float = SPREAD, x: np.ndarray = NEW) -> float:
    """Give the coverage, each x being as likely: E (1 − |G(Y) − G(Y′)|)^m for m cuts of law G."""
    y = truth(x, power)[:, None] + norm.ppf((np.arange(201) + 0.5) / 201)
    share = np.sort(logistic.cdf(y, 0, spread).ravel())
    distance_between_laws = (
        2 * (np.arange(1, 2 * share.size, 2) / share.size - 1) @ share / share.size
    )
    return float(
        1 - distance_between_laws if power == 1 else 1 - 2 * distance_between_laws + 2 * share.var()
    )


def panel(ax: Any, sample: Surveys, filled: np.ndarray, estimates: np.ndarray, power: int) -> None:
    """Draw ranges, numbers and what was filled in, with the truth and the fit."""
    x, y = sample.x[0], sample.y[0]
    ends = np.clip([sample.low[0], sample.high[0]], -25, 25)
    ax.vlines(x, *ends, color=LIGHT.rule, linewidth=0.6, label="ranges")
    ax.plot(x, y, ".", color=LIGHT.accent, markersize=4, label="numbers, unseen")
    ax.plot(x, filled, ".", color=LIGHT.mark, markersize=4, label="filled in")
    ax.plot(NEW[::5], truth(NEW[::5], power), color=LIGHT.accent, label="truth")
    ax.plot(NEW[::5], estimates[::5], "--", color=LIGHT.mark, label="fit")
    ax.set(xlabel="x", ylabel="y", xlim=(-3.2, 3.2), ylim=(-6, 8) if power == 1 else (-6, 18))


def figure_10(run: Run) -> Results:
    """Draw the line after 1, 3 and 20 iterations, and its errors."""
    return _iterations(run, 1)


def figure_11(run: Run) -> Results:
    """Draw the parabola after 1, 3 and 20 iterations, and its errors."""
    return _iterations(run, 2)


def _iterations(run: Run, power: int) -> Results:
    sample = ask(1, np.random.default_rng(SEED), power)
    if power == 1:
        path = slopes(sample)[:, 0]
        before = np.concatenate([[0.0], path[:-1]])[:, None] * sample.x
        filled = before + hidden(sample.low - before, sample.high - before)
        lines = path[:, None] * NEW
    else:
        filled, lines = forests(sample, trees=TREES)
    errors = missed(lines, power)
    with run.figure(2, 1.5) as figure:
        _panels(figure, sample, filled, lines, errors, power)
    return {
        "one survey": ([float(errors[iteration - 1]) for iteration in AFTER], [0.0] * len(AFTER))
    }


def _panels(
    figure: Any, sample: Surveys, filled: Any, lines: Any, errors: np.ndarray, power: int
) -> None:
    """Draw three iterations, and the error of each."""
    axes = figure.subplots(2, 2).ravel()
    for ax, iteration in zip(axes, AFTER, strict=False):
        panel(ax, sample, filled[iteration - 1], lines[iteration - 1], power)
        ax.set_title(f"iteration {iteration}")
    axes[3].plot(np.arange(1, ITERATIONS + 1), errors, "o-", markersize=4, label="Algorithm 1")
    if power == 1:
        last = missed(likeliest(sample)[0] * NEW, 1)
        axes[3].axhline(last, color=LIGHT.mark, linestyle=":", label="where it ends")
        axes[3].legend(fontsize=11)
    axes[3].set(xlabel="iteration", ylabel="mean squared error", ylim=(0, None))
    axes[3].set_xticks([1, 3, 5, 10, 15, 20])
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)


def squared(slope: np.ndarray) -> tuple[float, float]:
    """Give the mean squared error of slopes, and its standard error: x has variance 1."""
    lost = (slope - 1) ** 2
    return float(lost.mean()), float(lost.std(ddof=1) / len(lost) ** 0.5)


def band(
    ax: Any, positions: Any, points: list[tuple[float, float]], name: str, **style: Any
) -> None:
    """Draw a curve and its standard errors."""
    mean, se = np.array(points).T
    (line,) = ax.plot(positions, mean, marker="o", markersize=4, label=name, **style)
    ax.fill_between(positions, mean - se, mean + se, alpha=0.25, color=line.get_color())


def _row(points: list[tuple[float, float]]) -> tuple[list[float], list[float]]:
    means, errors = zip(*points, strict=True)
    return list(means), list(errors)


def figure_12(run: Run) -> Results:
    """Draw the error against coverage, and coverage against the scale of the cuts."""
    rows, surveys = {}, run.times(SURVEYS[12])
    for spread in SPREADS:
        sample = ask(surveys, np.random.default_rng(SEED), spread=spread)
        errors = (
            (coverage(1, spread), 0.0),
            squared(slopes(sample)[-1]),
            squared(likeliest(sample)),
        )
        rows[f"scale {spread:g}"] = list(errors)
    taus, twenty, ends = zip(*rows.values(), strict=True)
    taus_used = [tau for tau, _ in taus]
    with run.figure(2, 0.9) as figure:
        left_axes, right = figure.subplots(1, 2)
        band(left_axes, taus_used, list(twenty), "20 iterations")
        band(left_axes, taus_used, list(ends), "where they end", linestyle=":")
        left_axes.set(xlabel="coverage", ylabel="mean squared error", ylim=(0, None))
        left_axes.legend()
        right.plot(
            [spread_used * np.pi / 3**0.5 for spread_used in SPREADS], taus_used, "o-", markersize=4
        )
        right.set(xlabel="standard deviation of the cut", ylabel="coverage", ylim=(0.45, 1.02))
    return {label: _row(points) for label, points in rows.items()}


def figure_13(run: Run) -> Results:
    """Draw the error by the law of the noise, taken for normal and known."""
    rows, surveys = {}, run.times(SURVEYS[13])
    for df in DEGREES:
        sample = ask(surveys, np.random.default_rng(SEED), noise=t(df))
        fits = slopes(sample)[-1], likeliest(sample), likeliest(sample, t(df))
        rows[f"{df:,} degrees of freedom"] = [squared(fit) for fit in fits]
    names = ("20 iterations, normal", "where they end", "with the true law")
    positions = np.arange(len(DEGREES))
    with run.figure(2, 0.9) as figure:
        ax = figure.subplots()
        columns = zip(*rows.values(), strict=True)
        for name, column, line in zip(names, columns, ("-", ":", "--"), strict=True):
            band(ax, positions, list(column), name, linestyle=line)
        ax.set_xticks(positions, [f"{df:,}" for df in DEGREES])
        ax.set(xlabel="degrees of freedom", ylabel="mean squared error", ylim=(0, None))
        ax.legend()
    return {label: _row(points) for label, points in rows.items()}
