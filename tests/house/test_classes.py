"""A class is an interface or final; values are frozen; nothing implemented is inherited."""

import ast
from collections.abc import Iterable

INTERFACES = {"Protocol", "ABC", "Generic", "NamedTuple", "TypedDict"}
HOOKS = {"Struct", "ModuleType", "Group", "HTMLParser", "UserWarning"}
"""What msgspec, Python, click and html.parser ask one to inherit: they look methods up."""

ENUMERATIONS = {"Enum", "IntEnum", "StrEnum", "Flag"}
ERRORS = "askance_collect/errors.py"
LEARNERS = "askance/learn/"
PROTOCOL = {"BaseEstimator", "ClassifierMixin", "MetaEstimatorMixin", "RegressorMixin"}
"""What scikit-learn inherits, and changes when it fits; only an heir of BaseEstimator may."""


def faults(path: str, nodes: Iterable[ast.AST]) -> list[str]:
    result = []
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            result += [f"{path}: {node.name} {fault}" for fault in _class_faults(path, node)]
    return result


def _class_faults(path: str, node: ast.ClassDef) -> list[str]:
    bases = {_last(base) for base in node.bases}
    marks = {_last(mark): mark for mark in node.decorator_list}
    learner = path.startswith(LEARNERS) and "BaseEstimator" in bases
    interface = node.name.startswith("Abstract") or "Protocol" in bases
    result = []
    if path != ERRORS:
        if interface == ("final" in marks):
            result.append("is neither final nor an interface: mark it @final, or call it Abstract…")
        inherited = {
            base
            for base in bases - INTERFACES - HOOKS - ENUMERATIONS - (PROTOCOL if learner else set())
            if not base.startswith("Abstract") and base != "Exception"
        }
        if inherited:
            result.append(f"inherits an implementation, {sorted(inherited)}: hold it in a field")
    values = [ast.unparse(line) for line in node.body if isinstance(line, ast.Assign)]
    if interface and values and values != ["__slots__ = ()"]:
        result.append("is an interface with a value in it: leave methods and __slots__ = () alone")
    if "dataclass" in marks and not {"frozen", "slots"} <= _switched_on(marks["dataclass"]):
        result.append("is not @dataclass(frozen=True, slots=True)")
    return result


def _last(node: ast.expr) -> str:
    match node:
        case ast.Call(func=inner) | ast.Subscript(value=inner):
            return _last(inner)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def _switched_on(mark: ast.expr) -> set[str | None]:
    keywords = mark.keywords if isinstance(mark, ast.Call) else []
    return {
        keyword.arg
        for keyword in keywords
        if isinstance(keyword.value, ast.Constant) and keyword.value.value is True
    }


def test_every_class_is_an_interface_or_final(statements: dict[str, list[ast.AST]]) -> None:
    assert (
        sum(isinstance(node, ast.ClassDef) for nodes in statements.values() for node in nodes) > 99
    )
    result = [fault for path, nodes in statements.items() for fault in faults(path, nodes)]
    assert result == [], "\n".join(result)


def test_broken_twins_are_caught() -> None:
    def count(text: str, path: str = "twin.py") -> int:
        return len(faults(path, ast.walk(ast.parse(text))))

    assert count("@final\n@dataclass(frozen=True, slots=True)\nclass A: ...") == 0
    assert count("class AbstractA(ABC): ...") == 0
    assert count("class A(Protocol): ...") == 0
    assert count("class A: ...") == 1
    assert count("@final\nclass AbstractA(ABC): ...") == 1
    assert count("@final\nclass A(B): ...") == 1
    assert count("class AbstractA:\n    x = 1") == 1
    assert count("@final\n@dataclass\nclass A: ...") == 1
    assert count("@final\n@dataclass(frozen=True, slots=False)\nclass A: ...") == 1
    learner = "@final\nclass A(RegressorMixin, BaseEstimator): ..."
    assert count(learner, LEARNERS + "twin.py") == 0
    assert count(learner) == 1
    assert count("class A(BaseEstimator): ...", LEARNERS + "twin.py") == 1
    assert count("@final\nclass A(RegressorMixin): ...", LEARNERS + "twin.py") == 1
    assert count("@final\nclass A(RegressorMixin, BaseEstimator, B): ...", LEARNERS + "t.py") == 1
