"""Every error Askance raises on purpose.

::

    AskanceError
    ├── InputError (ValueError)     a parameter that cannot be right
    │   └── NotIdentified           the data cannot answer the question, however many there are
    ├── DocumentError (ValueError)  a file or document that cannot be right, with the path inside it
    │   ├── SurveyError             the questionnaire an analyst wrote
    │   ├── FormError               the published form
    │   └── DamagedStore            a store whose reports are not as they were kept
    ├── ReportRefused (ValueError)  a report that is impossible under its form, with a code
    ├── NotComparable (TypeError)   two guarantees of different kinds
    └── MissingExtra (ImportError)  an optional dependency, with the command that installs it

A message says *where*, *what was got*, *what is allowed* and *what to do*, in that order; the same
four facts are attributes, and a `Fault` where a caller may have a remedy of its own. No message
about a report or a respondent repeats an answer.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from enum import Enum
from itertools import islice
from typing import Any, TypeVar, final

__all__ = [
    "AskanceError",
    "DamagedStore",
    "DocumentError",
    "Fault",
    "FormError",
    "InputError",
    "MissingExtra",
    "NotComparable",
    "NotIdentified",
    "ReportRefused",
    "SurveyError",
]


@final
class Fault(Enum):
    """Kinds of fault that a caller answers with a remedy of its own.

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> try:
    ...     ak.tally(q, ["yes", "perhaps"])
    ... except ak.errors.InputError as error:
    ...     error.fault is ak.errors.Fault.NOT_A_REPORT
    True
    """

    NOT_A_REPORT = "a value that is no report's name"


class AskanceError(Exception):
    """The root: catch this to catch everything Askance raises on purpose."""

    def __init__(
        self,
        where: str,
        *,
        got: Any = None,
        allowed: str = "",
        remedy: str = "",
        fault: Fault | None = None,
    ) -> None:
        self.where = where
        self.got = got
        self.allowed = allowed
        self.remedy = remedy
        self.fault = fault
        super().__init__(where, got, allowed, remedy)

    def __str__(self) -> str:
        single = getattr(self.got, "shape", None) == ()  # a number or text of numpy: shown plainly
        value = self.got.item() if single else self.got
        facts = [
            f"got {_format_value(value)}" if value is not None else "",
            f"allowed: {self.allowed}" if self.allowed else "",
            self.remedy,
        ]
        message = "; ".join(fact for fact in facts if fact)
        return f"{self.where}: {message}" if message else self.where

    def __reduce__(self) -> tuple[Any, ...]:
        """Let an error cross processes with its facts, as from the workers of a grid search."""
        return Exception.__new__, (type(self), *self.args), vars(self)


class InputError(AskanceError, ValueError):
    """A parameter that cannot be right."""


@final
class NotIdentified(InputError):
    """The data cannot answer the question, however many reports there are."""


class DocumentError(AskanceError, ValueError):
    """A document that cannot be right; ``where`` is the path inside it."""


@final
class SurveyError(DocumentError):
    """The questionnaire cannot be published as it stands."""


@final
class FormError(DocumentError):
    """The published form is damaged or from another version."""


@final
class DamagedStore(DocumentError):
    """The reports in a store are not all as they were kept.

    >>> import askance as ak
    >>> issubclass(ak.errors.DamagedStore, ak.errors.DocumentError)
    True
    """


@contextmanager
def file_faults(
    where: object, allowed: str, error: type[AskanceError] = DocumentError
) -> Iterator[None]:
    """Name the file of a fault of the operating system, and what may be there instead.

    >>> with file_faults("nowhere", "a readable file"):
    ...     open("nowhere")
    Traceback (most recent call last):
    askance_collect.errors.DocumentError: nowhere: got 'No such file or directory'; allowed: a re...
    """
    try:
        yield
    except OSError as fault:
        raise error(str(where), got=fault.strerror, allowed=allowed) from fault


Restated = TypeVar("Restated", bound=AskanceError)


def restate(
    error: AskanceError, where: str, kind: type[Restated], remedy: str | None = None
) -> Restated:
    """State the facts of an error at another place, as an error of this kind.

    >>> restate(InputError("rows", got=0, allowed="one or more"), "reports.csv", DocumentError)
    DocumentError('reports.csv', 0, 'one or more', '')
    """
    remedy = error.remedy if remedy is None else remedy
    return kind(where, got=error.got, allowed=error.allowed, remedy=remedy, fault=error.fault)


@final
class ReportRefused(AskanceError, ValueError):
    """A report that is impossible under its form.

    ``code`` is the stable word that the collector answers with; the message never repeats what the
    report contains.
    """

    def __init__(self, code: str, where: str, *, allowed: str = "", remedy: str = "") -> None:
        self.code = code
        super().__init__(where, allowed=allowed, remedy=remedy)


@final
class NotComparable(AskanceError, TypeError):
    """Two guarantees of different kinds were compared."""


@final
class MissingExtra(AskanceError, ImportError):
    """An optional dependency is absent; the message is the command that installs it."""

    def __init__(self, package: str, extra: str, of: str = "askance") -> None:
        super().__init__(f"{package} is not installed", remedy=f"run: pip install '{of}[{extra}]'")


_MAX_CHARACTERS = 2_000  # characters of what was got
_LISTED = 50  # names in a message
_COMPARED = 1_000  # names that are compared with a word, letter by letter


def _format_value(value: Any) -> str:
    if isinstance(value, int) and value.bit_length() > _MAX_CHARACTERS:
        return f"a whole number of {value.bit_length():,} bits"
    text = repr(value)
    return text if len(text) <= _MAX_CHARACTERS else f"{text[:_MAX_CHARACTERS]}…"


def listed_names(names: Collection[str]) -> str:
    """List the names that are allowed, or the first of very many; in quotes if one has a comma.

    >>> listed_names(["yes", "no"]), listed_names(["yes, yes", "no"])
    ('yes, no', "'yes, yes', 'no'")
    >>> listed_names([f"answer {i}" for i in range(1000)])[-35:]
    'answer 48, answer 49 and 950 others'
    """
    first = [*islice(names, _LISTED)]
    listing = ", ".join(map(repr, first) if any("," in str(name) for name in first) else first)
    more = len(names) - _LISTED
    return f"{listing} and {more:,} other{'s' if more > 1 else ''}" if more > 0 else listing


def nearest(word: object, names: list[str] | tuple[str, ...]) -> str:
    """Suggest the nearest allowed name, or say nothing.

    Of very many names, only those are looked at that are one slip away.

    >>> nearest("epsilom", ["epsilon", "truth"])
    "did you mean 'epsilon'?"
    >>> nearest("zzz", ["epsilon", "truth"])
    ''
    >>> nearest("answer 1234x", [f"answer {i}" for i in range(10_000)])
    "did you mean 'answer 1234'?"
    """
    text = str(word)
    if len(names) > _COMPARED:
        slips = _slips(text, names)
        names = [name for name in names if name in slips][:_COMPARED]
    close = get_close_matches(text, names, n=1)
    return f"did you mean {close[0]!r}?" if close else ""


def _slips(word: str, names: Sequence[str]) -> set[str]:
    """All that one typing slip in a name could have been meant by, with the letters of some names.

    The edits are those of Norvig, "How to write a spelling corrector" (2007).
    """
    if len(word) > _LISTED:
        return set()
    letters = set(word).union(*names[:_COMPARED])
    splits = [(word[:i], word[i:]) for i in range(len(word) + 1)]
    edits = {word.strip(), word.lower(), word.upper(), word.title(), word.capitalize()}
    edits |= {head + tail[1:] for head, tail in splits}
    edits |= {head + tail[1] + tail[0] + tail[2:] for head, tail in splits if len(tail) > 1}
    return edits | {
        head + letter + tail[drop:]
        for head, tail in splits
        for letter in letters
        for drop in (0, 1)
    }


def refuse_unknown(where: str, name: object, allowed: Collection[str]) -> None:
    """Refuse a name that is not in a list of allowed names, and suggest the nearest.

    >>> refuse_unknown("link", "logot", ["logit", "probit"])
    Traceback (most recent call last):
    askance_collect.errors.InputError: link: got 'logot'; allowed: logit, probit; did you mean 'l...
    """
    if not isinstance(name, str) or name not in allowed:
        raise InputError(
            where, got=name, allowed=listed_names(allowed), remedy=nearest(name, tuple(allowed))
        )
