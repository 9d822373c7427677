"""Choosing before asking: which mechanism buys more with the same privacy."""

from askance.design.compare import Comparison, compare
from askance.design.constraint import Advantage, Answered, LocalPrivacy, PairLosses, Shafer, Walley
from askance.design.design import Design
from askance.design.joint import joint_pair
from askance.design.optimal import optimal_channel
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
    "DOptimal",
    "Design",
    "EOptimal",
    "LocalPrivacy",
    "MeanSquaredError",
    "MutualInformation",
    "OptimalPair",
    "PairLosses",
    "Plan",
    "Price",
    "SampleSize",
    "Shafer",
    "Split",
    "Walley",
    "compare",
    "expected_half_width",
    "hopeful_price",
    "is_yoshida_optimal",
    "joint_pair",
    "merit",
    "optimal_channel",
    "plan",
    "power",
    "resolved_price",
    "sample_size",
    "shafer_price",
    "split",
    "switch_prevalence",
    "walley_price",
    "worth",
    "yoshida_pair",
]
