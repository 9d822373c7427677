"""Regression of a sensitive item on covariates, from a list experiment, by maximum likelihood."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, final

import numpy as np
from scipy.special import expit

from askance.chart import Chart
from askance.inference.fit_result import Convergence, GoodnessOfFit, Untested
from askance.inference.list_experiments.item_count_anchored import anchored_likelihood
from askance.inference.list_experiments.item_count_fit import fit_of_answers
from askance.inference.list_experiments.item_count_model import (
    BOUND,
    ItemCountLikelihood,
    ItemCountModel,
    LogOddsOfMean,
    OnChances,
    curvature,
    freed,
    group_identical_rows,
    maximise_item_counts,
)
from askance.inference.list_experiments.item_shares import (
    ItemShares,
    read_list_experiment,
)
from askance.inference.list_experiments.item_tally import ListAnswers
from askance.inference.provenance import Computation, Misreport
from askance.inference.regression.answer_model import answer_model
from askance.inference.regression.coefficients import (
    CoefficientTable,
    FromTable,
    Margins,
    People,
    Per,
    Spread,
    akaike,
    coefficient_chart,
    coefficient_json,
    convergence_notes,
    covariance_by,
    describe_likelihood,
    describe_means,
    draw_coefficients,
    influence_spread,
    inverse,
    likelihood_ratio,
    people_counted,
    refuse_expected,
    refuse_pseudo,
    replicate_covariance,
    runs_away,
    spans_columns,
    survey_sandwich,
    tabulate_coefficients,
)
from askance.inference.regression.covariates import Covariates, covariate_spreads, covariates_of
from askance.inference.regression.formula import (
    Formula,
    listed_below_formula,
)
from askance.inference.regression.profile_interval import LinearTarget, Profile
from askance.inference.replicate_weights import ReplicateWeights
from askance.inference.sampling_columns import SamplingColumns
from askance.inference.sampling_design import AbstractSamplingDesign
from askance.inference.standard_errors import StandardErrors
from askance.results import (
    Listing,
    json_of,
    normal_quantile,
    number,
    read_only,
    result_frame,
    result_stream,
    student_quantile,
)
from askance.typing import Floats, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError, NotIdentified, refuse_unknown


@final
@listed_below_formula
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ItemCountRegression:
    """A regression of sensitive items on covariates, from a list experiment.

    Attributes
    ----------
    model : ItemCountModel
        What the chance of a count depends on.
    table : CoefficientTable
        The coefficients. Its attributes (names, value, covariance, standard_errors, level, df, se
        and p_value) are those of the regression too. Its covariance allows for chances that are
        most likely 0 or 1, and fixed there, being others.
    free_covariance : array, shape (all, all)
        Of the coefficients and then of all chances, not their logits, those fixed among them.
    log_likelihood : float
    gap : float
        What a further step would add to it.
    convergence : Convergence
    likelihood : ItemCountLikelihood
        The reports and covariates that were given.
    anchored : bool
        Whether the mean shares were fixed at the differences in means.
    formula : Formula or None
        What the covariates were made by.

    >>> from askance.inference import item_count_regression
    >>> counts = [0, 1, 1, 2, 1, 2] * 10 + [0, 1, 2, 2, 3, 2, 1, 1] * 10
    >>> item_count_regression(counts, [0] * 60 + [1] * 80, items=2)
    log-odds that each item holds, from a list experiment
    term                         value      se      z      p  95 % from     to
    sensitive item: intercept  -0.5896  0.4804  -1.23   0.22      -1.53  0.352
    control: intercept           0.309  0.1654   1.87  0.062    -0.0151  0.633
    mean share and its se: sensitive item 0.3567 ± 0.11
    140 respondents; log-likelihood -161.22245; AIC 326.445; se by observed information
    a local maximum of the likelihood; a higher one elsewhere is not ruled out
    a count shows the answer of 0.23 of those who see the sensitive item
    """

    computation: ClassVar[Computation] = Computation.ITEM_COUNT_REGRESSION
    model: ItemCountModel
    table: CoefficientTable
    free_covariance: Floats
    log_likelihood: float
    gap: float
    convergence: Convergence
    likelihood: ItemCountLikelihood
    anchored: bool = False
    formula: Formula | None = None

    names = FromTable[tuple[str, ...]]("names")
    value = FromTable[Floats]("value")
    covariance = FromTable[Floats]("covariance")
    standard_errors = FromTable[StandardErrors]("standard_errors")
    level = FromTable[float]("level")
    df = FromTable[float]("df")
    se = FromTable[Floats]("se")
    p_value = FromTable[Floats]("p_value")

    @property
    def n(self) -> int:
        """How many respondents count: those outside a sample's domain, of weight 0, do not."""
        return round(float(people_counted(self.likelihood.weights, self.df).sum()))

    @property
    def aic(self) -> float:
        """Akaike's criterion: twice the coefficients, less twice the log-likelihood.

        NaN where mean shares are fixed, since that is not the top of the likelihood, and of a
        complex sample, whose likelihood is none.
        """
        if self.anchored:
            return math.nan
        return akaike(self.log_likelihood, len(self.value), self.df)

    @property
    def revealed(self) -> Floats:
        """How often a count gives the answer away, by the fit, shape (M, 2).

        The mean chance, over all respondents, that somebody who sees a sensitive item says 0, or
        that every item holds.
        """
        return read_only(
            [
                [self._chance(arm, count) for count in (0, self.model.items + 1)]
                for arm in range(1, len(self.model.sensitive) + 1)
            ]
        )

    def coefficients(self, by: Literal["wald", "profile"] = "wald") -> Margins:
        """The coefficients with their intervals.

        Parameters
        ----------
        by : {"wald", "profile"}
            Value ± z se; or all values that the likelihood ratio does not refuse, everything else
            taking its most likely value again, chances inside [0, 1]. Beside misreports trust the
            second; logits of their chances have none, see `misreports`.

        Raises
        ------
        InputError
            If the kind of interval is unknown, or the second is asked for beside mean shares that
            are fixed.
        """
        refuse_unknown("coefficients.by", by, ("wald",) if self.anchored else ("wald", "profile"))
        margins = self.table.margins()
        if by == "wald":
            return margins
        profile, back = self._profile()
        targets = [LinearTarget(factors=row) for row in back[: self._many]]
        lower, upper = np.array([*map(profile.interval, targets)]).T
        return replace(
            margins,
            title="coefficient, profile interval",
            labels=self.names[: self._many],
            value=self.value[: self._many],
            covariance=self.covariance[: self._many, : self._many],
            lower=lower,
            upper=upper,
        )

    def predict(self, covariates: Any) -> Floats:
        """Predicted probability that each sensitive item holds, shape (rows, M)."""
        return self._shares().predict(covariates)

    def prevalence(self, covariates: Any = None) -> Margins:
        """The mean predicted prevalence of each sensitive item.

        Covariates are taken as given. The interval is normal on the scale of log-odds, so inside
        [0, 1]. Where people may misreport, or counts are overdispersed, it is that of the profile
        likelihood: all shares that the likelihood ratio does not refuse, every coefficient and
        chance taking its most likely value again, chances inside [0, 1].

        Parameters
        ----------
        covariates : array_like, shape (rows, c), or data frame, optional
            Whose mean share, each counting once; all respondents, by their weights, if left out.
        """
        shares = self._shares()
        margins = shares.prevalence(covariates)
        if not (self.model.chances or self.model.fixed):
            return margins
        people, items = shares.people(covariates), range(len(self.model.sensitive))
        profile, back = self._profile()
        ends = [profile.interval(self._log_odds(shares.own(item), people, back)) for item in items]
        lower, upper = np.array(ends).T
        return replace(margins, lower=expit(lower), upper=expit(upper))

    def difference(self, after: Any, before: Any) -> Margins:
        """How much the mean share differs between two tables of covariates: the normal interval.

        Parameters
        ----------
        after, before : array_like, shape (n, c), or data frame
            Covariates of the same n respondents, or of one person each.
        """
        return self._shares().difference(after, before)

    def effects(self) -> Margins:
        """The average marginal effect of every covariate on the share of each sensitive item.

        As those of `response_regression`: of a covariate that is 0 or 1 the share if all had 1,
        less that if nobody had; of others the slope, averaged over respondents.
        """
        return self._shares().effects()

    def misreports(self) -> Margins:
        """The chances of overdispersion and of misreports, with their intervals.

        Overdispersion is the correlation of two control items. The interval is that of the profile
        likelihood: all chances in [0, 1] that the likelihood ratio does not refuse.
        """
        profile, _ = self._profile()
        names = replace(self.model, fixed=()).chances
        fixed = {name: float(edge) for name, edge in self.model.fixed}
        chances = profile.top[self._many :]
        units = np.eye(len(profile.top))[self._many :]
        targets = [LinearTarget(factors=unit, ends=(2 * BOUND, 1 - 2 * BOUND)) for unit in units]
        lower, upper = np.array([*map(profile.interval, targets)]).reshape(-1, 2).T
        return Margins(
            title="chance",
            labels=names,
            value=np.array([fixed.get(*pair) for pair in zip(names, chances, strict=True)]),
            covariance=self.free_covariance[self._many :, self._many :],
            lower=np.where(lower > 2 * BOUND, lower, 0.0),
            upper=np.where(upper < 1 - 2 * BOUND, upper, 1.0),
            level=self.level,
        )

    @checked
    def likelihood_ratio(self, smaller: "ItemCountRegression") -> tuple[float, int, float]:
        """Test what a smaller regression of the same reports leaves out.

        Gives twice the difference in log-likelihood, its degrees of freedom, and how often χ² is as
        large.

        Raises
        ------
        InputError
            If the other regression is not smaller, no special case of this one, or of other reports
            or items; or of a complex sample, whose likelihood is none; or if mean shares are fixed.
        """
        refuse_pseudo(self.df)
        if self.anchored or smaller.anchored:
            raise InputError(
                "likelihood_ratio",
                got="mean shares that are held",
                allowed="two tops of a likelihood",
                remedy="test coefficients by value and covariance (Wald)",
            )
        own, other = self.likelihood, smaller.likelihood
        same = all(
            np.array_equal(getattr(own.answers, name), getattr(other.answers, name))
            for name in ("arm", "count", "weights")
        ) and (own.model.items, own.model.sensitive) == (other.model.items, other.model.sensitive)
        nested = (
            same
            and own.model.includes(other.model)
            and spans_columns(
                (own.model_matrix, np.eye(own.model_matrix.shape[1])),
                (other.model_matrix, np.eye(other.model_matrix.shape[1])),
                own.weights > 0,
            )
        )
        return likelihood_ratio(self, smaller, same=same, inputs="reports", nested=nested)

    @property
    def goodness_of_fit(self) -> GoodnessOfFit:
        """Whether one more item can have made these counts, whatever the covariates.

        Everybody counts once. Of people who say any number at random there is no test.
        """
        if self.model.misreport == "uniform":
            return GoodnessOfFit(untested=Untested.NO_TEST)
        answers = self.likelihood.answers
        people = people_counted(self.likelihood.weights, self.df)
        names = [f"“{name}”" for name in self.model.sensitive]
        return fit_of_answers(answers.arm, answers.count, people, names, answers.items)

    def to_dict(self) -> Json:
        """Write the coefficients and the mean shares for JSON; with covariates, effects too."""
        written = coefficient_json(self, "aic revealed")
        written |= json_of(self.model, "misreport condition") | json_of(self, "anchored")
        written |= {"prevalence": self.prevalence().to_dict()}
        if self.model.terms:
            written["effects"] = self.effects().to_dict()
        if self.model.chances or self.model.fixed:
            written["misreports"] = self.misreports().to_dict()
        return written if self.formula is None else {"formula": self.formula.text, **written}

    def _chart(self, per: Per = "sd") -> Chart:
        """Describe the coefficients of the sensitive items with their intervals."""
        model, likelihood = self.model, self.likelihood
        many = len(model.sensitive) * (1 + len(model.terms))
        spreads = covariate_spreads(model.terms, likelihood.model_matrix, likelihood.weights)
        return coefficient_chart(self, range(many), "log-odds that the item holds", spreads, per)

    plot = draw_coefficients
    plot_data = tabulate_coefficients

    @checked
    def notes(self, *, is_brief: bool = False) -> list[str]:
        """Describe the model, the respondents, and how the fit ended.

        Parameters
        ----------
        is_brief : bool
            Whether mean shares, and the end of a fit that ended well, are left out.
        """
        revealed = self.revealed
        means = [] if is_brief else [f"mean share and its se: {describe_means(self.prevalence())}"]
        edges = [
            f"{name} most likely {edge}; errors allow for others, but trust coefficients('profile')"
            for name, edge in self.model.fixed
        ]
        return [
            *means,
            *(["mean share held at the difference in means"] if self.anchored else []),
            *edges,
            f"{self.n:,} respondents; {describe_likelihood(self.log_likelihood, self.aic)}; "
            f"se by {self.standard_errors}",
            *convergence_notes(self.convergence, is_brief=is_brief),
            f"a count shows the answer of {number(float(revealed.sum(axis=1).max()), 2)} of those "
            "who see the sensitive item",
            *self.goodness_of_fit.misfit,
        ]

    def _table(self) -> Listing:
        title = "log-odds that each item holds, from a list experiment"
        return title, *self.table.rows(), self.notes()

    @property
    def _many(self) -> int:
        """How many coefficients there are, chances aside."""
        return len(self.value) - len(self.model.chances)

    def _profile(self) -> tuple[Profile, Floats]:
        """The profile likelihood in standardised covariates, and what turns them back."""
        own, model = self.likelihood, replace(self.model, fixed=())
        model_matrix = covariates_of(
            own.model_matrix[:, 1:], len(own.model_matrix), model.terms, own.weights
        )
        back = _unstandardised(model, model_matrix)
        to_standard = np.linalg.inv(back)
        parameters = np.append(
            to_standard[: self._many, : self._many] @ self.value[: self._many],
            self.value[self._many :],
        )
        inside, top = freed(
            group_identical_rows(replace(own, model_matrix=model_matrix.standard())), parameters
        )
        return Profile(
            likelihood=inside,
            within=inside.within,
            top=top,
            plain=inverse(curvature(inside, top)),
            covariance=to_standard @ self.free_covariance @ to_standard.T,
            critical=student_quantile(self.level, self.df),
        ), back

    def _log_odds(self, own: slice, people: People, back: Floats) -> LogOddsOfMean:
        return LogOddsOfMean(
            model_matrix=people[0] @ back[own, own], weights=people[1], first=own.start
        )

    def _shares(self) -> ItemShares:
        terms = self.model.terms
        return ItemShares(
            sensitive=self.model.sensitive,
            terms=terms,
            model=answer_model(("holds", "not"), terms),
            value=self.value,
            covariance=self.covariance,
            model_matrix=self.likelihood.model_matrix,
            weights=self.likelihood.weights,
            formula=self.formula,
            level=self.level,
            df=self.df,
            condition_model=self.model if self.model.levels else None,
        )

    def _chance(self, arm: int, count: int) -> float:
        """The mean chance that people who see the list of an arm say a count."""
        answers, n = self.likelihood.answers, len(self.likelihood.model_matrix)
        hypothetical = replace(answers, arm=np.full(n, arm), count=np.full(n, count))
        chances = np.exp(replace(self.likelihood, answers=hypothetical).logarithms(self.value))
        return float(np.average(chances, weights=self.likelihood.weights))

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def item_count_regression(
    reports: Any,
    arms: Any,
    covariates: Any = None,
    *,
    items: int,
    control: Any = 0,
    data: Any = None,
    terms: Sequence[str] | None = None,
    constrained: bool = True,
    overdispersed: bool = False,
    misreport: Misreport = "none",
    condition: Literal["none", "level", "indicators"] = "none",
    anchored: bool = False,
    weights: Any = None,
    counts: Any = None,
    errors: str = "observed",
    clusters: Any = None,
    sampling: AbstractSamplingDesign | SamplingColumns | None = None,
    level: float = 0.95,
) -> ItemCountRegression:
    r"""Regress a sensitive item on covariates from a list experiment, by maximum likelihood.

    .. math:: P(z = 1 \mid x) = F(x\delta), \qquad y_0 \mid z, x \sim \mathrm{Bin}(J, F(x\gamma_z))

    with z whether the sensitive item holds, y₀ how many of the J control items do, and F the
    logistic function. What is said is y₀ in the control group, and y₀ + z in the others. The
    likelihood is maximised by Newton's method, with a step of EM where one would descend.

    Parameters
    ----------
    reports, arms : array_like, length n, or str
        As in `count_items`; several sensitive items each have their own δ.
    covariates : array_like, shape (n, c), or str, optional
        Without a column of ones; or a formula of the columns of ``data``, such as ``"~ age"``.
    items : int
        J.
    control : value, optional
        What stands for the control group among ``arms``.
    data : data frame or mapping of str to sequence, optional
    terms : sequence of str, optional
        Names of the covariates.
    constrained : bool
        Whether γ is the same for both z; with several sensitive items it must be.
    overdispersed : bool
        Whether the control count is beta-binomial.
    misreport : str
        "ceiling": some who would have to say J + 1 say J. "floor": some for whom the sensitive item
        alone holds say 0. "ceiling and floor". "top": some say the largest number whatever holds.
        "uniform": some say any number at random, with another chance in either group. How many do
        so is estimated, badly unless very many are asked.
    condition : {"none", "level", "indicators"}
        Whether log-odds of the sensitive items move with y₀, in a line, or by a step of its own for
        each y₀ but J. That is the dependence that several items may have, whose control items have
        one law; δ then compares people of whom as many control items hold, and mean shares are over
        y₀. Beside the plain model alone: constrained, and without the rest.
    anchored : bool
        Whether the mean share of each item is fixed at its difference in means, which is right
        whatever the law of counts: the likelihood is then maximised among such coefficients alone,
        and their errors are robust ones, which know that the difference is an estimate. Neither
        overdispersed nor beside misreports, who spoil the difference.
    weights : array_like, length n, or str, optional
        Sampling weights, as in `response_regression`.
    counts : array_like of int, length n, or str, optional
        How often each row is there, as in `response_regression`.
    errors : {"observed", "robust"}
        What the standard errors come from: the information observed, or the sandwich (Huber, 1967).
    clusters : array_like, length n, or str, optional
        Rows that bear the same label may depend on each other; errors are then clustered.
    sampling : SamplingDesign, ReplicateWeights or SamplingColumns, optional
        How people were drawn, in place of weights and clusters. The likelihood is then weighted (a
        pseudo-likelihood), and errors are those of the sampling design with replacement (Binder,
        1983), or of fits to each replicate: which list each saw was drawn too, whatever part of a
        population was asked.
    level : float
        Of the intervals.

    Returns
    -------
    ItemCountRegression

    Raises
    ------
    InputError
        If a value is missing, a report is larger than the list, or a covariate is constant.
    NotIdentified
        If covariates determine each other, or the likelihood has no top: then nearly nobody, or
        nearly everybody, with some covariates has the sensitive item; `item_count` tells more. Or
        if a difference in means, at which mean shares are to be fixed, is not between 0 and 1.

    References
    ----------
    Imai (2011), the model; Blair & Imai (2012), ceiling, floor, several items and `condition`
    (``multi.condition`` of their package list, which has no shares for it); Blair, Chou &
    Imai (2019), the other misreports, and the agreement with the difference in means, which they
    add as a further moment, whose weight makes it close. Here it is exact.

    >>> from askance.inference import item_count_regression
    >>> counts = [0, 1, 1, 2, 1, 2] * 10 + [0, 1, 2, 2, 3, 2, 1, 1] * 10
    >>> fit = item_count_regression(counts, [0] * 60 + [1] * 80, items=2)
    >>> fit.prevalence().value.round(3).tolist()
    [0.357]
    """
    normal_quantile(level)
    _refuse_errors(errors, weighted=sampling is not None or weights is not None)
    options = {"items": items, "control": control, "rows": (weights, counts, clusters)}
    answers, model_matrix, sample, columns = read_list_experiment(
        reports, arms, covariates, sampling, data, terms, **options
    )
    model = ItemCountModel(
        items=answers.items,
        sensitive=answers.sensitive,
        terms=model_matrix.terms,
        constrained=constrained,
        overdispersed=overdispersed,
        misreport=misreport,
        condition=condition,
    )
    _refuse_combinations(model, anchored=anchored)
    fitted = _fit_anchored if anchored else _fit
    fit = fitted(model, answers, model_matrix, (errors, columns.clusters, sample), level)
    return replace(fit, formula=columns.formula)


