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
from remaking import Found, Run
from scipy.optimize import brentq
from scipy.special import erfcx
from scipy.stats import logistic, norm, t
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression

import askance as ak
from askance.learn import IntervalRegressor
from askance.present.figures import LIGHT

N, SPREAD, ITERATIONS, SHOWN = 200, 5.0, 20, (1, 3, 20)
SPREADS = (0.1, 0.3, 0.5, 1.0, 3.0, 5.0, 10.0, 20.0, 30.0)
DEGREES = (1000, 100, 10, 5, 3, 1)
SURVEYS, TREES = {12: 50, 13: 200}, 100
SEED = 2
NEW = norm.ppf((np.arange(1001) + 0.5) / 1001)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
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
) -> Asked:
    """Ask people about as many cuts as the power."""
    size = (surveys, N)
    x = rng.standard_normal(size)
    y = truth(x, power) + (noise or norm()).rvs(size, random_state=rng)
    none = np.full((*size, 1), np.inf)
    ends = np.concatenate([-none, np.sort(rng.logistic(0, spread, (*size, power))), none], axis=2)
    at = (y[..., None] > ends[..., 1:-1]).sum(axis=2, keepdims=True)
    low, high = (np.take_along_axis(ends, at + one, axis=2)[..., 0] for one in (0, 1))
    return Asked(x=x, y=y, low=low, high=high)


