"""Conditions under which a question is shown, read from other programs' expressions.

A survey file has one rule for a question: after which answers to one earlier question it is
skipped. `find_skip` finds that rule, and the parts of the condition that it leaves open.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import ge, gt, le, lt
from typing import Any, final

_NEGATED = {"is": "is not", "<": ">=", "<=": ">", "selected": "not selected"}
_NEGATED |= {negative: positive for positive, negative in _NEGATED.items()}
_COMPARISONS = {"<": lt, "<=": le, ">": gt, ">=": ge}
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_OPERATORS = {
    **dict.fromkeys(("=", "==", "eq", "equal"), "is"),
    **dict.fromkeys(("!=", "<>", "ne", "notequal"), "is not"),
    **{"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "less": "<", "lessorequal": "<="},
    **{"greater": ">", "greaterorequal": ">=", "<": "<", "<=": "<=", ">": ">", ">=": ">="},
    **{"contains": "selected", "contain": "selected", "notcontains": "not selected"},
    **{"anyof": "any of", "noneof": "none of", "allof": "all of"},
}
_TOKEN = re.compile(
    r"\s*(?:(?P<variable>\$?\{[^{}]+\})|(?P<text>\"[^\"]*\"|'[^']*')"
    r"|(?P<number>-?\d+(?:\.\d+)?(?![\w.]))|(?P<mark>&&|\|\||==|!=|<>|<=|>=|[=<>!()\[\],])"
    r"|(?P<word>[A-Za-z_][\w.\-]*))"
)
_LONGEST = 5_000
_MOST_DEEP = 50


@final
@dataclass(frozen=True, slots=True)
class AnswerTest:
    """A comparison of an answer with a value.

    Attributes
    ----------
    variable : str
        The question, or a row or an item of it, as the source calls it.
    operator : str
        ``is``, ``is not``, ``<``, ``<=``, ``>``, ``>=``, ``selected`` or ``not selected``.
    value : str
    """

    variable: str
    operator: str
    value: str


@final
@dataclass(frozen=True, slots=True)
class AllOf:
    """All of several conditions."""

    parts: tuple["Condition", ...]


@final
@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one of several conditions."""

    parts: tuple["Condition", ...]


Condition = AnswerTest | AllOf | AnyOf


def negate(condition: Condition) -> Condition:
    """Negate a condition.

    >>> tests = AnswerTest("job", "is", "yes"), AnswerTest("age", "<", "18")
    >>> describe_condition(negate(AllOf(tests)))
    'job is not yes, or age >= 18'
    """
    if isinstance(condition, AnswerTest):
        return AnswerTest(condition.variable, _NEGATED[condition.operator], condition.value)
    parts = tuple(map(negate, condition.parts))
    return AnyOf(parts) if isinstance(condition, AllOf) else AllOf(parts)


def read_condition(text: str) -> Condition | None:
    """Read an expression of LimeSurvey, XLSForm or SurveyJS; None if it says more than answers.

    >>> describe_condition(read_condition("selected(${used}, 'pills') and ${age} >= 18"))
    'used selected pills, and age >= 18'
    >>> read_condition("{job} = 'yes'") == read_condition('job.NAOK == "yes"')
    True
    >>> read_condition("regex(a, 'b')") is None
    True
    """
    tokens, position = list[tuple[str, str]](), 0
    text = text.strip()
    while position < len(text):
        match = _TOKEN.match(text, position) if len(text) <= _LONGEST else None
        if match is None or match.lastgroup is None:
            return None
        tokens.append((match.lastgroup, match[match.lastgroup]))
        position = match.end()
    try:
        return _Parser(tokens, [0]).read_all()
    except ValueError:
        return None