def _refuse_errors(errors: str, *, weighted: bool) -> None:
    refuse_unknown("errors", errors, ("observed", "robust"))
    if weighted:
        refuse_expected(errors)


def _refuse_combinations(model: ItemCountModel, *, anchored: bool) -> None:
    """Refuse options that only the plain model has, where the model is not plain.

    Nor are several items unconstrained: their joint law would be needed.
    """
    if not model.constrained and len(model.sensitive) > 1:
        raise InputError(
            "constrained",
            got=False,
            allowed="True with several sensitive items",
            remedy='ask for condition="level", or fit each with the control group alone',
        )
    conditioned = model.condition != "none"
    more = {
        f"misreport={model.misreport!r}": model.misreport != "none",
        "overdispersed=True": model.overdispersed,
        "constrained=False": conditioned and not model.constrained,
        "anchored=True": conditioned and anchored,
    }
    for fault, is_set in more.items():
        if is_set and (conditioned or anchored):
            raise InputError(
                "condition" if conditioned else "anchored",
                got=fault,
                allowed="people who say what holds, and binomial counts of one law",
                remedy="leave one of them out; item_count_least_squares asks for no law of counts",
            )


def _fit(
    model: ItemCountModel,
    answers: ListAnswers,
    model_matrix: Covariates,
    errors: Spread,
    level: float,
) -> ItemCountRegression:
    """Maximise the likelihood of a model, in covariates of mean 0 and spread 1."""
    problem, top = maximise_item_counts(
        ItemCountLikelihood(
            model=model,
            answers=answers,
            model_matrix=model_matrix.standard(),
            weights=model_matrix.weights,
        )
    )
    model, (inside, parameters) = problem.model, freed(problem, top.parameters)
    covariance, standard_errors = _free_covariance(inside, parameters, errors)
    ended = Convergence.STATIONARY if top.settled else Convergence.STOPPED
    back = _unstandardised(model, model_matrix)
    free = _unstandardised(inside.likelihood.model, model_matrix)
    turn, indices = inside.turn(parameters), inside.among(model)
    logits = (covariance * np.outer(turn, turn))[np.ix_(indices, indices)]
    return ItemCountRegression(
        model=model,
        table=CoefficientTable(
            names=model.names,
            value=back @ top.parameters,
            covariance=back @ logits @ back.T,
            standard_errors=standard_errors,
            level=level,
        ),
        free_covariance=free @ covariance @ free.T,
        log_likelihood=top.total,
        gap=top.gap,
        convergence=Convergence.ON_BOUNDARY if model.fixed and top.settled else ended,
        likelihood=replace(problem, model_matrix=model_matrix.matrix),
    )


