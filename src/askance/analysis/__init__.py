"""A form checked before it is asked, and its reports analysed: precision, estimates, findings.

Begin with `check` (what each question gives away and tells: a `CheckedQuestion` each, a
`CheckedTrait` for several that ask about one thing) and, once reports are counted, `analyse`: an
`Analysis` with a `Finding` for each question, a `ChecklistFinding` with a `TickedShare` for each
item of a list to tick, an `AttentionCheck` for each question whose right answer is known, and an
`EvidenceFinding` (of `EvidenceRate`) where the form asks who understood.
`reported_ranges` gives a numeric question's ranges to any estimator. `prepare_analysis` takes one
deployed question, for its precision, its estimate and its `PoisoningBound` alone.
Needs ``pip install 'askance[survey,engines]'``.
"""

from typing import TYPE_CHECKING

from askance_collect.lazy import attach

if TYPE_CHECKING:
    from askance.analysis.analyse import analyse as analyse, reported_ranges as reported_ranges
    from askance.analysis.check import check as check
    from askance.analysis.form_results import (
        Analysis as Analysis,
        AttentionCheck as AttentionCheck,
        Check as Check,
        CheckedQuestion as CheckedQuestion,
        CheckedTrait as CheckedTrait,
        EvidenceFinding as EvidenceFinding,
        EvidenceRate as EvidenceRate,
        Finding as Finding,
        ChecklistFinding as ChecklistFinding,
        PoisoningBound as PoisoningBound,
        QuestionEstimate as QuestionEstimate,
        TickedShare as TickedShare,
    )
    from askance.analysis.question_analysis import prepare_analysis as prepare_analysis
else:
    attach(__name__)
