"""The texts of a survey file in each language, and where in it something is wrong."""

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeVar

from askance.errors import AskanceError, SurveyError, nearest
from askance.wire.label import is_language

Wording = str | dict[str, str]
"""One text for every language, or one for each."""

Made = TypeVar("Made")

_NOT_KEYS = {"channel", "parameters"}
_LONGEST = 20_000
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
SILENT = {
    "ar": "لا أعرف",
    "de": "Weiß nicht",
    "en": "Don't know",
    "es": "No sabe",
    "fr": "Ne sait pas",
    "hi": "पता नहीं",
    "it": "Non so",
    "pt": "Não sei",
    "tr": "Bilmiyorum",
    "zh": "不知道",
}
"""How "don't know" reads in the languages that the page speaks; English elsewhere."""

OR = {
    "ar": "أو",
    "de": "oder",
    "en": "or",
    "es": "o",
    "fr": "ou",
    "hi": "या",
    "it": "o",
    "pt": "ou",
    "tr": "veya",
    "zh": "或",
}
"""How "or" reads in them."""

_TICKED = {
    "ar": ("عليه علامة", "بلا علامة", "لا شيء مما سبق"),
    "de": ("Angekreuzt", "Nicht angekreuzt", "Nichts davon"),
    "en": ("Ticked", "Not ticked", "None of these"),
    "es": ("Marcado", "Sin marcar", "Nada de esto"),
    "fr": ("Coché", "Non coché", "Rien de tout cela"),
    "hi": ("निशान लगा", "निशान नहीं लगा", "इनमें से कुछ नहीं"),
    "it": ("Selezionato", "Non selezionato", "Niente di tutto ciò"),
    "pt": ("Marcado", "Não marcado", "Nada disto"),
    "tr": ("İşaretli", "İşaretsiz", "Hiçbiri"),
    "zh": ("已勾选", "未勾选", "以上都不是"),
}
"""How an item of a list reads that is ticked, that is not, and none of them."""

COMMENT = {
    "ar": "تعليق",
    "de": "Anmerkung",
    "en": "Comment",
    "es": "Comentario",
    "fr": "Commentaire",
    "hi": "टिप्पणी",
    "it": "Commento",
    "pt": "Comentário",
    "tr": "Yorum",
    "zh": "备注",
}
"""How a comment is asked for in them."""

_OF_DESIGNS = {
    ("crosswise", "both or neither"): {
        "ar": "كلاهما أو لا شيء منهما",
        "de": "beides oder keines",
        "en": "both or neither",
        "es": "ambas o ninguna",
        "fr": "les deux ou aucune",
        "hi": "दोनों या कोई नहीं",
        "it": "entrambe o nessuna",
        "pt": "ambas ou nenhuma",
        "tr": "ikisi de ya da hiçbiri",
        "zh": "两者都是或都不是",
    },
    ("crosswise", "just one"): {
        "ar": "واحد منهما فقط",
        "de": "nur eines",
        "en": "just one",
        "es": "solo una",
        "fr": "une seule",
        "hi": "केवल एक",
        "it": "solo una",
        "pt": "apenas uma",
        "tr": "yalnızca biri",
        "zh": "只有其中之一",
    },
    ("triangular", "one or both"): {
        "ar": "أحدهما أو كلاهما",
        "de": "eines oder beides",
        "en": "one or both",
        "es": "una o ambas",
        "fr": "une ou les deux",
        "hi": "एक या दोनों",
        "it": "una o entrambe",
        "pt": "uma ou ambas",
        "tr": "biri ya da ikisi",
        "zh": "其中之一或两者",
    },
    ("triangular", "neither"): {
        "ar": "لا شيء منهما",
        "de": "keines",
        "en": "neither",
        "es": "ninguna",
        "fr": "aucune",
        "hi": "कोई नहीं",
        "it": "nessuna",
        "pt": "nenhuma",
        "tr": "hiçbiri",
        "zh": "都不是",
    },
    ("kuk", "red"): {
        "ar": "أحمر",
        "de": "rot",
        "en": "red",
        "es": "rojo",
        "fr": "rouge",
        "hi": "लाल",
        "it": "rosso",
        "pt": "vermelho",
        "tr": "kırmızı",
        "zh": "红",
    },
    ("kuk", "black"): {
        "ar": "أسود",
        "de": "schwarz",
        "en": "black",
        "es": "negro",
        "fr": "noir",
        "hi": "काला",
        "it": "nero",
        "pt": "preto",
        "tr": "siyah",
        "zh": "黑",
    },
}
"""How designs of survey methodology name their reports, in them."""


def within(place: str, make: Callable[[], Made]) -> Made:
    """Make something, so that an error names its place in the survey file."""
    try:
        return make()
    except AskanceError as error:
        owner, _, key = error.where.rpartition(".")
        where = f"{place}.{key}" if key not in _NOT_KEYS and (owner or key.islower()) else place
        got = str(error.got) if isinstance(error.got, Decimal) else error.got
        raise SurveyError(where, got=got, allowed=error.allowed, remedy=error.remedy) from error


def languages_of(tags: Sequence[str]) -> tuple[str, ...]:
    """Check the language tags of a survey.

    >>> languages_of(["en", "de-AT"])
    ('en', 'de-AT')
    """
    for at, tag in enumerate(tags):
        if not is_language(tag) or tag in tags[:at]:
            raise SurveyError(
                f"languages[{at}]", got=tag, allowed='different language tags such as "en"'
            )
    if not tags:
        raise SurveyError("languages", got="none", allowed='at least one, such as "en"')
    return tuple(tags)