def _fit_anchored(
    model: ItemCountModel, answers: ListAnswers, columns: Covariates, errors: Spread, level: float
) -> ItemCountRegression:
    """Maximise with mean shares fixed, in covariates of mean 0 and spread 1."""
    problem = ItemCountLikelihood(
        model=model, answers=answers, model_matrix=columns.standard(), weights=columns.weights
    )
    anchored, top = anchored_likelihood(problem)
    parameters = anchored.placed(top.parameters)
    begun = anchored.placed(anchored.without_intercepts(problem.start()))
    first = anchored.turn(begun).T @ problem.complete(begun) @ anchored.turn(begun)
    size = np.sqrt(np.diag(first).clip(_LEAST))
    _refuse_runaway(anchored.names, anchored.observed(parameters), size)
    back, sample = _unstandardised(model, columns), errors[2]
    if isinstance(sample, ReplicateWeights):
        covariance, standard_errors = replicate_covariance(
            _make_refit(problem, parameters, size), parameters, sample
        )
    else:
        rows = anchored.influence(parameters)
        covariance, standard_errors = influence_spread(rows, columns.weights, errors[1:])
    covariance = back @ covariance @ back.T
    return ItemCountRegression(
        model=model,
        table=CoefficientTable(
            names=model.names,
            value=back @ parameters,
            covariance=covariance,
            standard_errors=standard_errors,
            level=level,
        ),
        free_covariance=covariance,
        log_likelihood=top.total,
        gap=top.gap,
        convergence=Convergence.STATIONARY if top.settled else Convergence.STOPPED,
        likelihood=replace(problem, model_matrix=columns.matrix),
        anchored=True,
    )


