"""Read a survey file from TOML, and expand its short forms.

Every error says where in the file it is.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path

import msgspec

from askance.survey.appearance import embed_images
from askance.survey.invitations import with_keys
from askance.survey.multi_select import expand_checklist
from askance.survey.specs import (
    MOST_GROUPS,
    VERSION,
    AnchorSpec,
    CommentSpec,
    EndingSpec,
    EvidenceGroupSpec,
    EvidenceSpec,
    FilePosition,
    GroupSpec,
    ImageSpec,
    LineSpec,
    LookSpec,
    Names,
    QuestionSpec,
    QuotaSpec,
    RedirectSpec,
    SectionSpec,
    ShamSpec,
    SkipSpec,
    SpanSpec,
    Survey,
    TeachBackSpec,
    TextSpec,
    check_languages,
    list_default_labels,
    read_label,
    refuse_beside_list,
    refuse_duplicates,
    word_label,
    write_wording,
)
from askance.survey.translations import embed_word_files, write_words
from askance_collect.arguments import checked
from askance_collect.errors import SurveyError, nearest, restate
from askance_collect.wire.form import is_name
from askance_collect.wire.toml_text import load_toml

_LARGEST = 4_000_000
_MESSAGE = re.compile(r"^(?P<what>.*?)(?: - at `\$\.?(?P<path>.*)`)?$", re.DOTALL)
_FIELD = re.compile(r"(?P<verb>missing required|contains unknown) field `(?P<field>[^`]*)`")
_TYPE = re.compile(r"Expected `(?P<allowed>[^`]*)`, got `(?P<got>[^`]*)`")
_KINDS = {
    "str": "text in quotes",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list [ … ]",
    "object": "a table { … }",
}
_QUESTIONS = "begin every question with [[question]]"


@checked
def load_survey(path: Path | str) -> Survey:
    """Read a survey file, and the images, words and keys in the files that it names.

    Raises
    ------
    SurveyError
        With the path inside the file, or the line and column where it is not TOML.
    """
    try:
        with Path(path).open("rb") as file:
            raw = file.read(_LARGEST + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no name of a file"
        raise SurveyError(str(path), got=reason, allowed="a readable file") from error
    try:
        survey, folder = parse_survey(raw), Path(path).parent
    except SurveyError as error:
        if error.where != _FILE:
            raise
        raise restate(error, str(path), SurveyError) from None
    if survey.look is not None or any(spec.has_image for spec in survey.question):
        survey = embed_images(survey, folder)
    if survey.words is not None:
        survey = embed_word_files(survey, folder)
    return survey if survey.tokens is None else with_keys(survey, folder)


@checked
def parse_survey(raw: bytes) -> Survey:
    """Read the bytes of a survey file. Decimals are kept exactly as they are written.

    Parameters
    ----------
    raw : bytes
        Of a TOML file, in UTF-8.

    >>> parse_survey(b'askance = "survey-1"')
    Traceback (most recent call last):
    askance_collect.errors.SurveyError: title: got 'nothing'; allowed: a value; add title = …
    """
    document = _toml(raw)
    if document.get("askance") != VERSION:
        raise SurveyError(
            "askance",
            got=document.get("askance", "nothing"),
            allowed=f'"{VERSION}"',
            remedy=f'begin the file with: askance = "{VERSION}"',
        )
    try:
        return msgspec.convert(document, Survey)
    except msgspec.ValidationError as error:
        raise _translated(_numbered(str(error), document.get("question"))) from None


def _numbered(message: str, questions: object) -> str:
    """Put the number of a question into what the decoder found, which names none."""
    many = enumerate(questions if isinstance(questions, list) else ())
    index = next((index for index, question in many if not _fits(question)), None)
    return message if index is None else message.replace("$.question[...]", f"$.question[{index}]")


def _fits(question: object) -> bool:
    try:
        msgspec.convert(question, QuestionSpec)
    except msgspec.ValidationError:
        return False
    return True


_HEADER = re.compile(r"\s*(?P<many>\[)?\[(?P<path>[^\[\]=]+)\]\]?\s*(#.*)?$")
_STEP = re.compile(r"[^.\[\]]+|\[\d+\]")
_MOST_LINES = 2_000
"""Of one statement: beyond, its end is not looked for."""


def at_line(error: SurveyError, path: Path) -> SurveyError:
    """Say on which line of a survey file the path of an error stands, or the nearest part of it.

    >>> at_line(SurveyError("question[1].skip.after"), Path("examples/affairs.toml")).where
    'line 20, question[1].skip.after'
    >>> at_line(SurveyError("quota[0]"), Path("examples/affairs.toml")).where
    'quota[0]'
    """
    wanted = _STEP.findall(error.where)
    text = path.read_text("utf-8-sig", errors="replace") if path.is_file() else ""
    lines = dict(_list_lines(text.split("\n")))
    parts = (tuple(wanted[:many]) for many in range(len(wanted), 0, -1))
    line = next((lines[part] for part in parts if part in lines), None)
    if line is None:
        return error
    return restate(error, f"line {line}, {error.where}", SurveyError)


def _list_lines(lines: Sequence[str]) -> Iterator[tuple[tuple[str, ...], int]]:
    """Give the path of each table and key, with the number of the line on which it begins."""
    table, many, index = tuple[str, ...](), dict[tuple[str, ...], int](), 0
    while index < len(lines):
        begun = index + 1
        if header := _HEADER.match(lines[index]):
            table, index = _table(header, many), begun
            yield table, begun
        else:
            statement, index = _statement(lines, index)
            yield from ((path, begun) for path in _paths(statement, table))


def _table(header: re.Match[str], many: dict[tuple[str, ...], int]) -> tuple[str, ...]:
    """Give the path of a table, in the last ones so far of the lists on its way, and count it."""
    table = last = tuple[str, ...]()
    for step in header["path"].split("."):
        last = (*table, step.strip().strip("\"'"))
        table = (*last, f"[{many[last]}]") if last in many else last
    if not header["many"]:
        return table
    many[last] = many.get(last, -1) + 1
    return (*last, f"[{many[last]}]")


def _statement(lines: Sequence[str], start: int) -> tuple[Mapping[str, object], int]:
    """Read what begins on a line, which may be nothing, and say where it has ended."""
    for end in range(start + 1, min(start + _MOST_LINES, len(lines)) + 1):
        try:
            return load_toml("\n".join(lines[start:end])), end
        except ValueError:
            continue
    return {}, start + 1


def _paths(statement: object, above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Give the path of each key of a statement."""
    for key, value in statement.items() if isinstance(statement, Mapping) else ():
        yield (*above, key)
        yield from _paths(value, (*above, key))


