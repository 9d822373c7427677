"""Shares of very many answers, from how many reports name each: the result, and its covariance.

A report of k-ary response, of a unary encoding, of subset selection, Hadamard response, projective
geometry or local hashing names a set of answers. How many reports name each answer tells its share,
however many answers there are, without a matrix of the channel.

Unbiased shares need be neither positive nor sum to one; they are moved onto the probability simplex
by clipping, projection, shrinkage towards equal shares, or the mean under a Dirichlet prior.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, Literal, final

import numpy as np
import numpy.typing as npt

from askance.channels.channel import Channel
from askance.channels.oracles import KAryOracle
from askance.channels.tally import SupportTally, Tally
from askance.chart import Axis, Chart, chart_frame, draw_result, rows_chart, zero_line
from askance.inference.fit_result import GoodnessOfFit
from askance.inference.frequency_tests import supports_fit
from askance.inference.provenance import Computation
from askance.inference.shares.sampled_law import SampledLaw
from askance.inference.shares.share_profiles import Symmetric, symmetric
from askance.inference.shares.support_law import (
    FrequencyCovariance,
    SupportLaw,
    counted_oftener,
    law_of,
    shared_and_own,
)
from askance.results import (
    Listing,
    counted,
    describe_freedom,
    describe_variance,
    doubles,
    json_of,
    keep_doubles,
    listed,
    normal_quantile,
    number,
    result_frame,
    result_stream,
    student_quantile,
    wilson,
)
from askance.typing import Booleans, Floats, Integers, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.ratio import read_ratio

Dependence = Literal["any", "positive"]
"""What is assumed of the counts of different answers."""

FrequencyMethod = Literal["unbiased", "clipped", "projected", "most likely", "posterior", "shrunk"]

_Counts = Integers | Floats  # those of a sample are not whole

_ROWS_LISTED = 20
_MOST_REPORTS = 10**15  # which doubles count
_PRIOR = 1.0


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SampledFrequencies:
    """How often reports of a sample with weights, or of a complex one, name each answer.

    Attributes
    ----------
    value : array, shape (k,)
        Weighted frequencies f.
    worth : array, shape (k,)
        Effective numbers of reports: of people drawn alike that tell f as precisely, f(1 − f) over
        its linearised variance.
    df : float
        Degrees of freedom of a complex sample; infinite with weights alone.
    replicates : int
        Over how many replicates the variances were found; 0 if linearised.
    correlation : array, shape (k, k), or None
        How frequencies go together; None of more than 50 answers, of which it is not kept.
    narrow : float
        What part of these intervals count, since Student's law is wider than the normal one (Korn
        & Graubard, 1998).
    """

    value: Floats
    worth: Floats
    df: float
    narrow: float
    replicates: int = 0
    correlation: Floats | None = None

    def __post_init__(self) -> None:
        keep_doubles(self)

    def counted(self) -> tuple[Floats, Floats]:
        """Equivalent support counts and trials, by the effective sample sizes."""
        trials = np.maximum(self.worth * self.narrow, _NOBODY)
        return self.value * trials, trials


_MOST_TOGETHER = 50  # answers of which it is told how they go together
_NOBODY = 1e-9  # reports, where no degree of freedom is left


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class FrequencyEstimate:
    """The estimated share of each of many answers.

    Attributes
    ----------
    title : str
        What the shares are of.
    labels : tuple of str, or None
        The k answers; None where they are known by their positions.
    law : SupportLaw
    counts : array of int, shape (k,)
        How many reports name each answer.
    reports : int
        n, all reports.
    trials : array of int, shape (k,)
        How many of them tell of each answer: all, unless each asks about some answers alone.
    value : array, shape (k,)
        Estimated shares; not a number without a report.
    lower, upper : array, shape (k,)
        Ends of the interval of each share, inside [0, 1] and never empty. They are the same for all
        methods: a share that was moved towards the others can lie outside.
    level : float
        How often such an interval holds the true share.
    method : str
    survey_estimate : SampledFrequencies, optional
        Of a tally with weights or a sampling design: what stands in for counts and reports.
    goodness_of_fit : GoodnessOfFit
        Whether the oracle can have sent these reports at all: everybody counts once.

    >>> unary = SupportLaw(true_positive_rate="1/2", false_positive_rate="1/4")
    >>> estimate = estimate_supports([2600, 4910, 2490], 10_000, unary, labels=["a", "b", "c"])
    >>> estimate.value.round(6).tolist(), estimate.above_noise.tolist()
    ([0.04, 0.964, -0.004], [True, True, False])
    >>> [estimate.label(i) for i in estimate.order().tolist()]
    ['b', 'a', 'c']
    """

    computation: ClassVar[Computation] = Computation.FREQUENCIES
    title: str = "share of each answer"
    labels: tuple[str, ...] | None
    law: SupportLaw
    counts: Integers
    reports: int
    trials: Integers
    value: Floats
    lower: Floats
    upper: Floats
    level: float
    method: FrequencyMethod
    survey_estimate: SampledFrequencies | None = None
    goodness_of_fit: GoodnessOfFit

    def __post_init__(self) -> None:
        for name in ("counts", "trials"):
            array = np.broadcast_to(np.array(getattr(self, name), dtype=np.int64), len(self.value))
            object.__setattr__(self, name, array)

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def unbiased(self) -> Floats:
        """The unbiased shares (c/n − q)/(p − q), which can leave [0, 1]."""
        if not self.reports:
            return np.full(len(self), np.nan)
        if self.survey_estimate is not None:
            return self.law.share(self.survey_estimate.value)
        return self.law.share(self.counts / self.trials)

    @property
    def covariance(self) -> FrequencyCovariance:
        """The covariance of the unbiased shares, at those shares moved onto the simplex.

        Of a sample by effective numbers of reports; how shares go together is kept of few answers.

        Raises
        ------
        InputError
            If there is no report.
        """
        if not self.reports:
            raise InputError(
                "FrequencyEstimate.covariance", got="no report", allowed="one report or more"
            )
        is_uniform = bool((self.trials == self.reports).all())
        sizes: npt.ArrayLike = self.reports if is_uniform else self.trials
        again = None
        if self.survey_estimate is not None:
            sizes = np.maximum(self.survey_estimate.worth, _NOBODY)
            again = self.survey_estimate.correlation
        return FrequencyCovariance(
            law=self.law, shares=projected(self.unbiased), reports=sizes, correlation=again
        )

    @property
    def se(self) -> Floats:
        """Standard error of each unbiased share, shape (k,)."""
        if not self.reports:
            return np.full(len(self), np.nan)
        return np.sqrt(self.covariance.diagonal())

    @property
    def above_noise(self) -> Booleans:
        """Answers whose share differs significantly from 0, shape (k,).

        Of all these on average at most 1 − level are wrong, however the counts depend: as
        `find_heavy_hitters` finds them. One interval by itself may leave out 0 by chance.
        """
        if not self.reports:
            return np.zeros(len(self), dtype=np.bool_)
        tails = counted_oftener(*self.counted(), float(self.law.named(0.0)))
        return adjust_p_values(tails) <= 1 - self.level

    def counted(self) -> tuple[Floats, Floats]:
        """Support counts and trials; effective ones for a weighted sample."""
        if self.survey_estimate is not None:
            return self.survey_estimate.counted()
        return self.counts.astype(float), self.trials.astype(float)

    def order(self) -> Integers:
        """The positions of the answers, the commonest first; equal ones as they stand."""
        return np.argsort(-np.nan_to_num(self.value), kind="stable")

    @checked
    def label(self, position: int) -> str:
        """The answer at a position.

        Raises
        ------
        InputError
            If there is none.
        """
        if not 0 <= position < len(self):
            raise InputError(
                "position", got=position, allowed=f"a position in [0, {len(self) - 1}]"
            )
        return str(position) if self.labels is None else self.labels[position]

    def to_dict(self) -> Json:
        """Write the estimate for JSON: lists for arrays, None where there is no number."""
        names = "title labels counts reports value se lower upper level method"
        above = {"above_noise": self.above_noise.tolist()}
        document = json_of(self, names) | above | json_of(self, "law goodness_of_fit")
        if self.survey_estimate is not None:
            document["survey_estimate"] = json_of(self.survey_estimate, "value worth df replicates")
        return document

    def _frame(self) -> Any:
        names = "counts value se lower upper above_noise"
        columns = {name: getattr(self, name) for name in names.split()}
        answers = range(len(self)) if self.labels is None else self.labels
        return {"answer": answers} | columns

    def _table(self) -> Listing:
        head = ["answer", "share", "se", f"{100 * self.level:g} % from", "to", "above noise"]
        se, above = self.se, self.above_noise
        columns = (self.value, se, self.lower, self.upper)
        rows = [
            [
                self.label(position),
                *(number(column[position]) for column in columns),
                _write_flag(above[position]),
            ]
            for position in self.order()[:_ROWS_LISTED].tolist()
        ]
        notes = [f"{counted(self.reports, 'report')}; {self.method}"]
        if self.survey_estimate is not None:
            df = self.survey_estimate.df
            sampling = (
                f"{describe_variance(self.survey_estimate.replicates)}, {describe_freedom(df)}"
            )
            alone = "linearised variance of a weighted sample"
            notes.append(sampling if df < math.inf else alone)
        if len(self) > _ROWS_LISTED:
            notes[0] = f"the commonest {_ROWS_LISTED} of {len(self):,} answers; {notes[0]}"
        below = len(self) - int(above.sum())
        if below:
            rate = f"false-discovery rate {100 * (1 - self.level):.3g} %"
            notes.append(
                f"below the noise, not told from a share of 0: {counted(below, 'answer')} ({rate})"
            )
        return self.title, head, rows, [*notes, *self.goodness_of_fit.misfit]

    def _chart(self) -> Chart:
        """Describe the 20 most frequent answers with their intervals, the commonest on top."""
        order = self.order()[:_ROWS_LISTED]
        return rows_chart(
            [self.label(position) for position in order.tolist()],
            self.value[order],
            (self.lower[order], self.upper[order]),
            level=self.level,
            x=Axis(name=self.title),
            y="answer",
            after=(zero_line(),),
        )

    plot = draw_result
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


def _write_flag(flag: bool) -> str:
    return "yes" if flag else "no"


@checked
def estimate_frequencies(
    tally: SupportTally | Tally,
    *,
    method: FrequencyMethod = "unbiased",
    prior: float | None = None,
    level: float = 0.95,
) -> FrequencyEstimate:
    """Frequency estimation (heavy hitters): shares of many answers from a frequency oracle's tally.

    Unbiased shares, or by one of the methods of `estimate_supports` shares that are none below 0
    and sum to one, with intervals and a covariance that is not written out.

    Parameters
    ----------
    tally : SupportTally or Tally
        Of an oracle, or of k-ary response, over however many answers; with weights or of a complex
        sample too. Shares are then weighted, their variances linearised, and counts those of as
        many people drawn alike as tell each frequency as precisely.
    method : str
        ``"unbiased"``, ``"clipped"``, ``"projected"``, ``"most likely"``, ``"posterior"`` or
        ``"shrunk"``, as in `estimate_supports`.
    prior : float, optional
        What the Dirichlet prior of ``"posterior"`` counts for each answer, in (0, 2]; 1 if left
        out.
    level : float

    Raises
    ------
    InputError
        If it is the tally of another channel; or as in `estimate_supports`.

    References
    ----------
    Wang et al. (2017), section 3.

    >>> from askance import Frame, KAry, Tally
    >>> q = KAry(truth="1/2").channel(Frame(["tea", "coffee", "milk", "wine"]))
    >>> t = Tally(q, {"tea": 2900, "coffee": 3400, "milk": 2050, "wine": 1650})
    >>> estimate_frequencies(t).value.round(6).tolist()
    [0.37, 0.52, 0.115, -0.005]
    >>> estimate_frequencies(t, method="projected").value.round(6).tolist()
    [0.368333, 0.518333, 0.113333, 0.0]
    """
    counts, trials, law = _read_support_counts(tally)
    plain = estimate_supports(
        counts,
        tally.total,
        law,
        trials=trials,
        method=method,
        prior=prior,
        labels=tally.channel.frame.answers,
        level=level,
    )
    survey_estimate = _sampled_frequencies(tally, level)
    return plain if survey_estimate is None else _replace_by_sample(plain, survey_estimate, prior)


def _sampled_frequencies(tally: SupportTally | Tally, level: float) -> SampledFrequencies | None:
    """Sampled frequencies of each answer; None for equally weighted people."""
    if isinstance(tally, SupportTally):
        if tally.sample is None:
            return None
        sample, alone = tally.sample, math.isinf(tally.sample.df)
        worth = (
            np.minimum(sample.effective_sample_size, tally.informative_counts)
            if alone
            else sample.effective_sample_size
        )
        return SampledFrequencies(
            value=sample.frequency.clip(0, 1),
            worth=worth,
            df=sample.df,
            narrow=_narrowing_factor(level, sample.df),
            replicates=sample.replicates,
            correlation=sample.correlation,
        )
    law = SampledLaw.of(tally)
    if law is None:
        return None
    events, narrow = _naming_reports(tally.channel), _narrowing_factor(level, law.df)
    return SampledFrequencies(
        value=law.frequency[events],
        worth=law.worth(level)[events] / max(narrow, _NOBODY),
        df=law.df,
        narrow=narrow,
        replicates=0 if tally.sample is None else tally.sample.replicates,
        correlation=law.correlation(events) if len(events) <= _MOST_TOGETHER else None,
    )


def _narrowing_factor(level: float, df: float) -> float:
    if df < 1:
        return 0.0
    return float((normal_quantile(level) / student_quantile(level, df)) ** 2)


def _replace_by_sample(
    estimate: FrequencyEstimate, survey_estimate: SampledFrequencies, prior: float | None
) -> FrequencyEstimate:
    """Replace counts by weighted frequencies and their effective sample sizes.

    Parameters
    ----------
    estimate : FrequencyEstimate
        By counts.
    survey_estimate : SampledFrequencies
    prior : float or None
    """
    counts, trials = survey_estimate.counted()
    lower, upper = _wilson_ends(
        survey_estimate.value, trials, estimate.law, normal_quantile(estimate.level)
    )
    value = _estimate_shares(
        counts, trials, estimate.law, estimate.method, _read_prior(prior, estimate.method)
    )
    return replace(estimate, value=value, lower=lower, upper=upper, survey_estimate=survey_estimate)


def _naming_reports(channel: Channel) -> Integers:
    """Which report of k-ary response names each answer."""
    if channel.oracle is not None:
        return np.arange(len(channel.frame))
    return np.asarray(channel.matrix.argmax(axis=1), dtype=np.int64)


def _read_support_counts(
    tally: SupportTally | Tally,
) -> tuple[Integers, Integers | None, SupportLaw]:
    """Read support counts, trials of each answer and the law from a tally."""
    channel = tally.channel
    if isinstance(tally, Tally) and channel.oracle is None:
        return _read_k_ary(tally, channel)
    oracle = channel.oracle
    assert oracle is not None
    law, is_partial = law_of(oracle)
    if is_partial:
        assert isinstance(tally, SupportTally)
        return tally.supports, tally.informative_counts, law
    counts = tally.supports if isinstance(tally, SupportTally) else oracle.supports(tally.counts)
    return counts, None, law


def _read_k_ary(tally: Tally, channel: Channel) -> tuple[Integers, None, SupportLaw]:
    """Read k-ary response from a matrix."""
    rows = channel.matrix.T
    response = symmetric(rows, tally.counts.astype(float))
    if response is None:
        raise InputError(
            "tally",
            got="a tally of a channel that does not protect all answers equally",
            allowed="one of a frequency oracle or of k-ary response",
            remedy="estimate it by ak.estimate",
        )
    row, k = int(rows[:, 0].argmax()), len(rows)
    table = channel.table
    own = (
        read_ratio(float(rows[row, 0]))
        if table is None
        else Fraction(table.rows[0][row], table.total)
    )
    k_ary = KAryOracle(answers=k, truth=own)
    never = Fraction(0)
    law = SupportLaw(
        true_positive_rate=k_ary.true_positive_rate,
        false_positive_rate=k_ary.false_positive_rate,
        both_inside=never,
        both_outside=never,
    )
    return response.counts.astype(np.int64), None, law


@checked
def estimate_supports(
    counts: npt.ArrayLike,
    reports: int,
    law: SupportLaw,
    *,
    trials: npt.ArrayLike | None = None,
    method: FrequencyMethod = "unbiased",
    prior: float | None = None,
    labels: Sequence[str] | None = None,
    level: float = 0.95,
) -> FrequencyEstimate:
    r"""Frequency estimation from support counts: as `estimate_frequencies`, without a tally.

    .. math:: \hat\pi_a = \frac{c_a/n - q}{p - q}

    is unbiased, for c_a reports of n that name the answer (Wang et al., 2017, section 3). The
    other methods give shares on the probability simplex; the page "Estimate many answers" compares
    their errors.

    Intervals are Wilson's (1927) of the support count, which is binomial, mapped through the
    straight line above and cut to [0, 1]. Where c/n lies outside [q, p] they also hold what
    the nearest of these would give, so that none is empty.

    Parameters
    ----------
    counts : array of int, shape (k,)
        c, how many reports name each answer.
    reports : int
        n, all reports.
    law : SupportLaw
        How often a report names the true and any other answer.
    trials : array of int, shape (k,), optional
        How many reports tell of each answer, n_a in place of n: where each person is asked about
        some answers alone, drawn without looking at the true one. The law is then that of who was
        asked. All reports, if left out.
    method : str
        ``"unbiased"``; ``"clipped"``: cut at 0 and divided by their sum; ``"projected"``: the
        nearest shares on the simplex (Norm-Sub); ``"most likely"``: for k-ary response alone, since
        of other reports support counts do not tell the likelihood; ``"posterior"``: the mean under
        a Dirichlet prior, by the normal law of each count; ``"shrunk"``: towards equal shares, as
        far as the noise explains their spread, and projected.
    prior : float, optional
        What the Dirichlet prior counts for each answer, in (0, 2]; 1 if left out.
    labels : sequence of str, optional
        The answers; positions if left out.
    level : float

    Raises
    ------
    InputError
        If a count is no whole number in [0, n], nobody told of an answer though there are reports,
        the most likely shares are asked of another channel than k-ary response, or a prior is given
        to a method that has none.

    References
    ----------
    Wang et al. (2017), section 3; Wang et al. (2020), section IV, for "clipped" and "projected";
    Kairouz, Bonawitz & Ramage (2016) for k-ary response; Efron & Morris (1973) for "shrunk".

    >>> kary = SupportLaw(
    ...     true_positive_rate="1/2", false_positive_rate="1/6", both_inside=0, both_outside=0
    ... )
    >>> estimate_supports(
    ...     [2900, 3400, 2050, 1650], 10_000, kary, labels=["tea", "coffee", "milk", "wine"]
    ... )
    share of each answer
    answer   share       se  95 % from      to  above noise
    coffee    0.52  0.01421     0.4923   0.548          yes
    tea       0.37  0.01361     0.3436  0.3969          yes
    milk     0.115   0.0121     0.0916  0.1391          yes
    wine    -0.005  0.01118          0  0.0223           no
    10,000 reports; unbiased
    below the noise, not told from a share of 0: 1 answer (false-discovery rate 5 %)
    """
    z, (supports, trials) = normal_quantile(level), _read_supports(counts, reports, trials)
    names = None if labels is None else tuple(labels)
    if names is not None and len(names) != len(supports):
        raise InputError(
            "labels", got=f"{len(names):,} names", allowed=f"one for each of {len(supports):,}"
        )
    value = _estimate_shares(supports, trials, law, method, _read_prior(prior, method))
    lower, upper = _wilson_ends(supports / np.maximum(trials, 1), trials, law, z)
    return FrequencyEstimate(
        labels=names,
        law=law,
        counts=supports,
        reports=reports,
        trials=trials,
        value=value,
        lower=lower,
        upper=upper,
        level=level,
        method=method,
        goodness_of_fit=_test_fit(supports, trials, law, names),
    )


def _test_fit(
    supports: Integers, trials: Integers, law: SupportLaw, names: tuple[str, ...] | None
) -> GoodnessOfFit:
    """Test support counts, and their sum where the size of a report's set has a known law."""
    k, p, q = len(supports), law.true_positive_rate, law.false_positive_rate
    size = None
    if law.both_inside is not None and law.both_outside is not None and trials.ndim == 0:
        mean = p + (k - 1) * q
        square = mean + 2 * (k - 1) * law.both_inside + (k - 1) * (k - 2) * law.both_outside
        farthest = max(mean, k - mean)
        size = float(mean), float(max(square - mean**2, Fraction(0))), float(farthest)
    return supports_fit(supports, trials, (float(q), float(p)), names, size)


