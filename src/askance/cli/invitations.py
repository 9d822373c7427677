"""Invite people one by one: codes to hand out, and the desk that exchanges them for tokens."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from askance.cli.documents import FILE, save
from askance.collect.serve import serve as run
from askance.errors import DocumentError, InputError
from askance.respond.page import render_page
from askance.respond.verifier import verified_link
from askance.survey.publish import deployed_at
from askance.survey.specs import MINIMUM
from askance.tokens.cards import home_of, write_cards, write_codes
from askance.tokens.exchange import create_exchange
from askance.tokens.issuer import Issuer, create_issuer, open_issuer
from askance.wire.token import LENGTHS
from askance.wire.toml_text import load_toml

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp


@click.command()
@click.argument("survey", type=FILE)
@click.option("--count", type=click.IntRange(1), help="How many codes to make, under each key.")
@click.option("--page", help="Where the respondent's page will lie: https://exam.example.org/")
@click.option("--verifier", help="Where a verifier of that page will lie: links lead there.")
@click.option("--key", "keys", multiple=True, help="Of a stratum or wave; repeat for several.")
@click.option("--codes", type=FILE, help="Write codes and links here (CSV).")
@click.option("--cards", type=FILE, help="Write cards to print here (HTML), with QR codes.")
@click.option("--head", type=FILE, help="A head of the survey's log, to print on the cards.")
@click.option("--bits", type=click.Choice([str(one) for one in LENGTHS]), default=str(LENGTHS[0]))
def invite(
    survey: Path,
    count: int | None,
    page: str | None,
    verifier: str | None,
    keys: tuple[str, ...],
    codes: Path | None,
    cards: Path | None,
    head: Path | None,
    bits: str,
) -> None:
    """Make codes, links and cards for whoever is invited to SURVEY.

    Without --count, say how many codes were exchanged. The first time this makes keys: private ones
    in SURVEY.issuer, for the machine that signs, and public ones in the file that SURVEY names
    under [tokens].
    """
    title, listed, minimum = _tokens_in(survey)
    _need_first_crowds(survey, keys, count, minimum)
    with _issuer(survey, listed, keys, int(bits)) as issuer:
        if count is None:
            for name, (many, done) in issuer.counts().items():
                click.echo(f"{name}  {many:,} codes, {done:,} exchanged")
            return
        if page is None:
            allowed = "where the respondent's page will lie: https://exam.example.org/"
            raise InputError("--page", got="nothing", allowed=allowed)
        link = _link_to(page, verifier, survey)
        told = "" if head is None else _head_in(head)
        chosen = keys or tuple(one.name for one in issuer.public)
        _need_grown_crowds(issuer, chosen, count, minimum)
        several = len(chosen) > 1
        names = {key: _names(survey, codes, cards, key if several else "") for key in chosen}
        _need_new(path for pair in names.values() for path in pair if path is not None)
        for key, (table, sheet) in names.items():
            made = issuer.invite(count, key)
            if table is not None:
                write_codes(made, link, table)
                click.echo(f"{table}  {count:,} codes, with links")
            if sheet is not None:
                write_cards(made, link, title, sheet, told)
                click.echo(f"{sheet}  {count:,} cards to print")
        click.echo("handle them like ballots: each buys one token, and they are kept nowhere else")


@click.command()
@click.argument("issuer", type=FILE)
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=8001, show_default=True)
@click.option("--behind-proxy", is_flag=True, help="A proxy with TLS is in front: any HOST may do.")
def issue(issuer: Path, host: str, port: int, behind_proxy: bool) -> None:
    """Exchange codes for tokens, until Ctrl-C.

    ISSUER is the file that askance invite made: bring it to this machine, and leave it nowhere
    else.
    """
    opened = open_issuer(issuer)

    def make() -> "tuple[ASGIApp, Callable[[], None]]":
        return create_exchange(opened), lambda: None

    def announce(url: str) -> None:
        click.echo(f"exchanging codes at {url}")
        click.echo("nothing is logged; reports go elsewhere")

    try:
        run(make, announce, host, port, behind_proxy=behind_proxy)
    finally:
        opened.close()


def _link_to(page: str, verifier: str | None, survey: Path) -> str:
    """Lead to the page, or there by way of a verifier, which no form without a collector has."""
    if verifier is None:
        return home_of(page)
    form = deployed_at(survey).form
    if not form.document["collector"]:
        raise InputError(
            "--verifier",
            got="a survey without a collector",
            allowed="one that names where its reports go, since the verifier lies elsewhere",
            remedy='add collector = "https://…/" to the survey',
        )
    return verified_link(verifier, home_of(page), render_page(form).sha256)


def _need_first_crowds(
    survey: Path, keys: tuple[str, ...], count: int | None, minimum: int
) -> None:
    """Refuse several keys of few codes before they are made."""
    if count is not None and len(keys) > 1 and not survey.with_suffix(".issuer").exists():
        _need_crowds(dict.fromkeys(keys, count), minimum)


def _need_grown_crowds(issuer: Issuer, chosen: tuple[str, ...], count: int, minimum: int) -> None:
    """Refuse to make codes of which one of several keys would still have few."""
    counts = issuer.counts()
    if len(counts) > 1:
        _need_crowds({key: counts[key][0] + count for key in chosen if key in counts}, minimum)


def _need_crowds(crowds: Mapping[str, int], minimum: int) -> None:
    """Refuse keys of few codes: a token shows its key, which is then nearly a name."""
    for key, many in crowds.items():
        if many < minimum:
            allowed = f"{minimum:,} codes or more under each key, the survey's minimum"
            remedy = "a token shows its key, and one of few people tells who sent a report: "
            remedy += "invite more people under it, or all under one key"
            got = f"{key} with {many:,} codes"
            raise InputError("--key", got=got, allowed=allowed, remedy=remedy)


def _tokens_in(survey: Path) -> tuple[str, Path, int]:
    """Read a survey's title, in which file its public keys are to be, and its minimum."""
    try:
        document = load_toml(survey.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise DocumentError(str(survey), got=str(error), allowed="a survey file") from error
    asked, title = document.get("tokens"), document.get("title", survey.stem)
    if not isinstance(asked, dict) or not isinstance(asked.get("keys"), str):
        raise DocumentError(
            str(survey),
            got="no file of keys under [tokens]",
            allowed="where the issuer is, and which file its public keys are in",
            remedy=f'add: [tokens] issuer = "https://…/" keys = "{survey.stem}-keys.json"',
        )
    first = title if isinstance(title, str) else next(iter(title.values()))
    return first, survey.with_name(asked["keys"]), document.get("minimum", MINIMUM)


@contextmanager
def _issuer(survey: Path, listed: Path, keys: tuple[str, ...], bits: int) -> Iterator[Issuer]:
    """Open the issuer of a survey; make it, and write its public keys, if there is none."""
    path = survey.with_suffix(".issuer")
    if path.exists():
        issuer = open_issuer(path)
    else:
        _need_new([listed])
        issuer = create_issuer(path, keys or ("everybody",), bits=bits)
        save(listed, json.dumps(issuer.jwks(), indent=1).encode() + b"\n", new=True)
        click.echo(f"{path}  private: for the machine that signs, and for nobody else")
        click.echo(f"{listed}  public: part of the survey")
    try:
        yield issuer
    finally:
        issuer.close()


def _names(
    survey: Path, codes: Path | None, cards: Path | None, key: str
) -> tuple[Path | None, Path | None]:
    """Say where codes and cards of a key are written; codes beside the survey by default."""
    table = codes if codes or cards else survey.with_name(f"{survey.stem}-codes.csv")
    table, sheet = (
        path and path.with_stem(f"{path.stem}-{key}") if key else path for path in (table, cards)
    )
    return table, sheet


def _head_in(path: Path) -> str:
    """Read of a signed head what it says, without its signatures: they take too much paper."""
    try:
        text, _, below = path.read_text(encoding="utf-8").partition("\n\n")
    except (OSError, UnicodeDecodeError) as error:
        got = getattr(error, "strerror", None) or "no text"
        raise DocumentError(str(path), got=got, allowed=_A_HEAD) from error
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
