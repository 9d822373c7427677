"""Goodness of fit: whether reports can have been drawn by their channel at all.

Whoever sends reports that nobody drew leaves frequencies that no population can explain. Each test
here is exact or conservative for every n and every population, whether people are taken as sampled
or as they are: its chance to doubt honest reports is at most its level.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from types import MappingProxyType
from typing import final

import numpy as np
import numpy.typing as npt

from askance.arguments import checked
from askance.channels.grouped_tally import GroupedTally
from askance.channels.range_channel import (
    AbstractRangeChannel,
    RangeChannel,
    heard_of,
    narrowed_chances,
    range_written,
    within,
)
from askance.channels.tally import Tally
from askance.errors import InputError
from askance.inference.climb import climb, mixture
from askance.results import Listing, json_of, listed, number, plain_json
from askance.typing import Booleans, Floats, Integers, Json

DOUBT = 0.001
"""How often reports that were honestly drawn are doubted, at most."""

_ROUNDING = 1e-9  # of a chance
_CLOSE = 1e-12  # of the gap per report
_TICKS = 24  # ends whose frequency is tested
_WIDTHS = 12  # widths whose frequency is tested


@final
class FitClaim(Enum):
    """What holds of honest reports, whoever the people are: one test for each.

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
    freedom : float
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
    freedom: float = math.nan
    p_value: float

    @property
    def found(self) -> str:
        """What was found, in a sentence."""
        if self.claim not in _OF_ONE_EVENT:
            return _NO_PEOPLE[self.claim]
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
        """How often the event came beside how often it is due, in a clause."""
        among = f" in {self.group}" if self.group else ""
        times = "once" if self.observed == 1 else f"{_whole(self.observed)} times"
        return f"{self.event}{among} came {times} where {_due(self)}"

    def to_dict(self) -> Json:
        """Write the test for JSON."""
        names = "event group observed expected reports statistic freedom p_value"
        sentences = {"claim": self.claim.value, "found": self.found}
        return {"test": self.claim.name.lower()} | sentences | json_of(self, names)


_CHANNEL = "this channel did not send these reports"
_CUTS = "cuts did not fall as stated, or people who saw some of them sent nothing"
_BLAMED: Mapping[FitClaim, str] = MappingProxyType(
    dict.fromkeys(
        (FitClaim.RANGE, FitClaim.END, FitClaim.WIDTH, FitClaim.PASSED, FitClaim.NARROW), _CUTS
    )
)
_OF_ONE_EVENT = frozenset(FitClaim) - {FitClaim.MIXTURE, FitClaim.TOTAL}
_NO_PEOPLE: Mapping[FitClaim, str] = MappingProxyType(
    {
        FitClaim.MIXTURE: (
            "The frequencies of the reports, taken together, are those of no honest people."
        ),
        FitClaim.TOTAL: "The reports leave another number of answers possible than chance lets.",
    }
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

    >>> from askance.channels.channel import Channel
    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[.75, .25], [.25, .75]])
    >>> goodness_of_fit(Tally(q, {"yes": 82, "no": 18}))
    whether the reports fit their channel
    honest reports                                       p
    each report is as frequent as some shares allow  0.126
    all together: p = 0.126
    """

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
        """The test that honest reports would fail most seldom so far; None without a test."""
        return min(self.tests, key=lambda test: test.p_value, default=None)

    @property
    def doubted(self) -> bool:
        """Whether honest reports would look like this less often than once in 1,000 surveys."""
        return self.p_value < DOUBT

    @property
    def found(self) -> tuple[str, ...]:
        """What does not fit, in sentences."""
        each = DOUBT / max(len(self.tests), 1)
        return tuple(test.found for test in self.tests if test.p_value < each)

    @property
    def misfit(self) -> tuple[str, ...]:
        """What fits worst, in one line; nothing where the reports are not doubted.

        >>> from askance.channels.frame import Frame
        >>> from askance.mechanisms.randomised_response import Abstain
        >>> q = Abstain(truth="3/5", lie="1/10").channel(Frame(["yes", "no"]))
        >>> fit = goodness_of_fit(Tally(q, {"yes": 310, "no": 520, "don't know": 170}))
        >>> print(*fit.misfit)
        misfit (p 2.6e-20): “don't know” came 170 times where 300 are due; this channel did not ...
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
        notes = [together if self.tests else f"no test: {self.untested.value}", *self.found]
        return "whether the reports fit their channel", ["honest reports", "p"], rows, notes


