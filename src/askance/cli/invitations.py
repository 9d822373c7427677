"""Invite people one by one: codes to hand out, and the desk that exchanges them for tokens."""

import json
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, final

import click
import msgspec

from askance.cli.typed_request import Positive, takes_request
from askance.survey.publish import deployed_at
from askance.survey.specs import MINIMUM
from askance_collect.cli.documents import form_path, save
from askance_collect.cli.request_options import Arg
from askance_collect.errors import DocumentError, InputError
from askance_collect.respond.page import render_page
from askance_collect.respond.verifier import verified_link
from askance_collect.tokens.cards import home_of, write_cards, write_codes
from askance_collect.tokens.issuer import Issuer, create_issuer, open_issuer
from askance_collect.wire.form import read_form
from askance_collect.wire.form_schema import is_index
from askance_collect.wire.token import FEWEST_CODES, LENGTHS, MOST_CODES
from askance_collect.wire.toml_text import read_toml


@final
class InviteRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Codes to make for a survey, and where they go.

    Attributes
    ----------
    survey : Path
        A survey file.
    count : int, optional
        How many codes to make, under each key.
    page : str, optional
        Where the respondent's page will lie: each link is this with `#code=…` behind it; without it
        the number of codes is written beside the keys, and none are made yet.
    verifier : str, optional
        Where a [verifier](../how-to/have-the-page-opened-by-others.md) of that page will lie: each
        link leads there, with the page, its SHA-256 and the code behind the `#`.
    key : tuple of str
        The name of a stratum or wave; again for as many keys (`everybody`).
    codes : Path, optional
        Write codes and links here, as CSV (`SURVEY-codes.csv`); with several keys a file for each.
    cards : Path, optional
        Write cards to print here, with QR codes; without `--codes` the codes stand there alone.
    head : Path, optional
        Print this head of the survey's [log](#askance-log) on each card.
    bits : str
        The length of the keys.
    """

    survey: Annotated[Path, Arg(flag="")]
    count: Positive | None = None
    page: str | None = None
    verifier: str | None = None
    key: tuple[str, ...] = ()
    codes: Path | None = None
    cards: Path | None = None
    head: Path | None = None
    bits: Annotated[str, Arg(choices=tuple(map(str, LENGTHS)))] = str(LENGTHS[0])


@takes_request()
def invite(request: InviteRequest) -> None:
    """Make codes, links and cards for the people invited to SURVEY.

    Without --count, say how many codes were exchanged. Without --page, state in the file of public
    keys how many codes there will be, which the form says of each key, and make none yet. The first
    time this makes keys: private ones in SURVEY.issuer, for the machine that signs, and public ones
    in the file that SURVEY names under [tokens].
    """
    survey, count, page, keys = request.survey, request.count, request.page, request.key
    settings, made_by_key = _read_token_settings(survey), _count_codes(survey)
    chosen = keys or tuple(made_by_key) or ("everybody",)
    if count is not None:
        _need_crowds(
            {key: made_by_key.get(key, 0) + count for key in chosen}, made_by_key, settings.minimum
        )
    if page is None and any((request.verifier, request.codes, request.cards, request.head)):
        allowed = "where the respondent's page will lie: https://exam.example.org/"
        raise InputError("--page", got="nothing", allowed=allowed)
    with _issuer(survey, settings.listed, keys, int(request.bits)) as issuer:
        stated = _read_stated_counts(settings.listed, issuer)
        if count is None:
            _print_counts(issuer, stated)
            return
        more = {key: made_by_key.get(key, 0) + count for key in chosen}
        if page is None:
            _write_stated_counts(survey, settings.listed, issuer, stated | more)
            return
        several = len(chosen) > 1
        names = {key: _name_files(request, key if several else "") for key in chosen}
        _need_new(path for pair in names.values() for path in pair if path is not None)
        head_text, home = _read_head(request.head), home_of(page)
        stated |= {key: max(many, stated[key]) for key, many in more.items()}
        with _counts_stated(survey, settings.listed, issuer, stated):
            link = _link_to(home, request.verifier, survey)
        for key, (table, sheet) in names.items():
            _write(issuer.invite(count, key), link, settings.title, table, sheet, head_text)
        click.echo(
            "handle them like ballots: each is exchanged for one token, and no other copy is kept"
        )
        _warn_of_unmade_codes(issuer, settings.listed, stated)


def _write(
    codes: list[str], link: str, title: str, table: Path | None, sheet: Path | None, head: str
) -> None:
    """Write the codes of a key as a table, as cards, or as both."""
    if table is not None:
        write_codes(codes, link, table)
        click.echo(f"{table}  {len(codes):,} codes, with links")
    if sheet is not None:
        write_cards(codes, link, title, sheet, head)
        click.echo(f"{sheet}  {len(codes):,} cards to print")


def _print_counts(issuer: Issuer, stated: Mapping[str, int]) -> None:
    """Say of each key how many codes were made and exchanged, and whether the form says more."""
    for name, (many, done) in issuer.counts().items():
        unmade = stated[name] - many
        remainder = f", {unmade:,} of {stated[name]:,} still to be made" if unmade > 0 else ""
        click.echo(f"{name}  {many:,} codes, {done:,} exchanged{remainder}")


def _warn_of_unmade_codes(issuer: Issuer, listed: Path, stated: Mapping[str, int]) -> None:
    """Warn where the form states more codes than were made: the page then overstates the crowd."""
    for name, (many, _) in issuer.counts().items():
        if many < stated[name]:
            click.echo(f"{listed}  says {stated[name]:,} codes under {name}: {many:,} are made")


def _link_to(home: str, verifier: str | None, survey: Path) -> str:
    """Return the link to the page, by way of a verifier if one is given."""
    if verifier is None:
        return home
    form = deployed_at(survey).form
    if not form.document["collector"]:
        raise InputError(
            "--verifier",
            got="a survey without a collector",
            allowed="one that names where its reports go, since the verifier lies elsewhere",
            remedy='add collector = "https://…/" to the survey',
        )
    return verified_link(verifier, home, render_page(form).sha256)


def _count_codes(survey: Path) -> Mapping[str, int]:
    """How many codes there are under each key of a survey's issuer; none if there is no issuer."""
    path = survey.with_suffix(".issuer")
    if not path.exists():
        return {}
    with closing(open_issuer(path)) as issuer:
        return {name: many for name, (many, _) in issuer.counts().items()}