def _read_supports(
    counts: npt.ArrayLike, reports: int, sizes: npt.ArrayLike | None
) -> tuple[Integers, Integers]:
    """Read support counts: whole numbers, at most the number of reports on the answer."""
    if not 0 <= reports <= _MOST_REPORTS:
        raise InputError("reports", got=reports, allowed="a whole number in [0, 10^15]")
    numbers = doubles(counts, "counts")
    if numbers.ndim != 1 or len(numbers) < 2:
        raise InputError(
            "counts",
            got=f"shape {numbers.shape}",
            allowed="a count for each of two or more answers",
        )
    trials = np.array(float(reports)) if sizes is None else doubles(sizes, "trials")
    if sizes is not None:
        if trials.shape != numbers.shape:
            raise InputError(
                "trials", got=f"shape {trials.shape}", allowed=f"one for each of {len(numbers):,}"
            )
        _refuse_counts(trials, min(reports, 1), np.array(float(reports)), "trials")
    _refuse_counts(numbers, 0, trials, "counts")
    return numbers.astype(np.int64), trials.astype(np.int64)


def _refuse_counts(counts: Floats, least: int, most: Floats, where: str) -> None:
    """Refuse counts that are not whole numbers between two limits."""
    odd = ~((counts >= least) & (counts <= most) & (counts == np.floor(counts)))
    if odd.any():
        i = int(np.argmax(odd))
        top = int(np.broadcast_to(most, counts.shape)[i])
        raise InputError(
            f"{where}[{i}]",
            got=float(counts[i]),
            allowed=f"a whole number in [{least}, {top}], the reports",
            remedy="ask more people, or of fewer answers" if least > counts[i] == 0 else "",
        )


