"""Shares of sets of answers through any channel: points if identified, bounds otherwise.

A channel need not tell every answer from every other: the share of a set may be known though the
shares of its members are not, or known only to lie between two ends (partial identification). The
likelihood is concave in the shares whatever the channel, so that both are read from it alike: the
shares at its top are the identified set, and the interval is all whose profile is close to the top.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import ClassVar, final, overload

import numpy as np

from askance.channels.channel import Channel
from askance.channels.grouped_tally import GroupedTally, counts_by_group
from askance.channels.tally import Tally, of_arrays, sums_of
from askance.chart import Axis, Chart, chart_frame, draw_result, sets_chart
from askance.inference.fit_result import Convergence, GoodnessOfFit
from askance.inference.frequency_tests import fit_of_groups
from askance.inference.maximisation import maximise_mixture, mixture
from askance.inference.provenance import Computation
from askance.inference.shares.information import speaking
from askance.inference.shares.ratio_profile import RatioProfile
from askance.inference.shares.sampled_law import SampledLaw
from askance.inference.shares.share_intervals import frequent, refuse_impossible
from askance.results import (
    Cells,
    Listing,
    cells_of,
    counted,
    figure_rows,
    json_of,
    listed,
    normal_quantile,
    over_replicates,
    result_frame,
    result_stream,
    student_quantile,
)
from askance.typing import Booleans, Floats, Integers, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError

_TOLERANCE = 1e-12  # the gap, per report, at which a maximum counts as certified
_EDGE = 1e-6  # a slope that is less than that of the answers that are there
_NEVER = 1e-300
_RANK = 1e-10
_IN_SPAN = 1e-9  # how far a combination of reports may miss one that they determine
_FEW_CORNERS = 200  # of a programme: all are gone through
_CLOSE = 1e-10  # a share that is less is 0
_POINT = 1e-7  # identified sets this narrow are points: the programme's own tolerance
_MISFIT = 1e-9  # of all reports: frequencies that are equal but for rounding


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PartialEstimate:
    """Partially identified shares: identified sets and confidence intervals.

    Attributes
    ----------
    title : str
        What the shares are of.
    labels : tuple of str
        The k sets.
    low, high : array, shape (k,)
        The identified set of each share, estimated: more reports do not make it narrower. Equal
        where the reports determine the share.
    lower, upper : array, shape (k,)
        Ends of the interval that holds the whole identified set of each share.
    level : float
        How often it does.
    reports : int
        Reports that say anything.
    convergence : Convergence
    low_se, high_se : array, shape (k,), or None
        Of a sample with weights or a sampling design, the standard errors of both ends, linearised.
    df : float
        Degrees of freedom of a complex sample; infinite otherwise.
    replicates : int
        Over how many replicates the sample's variance was found; 0 if over none.
    is_among_asked : bool
        Whether shares are among all who were asked: `reports` then counts these people.
    goodness_of_fit : GoodnessOfFit
        Whether the channel can have sent these reports at all.

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> ak.inference.estimate_sets(
    ...     ak.Tally(q, {"yes": 400, "no": 600}), {"yes": ["yes"], "either": ["yes", "no"]}
    ... ).is_identified
    array([ True,  True])
    """

    computation: ClassVar[Computation] = Computation.PARTIAL_IDENTIFICATION
    title: str = "share of each set"
    labels: tuple[str, ...]
    low: Floats
    high: Floats
    lower: Floats
    upper: Floats
    level: float
    reports: int
    convergence: Convergence
    low_se: Floats | None = None
    high_se: Floats | None = None
    df: float = math.inf
    replicates: int = 0
    is_among_asked: bool = False
    goodness_of_fit: GoodnessOfFit

    @property
    def is_identified(self) -> Booleans:
        """Whether the reports determine each share."""
        return np.asarray(self.high - self.low <= 0)

    def columns(self) -> Cells:
        """The head of a table, and its rows, numbers as they are."""
        ends = (self.low, self.high, self.lower, self.upper)
        return ["what", "low", "high", "lower", "upper"], cells_of(self.labels, *ends)

    def to_dict(self) -> Json:
        """Write the shares for JSON."""
        names = (
            "title labels low high lower upper level reports"
            + " is_among_asked" * self.is_among_asked
        )
        if self.low_se is not None:
            names += " low_se high_se" + ("" if math.isinf(self.df) else " df replicates")
        return json_of(self, names) | self.convergence.to_dict() | json_of(self, "goodness_of_fit")

    def _table(self) -> Listing:
        percent = f"{100 * self.level:g} %"
        rows = figure_rows(self.labels, self.low, self.high, self.lower, self.upper)
        notes = [f"{describe_reports(self)}; {self.convergence.value}", *self._sampled()]
        notes += self.goodness_of_fit.misfit
        return self.title, ["", "from", "to", f"{percent} from", "to"], rows, notes

    def _sampled(self) -> list[str]:
        if self.low_se is None:
            return []
        over = over_replicates(self.replicates)
        suffix = "" if math.isinf(self.df) else f"{over}, {self.df:g} degrees of freedom"
        return [f"weighted; design effects of a sample{suffix}"]

    def _chart(self) -> Chart:
        """Describe the identified sets as boxes, points as dots, and the intervals as lines."""
        high = np.where(self.is_identified, self.low, self.high)
        ends, x = (self.lower, self.upper), Axis(name=self.title, limits=(0, 1))
        return sets_chart(self.labels, (self.low, high), ends, level=self.level, x=x)

    plot = draw_result
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


def describe_reports(estimate: PartialEstimate) -> str:
    """Describe the sample size: reports, or all people who were asked."""
    if estimate.is_among_asked:
        return f"{estimate.reports:,} people who were asked"
    return counted(estimate.reports, "report")


@checked
def estimate_sets(
    tally: Tally | GroupedTally, sets: Mapping[str, Sequence[str]], level: float = 0.95
) -> PartialEstimate:
    r"""Estimate the shares of sets of answers, or bound what the reports leave open of them.

    The identified set of :math:`\theta = \sum_{i \in S} \pi_i` is that of all maximisers of the
    likelihood :math:`\ell(\pi) = \sum_j n_j \log \sum_i \pi_i q_{ij}`, and its interval

    .. math:: \{ u : 2 (\max \ell - \max\{\ell(\pi) : \theta = u\}) \le z^2 \}

    With sampling weights n_j is n times the weighted frequency (pseudo-likelihood), and z² is that
    of Student's law times the design effect of the end: its linearised variance in the tally's
    complex sample, over that of as many people drawn alike.

    Use `estimate` where the reports tell all answers apart; here a margin of a joint question may
    be known though its cells are not. An interval holds the whole identified set, which is more
    than to hold the true share; where that is a point they are the same.

    Parameters
    ----------
    tally : Tally or GroupedTally
    sets : mapping of str to sequence of str
        The answers in each set, by its name.
    level : float

    Raises
    ------
    InputError
        If there is no set, one is empty or has an unknown answer, a report was received that no
        answer can send, or the level is not in (0, 1).

    References
    ----------
    Rao & Scott (1984), on likelihood ratios of complex samples.

    >>> import askance as ak
    >>> reports = {"a": ["a"], "b or c": ["b", "c"]}
    >>> q = ak.Channel(ak.Frame(["a", "b", "c"]), reports, [[0.9, 0.1], [0.2, 0.8], [0.2, 0.8]])
    >>> estimate_sets(ak.Tally(q, {"a": 340, "b or c": 660}), {"a": ["a"], "b": ["b"]})
    share of each set
       from   to  95 % from      to
    a   0.2  0.2     0.1587  0.2425
    b     0  0.8          0  0.8413
    1,000 reports; the maximum of the likelihood, certified by its gap
    """
    if not sets:
        raise InputError("sets", got="no set", allowed="one or more by name")
    frame = tally.frame if isinstance(tally, GroupedTally) else tally.channel.frame
    wanted = {}
    for name, members in sets.items():
        mask = frame.mask(members)
        if not mask:
            raise InputError(f"sets[{name!r}]", got="no answer", allowed="at least one answer")
        indicator = np.array([mask >> answer & 1 for answer in range(len(frame))], dtype=np.float64)
        wanted[name] = Wanted(least=indicator, most=indicator, among=np.ones(len(frame)))
    top, fit = TallyMaximum.of(given_speaking(tally)), fit_of_groups(counts_by_group(tally))
    (estimate,) = partial_estimates(top, {"share of each set": wanted}, level, fit)
    return estimate


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Wanted:
    """A share that lies between Σ least·π / Σ among·π and Σ most·π / Σ among·π.

    Attributes
    ----------
    least, most, among : array, shape (k,)
        Each in [0, 1], the first nowhere above the second, nor that above the last.
    """

    least: Floats
    most: Floats
    among: Floats


@overload
def given_speaking(tally: Tally, speaks: Booleans | None = None) -> Tally: ...


@overload
def given_speaking(tally: GroupedTally, speaks: Booleans | None = None) -> GroupedTally: ...


def given_speaking(
    tally: Tally | GroupedTally, speaks: Booleans | None = None
) -> Tally | GroupedTally:
    """Condition on how many reports say something: their tally, through the chances given that.

    How many say nothing, and with which weights, is ancillary: of what is left neither frequencies
    nor how they vary depend on it.

    Parameters
    ----------
    tally : Tally or GroupedTally
    speaks : array of bool, shape (m,), optional
        Which reports are kept, stacked where there are groups; others are as likely whatever the
        answer is. Those whose chance depends on it if left out. A report that no answer can send
        stays, so that it is refused.

    >>> from askance.channels.frame import Frame
    >>> reports = {"yes": ["yes"], "no": ["no"], "don't know": ["yes", "no"]}
    >>> q = Channel(Frame(["yes", "no"]), reports, [[0.6, 0.1, 0.3], [0.1, 0.6, 0.3]])
    >>> informative = given_speaking(Tally(q, {"yes": 31, "no": 39, "don't know": 90}))
    >>> informative.counts.tolist(), informative.channel.matrix[0].round(6).tolist()
    ([31, 39], [0.857143, 0.142857])
    """
    if isinstance(tally, GroupedTally):
        parts = [tally.group == position for position in range(len(tally.tallies))]
        masks = [
            _informative_mask(group_tally.channel, None if speaks is None else speaks[part])
            for group_tally, part in zip(tally.tallies.values(), parts, strict=True)
        ]
        tallies = {
            name: given_speaking(group_tally, keep)
            for (name, group_tally), keep in zip(tally.tallies.items(), masks, strict=True)
        }
        places = np.flatnonzero(np.concatenate(masks))
        return GroupedTally(tallies, sample=tally.sample and tally.sample.of(places))
    channel, keep = tally.channel, _informative_mask(tally.channel, speaks)
    if keep.all():
        return tally
    sums, sample = sums_of(tally), tally.sample
    names = zip(channel.reports, channel.meanings, strict=True)
    meanings = {
        report: meaning for (report, meaning), is_kept in zip(names, keep, strict=True) if is_kept
    }
    matrix = channel.matrix[:, keep] / channel.matrix[:, keep].sum(axis=1, keepdims=True)
    return of_arrays(
        Channel(channel.frame, meanings, matrix, output=channel.output),
        tally.counts[keep],
        sums and (sums[0][keep], sums[1][keep]),
        tally.blanks,
        sample and sample.of(np.flatnonzero(keep)),
    )


def _informative_mask(channel: Channel, speaks: Booleans | None) -> Booleans:
    """Mask of the informative reports; all reports if the channel has no informative one."""
    keep = speaking(channel) if speaks is None else speaks
    never = channel.matrix.max(axis=0) == 0
    return keep | never if keep.any() else np.ones(len(keep), dtype=bool)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TallyMaximum:
    """A tally's likelihood at its maximum, which several sets of shares may attain.

    Attributes
    ----------
    rows : array, shape (m, k)
        The chance of each report given each answer; of groups, times their part of all reports.
    counts : array, shape (m,)
    shares : array, shape (k,)
        A maximiser.
    gap : float
    speaks : array of bool, shape (m,)
        Whether the report's chance depends on the answer.
    group : array of int, shape (m,)
        The position of the group that each report is of.
    reports : int
        How many were received that say anything.
    law : SampledLaw or None
        How the frequencies vary, where there are weights.
    """

    rows: Floats
    counts: Floats
    shares: Floats
    gap: float
    speaks: Booleans
    group: Integers
    reports: int
    law: SampledLaw | None

    @classmethod
    def of(cls, tally: Tally | GroupedTally) -> "TallyMaximum":
        """Maximise the likelihood; shares are equal where nothing was received.

        Raises
        ------
        InputError
            If a report was received that no answer can send.
        """
        stacked = tally.stacked if isinstance(tally, GroupedTally) else tally
        refuse_impossible(stacked)
        rows, counts = stacked.channel.matrix.T, frequent(stacked)
        shares, gap = _maximise_from_even(rows[counts > 0], counts[counts > 0])
        speaks = speaking(stacked.channel)
        return cls(
            rows=rows,
            counts=counts,
            shares=shares,
            gap=gap,
            speaks=speaks,
            group=tally.group
            if isinstance(tally, GroupedTally)
            else np.zeros(len(counts), dtype=np.int64),
            reports=int(stacked.counts[speaks].sum()),
            law=SampledLaw.of(stacked),
        )

    @property
    def chance(self) -> Floats:
        """The chance of each report; of those received it is the same for all maximisers."""
        return self.rows @ self.shares

    @property
    def nearest(self) -> "TallyMaximum | None":
        """The same with expected counts, if shares at 0 keep the received counts from fitting.

        They are expected given how many reports of each group say something. Intervals are at least
        as wide as these: frequencies that are further out than shares can send them do not feign
        certainty.
        """
        expected, group = self.counts.copy(), self.group[self.speaks]
        chance, counts = self.chance[self.speaks], self.counts[self.speaks]
        totals = np.maximum(np.bincount(group, chance), _NEVER)
        expected[self.speaks] = (np.bincount(group, counts) / totals)[group] * chance
        off = np.abs(expected - self.counts).max(initial=0.0) > _MISFIT * counts.sum()
        if not off or self.free.all():
            return None
        return replace(self, counts=expected)

    @property
    def free(self) -> Booleans:
        """Which answers may be there: all but those that make the reports less likely."""
        is_observed = (self.counts > 0) & self.speaks
        if not is_observed.any():
            return np.ones(len(self.shares), dtype=bool)
        slope = (
            (self.counts[is_observed] / self.chance[is_observed])
            @ self.rows[is_observed]
            / self.counts[is_observed].sum()
        )
        return np.asarray(slope >= 1 - _EDGE)

    @property
    def dimension(self) -> int:
        """In how many directions the chances can move at the top, no share falling below 0."""
        if not self.counts.sum():
            return 0
        return int(np.linalg.matrix_rank(self.rows[:, self.free], tol=_RANK)) - 1

    @property
    def convergence(self) -> Convergence:
        """Convergence status of the maximisation."""
        if not self.counts[self.speaks].any():
            return Convergence.NO_REPORTS
        return Convergence.CONVERGED if self.gap <= _TOLERANCE else Convergence.STOPPED


def _maximise_from_even(rows: Floats, counts: Floats) -> tuple[Floats, float]:
    """Maximise from equal shares; equal columns count once and divide their share equally."""
    k = rows.shape[1]
    if not len(rows):
        return np.full(k, 1 / k), 0.0
    columns, which, times = np.unique(rows, axis=1, return_inverse=True, return_counts=True)
    start = np.full(len(times), 1 / len(times))
    shares, gap = maximise_mixture(mixture(columns, counts), start, _TOLERANCE)
    split_shares: Floats = (shares / times)[which.ravel()]
    return split_shares, gap


def partial_estimates(
    top: TallyMaximum, wanted: Mapping[str, Mapping[str, Wanted]], level: float, fit: GoodnessOfFit
) -> tuple[PartialEstimate, ...]:
    """Bound each wanted share, with the interval of its profile likelihood.

    Both ends are the least of something: the upper one of the share of all others. What several
    shares have in common is computed once.

    Parameters
    ----------
    top : TallyMaximum
    wanted : mapping of str to mapping of str to Wanted
        By what the shares are of, and by their names.
    level : float
    fit : GoodnessOfFit
        Of the reports.

    Raises
    ------
    InputError
        If the level is not in (0, 1).
    """
    z, law = normal_quantile(level), top.law
    if law is not None:
        z = student_quantile(level, max(law.df, 1.0))
    tops = (top,) if top.nearest is None else (top, top.nearest)
    cache: dict[bytes, tuple[float, float, float]] = {}

    def least(numerator: Floats, among: Floats) -> tuple[float, float, float]:
        key = np.stack([numerator, among]).tobytes()
        if key not in cache:
            low, slope = _minimise_ratio(top, numerator, among)
            variance, effect = (0.0, 1.0) if law is None else law.end(top.rows, top.shares, slope)
            reach = z * math.sqrt(effect)
            lower = min(
                _profile_ratio(maximum, numerator, among).lower_end(low, reach) for maximum in tops
            )
            untold = law is not None and law.df < 1
            cache[key] = low, 0.0 if untold else lower, math.sqrt(variance)
        return cache[key]

    def ends(target: Wanted) -> tuple[float, ...]:
        low, lower, low_se = least(target.least, target.among)
        others, upper, high_se = least(target.among - target.most, target.among)
        high = 1 - others
        if high - low <= _POINT:
            low = high = _clip_share((low + high) / 2)
        return low, high, lower, 1 - upper, low_se, high_se

    return tuple(
        _build_estimate(top, title, tuple(of), list(map(ends, of.values())), level, fit)
        for title, of in wanted.items()
    )


def _build_estimate(
    top: TallyMaximum,
    title: str,
    labels: tuple[str, ...],
    ends: list[tuple[float, ...]],
    level: float,
    fit: GoodnessOfFit,
) -> PartialEstimate:
    low, high, lower, upper, low_se, high_se = np.array(ends).reshape(-1, 6).T
    return PartialEstimate(
        title=title,
        labels=labels,
        low=low,
        high=high,
        lower=lower,
        upper=upper,
        level=level,
        reports=top.reports,
        convergence=top.convergence,
        low_se=None if top.law is None else low_se,
        high_se=None if top.law is None else high_se,
        df=math.inf if top.law is None else top.law.df,
        replicates=0 if top.law is None else top.law.replicates,
        goodness_of_fit=fit,
    )


def _minimise_ratio(top: TallyMaximum, numerator: Floats, among: Floats) -> tuple[float, Floats]:
    """Least ratio Σ numerator·π / Σ among·π at the top, and its slope by the chances of reports.

    A linear programme in π over the denominator (Charnes & Cooper, 1962), unless the reports
    determine the ratio; its dual is the slope.
    """
    is_observed = top.counts > 0
    rows = np.concatenate([top.rows[is_observed], np.ones((1, len(top.shares)))])
    of, slope = float(among @ top.shares), np.zeros(len(is_observed))
    if of > 0:
        value = float(numerator @ top.shares) / of
        change = numerator - value * among
        combination = np.linalg.lstsq(rows.T, change, rcond=None)[0]
        if np.abs(combination @ rows - change).max() <= _IN_SPAN:
            slope[is_observed] = combination[:-1] / of
            return _clip_share(value), slope
    chance = np.append(top.chance[is_observed], 1.0)  # what all maximisers agree on
    fits = np.concatenate([rows, -chance[:, None]], axis=1)
    solution = _minimise_linear(
        np.append(numerator, 0.0),
        np.concatenate([fits, np.append(among, 0.0)[None]]),
        np.append(np.zeros(len(fits)), 1.0),
    )
    if solution is None:
        return 0.0, slope
    parts, prices = solution
    slope[is_observed] = prices[:-2] * parts[-1]
    return _clip_share(float(numerator @ parts[:-1])), slope


def _minimise_linear(cost: Floats, fits: Floats, right: Floats) -> tuple[Floats, Floats] | None:
    """The x ≥ 0 with fits·x = right of least cost, and its prices; None where no x fits.

    Where there are few corners all are gone through, and one is taken whose prices prove it best:
    no cost falls below what its column is worth. A solver takes longer to begin.
    """
    basis, size, _ = np.linalg.svd(fits, full_matrices=False)
    basis = basis[:, size > _RANK * size[0]]
    if math.comb(len(cost), basis.shape[1]) <= _FEW_CORNERS:
        reduced = basis.T @ fits
        corners = np.array(list(combinations(range(len(cost)), basis.shape[1])))
        columns = np.moveaxis(reduced[:, corners], 1, 0)
        is_regular = np.abs(np.linalg.det(columns)) > _RANK
        corners, columns = corners[is_regular], columns[is_regular]
        parts = np.linalg.solve(columns, (basis.T @ right)[:, None])[:, :, 0]
        prices = np.linalg.solve(columns.transpose(0, 2, 1), cost[corners][:, :, None])[:, :, 0]
        proven = (parts >= -_IN_SPAN).all(axis=1)
        proven &= (cost - prices @ reduced >= -_IN_SPAN).all(axis=1)
        if proven.any():
            best, solution = int(proven.argmax()), np.zeros(len(cost))
            solution[corners[best]] = parts[best].clip(0)
            if np.abs(fits @ solution - right).max() <= _IN_SPAN:
                return solution, basis @ prices[best]
    return _solve_programme(cost, fits, right)


def _solve_programme(cost: Floats, fits: Floats, right: Floats) -> tuple[Floats, Floats] | None:
    from scipy.optimize import linprog

    solution = linprog(cost, A_eq=fits, b_eq=right, bounds=(0, None), method="highs")
    return None if solution.x is None else (solution.x, solution.eqlin.marginals)


def _clip_share(value: float) -> float:
    """Clip to [0, 1], and take numerical remainders for 0 or 1."""
    if value < _CLOSE:
        return 0.0
    return 1.0 if value > 1 - _CLOSE else value


def _profile_ratio(top: TallyMaximum, numerator: Floats, among: Floats) -> RatioProfile:
    is_observed = top.counts > 0
    return RatioProfile(
        rows=top.rows[is_observed],
        counts=top.counts[is_observed],
        best=top.chance[is_observed],
        numerator=numerator,
        among=among,
    )
