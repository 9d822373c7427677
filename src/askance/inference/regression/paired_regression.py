"""Regression of two protected answers together, on covariates and on each other."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from askance.channels.channel import Channel
from askance.inference.regression.answer_model import AnswerModel
from askance.inference.regression.covariates import Received, covariates_of, received
from askance.inference.regression.formula import Missing, complete_cases
from askance.inference.regression.response_regression import ResponseRegression, fitted
from askance.inference.sampling_columns import read_counts, read_sampling
from askance.inference.sampling_design import AbstractSamplingDesign
from askance.results import normal_quantile, read_only
from askance.typing import Floats
from askance_collect.arguments import checked, same_rows
from askance_collect.errors import InputError


@checked
def paired_regression(
    reports: Mapping[str, Sequence[Any]],
    covariates: Any,
    channels: Mapping[str, Channel],
    *,
    terms: Sequence[str] | None = None,
    weights: Any = None,
    counts: Any = None,
    errors: str = "observed",
    clusters: Any = None,
    sampling: AbstractSamplingDesign | None = None,
    level: float = 0.95,
    codes: Mapping[Any, Any] | None = None,
    missing: Missing = "refuse",
) -> ResponseRegression:
    r"""Regress two protected answers on covariates, and estimate their association.

    .. math:: \log \frac{P(a, b \mid x)}{P(a_0, b_0 \mid x)} = \eta_a + \eta_b + \omega_{ab}

    with η_a = (1, x) β_a, η_b = (1, x) γ_b and 0 for the frame's last answer. ω is the logarithm of
    the odds ratio between the two answers among people who are alike; 0 says that, given the
    covariates, one answer tells nothing of the other. β_a are log-odds of a among people who give
    the other question's last answer. Each report is drawn independently of the other, given the
    answers.

    Parameters
    ----------
    reports : mapping of str to sequence, each of length n
        For each of two questions what was received, as in `response_regression`.
    covariates : array_like, shape (n, c)
    channels : mapping of str to Channel
        For the same two questions.
    terms, weights, counts, errors, clusters, sampling, level, missing
        As in `response_regression`; a sampling design is one of rows.
    codes : mapping, optional
        As in `response_regression`, for both questions; or one such mapping for each of them.

    Returns
    -------
    ResponseRegression
        Whose answers are the combinations of the two, so that ``prevalence()`` is their table.

    Raises
    ------
    InputError
        If there are not two questions, or as in `response_regression`.
    NotIdentified
        As in `response_regression`.

    References
    ----------
    McCullagh and Nelder (1989), section 6.5, for log-linear models of two answers.

    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, np.eye(2))
    >>> reports = {"first": ["yes"] * 40 + ["no"] * 60, "second": ["yes"] * 30 + ["no"] * 70}
    >>> fit = paired_regression(reports, [[i % 2] for i in range(100)], {"first": q, "second": q})
    Traceback (most recent call last):
    askance_collect.errors.NotIdentified: ...
    >>> reports["second"][-20:] = ["yes"] * 20
    >>> fit = paired_regression(reports, [[i % 2] for i in range(100)], {"first": q, "second": q})
    >>> fit.names[-1], round(float(fit.value[-1]), 4)  # log(30 · 40 / (10 · 20))
    ('first yes × second yes', 1.7918)
    """
    normal_quantile(level)
    names = _read_two_names(reports, channels)
    by_row = {f"reports[{name!r}]": reports[name] for name in names}
    by_row |= {"weights": weights, "counts": counts, "clusters": clusters}
    same_rows(covariates=covariates, **by_row)
    _, covariates, sampling, columns = complete_cases(missing, None, covariates, sampling, **by_row)
    instead = {name: columns.pop(name) for name in ("weights", "counts", "clusters")}
    first, second = (
        received(column, channels[name], codes=_select_codes(codes, name), where=where)
        for name, (where, column) in zip(names, columns.items(), strict=True)
    )
    if len(first) != len(second):
        raise InputError(
            f"reports[{names[1]!r}]", got=f"{len(second)} reports", allowed=f"{len(first)}"
        )
    observations = _pair_observations(names, first, second)
    sample = read_sampling(sampling, None, len(observations), **instead)
    rows = read_counts(instead["counts"], len(observations)) if sample is None else sample.weights
    model_matrix = covariates_of(covariates, len(observations), terms, rows)
    model = _log_linear(
        names, (first.answers, second.answers), observations.answers, model_matrix.terms
    )
    return fitted(model, observations, model_matrix, (errors, instead["clusters"], sample), level)


def _read_two_names(reports: Mapping[str, Any], channels: Mapping[str, Channel]) -> tuple[str, ...]:
    if len(reports) != 2 or set(reports) != set(channels):
        raise InputError(
            "reports",
            got=f"{', '.join(reports)} with channels for {', '.join(channels)}",
            allowed="two questions, with a channel for each",
        )
    return tuple(reports)


def _select_codes(codes: Any, name: str) -> Any:
    """One question's codes, where each has its own."""
    by_question = isinstance(codes, Mapping) and isinstance(codes.get(name), Mapping)
    return codes[name] if by_question else codes


def _pair_observations(names: tuple[str, ...], first: Received, second: Received) -> Received:
    """Pair the reports of two questions; a blank in one leaves what the other says."""
    first_name, second_name = names
    columns = len(second.chances)
    (a,), (b,) = first.matrices, second.matrices
    no_a, no_b = np.ones((len(a), 1)), np.ones((len(b), 1))
    return Received(
        answers=tuple(
            f"{first_name} {a}, {second_name} {b}" for a in first.answers for b in second.answers
        ),
        matrices=tuple(read_only(np.kron(*pair)) for pair in ((a, b), (a, no_b), (no_a, b))),
        chances=read_only(np.kron(first.chances, second.chances)),
        index=first.index * columns + second.index,
        group=np.where(first.is_answered, 1 - second.is_answered, 2),
        names=tuple(
            f"{first_name} {a}, {second_name} {b}" for a in first.names for b in second.names
        ),
        source=np.where(
            np.add.outer(first.source, second.source) < -1,
            -1,
            np.where(first.source[:, None] < 0, 2, -second.source),
        ).ravel(),
    )


def _log_linear(
    names: tuple[str, ...],
    answers: tuple[tuple[str, ...], tuple[str, ...]],
    joint: tuple[str, ...],
    terms: tuple[str, ...],
) -> AnswerModel:
    k, m, width = len(answers[0]), len(answers[1]), len(terms) + 1
    blocks, labels = [], []
    for side in range(2):
        for index, answer in enumerate(answers[side][:-1]):
            block = np.zeros((k, m, width, width))
            block[(index, slice(None)) if side == 0 else (slice(None), index)] = np.eye(width)
            blocks.append(block)
            labels += [f"{names[side]} {answer}: {term}" for term in ("intercept", *terms)]
    for a, of_first in enumerate(answers[0][:-1]):
        for b, of_second in enumerate(answers[1][:-1]):
            block = np.zeros((k, m, width, 1))
            block[a, b, 0] = 1
            blocks.append(block)
            labels.append(f"{names[0]} {of_first} × {names[1]} {of_second}")
    full: Floats = np.concatenate(blocks, axis=-1).reshape(k * m * width, -1)
    return AnswerModel(
        answers=joint,
        link=None,
        restriction=full[:-width],
        names=tuple(labels),
        description=f"log-odds of {names[0]} and {names[1]}, and their association",
        questions=2,
    )
