"""Discrete Laplace noise: a whole number with two-sided geometric noise added, kept on its grid."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from itertools import accumulate
from typing import ClassVar, final

from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.mechanisms.randomised_response import AbstractMechanism
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.level import loss_bound
from askance_collect.exact.ratio import LARGEST_TOTAL, Table, chance

_MOST = 2048
"""Numbers, of which a table has the square."""
_FINE = 1 << 53
_DIGITS = Context(prec=60)


@final
@dataclass(frozen=True, slots=True, init=False)
class DiscreteLaplace(AbstractMechanism):
    r"""Additive discrete Laplace noise (two-sided geometric mechanism), clamped to the answers.

    The answers of a frame, in their order, are taken for equally spaced numbers. The report is the
    true one moved by Z steps, or the first or last one where that lies beyond them,

    .. math:: P(Z = z) = \frac{1 - \alpha}{1 + \alpha} \alpha^{|z|}, \qquad
              Q_{ij} = \begin{cases}
                \alpha^i / (1 + \alpha) & j = 0 \\
                \alpha^{k-1-i} / (1 + \alpha) & j = k - 1 \\
                \frac{1 - \alpha}{1 + \alpha} \alpha^{|i - j|} & \text{else.}
              \end{cases}

    Numbers d steps apart are told apart by a ratio of α^−d at most, so that the loss of local
    differential privacy is (k − 1) ln 1/α between the first and the last, and ln 1/α a step
    (metric privacy). Every report is possible from every number: none is ever ruled out.

    Chances are integers over a total of at most 2^48, which one draw of a respondent's coin holds.
    Where powers of α fit into it they are exact. Elsewhere each weight is the next one's multiple
    rounded up, so that neighbours never differ by more than 1/α, and what is stated of the loss
    holds on the integers that are drawn.

    Parameters
    ----------
    decay : probability
        α in (0, 1): how much less likely each further step is.
    ratio : Fraction
        e^ε, the ratio between neighbours: 1/decay.

    Raises
    ------
    InputError
        If α is 0 or 1; from ``channel`` if there are more than 2,048 answers, or α is so near 1
        that 2^48 parts do not tell it from 1.

    References
    ----------
    Inusah & Kozubowski (2006), the discrete Laplace law; Ghosh, Roughgarden & Sundararajan (2012),
    the geometric mechanism.

    >>> from askance import Frame, local_loss
    >>> from askance.mechanisms import DiscreteLaplace
    >>> days = Frame([str(number) for number in range(4)])
    >>> DiscreteLaplace(decay="1/2").channel(days).table.rows
    ((8, 2, 1, 1), (4, 4, 2, 2), (2, 2, 4, 4), (1, 1, 2, 8))
    >>> local_loss(DiscreteLaplace(decay="1/2").channel(days)).value
    Fraction(8, 1)
    """

    name: ClassVar[str] = "discrete_laplace"
    decay: Fraction | None
    ratio: Fraction | None

    def __init__(self, *, decay: object) -> None:
        alpha = chance(decay, "DiscreteLaplace.decay")
        if not 0 < alpha < 1:
            raise InputError(
                "DiscreteLaplace.decay",
                got=str(alpha),
                allowed="a number strictly between 0 and 1",
                remedy="at 0 the number itself is sent, at 1 nothing is revealed",
            )
        object.__setattr__(self, "decay", alpha)
        object.__setattr__(self, "ratio", None)

    @classmethod
    @checked
    def at_epsilon(cls, epsilon: object = None, *, ratio: object = None) -> "DiscreteLaplace":
        """Add as little noise as ε-local differential privacy between all answers allows.

        Parameters
        ----------
        epsilon : number, optional
            ε in (0, 12].
        ratio : number, optional
            e^ε instead, exactly.

        >>> from askance import Frame, local_loss
        >>> from askance.mechanisms import DiscreteLaplace
        >>> hours = Frame([str(number) for number in range(41)])
        >>> loss = local_loss(DiscreteLaplace.at_epsilon(4).channel(hours))
        >>> loss.epsilon <= 4, round(loss.epsilon, 9)
        (True, 4.0)
        """
        mechanism = object.__new__(cls)
        object.__setattr__(mechanism, "decay", None)
        object.__setattr__(mechanism, "ratio", loss_bound(epsilon, ratio))
        return mechanism

    @checked
    def on(self, frame: Frame) -> "DiscreteLaplace":
        """The recipe with its α for these answers.

        >>> from askance import Frame
        >>> from askance.mechanisms import DiscreteLaplace
        >>> DiscreteLaplace.at_epsilon(ratio=9).on(Frame(["0", "1", "2"])).decay
        Fraction(1, 3)
        """
        if self.ratio is None:
            return self
        return DiscreteLaplace(decay=1 / _largest_root(self.ratio, len(frame) - 1))

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the exact channel over these answers, in their order."""
        k, alpha = len(frame), self.on(frame).decay
        if k > _MOST:
            raise InputError(
                "DiscreteLaplace.channel",
                got=f"{k:,} answers",
                allowed=f"at most {_MOST:,}",
                remedy="take numbers of a larger step",
            )
        assert alpha is not None
        weights, rest = _weights(alpha, k)
        upto = list(accumulate(weights))
        total = 2 * (upto[-1] + rest) - weights[0]
        beyond = [upto[-1] + rest, *(upto[-1] + rest - below for below in upto)]
        rows = tuple(
            (beyond[i], *(weights[abs(i - j)] for j in range(1, k - 1)), beyond[k - 1 - i])
            for i in range(k)
        )
        return Channel(
            frame, {name: 1 << i for i, name in enumerate(frame.answers)}, Table(total, rows)
        )


