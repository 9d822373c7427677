"""Evidence that the page is the published one, and that a log only grew.

Begin with `verify_page`: it fetches a page as any browser would, rebuilds it from its form and says
in a `Verdict` where they differ first; `compare_page` does so for bytes that are there already, and
`fetch` only fetches (`Fetched`, or `NotFetched` says why not). `render_webcat` writes the manifest
(`Webcat`) by which an extension of browsers opens the published page and nothing else, and
`verify_webcat` compares what a host hands out to it.

`create_log` makes a log that only grows, of digests of pages and of reports, or of what was seen of
a page: `append_entries` signs each head, `read_log` reads a `PublicLog`, `check_log` finds what was
changed in it, and `report_entries` puts digests of reports in an order that tells nothing.
`prove_entry` shows that something is in it and `prove_growth` that nothing left it, to whoever
holds a `Checkpoint`: `check_entry` and `check_growth` need the proof and a `VerifierKey` alone,
which `read_verifier_key` reads; `read_checkpoint` reads a head.

`submit_head` has a witness sign a head, too, so that nobody can be shown another history:
`cosigned_at` checks when it did, under its `WitnessKey`, which `read_witness_key` reads.

Heads, proofs and keys are spelt as others spell them (C2SP signed-note, tlog-checkpoint,
tlog-proof), so that their tools read ours; a `SigningKey` signs any other note, `new_signing_key`
draws one and `read_signing_key` reads it. What signs or checks signatures needs ``pip install
'askance[tokens]'``.
"""

from typing import TYPE_CHECKING

from askance_collect.lazy import attach

if TYPE_CHECKING:
    from askance.transparency.cosigning import (
        WitnessKey as WitnessKey,
        cosigned_at as cosigned_at,
        read_witness_key as read_witness_key,
        submit_head as submit_head,
    )
    from askance.transparency.fetch import (
        Fetched as Fetched,
        NotFetched as NotFetched,
        fetch as fetch,
    )
    from askance.transparency.same_page import (
        Verdict as Verdict,
        compare_page as compare_page,
        verify_page as verify_page,
    )
    from askance.transparency.webcat import (
        Webcat as Webcat,
        render_webcat as render_webcat,
        verify_webcat as verify_webcat,
    )
    from askance.transparency.signed_note import (
        Checkpoint as Checkpoint,
        SigningKey as SigningKey,
        VerifierKey as VerifierKey,
        check_entry as check_entry,
        check_growth as check_growth,
        new_signing_key as new_signing_key,
        read_checkpoint as read_checkpoint,
        read_signing_key as read_signing_key,
        read_verifier_key as read_verifier_key,
    )
    from askance.transparency.public_log import (
        PublicLog as PublicLog,
        append_entries as append_entries,
        check_log as check_log,
        create_log as create_log,
        prove_entry as prove_entry,
        prove_growth as prove_growth,
        read_log as read_log,
        report_entries as report_entries,
    )
else:
    attach(__name__)
