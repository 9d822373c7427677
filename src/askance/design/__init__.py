"""Choosing before asking: which mechanism buys more with the same privacy."""

from askance.design.analogous import analogous_epsilon
from askance.design.compare import Comparison, compare
from askance.design.constraint import Advantage, Answered, LocalPrivacy, PairLosses, Shafer, Walley
from askance.design.coverage_tradeoff import CoverageTradeoff, coverage_tradeoff
from askance.design.design import Design
from askance.design.given_coverage import cuts_with_coverage
from askance.design.joint import joint_pair
from askance.design.optimal import optimal_channel
from askance.design.optimal_cuts import OptimalCuts, optimal_cuts
from askance.design.pair import OptimalPair
from askance.design.plan import Plan, plan
from askance.design.power import power
from askance.design.price import (
    Price,
    hopeful_price,
    resolved_price,
    shafer_price,
    walley_price,
)
from askance.design.ring_floor import ring_with_floor
from askance.design.size import SampleSize, sample_size
from askance.design.split import Split, split
from askance.design.utility import (
    AOptimal,
    DOptimal,
    EOptimal,
    MeanSquaredError,
    MutualInformation,
    merit,
)
from askance.design.width import expected_half_width
from askance.design.worth import worth
from askance.design.yoshida import is_yoshida_optimal, switch_prevalence, yoshida_pair

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
    "hopeful_price",
    "is_yoshida_optimal",
    "joint_pair",
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
