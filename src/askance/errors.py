"""Every error Askance raises on purpose.

::

    AskanceError
    ├── InputError (ValueError)     a parameter that cannot be right
    │   └── NotIdentified           the data cannot answer the question, however many there are
    ├── DocumentError (ValueError)  a file or document that cannot be right, with the path inside it
    │   ├── SurveyError             the questionnaire an analyst wrote
    │   └── FormError               the published form
    ├── ReportRefused (ValueError)  a report that is impossible under its form, with a code
    ├── NotComparable (TypeError)   two guarantees of different kinds
    └── MissingExtra (ImportError)  an optional dependency, with the command that installs it

A message says *where*, *what was got*, *what is allowed* and *what to do*, in that order; the same
four facts are attributes. No message about a report or a respondent repeats an answer.
"""

from collections.abc import Collection
from difflib import get_close_matches
from typing import Any, final

__all__ = [
    "AskanceError",
    "DocumentError",
    "FormError",
    "InputError",
    "MissingExtra",
    "NotComparable",
    "NotIdentified",
    "ReportRefused",
    "SurveyError",
]


class AskanceError(Exception):
    """The root: catch this to catch everything Askance raises on purpose."""

    def __init__(self, where: str, *, got: Any = None, allowed: str = "", remedy: str = "") -> None:
        self.where = where
        self.got = got
        self.allowed = allowed
        self.remedy = remedy
        super().__init__(where, got, allowed, remedy)

    def __str__(self) -> str:
        single = getattr(self.got, "shape", None) == ()  # a number or text of numpy: shown plainly
        got = self.got.item() if single else self.got
        facts = [
            f"got {got!r}" if got is not None else "",
            f"allowed: {self.allowed}" if self.allowed else "",
            self.remedy,
        ]
        told = "; ".join(fact for fact in facts if fact)
        return f"{self.where}: {told}" if told else self.where

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

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(
            f"{package} is not installed", remedy=f"run: pip install 'askance[{extra}]'"
        )


def nearest(word: object, names: list[str] | tuple[str, ...]) -> str:
    """Suggest the nearest allowed name, or say nothing.

    >>> nearest("epsilom", ["epsilon", "truth"])
    "did you mean 'epsilon'?"
    >>> nearest("zzz", ["epsilon", "truth"])
    ''
    """
    close = get_close_matches(str(word), names, n=1)
    return f"did you mean {close[0]!r}?" if close else ""


def refuse_unknown(where: str, name: object, known: Collection[str]) -> None:
    """Refuse a name that is none of these, and suggest the nearest.

    >>> refuse_unknown("link", "logot", ["logit", "probit"])
    Traceback (most recent call last):
    askance.errors.InputError: link: got 'logot'; allowed: logit, probit; did you mean 'logit'?
    """
    if not isinstance(name, str) or name not in known:
        raise InputError(
            where, got=name, allowed=", ".join(known), remedy=nearest(name, tuple(known))
        )
