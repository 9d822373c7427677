"""Auditors of mechanisms: lower bounds on what reports give away, and faults of how they are drawn.

Begin with `audit`: of a question of a form (`AskedForm`), its page in a browser (`AskedPage`), a
channel (`AskedChannel`), an outside program (`AskedProgram`), any function of an answer
(`AskedFunction`) or of a list of them (`AskedInBatches`, which gives what was `Heard`). An `Audit`
holds a `LossBound` for each loss and a `Check` for whatever else a mechanism must not do.
Needs ``pip install 'askance[survey]'``.
"""

from typing import TYPE_CHECKING

from askance_collect.lazy import attach

if TYPE_CHECKING:
    from askance.audit.agreement import Check as Check
    from askance.audit.asked_form import AskedForm as AskedForm
    from askance.audit.asked_page import AskedPage as AskedPage
    from askance.audit.auditor import Audit as Audit, audit as audit
    from askance.audit.loss_bounds import LossBound as LossBound
    from askance.audit.subject import Heard as Heard
    from askance.audit.subjects import (
        AskedChannel as AskedChannel,
        AskedFunction as AskedFunction,
        AskedInBatches as AskedInBatches,
        AskedProgram as AskedProgram,
    )
else:
    attach(__name__)
