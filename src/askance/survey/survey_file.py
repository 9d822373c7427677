"""What an analyst writes in a survey file, read from TOML, and what it says in short written out.

Every error says where in the file it is.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated, Any, TypeVar, final
from urllib.parse import urlsplit

import msgspec

from askance.arguments import checked
from askance.channels.cut_law import EVEN, law_written, read_law
from askance.design.cuts_on_line import cuts_on_line, ring_on_line
from askance.errors import InputError, SurveyError, nearest
from askance.exact.line import Line
from askance.exact.ratio import ratio
from askance.mechanisms.catalogue import ANSWERS, NUMBERS, range_mechanism
from askance.mechanisms.cuts import AbstractRangeMechanism, Cuts, Ring
from askance.survey.wording import Wording, all_different, label_of, languages_of, wording_of
from askance.wire.form import ORDERS, is_name

BESIDE_COVERAGE = {Cuts.name: ("number", "prior"), Ring.name: ("law", "sizes")}
"""The recipes that can be given a coverage, and what else they then take."""

_KEYS = {
    "answered": "the chance that an answer is sent at all",
    "asked": "the chance that the sensitive question is the one to answer",
    "between": "two numbers between which every cut falls",
    "coverage": "the share of people that a report is to leave possible, on average",
    "draws": "how many cards each person draws",
    "epsilon": "the most that a report may shift the log-odds between two answers",
    "floor": "the least share of people, by the sizes, that a range holds",
    "forced": "for each answer the chance, of all who are asked, of being told to give it",
    "forced_yes": "the chance, of all who are asked, of being told to give the first answer",
    "harmless": "the known share of people with a harmless trait, or with each class of one",
    "if_forced": "for each answer its chance among those whose answer is forced",
    "law": "where a cut falls: even, a number for each inner tick, or a distribution by name",
    "lie": "the chance of any one answer that is not the true one",
    "marks": "the share of cards with each mark",
    "number": "how many cuts, candidates or blocks are drawn",
    "open": "stretches [low, high] in which an answer is sent exactly",
    "partitions": "each a list of blocks, each a list of answers",
    "prior": "how the answers are thought to spread, as law",
    "ratio": "the most that a report may multiply the odds between two answers: e to the epsilon",
    "red_if_no": "the share of red cards in the pack of those without the trait",
    "red_if_yes": "the share of red cards in the pack of those with the trait",
    "reports": "for each report the answers that it leaves possible",
    "rows": "for each answer the chance of each report, in whole numbers",
    "sent": "the chance that a range which keeps the floor is sent",
    "share": "how much of the lies becomes vague",
    "sizes": "how many people are thought to be in each step, as law",
    "stopping": "when narrowing ends: side-blind",
    "truth": "the chance that the true answer is sent",
    "truth_if_no": "the chance that one without the trait is told to say so",
    "weights": "one number for each partition",
}


def recipe_schema() -> dict[str, Any]:
    """Write every way in which a recipe can be written as JSON schema.

    >>> [way["required"] for way in recipe_schema()["anyOf"]][:3]
    [['name', 'truth'], ['name', 'epsilon'], ['name', 'ratio']]
    """
    return {"anyOf": [_way(*one) for one in _ways()]}


def _ways() -> Iterator[tuple[str, str, tuple[str, ...], tuple[str, ...]]]:
    for asked, recipes in (("named answers", ANSWERS), ("a number on a line", NUMBERS)):
        for name, ways in recipes.items():
            yield from ((name, asked, way.needed, way.optional) for way in ways)
    for name, others in BESIDE_COVERAGE.items():
        yield name, "a number on a line, with a target", ("coverage",), others


def _way(
    name: str, asked: str, needed: tuple[str, ...], optional: tuple[str, ...]
) -> dict[str, Any]:
    keys = {key: {"description": _KEYS[key]} for key in (*needed, *optional)}
    return {
        "title": name,
        "description": f"For {asked}.",
        "properties": {"name": {"const": name}, **keys},
        "required": ["name", *needed],
        "additionalProperties": False,
    }


Recipe = Annotated[dict[str, Any], msgspec.Meta(extra_json_schema=recipe_schema())]
"""A mechanism by name, with its parameters."""


@final
class LineSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A number: bounds, step, unit, and whether it takes whole values alone."""

    lower: Any
    upper: Any
    step: Any = 1
    unit: Wording = ""
    whole: bool = False


