"""Choosing before asking: which mechanism buys more with the same privacy."""

from askance.design.advice.compare import Comparison, compare
from askance.design.advice.plan import Plan, plan
from askance.design.advice.price import (
    Price,
    hopeful_price,
    resolved_price,
    shafer_price,
    walley_price,
)
from askance.design.cuts.analogous import analogous_epsilon
from askance.design.cuts.coverage_tradeoff import CoverageTradeoff, coverage_tradeoff
from askance.design.cuts.given_coverage import cuts_with_coverage
from askance.design.cuts.optimal_cuts import OptimalCuts, optimal_cuts
from askance.design.cuts.ring_floor import ring_with_floor
from askance.design.optimum.constraint import (
    Advantage,
    Answered,
    LocalPrivacy,
    PairLosses,
    Shafer,
    Walley,
)
from askance.design.optimum.design import Design
from askance.design.optimum.optimal import optimal_channel
from askance.design.optimum.utility import (
    AOptimal,
    DOptimal,
    EOptimal,
    MeanSquaredError,
    MutualInformation,
    merit,
)
from askance.design.pairs.joint import joint_pair
from askance.design.pairs.pair import OptimalPair
from askance.design.pairs.yoshida import is_yoshida_optimal, switch_prevalence, yoshida_pair
from askance.design.people.power import power
from askance.design.people.size import SampleSize, sample_size
from askance.design.people.split import Split, split
from askance.design.people.width import expected_half_width, half_width, line_half_width
from askance.design.people.worth import worth

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
