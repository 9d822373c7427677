"""Reports turned back into knowledge: estimates, intervals, tests and regressions.

Begin with `estimate` for shares of named answers (from a tally) and `npmle` for the distribution
of a number seen as ranges (interval censoring); `estimate_line` inverts the ranges of a form.
Regressions: `response_regression` (binary, multinomial and ordinal), `censored_regression`
(numbers seen as ranges) and `outcome_regression` (a protected answer among the covariates).

Shares: `estimate_domains` by group, `maximum_likelihood`, `moment_estimate`, `estimate_joint`,
`identified`, `walley_interval`, `fisher_information`. Very many answers, from a frequency oracle:
`estimate_frequencies`, `find_heavy_hitters`, `simultaneous_frequencies`. Ranges: `fit_family`,
`smoothed`, `goodness_of_fit`, `kolmogorov_test`, `log_rank_test`. Confidence intervals:
`quantile_intervals`, `cdf_intervals`, `simultaneous_band`, `functional_interval`; without a model,
`moment_bounds` and its kin. Whole numbers: `integer_valued`. Shares that the reports do not
determine: `estimate_sets`. List experiments: `item_count`, `item_count_regression` and
`item_count_outcome`. Scrambled numbers: `scrambled_mean`, `mean_of_numbers`.

Small groups, partially pooled: `estimate_small_areas`; with covariates and weights `fay_herriot`;
for a sampler, `ShareLikelihood`. Pointwise, for Bayesian programs: `report_log_likelihood`,
`range_log_likelihood`. Groups assigned at random: `compare_groups`. People who did not reply:
`nonresponse_bounds`, of a sample through `with_no_reply`.

People who do not comply: `estimate_compliance` takes a kind of them (`cheating_detection`,
`stochastic_lie_detector`, `self_protective`, `random_answerers`, `one_sayers`, or any
`Noncompliers`) and tells how many they are, `compliance_regression` on what that and the answer
depend; `correct_inattention` corrects shares by an anchor question; `overidentification_test` tests
whether all comply; `sensitivity` how shares depend on how many do not; `manipulation` and
`contamination_bounds` what false reports can do at most.
"""

from typing import TYPE_CHECKING

from askance_collect.lazy import attach