def _read_prior(prior: float | None, method: FrequencyMethod) -> float:
    if prior is None:
        return _PRIOR
    if method != "posterior":
        raise InputError(
            "prior", got=prior, allowed='nothing, unless method="posterior"', remedy="leave it out"
        )
    if not 0 < prior <= 2:
        raise InputError("prior", got=prior, allowed="a number in (0, 2]")
    return prior


def _estimate_shares(
    counts: _Counts, trials: _Counts, law: SupportLaw, method: FrequencyMethod, prior: float
) -> Floats:
    if not trials.all():
        return np.full(len(counts), np.nan)
    if method == "most likely":
        return _most_likely(counts, trials, law)
    raw = law.share(counts / trials)
    if method == "clipped":
        return clipped(raw)
    if method == "projected":
        return projected(raw)
    if method == "shrunk":
        named = law.named(raw.clip(0, 1))
        return shrunk(raw, named * (1 - named) / (trials * float(law.gain) ** 2))
    if method == "posterior":
        occurring, of, back, times = _distinct_counts(counts, trials)
        distinct = law.share(occurring / of)
        own = shared_and_own(law, distinct.clip(0, 1))[1] / (of * float(law.gain) ** 2)
        spread = np.maximum(own, (0.5 / of / float(law.gain)) ** 2)
        means: Floats = posterior_mean(distinct, spread, prior, times)[back]
        return means
    return raw


