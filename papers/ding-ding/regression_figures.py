"""Draw figures 10, 11 and 13 anew, and error against coverage: regression of ranges between cuts.

Ding & Ding (2022), Section IV-B, Algorithm 1. X is standard normal. The line is 1 + 2x with one cut
each, the parabola x² + x with two; noise is logistic with scale 1/2 and cuts are logistic with
scale 2, unless said otherwise. Figures 10 and 11 show Algorithm 1; the others, where only
its end counts, take the quicker steps to the likelihood's maximum.

python papers/ding-ding/regression_figures.py [--repetitions 30] [--folder FOLDER]
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

import askance as ak
from askance.learn import IntervalRegressor
from askance.present.svg import save

N, SCALE, SPREAD, SHOWN = 300, 0.5, 2.0, (1, 3, 20)
SPREADS = (0.1, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
NOISES = ("normal", "logistic", "laplace", "student", "gumbel")
COLOURS = {1: "#b8b8b8", 3: "#5b9bd5", 20: "#1f4e79"}
SEED = 10


def truth(x: np.ndarray, power: int) -> np.ndarray:
    """Give the line, or the parabola."""
    return 1 + 2 * x if power == 1 else x**2 + x


def standard(noise: str, n: int, rng: np.random.Generator) -> np.ndarray:
    """Draw noise with mean 0 and the variance of a logistic one with scale 1."""
    drawn = {
        "normal": lambda: rng.standard_normal(n),
        "logistic": lambda: rng.logistic(size=n) * np.sqrt(3) / np.pi,
        "laplace": lambda: rng.laplace(size=n) / np.sqrt(2),
        "student": lambda: rng.standard_t(4, n) / np.sqrt(2),
        "gumbel": lambda: (np.log(rng.exponential(size=n)) + np.euler_gamma) * np.sqrt(6) / np.pi,
    }
    return drawn[noise]() * np.pi / np.sqrt(3)


def survey(
    power: int, rng: np.random.Generator, spread: float = SPREAD, noise: str = "logistic"
) -> tuple[np.ndarray, np.ndarray, ak.Ranges]:
    """Ask people; give their covariates, their numbers and their ranges."""
    x = rng.standard_normal(N)
    y = truth(x, power) + SCALE * standard(noise, N, rng)
    cut = np.sort(1 + spread * rng.logistic(size=(N, power)), axis=1)
    ends = np.column_stack([np.full(N, -np.inf), cut, np.full(N, np.inf)])
    at = (y[:, None] > cut).sum(axis=1)
    return x, y, ak.Ranges(np.take_along_axis(ends, at[:, None] + [[0, 1]], axis=1))


def learner(power: int) -> Any:
    """Give least squares on the powers of x."""
    return make_pipeline(PolynomialFeatures(power, include_bias=False), LinearRegression())


def path(power: int, seed: int = SEED) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Give covariates, numbers, and the fitted values of twenty iterations."""
    x, y, told = survey(power, np.random.default_rng(seed))
    model = IntervalRegressor(learner(power), max_iter=max(SHOWN), tol=0.0, keep_path=True)
    return x, y, model.fit(x[:, None], told).path_


def error(fitted: np.ndarray, x: np.ndarray, power: int) -> float:
    """Give the root mean square of what is missed of the truth."""
    return float(np.sqrt(np.mean((fitted - truth(x, power)) ** 2)))


def iterations(ax: Any, power: int) -> None:
    """Draw the fits of iterations 1, 3, 20 over the numbers that nobody saw."""
    x, y, fitted = path(power)
    order = np.argsort(x)
    ax.plot(x, y, ".", markersize=2, color="0.75", label="numbers, unseen")
    ax.plot(x[order], truth(x[order], power), "k:", label="truth")
    for at in SHOWN:
        missed = error(fitted[at - 1], x, power)
        told = f"iteration {at}, error {missed:.2f}"
        ax.plot(x[order], fitted[at - 1][order], color=COLOURS[at], label=told)
    ax.set(xlabel="x", ylabel="y")
    ax.legend(fontsize="x-small")


