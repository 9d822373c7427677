"""Audits of mechanisms: lower bounds on privacy losses, and tests of how reports are drawn.

Begin with `audit`: of a question of a form (`FormSubject`), its page in a browser (`PageSubject`),
a channel (`ChannelSubject`), an outside program (`ProgramSubject`), any function of an answer
(`FunctionSubject`) or of a list of them (`BatchSubject`, which gives `Responses`). An `Audit` holds
a `LossBound` for each loss and an `AuditCheck` for whatever else a mechanism must not do. Needs
``pip install 'askance[survey]'``.
"""

from typing import TYPE_CHECKING

from askance_collect.lazy import attach

if TYPE_CHECKING:
    from askance.audit.agreement import AuditCheck as AuditCheck
    from askance.audit.form_subject import FormSubject as FormSubject
    from askance.audit.page_subject import PageSubject as PageSubject
    from askance.audit.auditor import Audit as Audit, audit as audit
    from askance.audit.loss_bounds import LossBound as LossBound
    from askance.audit.subject import Responses as Responses
    from askance.audit.subjects import (
        ChannelSubject as ChannelSubject,
        FunctionSubject as FunctionSubject,
        BatchSubject as BatchSubject,
        ProgramSubject as ProgramSubject,
    )
else:
    attach(__name__)
