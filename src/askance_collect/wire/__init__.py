"""The two documents that cross the wall: the form and the report (standard library only).

Begin with `Form`: the published questions with their integer tables, guarantees and fingerprint.
Its questions are of six kinds: `Choice`, `Number` and `FreeText` are asked plainly, `TableQuestion`
sends a column of a table, `CutsQuestion` and `RingQuestion` a random range. A `Label` is a name
with its wording, a `Group` people whom chance asks through one part of a table. An `Ending` is what
the last screen says beside the receipt, a `Redirect` what it says to people who are turned away,
`Branding` the study's own colours and its logo, which is an `Image`; a `Picture` is an image beside
a question or an answer. `Explanations` are what groups read before the questions, each its
`GroupExplanation`; `EvidenceQuestions` name the questions that show how they were understood.
`Report` is what a respondent's device sends under a form; `read_report` reads one back and refuses
what could not have been sent.

Where each person may send one report, a `Token` stands behind it, signed unseen under a `TokenKey`
of the form's `Tokens`: `read_token` refuses a forged one (by `pss_verify`, of a `token_message`
that `pss_encode` encodes); `read_tokens` reads who signs. Bytes stand in both as `to_base64url`
spells them and `from_base64url` reads them.

What is published can be named by the head of a Merkle tree (`tree_head` of each `leaf_hash`): by
`prove_inclusion` somebody can be shown that one thing is among it (`is_included`), by
`prove_consistency` that nothing was taken out since an earlier head (`is_consistent`).

Who writes a form's document without `askance.publish` checks each question with `read_question`
and pads reports to the `body_size` of all. The JSON of both documents is described by the schemas
beside this file and by the vectors that Python and JavaScript both pass.
"""

from typing import TYPE_CHECKING

from askance_collect.lazy import attach

if TYPE_CHECKING:
    from askance_collect.wire.ending import Ending as Ending, Redirect as Redirect
    from askance_collect.wire.explanations import (
        EvidenceQuestions as EvidenceQuestions,
        Explanations as Explanations,
        GroupExplanation as GroupExplanation,
    )
    from askance_collect.wire.form import Form as Form, body_size as body_size
    from askance_collect.wire.form_schema import (
        Label as Label,
    )
    from askance_collect.wire.branding import (
        Image as Image,
        Branding as Branding,
        Picture as Picture,
    )
    from askance_collect.wire.merkle import (
        is_consistent as is_consistent,
        is_included as is_included,
        leaf_hash as leaf_hash,
        prove_consistency as prove_consistency,
        prove_inclusion as prove_inclusion,
        tree_head as tree_head,
    )
    from askance_collect.wire.open_link import (
        OpenLink as OpenLink,
        check_stamp as check_stamp,
        read_open_link as read_open_link,
        solve_stamp as solve_stamp,
    )
    from askance_collect.wire.question import (
        CutsQuestion as CutsQuestion,
        Number as Number,
        RingQuestion as RingQuestion,
    )
    from askance_collect.wire.question import (
        Choice as Choice,
        Group as Group,
        ItemCount as ItemCount,
        TableQuestion as TableQuestion,
    )
    from askance_collect.wire.proof import (
        ProofKind as ProofKind,
        can_prove as can_prove,
        find_proof as find_proof,
        list_proofs as list_proofs,
    )
    from askance_collect.wire.question import read_question as read_question
    from askance_collect.wire.report import Report as Report, read_report as read_report
    from askance_collect.wire.question import FreeText as FreeText
    from askance_collect.wire.token import (
        Token as Token,
        TokenKey as TokenKey,
        Tokens as Tokens,
        from_base64url as from_base64url,
        pss_encode as pss_encode,
        pss_verify as pss_verify,
        read_token as read_token,
        read_tokens as read_tokens,
        to_base64url as to_base64url,
        token_message as token_message,
    )
else:
    attach(__name__)