def _whole(count: float) -> str:
    return f"{count:,.0f}" if count >= 10 or count == round(count) else f"{count:.2g}"


def _due(test: FitTest) -> str:
    """Say how often an event is due."""
    lowest, highest = test.expected
    if test.claim is FitClaim.MIXTURE:
        return f"{_whole(lowest)} would fit best"
    if highest - lowest < 0.0005 * test.reports:
        return f"{_whole(lowest)} are due"
    if lowest <= 0:
        return f"at most {_whole(highest)} are due"
    if highest >= test.reports:
        return f"at least {_whole(lowest)} are due"
    return f"{_whole(lowest)} to {_whole(highest)} are due"


@checked
def goodness_of_fit(tally: Tally | GroupedTally) -> GoodnessOfFit:
    r"""Test the goodness of fit of a channel: whether any shares explain the reports.

    Honest reports have chances πQ for some shares π: a mixture of the channel's rows. Two tests, as
    one family:

    1. Each report's count against a binomial law: whatever π, the chance of report j lies between
       its least and its largest in the rows. With two reports this is all there is, and exact. A
       report that says nothing has one chance for every answer, and an exact two-sided test; so do
       all of these together, where there are several.
    2. All frequencies f against the nearest mixture, by likelihood ratio. With t = n min_π D(f‖πQ)
       and m reports that can be sent,

       .. math:: p = \min\bigl(1, e^{-(t - m + 1)} (t / (m - 1))^{m - 1}\bigr)

       for t > m − 1, and else 1: Chernoff's bound of a gamma law of shape m − 1, which bounds the
       moments of nD.

    Everybody counts once, whatever their weights, strata and clusters: each coin is tossed by
    itself, by whoever is asked, so that both tests are as conservative of a complex sample.
    Villages whose people are alike make no honest report odd, and weights would only hide who
    invents. Whether *weighted* frequencies are those of some shares of the population tells
    `overidentification_test`, by design effects (Rao & Scott, 1984). Of groups that were asked
    through channels of their own each is tested by itself, and all are one family.

    Every estimate from such reports carries these tests as its ``goodness_of_fit``, and prints what
    fits worst where they are doubted.

    Parameters
    ----------
    tally : Tally or GroupedTally
        With weights or a design too.

    Returns
    -------
    GoodnessOfFit

    Raises
    ------
    InputError
        If a report was received that no answer can send.

    References
    ----------
    Agrawal (2020), abstract; Hoeffding (1963), theorem 4, for people who are not sampled.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Warner
    >>> q = Warner(truth="3/4").channel(Frame(["yes", "no"]))
    >>> goodness_of_fit(Tally(q, {"yes": 700, "no": 300})).doubted
    False
    >>> goodness_of_fit(Tally(q, {"yes": 820, "no": 180})).found
    ('“yes” is 82.0 % of the reports; of honest ones it is 25.0 to 75.0 % on average.',)
    """
    return fit_at_shares(tally)