def _distinct_counts(counts: _Counts, trials: _Counts) -> tuple[Any, Any, Any, Integers]:
    """Which counts occur, out of how many reports, where, and how often; all if those differ."""
    if trials.ndim:
        return counts, trials, slice(None), np.ones(len(counts), dtype=np.int64)
    occurring, back, times = np.unique(counts, return_inverse=True, return_counts=True)
    return occurring, trials, back, times


def _most_likely(counts: _Counts, trials: _Counts, law: SupportLaw) -> Floats:
    """The most likely shares of k-ary response, whose support counts are its reports."""
    single = law.both_inside == law.both_outside == 0
    if not single or law.true_positive_rate + (len(counts) - 1) * law.false_positive_rate != 1:
        raise InputError(
            "method",
            got="most likely",
            allowed="k-ary response: reports that name one answer each",
            remedy='support counts do not tell the likelihood; take "projected" or "posterior"',
        )
    reports = int(trials.max())
    if trials.dtype.kind == "f":  # of a sample, each frequency of as many people as tell it
        counts = counts / trials
    elif int(counts.sum()) != reports:
        raise InputError(
            "counts",
            got=f"a sum of {int(counts.sum()):,}",
            allowed=f"{reports:,}, since each report names one answer",
        )
    base = float(law.false_positive_rate)
    return Symmetric(counts=counts.astype(float), base=base, slope=float(law.gain)).shares()


