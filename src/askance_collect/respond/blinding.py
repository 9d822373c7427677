"""Getting a token: a message is blinded, signed unseen for an invitation code, and unblinded.

Whoever signs sees a number that is uniform whatever the message is: neither then nor later, whoever
they tell what they saw, can they say which token came of it. The twin of ``browser/tokens.js``.

References
----------
Denis, Jacobs, Wood (2023), RSA Blind Signatures, RFC 9474, section 4.
"""

from dataclasses import dataclass, field
from math import gcd
from typing import final

from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.random_bytes import SYSTEM_BYTES
from askance_collect.wire.form import Form
from askance_collect.wire.token import (
    EXPONENT,
    PREFIX,
    SALT,
    Token,
    TokenKey,
    pss_encode,
    pss_verify,
    token_message,
)


@final
@dataclass(frozen=True, slots=True)
class Blinded:
    """A message that waits for its signature, which only who blinded it can make a token of.

    Attributes
    ----------
    message : bytes
        What the issuer is sent: as many bytes as its modulus has.
    """

    message: bytes
    _form: Form = field(repr=False)
    _key_index: int = field(repr=False)
    _prefix: bytes = field(repr=False)
    _inverse: int = field(repr=False)

    @checked
    def token(self, signature: bytes) -> Token:
        """Unblind what the issuer has signed (RFC 9474, section 4.4).

        Raises
        ------
        InputError
            If it is no signature under this key: nothing is gained by it.
        """
        key = _key(self._form, self._key_index)
        number = int.from_bytes(signature, "big") * self._inverse % key.modulus
        token = Token(self._key_index, self._prefix, number.to_bytes(key.length, "big"))
        message = token_message(self._form.fingerprint, self._prefix)
        if len(signature) != key.length or not pss_verify(message, token.signature, key):
            raise InputError(
                "signature",
                allowed=f"what the key {key.name!r} has signed of this message",
                remedy="the issuer signs under another key than the form's: do not use it",
            )
        return token


@checked
def blind(form: Form, key: int = 0) -> Blinded:
    """Draw a message for a token of a form, and blind it (RFC 9474, sections 4.1 and 4.2).

    Parameters
    ----------
    form : Form
        That wants tokens.
    key : int
        The position of the key: the one that the code names.

    Raises
    ------
    InputError
        If the form wants no tokens, or has no such key.

    >>> from askance_collect.respond import blind
    >>> from askance.survey import load_survey, publish
    >>> blind(publish(load_survey("examples/affairs.toml")))
    Traceback (most recent call last):
    askance_collect.errors.InputError: form: got 'a form without tokens'; allowed: one that wants...
    """
    modulus, factor = _key(form, key).modulus, 0
    while gcd(factor, modulus) != 1:
        factor = SYSTEM_BYTES.below(modulus)
    return blind_with(form, key, SYSTEM_BYTES.draw(PREFIX), SYSTEM_BYTES.draw(SALT), factor)


@checked
def blind_with(form: Form, key: int, prefix: bytes, salt: bytes, factor: int) -> Blinded:
    """Blind the message for a token by given random numbers.

    Parameters
    ----------
    form, key
        As for `blind`.
    prefix, salt : bytes
        32 and 48 bytes.
    factor : int
        Uniform below the modulus, without a divisor in common with it, and used once: whoever knows
        it, or can guess it, can join the code to the token.

    Raises
    ------
    InputError
        If they are of other lengths, or if the factor cannot be undone.

    >>> from askance_collect.respond import blind_with
    >>> from askance_collect.wire import Form, to_base64url
    >>> tea = {"en": "Tea?"}
    >>> answers = [{"name": name, "label": tea} for name in ("yes", "no")]
    >>> n = to_base64url((2**2047 + 1).to_bytes(256, "big"))
    >>> form = Form.read({
    ...     "askance": "form-2", "title": tea, "consent": tea, "contact": tea, "languages": ["en"],
    ...     "collector": "", "size": 256, "about": {},
    ...     "tokens": {"issuer": "https://sign.example/", "keys": [{"name": "all", "n": n}]},
    ...     "questions": [{"kind": "choice", "name": "tea", "text": tea, "answers": answers}],
    ... })
    >>> len(blind_with(form, 0, bytes(32), bytes(48), 5).message)
    256
    >>> blind_with(form, 0, bytes(32), bytes(48), 0)
    Traceback (most recent call last):
    askance_collect.errors.InputError: factor: allowed: a number below the modulus without a divi...
    """
    if (len(prefix), len(salt)) != (PREFIX, SALT):
        lengths = f"{len(prefix)} and {len(salt)} bytes"
        raise InputError("prefix, salt", got=lengths, allowed=f"{PREFIX} and {SALT} bytes")
    public = _key(form, key)
    message, modulus = token_message(form.fingerprint, prefix), public.modulus
    if not 0 < factor < modulus or gcd(factor, modulus) != 1:
        allowed = "a number below the modulus without a divisor in common with it"
        raise InputError("factor", allowed=allowed)  # which is never repeated
    encoded = int.from_bytes(pss_encode(message, modulus.bit_length() - 1, salt), "big")
    hidden = encoded * pow(factor, EXPONENT, modulus) % modulus
    inverse = pow(factor, -1, modulus)
    return Blinded(hidden.to_bytes(public.length, "big"), form, key, prefix, inverse)


def _key(form: Form, position: int) -> TokenKey:
    if form.tokens is None:
        raise InputError("form", got="a form without tokens", allowed="one that wants tokens")
    if not 0 <= position < len(form.tokens.keys):
        allowed = f"the position of one of {len(form.tokens.keys)} keys"
        raise InputError("key", got=position, allowed=allowed)
    return form.tokens.keys[position]
