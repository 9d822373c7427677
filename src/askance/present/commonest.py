"""The commonest answers, where there are too many to draw."""

from dataclasses import replace

import numpy as np

from askance.estimators.shares.estimate import Estimate


def commonest(estimate: Estimate, most: int) -> Estimate:
    """Keep the commonest answers of an estimate, in their old order.

    Parameters
    ----------
    estimate : Estimate
    most : int
        How many answers to keep; an estimate with no more is returned as it is.

    >>> import askance as ak
    >>> names = ["one", "two", "three"]
    >>> plain = ak.Channel(ak.Frame(names), {name: [name] for name in names}, np.eye(3))
    >>> commonest(ak.estimate(ak.Tally(plain, {"one": 5, "two": 1, "three": 9})), 2).labels
    ('one', 'three')
    """
    if len(estimate.labels) <= most:
        return estimate
    ranked = np.argsort(-np.nan_to_num(estimate.value), kind="stable")
    kept = np.sort(ranked[:most])
    return replace(
        estimate,
        labels=tuple(estimate.labels[at] for at in kept),
        covariance=estimate.covariance[np.ix_(kept, kept)],
        **{name: getattr(estimate, name)[kept] for name in ("value", "lower", "upper", "plain")},
    )