def _wilson_ends(
    frequency: Floats, trials: _Counts, law: SupportLaw, z: float
) -> tuple[Floats, Floats]:
    """Map Wilson's interval of each frequency to shares."""
    n = np.atleast_1d(trials).astype(float)
    nearest = frequency.clip(float(law.false_positive_rate), float(law.true_positive_rate))
    low, high = wilson(np.stack([frequency, nearest]), n, z)
    lower, upper = law.share(np.stack([low.min(axis=0), high.max(axis=0)])).clip(0, 1)
    return lower, upper


def adjust_p_values(p_values: Floats, dependence: Dependence = "any") -> Floats:
    r"""Step-up q-values: the least false-discovery rate at which each answer is found.

    .. math:: q_{(i)} = \min_{j \ge i} \frac{k\,h}{j}\, p_{(j)}

    with h = 1 + ½ + … + 1/k under any dependence (Benjamini & Yekutieli, 2001, Theorem 1.3), and
    h = 1 under positive dependence (Benjamini & Hochberg, 1995, equation 1).

    >>> adjust_p_values(np.array([0.04, 0.01]), "positive").tolist()
    [0.04, 0.02]
    >>> adjust_p_values(np.array([0.04, 0.01])).tolist()  # h is 1.5
    [0.06, 0.03]
    """
    k = len(p_values)
    order = np.argsort(p_values, kind="stable")
    price = float((1 / np.arange(1, k + 1)).sum()) if dependence == "any" else 1.0
    steps = p_values[order] * k * price / np.arange(1, k + 1)
    q_values = np.empty(k)
    q_values[order] = np.minimum.accumulate(steps[::-1])[::-1].clip(0, 1)
    return q_values