def _make_refit(
    problem: ItemCountLikelihood, near: Floats, size: Floats
) -> Callable[[Floats], Floats | None]:
    """Fix mean shares and maximise again with other weights; None where nothing is most likely."""

    def refit(weights: Floats) -> Floats | None:
        try:
            anchored, top = anchored_likelihood(problem.weighed(weights), near)
        except NotIdentified:  # a difference in means that is no share
            return None
        parameters = anchored.placed(top.parameters)
        away = runs_away(anchored.names, anchored.observed(parameters), size)
        return parameters if top.settled and not away else None

    return refit


def _free_covariance(
    inside: OnChances, parameters: Floats, errors: Spread
) -> tuple[Floats, StandardErrors]:
    """The covariance with no chance fixed, and what it rests on.

    Beside a chance at 0 or 1 that of a sampling design is linearised, by replicates too: fits to
    replicates, whose chance stays there, would tell nothing of how sure it is.
    """
    information = curvature(inside, parameters)
    start = inside.chances(inside.likelihood.start())
    diagonal = np.diag(inside.complete(start))  # far from the top it may bend the other way
    size = np.sqrt(np.where(diagonal > 0, diagonal, np.abs(np.diag(information))).clip(_LEAST))
    _refuse_runaway(inside.likelihood.model.names, information, size)
    bread, (low, high) = inverse(information), inside.within
    sampling = errors[2]
    if sampling is not None and ((parameters <= low) | (parameters >= high)).any():
        return survey_sandwich(inside, parameters, bread, sampling)
    return covariance_by(inside, parameters, bread, errors, inside.within)


_LEAST = np.finfo(float).tiny


def _refuse_runaway(names: Sequence[str], information: Floats, size: Floats) -> None:
    along = runs_away(names, information, size)
    if along:
        raise NotIdentified(
            "item_count_regression",
            got=f"a likelihood that rises without end along {', '.join(along)}",
            allowed="people with and without the sensitive item, at every value of the covariates",
            remedy="leave a covariate or the misreports out; item_count gives the share's interval",
        )


def _unstandardised(model: ItemCountModel, model_matrix: Covariates) -> Floats:
    """What turns parameters of standardised covariates into those of the covariates."""
    many = np.kron(np.eye(len(model.blocks)), model_matrix.back())
    back = np.eye(len(many) + len(model.levels) + len(model.chances))
    back[: len(many), : len(many)] = many
    return back