def fit_at_shares(
    tally: Tally | GroupedTally, shares: Floats | None = None, gap: float = 0.0
) -> GoodnessOfFit:
    """Test the goodness of fit where the most likely shares of these counts are known already.

    Parameters
    ----------
    tally : Tally or GroupedTally
    shares : array, shape (k,), optional
        The most likely shares of the counts, without weights; computed if left out. Those of a
        tally with weights, or of groups, are not taken.
    gap : float
        At most this much mean log-likelihood is missing to them.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Abstain
    >>> q = Abstain(truth="3/5", lie="1/10").channel(Frame(["yes", "no"]))
    >>> sent = Tally(q, {"yes": 250, "no": 450, "don't know": 300})
    >>> fit_at_shares(sent, np.array([0.3, 0.7])).p_value == goodness_of_fit(sent).p_value
    True
    """
    if isinstance(tally, GroupedTally):
        parts = {name: goodness_of_fit(part) for name, part in tally.tallies.items()}
        return joined_fits(parts)
    matrix, counts = tally.channel.matrix, tally.counts.astype(float)
    if counts[matrix.max(axis=0) <= 0].any():
        raise InputError(
            "Tally.counts",
            got="a report that no answer can send",
            allowed="reports of the channel",
            remedy="check that the reports belong to this form",
        )
    shares = shares if tally.weights is None else None
    return fit_of_rows(matrix, counts, tally.channel.reports, shares, gap)


def fit_of_rows(
    rows: Floats,
    counts: Floats,
    reports: Sequence[str],
    shares: Floats | None = None,
    gap: float = 0.0,
) -> GoodnessOfFit:
    """Test the goodness of fit of counts to mixtures of the rows of a channel.

    Parameters
    ----------
    rows : array, shape (k, m)
        Chance of each report given each answer.
    counts : array, shape (m,)
        None of a report that cannot be sent.
    reports : sequence of str, length m
    shares, gap
        As in `fit_at_shares`.

    >>> round(fit_of_rows(np.array([[0.75, 0.25], [0.25, 0.75]]), np.array([3, 1]), "yn").p_value)
    1
    """
    sent = rows.max(axis=0) > 0
    rows, counts = rows[:, sent], counts[sent].astype(float)
    if not counts.sum():
        return GoodnessOfFit(untested=Untested.NO_REPORTS)
    if len(counts) == 1:
        return GoodnessOfFit()
    names = [f"“{name}”" for name, can in zip(reports, sent, strict=True) if can]
    single = _single_reports(rows, counts, names)
    if len(counts) == 2:
        return GoodnessOfFit(tests=(single,))
    if shares is None:
        seen, k = counts > 0, len(rows)
        shares, gap = climb(mixture(rows.T[seen], counts[seen]), np.full(k, 1 / k), _CLOSE)
    return GoodnessOfFit(tests=(single, mixture_test(counts, shares @ rows, gap, names)))


def mixture_test(counts: Floats, chance: Floats, gap: float, events: Sequence[str]) -> FitTest:
    """Test all frequencies against the nearest mixture of the rows of a channel.

    Parameters
    ----------
    counts : array, shape (m,)
        Of each report that can be sent.
    chance : array, shape (m,)
        Of each at the most likely shares.
    gap : float
        At most this much mean log-likelihood is missing to these.
    events : sequence of str, length m
        What each report is called.

    >>> kary = mixture_test(np.array([450, 450, 100]), np.array([0.375, 0.375, 0.25]), 0.0, "abc")
    >>> kary.event, round(kary.statistic, 1), kary.expected
    ('c', 144.9, (250.0, 250.0))
    """
    seen, n, m = counts > 0, float(counts.sum()), len(counts)
    frequency = counts / n
    far = float(frequency[seen] @ np.log(frequency[seen] / chance[seen]))
    t, freedom = n * max(far - gap - _CLOSE, 0.0), m - 1
    p_value = math.exp(freedom - t + freedom * math.log(t / freedom)) if t > freedom else 1.0
    possible = chance > 0
    residual = np.zeros(m)
    residual[possible] = np.abs(frequency - chance)[possible] / np.sqrt(chance[possible])
    i = int(np.argmax(residual))
    return FitTest(
        claim=FitClaim.MIXTURE,
        event=events[i],
        observed=float(counts[i]),
        expected=(n * float(chance[i]), n * float(chance[i])),
        reports=n,
        statistic=2 * t,
        freedom=float(freedom),
        p_value=p_value,
    )


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


