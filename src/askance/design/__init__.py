"""Choosing before asking: which mechanism buys more with the same privacy."""

from askance.design.budget import Split, split
from askance.design.compare import Comparison, compare
from askance.design.constraints import Advantage, Answered, LocalPrivacy, PairLosses, Shafer, Walley
from askance.design.cuts_on_line import ring_with_floor
from askance.design.optimal_channel import Design, optimal_channel
from askance.design.optimal_cuts import (
    CoverageTradeoff,
    OptimalCuts,
    analogous_epsilon,
    coverage_tradeoff,
    cuts_with_coverage,
    optimal_cuts,
)
from askance.design.optimal_pairs import (
    OptimalPair,
    is_yoshida_optimal,
    joint_pair,
    switch_prevalence,
    yoshida_pair,
)
from askance.design.plan import Plan, plan
from askance.design.precision import expected_half_width, half_width, line_half_width
from askance.design.price import Price, hopeful_price, resolved_price, shafer_price, walley_price
from askance.design.report_variance import worth
from askance.design.sample_size import SampleSize, power, sample_size
from askance.design.utility import (
    AOptimal,
    DOptimal,
    EOptimal,
    MeanSquaredError,
    MutualInformation,
    merit,
)

__all__ = [
    "AOptimal",
    "Advantage",
    "Answered",
    "Comparison",
    "CoverageTradeoff",
    "DOptimal",
    "Design",
    "EOptimal",
    "LocalPrivacy",
    "MeanSquaredError",
    "MutualInformation",
    "OptimalCuts",
    "OptimalPair",
    "PairLosses",
    "Plan",
    "Price",
    "SampleSize",
    "Shafer",
    "Split",
    "Walley",
    "analogous_epsilon",
    "compare",
    "coverage_tradeoff",
    "cuts_with_coverage",
    "expected_half_width",
    "half_width",
    "hopeful_price",
    "is_yoshida_optimal",
    "joint_pair",
    "line_half_width",
    "merit",
    "optimal_channel",
    "optimal_cuts",
    "plan",
    "power",
    "resolved_price",
    "ring_with_floor",
    "sample_size",
    "shafer_price",
    "split",
    "switch_prevalence",
    "walley_price",
    "worth",
    "yoshida_pair",
]