_FAR = 30.0  # standard deviations beyond which a series serves
_CLOSE = 1e-12  # of the sum of shares


def clipped(raw: Floats) -> Floats:
    """Cut shares at 0 and divide them by their sum; equal ones where none is above 0.

    Called Norm-Mul by Wang et al. (2020), section IV.

    >>> clipped(np.array([0.6, 0.6, -0.2])).tolist()
    [0.5, 0.5, 0.0]
    """
    positive: Floats = raw.clip(0)
    total = float(positive.sum())
    return positive / total if total > 0 else np.full(len(raw), 1 / len(raw))


def projected(raw: Floats) -> Floats:
    """The nearest shares on the simplex: all moved by one number, those below 0 cut.

    Called Norm-Sub by Wang et al. (2020), section IV; the projection is by Michelot (1986).

    >>> projected(np.array([0.7, 0.6, -0.3])).round(9).tolist()
    [0.55, 0.45, 0.0]
    """
    falling = -np.sort(-raw)
    thresholds = (np.cumsum(falling) - 1) / np.arange(1, len(raw) + 1)
    last = int(np.flatnonzero(falling > thresholds)[-1])
    shares = np.maximum(raw - thresholds[last], 0.0)
    nearest: Floats = shares / shares.sum()
    return nearest


def shrunk(raw: Floats, variance: Floats) -> Floats:
    r"""Shrink shares towards equal ones (empirical Bayes, James–Stein), onto the simplex.

    .. math:: \frac1k + \frac{A}{A + v_a} \Bigl(\hat\pi_a - \frac1k\Bigr), \qquad
              A = \max\Bigl(0, \frac{1}{k - 1} \sum_a \bigl[(\hat\pi_a - \tfrac1k)^2 - v_a\bigr]
              \Bigr)

    the posterior mean where shares are normal about 1/k with variance A, estimated by moments, and
    unbiased shares normal about them with variance v. Negative ones are then moved onto the
    simplex.

    References
    ----------
    Efron & Morris (1973), for estimated prior variances.

    >>> shrunk(np.array([0.4, 0.3, 0.2, 0.1]), np.full(4, 1.0)).tolist()  # all is noise
    [0.25, 0.25, 0.25, 0.25]
    >>> shrunk(np.array([0.7, 0.3]), np.full(2, 0.02)).round(9).tolist()  # A = .04
    [0.633333333, 0.366666667]
    """
    k = len(raw)
    deviations = raw - 1 / k
    prior = max(0.0, float((deviations**2 - variance).sum()) / (k - 1))
    return projected(1 / k + prior / (prior + variance) * deviations)