def _single_reports(rows: Floats, counts: Floats, names: Sequence[str]) -> FitTest:
    """Test each report, and those that say nothing together; one of two reports tells all."""
    lowest, highest, n = rows.min(axis=0), rows.max(axis=0), float(counts.sum())
    if len(counts) == 2:
        names, counts, lowest, highest = names[:1], counts[:1], lowest[:1], highest[:1]
    events = [
        _Event(name, count, low, high)
        for name, count, low, high in zip(
            names, counts.tolist(), lowest.tolist(), highest.tolist(), strict=True
        )
    ]
    silent = highest - lowest <= _ROUNDING * highest
    if 1 < silent.sum() < len(counts):
        chance = float(lowest[silent].sum())
        events.append(
            _Event("A report that says nothing", float(counts[silent].sum()), chance, chance)
        )
    return _likeliest(FitClaim.FREQUENCY, events, n)


def blanks_fit(blank: int, total: int, chance: float) -> FitTest:
    """Test that chance left reports blank as often as the form says; people may leave more.

    Exact: the count of blanks is at least a binomial one. Invented reports carry no blanks.

    Parameters
    ----------
    blank, total : int
        Blank reports, and all.
    chance : float
        Of a blank, whatever the answer.

    >>> round(blanks_fit(0, 100, 0.05).p_value / 0.95**100, 6)
    1.0
    >>> [round(blanks_fit(blank, 100, 0.05).p_value, 6) for blank in (60, 100)]  # too many are none
    [1.0, 1.0]
    """
    event = _Event("Blank", blank, chance, 1.0)
    return _likeliest(FitClaim.BLANK, [event], total)


@checked
def range_fit(
    channel: AbstractRangeChannel, cells: npt.ArrayLike, counts: npt.ArrayLike
) -> tuple[FitTest, ...]:
    """Test that reported ranges follow the published law of their cuts.

    Given the answer y, a set of ranges has a chance that the law gives, between its least and its
    largest over all y, so its count is between two binomial ones. Three families, each by
    Bonferroni: no range comes more often than its cuts are drawn; the ends fall as cuts do; ranges
    are as wide as the law makes them. What is withheld does not count.

    Parameters
    ----------
    channel : RangeChannel or RingChannel
    cells : array_like of int, shape (c, 2)
        Distinct, as reports carry them: ticks ``(low, high]``; a ring's outside where low > high.
    counts : array_like, shape (c,)

    >>> from askance.channels.range_channel import RangeChannel
    >>> from askance.exact.line import Line
    >>> channel = RangeChannel(Line(0, 4, 1), [1, 1, 1])
    >>> [test.p_value < 1e-9 for test in range_fit(channel, [[0, 2], [3, 4]], [20, 400])]
    [True, True, True]
    """
    ends, law = channel.cells()
    given, seen = np.asarray(cells, dtype=np.int64).reshape(-1, 2), np.asarray(counts, dtype=float)
    if not seen.sum():
        return ()
    rows = _Rows(channel, ends, law)
    families = (
        (FitClaim.RANGE, _ranges(channel, rows, given, seen)),
        (FitClaim.END, _ends(channel, rows, given, seen)),
        (FitClaim.WIDTH, _widths(channel, rows, given, seen)),
    )
    n = float(seen.sum())
    return tuple(_likeliest(claim, events, n, many) for claim, (events, many) in families)


