"""Whether to randomise at all: bias of a direct question against the variance of randomisation.

A direct question is precise and, on a sensitive subject, biased: some deny. A randomised question
is less precise, and less biased if people trust it. Which of the two is closer to the truth depends
on how many people are asked.
"""

import math
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from askance.channels.channel import Channel
from askance.chart import Axis, Chart, MarkKind, Series, chart_frame, draw_result
from askance.inference.provenance import Computation
from askance.results import Listing, json_of, listed, number, result_frame, result_stream
from askance.typing import Json
from askance_collect.arguments import checked, no_more
from askance_collect.errors import InputError, NotIdentified
from askance_collect.exact.ratio import chance, read_integer

_ROUND_OFF = 1e-12


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DirectComparison:
    """Mean squared errors of a direct and of a randomised question, of one share.

    Attributes
    ----------
    answer : str
        The answer whose share is estimated.
    prevalence : float
        Its true share.
    people : int
        How many people answer, the same number in either way.
    direct_bias, randomised_bias : float
        By how much the share is too small on average, in either way.
    direct_error, randomised_error : float
        Root mean squared error of either share.
    tolerable_bias : float
        The bias of a direct question up to which it is the closer one; at most the prevalence.
    break_even : float
        From how many people on the randomised question is the closer one; infinite for none.

    >>> from askance.mechanisms import Warner
    >>> from askance.channels import Frame
    >>> channel = Warner(truth="3/4").channel(Frame(["yes", "no"]))
    >>> comparison: DirectComparison = compare_with_direct(
    ...     channel, people=1000, prevalence="1/5", direct_bias="1/20"
    ... )
    >>> comparison.prefers_direct, comparison.to_dict()["people"]
    (False, 1000)
    """

    computation: ClassVar[Computation] = Computation.DIRECT_COMPARISON
    answer: str
    prevalence: float
    people: int
    direct_bias: float
    randomised_bias: float
    direct_error: float
    randomised_error: float
    tolerable_bias: float
    break_even: float

    @property
    def prefers_direct(self) -> bool:
        """Whether a direct question is the closer one."""
        return self.direct_error <= self.randomised_error

    def to_dict(self) -> Json:
        """Write the comparison for JSON; None for a number of people that none is enough."""
        return json_of(self) | json_of(self, "prefers_direct break_even")

    def _table(self) -> Listing:
        head = ["question", "bias", "root mean squared error"]
        rows = [
            ["direct", number(self.direct_bias), number(self.direct_error)],
            ["randomised", number(self.randomised_bias), number(self.randomised_error)],
        ]
        tolerable = f"up to a bias of {number(self.tolerable_bias)}"
        notes = [
            f"The direct question is closer to the truth, {tolerable}."
            if self.prefers_direct
            else (
                "The randomised question is closer to the truth; a direct one would be "
                f"{tolerable}."
            ),
            f"With this bias the randomised question is closer for {self.break_even:,.0f} people "
            "or more."
            if math.isfinite(self.break_even)
            else "With this bias the direct question is closer for any number of people.",
        ]
        return f"share of “{self.answer}”, {self.people:,} people", head, rows, notes

    def _chart(self) -> Chart:
        """Describe the error of either way, √(b² + v/n), by the number of people; and this one."""
        ends = [self.people, *([self.break_even] if math.isfinite(self.break_even) else [])]
        sizes = np.geomspace(max(min(ends) / 4, 1), 4 * max(ends), 200)
        ways = {
            "direct": (self.direct_bias, self.direct_error),
            "randomised": (self.randomised_bias, self.randomised_error),
        }
        curves = [
            Series(
                mark=MarkKind.LINE,
                label=way,
                x=sizes,
                value=np.sqrt(bias**2 + (error**2 - bias**2) * self.people / sizes),
            )
            for way, (bias, error) in ways.items()
        ]
        label, here = f"{self.people:,} people", np.array([float(self.people)])
        rule = Series(mark=MarkKind.RULE, label=label, x=here, is_reference=True)
        y = Axis(name="root mean squared error", limits=(0, math.inf))
        return Chart(series=(*curves, rule), x=Axis(name="people", limits=(1, math.inf)), y=y)

    plot = draw_result
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def compare_with_direct(
    channel: Channel,
    *,
    people: int,
    prevalence: object,
    direct_bias: object,
    randomised_bias: object = 0,
) -> DirectComparison:
    r"""Compare the mean squared error of a direct question with that of a randomised one.

    .. math:: \mathrm{MSE}_d = b_d^2 + \frac{(\pi - b_d)(1 - \pi + b_d)}{n}, \qquad
        \mathrm{MSE}_r = b_r^2 + \frac{v(\pi - b_r)}{n}

    with π the share of the first answer, b by how much either question underreports it, n the
    number of people and v(p) the variance of one report's estimate at a share p. A direct question
    has the smaller error up to the bias at which both are equal, and for fewer people than

    .. math:: n^* = \frac{v(\pi - b_r) - (\pi - b_d)(1 - \pi + b_d)}{b_d^2 - b_r^2}

    It is the trade-off that Blair, Coppock & Moor (2020) describe between direct questions and list
    experiments, for any channel with two answers.

    Parameters
    ----------
    channel : Channel
        Of two answers.
    people : int
        How many answer.
    prevalence : chance
        The true share of the first answer.
    direct_bias, randomised_bias : chance
        Which part of everybody has the first answer and denies it, asked in either way.

    Raises
    ------
    InputError
        If there are not two answers, nobody is asked, or more people deny than have the answer.
    NotIdentified
        If the channel cannot tell its answers apart.

    References
    ----------
    Blair, Coppock & Moor (2020).

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> ak.design.compare_with_direct(q, people=500, prevalence="1/5", direct_bias="1/20")
    share of “yes”, 500 people
    question    bias  root mean squared error
    direct      0.05                  0.05249
    randomised     0                  0.04266
    The randomised question is closer to the truth; a direct one would be up to a bias of 0.03937.
    With this bias the randomised question is closer for 313 people or more.
    """
    frame, count = channel.frame, read_integer(people, "people", "a whole number from 1 on", 1)
    if len(frame) != _TWO:
        raise InputError(
            "channel",
            got=f"{len(frame)} answers",
            allowed="a channel with two answers",
            remedy="compare one answer at a time: that one, and all others",
        )
    share = float(chance(prevalence, "prevalence"))
    direct = _read_bias(direct_bias, "direct_bias", share)
    randomised = _read_bias(randomised_bias, "randomised_bias", share)
    told, seen = share - direct, share - randomised
    direct_variance = told * (1 - told)
    variance = _find_variance(channel, seen)
    error = randomised**2 + variance / count
    return DirectComparison(
        answer=frame.answers[0],
        prevalence=share,
        people=count,
        direct_bias=direct,
        randomised_bias=randomised,
        direct_error=math.sqrt(direct**2 + direct_variance / count),
        randomised_error=math.sqrt(error),
        tolerable_bias=_find_tolerable_bias(share, error, count),
        break_even=_find_break_even(variance - direct_variance, direct**2 - randomised**2),
    )