_FILE = "file"  # where a fault of all of it lies, until its path is known


def _toml(raw: bytes) -> dict[str, object]:
    if len(raw) > _LARGEST:
        raise SurveyError(
            _FILE, got=f"more than {_LARGEST} bytes", allowed=f"at most {_LARGEST} bytes"
        )
    try:
        return load_toml(raw.decode("utf-8-sig"), parse_float=_decimal)
    except UnicodeDecodeError as error:
        raise SurveyError(
            _FILE, got=f"a byte that is not text at {error.start}", allowed="TOML in UTF-8"
        ) from None
    except (ValueError, RecursionError) as error:  # not TOML, too long a number, or too deep
        raise SurveyError(_FILE, got=str(error), allowed="TOML, https://toml.io") from None


def _decimal(written: str) -> Decimal:
    try:
        return Decimal(written)
    except InvalidOperation:
        raise ValueError(f"{written[:20]} is too large or too small a number") from None


def _translated(message: str) -> SurveyError:
    """Say in our words what the decoder found."""
    match = _MESSAGE.match(message)
    fault, path = (match["what"], match["path"] or "") if match else (message, "")
    path = path.replace("[...]", "[…]")
    if field := _FIELD.search(fault):
        path = _LABELLED.sub(r"\1.image", path)
        where = f"{path}.{field['field']}".lstrip(".") or '""'
        if field["verb"].startswith("missing"):
            add = _QUESTIONS if where == "question" else f"add {field['field']} = …"
            return SurveyError(where, got="nothing", allowed="a value", remedy=add)
        keys = _keys(path)
        return SurveyError(
            where,
            got=field["field"],
            allowed=", ".join(keys),
            remedy=nearest(field["field"], keys),
        )
    if kind := _TYPE.search(fault):
        remedy = _QUESTIONS if path == "question" else ""
        return SurveyError(
            path or _FILE, got=_kinds(kind["got"]), allowed=_kinds(kind["allowed"]), remedy=remedy
        )
    return SurveyError(path or _FILE, got=fault)


def _kinds(names: str) -> str:
    return " or ".join(_KINDS.get(name, name) for name in names.split(" | "))


def _keys(path: str) -> tuple[str, ...]:
    if path.startswith("evidence.group"):
        return EvidenceGroupSpec.__struct_fields__
    if ".group" in path:
        return GroupSpec.__struct_fields__
    if path.endswith(".skip.answered"):
        return SpanSpec.__struct_encode_fields__
    own = _TABLES.get(path.rpartition(".")[2].partition("[")[0])
    return (own or (QuestionSpec if "question" in path else Survey)).__struct_fields__


_LABELLED = re.compile(r"(\.(?:answers|replies|items)\[.*\])\[…\]$")
"""A part of an answer: of these its image alone has fields."""