@checked
def stopped_fit(
    channel: RangeChannel, cells: npt.ArrayLike, counts: npt.ArrayLike
) -> tuple[FitTest, ...]:
    """Test ranges that people narrowed step by step and stopped where they liked.

    When they stop may depend on their answer and on all that they saw. But a range that is sent was
    passed through, which has at most the chances of being the range after 1, 2, … steps together;
    and steps only make it narrower, so that narrow ranges come at most as often as from people who
    take every step. Each test is conservative, whoever stops when.

    Parameters
    ----------
    channel : RangeChannel
        Of people who never stop; nothing is withheld.
    cells : array_like of int, shape (c, 2)
        Distinct, as reports carry them; the whole line from who took no step.
    counts : array_like, shape (c,)

    >>> from askance.exact.line import Line
    >>> channel = RangeChannel(Line(0, 4, 1), [1, 1, 1], 2)
    >>> [test.p_value < 1e-9 for test in stopped_fit(channel, [[0, 4], [3, 4]], [20, 4_000])]
    [True, True]
    >>> [test.p_value for test in stopped_fit(channel, [[0, 4], [3, 4]], [400, 20])]
    [1.0, 1.0]
    """
    given, seen = np.asarray(cells, dtype=np.int64).reshape(-1, 2), np.asarray(counts, dtype=float)
    if not seen.sum():
        return ()
    steps = range(1, channel.number + 1)
    passed = sum(narrowed_chances(channel.weights, step, channel.floor) for step in steps)
    whole = np.all(given == (0, channel.line.ticks), axis=1) | within(channel.open, given)
    events = []
    for (low, high), count, free in zip(given.tolist(), seen.tolist(), whole, strict=True):
        most = 1.0 if free else min(float(np.asarray(passed)[low, high]), 1.0)
        events.append(_Event(f"The range {range_written(channel, low, high)}", count, 0.0, most))
    rows = _Rows(channel, *channel.cells())
    widths = [replace(one, least=0.0) for one in _widths(channel, rows, given, seen)[0]]
    families = (
        (FitClaim.PASSED, events, len(rows.ends)),
        (FitClaim.NARROW, widths, 0),
    )
    n = float(seen.sum())
    return tuple(_likeliest(claim, each, n, many) for claim, each, many in families)


def cells_fit(
    channel: AbstractRangeChannel, cells: Integers, counts: Floats, *, stopping: bool = False
) -> GoodnessOfFit:
    """Test that ranges follow the published law of their cuts, as one family.

    Parameters
    ----------
    channel : RangeChannel or RingChannel
    cells : array of int, shape (c, 2)
    counts : array, shape (c,)
        Everybody counts once.
    stopping : bool
        Whether people may stop before their range is as narrow as it could be.

    >>> from askance.channels.range_channel import RangeChannel
    >>> from askance.exact.line import Line
    >>> channel = RangeChannel(Line(0, 4, 1), [1, 1, 1])
    >>> print(*cells_fit(channel, np.array([[0, 2], [3, 4]]), np.array([20, 400])).misfit)
    misfit (p 3e-160): A range of at most 1 step came 400 times where at most 140 are due; ...
    """
    if not counts.sum():
        return GoodnessOfFit(untested=Untested.NO_REPORTS)
    if stopping:
        assert isinstance(channel, RangeChannel)
        return GoodnessOfFit(tests=stopped_fit(channel, cells, counts))
    return GoodnessOfFit(tests=range_fit(channel, cells, counts))


