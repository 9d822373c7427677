"""How an estimate depends on how many people do not comply: the strip of a sensitivity analysis."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np

from askance.channels.grouped_tally import GroupedTally
from askance.channels.tally import Tally, of_arrays, sums_of
from askance.inference.fit_result import GoodnessOfFit, Untested
from askance.inference.goodness_of_fit import goodness_of_fit
from askance.inference.provenance import Computation
from askance.inference.shares.compliance import Noncompliers, dilute_channel
from askance.inference.shares.manipulation import contamination_bounds, nearest_bounds
from askance.inference.shares.partial import TallyMaximum, Wanted, given_speaking, partial_estimates
from askance.results import (
    Cell,
    Cells,
    Listing,
    axes,
    cells_of,
    json_of,
    keep_read_only,
    listed,
    number,
)
from askance.typing import Floats, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.ratio import chance, read_integer


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Sensitivity:
    """The share of each answer among all people, by how many of them do not comply.

    Attributes
    ----------
    labels : tuple of str
        The k answers.
    kind : str
        What those who do not comply do.
    noncompliant_share : array, shape (s,)
        The share of people who do not comply, from 0.
    low, high : array, shape (s, k)
        The identified set of each share, estimated; of the most likely frequencies where those
        received are further out than any people could send them.
    lower, upper : array, shape (s, k)
        Ends of the interval that holds the whole identified set.
    level : float
    reports : int
    goodness_of_fit : GoodnessOfFit
        Whether the channel can have sent these reports at all, if everybody complies.

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> t = ak.Tally(q, {"yes": 400, "no": 600})
    >>> strip = ak.inference.sensitivity(t, most="1/10", steps=1)  # whatever they report
    >>> strip.low[:, 0].round(3).tolist(), strip.high[:, 0].round(3).tolist()
    ([0.3, 0.15], [0.3, 0.45])
    """

    computation: ClassVar[Computation] = Computation.SENSITIVITY
    labels: tuple[str, ...]
    kind: str
    noncompliant_share: Floats
    low: Floats
    high: Floats
    lower: Floats
    upper: Floats
    level: float
    reports: int
    goodness_of_fit: GoodnessOfFit

    def __post_init__(self) -> None:
        keep_read_only(self, "noncompliant_share low high lower upper")

    def columns(self) -> Cells:
        """The head of a table, and its rows, numbers as they are."""
        head = ["noncompliant", "answer", "low", "high", "lower", "upper"]
        rows: list[list[Cell]] = []
        for of, label in enumerate(self.labels):
            ends = (bound[:, of] for bound in (self.low, self.high, self.lower, self.upper))
            cells = cells_of([label] * len(self.noncompliant_share), *ends)
            rows += [
                [float(c), *row] for c, row in zip(self.noncompliant_share, cells, strict=True)
            ]
        return head, rows

    def to_dict(self) -> Json:
        """Write the strip for JSON."""
        return json_of(self, keys={"noncompliant_share": "noncompliant"}) | {
            "goodness_of_fit": self.goodness_of_fit.to_dict()
        }

    def _table(self) -> Listing:
        percent = f"{100 * self.level:g} %"
        columns = self.low, self.high, self.lower, self.upper
        answers = range(1 if len(self.labels) == 2 else len(self.labels))
        rows = [
            [
                f"{100 * share:.4g} %",
                self.labels[of],
                *(number(float(column[i, of])) for column in columns),
            ]
            for of in answers
            for i, share in enumerate(self.noncompliant_share)
        ]
        title = f"share of each answer, by how many {self.kind}"
        head = ["do not comply", "answer", "from", "to", f"{percent} from", "to"]
        return title, head, rows, [f"{self.reports:,} reports", *self.goodness_of_fit.misfit]

    def plot(self, ax: Any = None) -> Any:
        """Draw each answer's share, or its bounds, as a strip with its interval around it.

        Of two answers the first alone is drawn. Between steps lines are straight: take many.

        Raises
        ------
        MissingExtra
            If no axes are given and matplotlib is not installed.
        """
        ax = axes(ax)
        for of in range(1 if len(self.labels) == 2 else len(self.labels)):
            (line,) = ax.plot(self.noncompliant_share, self.low[:, of], label=self.labels[of])
            color = line.get_color()
            ax.plot(self.noncompliant_share, self.high[:, of], color=color)
            for low, high in ((self.lower, self.upper), (self.low, self.high)):
                ax.fill_between(
                    self.noncompliant_share,
                    low[:, of],
                    high[:, of],
                    color=color,
                    alpha=0.2,
                    linewidth=0,
                )
        ax.set_xlim(0, self.noncompliant_share[-1])
        ax.set_ylim(0, 1)
        ax.set_xlabel(f"share of people who {self.kind}")
        ax.set_ylabel(f"share, {100 * self.level:g} % interval")
        ax.locator_params(axis="x", nbins=5)
        ax.legend(frameon=False)
        return ax


_ANYTHING = "report anything"
_STEPS = "a whole number in [1, 200]"


@checked
def sensitivity(
    tally: Tally | GroupedTally,
    noncompliers: Noncompliers | None = None,
    *,
    most: object = "1/5",
    steps: int = 4,
    level: float = 0.95,
) -> Sensitivity:
    r"""Sensitivity analysis: shares of the answers as a function of how many do not comply.

    If a share c of the people are of a kind with reports r, reports come with the chances

    .. math:: (1 - c) \sum_i \rho_i\, q_{ij} + c\, r_j

    with ρ the shares of the answers among those who comply, estimated as by `estimate_sets`. Among
    all people the share of an answer is (1 − c)ρ and what it is among the others: none or all of
    them where their true answers are open, ρ where they are alike. Without a kind others report
    whatever they like, and c is the share of false reports in `contamination_bounds`.

    Parameters
    ----------
    tally : Tally or GroupedTally
        Also with sampling weights, or of a complex sample; of one group where no kind is given.
    noncompliers : Noncompliers, optional
        What those who do not comply do.
    most : chance
        The largest share, below 1.
    steps : int
        How many equal steps lead to it from 0.
    level : float
        Of the interval at each share by itself.

    Raises
    ------
    InputError
        If the largest share is not in (0, 1), the steps are no whole number in [1, 200], groups are
        given without a kind, or as in `estimate_compliance`.
    NotIdentified
        Without a kind, if the reports cannot tell some answers apart.

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> t = ak.Tally(q, {"yes": 400, "no": 600})
    >>> sensitivity(t, ak.inference.stochastic_lie_detector(), most="1/10", steps=2)
    share of each answer, by how many deny
    do not comply  answer   from     to  95 % from      to
    0 %               yes    0.3    0.3     0.2398  0.3612
    5 %               yes  0.375  0.375     0.3148  0.4362
    10 %              yes   0.45   0.45     0.3898  0.5112
    1,000 reports
    """
    last, count = (
        chance(most, "sensitivity.most"),
        read_integer(steps, "sensitivity.steps", _STEPS, 1, 200),
    )
    if not 0 < last < 1:
        raise InputError("sensitivity.most", got=most, allowed="a share in (0, 1)")
    shares = [last * step / count for step in range(count + 1)]
    if noncompliers is None:
        if isinstance(tally, GroupedTally):
            raise InputError(
                "sensitivity.noncompliers",
                got="none, for groups",
                allowed="a kind of people, or the tally of one group",
            )
        strip = [_bound_any_reports(tally, share, level) for share in shares]
    else:
        strip = [_bound_by_kind(tally, noncompliers, float(share), level) for share in shares]
    low, high, lower, upper = np.array(strip).transpose(1, 0, 2)
    frame = tally.frame if isinstance(tally, GroupedTally) else tally.channel.frame
    return Sensitivity(
        labels=frame.answers,
        kind=_ANYTHING if noncompliers is None else noncompliers.name,
        noncompliant_share=np.array([float(share) for share in shares]),
        low=low,
        high=high,
        lower=lower,
        upper=upper,
        level=level,
        reports=tally.total,
        goodness_of_fit=goodness_of_fit(tally),
    )


def _bound_any_reports(tally: Tally, share: Fraction, level: float) -> Floats:
    """The share of each answer among all, if others report whatever they like."""
    if not share or not tally.total:
        return _bound_compliers(tally, level)
    bounds = contamination_bounds(tally, share, level)
    c = float(share)
    honest = (bounds.low, bounds.high, bounds.lower, bounds.upper)
    if np.isnan(bounds.low).any():
        sharp, safe = nearest_bounds(tally, c, level)
        honest = (*sharp, *safe)
    return np.array([(1 - c) * bound + c * (i % 2) for i, bound in enumerate(honest)])


def _bound_by_kind(
    tally: Tally | GroupedTally, kind: Noncompliers, share: float, level: float
) -> Floats:
    """The share of each answer among all, if others do what their kind does."""
    if isinstance(tally, GroupedTally):
        parts = {name: _dilute_tally(part, kind, share) for name, part in tally.tallies.items()}
        diluted_tally = GroupedTally(parts, sample=tally.sample)
        honest, answers = _bound_compliers(diluted_tally, level), tally.frame.answers
    else:
        honest, answers = (
            _bound_compliers(_dilute_tally(tally, kind, share), level),
            tally.channel.frame.answers,
        )
    if kind.independent_of_answer:
        return honest
    may = kind.answers or answers
    most = np.array([float(answer in may) for answer in answers])
    least = most if len(may) == 1 else np.zeros(len(answers))
    return (1 - share) * honest + share * np.array([least, most, least, most])


def _dilute_tally(tally: Tally, kind: Noncompliers, share: float) -> Tally:
    channel, sums = dilute_channel(tally.channel, kind, share), sums_of(tally)
    return of_arrays(channel, tally.counts, sums, tally.blanks, tally.sample)


def _bound_compliers(tally: Tally | GroupedTally, level: float) -> Floats:
    """The share of each answer among those who comply: identified sets and their intervals."""
    top = TallyMaximum.of(given_speaking(tally))
    k = len(top.shares)
    wanted = {
        str(i): Wanted(least=indicator, most=indicator, among=np.ones(k))
        for i, indicator in enumerate(np.eye(k))
    }
    untested = GoodnessOfFit(untested=Untested.NO_TEST)  # the strip has the test of all together
    (estimate,) = partial_estimates(top, {"share of each answer": wanted}, level, untested)
    return np.array([estimate.low, estimate.high, estimate.lower, estimate.upper])