def _need_crowds(crowds: Mapping[str, int], made_by_key: Mapping[str, int], minimum: int) -> None:
    """Refuse unknown keys and keys with few codes: a token reveals its key."""
    least = max(minimum, FEWEST_CODES)
    for key, many in crowds.items():
        if made_by_key and key not in made_by_key:
            raise InputError("--key", got=key, allowed=", ".join(made_by_key))
        if many < least:
            allowed = f"{least:,} codes or more under each key, the survey's minimum"
            remedy = "a token shows its key, and a key of few people reveals who sent a report: "
            remedy += "invite more people under it, or all under one key"
            fault = f"{key} with {many:,} codes"
            raise InputError("--count", got=fault, allowed=allowed, remedy=remedy)


def _read_stated_counts(listed: Path, issuer: Issuer) -> dict[str, int]:
    """Read how many codes the file of public keys states for each key."""
    if not listed.exists():
        return {name: many for name, (many, _) in issuer.counts().items()}
    ours = {key["kid"]: key["n"] for key in issuer.jwks()["keys"]}
    try:
        keys = json.loads(listed.read_text(encoding="utf-8"))["keys"]
        theirs = {key["kid"]: key["n"] for key in keys}
        stated = {key["kid"]: key.get("codes", 0) for key in keys}
    except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        allowed = "the public keys that askance invite wrote"
        raise DocumentError(str(listed), got="something else", allowed=allowed) from error
    if theirs != ours or not all(is_index(many, MOST_CODES + 1) for many in stated.values()):
        allowed = f"the public keys of {issuer.path}, and how many codes are under each"
        raise DocumentError(str(listed), got="others", allowed=allowed)
    return stated


def _write_stated_counts(
    survey: Path, listed: Path, issuer: Issuer, stated: Mapping[str, int]
) -> None:
    """Write the number of codes to each public key, for the form to say."""
    document = issuer.jwks()
    for key in document["keys"]:
        key["codes"] = stated[str(key["kid"])]
    written = json.dumps(document, indent=1).encode() + b"\n"
    if listed.exists() and listed.read_bytes() == written:
        return
    _need_unpublished(survey, issuer, stated)
    save(listed, written)
    for name, many in stated.items():
        click.echo(f"{listed}  {many:,} codes under {name}, as the form will say")