if TYPE_CHECKING:
    from askance.inference.bounds import (
        energy_bounds as energy_bounds,
        functional_bounds as functional_bounds,
        kolmogorov_bounds as kolmogorov_bounds,
        moment_bounds as moment_bounds,
    )
    from askance.inference.calibration import (
        calibrate as calibrate,
        poststratify as poststratify,
        rake as rake,
    )
    from askance.inference.sampling_columns import SamplingColumns as SamplingColumns
    from askance.inference.survey_statistics import (
        SurveyStatistic as SurveyStatistic,
        survey_mean as survey_mean,
        survey_ratio as survey_ratio,
        survey_total as survey_total,
        replicated as replicated,
    )
    from askance.inference.fit_result import (
        DesignVariance as DesignVariance,
        FitClaim as FitClaim,
        FitTest as FitTest,
        GoodnessOfFit as GoodnessOfFit,
        Untested as Untested,
    )
    from askance.inference.goodness_of_fit import goodness_of_fit as goodness_of_fit
    from askance.inference.group_tests import (
        SampleTest as SampleTest,
        kolmogorov_test as kolmogorov_test,
        log_rank_test as log_rank_test,
    )
    from askance.inference.intervals.cdf_intervals import (
        QuantileIntervals as QuantileIntervals,
        cdf_intervals as cdf_intervals,
        quantile_intervals as quantile_intervals,
        simultaneous_band as simultaneous_band,
    )
    from askance.inference.intervals.likelihood_ratio_law import PointIntervals as PointIntervals
    from askance.inference.intervals.functional_interval import (
        FunctionalInterval as FunctionalInterval,
        UnbiasedMean as UnbiasedMean,
        functional_interval as functional_interval,
        unbiased_mean as unbiased_mean,
        unbiased_mean_variance as unbiased_mean_variance,
    )
    from askance.inference.line.estimate_line import (
        estimate_line as estimate_line,
        integer_valued as integer_valued,
    )
    from askance.inference.line.plain_number import (
        estimate_plain as estimate_plain,
        estimate_plain_sample as estimate_plain_sample,
    )
    from askance.inference.line.cells import LineEstimate as LineEstimate
    from askance.inference.poisoning import (
        RangeManipulation as RangeManipulation,
        mean_manipulation as mean_manipulation,
        range_manipulation as range_manipulation,
    )
    from askance.inference.fit_result import Convergence as Convergence
    from askance.inference.list_experiments.item_count import (
        ItemCountEstimate as ItemCountEstimate,
        TypeShares as TypeShares,
        item_count as item_count,
    )
    from askance.inference.list_experiments.item_tally import (
        ItemCounts as ItemCounts,
        count_items as count_items,
    )
    from askance.inference.list_experiments.item_count_checks import (
        DesignEffectTest as DesignEffectTest,
        HausmanTest as HausmanTest,
        design_effect_test as design_effect_test,
        hausman_test as hausman_test,
    )
    from askance.inference.list_experiments.item_count_combined import (
        CombinedShares as CombinedShares,
        double_item_count as double_item_count,
        item_count_with_direct as item_count_with_direct,
    )
    from askance.inference.parametric import FamilyFit as FamilyFit, fit_family as fit_family
    from askance.inference.pointwise_likelihood import (
        range_log_likelihood as range_log_likelihood,
        report_log_likelihood as report_log_likelihood,
    )
    from askance.inference.ranges.distribution import (
        Distribution as Distribution,
        SmoothDistribution as SmoothDistribution,
        smoothed as smoothed,
    )
    from askance.inference.ranges.npmle import naive_npmle as naive_npmle, npmle as npmle
    from askance.inference.regression.censored_regression import (
        CensoredRegression as CensoredRegression,
        censored_regression as censored_regression,
    )
    from askance.inference.regression.coefficients import Margins as Margins
    from askance.inference.regression.error_laws import StudentNoise as StudentNoise
    from askance.inference.list_experiments.item_count_least_squares import (
        ItemCountLeastSquares as ItemCountLeastSquares,
        item_count_least_squares as item_count_least_squares,
    )
    from askance.inference.list_experiments.item_count_outcome import (
        item_count_outcome as item_count_outcome,
    )
    from askance.inference.list_experiments.item_count_regression import (
        ItemCountRegression as ItemCountRegression,
        item_count_regression as item_count_regression,
    )
    from askance.inference.regression.compliance_regression import (
        ComplianceRegression as ComplianceRegression,
        compliance_regression as compliance_regression,
    )
    from askance.inference.regression.outcome_law import OutcomeRegression as OutcomeRegression
    from askance.inference.regression.outcome_regression import (
        outcome_regression as outcome_regression,
    )
    from askance.inference.regression.response_regression import (
        ResponseRegression as ResponseRegression,
        paired_regression as paired_regression,
        response_regression as response_regression,
    )
    from askance.inference.scrambled_numbers import (
        ScrambledMean as ScrambledMean,
        Scrambling as Scrambling,
        mean_of_numbers as mean_of_numbers,
        scrambled_mean as scrambled_mean,
    )
    from askance.inference.replicate_weights import (
        ReplicateColumns as ReplicateColumns,
        ReplicateWeights as ReplicateWeights,
        balanced_replicates as balanced_replicates,
        bootstrap as bootstrap,
        track_replicates as track_replicates,
        jackknife as jackknife,
    )
    from askance.inference.joint_inclusion import JointInclusion as JointInclusion
    from askance.inference.sampling_design import SamplingDesign as SamplingDesign
    from askance.inference.provenance import (
        Computation as Computation,
        GroupTest as GroupTest,
        LearnerProvenance as LearnerProvenance,
        LearningAlgorithm as LearningAlgorithm,
        ListCombination as ListCombination,
        NoncomplianceModel as NoncomplianceModel,
        ScramblingModel as ScramblingModel,
        TypeEstimator as TypeEstimator,
    )
    from askance.inference.standard_errors import (
        ErrorSource as ErrorSource,
        StandardErrors as StandardErrors,
    )
    from askance.inference.shares.estimate import (
        MostLikely as MostLikely,
        estimate as estimate,
        grab_savage as grab_savage,
        maximum_likelihood as maximum_likelihood,
        moment_estimate as moment_estimate,
        most_likely as most_likely,
        truth_lie_variance as truth_lie_variance,
    )
    from askance.inference.shares.compliance import (
        ComplianceEstimate as ComplianceEstimate,
        Noncompliers as Noncompliers,
        cheating_detection as cheating_detection,
        estimate_compliance as estimate_compliance,
        known_answer as known_answer,
        one_sayers as one_sayers,
        overidentification_test as overidentification_test,
        random_answerers as random_answerers,
        self_protective as self_protective,
        stochastic_lie_detector as stochastic_lie_detector,
        with_noncompliers as with_noncompliers,
    )
    from askance.inference.shares.inattention import (
        InattentionCorrection as InattentionCorrection,
        correct_inattention as correct_inattention,
    )
    from askance.inference.shares.overidentification import (
        OveridentificationTest as OveridentificationTest,
    )
    from askance.inference.shares.partial import (
        PartialEstimate as PartialEstimate,
        estimate_sets as estimate_sets,
    )
    from askance.inference.area_level import (
        AreaFigure as AreaFigure,
        FayHerriotEstimates as FayHerriotEstimates,
        fay_herriot as fay_herriot,
    )
    from askance.inference.shares.heavy_hitters import (
        HeavyHitters as HeavyHitters,
        SimultaneousIntervals as SimultaneousIntervals,
        find_heavy_hitters as find_heavy_hitters,
        simultaneous_frequencies as simultaneous_frequencies,
    )
    from askance.inference.shares.frequencies import (
        FrequencyEstimate as FrequencyEstimate,
        estimate_frequencies as estimate_frequencies,
        estimate_supports as estimate_supports,
    )
    from askance.inference.shares.support_law import (
        FrequencyCovariance as FrequencyCovariance,
        SupportLaw as SupportLaw,
    )
    from askance.inference.domains import (
        DomainEstimates as DomainEstimates,
        LineDomains as LineDomains,
        estimate_domains as estimate_domains,
    )
    from askance.inference.shares.information import (
        Estimate as Estimate,
        Identification as Identification,
        ShareEstimator as ShareEstimator,
        fisher_information as fisher_information,
        identified as identified,
        mean_inverse as mean_inverse,
    )
    from askance.inference.shares.discrimination import (
        Chernoff as Chernoff,
        Discrimination as Discrimination,
        chernoff as chernoff,
        discriminate as discriminate,
        f_divergence as f_divergence,
        relative_entropy as relative_entropy,
        renyi_divergence as renyi_divergence,
    )
    from askance.inference.shares.joint import (
        JointEstimate as JointEstimate,
        estimate_joint as estimate_joint,
    )
    from askance.inference.poisoning import (
        Manipulation as Manipulation,
        manipulation as manipulation,
    )
    from askance.inference.shares.sensitivity import (
        ContaminationBounds as ContaminationBounds,
        contamination_bounds as contamination_bounds,
    )
    from askance.inference.shares.sensitivity import (
        Sensitivity as Sensitivity,
        sensitivity as sensitivity,
    )
    from askance.inference.shares.share_intervals import (
        WalleyInterval as WalleyInterval,
        walley_interval as walley_interval,
    )
    from askance.inference.shares.share_likelihood import ShareLikelihood as ShareLikelihood
    from askance.inference.shares.group_comparison import (
        GroupComparison as GroupComparison,
        compare_groups as compare_groups,
    )
    from askance.inference.shares.nonresponse import (
        nonresponse_bounds as nonresponse_bounds,
        with_no_reply as with_no_reply,
    )
    from askance.inference.shares.small_areas import (
        AreaShares as AreaShares,
        SmallAreaEstimates as SmallAreaEstimates,
        estimate_small_areas as estimate_small_areas,
    )
else:
    attach(__name__)
