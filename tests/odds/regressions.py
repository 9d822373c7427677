"""Print how often intervals of regressions cover: python tests/odds/regressions.py [SURVEYS].

Each survey asks 600 people afresh, twice as many where two answers are regressed together; a
binomial standard error stands beside each figure.
"""

import sys
from collections.abc import Callable, Sequence

import numpy as np
from designs import Reading
from scipy.special import expit, softmax

from askance.channels import Channel, Frame
from askance.inference import Margins, outcome_regression, paired_regression, response_regression
from askance.mechanisms import Abstain
from askance_collect import errors

N = 600
ABSTAIN = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
THREE = Channel(
    Frame(["a", "b", "c"]),
    {"a": ["a"], "b": ["b"], "c": ["c"], "?": ["a", "b", "c"]},
    0.9 * np.column_stack([0.75 * np.eye(3) + 1 / 12, np.zeros(3)]) + [0, 0, 0, 0.1],
)
KARY = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[0.85, 0.15], [0.15, 0.85]])
Survey = Callable[[np.random.Generator], dict[str, Reading]]


def read(margins: Margins, truth: Sequence[float]) -> dict[str, Reading]:
    """Read each interval, under its name."""
    columns = zip(margins.labels, margins.value, margins.lower, margins.upper, truth, strict=True)
    return {
        name: Reading((low, high), (value, value), (true, true))
        for name, value, low, high, true in columns
    }


def answered(
    channel: Channel,
    index: Sequence[float],
    rng: np.random.Generator,
    *,
    ordered: bool = False,
    each: int = 1,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Draw covariates, true answers and reports; give the shares among these people too.

    People of one household, so many each, have the same covariates and the same answer.
    """
    homes = N // each
    X = np.column_stack([rng.normal(size=homes), rng.integers(0, 2, homes)])
    k = len(channel.frame)
    if ordered:
        upto = expit(np.array(index[: k - 1]) - (X @ index[k - 1 :])[:, None])
        shares = np.diff(upto, prepend=0, append=1, axis=1)
    else:
        odds = np.column_stack([np.ones(homes), X]) @ np.reshape(index, (k - 1, 3)).T
        shares = softmax(np.column_stack([odds, np.zeros(homes)]), axis=1)
    true = np.repeat(_drawn(shares, rng), each)
    return np.repeat(X, each, 0), true, _said(channel, true, rng), shares.mean(axis=0)


def _said(channel: Channel, true: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return np.array(channel.reports)[_drawn(channel.matrix[true], rng)]


def _drawn(chances: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return (rng.random(len(chances))[:, None] > chances[:, :-1].cumsum(axis=1)).sum(axis=1)


def regression(channel: Channel, index: list[float], *, each: int = 1, **chosen: object) -> Survey:
    """Read every coefficient, and the first share."""

    def survey(rng: np.random.Generator) -> dict[str, Reading]:
        X, _, replies, share = answered(channel, index, rng, ordered="ordered" in chosen, each=each)
        homes = np.repeat(np.arange(N // each), each) if each > 1 else None
        fit = response_regression(replies, X, channel, terms=["x", "z"], clusters=homes, **chosen)
        shares = read(fit.prevalence(), share.tolist())
        return read(fit.coefficients(), index) | {"share": next(iter(shares.values()))}

    return survey


def predictor(**chosen: object) -> Survey:
    """Read the answer's effect on an outcome."""

    def survey(rng: np.random.Generator) -> dict[str, Reading]:
        X, true, replies, _ = answered(KARY, [-0.5, 0.5, -0.5], rng)
        outcome = rng.normal(1.0 * (true == 0) + 0.5 * X[:, 0])
        coefficients_result = outcome_regression(outcome, replies, X, KARY, **chosen).coefficients()
        effect = "outcome: answer yes"
        return {
            "effect": read(coefficients_result, [1.0] * len(coefficients_result.labels))[effect]
        }

    return survey


def pair(rng: np.random.Generator) -> dict[str, Reading]:
    """Read how two answers hang together."""
    x, zero = rng.normal(size=2 * N), np.zeros(2 * N)
    item, two = -0.5 + 0.5 * x, 0.2 - 0.5 * x
    odds = np.exp(np.column_stack([item + two + 1.0, item, two, zero]))
    cell = _drawn(odds / odds.sum(axis=1, keepdims=True), rng)
    replies = {"a": _said(KARY, cell // 2, rng), "b": _said(KARY, cell % 2, rng)}
    fit = paired_regression(replies, x[:, None], {"a": KARY, "b": KARY}, errors="expected")
    return read(fit.coefficients(), [-0.5, 0.5, 0.2, -0.5, 1.0])


LOGIT = [-0.5, 0.5, -0.5]
SURVEYS: dict[str, Survey] = {
    "logit, observed": regression(ABSTAIN, LOGIT),
    "logit, expected": regression(ABSTAIN, LOGIT, errors="expected"),
    "logit, robust": regression(ABSTAIN, LOGIT, errors="robust"),
    "logit, households": regression(ABSTAIN, LOGIT, each=3),
    "log-odds of three answers": regression(THREE, [0.3, 0.5, -0.5, 0.1, -0.3, 0.4]),
    "three ordered answers": regression(THREE, [-0.5, 0.7, 0.5, -0.5], ordered=True),
    "an answer as a predictor": predictor(),
    "a predictor, robust": predictor(errors="robust"),
    "two answers together": pair,
}


def table(surveys: int) -> list[str]:
    """Give one line per model: how often all of its 95 % intervals cover, on average and least."""
    lines = [f"{'model':<28}{'surveys':>8}{'refused':>8}{'covers':>8}{'least':>8}{'± se':>8}"]
    for name, survey in SURVEYS.items():
        rng, content, refused = np.random.default_rng(11), [], 0
        for _ in range(surveys):
            try:
                content.append([value.covers() for value in survey(rng).values()])
            except errors.NotIdentified:
                refused += 1
        share = np.mean(content, axis=0)
        error = (0.95 * 0.05 / len(content)) ** 0.5
        lines.append(
            f"{name:<28}{surveys:>8}{refused:>8}{share.mean():>8.4f}{share.min():>8.4f}{error:>8.4f}"
        )
    return lines


if __name__ == "__main__":
    sys.stdout.write("\n".join([*table(int(sys.argv[1]) if sys.argv[1:] else 1000), ""]))
