"""Limits on who may send a report: tokens for invited people, or a cost for everybody."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from askance.survey.files_beside import read_beside
from askance.survey.specs import KeySpec, Survey, TokensSpec
from askance_collect.errors import FormError, SurveyError, restate
from askance_collect.wire.open_link import OpenLink, read_open_link
from askance_collect.wire.token import EXPONENT, TokenKey, Tokens, from_base64url, read_tokens

_EXPONENT = EXPONENT.to_bytes(3, "big")
_LARGEST = 1_000_000
"""How many bytes a file of public keys may have."""
_REMEDY = "askance invite SURVEY --count N makes keys, and writes their file"


def with_keys(survey: Survey, folder: Path) -> Survey:
    """Read the public keys of a survey from the file that it names.

    The file is a JWK Set (RFC 7517) of RSA keys, each with its name as ``kid``, and with ``codes``:
    how many invitation codes there are under it.

    Raises
    ------
    SurveyError
        If the file cannot be read, or holds something else.
    """
    spec = survey.tokens
    if spec is None or not isinstance(spec.keys, str):
        return survey
    where, path = "tokens.keys", folder / spec.keys
    raw = read_beside(folder, spec.keys, where, _LARGEST, _REMEDY)
    try:
        listed = json.loads(raw)["keys"]
        private = any("d" in key for key in listed)
        public = [{part: key[part] for part in KeySpec.__struct_fields__} for key in listed]
        keys = msgspec.convert(public, list[KeySpec])
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        allowed = "a JWK Set: public keys of RSA, each with its name as kid and its number of codes"
        raise SurveyError(where, got=path.name, allowed=allowed, remedy=_REMEDY) from error
    if private:
        remedy = "readers of this file know the key: make new ones by askance invite"
        raise SurveyError(where, got="a private key", allowed="public keys", remedy=remedy)
    return msgspec.structs.replace(survey, tokens=TokensSpec(spec.issuer, keys))


def write_tokens(survey: Survey) -> dict[str, Any] | None:
    """Write the issuer of the tokens of a form, and its public keys.

    Raises
    ------
    SurveyError
        If the issuer's address or a key is not such, if a key has fewer codes than the survey's
        minimum, or if the collector's address is the issuer's.

    >>> from askance.survey.survey_file import load_survey
    >>> write_tokens(load_survey("examples/affairs.toml")) is None
    True
    """
    if (spec := survey.tokens) is None:
        return None
    if isinstance(spec.keys, str):
        allowed = "keys; load_survey reads them from their file"
        raise SurveyError("tokens.keys", got=spec.keys, allowed=allowed)
    written = {"issuer": spec.issuer, "keys": _written(spec.keys)}
    try:
        read_tokens(written, survey.collector, survey.minimum)
    except FormError as error:
        raise restate(error, error.where, SurveyError) from error
    return written


def _written(keys: Sequence[KeySpec]) -> list[dict[str, str | int]]:
    for index, key in enumerate(keys):
        where = f"tokens.keys[{index}]"
        if key.kty != "RSA":
            raise SurveyError(f"{where}.kty", got=key.kty, allowed="RSA", remedy=_REMEDY)
        if from_base64url(key.e) != _EXPONENT:
            raise SurveyError(f"{where}.e", got=key.e, allowed=f"the exponent {EXPONENT:,}: AQAB")
    return [{"name": key.kid, "n": key.n, "codes": key.codes} for key in keys]


def write_open_link(survey: Survey) -> dict[str, int] | None:
    """Write the costs of a report for a survey that is open to everybody.

    Raises
    ------
    SurveyError
        If it costs nothing, too much or what it cannot, or if reports need tokens.

    >>> from askance.survey.survey_file import load_survey
    >>> write_open_link(load_survey("examples/affairs.toml")) is None
    True
    """
    if (spec := survey.open) is None:
        return None
    if survey.tokens is not None:
        remedy = "each token counts once, and nobody has any without an invitation"
        raise SurveyError("open", allowed="no such thing beside tokens", remedy=remedy)
    written: dict[str, int] = msgspec.to_builtins(spec)
    try:
        read_open_link(written)
    except FormError as error:
        raise restate(error, error.where, SurveyError) from error
    return written


def describe_report_costs(link: OpenLink) -> list[str]:
    """Describe to the author of a survey what the costs of a report do.

    >>> for sentence in describe_report_costs(OpenLink(rate=30)): print(sentence[:64])
    30 reports at most are accepted in ten minutes from one neighbou
    """
    sentences = []
    if link.work is not None:
        sentences.append(
            f"each report costs its device about {2**link.work:,} hashes: a second or less on a "
            "computer for each 2^20, several on an old telephone; this slows down a machine that "
            "floods the survey, but not somebody who rents many"
        )
    if link.rate is not None:
        sentences.append(
            f"{link.rate:,} reports at most are accepted in ten minutes from one neighbourhood of "
            "the net (/24, /56), counted in memory under a key that is then discarded; a school "
            "or a hospital may be one neighbourhood: set the number above what it sends"
        )
    return sentences


def describe_tokens(tokens: Tokens, collector: str) -> list[str]:
    """Describe to the author of a survey what tokens do, and which people they distinguish.

    >>> from askance_collect.wire.token import TokenKey
    >>> key = TokenKey("everybody", 2**2047 + 1)
    >>> tokens = Tokens("https://sign.example/", (key,))
    >>> for sentence in describe_tokens(tokens, ""): print(sentence[:70])
    each report needs a token: a person with an invitation code exchanges
    this form states no number of codes, so it may have a key for each per
    """
    host = urlsplit(tokens.issuer).hostname
    sentences = [
        f"each report needs a token: a person with an invitation code exchanges it at {host} when "
        "they begin, and sends the token when they end; the issuer and the collector cannot link "
        "codes and reports afterwards, even together; somebody who observes both while a person "
        "answers can, by addresses and times"
    ]
    if len(tokens.keys) > 1:
        names = ", ".join(key.name for key in tokens.keys)
        sentences.append(
            f"a token shows its key, one of {names}: each key should have many people; the number "
            "of reports under each key is stored apart from the reports"
        )
    sentences.append(_describe_crowd(tokens.smallest_key))
    if host and host == urlsplit(collector).hostname:
        sentences.append(
            f"{host} signs and collects: use another machine for signing, run by somebody else"
        )
    return sentences


def _describe_crowd(smallest: TokenKey | None) -> str:
    """State the smallest number of people behind one key of tokens, if the form declares it."""
    if smallest is None or smallest.codes is None:
        return "this form states no number of codes, so it may have a key for each person"
    return (
        f"a token is from one of {smallest.codes:,} people at least: the key “{smallest.name}” "
        "has so many codes, as the form and the page say; nobody can check from here that the "
        "issuer gave them to so many people"
    )
