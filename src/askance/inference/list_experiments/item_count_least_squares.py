"""Regression of a sensitive item on covariates, from a list experiment, by least squares.

Only means are modelled here: how many control items hold for people on average, and for how many
the sensitive one does. The likelihood of `item_count_regression` takes the whole law of counts for
known, and is more precise where it holds; `hausman_test` asks whether it does.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, final

import numpy as np

from askance.chart import Chart
from askance.inference.fit_result import Convergence, GoodnessOfFit
from askance.inference.list_experiments.item_count_anchored import (
    GroupStep,
    LeastSquares,
    anchored_influence,
    anchored_step,
    item_link,
)
from askance.inference.list_experiments.item_count_fit import fit_of_answers
from askance.inference.list_experiments.item_shares import (
    ItemShares,
    read_list_experiment,
)
from askance.inference.maximisation import Optimum
from askance.inference.provenance import Computation
from askance.inference.regression.answer_model import AnswerModel
from askance.inference.regression.coefficients import (
    CoefficientTable,
    FromTable,
    Margins,
    Per,
    coefficient_chart,
    convergence_notes,
    describe_means,
    draw_coefficients,
    influence_spread,
    inverse,
    people_counted,
    replicate_covariance,
    runs_away,
    tabulate_coefficients,
)
from askance.inference.regression.covariates import Covariates, covariate_spreads
from askance.inference.regression.formula import (
    Formula,
    listed_below_formula,
)
from askance.inference.replicate_weights import ReplicateWeights
from askance.inference.sampling_columns import SamplingColumns
from askance.inference.sampling_design import AbstractSamplingDesign
from askance.inference.standard_errors import ErrorSource, StandardErrors
from askance.results import (
    Listing,
    json_of,
    normal_quantile,
    read_only,
    result_frame,
    result_stream,
)
from askance.typing import Floats, Json
from askance_collect.arguments import checked
from askance_collect.errors import NotIdentified, refuse_unknown


@final
@listed_below_formula
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ItemCountLeastSquares:
    """A regression of sensitive items on covariates, from a list experiment, by least squares.

    Attributes
    ----------
    sensitive, terms : tuple of str
        The M sensitive items and the c covariates.
    link : str
        "logit" or "identity".
    table : CoefficientTable
        The coefficients. Its attributes (names, value, covariance, standard_errors, level, df, se
        and p_value) are those of the regression too.
    gap : float
        What a further step would take from half the sum of squares.
    convergence : Convergence
    squares : LeastSquares
        The reports and covariates that were given.
    anchored : bool
        Whether the mean shares were fixed at the differences in means.
    sampling : AbstractSamplingDesign or None
        How people were drawn.
    clusters : array or None
        Which rows may depend on each other.
    formula : Formula or None
        What the covariates were made by.

    >>> from askance.inference import item_count_least_squares
    >>> counts = [0, 1, 1, 2, 1, 2] * 10 + [0, 1, 2, 2, 3, 2, 1, 1] * 10
    >>> item_count_least_squares(counts, [0] * 60 + [1] * 80, items=2, link="identity")
    share for whom each item holds, from a list experiment, by least squares
    term                        value       se     z        p  95 % from     to
    sensitive item: intercept  0.3333   0.1318  2.53    0.011      0.075  0.592
    control: intercept          1.167  0.08903  13.1  3.1e-39      0.992   1.34
    mean share and its se: sensitive item 0.3333 ± 0.13
    140 respondents; robust se
    computed in closed form
    """

    computation: ClassVar[Computation] = Computation.ITEM_COUNT_LEAST_SQUARES
    sensitive: tuple[str, ...]
    terms: tuple[str, ...]
    link: str
    table: CoefficientTable
    gap: float
    convergence: Convergence
    squares: LeastSquares
    anchored: bool = False
    sampling: AbstractSamplingDesign | None = None
    clusters: Any = None
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
        return round(float(people_counted(self.squares.weights, self.df).sum()))

    def coefficients(self) -> Margins:
        """The coefficients with their normal intervals, or Student's of a complex sample."""
        return self.table.margins()

    def predict(self, covariates: Any) -> Floats:
        """Predicted probability that each sensitive item holds, shape (rows, M).

        With the identity link it may lie outside [0, 1].
        """
        return self._shares().predict(covariates)

    def prevalence(self, covariates: Any = None) -> Margins:
        """The mean predicted prevalence of each sensitive item.

        Covariates are taken as given. The interval is normal on the scale of log-odds; with the
        identity link on that of shares, as far as it lies in [0, 1].

        Parameters
        ----------
        covariates : array_like, shape (rows, c), or data frame, optional
            Whose mean share, each counting once; all respondents, by their weights, if left out.
        """
        return self._shares().prevalence(covariates)

    def difference(self, after: Any, before: Any) -> Margins:
        """How much the mean share differs between two tables of covariates: the normal interval.

        As in `ItemCountRegression`.
        """
        return self._shares().difference(after, before)

    def effects(self) -> Margins:
        """The average marginal effect of every covariate on the share of each sensitive item."""
        return self._shares().effects()

    @property
    def goodness_of_fit(self) -> GoodnessOfFit:
        """Whether one more item can have made these counts, as of `ItemCountRegression`."""
        answers = self.squares.answers
        people = people_counted(self.squares.weights, self.df)
        names = [f"“{name}”" for name in self.sensitive]
        return fit_of_answers(answers.arm, answers.count, people, names, answers.items)

    def to_dict(self) -> Json:
        """Write the coefficients and the mean shares for JSON; with covariates, effects too."""
        names = "gap n level link anchored" + ("" if math.isinf(self.df) else " df")
        written = json_of(self, "names value se p_value covariance")
        written |= {"errors": str(self.standard_errors)} | json_of(self, names)
        written |= json_of(self.coefficients(), "lower upper")
        written |= self.convergence.to_dict() | {"prevalence": self.prevalence().to_dict()}
        written |= json_of(self, "goodness_of_fit standard_errors")
        if self.terms:
            written["effects"] = self.effects().to_dict()
        return written if self.formula is None else {"formula": self.formula.text, **written}

    def _chart(self, per: Per = "sd") -> Chart:
        """Describe the coefficients of the sensitive items with their intervals."""
        many = len(self.sensitive) * (1 + len(self.terms))
        title = f"{_SCALES[self.link]} that the item holds"
        spreads = covariate_spreads(self.terms, self.squares.model_matrix, self.squares.weights)
        return coefficient_chart(self, range(many), title, spreads, per)

    plot = draw_coefficients
    plot_data = tabulate_coefficients

    def influence(self) -> Floats:
        """How much a row of weight 1 moves each coefficient, shape (n, parameters)."""
        return read_only(_influence(self.squares, self.value, anchored=self.anchored))

    @checked
    def notes(self, *, is_brief: bool = False) -> list[str]:
        """Describe the model, the respondents, and how the fit ended.

        Parameters
        ----------
        is_brief : bool
            Whether mean shares, and the end of a fit that ended well, are left out.
        """
        means = [] if is_brief else [f"mean share and its se: {describe_means(self.prevalence())}"]
        ended = convergence_notes(self.convergence, is_brief=is_brief)
        return [
            *means,
            *(["mean share held at the difference in means"] if self.anchored else []),
            f"{self.n:,} respondents; {_describe_errors(self.standard_errors)}",
            *(ended if self.link == "identity" else [_NEAR]),
            *self.goodness_of_fit.misfit,
        ]

    def _table(self) -> Listing:
        title = f"{_TITLES[self.link]}, from a list experiment, by least squares"
        return title, *self.table.rows(), self.notes()

    def _shares(self) -> ItemShares:
        return ItemShares(
            sensitive=self.sensitive,
            terms=self.terms,
            model=_model(self.terms, self.link),
            value=self.value,
            covariance=self.covariance,
            model_matrix=self.squares.model_matrix,
            weights=self.squares.weights,
            formula=self.formula,
            level=self.level,
            df=self.df,
        )

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


