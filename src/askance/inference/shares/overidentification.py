"""Overidentification test: whether any shares fit the reports."""

import math
from dataclasses import dataclass
from typing import ClassVar, final

from scipy.special import chdtrc, fdtrc, xlogy

from askance.inference.provenance import Computation
from askance.inference.shares.sampled_law import SampledLaw
from askance.results import (
    Cells,
    Listing,
    cells_of,
    json_of,
    listed,
    number,
    result_frame,
    result_stream,
)
from askance.typing import Floats, Json


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class OveridentificationTest:
    """Overidentification test: observed and expected counts, with G² and X².

    Attributes
    ----------
    reports : tuple of str
    observed, expected : array, shape (m,)
        Counts, and those expected at the most likely shares.
    deviance : float
        G² = 2 Σ n log(n / expected), the likelihood ratio against any chances in each group.
    pearson : float
        X² = Σ (n − expected)² / expected.
    df : int
        Degrees of freedom; 0 where shares fit whatever is received.
    effects : array, shape (df,), or None
        Of a sample with weights or a sampling design: the design effects that G² and X² are
        mixtures of. Both are then compared with F, by their mean and variance (Rao & Scott, 1984).
    denominator_df : float
        Degrees of freedom of a complex sample; infinite otherwise.

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> ak.inference.overidentification_test(ak.Tally(q, {"yes": 180, "no": 820}))  # below ¼
    reports received, and expected
    report  received  expected
    yes          180       250
    no           820       750
    G² 28.08 (p 1.17e-07), X² 26.13 (p 3.19e-07), 1 degree of freedom
    """

    computation: ClassVar[Computation] = Computation.OVERIDENTIFICATION_TEST
    reports: tuple[str, ...]
    observed: Floats
    expected: Floats
    deviance: float
    pearson: float
    df: int
    effects: Floats | None = None
    denominator_df: float = math.inf

    @property
    def p_value(self) -> float:
        """The p-value of G²; not a number without degrees of freedom."""
        return self._tail(self.deviance)

    @property
    def p_pearson(self) -> float:
        """The p-value of X²."""
        return self._tail(self.pearson)

    def _tail(self, statistic: float) -> float:
        if not self.df:
            return math.nan
        if self.effects is None:
            return float(chdtrc(self.df, statistic))
        return rao_scott_p_value(statistic, self.effects, self.denominator_df)

    def columns(self) -> Cells:
        """The head of a table, and its rows, numbers as they are."""
        head = ["report", "received", "expected"]
        return head, cells_of(self.reports, self.observed, self.expected)

    def to_dict(self) -> Json:
        """Write the test for JSON."""
        names = "reports observed expected deviance pearson df p_value p_pearson"
        if self.effects is not None:
            names += " effects" + ("" if math.isinf(self.denominator_df) else " denominator_df")
        return json_of(self, names)

    def _table(self) -> Listing:
        rows = [
            [name, number(float(observed), 6), number(float(fits), 6)]
            for name, observed, fits in zip(self.reports, self.observed, self.expected, strict=True)
        ]
        df = f"{self.df} degree{'' if self.df == 1 else 's'} of freedom"
        statistics = (
            f"G² {number(self.deviance)} (p {self.p_value:.3g}), "
            f"X² {number(self.pearson)} (p {self.p_pearson:.3g}), {df}"
        )
        notes = [statistics if self.df else "no degree of freedom: shares fit whatever is received"]
        if self.df and (self.expected[self.expected > 0] < _FEW).any():
            notes.append("some expected counts are below 5: the law of G² and X² is then rough")
        if self.effects is not None:
            notes.append("weighted frequencies; p by F, for the design effects (Rao and Scott)")
        return "reports received, and expected", ["report", "received", "expected"], rows, notes

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


_FEW = 5


def compare_with_expected(
    reports: tuple[str, ...],
    counts: Floats,
    chance: Floats,
    df: int,
    effects: Floats | None,
    law: SampledLaw | None,
) -> OveridentificationTest:
    """Compare counts with those that the model's chances make expected."""
    expected = chance * counts.sum()
    possible = expected > 0
    return OveridentificationTest(
        reports=reports,
        observed=counts,
        expected=expected,
        deviance=max(2 * float((xlogy(counts, counts) - xlogy(counts, expected)).sum()), 0.0),
        pearson=float(((counts - expected)[possible] ** 2 / expected[possible]).sum()),
        df=df,
        effects=effects,
        denominator_df=math.inf if law is None else law.df,
    )


def rao_scott_p_value(statistic: float, effects: Floats, df: float) -> float:
    """How often Σ λ χ² is as large, by F with its mean and variance (Rao & Scott, 1984).

    >>> import numpy as np
    >>> x = np.array([3.841459, 7.682918])
    >>> [round(rao_scott_p_value(s, np.array([s / x[0]]), math.inf), 6) for s in x]
    [0.05, 0.05]
    """
    total, squares = float(effects.sum()), float((effects**2).sum())
    if not total > 0 or df < 1:
        return 1.0
    own = total**2 / squares
    if math.isinf(df):
        return float(chdtrc(own, statistic * own / total))
    return float(fdtrc(own, own * df, statistic / total))