def posterior_mean(raw: Floats, variance: Floats, prior: float, times: Integers) -> Floats:
    r"""The posterior mean of shares under a Dirichlet prior, by the normal law of each.

    A Dirichlet law is that of independent Gamma numbers of a common rate, given their sum. With the
    sum held at one on average, by the rate T, each share has by itself the density

    .. math:: \propto \pi^{\alpha - 1} e^{-T \pi} e^{-(\pi - \hat\pi)^2 / 2v}

    whose mean is that of `truncated_mean`. Approximate in two ways: unbiased shares count as normal
    and, but for their sum, independent, and the sum is one on average. Of five answers to k-ary
    response by 800 people a twentieth of a standard error is lost, by 50 a ninth.

    Parameters
    ----------
    raw, variance : array, shape (k,)
        Unbiased shares, and what of their variance they do not share with each other.
    prior : float
        α in (0, 2].
    times : array of int, shape (k,)
        How many answers have each of these.

    >>> once = np.ones(3, dtype=int)
    >>> posterior_mean(np.array([0.5, 0.3, 0.2]), np.full(3, 1e-8), 1.0, once).round(6).tolist()
    [0.5, 0.3, 0.2]
    >>> posterior_mean(np.array([0.9, 0.3, -0.2]), np.full(3, 1e4), 1.0, once).round(3).tolist()
    [0.333, 0.333, 0.333]
    """
    spread = np.sqrt(variance)

    def means(rate: float) -> Floats:
        return spread * truncated_mean(raw / spread - rate * spread, prior)

    def excess(rate: float) -> float:
        return float(times @ means(rate)) - 1

    values = means(_solve_rate(excess, float(times.sum()) * prior))
    return values / (times @ values)