@final
class GroupSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """People whom chance puts together: which share of all, and how they are asked."""

    name: str
    share: Any
    mechanism: Recipe
    label: Wording | None = None


@final
class SectionSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A section that begins at a question: its title, its text, the order of its questions."""

    title: Wording
    text: Wording = ""
    order: str = ORDERS[0]


@final
class SkipSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whom a question is not asked of: whoever answered so before; and what is sent for them."""

    after: str
    answered: list[str]
    send: str | None = None


@final
class QuestionSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One question: answers or a line, and a mechanism or groups unless it is asked plainly."""

    name: str
    text: Wording
    answers: list[str | dict[str, str]] | None = None
    line: LineSpec | None = None
    mechanism: Recipe | None = None
    trait: str | None = None
    blank: Any = 0
    typed: bool = False
    group: list[GroupSpec] | None = None
    coin: Wording | None = None
    replies: list[str | dict[str, str]] | None = None
    items: list[str | dict[str, str]] | None = None
    section: SectionSpec | None = None
    skip: SkipSpec | None = None

    @property
    def plain(self) -> bool:
        """Whether the report is the answer."""
        return self.mechanism is None and self.group is None


@final
class EndingSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last screen: the survey's own thanks, a completion code, the way back to a panel."""

    thanks: Wording | None = None
    code: str | None = None
    url: str | None = None


