"""Choose how to ask: the most precise mechanism at equal privacy, and the sample size.

Begin with `sample_size` (how many people a half-width or a power takes), `compare` (recipes side
by side at one epsilon), `compare_mechanisms` (those of survey methodology likewise),
`compare_numbers` (ranges of a number beside noise and scrambles) and `plan` (a whole
questionnaire). `compare_with_direct` tells when not to randomise.

`optimal_channel` maximises a utility (`MeanSquaredError`, `MutualInformation`, A-, D- and
E-optimality) under constraints (`LocalDifferentialPrivacy`, `Shafer`, `Walley`, `Advantage`,
`PairLosses`, `Answered`) and proves its optimum; `optimal_cuts` does so for numbers, `yoshida_pair`
and `joint_pair` in closed form for yes or no; `cuts_on_line`, `two_cuts_on_line` and
`ring_on_line` keep a promised coverage. `allocate_budget` divides a privacy budget among questions;
`half_width`, `power`, `effective_sample_size` and the prices foretell what a channel will tell.
"""

from typing import TYPE_CHECKING

from askance_collect.lazy import attach

if TYPE_CHECKING:
    from askance.design.budget import (
        BudgetAllocation as BudgetAllocation,
        Price as Price,
        allocate_budget as allocate_budget,
        hopeful_price as hopeful_price,
        resolved_price as resolved_price,
        shafer_price as shafer_price,
        walley_price as walley_price,
    )
    from askance.design.compare import Comparison as Comparison, compare as compare
    from askance.design.compare_mechanisms import (
        MechanismComparison as MechanismComparison,
        MechanismCost as MechanismCost,
        compare_mechanisms as compare_mechanisms,
    )
    from askance.design.compare_numbers import (
        NumberComparison as NumberComparison,
        NumberCost as NumberCost,
        compare_numbers as compare_numbers,
    )
    from askance.design.compare_oracles import (
        OracleComparison as OracleComparison,
        OracleCost as OracleCost,
        compare_oracles as compare_oracles,
    )
    from askance.design.utility import (
        AOptimal as AOptimal,
        Advantage as Advantage,
        Answered as Answered,
        Criterion as Criterion,
        DOptimal as DOptimal,
        EOptimal as EOptimal,
        LocalDifferentialPrivacy as LocalDifferentialPrivacy,
        MeanSquaredError as MeanSquaredError,
        MutualInformation as MutualInformation,
        PairLosses as PairLosses,
        Shafer as Shafer,
        Walley as Walley,
        merit as merit,
    )
    from askance.design.cuts_on_line import (
        cuts_on_line as cuts_on_line,
        two_cuts_on_line as two_cuts_on_line,
        ring_on_line as ring_on_line,
        ring_with_floor as ring_with_floor,
    )
    from askance.design.direct_question import (
        DirectComparison as DirectComparison,
        compare_with_direct as compare_with_direct,
    )
    from askance.design.optimal_channel import Design as Design, optimal_channel as optimal_channel
    from askance.design.optimal_cuts import (
        CoverageTradeoff as CoverageTradeoff,
        OptimalCuts as OptimalCuts,
        analogous_epsilon as analogous_epsilon,
        coverage_tradeoff as coverage_tradeoff,
        cuts_with_coverage as cuts_with_coverage,
        optimal_cuts as optimal_cuts,
    )
    from askance.design.optimal_pairs import (
        OptimalPair as OptimalPair,
        is_yoshida_optimal as is_yoshida_optimal,
        joint_pair as joint_pair,
        switch_prevalence as switch_prevalence,
        yoshida_pair as yoshida_pair,
    )
    from askance.design.plan import (
        Plan as Plan,
        plan as plan,
        question_block as question_block,
    )
    from askance.design.precision import (
        effective_sample_size as effective_sample_size,
        expected_half_width as expected_half_width,
        half_width as half_width,
        line_half_width as line_half_width,
    )
    from askance.design.quantile_precision import quantile_half_width as quantile_half_width
    from askance.design.sample_size import (
        SampleSize as SampleSize,
        power as power,
        sample_size as sample_size,
    )
else:
    attach(__name__)