_TABLES: dict[str, type[msgspec.Struct]] = {
    "line": LineSpec,
    "image": ImageSpec,
    "section": SectionSpec,
    "skip": SkipSpec,
    "free_text": TextSpec,
    "comment": CommentSpec,
    "ending": EndingSpec,
    "full": RedirectSpec,
    "screened": RedirectSpec,
    "look": LookSpec,
    "quota": QuotaSpec,
    "evidence": EvidenceSpec,
    "teach_back": TeachBackSpec,
    "anchor": AnchorSpec,
    "sham": ShamSpec,
}
"""The tables that have keys of their own."""


_MOST_ITEMS = 100
_EACH_KEY = "each"


def find_default_labels(survey: Survey) -> Names:
    """Find the texts of Askance's default labels in each language, the survey's own first.

    >>> nl = {"name": "Nederlands", "checked": True, "words": {"nameSilent": "Weet niet"}}
    >>> survey = Survey("survey-1", "Thee", "Zeg het.", [], languages=["nl"], words={"nl": nl})
    >>> labels = find_default_labels(survey)["nl"]
    >>> labels["nameSilent"], labels["nameNone"]
    ('Weet niet', 'None of these')
    """
    languages = check_languages(survey.languages)
    if survey.words is None:
        return list_default_labels(languages)
    brought = write_words(survey.words, languages)
    return list_default_labels(languages, {tag: file["words"] for tag, file in brought.items()})


def written_out(survey: Survey) -> tuple[Survey, tuple[FilePosition, ...]]:
    """Expand the short forms of a survey file, and locate each question in it.

    A list of `items`, or of `answers` to tick, becomes a question for each of them, about one trait
    where it is protected. A parameter ``{ each = [a, b] }`` becomes groups by chance of equal
    shares, one for each value. A `comment` becomes a question of its own, skipped by whoever skips
    the one that it stands beside.

    Raises
    ------
    SurveyError
        With the path in the survey file of the first list that cannot be written out.

    >>> survey, places = written_out(parse_survey(b'''
    ... askance = "survey-1"
    ... title = "Exam"
    ... consent = "Say it or leave."
    ... [[question]]
    ... name = "cheated"
    ... text = "Have you cheated?"
    ... items = ["once", "often"]
    ... answers = ["yes", "no"]
    ... mechanism = { name = "warner", truth = { each = ["2/3", "3/4"] } }
    ... '''))
    >>> [question.name for question in survey.question]
    ['cheated_once', 'cheated_often']
    >>> places[1]
    ('question[0]', 'question[0].mechanism.truth.each')
    >>> [group.name for group in survey.question[0].group], survey.question[0].trait
    (['truth 2/3', 'truth 3/4'], 'cheated')
    """
    names = find_default_labels(survey)
    for index, spec in enumerate(survey.question):
        refuse_beside_list(spec, f"question[{index}]")
    specs = [
        expand_checklist(spec, names, f"question[{index}]") if spec.is_multi_select else spec
        for index, spec in enumerate(survey.question)
    ]
    expanded = [
        (*_own_chances(question, where), where, named)
        for index, spec in enumerate(_traits_of_skips(specs))
        for item, path in _expand_items(spec, names, f"question[{index}]")
        for question, where, named in _commented(item, names, f"question[{index}]", path)
    ]
    if survey.evidence is not None:
        from askance.survey.comprehension import expand_evidence

        expanded = expand_evidence(survey.evidence, expanded)
    refuse_duplicates([spec.name for spec, *_ in expanded], [named for *_, named in expanded])
    positions = tuple((path, groups) for _, groups, path, _ in expanded)
    return msgspec.structs.replace(survey, question=[spec for spec, *_ in expanded]), positions


def _traits_of_skips(specs: Sequence[QuestionSpec]) -> list[QuestionSpec]:
    """Give a protected question the trait of the protected answer that skips it.

    What is sent for whoever skips it tells of that answer too: so their losses add up.
    """
    with_traits: list[QuestionSpec] = []
    for index, spec in enumerate(specs):
        earlier = [
            candidate
            for candidate in with_traits
            if spec.skip is not None and _is_called(candidate, spec.skip.after)
        ]
        if earlier and not earlier[-1].plain and not spec.plain:
            trait = earlier[-1].trait or earlier[-1].name
            if spec.trait not in {None, trait}:
                allowed = f"{trait!r}, as of the question after which this one is skipped"
                raise SurveyError(f"question[{index}].trait", got=spec.trait, allowed=allowed)
            with_traits.append(msgspec.structs.replace(spec, trait=trait))
        else:
            with_traits.append(spec)
    return with_traits


