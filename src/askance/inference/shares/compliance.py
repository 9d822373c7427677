"""Noncompliance: what noncompliers report, how many there are, and what is not identified.

Some people say "no" whatever they are asked, deny what is true of them, or answer at random. Each
kind is a class of people beside those who comply, with reports of its own (`Noncompliers`). A
channel with one more row for each kind is again a channel, from classes to reports; the shares of
classes are estimated as those of answers are, in groups that were asked differently if one group
alone cannot tell them. What such people's true answers are is assumed openly or left open.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from scipy.special import chdtrc, xlogy

from askance.channels.channel import Channel, meant
from askance.channels.frame import Frame
from askance.channels.grouped_tally import GroupedTally
from askance.channels.tally import Tally, of_arrays, sums_of
from askance.chart import Chart, chart_frame, draw_result
from askance.inference.fit_result import GoodnessOfFit
from askance.inference.goodness_of_fit import goodness_of_fit
from askance.inference.provenance import Computation, NoncomplianceModel
from askance.inference.shares.information import speaking
from askance.inference.shares.overidentification import (
    OveridentificationTest,
    compare_with_expected,
    rao_scott_p_value,
)
from askance.inference.shares.partial import (
    PartialEstimate,
    TallyMaximum,
    Wanted,
    given_speaking,
    partial_estimates,
)
from askance.inference.shares.sampled_law import tangent
from askance.results import (
    Cells,
    Listing,
    json_of,
    kept_mapping,
    listed,
    result_frame,
    result_stream,
)
from askance.typing import Floats, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError, refuse_unknown
from askance_collect.exact.ratio import read_ratio


@final
@dataclass(frozen=True, slots=True, init=False)
class Noncompliers:
    """A kind of people who do not follow the instructions: a latent class with reports of its own.

    Parameters
    ----------
    name : str
        What they are called in results.
    says : str, or mapping of str to chance, optional
        The report that they send, whatever is asked, or the chances of several; all reports of a
        channel are equally likely if left out.
    answers : sequence of str, optional
        What may be true of them; anything if left out. One answer makes its share known; of several
        it is bounded.
    independent_of_answer : bool
        Whether their true answers are as frequent as those of people who comply.
    model : NoncomplianceModel, optional
        Whose model of noncompliance it is.

    Raises
    ------
    InputError
        If there is no name, the chances are not probabilities that sum to one, no answer is left,
        or answers are named of people who are like all others.

    >>> import askance as ak
    >>> liars = ak.inference.Noncompliers(name="deny it", says="no", answers=["yes"])
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> ak.inference.with_noncompliers(q, liars).matrix.tolist()
    [[0.75, 0.25], [0.25, 0.75], [0.0, 1.0]]
    """

    name: str
    says: str | Mapping[str, Fraction] | None
    answers: tuple[str, ...] | None
    independent_of_answer: bool
    model: NoncomplianceModel | None

    @checked
    def __init__(
        self,
        *,
        name: str,
        says: str | Mapping[str, object] | None = None,
        answers: Sequence[str] | None = None,
        independent_of_answer: bool = False,
        model: NoncomplianceModel | None = None,
    ) -> None:
        if not name:
            raise InputError("Noncompliers.name", got="no name", allowed="a name for the class")
        answer_names = None if answers is None else tuple(answers)
        texts: tuple[object, ...] = ("all",) if answer_names is None else answer_names
        named = bool(texts) and all(isinstance(text, str) and text for text in texts)
        if not named or (answer_names and independent_of_answer):
            raise InputError(
                "Noncompliers.answers",
                got=answer_names or "no answer",
                allowed="names of answers, or None for any; none if independent",
            )
        chances = _read_chances(says) if isinstance(says, Mapping) else says
        values = name, chances, answer_names, independent_of_answer, model
        for field_name, value in zip(self.__slots__, values, strict=True):
            object.__setattr__(self, field_name, value)


def _report_chances(kind: Noncompliers, channel: Channel) -> tuple[Fraction, ...]:
    """The chance of each report of a channel; refuses reports that the channel has not."""
    reports = channel.reports
    if kind.says is None:
        return (Fraction(1, len(reports)),) * len(reports)
    chances = {kind.says: Fraction(1)} if isinstance(kind.says, str) else kind.says
    for report in chances:
        refuse_unknown("Noncompliers.says", report, reports)
    return tuple(chances.get(report, Fraction(0)) for report in reports)


def _read_chances(says: Mapping[str, object]) -> Mapping[str, Fraction]:
    read = {
        name: read_ratio(chance, f"Noncompliers.says[{name!r}]") for name, chance in says.items()
    }
    if any(chance < 0 for chance in read.values()) or sum(read.values()) != 1:
        written = {name: str(chance) for name, chance in read.items()}
        raise InputError(
            "Noncompliers.says", got=written, allowed="chances that sum to exactly one"
        )
    return kept_mapping(read)


@checked
def cheating_detection(says: str = "no") -> Noncompliers:
    """Cheating detection: people who always say "no"; their true answers are unrestricted.

    Two groups with different forced chances tell three shares: of those who comply and answer
    "yes", who comply and answer "no", and who cheat (Clark & Desharnais, 1998). The share of "yes"
    among all lies between the first, and the first and third together. With "no" forced too the
    model is the symmetric one (Ostapczuk, Moshagen, Zhao & Musch, 2009): the channels differ, the
    people do not.

    Parameters
    ----------
    says : str
        What cheaters say.

    >>> import askance as ak
    >>> yn, report = ak.Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}
    >>> few, many = (ak.Channel(yn, report, [[1, 0], [p, 1 - p]]) for p in (0.2, 0.8))
    >>> groups = ak.channels.GroupedTally({
    ...     "few": ak.Tally(few, {"yes": 320, "no": 680}),
    ...     "many": ak.Tally(many, {"yes": 680, "no": 320}),
    ... })
    >>> ak.inference.estimate_compliance(groups, cheating_detection()).classes
    share of each class
                     from   to  95 % from      to
    yes, and comply   0.2  0.2     0.1609  0.2403
    no, and comply    0.6  0.6     0.5311  0.6673
    cheat             0.2  0.2     0.1609  0.2403
    2,000 reports; the maximum of the likelihood, certified by its gap
    """
    return Noncompliers(name="cheat", says=says, model=NoncomplianceModel.CHEATING_DETECTION)


@checked
def stochastic_lie_detector(carriers: str = "yes", says: str = "no") -> Noncompliers:
    """Stochastic lie detector: carriers who deny; all others comply.

    With π the share of carriers, of whom t tell the truth, the classes have the shares π t, 1 − π
    and π (1 − t) (Moshagen, Musch & Erdfelder, 2012). Carriers who comply say "yes"; others say it
    with a chance that differs between two groups (as Mangat, 1994).

    Parameters
    ----------
    says : str
        What carriers say who deny.

    >>> import askance as ak
    >>> yn, report = ak.Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}
    >>> few, many = (ak.Channel(yn, report, [[1, 0], [p, 1 - p]]) for p in (0.2, 0.8))
    >>> groups = ak.channels.GroupedTally({
    ...     "few": ak.Tally(few, {"yes": 320, "no": 680}),
    ...     "many": ak.Tally(many, {"yes": 680, "no": 320}),
    ... })
    >>> ak.inference.estimate_compliance(groups, stochastic_lie_detector()).answers
    share of each answer
         from   to  95 % from      to
    yes   0.4  0.4     0.3327  0.4689
    no    0.6  0.6     0.5311  0.6673
    2,000 reports; the maximum of the likelihood, certified by its gap
    """
    model = NoncomplianceModel.STOCHASTIC_LIE_DETECTOR
    return Noncompliers(name="deny", says=says, answers=(carriers,), model=model)


@checked
def self_protective(says: str) -> Noncompliers:
    """Self-protection: people who say "no" to every question; their true answers are open.

    Several questions asked of the same people are one channel of joint answers (`two_questions`);
    its report of nothing but "no" is what these people send (Böckenholt & van der Heijden, 2007).
    Without a second group, or an assumption on how the answers hang together, their share is
    bounded, not known.

    Parameters
    ----------
    says : str
        What these people say to every question.

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> joint = ak.channels.two_questions(q, q)
    >>> counts = dict(zip(joint.reports, [150, 250, 250, 350], strict=True))
    >>> kind = ak.inference.self_protective(joint.reports[-1])
    >>> fit = ak.inference.estimate_compliance(ak.Tally(joint, counts), kind)
    >>> [round(float(end), 4) for end in (fit.classes.low[-1], fit.classes.high[-1])]
    [0.0, 0.2]
    """
    return Noncompliers(
        name="protect themselves", says=says, model=NoncomplianceModel.SELF_PROTECTIVE
    )


@checked
def random_answerers(
    chances: Mapping[str, object] | None = None, *, independent_of_answer: bool = True
) -> Noncompliers:
    """Random answerers: inattentive people who pick a report by chance.

    Taken as like all others in what is true of them, unless said otherwise. A question whose answer
    is known (`known_answer`) beside the sensitive one tells how many they are (an anchor; Atsusaka
    & Stevenson, 2023). Groups with different chances do not where a pick is as likely as a mixture
    of honest reports in each of them, as even picks are if one group has the other's chances turned
    round.

    Parameters
    ----------
    chances : mapping of str to chance, optional
        Of each report; even if left out.
    independent_of_answer : bool

    >>> import askance as ak
    >>> q = ak.Warner(truth="4/5").channel(ak.Frame(["yes", "no"]))
    >>> tally = ak.channels.GroupedTally({
    ...     "question": ak.Tally(q, {"yes": 380, "no": 620}),
    ...     "anchor": ak.Tally(ak.inference.known_answer(q, "no"), {"yes": 260, "no": 740}),
    ... })
    >>> ak.inference.estimate_compliance(tally, ak.inference.random_answerers())
    share of each answer
                      from    to  95 % from      to
    yes               0.25  0.25     0.1778  0.3165
    no                0.75  0.75     0.6835  0.8222
    yes, and comply    0.2   0.2     0.1323  0.2674
    no, and comply     0.6   0.6     0.5317  0.6668
    answer at random   0.2   0.2     0.1115  0.2926
    2,000 reports; the maximum of the likelihood, certified by its gap
    no degree of freedom: shares fit whatever is received
    """
    model = NoncomplianceModel.RANDOM_ANSWERERS
    return Noncompliers(
        name="answer at random",
        says=chances,
        independent_of_answer=independent_of_answer,
        model=model,
    )


@checked
def one_sayers(says: str = "just one", *, independent_of_answer: bool = True) -> Noncompliers:
    r"""One-sayers: people who send one report to be safe, whatever is asked and in whatever group.

    They take “just one” for the safer reply (Cruyff, Sayed, Petróczi & van der Heijden, 2024). In
    the extended crosswise model (Heck, Hoffmann & Moshagen, 2018) one group is asked with the
    harmless chance p, the other with 1 − p. Random picks leave both turned round as before;
    one-sayers do not. Where λ₁ and λ₂ are the frequencies of the one report in the two groups,
    their share is

    .. math:: \hat\gamma = \hat\lambda_1 + \hat\lambda_2 - 1, \qquad
        \hat\pi = \frac{(\hat\lambda_1 - \hat\gamma) / (1 - \hat\gamma) - p}{1 - 2p}

    where the one report of the group with chance p comes from a carrier with chance 1 − p.

    Parameters
    ----------
    says : str
        What these people send.
    independent_of_answer : bool
        Whether their true answers are as frequent as those of all others.

    >>> import askance as ak
    >>> yn = ak.Frame(["yes", "no"])
    >>> few, many = (ak.mechanisms.Crosswise(harmless=p).channel(yn) for p in ("1/4", "3/4"))
    >>> groups = ak.channels.GroupedTally({
    ...     "few": ak.Tally(few, {"both or neither": 520, "just one": 480}),
    ...     "many": ak.Tally(many, {"both or neither": 280, "just one": 720}),
    ... })
    >>> ak.inference.estimate_compliance(groups, ak.inference.one_sayers())
    share of each answer
                     from    to  95 % from      to
    yes               0.2   0.2     0.1475  0.2529
    no                0.8   0.8     0.7471  0.8525
    yes, and comply  0.16  0.16     0.1162  0.2052
    no, and comply   0.64  0.64     0.5915  0.6884
    say one           0.2   0.2     0.1582  0.2414
    2,000 reports; the maximum of the likelihood, certified by its gap
    no degree of freedom: shares fit whatever is received
    """
    return Noncompliers(
        name="say one",
        says=says,
        independent_of_answer=independent_of_answer,
        model=NoncomplianceModel.ONE_SAYERS,
    )


@checked
def known_answer(channel: Channel, answer: str) -> Channel:
    """Channel of a question with a known true answer, as reports that leave the frame open.

    An anchor: of people who comply, reports come with the chances of the known answer, whatever
    their answer to the sensitive question. Give it a group of its own in a `GroupedTally` if other
    people are asked; join it by `two_reports` with the channel of the sensitive question if the
    same people answer both, so that their reports are counted in pairs.

    Parameters
    ----------
    channel : Channel
        Through which the question was asked.
    answer : str
        What is true of everybody.

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> known_answer(q, "no").matrix.tolist()
    [[0.25, 0.75], [0.25, 0.75]]
    """
    index = channel.frame.index(answer)
    row = channel.matrix[index].tolist() if channel.table is None else channel.table.row(index)
    says_nothing = dict.fromkeys(channel.reports, channel.output.full_mask)
    return Channel(channel.frame, says_nothing, [row] * len(channel.frame), output=channel.output)


Kinds = Noncompliers | Sequence[Noncompliers]


@checked
def with_noncompliers(
    channel: Channel, noncompliers: Noncompliers | Sequence[Noncompliers]
) -> Channel:
    """Give a channel one more row for each kind of people who do not comply.

    Rows are then classes of people: those who comply, by their answers, and each kind. Judge by it
    what a design can tell (`identified`) before anybody is asked. Exact where all is.

    Parameters
    ----------
    channel : Channel
    noncompliers : Noncompliers, or sequence of them

    Raises
    ------
    InputError
        If a name is given twice, an answer is not the frame's, or a report not the channel's.
    """
    kinds = _read_kinds(noncompliers, channel.frame)
    frame = Frame(class_names(channel.frame, kinds))
    reports = {name: channel.output.mask(answers) for name, answers in meant(channel).items()}
    rows = [_report_chances(kind, channel) for kind in kinds]
    matrix: Any
    if channel.table is None:
        matrix = np.array([*channel.matrix.tolist(), *rows], dtype=np.float64)
    else:
        table = channel.table
        matrix = [
            *(list(table.row(answer)) for answer in range(len(channel.frame))),
            *map(list, rows),
        ]
    return Channel(frame, reports, matrix, output=channel.output)


def dilute_channel(channel: Channel, kind: Noncompliers, share: float) -> Channel:
    """Mix a channel with a known share of noncompliers, equal for all answers.

    >>> from askance.channels import Channel, Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[.75, .25], [.25, .75]])
    >>> dilute_channel(q, cheating_detection(), 0.2).matrix.round(9).tolist()
    [[0.6, 0.4], [0.2, 0.8]]
    """
    reports = {name: channel.output.mask(answers) for name, answers in meant(channel).items()}
    row = np.array(_report_chances(kind, channel), dtype=np.float64)
    matrix = (1 - share) * channel.matrix + share * row
    return Channel(channel.frame, reports, matrix, output=channel.output)


def _read_kinds(noncompliers: Kinds, frame: Frame) -> tuple[Noncompliers, ...]:
    kinds = (noncompliers,) if isinstance(noncompliers, Noncompliers) else tuple(noncompliers)
    names = [kind.name for kind in kinds]
    if len(set(names)) < len(names):
        raise InputError("noncompliers", got=names, allowed="a different name for each kind")
    for kind in kinds:
        for answer in kind.answers or ():
            refuse_unknown(f"noncompliers[{kind.name!r}].answers", answer, frame.answers)
    return kinds


def class_names(frame: Frame, kinds: Sequence[Noncompliers]) -> tuple[str, ...]:
    """Name those who comply by their answers, and then each kind.

    >>> class_names(Frame(["yes", "no"]), [cheating_detection()])
    ('yes, and comply', 'no, and comply', 'cheat')
    """
    if not kinds:
        return frame.answers
    return (*(f"{answer}, and comply" for answer in frame.answers), *(kind.name for kind in kinds))


def _tally_of_classes(
    tally: Tally | GroupedTally, noncompliers: Kinds
) -> tuple[Tally | GroupedTally, tuple[Noncompliers, ...]]:
    """The same counts, as reports of classes."""
    if isinstance(tally, GroupedTally):
        kinds = _read_kinds(noncompliers, tally.frame)
        parts = {name: _add_classes(part, kinds) for name, part in tally.tallies.items()}
        return GroupedTally(parts, sample=tally.sample), kinds
    kinds = _read_kinds(noncompliers, tally.channel.frame)
    return _add_classes(tally, kinds), kinds


def _add_classes(tally: Tally, kinds: tuple[Noncompliers, ...]) -> Tally:
    channel = with_noncompliers(tally.channel, kinds)
    return of_arrays(channel, tally.counts, sums_of(tally), tally.blanks, tally.sample)


@checked
def overidentification_test(
    tally: Tally | GroupedTally, noncompliers: Noncompliers | Sequence[Noncompliers] = ()
) -> OveridentificationTest:
    r"""Test a model of shares against any chances of reports: likelihood ratio and Pearson's.

    .. math:: G^2 = 2 \sum_j n_j \log (n_j / \hat n_j), \qquad
        X^2 = \sum_j (n_j - \hat n_j)^2 / \hat n_j

    with the counts expected at the most likely shares. Two groups asked with different chances who
    all comply have the same shares, which may fail to fit both: the test of the extended crosswise
    model (Heck, Hoffmann & Moshagen, 2018). Random answers at even chances may fit as well as
    honest ones: what passes is not proven.

    Degrees of freedom are the reports that can be sent, less one for each group, less the
    dimensions in which the fitted chances can move. Where shares are fitted as 0 the fit can move
    in fewer, and freedom grows by as many: given which they are the law is again χ², since
    a normal deviate is then as far from a face of the fitted chances as from the plane through it.

    Parameters
    ----------
    tally : Tally or GroupedTally
    noncompliers : Noncompliers, or sequence of them
        None if left out: everybody complies.

    Raises
    ------
    InputError
        If a report was received that nobody can send, or as in `with_noncompliers`.

    >>> import askance as ak
    >>> yn = ak.Frame(["yes", "no"])
    >>> groups = ak.channels.GroupedTally({
    ...     "one": ak.Tally(ak.Warner(truth="3/4").channel(yn), {"yes": 400, "no": 600}),
    ...     "other": ak.Tally(ak.Warner(truth="1/4").channel(yn), {"yes": 540, "no": 460}),
    ... })
    >>> test = overidentification_test(groups)  # one group says .30, the other .42
    >>> round(test.deviance, 2), test.df, round(test.p_value, 4)
    (7.35, 1, 0.0067)
    """
    classes, _ = _tally_of_classes(tally, noncompliers)
    return _test_fit(classes, TallyMaximum.of(classes))


def _test_fit(classes: Tally | GroupedTally, top: TallyMaximum) -> OveridentificationTest:
    stacked = classes.stacked if isinstance(classes, GroupedTally) else classes
    sizes = _size_directions(classes, top)
    groups, cells = int((sizes > 0).any(axis=0).sum()), int((top.rows.max(axis=1) > 0).sum())
    df = cells - groups - top.dimension if top.counts.any() else 0
    effects = None
    if top.law is not None and df:
        fitted = np.concatenate([tangent(top.rows[:, top.free]), sizes], axis=1)
        effects = top.law.effects(top.chance, fitted)
    return compare_with_expected(
        stacked.channel.reports, top.counts, top.chance, df, effects, top.law
    )


def _size_directions(classes: Tally | GroupedTally, top: TallyMaximum) -> Floats:
    """How chances move with the size of each group, shape (m, groups); 0 of one without reports."""
    group = classes.group if isinstance(classes, GroupedTally) else np.zeros(len(top.counts), int)
    return np.where(group[:, None] == np.unique(group), top.chance[:, None], 0.0)


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ComplianceEstimate:
    """Shares of true answers and of people who do not comply.

    Attributes
    ----------
    answers : PartialEstimate
        The share of each answer among all people, as far as reports and assumptions tell it.
    classes : PartialEstimate
        The share of each class: those who comply, by answer, and each kind that does not.
    test : OveridentificationTest
    log_likelihood : float
        Given the sizes of the groups.
    noncompliers : tuple of Noncompliers
    tally : Tally or GroupedTally
        The reports that were given.

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> t = ak.Tally(q, {"yes": 400, "no": 600})
    >>> some = ak.inference.estimate_compliance(t, ak.inference.cheating_detection())
    >>> some.likelihood_ratio(ak.inference.estimate_compliance(t, ()))  # one group cannot tell
    (0.0, 1, 1.0)
    """

    computation: ClassVar[Computation] = Computation.COMPLIANCE
    answers: PartialEstimate
    classes: PartialEstimate
    test: OveridentificationTest
    log_likelihood: float
    noncompliers: tuple[Noncompliers, ...]
    tally: Tally | GroupedTally = field(repr=False)

    @checked
    def likelihood_ratio(self, smaller: "ComplianceEstimate") -> tuple[float, int, float]:
        """Likelihood ratio test against a model of the same reports with fewer kinds of people.

        Gives twice the difference in log-likelihood, how many kinds are left out, and how often it
        would be as large if nobody were of them. A share that is 0 is at the end of what it can be:
        of one kind the law is an even mixture of 0 and χ² with one degree (Chernoff, 1954); of more
        χ² with as many is used, which is too large, so that the test is conservative. Of a sample
        with weights F takes the place of χ², for the design effects (Rao & Scott, 1984).

        Raises
        ------
        InputError
            If the other model does not have some of these kinds only, or is of other reports.
        """
        shared = [kind for kind in self.noncompliers if kind in smaller.noncompliers]
        df = len(self.noncompliers) - len(shared)
        nested = len(shared) == len(smaller.noncompliers) and df > 0
        if not nested or self.tally != smaller.tally:
            raise InputError(
                "likelihood_ratio",
                got=", ".join(kind.name for kind in smaller.noncompliers) or "full compliance",
                allowed="some of these kinds, not all, estimated from the same reports",
            )
        larger, lesser = (
            _tally_of_classes(fit.tally, fit.noncompliers)[0] for fit in (self, smaller)
        )
        speaks = speaking(
            larger.stacked.channel if isinstance(larger, GroupedTally) else larger.channel
        )
        larger, lesser = given_speaking(larger, speaks), given_speaking(lesser, speaks)
        wide, top = TallyMaximum.of(larger), TallyMaximum.of(lesser)
        gain = _log_likelihood(larger, wide) - _log_likelihood(lesser, top)
        if 2 * gain <= _NO_GAIN:
            return 0.0, df, 1.0
        p = float(chdtrc(df, 2 * gain))
        if top.law is not None:
            p = rao_scott_p_value(2 * gain, _design_effects(lesser, top, wide), top.law.df)
        return 2 * gain, df, p / (2 if df == 1 else 1)

    def columns(self) -> Cells:
        """The head of a table, and its rows, numbers as they are."""
        head, rows = self.answers.columns()
        return head, rows + (self.classes.columns()[1] if self.noncompliers else [])

    @property
    def level(self) -> float:
        """Of the intervals."""
        return self.answers.level

    @property
    def goodness_of_fit(self) -> GoodnessOfFit:
        """Whether people who comply, and those who do not, can have sent these reports at all."""
        return self.answers.goodness_of_fit

    def to_dict(self) -> Json:
        """Write the shares and the test for JSON."""
        return json_of(self, "answers classes test log_likelihood")

    def _table(self) -> Listing:
        title, head, rows, notes = self.answers._table()
        more = self.classes._table()[2] if self.noncompliers else []
        return title, head, [*rows, *more], [*notes, self.test._table()[3][0]]

    def _chart(self) -> Chart:
        """Describe the shares of the answers, as `PartialEstimate` does."""
        return self.answers._chart()

    plot = draw_result
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


_NO_GAIN = 1e-7  # of a deviance: what the maximisation leaves open


@checked
def estimate_compliance(
    tally: Tally | GroupedTally,
    noncompliers: Noncompliers | Sequence[Noncompliers],
    level: float = 0.95,
) -> ComplianceEstimate:
    r"""Estimate shares where some people do not comply, by maximum likelihood over latent classes.

    .. math:: P(j \mid g) = \sum_i \pi_i\, q^{(g)}_{ij} + \sum_c \gamma_c\, r_{cj},
        \qquad \sum_i \pi_i + \sum_c \gamma_c = 1

    with π_i the share of people who comply and have answer i, q their channel in group g, γ_c the
    share of kind c and r its reports. The share of an answer adds to π those kinds of which it must
    be true at the least, and may be true at the most; kinds that are alike are left out above and
    below. Shares that the reports do not determine are bounded by all that fit equally well.
    Intervals are those of the profile likelihood, as in `estimate_sets`.

    Parameters
    ----------
    tally : Tally or GroupedTally
        Also with sampling weights, or of a complex sample.
    noncompliers : Noncompliers, or sequence of them
        Empty for full compliance.
    level : float

    Raises
    ------
    InputError
        If a report was received that nobody can send, the level is not in (0, 1), or as in
        `with_noncompliers`.

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> ak.inference.estimate_compliance(
    ...     ak.Tally(q, {"yes": 400, "no": 600}), ak.inference.cheating_detection()
    ... )
    share of each answer
                     from      to  95 % from      to
    yes               0.3       1     0.2398       1
    no                  0     0.7          0  0.7602
    yes, and comply   0.3  0.5333     0.2398  0.5741
    no, and comply      0     0.7          0  0.7602
    cheat               0  0.4667          0  0.5068
    1,000 reports; the maximum of the likelihood, certified by its gap
    no degree of freedom: shares fit whatever is received
    """
    classes, kinds = _tally_of_classes(tally, noncompliers)
    top, spoken = TallyMaximum.of(classes), TallyMaximum.of(given_speaking(classes))
    frame = tally.frame if isinstance(tally, GroupedTally) else tally.channel.frame
    names = class_names(frame, kinds)
    all_of_them = np.ones(len(names))
    answers, shares = partial_estimates(
        spoken,
        {
            "share of each answer": {
                answer: _wanted_share(frame, answer, kinds) for answer in frame.answers
            },
            "share of each class": {
                name: Wanted(least=indicator, most=indicator, among=all_of_them)
                for name, indicator in zip(names, np.eye(len(names)), strict=True)
            },
        },
        level,
        goodness_of_fit(classes),
    )
    return ComplianceEstimate(
        answers=answers,
        classes=shares,
        test=_test_fit(classes, top),
        log_likelihood=_log_likelihood(classes, top),
        noncompliers=kinds,
        tally=tally,
    )


def _wanted_share(frame: Frame, answer: str, kinds: Sequence[Noncompliers]) -> Wanted:
    """The classes that certainly and possibly have an answer, and their reference classes."""
    own = [float(name == answer) for name in frame.answers]
    may = [kind.answers or frame.answers for kind in kinds]
    least = [
        float(set(names) == {answer} and not kind.independent_of_answer)
        for names, kind in zip(may, kinds, strict=True)
    ]
    most = [
        float(answer in names and not kind.independent_of_answer)
        for names, kind in zip(may, kinds, strict=True)
    ]
    among = [float(not kind.independent_of_answer) for kind in kinds]
    return Wanted(
        least=np.array(own + least),
        most=np.array(own + most),
        among=np.array([1.0] * len(own) + among),
    )


def _design_effects(classes: Tally | GroupedTally, top: TallyMaximum, wide: TallyMaximum) -> Floats:
    """Design effects for the likelihood ratio of these classes against a wider model."""
    assert top.law is not None
    fitted = np.concatenate([tangent(top.rows), _size_directions(classes, top)], axis=1)
    group = classes.group if isinstance(classes, GroupedTally) else np.zeros(len(top.counts), int)
    often = top.law.spoken(top.chance, wide.speaks, group)
    scaled = (part * often[:, None] for part in (fitted, tangent(wide.rows)))
    return top.law.effects(top.chance * often, *scaled)


def _log_likelihood(classes: Tally | GroupedTally, top: TallyMaximum) -> float:
    """Log-likelihood of the reports, given the size of each group."""
    total = float(xlogy(top.counts, top.chance).sum())
    if isinstance(classes, GroupedTally):
        sizes = np.bincount(classes.group, top.counts, len(classes.tallies))
        total -= float(xlogy(sizes, sizes / max(sizes.sum(), 1.0)).sum())
    return total
