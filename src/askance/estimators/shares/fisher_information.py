"""What one report is expected to tell about the shares."""

from typing import overload

import numpy as np
import numpy.typing as npt

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.errors import InputError
from askance.results import doubles
from askance.typing import Floats

_SUM = 1e-9  # how far shares may sum from one


@overload
def fisher_information(channel: Channel, prevalence: float) -> float: ...


@overload
def fisher_information(channel: Channel, prevalence: npt.ArrayLike) -> Floats: ...


@checked
def fisher_information(channel: Channel, prevalence: float | npt.ArrayLike) -> float | Floats:
    r"""Give the Fisher information of one report on the shares of the answers.

    .. math:: I_{xx'} = \sum_y \frac{Q(y \mid x)\, Q(y \mid x')}{P(y)}, \qquad
              J = \sum_y \frac{(Q(y \mid 1) - Q(y \mid 2))^2}{P(y)}

    with P the chance of a report at these shares. For two answers and one number, J: the
    information on the share of the first, whose inverse over n is the least variance of an unbiased
    estimate. For all shares, the matrix I; on changes that sum to zero it is what
    `maximum_likelihood` inverts for its standard errors.

    Parameters
    ----------
    channel : Channel
    prevalence : float, or array of shape (k,)
        The share of the first of two answers, or the shares of all.

    Returns
    -------
    float, or array of shape (k, k)
        Per report; infinite where a report proves an answer whose share is zero.

    Raises
    ------
    InputError
        If the shares are not probabilities that sum to one, or one number is given for more than
        two answers.

    References
    ----------
    Yoshida, Yung & Hayashi (2019), Section II, for two answers.

    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[.75, .25], [.25, .75]])
    >>> fisher_information(q, 0.5)  # 1 / Warner's variance: 1 / (1/(4 · 0.5²) − 0)
    1.0
    >>> fisher_information(q, [0.5, 0.5]).round(9).tolist()
    [[1.25, 0.75], [0.75, 1.25]]
    """
    shares = doubles(prevalence, "prevalence")
    if shares.ndim == 0:
        first = float(shares)
        if len(channel.frame) != 2:
            raise InputError(
                "prevalence",
                got=f"one share for {len(channel.frame)} answers",
                allowed="one share for two answers, or a share for each answer",
            )
        rows, chance = _possible(channel, np.array([first, 1 - first]))
        return float(_over((rows[0] - rows[1]) ** 2, chance).sum())
    rows, chance = _possible(channel, shares)
    if np.all(chance > 0):
        scaled = rows / np.sqrt(chance)
        information: Floats = scaled @ scaled.T
        return information
    return np.asarray(_over(rows[:, None, :] * rows[None, :, :], chance).sum(axis=2))


def _over(part: Floats, chance: Floats) -> Floats:
    """Divide with 0/0 = 0: where no answer that is there differs, nothing is told."""
    with np.errstate(divide="ignore", invalid="ignore"):
        divided: Floats = np.where(part > 0, part / chance, 0.0)
    return divided


def _possible(channel: Channel, shares: Floats) -> tuple[Floats, Floats]:
    k = len(channel.frame)
    fits = shares.shape == (k,) and bool(np.all(shares >= 0)) and abs(shares.sum() - 1) <= _SUM
    if not fits:
        raise InputError(
            "prevalence", got=shares.tolist(), allowed=f"{k} shares in [0, 1] that sum to one"
        )
    rows = channel.matrix[:, channel.matrix.max(axis=0) > 0]
    return rows, shares @ rows