def _describe_errors(errors: StandardErrors) -> str:
    return "robust se" if errors.source is ErrorSource.ROBUST else f"se by {errors}"


_NEAR = "no small change fits better; a better fit elsewhere is not ruled out"
_SCALES = {"logit": "log-odds", "identity": "share"}
_TITLES = {
    "logit": "log-odds that each item holds",
    "identity": "share for whom each item holds",
}


def _model(terms: tuple[str, ...], link: str) -> AnswerModel:
    """How the share of one item depends on its coefficients."""
    return AnswerModel(
        answers=("holds", "not"),
        link=item_link(link),
        restriction=np.eye(1 + len(terms)),
        names=("intercept", *terms),
        description=_TITLES[link],
    )


@checked
def item_count_least_squares(
    reports: Any,
    arms: Any,
    covariates: Any = None,
    *,
    items: int,
    control: Any = 0,
    data: Any = None,
    terms: Sequence[str] | None = None,
    link: Literal["logit", "identity"] = "logit",
    anchored: bool = False,
    weights: Any = None,
    counts: Any = None,
    clusters: Any = None,
    sampling: AbstractSamplingDesign | SamplingColumns | None = None,
    level: float = 0.95,
) -> ItemCountLeastSquares:
    r"""Regress a sensitive item on covariates from a list experiment, by (nonlinear) least squares.

    .. math:: E(y \mid x, t) = J F(x\gamma) + t F(x\delta)

    with t whether a person saw the sensitive item, J the number of control items, and F the
    logistic function: nonlinear least squares in two steps, γ from the control group, and then δ
    from the others, given γ. With the identity link the mean is xγ + t xδ, and the coefficients
    are those of ordinary least squares with all interactions. Errors are robust and take both
    steps into account:

    .. math:: \hat V = G^{-1} \Bigl( \sum_i w_i^2 s_i s_i^T \Bigr) G^{-T}

    with s the equations of both steps and G their derivatives.

    Where the model of shares is wrong, the mean of what it predicts is not the share of all people;
    the difference in means is, whatever the model. Anchored coefficients have the least squares
    among those whose mean predicted share is that difference.

    Parameters
    ----------
    reports, arms, covariates, items, control, data, terms
        As in `item_count_regression`.
    link : {"logit", "identity"}
    anchored : bool
        Whether the mean share of each item is fixed at its difference in means.
    weights : array_like, length n, or str, optional
        Sampling weights, as in `response_regression`.
    counts : array_like of int, length n, or str, optional
        How often each row is there, as in `response_regression`.
    clusters : array_like, length n, or str, optional
        Rows that bear the same label may depend on each other.
    sampling : SamplingDesign, ReplicateWeights or SamplingColumns, optional
        How people were drawn, in place of weights and clusters, with replacement, as in
        `item_count_regression`.
    level : float
        Of the intervals.

    Returns
    -------
    ItemCountLeastSquares

    Raises
    ------
    InputError
        As in `item_count_regression`.
    NotIdentified
        If covariates determine each other, or the sum of squares falls without end: then nearly
        nobody, or nearly everybody, with some covariates has the sensitive item. Or if a difference
        in means, at which log-odds are to be fixed, is not between 0 and 1.

    References
    ----------
    Imai (2011), the two-step estimator; Blair, Chou & Imai (2019), who add the agreement with the
    difference in means as a further moment, whose weight makes it close. Here it is exact.

    >>> from askance.inference import item_count_least_squares
    >>> counts = [0, 1, 1, 2, 1, 2] * 10 + [0, 1, 2, 2, 3, 2, 1, 1] * 10
    >>> fit = item_count_least_squares(counts, [0] * 60 + [1] * 80, items=2)
    >>> fit.prevalence().value.round(4).tolist()  # the difference in means
    [0.3333]
    """
    normal_quantile(level)
    refuse_unknown("link", link, ("logit", "identity"))
    options = {"items": items, "control": control, "rows": (weights, counts, clusters)}
    answers, model_matrix, sample, columns = read_list_experiment(
        reports, arms, covariates, sampling, data, terms, **options
    )
    standard = model_matrix.standard()
    problem = LeastSquares(
        answers=answers, model_matrix=standard, weights=model_matrix.weights, link=link
    )
    fit = _fit(problem, model_matrix, (columns.clusters, sample), level, anchored=anchored)
    return replace(fit, formula=columns.formula)


