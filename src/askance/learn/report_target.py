"""Reports as what is learnt from: which column of the channel each row names."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from askance.channels.channel import Channel
from askance.channels.tally import BLANK, report_columns
from askance.errors import InputError
from askance.estimators.shares.informative import identify
from askance.estimators.shares.moment import right_inverse
from askance.typing import Floats, Integers


def told_columns(
    channel: Channel,
    y: Any,
    n: int | None = None,
    where: str = "y",
    codes: Mapping[Any, str | None] | None = None,
) -> Integers:
    """Find the column of each report, of which none may be missing.

    Parameters
    ----------
    channel : Channel
    y : array_like of shape (n,)
        Names of the channel's reports.
    n : int, optional
        Rows of the covariates.
    where : str
        For messages.
    codes : mapping to str, optional
        What values stand for that are no names of reports.

    Raises
    ------
    InputError
        If the lengths differ, a report is missing or not the channel's, or no answer can send it.

    >>> import askance as ak
    >>> q = ak.Warner(truth=0.75).channel(ak.Frame(["no", "yes"]))
    >>> told_columns(q, ["yes", "no"], 2).tolist()
    [1, 0]
    """
    columns = report_columns(channel, y, where, codes)
    if n is not None and len(columns) != n:
        allowed = f"{n} reports, one for each row"
        raise InputError(where, got=f"{len(columns)} reports", allowed=allowed)
    if (columns == BLANK).any():
        raise InputError(
            f"{where}[{int(np.argmax(columns == BLANK))}]",
            got="nothing",
            allowed=", ".join(channel.reports[:20]),
            remedy="leave rows without a report out",
        )
    possible = channel.matrix.max(axis=0) > 0
    if not possible[columns].all():
        at = int(np.argmin(possible[columns]))
        raise InputError(
            f"{where}[{at}]",
            got=channel.reports[columns[at]],
            allowed="a report that some answer can send",
        )
    return columns


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
