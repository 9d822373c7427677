"""The only code that ever sees a real answer (standard library only).

Begin with `respond`: a form and one person's answers in, the `Report` that may leave the device
out, with fresh bits of the operating system. `render_page` makes the page that does the same in a
browser; a `Page` is its bytes, their fingerprint and the headers to serve them with, and
`render_source_map` gives the sources of its lines.
`render_frame` makes the frame in which pages of others ask one question of a form.

For a device of one's own, question by question: `draw` the randomness (`draw_bounds` says of what)
before anything is known of the answer, then `encode` the answer. `list_cells` gives the ranges to
choose from; `next_cut` is the next step where a question is asked one step narrower at a time;
`assigned_group` is the group into which chance has put the device, where a question has several,
and `place_in_group` lets an invitation choose it;
`follow_skips` gives what each question encodes where some are skipped. What is drawn from the
system is tested as it is drawn.

Where a form wants tokens, `blind` draws a message for an issuer to sign unseen, and a `Blinded`
makes a token of what it has signed; `blind_with` takes what was drawn elsewhere.

`render_verifier` makes a page that others host and that opens a form's page only as it was
published; `verified_link` is the address that leads there.

Without a device: `render_sheets` writes a form as sheets to print, `telephone_script` as a script
for interviewers; dice, cards, a spinner or digits decide at exactly the form's chances.
"""

from typing import TYPE_CHECKING

from askance_collect.lazy import attach

if TYPE_CHECKING:
    from askance_collect.respond.blinding import (
        Blinded as Blinded,
        blind as blind,
        blind_with as blind_with,
    )
    from askance_collect.respond.encode import (
        assigned_group as assigned_group,
        draw_bounds as draw_bounds,
        list_cells as list_cells,
        draw as draw,
        encode as encode,
        follow_skips as follow_skips,
        next_cut as next_cut,
        place_in_group as place_in_group,
        respond as respond,
    )
    from askance_collect.respond.iframe import render_frame as render_frame
    from askance_collect.respond.page import (
        Page as Page,
        render_page as render_page,
        render_source_map as render_source_map,
    )
    from askance_collect.respond.sheet import render_sheets as render_sheets
    from askance_collect.respond.telephone import telephone_script as telephone_script
    from askance_collect.respond.verifier import (
        render_verifier as render_verifier,
        verified_link as verified_link,
    )
else:
    attach(__name__)