@contextmanager
def _counts_stated(
    survey: Path, listed: Path, issuer: Issuer, stated: Mapping[str, int]
) -> Iterator[None]:
    """State the number of codes in the file of public keys; undo that if the block fails."""
    before = listed.read_bytes() if listed.exists() else None
    _write_stated_counts(survey, listed, issuer, stated)
    try:
        yield
    except BaseException:
        if before is None:
            listed.unlink()
        else:
            save(listed, before)
        raise


def _need_unpublished(survey: Path, issuer: Issuer, stated: Mapping[str, int]) -> None:
    """Refuse a number of codes that differs from the published form's under the same keys."""
    path = form_path(survey)
    tokens = read_form(path).tokens if path.exists() else None
    ours = {key.modulus: stated[key.name] for key in issuer.public_keys}
    for key in tokens.keys if tokens is not None else ():
        if key.modulus in ours and key.codes != ours[key.modulus]:
            raise InputError(
                "--count",
                got=f"{ours[key.modulus]:,} codes under {key.name}",
                allowed=f"{key.codes or 0:,}, as {path} says, which was published",
                remedy=f"for more people publish a form with new keys; delete {path.name} "
                "only if nobody was sent to its page",
            )


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _TokenSettings:
    """What a survey says of itself and of its tokens: ``listed`` is its file of public keys."""

    title: str
    listed: Path
    minimum: int


def _read_token_settings(survey: Path) -> _TokenSettings:
    """Read a survey's title, in which file its public keys are to be, and its minimum."""
    document = read_toml(survey, "a survey file")
    spec, title = document.get("tokens"), document.get("title", survey.stem)
    if not isinstance(spec, dict) or not isinstance(spec.get("keys"), str):
        raise DocumentError(
            str(survey),
            got="no file of keys under [tokens]",
            allowed="where the issuer is, and which file its public keys are in",
            remedy=f'add: [tokens] issuer = "https://…/" keys = "{survey.stem}-keys.json"',
        )
    minimum = document.get("minimum", MINIMUM)
    if type(minimum) is not int:
        allowed = "minimum: a whole number of reports"
        raise DocumentError(str(survey), got=minimum, allowed=allowed)
    first = title if isinstance(title, str) else next(iter(title.values()))
    return _TokenSettings(title=first, listed=survey.with_name(spec["keys"]), minimum=minimum)


@contextmanager
def _issuer(survey: Path, listed: Path, keys: tuple[str, ...], bits: int) -> Iterator[Issuer]:
    """Open the issuer of a survey; make it and write its public keys if it is missing."""
    path = survey.with_suffix(".issuer")
    if path.exists():
        issuer = open_issuer(path)
    else:
        _need_new([listed])
        issuer = create_issuer(path, keys or ("everybody",), bits=bits)
        save(listed, json.dumps(issuer.jwks(), indent=1).encode() + b"\n", new=True)
        click.echo(f"{path}  private: only for the signing machine")
        click.echo(f"{listed}  public: part of the survey")
    try:
        yield issuer
    finally:
        issuer.close()


def _name_files(request: InviteRequest, key: str) -> tuple[Path | None, Path | None]:
    """Name the files for codes and cards of a key; codes go next to the survey by default."""
    survey, codes, cards = request.survey, request.codes, request.cards
    table = codes if codes or cards else survey.with_name(f"{survey.stem}-codes.csv")
    table, sheet = (
        path and path.with_stem(f"{path.stem}-{key}") if key else path for path in (table, cards)
    )
    return table, sheet


def _read_head(path: Path | None) -> str:
    """Read a signed head without its signatures, which take too much paper."""
    if path is None:
        return ""
    try:
        text, _, below = path.read_text(encoding="utf-8").partition("\n\n")
    except (OSError, UnicodeDecodeError) as error:
        fault = getattr(error, "strerror", None) or "no text"
        raise DocumentError(str(path), got=fault, allowed=_A_HEAD) from error
    if text.count("\n") != 2 or not below.startswith("— "):
        raise DocumentError(str(path), got="something else", allowed=_A_HEAD)
    origin, size, root = text.split("\n")
    return f"{origin}, entries: {size}\n{root}"


_A_HEAD = "a signed head of a log, as askance log head prints it"


def _need_new(paths: Iterator[Path] | list[Path]) -> None:
    """Refuse files that are there already, before anything is made that goes into them."""
    for path in paths:
        if path.exists():
            raise DocumentError(str(path), got="a file", allowed="a new file")