def wording_of(
    given: Wording, languages: Sequence[str], where: str, *, empty: bool = False
) -> dict[str, str]:
    """One text for each language.

    >>> wording_of("Hello", ("en", "de"), "title")
    {'en': 'Hello', 'de': 'Hello'}
    """
    texts = given if isinstance(given, Mapping) else dict.fromkeys(languages, given)
    for language in texts:
        if language not in languages:
            raise SurveyError(
                f"{where}.{language}",
                got=language,
                allowed=", ".join(languages),
                remedy=nearest(language, tuple(languages)),
            )
    missing = [language for language in languages if language not in texts]
    if missing:
        raise SurveyError(f"{where}.{missing[0]}", got="nothing", allowed="a text in that language")
    for language, text in texts.items():
        if not empty and not text.strip():
            raise SurveyError(f"{where}.{language}", got="an empty text", allowed="a text")
        if len(text) > _LONGEST or _CONTROL.search(text):
            raise SurveyError(
                f"{where}.{language}",
                got=f"{len(text)} characters",
                allowed=f"at most {_LONGEST} characters, none of them a control character",
            )
    return {language: texts[language].strip() for language in languages}


def label_of(
    given: str | Mapping[str, Any], languages: Sequence[str], where: str
) -> dict[str, Any]:
    """Read an answer: its name, which stands in the data, and its wording in each language.

    An image beside it is no part of its words.

    >>> label_of("yes", ["en"], "answers[0]")
    {'name': 'yes', 'label': {'en': 'yes'}}
    """
    if isinstance(given, str):
        return {"name": given.strip(), "label": wording_of(given, languages, where)}
    for key, part in given.items():
        if isinstance(part, str) == (key == "image"):
            got, allowed = f"text: {part!r}", '{ file = "…", alt = "…" }'
            if key != "image":
                got, allowed = "a table { … }", "text in quotes"
            raise SurveyError(f"{where}.{key}", got=got, allowed=allowed)
    if "name" not in given:
        raise SurveyError(
            f"{where}.name", got="nothing", allowed='a name, as in { name = "yes", en = "Yes" }'
        )
    texts = {key: text for key, text in given.items() if key not in {"name", "image"}}
    label = wording_of(texts or given["name"], languages, where)
    return {"name": wording_of(given["name"], ["name"], where)["name"], "label": label}


def silent_label(languages: Sequence[str]) -> dict[str, str]:
    """Say "don't know" in each language.

    >>> silent_label(["de-AT"])
    {'de-AT': 'Weiß nicht'}
    """
    return {tag: SILENT.get(tag.split("-")[0], SILENT["en"]) for tag in languages}


def ticked_labels(languages: Sequence[str]) -> tuple[dict[str, str], ...]:
    """Word an item that is ticked, one that is not, and that none is.

    >>> [label["de-AT"] for label in ticked_labels(["de-AT"])]
    ['Angekreuzt', 'Nicht angekreuzt', 'Nichts davon']
    """
    said = {tag: _TICKED.get(tag.split("-")[0], _TICKED["en"]) for tag in languages}
    return tuple({tag: words[at] for tag, words in said.items()} for at in range(3))


def comment_label(languages: Sequence[str]) -> dict[str, str]:
    """Ask for a comment in each language.

    >>> comment_label(["de-AT", "nl"])
    {'de-AT': 'Anmerkung', 'nl': 'Comment'}
    """
    return {tag: COMMENT.get(tag.split("-")[0], COMMENT["en"]) for tag in languages}


def named_by(design: str, report: str, languages: Sequence[str]) -> dict[str, str]:
    """Say a report as the design that names it does, in each language; else by its own name.

    >>> named_by("crosswise", "just one", ["en", "de-AT", "nl"])
    {'en': 'just one', 'de-AT': 'nur eines', 'nl': 'just one'}
    >>> named_by("kuk", "2 red", ["en", "fr"])
    {'en': '2 red', 'fr': '2 × rouge'}
    """
    count, _, sort = report.rpartition(" ") if design == "kuk" else ("", "", report)
    said = _OF_DESIGNS.get((design, sort), {})
    before = f"{count} × " if count else ""
    words = {tag: said.get(tag.split("-")[0], said.get("en")) for tag in languages}
    return {
        tag: before + word if word and word != said["en"] else report for tag, word in words.items()
    }


def either(labels: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Name several answers, any of which may be true, in each language.

    >>> either([{"en": "Never"}, {"en": "Seldom"}, {"en": "Often"}])
    {'en': 'Never, Seldom or Often'}
    """
    told = {}
    for tag in labels[0]:
        *others, last = [label[tag] for label in labels]
        word = OR.get(tag.split("-")[0], OR["en"])
        told[tag] = f"{', '.join(others)} {word} {last}" if others else last
    return told


def all_different(names: Sequence[str], where: str | Sequence[str]) -> None:
    """Refuse a name that stands twice, naming its second place: in a list, or of these places."""
    seen: set[str] = set()
    for at, name in enumerate(names):
        if name in seen:
            place = f"{where}[{at}]" if isinstance(where, str) else where[at]
            raise SurveyError(place, got=f"{name!r} again", allowed="different names")
        seen.add(name)
