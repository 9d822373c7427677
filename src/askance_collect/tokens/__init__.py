"""Signs tokens for invitation codes, and never meets a report: one person, one report, unlinkably.

Begin with `create_issuer`: a file with a private key for each stratum or wave, whose public keys
(`Issuer.public`) a form names; `open_issuer` opens it again. `Issuer.invite` makes codes, each of
which buys one blind signature (`Issuer.sign`, or `NotSigned` says why not); `read_code` reads one
as people type it, `spell_code` writes it in groups of four. `write_codes` writes them for a mail
merge, `write_cards` as cards to print. `create_exchange` is the desk at which respondents' pages
exchange codes, as an ASGI app: it may stand on a machine of its own, and best does.

The respondent's side is `ak.respond.blind`; the collector checks and spends tokens itself.
Needs ``pip install 'askance-collector[tokens]'``.
"""

from typing import TYPE_CHECKING

from askance_collect.lazy import attach

if TYPE_CHECKING:
    from askance_collect.tokens.issuer import (
        Issuer as Issuer,
        NotSigned as NotSigned,
        create_issuer as create_issuer,
        open_issuer as open_issuer,
        read_code as read_code,
        spell_code as spell_code,
    )
    from askance_collect.tokens.cards import write_cards as write_cards, write_codes as write_codes
    from askance_collect.tokens.exchange import create_exchange as create_exchange
else:
    attach(__name__)