def hidden(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Give E[ε | low < ε ≤ high] of standard normal noise; the nearer end is taken to the right."""
    turned = low + high < 0
    near, far = np.where(turned, -high, low), np.where(turned, -low, high)
    fade = np.exp(-(far - near) * (far + near) / 2)
    told = np.sqrt(2 / np.pi) * (1 - fade) / (erfcx(near / 2**0.5) - fade * erfcx(far / 2**0.5))
    return np.where(turned, -told, told)


def slopes(asked: Asked, iterations: int = ITERATIONS) -> np.ndarray:
    """Give the slopes of Algorithm 1: shape (iterations, surveys)."""
    slope, path = np.zeros(len(asked.x)), []
    for _ in range(iterations):
        fitted = slope[:, None] * asked.x
        filled = fitted + hidden(asked.low - fitted, asked.high - fitted)
        slope = (asked.x * filled).sum(axis=1) / (asked.x**2).sum(axis=1)
        path.append(slope)
    return np.array(path)


def likeliest(asked: Asked, noise: Any = None) -> np.ndarray:
    """Give the most likely slope of each survey with one cut, by Fisher's scoring."""
    law, below = noise or norm(), np.isneginf(asked.low)
    cut, slope = np.where(below, asked.high, asked.low), np.ones(len(asked.x))
    for _ in range(100):
        at = cut - slope[:, None] * asked.x
        with np.errstate(divide="ignore"):
            density, share, rest = law.logpdf(at), law.logcdf(at), law.logsf(at)
        pull = np.where(below, -np.exp(density - share), np.exp(density - rest))
        weight = np.nan_to_num(np.exp(2 * density - share - rest), posinf=0.0)
        step = (asked.x * pull).sum(axis=1) / (asked.x**2 * weight).sum(axis=1)
        slope = slope + np.clip(step, -0.5, 0.5)
        if np.abs(step).max() < 1e-10:
            break
    return slope


def endless(iterations: int, spread: float = SPREAD) -> float:
    """Give the slope that Algorithm 1 has with endless people; the truth is 1."""
    x, weight, cut, slope = *grid(spread), 0.0
    for _ in range(iterations):
        at, share = cut - slope * x, norm.cdf(cut - x)
        none = np.full(at.shape, np.inf)
        filled = slope * x + share * hidden(-none, at) + (1 - share) * hidden(at, none)
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
        at = cut - slope * x
        density = law.logpdf(at)
        return -x * np.exp(density - law.logcdf(at)), x * np.exp(density - law.logsf(at))

    def pull(slope: float) -> float:
        one, other = pulls(slope)
        return float((weight * (below * one + (1 - below) * other)).sum()) / cut.size

    slope = float(brentq(pull, 0.1, 2))
    bend = (pull(slope - step) - pull(slope + step)) / (2 * step)
    one, other = pulls(slope)
    spent = (weight * (below * one**2 + (1 - below) * other**2)).sum() / cut.size
    return slope, float((slope - 1) ** 2 + spent / bend**2 / N)


def apart(noise: str) -> float:
    """Give how far Algorithm 1 of the library ends from the most likely line, in noise scales."""
    asked = ask(1, np.random.default_rng(SEED), spread=2.0)
    told = ak.Ranges(asked.low[0], asked.high[0])
    line = LinearRegression(fit_intercept=False)
    ends = [
        IntervalRegressor(line, noise=noise, scale=1.0, response=one, max_iter=2000, tol=1e-8)
        .fit(asked.x[0][:, None], told)
        .estimator_.coef_[0]
        for one in ("mean", "likelihood")
    ]
    return float(abs(ends[0] - ends[1]))


def features(x: np.ndarray) -> np.ndarray:
    """Give x and its square."""
    return np.column_stack([x, x**2])


def forests(asked: Asked, iterations: int = ITERATIONS, trees: int = TREES) -> tuple[Any, ...]:
    """Run Algorithm 1 with forests on the first survey.

    Give the filled-in numbers, shape (iterations, people), and predictions at NEW.
    """
    x, low, high = asked.x[0], asked.low[0], asked.high[0]
    fitted, filled, told = np.zeros(len(x)), [], []
    for _ in range(iterations):
        filled.append(fitted + hidden(low - fitted, high - fitted))
        learner = RandomForestRegressor(trees, max_depth=3, random_state=0)
        learner.fit(features(x), filled[-1])
        fitted = learner.predict(features(x))
        told.append(learner.predict(features(NEW)))
    return np.array(filled), np.array(told)


def missed(told: np.ndarray, power: int) -> np.ndarray:
    """Give E(f(x) − f̂(x))² over new people."""
    return np.mean((told - truth(NEW, power)) ** 2, axis=-1)


def coverage(power: int, spread: float = SPREAD, x: np.ndarray = NEW) -> float:
    """Give the coverage, each x being as likely: E (1 − |G(Y) − G(Y′)|)^m for m cuts of law G."""
    y = truth(x, power)[:, None] + norm.ppf((np.arange(201) + 0.5) / 201)
    share = np.sort(logistic.cdf(y, 0, spread).ravel())
    apart = 2 * (np.arange(1, 2 * share.size, 2) / share.size - 1) @ share / share.size
    return float(1 - apart if power == 1 else 1 - 2 * apart + 2 * share.var())


def panel(ax: Any, asked: Asked, filled: np.ndarray, told: np.ndarray, power: int) -> None:
    """Draw ranges, numbers and what was filled in, with the truth and the fit."""
    x, y = asked.x[0], asked.y[0]
    ends = np.clip([asked.low[0], asked.high[0]], -25, 25)
    ax.vlines(x, *ends, color=LIGHT.rule, linewidth=0.6, label="ranges")
    ax.plot(x, y, ".", color=LIGHT.accent, markersize=4, label="numbers, unseen")
    ax.plot(x, filled, ".", color=LIGHT.mark, markersize=4, label="filled in")
    ax.plot(NEW[::5], truth(NEW[::5], power), color=LIGHT.accent, label="truth")
    ax.plot(NEW[::5], told[::5], "--", color=LIGHT.mark, label="fit")
    ax.set(xlabel="x", ylabel="y", xlim=(-3.2, 3.2), ylim=(-6, 8) if power == 1 else (-6, 18))


def figure_10(run: Run) -> Found:
    """Draw the line after 1, 3 and 20 iterations, and its errors."""
    return _iterations(run, 1)


def figure_11(run: Run) -> Found:
    """Draw the parabola after 1, 3 and 20 iterations, and its errors."""
    return _iterations(run, 2)


def _iterations(run: Run, power: int) -> Found:
    asked = ask(1, np.random.default_rng(SEED), power)
    if power == 1:
        path = slopes(asked)[:, 0]
        before = np.concatenate([[0.0], path[:-1]])[:, None] * asked.x
        filled = before + hidden(asked.low - before, asked.high - before)
        told = path[:, None] * NEW
    else:
        filled, told = forests(asked, trees=TREES)
    errors = missed(told, power)
    with run.figure(2, 1.5) as figure:
        _panels(figure, asked, filled, told, errors, power)
    return {"one survey": ([float(errors[at - 1]) for at in SHOWN], [0.0] * len(SHOWN))}


def _panels(
    figure: Any, asked: Asked, filled: Any, told: Any, errors: np.ndarray, power: int
) -> None:
    """Draw three iterations, and the error of each."""
    axes = figure.subplots(2, 2).ravel()
    for ax, at in zip(axes, SHOWN, strict=False):
        panel(ax, asked, filled[at - 1], told[at - 1], power)
        ax.set_title(f"iteration {at}")
    axes[3].plot(np.arange(1, ITERATIONS + 1), errors, "o-", markersize=4, label="Algorithm 1")
    if power == 1:
        last = missed(likeliest(asked)[0] * NEW, 1)
        axes[3].axhline(last, color=LIGHT.mark, linestyle=":", label="where it ends")
        axes[3].legend(fontsize=11)
    axes[3].set(xlabel="iteration", ylabel="mean squared error", ylim=(0, None))
    axes[3].set_xticks([1, 3, 5, 10, 15, 20])
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)


