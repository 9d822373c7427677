"""What tests of fit find, as values: of each test its claim, its worst event and its p-value.

The tests themselves are in `goodness_of_fit`; every result of an estimate holds what they found.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from types import MappingProxyType
from typing import ClassVar, final

from askance.inference.provenance import Computation
from askance.results import (
    Listing,
    describe_variance,
    json_of,
    listed,
    number,
    plain_json,
    result_frame,
    result_stream,
)
from askance.typing import Json
from askance_collect.arguments import checked

DOUBT = 0.001
"""How often reports that were honestly drawn are doubted, at most."""


@final
class FitClaim(Enum):
    """Properties of honest reports that hold for any population; each has a test.

    >>> import askance as ak
    >>> ak.inference.FitClaim.MIXTURE.value
    'all frequencies together come from some shares'
    """

    FREQUENCY = "each report is as frequent as some shares allow"
    MIXTURE = "all frequencies together come from some shares"
    BLANK = "blanks are as frequent as chance leaves them"
    SUPPORT = "each answer is left possible as often as some shares allow"
    TOTAL = "reports leave as many answers possible as chance lets them"
    RANGE = "no range comes more often than its cuts are drawn"
    END = "the ends of ranges fall as the cuts do"
    WIDTH = "ranges are as wide as the law makes them"
    PASSED = "no range comes more often than it is passed through"
    NARROW = "ranges are no narrower than every step makes them"
    ADDED_ITEM = "one more item on a list adds 0 or 1 to each count"


@final
class Untested(Enum):
    """Why a result has no test of its fit.

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> ak.inference.goodness_of_fit(ak.Tally(q, {})).untested is ak.inference.Untested.NO_REPORTS
    True
    """

    ANY_FITS = "every frequency fits"
    NO_REPORTS = "no report was received"
    UNKNOWN_LAW = "the law that the reports were drawn by is not given"
    NO_TEST = "no test of it is known that holds for every population"
    FIGURES = "figures were given, and no reports"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class FitTest:
    """One test that reports were drawn as their form says.

    Attributes
    ----------
    claim : FitClaim
        What holds of honest reports.
    event : str
        What fits worst: a report by its name, or a set of reports.
    group : str
        Whose reports these are, where several groups are tested.
    observed : float
        How often it came.
    expected : tuple of float
        How often it is due, at least and at most, on average.
    reports : float
        Among so many reports.
    statistic : float
        The count of a binomial test, or G² of a likelihood ratio.
    df : float
        Degrees of freedom of G²; not a number where the law is binomial.
    p_value : float
        How often honest reports are at least this far from the claim, at most.

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> (test,) = ak.inference.goodness_of_fit(ak.Tally(q, {"yes": 10, "no": 990})).tests
    >>> isinstance(test, ak.inference.FitTest), test.contrast
    (True, '“yes” came 10 times where 250 to 750 are due')
    """

    claim: FitClaim
    event: str
    group: str = ""
    observed: float
    expected: tuple[float, float]
    reports: float
    statistic: float
    df: float = math.nan
    p_value: float

    @property
    def finding(self) -> str:
        """The finding, in a sentence."""
        if self.claim is FitClaim.MIXTURE:
            seldom = f"{100 * self.p_value:.3g}"
            return (
                f"All frequencies together are G² = {self.statistic:.1f} from the nearest that "
                f"honest people can produce; at most {seldom} of 100 honest surveys deviate so "
                "far."
            )
        if self.claim is FitClaim.TOTAL:
            return (
                f"The reports leave {_write_count(self.observed)} answers possible in all; honest "
                f"ones leave {_write_count(self.expected[0])} on average."
            )
        lowest, highest = (100 * count / self.reports for count in self.expected)
        honest = f"{lowest:.1f} to {highest:.1f} %"
        if highest - lowest < 0.05:
            honest = f"{lowest:.1f} %"
        elif lowest <= 0 or highest >= 100:
            honest = f"at most {highest:.1f} %" if lowest <= 0 else f"at least {lowest:.1f} %"
        among = f" of {self.group}" if self.group else ""
        return (
            f"{self.event} is {100 * self.observed / self.reports:.1f} % of the reports{among}; "
            f"of honest ones it is {honest} on average."
        )

    @property
    def contrast(self) -> str:
        """Observed and expected frequency of the event, as a clause."""
        among = f" in {self.group}" if self.group else ""
        times = "once" if self.observed == 1 else f"{_write_count(self.observed)} times"
        return f"{self.event}{among} came {times} where {_describe_expected(self)}"

    def to_dict(self) -> Json:
        """Write the test for JSON."""
        names = "event group observed expected reports statistic df p_value"
        sentences = {"claim": self.claim.value, "found": self.finding}
        return {"test": self.claim.name.lower()} | sentences | json_of(self, names)


_CHANNEL = "these reports do not fit this channel"
_CUTS = "cuts were not drawn as stated, or some people saw theirs and sent nothing"
_LISTS = "some answers to the other items changed, or lists were not drawn at random"
_BLAMED: Mapping[FitClaim, str] = MappingProxyType(
    dict.fromkeys(
        (FitClaim.RANGE, FitClaim.END, FitClaim.WIDTH, FitClaim.PASSED, FitClaim.NARROW), _CUTS
    )
    | {FitClaim.ADDED_ITEM: _LISTS}
)


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GoodnessOfFit:
    """Tests that reports were drawn by their channel, as one family.

    Attributes
    ----------
    tests : tuple of FitTest
        None where nothing can be tested: plain answers fit whatever they are.
    untested : Untested
        Why nothing is tested, where there is no test.

    >>> import askance as ak
    >>> from askance.inference import goodness_of_fit
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> goodness_of_fit(ak.Tally(q, {"yes": 82, "no": 18}))
    whether the reports fit their channel
    honest reports                                       p
    each report is as frequent as some shares allow  0.126
    all together: p = 0.126
    """

    computation: ClassVar[Computation] = Computation.GOODNESS_OF_FIT
    tests: tuple[FitTest, ...] = ()
    untested: Untested = Untested.ANY_FITS

    @property
    def p_value(self) -> float:
        """The p-value of the family, by Bonferroni; not a number where there is no test."""
        if self.worst is None:
            return math.nan
        return min(1.0, len(self.tests) * self.worst.p_value)

    @property
    def worst(self) -> FitTest | None:
        """The test with the smallest p-value; None without a test."""
        return min(self.tests, key=lambda test: test.p_value, default=None)

    @property
    def doubted(self) -> bool:
        """Whether the reports are doubted: the p-value of the family is below 1 in 1,000."""
        return self.p_value < DOUBT

    @property
    def findings(self) -> tuple[str, ...]:
        """What does not fit, in sentences."""
        threshold = DOUBT / max(len(self.tests), 1)
        return tuple(test.finding for test in self.tests if test.p_value < threshold)

    @property
    def misfit(self) -> tuple[str, ...]:
        """What fits worst, in one line; nothing where the reports are not doubted.

        >>> import askance as ak
        >>> q = ak.Abstain(truth="3/5", lie="1/10").channel(ak.Frame(["yes", "no"]))
        >>> tally = ak.Tally(q, {"yes": 310, "no": 520, "don't know": 170})
        >>> fit = ak.inference.goodness_of_fit(tally)
        >>> print(*fit.misfit)
        misfit (p 2.6e-20): “don't know” came 170 times where 300 are due; these reports do ...
        """
        worst = self.worst
        if worst is None or not self.doubted:
            return ()
        return (
            f"misfit (p {self.p_value:.2g}): {worst.contrast}; "
            + _BLAMED.get(worst.claim, _CHANNEL),
        )

    def to_dict(self) -> Json:
        """Write the tests for JSON."""
        return {
            "p_value": plain_json(self.p_value),
            "doubted": self.doubted,
            "level": DOUBT,
            "untested": None if self.tests else self.untested.name.lower(),
            "tests": [test.to_dict() for test in self.tests],
        }

    def _table(self) -> Listing:
        rows = [[test.claim.value, number(test.p_value)] for test in self.tests]
        together = f"all together: p = {number(self.p_value)}"
        notes = [together if self.tests else f"no test: {self.untested.value}", *self.findings]
        return "whether the reports fit their channel", ["honest reports", "p"], rows, notes

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


def _write_count(count: float) -> str:
    return f"{count:,.0f}" if count >= 10 or count == round(count) else f"{count:.2g}"


def _describe_expected(test: FitTest) -> str:
    """Describe the expected frequency of an event."""
    lowest, highest = test.expected
    if test.claim is FitClaim.MIXTURE:
        return f"{_write_count(lowest)} would fit best"
    if highest - lowest < 0.0005 * test.reports:
        return f"{_write_count(lowest)} are due"
    if lowest <= 0:
        return f"at most {_write_count(highest)} are due"
    if highest >= test.reports:
        return f"at least {_write_count(lowest)} are due"
    return f"{_write_count(lowest)} to {_write_count(highest)} are due"


def joined_fits(fits: Mapping[str, GoodnessOfFit]) -> GoodnessOfFit:
    """Join the tests of several groups to one family: of each the test that fits worst.

    >>> print(joined_fits({}).untested.value)
    no report was received
    """
    tests = [
        replace(worst, group=name, p_value=fit.p_value)
        for name, fit in fits.items()
        if (worst := fit.worst) is not None
    ]
    reasons = [fit.untested for fit in fits.values() if fit.untested is not Untested.NO_REPORTS]
    return GoodnessOfFit(tests=tuple(tests), untested=next(iter(reasons), Untested.NO_REPORTS))


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class DesignVariance:
    """What design-based standard errors rest on.

    Attributes
    ----------
    replicates : int
        Over how many replicates they are taken; 0 if they are linearised.
    df : float, optional
        Degrees of freedom of the sampling design; none where there are sampling weights alone, so
        that people count as drawn with replacement.

    >>> import askance as ak
    >>> variance = ak.inference.DesignVariance(replicates=80, df=40)
    >>> variance.replicates, variance.df
    (80, 40)
    """

    replicates: int = 0
    df: float | None = None

    @checked
    def describe(self, of: str = "") -> str:
        """Write it in words, as `describe_variance` does.

        >>> DesignVariance().describe()
        'linearised variance with replacement'
        """
        if self.df is None:
            return "linearised variance with replacement"
        return f"{describe_variance(self.replicates, of)}, {self.df:g} degrees of freedom"


@final
class Convergence(Enum):
    """Convergence status of a fit; the value is the sentence to print."""

    EXACT = "computed in closed form"
    CONVERGED = "the maximum of the likelihood, certified by its gap"
    STATIONARY = "a local maximum of the likelihood; a higher one elsewhere is not ruled out"
    ON_BOUNDARY = "at least one share is estimated as exactly 0 or 1; trust the interval, not se"
    PARTLY_IDENTIFIED = (
        "the design does not identify part of this; the interval covers all values that it allows"
    )
    STOPPED = "stopped before the maximum was certified; the gap says how far away it is"
    NO_REPORTS = "no report is informative about this question; nothing was estimated"

    def to_dict(self) -> Json:
        """Write the status for JSON."""
        return {"outcome": self.name.lower(), "message": self.value}