def _is_called(spec: QuestionSpec, name: str) -> bool:
    if spec.items is None or spec.sensitive is not None:
        return spec.name == name
    items = (item if isinstance(item, str) else item.get("name") for item in spec.items)
    return name in {f"{spec.name}_{item_name}" for item_name in items}


def _expand_items(
    spec: QuestionSpec, languages: Collection[str], where: str
) -> Iterator[tuple[QuestionSpec, str]]:
    """Write out one question for each item, whose wording stands below the question's."""
    if spec.items is None or spec.sensitive is not None:
        yield spec, where
        return
    key = "answers" if spec.choose else "items"
    if not 2 <= len(spec.items) <= _MOST_ITEMS:
        fault, allowed = f"{len(spec.items)} {key}", f"2 to {_MOST_ITEMS} {key}"
        raise SurveyError(f"{where}.{key}", got=fault, allowed=allowed)
    text = write_wording(spec.text, languages, f"{where}.text")
    trait = spec.trait if spec.plain else spec.trait or spec.name
    for index, item in enumerate(spec.items):
        path = f"{where}.{key}[{index}]"
        label = read_label(item, languages, path)
        name = f"{spec.name}_{label['name']}"
        if not is_name(name):
            raise SurveyError(
                path,
                got=name,
                allowed="up to 40 characters, question and item together: a-z, 0-9 and _",
                remedy='give it a short name, as in { name = "often", en = "More than once" }',
            )
        item_text = {tag: f"{text[tag]}\n{label['label'][tag]}" for tag in languages}
        own = {"name": name, "text": item_text, "trait": trait, "items": None, "choose": None}
        begins = None if index else spec.section
        yield msgspec.structs.replace(spec, **own, section=begins, grid=False), path


def _commented(
    spec: QuestionSpec, names: Names, where: str, named: str
) -> Iterator[tuple[QuestionSpec, str, str]]:
    """Write out the comment that may be added to an answer as the question that comes next."""
    yield msgspec.structs.replace(spec, comment=None), where, named
    if (comment := spec.comment) is None:
        return
    path = f"{where}.comment"
    if not spec.plain or spec.coin is not None:
        raise SurveyError(
            path,
            got="a comment beside a protected question",
            allowed="a comment beside a question that is asked plainly",
            remedy="a comment can reveal the protected answer: leave it out",
        )
    if (spec.answers is None) == (spec.line is None) or named != where:
        raise SurveyError(
            path,
            got="a list of items" if named != where else "no answer that it could stand beside",
            allowed="a comment beside answers or a line, of one question",
            remedy="ask for a text in a question of its own, by free_text",
        )
    skip = spec.skip and msgspec.structs.replace(spec.skip, send=None)
    text = word_label(names, "nameComment") if comment.text is None else comment.text
    yield QuestionSpec(f"{spec.name}_comment", text, skip=skip, comment=comment), path, path


def _own_chances(spec: QuestionSpec, where: str) -> tuple[QuestionSpec, str]:
    """Write a parameter that is drawn for each person as groups by chance; say where they are."""
    recipe = spec.mechanism or {}
    drawn_keys = [
        key for key, value in recipe.items() if isinstance(value, dict) and _EACH_KEY in value
    ]
    drawn_keys = [key for key in drawn_keys if isinstance(recipe[key][_EACH_KEY], list)]
    if not drawn_keys:
        return spec, f"{where}.group"
    key, *others = drawn_keys
    values, path = recipe[key][_EACH_KEY], f"{where}.mechanism.{key}"
    if others or len(recipe[key]) > 1:
        remedy = "write a [[question.group]] for each group where more of them differ"
        fault = ", ".join([*others, *recipe[key]])
        raise SurveyError(path, got=fault, allowed="one list, { each = […] }", remedy=remedy)
    if spec.answers is None or spec.coin is not None or spec.group is not None:
        allowed = "a list beside answers alone: without line, coin and group"
        raise SurveyError(path, got=_EACH_KEY, allowed=allowed)
    if not 2 <= len(values) <= MOST_GROUPS:
        allowed = f"2 to {MOST_GROUPS} chances"
        raise SurveyError(f"{path}.{_EACH_KEY}", got=f"{len(values)} chances", allowed=allowed)
    labels = [
        str(number) if isinstance(value, dict | list) else str(value).strip()
        for number, value in enumerate(values, 1)
    ]
    refuse_duplicates(labels, f"{path}.{_EACH_KEY}")
    share = None if spec.assigned else f"1/{len(values)}"
    groups = [
        GroupSpec(f"{key} {label}", {**recipe, key: value}, share, label)
        for label, value in zip(labels, values, strict=True)
    ]
    return msgspec.structs.replace(spec, mechanism=None, group=groups), f"{path}.{_EACH_KEY}"