def squared(slope: np.ndarray) -> tuple[float, float]:
    """Give the mean squared error of slopes, and its standard error: x has variance 1."""
    lost = (slope - 1) ** 2
    return float(lost.mean()), float(lost.std(ddof=1) / len(lost) ** 0.5)


def band(ax: Any, at: Any, told: list[tuple[float, float]], name: str, **style: Any) -> None:
    """Draw a curve and its standard errors."""
    mean, se = np.array(told).T
    (line,) = ax.plot(at, mean, marker="o", markersize=4, label=name, **style)
    ax.fill_between(at, mean - se, mean + se, alpha=0.25, color=line.get_color())


def _row(told: list[tuple[float, float]]) -> tuple[list[float], list[float]]:
    means, errors = zip(*told, strict=True)
    return list(means), list(errors)


def figure_12(run: Run) -> Found:
    """Draw the error against coverage, and coverage against the scale of the cuts."""
    rows, surveys = {}, run.times(SURVEYS[12])
    for spread in SPREADS:
        asked = ask(surveys, np.random.default_rng(SEED), spread=spread)
        told = (coverage(1, spread), 0.0), squared(slopes(asked)[-1]), squared(likeliest(asked))
        rows[f"scale {spread:g}"] = list(told)
    taus, twenty, ends = zip(*rows.values(), strict=True)
    at = [tau for tau, _ in taus]
    with run.figure(2, 0.9) as figure:
        left, right = figure.subplots(1, 2)
        band(left, at, list(twenty), "20 iterations")
        band(left, at, list(ends), "where they end", linestyle=":")
        left.set(xlabel="coverage", ylabel="mean squared error", ylim=(0, None))
        left.legend()
        right.plot([one * np.pi / 3**0.5 for one in SPREADS], at, "o-", markersize=4)
        right.set(xlabel="standard deviation of the cut", ylabel="coverage", ylim=(0.45, 1.02))
    return {label: _row(told) for label, told in rows.items()}


def figure_13(run: Run) -> Found:
    """Draw the error by the law of the noise, taken for normal and known."""
    rows, surveys = {}, run.times(SURVEYS[13])
    for df in DEGREES:
        asked = ask(surveys, np.random.default_rng(SEED), noise=t(df))
        made = slopes(asked)[-1], likeliest(asked), likeliest(asked, t(df))
        rows[f"{df:,} degrees of freedom"] = [squared(one) for one in made]
    names = ("20 iterations, normal", "where they end", "with the true law")
    at = np.arange(len(DEGREES))
    with run.figure(2, 0.9) as figure:
        ax = figure.subplots()
        columns = zip(*rows.values(), strict=True)
        for name, column, line in zip(names, columns, ("-", ":", "--"), strict=True):
            band(ax, at, list(column), name, linestyle=line)
        ax.set_xticks(at, [f"{df:,}" for df in DEGREES])
        ax.set(xlabel="degrees of freedom", ylabel="mean squared error", ylim=(0, None))
        ax.legend()
    return {label: _row(told) for label, told in rows.items()}