def supports_fit(
    counts: Integers | Floats,
    reports: Integers | Floats,
    law: tuple[float, float],
    labels: Sequence[str] | None,
    size: tuple[float, float, float] | None = None,
) -> GoodnessOfFit:
    r"""Test that support counts are such as a frequency oracle's reports give.

    Each count is between two binomial ones, of the chances to be named by a report of another and
    of this answer. Of sets whose size has a known mean μ and variance σ² whatever the answer, the
    sum T of all n sizes is tested too, by Bernstein's inequality:

    .. math:: p = 2 \exp\Bigl(-\frac{(T - n\mu)^2}{2 (n\sigma^2 + b\,|T - n\mu| / 3)}\Bigr)

    with b the most that a size lies from μ.

    Parameters
    ----------
    counts : array, shape (k,)
        How many reports leave each answer possible.
    reports : array, shape (k,) or ()
        Of how many.
    law : tuple of float
        The chance that a report leaves another answer than the true one possible, and the true one.
    labels : sequence of str, optional
    size : tuple of float, optional
        Mean, variance and farthest distance from the mean of the size of a report's set.

    References
    ----------
    Bernstein (1946).

    >>> fit = supports_fit(np.array([300, 20]), np.array(400), (0.25, 0.5), ["a", "b"])
    >>> print(*fit.misfit)
    misfit (p ...): “b” came 20 times where 100 to 200 are due; this channel did not send ...
    """
    n = np.broadcast_to(np.asarray(reports, dtype=float), counts.shape)
    if not n.max(initial=0.0):
        return GoodnessOfFit(untested=Untested.NO_REPORTS)
    seen = np.asarray(counts, dtype=float)
    p_values = _tails(seen, n, *(np.full(len(seen), chance) for chance in law))
    i = int(np.argmin(p_values))
    single = FitTest(
        claim=FitClaim.SUPPORT,
        event=f"“{i if labels is None else labels[i]}”",
        observed=float(counts[i]),
        expected=(float(n[i]) * law[0], float(n[i]) * law[1]),
        reports=float(n[i]),
        statistic=float(counts[i]),
        p_value=min(1.0, len(counts) * float(p_values[i])),
    )
    if size is None:
        return GoodnessOfFit(tests=(single,))
    (mean, variance, farthest), total, everyone = size, float(counts.sum()), float(n[0])
    away = abs(total - everyone * mean)
    spread = everyone * variance + farthest * away / 3
    settled = away <= _ROUNDING * total
    together = FitTest(
        claim=FitClaim.TOTAL,
        event="Any answer",
        observed=total,
        expected=(everyone * mean, everyone * mean),
        reports=everyone,
        statistic=total,
        p_value=1.0 if settled else min(1.0, 2 * math.exp(-(away**2) / (2 * spread))),
    )
    return GoodnessOfFit(tests=(single, together))


@final
@dataclass(frozen=True, slots=True)
class _Event:
    """A set of reports: how many there were, and how likely it is at least and at most."""

    what: str
    count: float
    least: float
    most: float


@final
@dataclass(frozen=True, slots=True)
class _Rows:
    """The chances of sets of ranges given the answer, among those that are sent."""

    channel: AbstractRangeChannel
    ends: Integers
    law: Floats

    def bounds(self, among: Booleans) -> tuple[float, float]:
        """The least and the largest chance, over all answers that are heard of."""
        ticks, heard = self.channel.line.ticks, self.channel.inclusion_probability()
        exact = within(self.channel.open, self.ends)
        chance = heard_of(ticks, self.ends[among & ~exact], self.law[among & ~exact])
        for low, high in self.channel.open:
            chance[low:high] = 0
        chance[self.ends[among & exact, 0]] = 1
        some = heard > 0
        found = np.clip(chance[some] / heard[some], 0, 1)
        return float(found.min()), float(found.max())


def _lower_tail(count: Floats, n: Floats, chance: Floats) -> Floats:
    """P(Binomial(n, chance) ≤ count), of arrays."""
    from scipy.special import betainc

    inner = (count < n) & (chance > 0)
    left = np.where(inner, n - count, 1.0)
    tail = betainc(left, np.where(inner, count, 0.0) + 1, 1 - np.where(inner, chance, 0.5))
    return np.asarray(np.where(inner, tail, 1.0))


