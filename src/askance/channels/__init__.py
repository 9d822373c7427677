"""What reports mean: a channel says how probable each report is given each answer.

Begin with `Frame`, the answers that are allowed, and `Channel`: a row-stochastic matrix, answers by
reports, whose columns each mean a set of answers. `RangeChannel` is its like for numbers: the law
of random cuts, after which the range that holds the number is reported. `privatise` sends a column
of answers through either; `Tally` counts reports of a channel, `SupportTally` those of a frequency
oracle, `GroupedTally` those of groups asked through different channels, `Ranges` holds intervals
(interval censoring).

Post-processing and joining channels: `post_process`, `image`, `relabel`, `restrict`, `two_reports`,
`two_questions`. Belief functions: `MassFunction`, `combine` (Dempster and others), `CredalSet`,
`ProductFrame`. Draws that are kept for many rounds: `MemoisedSymbols`, `MemoisedBits`. Cuts:
`CutLaw`, `DirichletCuts`, `OpenCellChannel`, `RingChannel`. What ranges can tell at all:
`InclusionProbability`, `identified_range`, `non_identified`.
"""

from typing import TYPE_CHECKING

from askance_collect.arguments import refuse_elsewhere
from askance_collect.lazy import attach

if TYPE_CHECKING:
    from askance.channels.channel import Channel as Channel
    from askance.channels.combine import (
        Combination as Combination,
        ProductFrame as ProductFrame,
        Reading as Reading,
        Rule as Rule,
        combine as combine,
        image as image,
        post_process as post_process,
        relabel as relabel,
        restrict as restrict,
        two_questions as two_questions,
        two_reports as two_reports,
    )
    from askance.channels.cut_law import CutLaw as CutLaw
    from askance.channels.number_law import DirichletCuts as DirichletCuts
    from askance.channels.sampled_counts import SampledCounts as SampledCounts
    from askance.channels.sampled_counts import SampledSupports as SampledSupports
    from askance.channels.frame import Frame as Frame
    from askance.channels.grouped_tally import GroupedTally as GroupedTally
    from askance.channels.identification import (
        InclusionProbability as InclusionProbability,
        non_identified as non_identified,
    )
    from askance.channels.mass_functions import CredalSet as CredalSet, MassFunction as MassFunction
    from askance.channels.memoised_draws import (
        MemoisedBits as MemoisedBits,
        MemoisedSymbols as MemoisedSymbols,
    )
    from askance.channels.cut_variants import (
        OpenCellChannel as OpenCellChannel,
        RingChannel as RingChannel,
    )
    from askance.channels.privatise import privatise as privatise
    from askance.channels.range_channel import (
        RangeChannel as RangeChannel,
        RangeIdentification as RangeIdentification,
        identified_range as identified_range,
    )
    from askance.channels.ranges import Ranges as Ranges, pull_back as pull_back
    from askance.channels.tally import (
        SupportTally as SupportTally,
        Tally as Tally,
    )
else:
    attach(__name__)

refuse_elsewhere(  # here, since every room that estimates loads this one
    "none here: a simple random sample is assumed",
    {
        "sampling": "tallies, estimate_line, cdf_intervals, count_items and regressions take one; "
        "errors of any other number are those of replicated(jackknife(sampling), …)",
        "replicates": "ReplicateWeights(weights=…, replicates=…, scale=…) is a sampling design: "
        "give it as sampling=, or to tally, where one is taken",
        "weights": "tally(…, weights=…) and regressions take sampling weights; elsewhere they "
        "belong in SamplingDesign(weights=…); repeated ranges are Ranges(…, counts=…)",
        "inclusion": "npmle, cdf_intervals, quantile_intervals, functional_interval and "
        "scrambled_mean take inclusion probabilities of reports; selection probabilities belong in "
        "SamplingDesign(probabilities=…)",
    },
)