def _solve_rate(excess: Callable[[float], float], start: float) -> float:
    """Find the rate at which the shares sum to one: the sum falls as it rises."""
    from scipy.optimize import brentq

    first = excess(0.0)
    if abs(first) <= _CLOSE:
        return 0.0
    end = math.copysign(start, first)
    while excess(end) * first > 0:
        end *= 2
    return float(brentq(excess, 0.0, end, xtol=1e-300, rtol=_CLOSE))


def truncated_mean(centre: Floats, power: float) -> Floats:
    r"""The mean of the law on (0, ∞) with density proportional to x^(α−1) exp(−(x − μ)²/2).

    .. math:: \alpha \, \frac{D_{-\alpha-1}(-\mu)}{D_{-\alpha}(-\mu)}

    by the integral of the parabolic cylinder function (DLMF 12.5.1). For α = 1 it is the mean of a
    normal number that is above 0, μ + φ(μ)/Φ(μ).

    Parameters
    ----------
    centre : array
        μ.
    power : float
        α in (0, 2].

    >>> truncated_mean(np.array([0.0, 8.0]), 1.0).round(9).tolist()  # √(2/π) is .797884561
    [0.797884561, 8.0]
    """
    from scipy.special import pbdv

    near = centre.clip(-_FAR, _FAR)
    mean = power * pbdv(-power - 1, -near)[0] / pbdv(-power, -near)[0]
    below = power / np.maximum(-centre, 1.0) * (1 - (power + 1) / np.maximum(centre**2, 1.0))
    above: Floats = centre + (power - 1) / np.maximum(centre, 1.0)
    return np.where(centre < -_FAR, below, np.where(centre > _FAR, above, mean))