def _fit(
    problem: LeastSquares,
    model_matrix: Covariates,
    spread: tuple[Any, AbstractSamplingDesign | None],
    level: float,
    *,
    anchored: bool,
) -> ItemCountLeastSquares:
    """Solve in covariates of mean 0 and spread 1, group by group, the control group first."""
    parameters, tops = _solve(problem, anchored=anchored)
    _refuse_runaway(problem, model_matrix, parameters, anchored=anchored)
    covariance, standard_errors = _covariance(problem, parameters, spread, anchored=anchored)
    blocks, single = (*problem.answers.sensitive, "control"), ("intercept", *model_matrix.terms)
    names = tuple(f"{block}: {term}" for block in blocks for term in single)
    back = np.asarray(np.kron(np.eye(len(blocks)), model_matrix.back()), dtype=np.float64)
    settled = all(top.settled for top in tops)
    ended = Convergence.STATIONARY if settled else Convergence.STOPPED
    return ItemCountLeastSquares(
        sensitive=problem.answers.sensitive,
        terms=model_matrix.terms,
        link=problem.link,
        table=CoefficientTable.unstandardised(
            back, names, parameters, covariance, standard_errors, level
        ),
        gap=sum(top.gap for top in tops),
        convergence=Convergence.EXACT if problem.link == "identity" else ended,
        squares=replace(problem, model_matrix=model_matrix.matrix),
        anchored=anchored,
        sampling=spread[1],
        clusters=spread[0],
    )