def _tails(count: Floats, n: Floats | float, lowest: Floats, highest: Floats) -> Floats:
    """Bound the chances that honest reports are so few, or so many: twice the smaller tail."""
    count, lowest, highest = (
        np.asarray(column, dtype=float) for column in (count, lowest, highest)
    )
    n = np.broadcast_to(np.asarray(n, dtype=float), count.shape)
    few = _lower_tail(count, n, lowest * (1 - _ROUNDING))
    many = _lower_tail(n - count, n, 1 - np.minimum(highest * (1 + _ROUNDING), 1.0))
    sides = (lowest > 0).astype(int) + (highest < 1)
    return np.asarray(np.where(sides, np.minimum(1.0, sides * np.minimum(few, many)), 1.0))


def _likeliest(claim: FitClaim, events: Iterable[_Event], n: float, many: int = 0) -> FitTest:
    """Test each event of a family, of so many members, and give the one that fits worst."""
    listed = list(events)
    count, lowest, highest = np.array([(e.count, e.least, e.most) for e in listed]).T
    p_values = _tails(count, n, lowest, highest)
    i = int(np.argmin(p_values))
    worst = listed[i]
    return FitTest(
        claim=claim,
        event=worst.what,
        observed=worst.count,
        expected=(n * worst.least, n * worst.most),
        reports=n,
        statistic=worst.count,
        p_value=min(1.0, max(many, len(listed)) * float(p_values[i])),
    )


def _ranges(
    channel: AbstractRangeChannel, rows: _Rows, cells: Integers, counts: Floats
) -> tuple[list[_Event], int]:
    """Bound each range that came by its chance, largest over the answers in it."""
    heard = np.maximum(channel.inclusion_probability(), 1e-300)
    chances = dict(zip(map(tuple, rows.ends.tolist()), rows.law.tolist(), strict=True))
    events = []
    for (low, high), count in zip(cells.tolist(), counts.tolist(), strict=True):
        inside = np.concatenate([heard[a:b] for a, b in channel.pieces(low, high)])
        most = min(chances.get((low, high), 0.0) / float(inside.min()), 1.0)
        events.append(_Event(f"The range {range_written(channel, low, high)}", count, 0.0, most))
    return events, len(rows.ends)


def _ends(
    channel: AbstractRangeChannel, rows: _Rows, cells: Integers, counts: Floats
) -> tuple[list[_Event], int]:
    """Ask how often the lowest, and the highest, end that is a cut is at or below some ticks."""
    cuts, last = channel.cut_ticks(), channel.line.ticks
    some = cuts[np.unique(np.linspace(0, len(cuts) - 1, min(_TICKS, len(cuts))).astype(int))]
    events = []
    for word, side in (("lowest", 0), ("highest", 1)):
        mine, theirs = _cut_end(rows.ends, side, last), _cut_end(cells, side, last)
        for tick in some.tolist():
            count = float(counts[theirs <= tick].sum())
            what = f"A {word} end at or below {channel.line.at(tick)}"
            events.append(_Event(what, count, *rows.bounds(mine <= tick)))
    return events, 0


def _cut_end(cells: Integers, side: int, last: int) -> Integers:
    """The lowest or highest end that is a cut; beyond the line where there is none."""
    ends = np.sort(cells, axis=1)
    low, high = ends.T
    if side:
        return np.where(high < last, high, np.where(low > 0, low, last + 1))
    return np.where(low > 0, low, np.where(high < last, high, last + 1))


def _widths(
    channel: AbstractRangeChannel, rows: _Rows, cells: Integers, counts: Floats
) -> tuple[list[_Event], int]:
    """Ask how often ranges hold at most so many steps."""
    one = np.ones(channel.line.ticks)
    mine, theirs = channel.inside(rows.ends, one), channel.inside(cells, one)
    wide = np.unique(mine)
    some = wide[np.unique(np.linspace(0, len(wide) - 1, min(_WIDTHS, len(wide))).astype(int))]
    return [
        _Event(
            f"A range of at most {most:,.0f} step{'' if most == 1 else 's'}",
            float(counts[theirs <= most + 0.5].sum()),
            *rows.bounds(mine <= most + 0.5),
        )
        for most in some.tolist()
    ], 0
