"""Print how often intervals of regressions cover: python tests/odds/regressions.py [SURVEYS].

Each survey asks 600 people afresh; a binomial standard error stands beside each figure.
"""

import sys
from collections.abc import Callable

import numpy as np

from askance import errors
from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.estimators.regression.answer_model import answer_model
from askance.estimators.regression.outcome_regression import outcome_regression
from askance.estimators.regression.response_regression import response_regression
from askance.mechanisms.abstain import Abstain

N = 600
ABSTAIN = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
THREE = Channel(
    Frame(["a", "b", "c"]),
    {"a": ["a"], "b": ["b"], "c": ["c"], "?": ["a", "b", "c"]},
    0.9 * np.column_stack([0.75 * np.eye(3) + 1 / 12, np.zeros(3)]) + [0, 0, 0, 0.1],
)
Survey = Callable[[np.random.Generator], list[bool]]


def answered(
    channel: Channel, at: np.ndarray, rng: np.random.Generator, *, ordered: bool = False
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Draw covariates, true answers and reports; give the shares among these people too."""
    X = np.column_stack([rng.normal(size=N), rng.integers(0, 2, N)])
    model = answer_model(channel.frame.answers, ("x", "z"), ordered=ordered)
    shares = model.shares(np.column_stack([np.ones(N), X]) @ model.weights(at))
    true = _drawn(shares, rng)
    return X, true, _drawn(channel.matrix[true], rng), shares.mean(axis=0)


def _drawn(chances: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return (rng.random(len(chances))[:, None] > chances[:, :-1].cumsum(axis=1)).sum(axis=1)


def regression(channel: Channel, at: list[float], **chosen: object) -> Survey:
    """Say of each coefficient, and of the first share, whether its interval holds the truth."""
    truth = np.array(at)

    def survey(rng: np.random.Generator) -> list[bool]:
        X, _, said, share = answered(channel, truth, rng, ordered="ordered" in chosen)
        fit = response_regression(said, X, channel, **chosen)
        told, mean = fit.coefficients(), fit.prevalence()
        held = (told.lower <= truth) & (truth <= told.upper)
        return [*held.tolist(), bool(mean.lower[0] <= share[0] <= mean.upper[0])]

    return survey


def predictor(rng: np.random.Generator) -> list[bool]:
    """Say whether the interval of the answer's effect on an outcome holds it."""
    X, true, said, _ = answered(ABSTAIN, np.array([-0.5, 0.5, -0.5]), rng)
    outcome = rng.normal(1.0 * (true == 0) + 0.5 * X[:, 0])
    told = outcome_regression(outcome, said, X, ABSTAIN).coefficients()
    return [bool(told.lower[1] <= 1.0 <= told.upper[1])]


SURVEYS: dict[str, Survey] = {
    "logit, observed": regression(ABSTAIN, [-0.5, 0.5, -0.5]),
    "logit, expected": regression(ABSTAIN, [-0.5, 0.5, -0.5], errors="expected"),
    "logit, robust": regression(ABSTAIN, [-0.5, 0.5, -0.5], errors="robust"),
    "log-odds of three answers": regression(THREE, [0.3, 0.5, -0.5, 0.1, -0.3, 0.4]),
    "three ordered answers": regression(THREE, [-0.5, 0.7, 0.5, -0.5], ordered=True),
    "an answer as a predictor": predictor,
}


def table(surveys: int) -> list[str]:
    """Give one line per model: how often all of its 95 % intervals cover, on average and least."""
    lines = [f"{'model':<28}{'surveys':>8}{'refused':>8}{'covers':>8}{'least':>8}{'± se':>8}"]
    for name, survey in SURVEYS.items():
        rng, held, refused = np.random.default_rng(11), [], 0
        for _ in range(surveys):
            try:
                held.append(survey(rng))
            except errors.NotIdentified:
                refused += 1
        share = np.mean(held, axis=0)
        error = (0.95 * 0.05 / len(held)) ** 0.5
        lines.append(
            f"{name:<28}{surveys:>8}{refused:>8}{share.mean():>8.4f}{share.min():>8.4f}{error:>8.4f}"
        )
    return lines


if __name__ == "__main__":
    sys.stdout.write("\n".join([*table(int(sys.argv[1]) if sys.argv[1:] else 1000), ""]))