def _solve(
    problem: LeastSquares, near: Floats | None = None, *, anchored: bool
) -> tuple[Floats, list[Optimum]]:
    """All coefficients, group by group, and where each maximisation ended."""
    k, many = problem.model_matrix.shape[1], len(problem.blocks())
    parameters, tops = np.zeros(many * k), []
    for block in (many - 1, *range(many - 1)):
        free = GroupStep(squares=problem, parameters=parameters, block=block)
        step = anchored_step(problem, parameters, block) if anchored and block < many - 1 else free
        tops.append(step.lowest(None if near is None else near[free.own]))
        parameters[free.own] = tops[-1].parameters
    return parameters, tops


def _covariance(
    problem: LeastSquares,
    parameters: Floats,
    spread: tuple[Any, AbstractSamplingDesign | None],
    *,
    anchored: bool,
) -> tuple[Floats, StandardErrors]:
    """By whole fits to replicates, or else by how much each row moves the coefficients."""
    if not isinstance(spread[1], ReplicateWeights):
        rows = _influence(problem, parameters, anchored=anchored)
        return influence_spread(rows, problem.weights, spread)
    return replicate_covariance(
        squares_again(problem, parameters, anchored=anchored), parameters, spread[1]
    )


def squares_again(
    problem: LeastSquares, parameters: Floats, *, anchored: bool
) -> Callable[[Floats], Floats | None]:
    """Solve again with other weights, from what all say; None where nothing fits best.

    Parameters
    ----------
    problem : LeastSquares
    parameters : array, shape (parameters,)
    anchored : bool
        Whether mean shares are fixed at differences in means.
    """
    size = np.sqrt(np.diag(problem.slopes(parameters)))

    def refit(weights: Floats) -> Floats | None:
        reweighed = problem.weighed(weights)
        try:
            solution, tops = _solve(reweighed, parameters, anchored=anchored)
        except NotIdentified:  # a difference in means that is no share
            return None
        bends = np.sqrt(np.diag(reweighed.slopes(solution)).clip(0)) > _FLAT * size
        return solution if bends.all() and all(top.settled for top in tops) else None

    return refit


_FLAT = 1e-4  # of a slope: where a fit to a replicate has run away


def _refuse_runaway(
    problem: LeastSquares, model_matrix: Covariates, parameters: Floats, *, anchored: bool
) -> None:
    """Refuse coefficients along which a sum of squares falls without end."""
    single = ("intercept", *model_matrix.terms)
    blocks = (*problem.answers.sensitive, "control")
    for block, name in enumerate(blocks):
        step = GroupStep(squares=problem, parameters=parameters, block=block)
        flat = np.zeros(len(parameters))
        names, part = [f"{name}: {term}" for term in single], parameters[step.own]
        bends, first = (problem.slopes(point)[step.own, step.own] for point in (parameters, flat))
        if anchored and block < len(blocks) - 1:  # the intercept moves with the slopes
            turn = anchored_step(problem, parameters, block).turn(part)
            names, bends, first = names[1:], turn.T @ bends @ turn, first[1:, 1:]
        along = runs_away(names, bends, np.sqrt(np.diag(first))) if names else []
        if along:
            raise NotIdentified(
                "item_count_least_squares",
                got=f"a sum of squares that falls without end along {', '.join(along)}",
                allowed="people with and without the item, at every value of the covariates",
                remedy='leave a covariate out, or ask for link="identity"',
            )


def _influence(squares: LeastSquares, parameters: Floats, *, anchored: bool) -> Floats:
    """How much each row moves each coefficient, not weighted."""
    if anchored:
        return anchored_influence(squares, parameters)
    return squares.scores(parameters) @ inverse(squares.slopes(parameters)).T