_TWO = 2


def _read_bias(written: object, name: str, share: float) -> float:
    bias = float(chance(written, name))
    if bias > share:
        allowed = f"at most the prevalence, {no_more(share)}: people who deny have the answer"
        raise InputError(name, got=bias, allowed=allowed)
    return bias


def _find_variance(channel: Channel, share: float) -> float:
    """The variance of one report's estimate of the first share: the inverse of its information."""
    first, second = channel.matrix
    apart, often = (first - second) ** 2, share * first + (1 - share) * second
    if not apart.any():
        raise NotIdentified(
            "channel", got="answers that are reported alike", allowed="answers that reports tell"
        )
    if apart[often == 0].any():  # a report that nobody sends says that nobody has the answer
        return 0.0
    return 1 / float((apart[often > 0] / often[often > 0]).sum())


def _find_tolerable_bias(share: float, error: float, people: int) -> float:
    """The bias b at which b² + (π - b)(1 - π + b) / n is a mean squared error, from 0 to π."""
    square, linear = 1 - 1 / people, (2 * share - 1) / people
    constant = share * (1 - share) / people - error
    if constant >= 0:
        return 0.0
    if square == 0:
        return min(-constant / linear, share) if linear > 0 else share
    root = (-linear + math.sqrt(linear**2 - 4 * square * constant)) / (2 * square)
    return min(root, share)


def _find_break_even(more_variance: float, less_bias: float) -> float:
    """The number of people at which less bias makes up for more variance."""
    if more_variance <= 0:
        return 1.0 if less_bias >= 0 else math.inf
    if less_bias <= 0:
        return math.inf
    return float(max(math.ceil(more_variance / less_bias * (1 - _ROUND_OFF)), 1))
