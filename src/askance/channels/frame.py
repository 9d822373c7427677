"""The admissible answers: a finite, ordered set."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import final

from askance.errors import InputError, refuse_unknown


@final
@dataclass(frozen=True, slots=True, init=False)
class Frame:
    """The finite, ordered set of admissible answers (the frame of discernment).

    A set of answers is written as an integer mask: bit ``i`` stands for answer ``i``.

    Parameters
    ----------
    answers : iterable of str
        At least one name, all different.

    Raises
    ------
    InputError
        If there is no answer, an empty name, a name twice, or one that is no text.

    >>> yn = Frame(["yes", "no"])
    >>> yn.mask(["no"]), yn.names(3), len(yn)
    (2, ('yes', 'no'), 2)
    """

    answers: tuple[str, ...]

    def __init__(self, answers: Iterable[str]) -> None:
        given: object = answers
        names = tuple(given) if isinstance(given, Iterable) else ()
        texts = all(isinstance(name, str) for name in names)
        if isinstance(answers, str) or not (names and texts and all(names)):
            raise InputError(
                "Frame.answers",
                got=answers,
                allowed="a list of one or more non-empty names",
                remedy="" if texts else 'write numbers as text: ["0", "1"]',
            )
        if len(set(names)) != len(names):
            twice = next(name for at, name in enumerate(names) if name in names[:at])
            raise InputError("Frame.answers", got=f"{twice!r} twice", allowed="different names")
        object.__setattr__(self, "answers", names)

    def __len__(self) -> int:
        return len(self.answers)

    @property
    def everything(self) -> int:
        """The mask of the whole frame, which says nothing."""
        return (1 << len(self)) - 1

    def index(self, answer: str) -> int:
        """The position of an answer.

        >>> Frame(["yes", "no"]).index("noo")
        Traceback (most recent call last):
        askance.errors.InputError: answer: got 'noo'; allowed: yes, no; did you mean 'no'?
        """
        refuse_unknown("answer", answer, self.answers)
        return self.answers.index(answer)

    def mask(self, answers: Iterable[str]) -> int:
        """Write a set of answers as a mask."""
        names: object = (answers,) if isinstance(answers, str) else answers
        if not isinstance(names, Iterable):
            raise InputError("answers", got=answers, allowed=f"some of {', '.join(self.answers)}")
        return sum(1 << at for at in {self.index(answer) for answer in names})

    def places(self, mask: int) -> tuple[int, ...]:
        """Read a mask as the positions of the answers in it."""
        return tuple(at for at in range(len(self)) if mask >> at & 1)

    def names(self, mask: int) -> tuple[str, ...]:
        """Read a mask as the answers in it."""
        return tuple(answer for at, answer in enumerate(self.answers) if mask >> at & 1)

    def wordings(self, masks: Iterable[int]) -> list[str]:
        """Word sets of answers such as "yes or no", each differently.

        >>> Frame(["yes", "no"]).wordings([1, 3])
        ['yes', 'yes or no']
        """
        sets = [self.names(mask) for mask in masks]
        plain = [" or ".join(names) for names in sets]
        return plain if len(set(plain)) == len(set(sets)) else [repr(names) for names in sets]