@final
class Survey(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A questionnaire, version survey-1."""

    askance: str
    title: Wording
    consent: Wording
    question: list[QuestionSpec]
    contact: Wording = ""
    languages: list[str] = msgspec.field(default_factory=lambda: ["en"])
    collector: str = ""
    minimum: int = 50
    ending: EndingSpec | None = None


VERSION = "survey-1"
_LARGEST = 4_000_000
_AT = re.compile(r"^(?P<what>.*?)(?: - at `\$\.?(?P<path>.*)`)?$", re.DOTALL)
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
    """Read a survey file.

    Raises
    ------
    SurveyError
        With the path inside the file, or the line and column where it is not TOML.
    """
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise SurveyError(str(path), got=error.strerror, allowed="a readable file") from error
    return parse_survey(raw)


@checked
def parse_survey(raw: bytes) -> Survey:
    """Read the bytes of a survey file. Decimals are kept exactly as they are written.

    >>> parse_survey(b'askance = "survey-1"')
    Traceback (most recent call last):
    askance.errors.SurveyError: title: got 'nothing'; allowed: a value; add title = …
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
        raise _translated(str(error)) from None


def _toml(raw: bytes) -> dict[str, object]:
    if len(raw) > _LARGEST:
        raise SurveyError("file", got=f"{len(raw)} bytes", allowed=f"at most {_LARGEST} bytes")
    try:
        return tomllib.loads(raw.decode("utf-8-sig"), parse_float=_decimal)
    except UnicodeDecodeError as error:
        raise SurveyError(
            "file", got=f"a byte that is not text at {error.start}", allowed="TOML in UTF-8"
        ) from None
    except (ValueError, RecursionError) as error:  # not TOML, too long a number, or too deep
        raise SurveyError("file", got=str(error), allowed="TOML, https://toml.io") from None


def _decimal(written: str) -> Decimal:
    try:
        return Decimal(written)
    except InvalidOperation:
        raise ValueError(f"{written[:20]} is too large or too small a number") from None


def _translated(message: str) -> SurveyError:
    """Say in our words what the decoder found."""
    found = _AT.match(message)
    what, path = (found["what"], found["path"] or "") if found else (message, "")
    path = path.replace("[...]", "[…]")
    if field := _FIELD.search(what):
        where = f"{path}.{field['field']}".lstrip(".") or '""'
        if field["verb"].startswith("missing"):
            add = _QUESTIONS if where == "question" else f"add {field['field']} = …"
            return SurveyError(where, got="nothing", allowed="a value", remedy=add)
        known = _keys(path)
        return SurveyError(
            where,
            got=field["field"],
            allowed=", ".join(known),
            remedy=nearest(field["field"], known),
        )
    if kind := _TYPE.search(what):
        remedy = _QUESTIONS if path == "question" else ""
        return SurveyError(
            path or "file", got=_kinds(kind["got"]), allowed=_kinds(kind["allowed"]), remedy=remedy
        )
    return SurveyError(path or "file", got=what)


def _kinds(names: str) -> str:
    return " or ".join(_KINDS.get(name, name) for name in names.split(" | "))


def _keys(path: str) -> tuple[str, ...]:
    if path.endswith(".line"):
        return LineSpec.__struct_fields__
    if path == "ending":
        return EndingSpec.__struct_fields__
    if ".group" in path:
        return GroupSpec.__struct_fields__
    if path.endswith(".section"):
        return SectionSpec.__struct_fields__
    if path.endswith(".skip"):
        return SkipSpec.__struct_fields__
    return (QuestionSpec if "question" in path else Survey).__struct_fields__


Targeted = tuple[AbstractRangeMechanism, dict[str, str]]
"""A recipe, and the parameters as they were asked for."""


def on_target(name: str, parameters: Mapping[str, Any], line: Line) -> Targeted:
    """Build the recipe, and say what was asked for; cuts and rings can be given a coverage.

    Raises
    ------
    InputError
        If the coverage cannot be had, or other parameters already say where the cuts fall.

    >>> recipe, told = on_target("cuts", {"coverage": "3/5"}, Line(0, 40, 1))
    >>> told
    {'number': '1', 'coverage': '3/5', 'prior': 'even'}
    >>> on_target("ring", {"coverage": "3/5"}, Line(0, 40, 1))[1]
    {'floor': '1/8', 'law': 'even', 'sizes': 'even', 'coverage': '3/5'}
    """
    if "coverage" in parameters and name in _TARGETED:
        return _TARGETED[name](dict(parameters), line)
    try:
        recipe = range_mechanism(name, dict(parameters))
    except InputError:
        for key in parameters if name in _TARGETED else ():
            if meant := nearest(key, ("coverage",)):
                allowed = _ALLOWED[name]
                raise InputError(f"{name}.{key}", got=key, allowed=allowed, remedy=meant) from None
        raise
    return recipe, recipe.parameters()


def _cuts(given: dict[str, Any], line: Line) -> Targeted:
    coverage, prior = given.pop("coverage"), read_law(given.pop("prior", EVEN), "Cuts.prior")
    number = given.pop("number", 1)
    _nothing_else(given, Cuts.name)
    recipe = Cuts(number=number, law=cuts_on_line(line, coverage, prior, number))
    told = {"coverage": str(ratio(coverage, "coverage")), "prior": law_written(prior)}
    return recipe, {"number": str(recipe.number), **told}


def _ring(given: dict[str, Any], line: Line) -> Targeted:
    coverage = given.pop("coverage")
    law, sizes = (read_law(given.pop(key, EVEN), f"Ring.{key}") for key in ("law", "sizes"))
    _nothing_else(given, Ring.name)
    recipe = ring_on_line(line, coverage, law, sizes)
    return recipe, {**recipe.parameters(), "coverage": str(ratio(coverage, "coverage"))}


def _nothing_else(given: Mapping[str, Any], name: str) -> None:
    for key in given:
        raise InputError(f"{name}.{key}", got="a coverage too", allowed=_ALLOWED[name])


_TARGETED: Mapping[str, Callable[[dict[str, Any], Line], Targeted]] = {
    Cuts.name: _cuts,
    Ring.name: _ring,
}
_ALLOWED = {name: "coverage, {} and {}".format(*keys) for name, keys in BESIDE_COVERAGE.items()}


Made = TypeVar("Made")
MOST_GROUPS = 16
_MOST_ITEMS = 100
_EACH = "each"


Place = tuple[str, str]
"""Where a question stands in a survey file, and where its groups do."""

_OF_EACH = re.compile(
    r"(?P<where>.*\.mechanism)\.(?P<key>\w+)\.each\[\d+\]\.mechanism\.(?P<at>\w+)"
)


def written_out(survey: Survey) -> tuple[Survey, tuple[Place, ...]]:
    """Write out what a survey file says in short, and say where each question stands in it.

    A list of `items` becomes a question for each of them, about one trait where it is protected. A
    parameter ``{ each = [a, b] }`` becomes groups by chance of equal shares, one for each value.

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
    >>> [one.name for one in survey.question]
    ['cheated_once', 'cheated_often']
    >>> places[1]
    ('question[0]', 'question[0].mechanism.truth.each')
    >>> [group.name for group in survey.question[0].group], survey.question[0].trait
    (['truth 2/3', 'truth 3/4'], 'cheated')
    """
    asked = [
        (*_own_chances(one, f"question[{at}]"), f"question[{at}]", place)
        for at, spec in enumerate(_traits_of_skips(survey.question))
        for one, place in _by_item(spec, languages_of(survey.languages), f"question[{at}]")
    ]
    all_different([spec.name for spec, *_ in asked], [place for *_, place in asked])
    places = tuple((place, groups) for _, groups, place, _ in asked)
    return msgspec.structs.replace(survey, question=[spec for spec, *_ in asked]), places


def sections_of(
    specs: Sequence[QuestionSpec], places: Sequence[Place], languages: Sequence[str]
) -> list[dict[str, Any]]:
    """Write the sections of a form, each with the position of the question at which it begins.

    >>> tea = QuestionSpec("tea", "Tea?", section=SectionSpec("Drinks", order="random"))
    >>> sections_of([tea], [("question[0]", "")], ["en"])
    [{'at': 0, 'title': {'en': 'Drinks'}, 'text': {'en': ''}, 'order': 'random'}]
    """
    written = []
    for at, (spec, (place, _)) in enumerate(zip(specs, places, strict=True)):
        if (begun := spec.section) is None:
            continue
        where = f"{place}.section"
        if begun.order not in ORDERS:
            remedy = nearest(begun.order, ORDERS)
            allowed = " or ".join(f'"{one}"' for one in ORDERS)
            raise SurveyError(f"{where}.order", got=begun.order, allowed=allowed, remedy=remedy)
        title = wording_of(begun.title, languages, f"{where}.title")
        text = wording_of(begun.text, languages, f"{where}.text", empty=True)
        order = {"order": begun.order} if begun.order != ORDERS[0] else {}
        written.append({"at": at, "title": title, "text": text, **order})
    return written


def skips_of(specs: Sequence[QuestionSpec], places: Sequence[Place]) -> list[dict[str, Any]]:
    """Write who skips what, by positions of questions and answers.

    >>> tea = QuestionSpec("tea", "Tea?", answers=["yes", "no"])
    >>> milk = QuestionSpec("milk", "With milk?", ["yes", "no"], skip=SkipSpec("tea", ["no"]))
    >>> skips_of([tea, milk], [("question[0]", ""), ("question[1]", "")])
    [{'question': 1, 'after': 0, 'answered': [1], 'send': None}]
    """
    written = []
    for at, (spec, (place, _)) in enumerate(zip(specs, places, strict=True)):
        if (skip := spec.skip) is None:
            continue
        where = f"{place}.skip"
        after = _before(specs, at, skip.after, where)
        _keep_hidden(spec, specs[after], skip, where)
        answered = [_answer(specs[after], one, f"{where}.answered") for one in skip.answered]
        if not answered or len(set(answered)) != len(answered):
            allowed = f"at least one answer to {skip.after}, each once"
            raise SurveyError(f"{where}.answered", got=skip.answered, allowed=allowed)
        send = None if skip.send is None else _answer(spec, skip.send, f"{where}.send")
        written.append({"question": at, "after": after, "answered": answered, "send": send})
    return written


def _before(specs: Sequence[QuestionSpec], at: int, name: str, where: str) -> int:
    """Find the question that a rule is on: one that is asked before, with answers of its own."""
    names = [spec.name for spec in specs[:at]]
    if name not in names:
        later = any(spec.name == name for spec in specs)
        remedy = "move this question below that one" if later else nearest(name, names)
        allowed = f"a question above this one: {', '.join(names) or 'none is'}"
        raise SurveyError(f"{where}.after", got=name, allowed=allowed, remedy=remedy)
    after = names.index(name)
    begun = [at for at, spec in enumerate(specs[: at + 1]) if spec.section is not None]
    section = specs[begun[-1]].section if begun else None
    if section is not None and section.order != ORDERS[0] and begun[-1] <= after:
        allowed = "a question that is always asked before: here chance makes the order"
        raise SurveyError(f"{where}.after", got=name, allowed=allowed)
    return after


def _keep_hidden(spec: QuestionSpec, after: QuestionSpec, skip: SkipSpec, where: str) -> None:
    """Refuse a skip that would tell a protected answer, or for which nothing can be sent."""
    if after.answers is None or after.coin is not None or spec.coin is not None:
        allowed = "a question with answers, and no coin in the world"
        raise SurveyError(f"{where}.after", got=skip.after, allowed=allowed)
    if spec.plain and not after.plain:
        raise SurveyError(
            f"{where}.after",
            got=f"{skip.after}, which is protected",
            allowed="an answer that is given plainly, where the question that is skipped is plain",
            remedy="what is sent would tell that answer: protect this question too",
        )
    if spec.line is not None and (skip.send is not None or not spec.plain):
        allowed = "beside a protected question answers; beside a plain line no send"
        raise SurveyError(where, got="a line", allowed=allowed)
    if skip.send is None and not spec.plain:
        raise SurveyError(
            f"{where}.send",
            got="nothing",
            allowed="the answer that is so of whoever skips this question",
            remedy="a protected question sends a report for everybody",
        )


def _answer(spec: QuestionSpec, name: str, where: str) -> int:
    """Find an answer of a question by its name."""
    given = spec.answers or []
    names = [one.strip() if isinstance(one, str) else one.get("name", "") for one in given]
    if name not in names:
        remedy = nearest(name, names)
        raise SurveyError(where, got=name, allowed=", ".join(names), remedy=remedy)
    return names.index(name)


def of_each(make: Callable[[], Made]) -> Made:
    """Make something of a group, so that an error names what the file says where it has a list.

    >>> def make():
    ...     raise SurveyError("question[0].mechanism.truth.each[1].mechanism.truth", got="2")
    >>> of_each(make)
    Traceback (most recent call last):
    askance.errors.SurveyError: question[0].mechanism.truth.each[1]: got '2'
    """
    try:
        return make()
    except SurveyError as error:
        if (found := _OF_EACH.fullmatch(error.where)) is None:
            raise
        where = f"{found['where']}.{found['at']}"
        if found["key"] == found["at"]:
            where = error.where.removesuffix(f".mechanism.{found['at']}")
        told = {"got": error.got, "allowed": error.allowed, "remedy": error.remedy}
        raise SurveyError(where, **told) from error


def _traits_of_skips(specs: Sequence[QuestionSpec]) -> list[QuestionSpec]:
    """Give a protected question that a protected answer lets skip the trait of that one.

    What is sent for whoever skips it tells of that answer too: so their losses add up.
    """
    told: list[QuestionSpec] = []
    for at, spec in enumerate(specs):
        found = [one for one in told if spec.skip is not None and _is_called(one, spec.skip.after)]
        if found and not found[-1].plain and not spec.plain:
            trait = found[-1].trait or found[-1].name
            if spec.trait not in {None, trait}:
                allowed = f"{trait!r}, as of the question after which this one is skipped"
                raise SurveyError(f"question[{at}].trait", got=spec.trait, allowed=allowed)
            told.append(msgspec.structs.replace(spec, trait=trait))
        else:
            told.append(spec)
    return told


def _is_called(spec: QuestionSpec, name: str) -> bool:
    if spec.items is None:
        return spec.name == name
    items = (one if isinstance(one, str) else one.get("name") for one in spec.items)
    return name in {f"{spec.name}_{item}" for item in items}


def _by_item(
    spec: QuestionSpec, languages: Sequence[str], where: str
) -> Iterator[tuple[QuestionSpec, str]]:
    """Write out one question for each item, whose wording stands below the question's."""
    if spec.items is None:
        yield spec, where
        return
    if not 2 <= len(spec.items) <= _MOST_ITEMS:
        got, allowed = f"{len(spec.items)} items", f"2 to {_MOST_ITEMS} items"
        raise SurveyError(f"{where}.items", got=got, allowed=allowed)
    text = wording_of(spec.text, languages, f"{where}.text")
    trait = spec.trait if spec.plain else spec.trait or spec.name
    for at, item in enumerate(spec.items):
        place = f"{where}.items[{at}]"
        label = label_of(item, languages, place)
        name = f"{spec.name}_{label['name']}"
        if not is_name(name):
            raise SurveyError(
                place,
                got=name,
                allowed="up to 40 characters, question and item together: a-z, 0-9 and _",
                remedy='give it a short name, as in { name = "often", en = "More than once" }',
            )
        said = {tag: f"{text[tag]}\n{label['label'][tag]}" for tag in languages}
        own = {"name": name, "text": said, "trait": trait, "items": None}
        begins = None if at else spec.section
        yield msgspec.structs.replace(spec, **own, section=begins), place


def _own_chances(spec: QuestionSpec, where: str) -> tuple[QuestionSpec, str]:
    """Write a parameter that is drawn for each person as groups by chance; say where they are."""
    recipe = spec.mechanism or {}
    drawn = [key for key, value in recipe.items() if isinstance(value, dict) and _EACH in value]
    drawn = [key for key in drawn if isinstance(recipe[key][_EACH], list)]
    if not drawn:
        return spec, f"{where}.group"
    key, *others = drawn
    values, place = recipe[key][_EACH], f"{where}.mechanism.{key}"
    if others or len(recipe[key]) > 1:
        remedy = "write a [[question.group]] for each group where more of them differ"
        got = ", ".join([*others, *recipe[key]])
        raise SurveyError(place, got=got, allowed="one list, { each = […] }", remedy=remedy)
    if spec.answers is None or spec.coin is not None or spec.group is not None:
        allowed = "a list beside answers alone: without line, coin and group"
        raise SurveyError(place, got=_EACH, allowed=allowed)
    if not 2 <= len(values) <= MOST_GROUPS:
        allowed = f"2 to {MOST_GROUPS} chances"
        raise SurveyError(f"{place}.{_EACH}", got=f"{len(values)} chances", allowed=allowed)
    told = [
        str(at) if isinstance(value, dict | list) else str(value).strip()
        for at, value in enumerate(values, 1)
    ]
    all_different(told, f"{place}.{_EACH}")
    groups = [
        GroupSpec(f"{key} {one}", f"1/{len(values)}", {**recipe, key: value}, one)
        for one, value in zip(told, values, strict=True)
    ]
    return msgspec.structs.replace(spec, mechanism=None, group=groups), f"{place}.{_EACH}"


def ending_of(survey: Survey, languages: Sequence[str]) -> dict[str, Any] | None:
    """Write what the last screen says: whom a panel sent is sent back past the collector.

    >>> survey = load_survey("examples/affairs.toml")
    >>> ending_of(survey, ["en"]) is None
    True
    """
    if (given := survey.ending) is None:
        return None
    said: dict[str, Any] = {"code": given.code, "url": given.url}
    if given.thanks is not None:
        said["thanks"] = wording_of(given.thanks, languages, "ending.thanks")
    host = _host(survey.collector)
    if host and host == _host(given.url or ""):
        remedy = "the collector would learn who sent a report: lead to another host"
        raise SurveyError(
            "ending.url", got=given.url, allowed="an address elsewhere", remedy=remedy
        )
    return {key: part for key, part in said.items() if part is not None}


def _host(url: str) -> str | None:
    """The host of an address; of one that is none, nothing: it is refused where it is read."""
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return None