def coverage(power: int, spread: float, seed: int = SEED) -> float:
    """Give the chance that another person's number lies in a report, by twenty surveys."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(20):
        _, _, told = survey(power, rng, spread)
        _, others, _ = survey(power, rng, spread)
        others = np.sort(others)
        ends = np.column_stack([told.lower, told.upper])
        found.append(np.diff(np.searchsorted(others, ends, side="right"), axis=1).mean() / N)
    return float(np.mean(found))


def apart(noise: str) -> float:
    """Give how far Algorithm 1 ends from the most likely line, in the noise's scales."""
    x, _, told = survey(1, np.random.default_rng(SEED))
    ends = [
        IntervalRegressor(noise=noise, response=response, max_iter=1000, tol=1e-7)
        .fit(x[:, None], told)
        .predict(x[:, None])
        for response in ("mean", "likelihood")
    ]
    return float(np.abs(ends[0] - ends[1]).max() / SCALE)


def errors(
    power: int,
    repetitions: int,
    spread: float = SPREAD,
    noise: str = "logistic",
    by: str = "",
    response: str = "likelihood",
) -> np.ndarray:
    """Give the error of the fit in each repetition."""
    rng, found = np.random.default_rng([SEED, power]), np.empty(repetitions)
    for at in range(repetitions):
        x, _, told = survey(power, rng, spread, noise)
        model = IntervalRegressor(
            learner(power), noise=by or noise, response=response, max_iter=200
        )
        found[at] = error(model.fit(x[:, None], told).predict(x[:, None]), x, power)
    return found


def tradeoff(ax: Any, repetitions: int) -> Iterator[str]:
    """Draw the error against coverage; yield a row for each point."""
    yield f"| cuts | coverage | error |{chr(10)}|---|---|---|"
    for power, name in ((1, "line, one cut"), (2, "parabola, two cuts")):
        taus = [coverage(power, spread) for spread in SPREADS]
        made = [errors(power, repetitions, spread) for spread in SPREADS]
        middle = [float(one.mean()) for one in made]
        bars = [2 * float(one.std()) / np.sqrt(repetitions) for one in made]
        ax.errorbar(taus, middle, bars, marker="o", markersize=3, linewidth=1, label=name)
        for tau, one in zip(taus, middle, strict=True):
            yield f"| {name} | {tau:.2f} | {one:.2f} |"
    ax.set(xlabel="coverage τ", ylabel="error of the fit", yscale="log")
    ax.legend(fontsize="small", loc="upper center")


def misspecified(ax: Any, repetitions: int) -> Iterator[str]:
    """Draw the error where the noise is not the assumed one; yield a row for each true noise."""
    yield f"| noise \\ assumed | {' | '.join(NOISES)} |\n{'|---' * 6}|"
    held = np.array(
        [[errors(1, repetitions, noise=true, by=by).mean() for by in NOISES] for true in NOISES]
    )
    picture = ax.imshow(held, cmap="Blues", vmin=0)
    ax.set_xticks(range(5), NOISES)
    ax.set_yticks(range(5), NOISES)
    ax.set(xlabel="assumed noise", ylabel="noise")
    for at, true in enumerate(NOISES):
        for column, one in enumerate(held[at]):
            dark = "white" if one > 0.6 * held.max() else "black"
            ax.text(column, at, f"{one:.3f}", ha="center", va="center", color=dark, fontsize=8)
        yield f"| {true} | {' | '.join(f'{one:.3f}' for one in held[at])} |"
    ax.figure.colorbar(picture, label="error of the fit")


def main() -> None:
    """Write the figures; print what the last two show."""
    from matplotlib.figure import Figure

    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--repetitions", type=int, default=30)
    words.add_argument("--folder", type=Path, default=Path(__file__).parent)
    asked = words.parse_args()
    for number in (10, 11, 12, 13):
        figure = Figure(figsize=(5.5, 4), layout="constrained")
        ax = figure.subplots()
        if number < 12:
            iterations(ax, number - 9)
        else:
            draw = tradeoff if number == 12 else misspecified
            sys.stdout.write("\n".join(draw(ax, asked.repetitions)) + "\n\n")
        save(figure, asked.folder / f"regression-{number}.svg")


if __name__ == "__main__":
    main()
