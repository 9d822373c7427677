"""Judges of channels: what a report can give away, under each notion of privacy.

Begin with `local_loss`: the epsilon of local differential privacy. Each loss is a `Guarantee` of
one `Notion`, and compares only within it: `shafer_loss`, `walley_loss`, `belief_loss`,
`plausibility_loss` for reports read as evidence, `interval_differential`, `information_loss`,
`flatness`, `silence` and `coverage` for ranges, `set_guarantees` for sets of answers.

Hypothesis tests: `tradeoff` is the trade-off function (f-DP) between two answers, `neyman_pearson`
that of any two laws, `attack` and `best_test` a test that an adversary runs, `error_floor` and
`error_ceiling` what none can beat, `guessing` and `advantage` the Bayes adversary. Many reports:
`compose`, or a `Ledger` of what was asked of one person; `loss_over_rounds` of draws that are kept
(memoised), between histories of answers in a relation. `opendp_measurement` hands a channel to
OpenDP's combinators.
"""

from typing import TYPE_CHECKING

from askance_collect.lazy import attach

if TYPE_CHECKING:
    from askance.privacy.coverage import (
        CoverageLaw as CoverageLaw,
        box_coverage as box_coverage,
        coverage as coverage,
        coverage_law as coverage_law,
        least_coverage as least_coverage,
    )
    from askance.privacy.crowd import (
        FactorKind as FactorKind,
        RowCrowd as RowCrowd,
        RowFactor as RowFactor,
        declared_factor as declared_factor,
        undeclared_factor as undeclared_factor,
    )
    from askance.privacy.evidence import (
        Claim as Claim,
        ClaimKind as ClaimKind,
        Disclosure as Disclosure,
        QuestionEvidence as QuestionEvidence,
        ReportEvidence as ReportEvidence,
        question_evidence as question_evidence,
        report_evidence as report_evidence,
    )
    from askance.privacy.guarantee import (
        Guarantee as Guarantee,
        Notion as Notion,
        compose as compose,
    )
    from askance.privacy.population import (
        JointMethod as JointMethod,
        JointPosterior as JointPosterior,
        joint_posterior as joint_posterior,
    )
    from askance.privacy.losses import (
        Guessing as Guessing,
        advantage as advantage,
        belief_loss as belief_loss,
        guessing as guessing,
        is_shafer_private as is_shafer_private,
        is_walley_private as is_walley_private,
        local_loss as local_loss,
        plausibility_loss as plausibility_loss,
        shafer_loss as shafer_loss,
        walley_loss as walley_loss,
    )
    from askance.privacy.hypothesis_test import (
        Attack as Attack,
        RepeatedAttack as RepeatedAttack,
        attack as attack,
        best_test as best_test,
        repeated_test as repeated_test,
        worst_test as worst_test,
    )
    from askance.privacy.interval_privacy import (
        Silence as Silence,
        derived_flatness as derived_flatness,
        flatness as flatness,
        information_loss as information_loss,
        interval_differential as interval_differential,
        noisy_ranges as noisy_ranges,
        set_guarantees as set_guarantees,
        silence as silence,
    )
    from askance.privacy.population import (
        Population as Population,
        Posterior as Posterior,
        convicted_share as convicted_share,
        declared_population as declared_population,
        posteriors as posteriors,
        worst_population as worst_population,
    )
    from askance.privacy.opendp_measurement import opendp_measurement as opendp_measurement
    from askance.privacy.tradeoff import (
        View as View,
        least_favourable as least_favourable,
        tradeoff as tradeoff,
        worst_tradeoff as worst_tradeoff,
    )
    from askance.privacy.ledger import Interaction as Interaction, Ledger as Ledger
    from askance.privacy.loss_over_rounds import (
        HistoryRelation as HistoryRelation,
        LossOverRounds as LossOverRounds,
        loss_over_rounds as loss_over_rounds,
        losses_over_rounds as losses_over_rounds,
    )
    from askance.privacy.loss_distribution import (
        GaussianLimit as GaussianLimit,
        PrivacyLossDistribution as PrivacyLossDistribution,
    )
    from askance.privacy.tradeoff_function import (
        TradeoffFunction as TradeoffFunction,
        error_ceiling as error_ceiling,
        error_floor as error_floor,
        neyman_pearson as neyman_pearson,
    )
else:
    attach(__name__)
