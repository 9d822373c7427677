"""Reports as what is learnt from: which column of the channel each row names."""

from typing import Any

import numpy as np

from askance.channels.channel import Channel
from askance.errors import InputError
from askance.estimators.shares.informative import identify
from askance.estimators.shares.moment import right_inverse
from askance.typing import Floats, Integers


def report_columns(channel: Channel, y: Any, n: int) -> Integers:
    """Find the column of each report.

    Parameters
    ----------
    channel : Channel
    y : array_like of shape (n,)
        Names of the channel's reports.
    n : int
        Rows of the covariates.

    Raises
    ------
    InputError
        If the lengths differ, a report is not the channel's, or no answer can send it.

    >>> import askance as ak
    >>> q = ak.Warner(truth=0.75).channel(ak.Frame(["no", "yes"]))
    >>> report_columns(q, ["yes", "no"], 2).tolist()
    [1, 0]
    """
    told = np.asarray(y)
    if told.shape != (n,):
        raise InputError("y", got=f"shape {told.shape}", allowed=f"{n} reports, one for each row")
    names, row, which = np.unique(told.astype(str), return_index=True, return_inverse=True)
    columns = np.array([channel.column(name) for name in names.tolist()], dtype=np.int64)
    impossible = channel.matrix[:, columns].max(axis=0) == 0
    if impossible.any():
        at = int(np.argmax(impossible))
        raise InputError(
            f"y[{row[at]}]", got=str(names[at]), allowed="a report that some answer can send"
        )
    found: Integers = columns[which]
    return found


def unbiased_weights(channel: Channel) -> Floats:
    """Say how much each report stands for each answer, so that the truth comes out on average.

    Returns
    -------
    array of shape (m, k)
        A right inverse of the channel; rows sum to one, and can be negative in part.

    Raises
    ------
    NotIdentified
        If the reports cannot tell some answers apart.

    >>> import askance as ak
    >>> unbiased_weights(ak.Warner(truth=0.75).channel(ak.Frame(["no", "yes"]))).round(9).tolist()
    [[1.5, -0.5], [-0.5, 1.5]]
    """
    identify(channel)
    possible = channel.matrix.max(axis=0) > 0
    weights = np.zeros(channel.matrix.T.shape)
    weights[possible] = right_inverse(channel.matrix[:, possible])
    return weights