@final
@dataclass(frozen=True, slots=True)
class _Parser:
    """A parser of boolean expressions, which raises ValueError at what it cannot read."""

    tokens: Sequence[tuple[str, str]]
    position: list[int]

    def read_all(self) -> Condition:
        condition = self._read_some(0)
        if self._next() != ("", ""):
            raise ValueError
        return condition

    def _next(self) -> tuple[str, str]:
        position = self.position[0]
        return self.tokens[position] if position < len(self.tokens) else ("", "")

    def _skip(self, *texts: str) -> bool:
        """Go past a mark or a word, if it is the next one."""
        kind, text = self._next()
        is_next = kind in ("mark", "word") and text.lower() in texts
        self.position[0] += is_next
        return is_next

    def _require(self, text: str) -> None:
        if not self._skip(text):
            raise ValueError(text)

    def _read_some(self, depth: int) -> Condition:
        parts = [self._read_every(depth)]
        while self._skip("or", "||"):
            parts.append(self._read_every(depth))
        return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))

    def _read_every(self, depth: int) -> Condition:
        parts = [self._read_part(depth)]
        while self._skip("and", "&&"):
            parts.append(self._read_part(depth))
        return parts[0] if len(parts) == 1 else AllOf(tuple(parts))

    def _read_part(self, depth: int) -> Condition:
        if depth > _MOST_DEEP:
            raise ValueError("too deep")
        if self._skip("not", "!"):
            return negate(self._read_part(depth + 1))
        if self._skip("("):
            condition = self._read_some(depth + 1)
            self._require(")")
            return condition
        if self._skip("selected"):
            return self._read_selected()
        return self._read_comparison()

    def _read_selected(self) -> Condition:
        self._require("(")
        variable = self._read_operand("variable", "word")
        self._require(",")
        value = self._read_operand("text", "number")
        self._require(")")
        return AnswerTest(variable, "selected", value)

    def _read_comparison(self) -> Condition:
        is_value = self._next()[0] in ("text", "number")
        first = self._read_operand("variable", "word", "text", "number")
        operator = _OPERATORS.get(self._next()[1].lower(), "")
        if not operator:
            raise ValueError("no operator")
        self.position[0] += 1
        if operator.endswith(" of"):
            return _any_of(operator, first, self._read_list())
        if is_value:
            variable = self._read_operand("variable", "word")
            return AnswerTest(variable, _MIRRORED.get(operator, operator), first)
        return AnswerTest(first, operator, self._read_operand("text", "number"))

    def _read_list(self) -> list[str]:
        self._require("[")
        values = [self._read_operand("text", "number")]
        while self._skip(","):
            values.append(self._read_operand("text", "number"))
        self._require("]")
        return values

    def _read_operand(self, *kinds: str) -> str:
        kind, text = self._next()
        if kind not in kinds:
            raise ValueError(text)
        self.position[0] += 1
        if kind == "text":
            return text[1:-1]
        bare = text.lstrip("$").strip("{}").strip()
        return bare.removesuffix(".NAOK").removesuffix(".value")


def _any_of(operator: str, variable: str, values: Sequence[str]) -> Condition:
    tests = tuple(AnswerTest(variable, "selected", value) for value in values)
    if operator == "all of":
        return AllOf(tests)
    return AnyOf(tests) if operator == "any of" else negate(AnyOf(tests))