def _largest_root(level: Fraction, steps: int) -> Fraction:
    """Find the largest fraction, in parts of 2^53, whose power is at most this; simple if exact."""
    base = Decimal(level.numerator) / Decimal(level.denominator)
    near = _DIGITS.exp(_DIGITS.divide(_DIGITS.ln(base), Decimal(steps)))
    simple = Fraction(near).limit_denominator(1 << 20)
    if simple**steps == level:
        return simple
    parts = round(Fraction(near) * _FINE)
    while Fraction(parts, _FINE) ** steps > level:
        parts -= 1
    return Fraction(parts, _FINE)


def _weights(decay: Fraction, k: int) -> tuple[list[int], int]:
    """Weigh 0, 1, … k − 2 steps in one direction, and all further ones together.

    Exactly geometric where that fits into the largest total; else as fine as it allows.
    """
    top, bottom = decay.as_integer_ratio()
    if (top + bottom) * bottom ** (k - 2) <= LARGEST_TOTAL:
        powers = [top**steps * bottom ** (k - 2 - steps) for steps in range(k - 1)]
        return [(bottom - top) * power for power in powers], top ** (k - 1)
    first = int(LARGEST_TOTAL * (1 - decay) / (1 + decay))
    while True:
        if first < 1:
            raise InputError(
                "DiscreteLaplace.channel",
                got=f"a decay of {float(decay)!r} over {k:,} answers",
                allowed=f"one that {LARGEST_TOTAL:,} parts tell from 1",
                remedy="a smaller decay, or a larger ε: reports like these say nothing",
            )
        weights = list(_round_up_weights(first, top, bottom, k - 1))
        rest = -(-weights[-1] * top // (bottom - top))
        over = 2 * (sum(weights) + rest) - first - LARGEST_TOTAL
        if over <= 0:
            return weights, rest
        first -= max(1, int(over * (1 - decay) / (1 + decay)))


def _round_up_weights(first: int, top: int, bottom: int, count: int) -> Iterator[int]:
    for _ in range(count):
        yield first
        first = -(-first * top // bottom)