Intervals = tuple[tuple[int, int], ...]
"""Runs of whole numbers from lowest to highest, apart from each other."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class RuleTarget:
    """An earlier question on whose answer a rule can depend.

    Attributes
    ----------
    name : str
        Of the question in the form, that of a row or an item included.
    answers : mapping of str to str
        The names of its answers by their codes in the source; empty for a number.
    bounds : (int, int), optional
        The lowest and the highest of its whole numbers.
    """

    name: str
    answers: Mapping[str, str]
    bounds: tuple[int, int] | None = None


Find = Callable[[AnswerTest], tuple[RuleTarget, AnswerTest] | None]
"""Finds the question that a comparison is about, and the comparison in its answers."""

_Shown = dict[str, tuple[RuleTarget, Any]]
"""By question, the answers after which something is shown: names, or intervals."""


def find_skip(
    conditions: Sequence[Condition], find: Find
) -> tuple[dict[str, Any] | None, list[Condition]]:
    """Find the rule that lets people skip a question.

    Parameters
    ----------
    conditions : sequence
        All of them hold where the question is shown.
    find : function
        From a comparison to the question that it is about, as far as a rule may depend on it.

    Returns
    -------
    skip : dict or None
        ``after`` and ``answered``, as a survey file has them.
    rest : list
        The conditions that are not in the rule.

    >>> job = RuleTarget(name="job", answers={"1": "yes", "2": "no"})
    >>> find_skip([AnswerTest("Q1", "is", "1")], lambda test: (job, test))
    ({'after': 'job', 'answered': ['no']}, [])
    """
    parts = [part for condition in conditions for part in _split(condition)]
    shown, rest = _Shown(), list[Condition]()
    origins: dict[str, list[Condition]] = {}
    for part in parts:
        try:
            target, answers = _shown_after(part, find)
        except ValueError:
            rest.append(part)
            continue
        earlier = shown.get(target.name)
        shown[target.name] = (target, _both(earlier[1], answers) if earlier else answers)
        origins.setdefault(target.name, []).append(part)
    skip = None
    for name, (target, answers) in shown.items():
        rule = None if skip is not None else _rule_of(target, answers)
        skip = skip or rule
        rest += [] if rule else origins[name]
    return skip, rest


def _split(condition: Condition) -> list[Condition]:
    if isinstance(condition, AllOf):
        return [inner for part in condition.parts for inner in _split(part)]
    return [condition]


def _shown_after(condition: Condition, find: Find) -> tuple[RuleTarget, Any]:
    """Give the answers to one question after which a condition holds.

    Raises
    ------
    ValueError
        If it is about several questions, or about one that no rule can depend on.
    """
    if isinstance(condition, AnswerTest):
        target_and_test = find(condition)
        if target_and_test is None:
            raise ValueError(condition.variable)
        return target_and_test[0], _answers_of(*target_and_test)
    parts = [_shown_after(part, find) for part in condition.parts]
    target, answers = parts[0]
    for other, more in parts[1:]:
        if other.name != target.name:
            raise ValueError(other.name)
        answers = _both(answers, more) if isinstance(condition, AllOf) else _either(answers, more)
    return target, answers


def _answers_of(target: RuleTarget, test: AnswerTest) -> Any:
    """Give the answers that a comparison is true of."""
    if target.bounds is not None:
        return _numbers_of(target.bounds, test)
    codes = [code for code in target.answers if _is_true(test, code)]
    if not codes and test.operator in ("is", "selected"):
        raise ValueError(test.value)
    return frozenset(target.answers[code] for code in codes)


def _is_true(test: AnswerTest, code: str) -> bool:
    if test.operator in ("is", "selected"):
        return code == test.value
    if test.operator in ("is not", "not selected"):
        return code != test.value
    return bool(_COMPARISONS[test.operator](float(code), float(test.value)))


def _numbers_of(bounds: tuple[int, int], test: AnswerTest) -> Intervals:
    value, (lower, upper) = float(test.value), bounds
    if not value.is_integer():
        raise ValueError(test.value)
    number = int(value)
    spans = {
        "is": [(number, number)],
        "is not": [(lower, number - 1), (number + 1, upper)],
        "<": [(lower, number - 1)],
        "<=": [(lower, number)],
        ">": [(number + 1, upper)],
        ">=": [(number, upper)],
    }
    if test.operator not in spans:
        raise ValueError(test.operator)
    clipped = ((max(first, lower), min(last, upper)) for first, last in spans[test.operator])
    return tuple((first, last) for first, last in clipped if first <= last)


def _both(answers: Any, others: Any) -> Any:
    if isinstance(answers, frozenset):
        return answers & others
    overlaps = ((max(a, c), min(b, d)) for a, b in answers for c, d in others)
    return tuple(sorted((first, last) for first, last in overlaps if first <= last))


def _either(answers: Any, others: Any) -> Any:
    if isinstance(answers, frozenset):
        return answers | others
    merged: list[tuple[int, int]] = []
    for first, last in sorted((*answers, *others)):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return tuple(merged)


def _rule_of(target: RuleTarget, answers: Any) -> dict[str, Any] | None:
    """Write the rule by which everybody else skips; None if it takes more than one span."""
    if target.bounds is None:
        others = [name for name in dict.fromkeys(target.answers.values()) if name not in answers]
        return {"after": target.name, "answered": others} if others and answers else None
    (lower, upper), gaps = target.bounds, list[tuple[int, int]]()
    start = lower
    for first, last in answers:
        gaps += [(start, first - 1)] if start < first else []
        start = last + 1
    gaps += [(start, upper)] if start <= upper else []
    if len(gaps) != 1 or not answers:
        return None
    (first, last), answered = gaps[0], dict[str, int]()
    if first > lower or last == upper:
        answered["from"] = first
    if last < upper:
        answered["to"] = last
    return {"after": target.name, "answered": answered}


def describe_condition(condition: Condition) -> str:
    """Write a condition for people.

    >>> describe_condition(AnyOf((AnswerTest("job", "is", "yes"), AnswerTest("age", ">", "17"))))
    'job is yes, or age > 17'
    """
    if isinstance(condition, AnswerTest):
        return f"{condition.variable} {condition.operator} {condition.value or 'empty'}"
    word = ", and " if isinstance(condition, AllOf) else ", or "
    parts = [
        describe_condition(part)
        if isinstance(part, AnswerTest)
        else f"({describe_condition(part)})"
        for part in condition.parts
    ]
    return word.join(parts)
