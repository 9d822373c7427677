"""Write every enrolment of a new design of randomised response; its mathematics is left to write.

    make new-design NAME=Diagonal PARAMETERS=shares: ANSWERS=several

``NAME`` is the class. ``PARAMETERS`` are its probabilities; a colon behind one makes it a list of
shares. ``ANSWERS`` is ``two`` where the first of two carries a trait, else ``several``. Written are
the class, its catalogue entry, its starter survey, its sentence for methods paragraphs, its rows in
the pages, its R function, its tests and a changelog fragment. What is left to write is marked,
listed at the end, and refused by ``tests/house/test_wording.py`` until it is gone.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import final

ROOT = Path(__file__).parents[1]
MARK = "TO" + "DO"
UNWRITTEN = "NotImplemented" + "Error"
"""Spelt in parts: the tests refuse both words in every file of the repository."""

MECHANISMS = "src/askance/mechanisms/named_mechanisms.py"
STARTERS = "src/askance/cli/starters.toml"
METHODS = "src/askance/present/templates/methods.toml"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class NewDesign:
    """A design by its name, its parameters, and whether it is for two answers."""

    name: str
    chances: tuple[str, ...]
    lists: tuple[str, ...]
    two: bool

    @property
    def words(self) -> list[str]:
        """The words of its name: LiuChow is Liu and Chow."""
        return re.findall("[A-Z][a-z0-9]*", self.name)

    @property
    def key(self) -> str:
        """Its name in a survey file."""
        return "_".join(self.words).lower()

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of its parameters."""
        return *self.chances, *self.lists

    def values(self, chance: str, shares: str, join: str = "=") -> str:
        """Write examples of all parameters."""
        written = [f"{name}{join}{chance}" for name in self.chances]
        return ", ".join([*written, *(f"{name}{join}{shares}" for name in self.lists)])

    def places(self) -> dict[str, str]:
        """What the templates are filled with."""
        python = self.values('"1/4"', '["1/2", "1/3", "1/6"]')
        return {
            "Name": self.name,
            "name": self.key,
            "flag": self.key.replace("_", "-"),
            "title": " ".join(self.words),
            "todo": MARK,
            "unwritten": UNWRITTEN,
            "python": python,
            "toml": self.values('"1/4"', '["1/2", "1/3", "1/6"]', " = "),
            "typed": self.values("1/4", "[1/2,1/3,1/6]").replace(", ", ","),
            "listed": " and ".join(f"`{name}`" for name in self.parameters),
            "tuple": repr(self.parameters)[1:-1].replace("'", '"'),
            "answers": "two answers" if self.two else "answers",
            "frame": 'ak.Frame(["yes", "no"])' if self.two else 'ak.Frame(["a", "b", "c"])',
            "labels": '["yes", "no"]' if self.two else '["a", "b", "c"]',
            "arguments": ", ".join(self.parameters),
            "default": ' = c("yes", "no")' if self.two else "",
            "given": "" if self.two else ', answers = c("a", "b", "c")',
        }


CLASS = r'''
@final
@dataclass(frozen=True, slots=True, init=False)
class $Name(AbstractPathMechanism):
    r"""$title: $todo what is drawn, and what each respondent reports.

    .. math:: Q(y \mid x) = $todo

    Parameters
    ----------
$described

    Raises
    ------
    InputError
        If a chance is outside 0 to 1; from `channel`, if it is not for these answers.

    References
    ----------
    $todo Author (year), and the equation.

    >>> from askance.mechanisms import $Name
    >>> $Name($python).channel(Frame($labels)).table.rows
    $todo
    """

    name: ClassVar[str] = "$name"
$fields

    def __init__(self, *, $signature) -> None:
$settings

    @checked
    def path(self, frame: Frame) -> PathTree:
        """Write the path: $todo what comes first."""
$guard        raise $unwritten("$todo the tree of Draw, OwnAnswer and SentReport of $Name")

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the exact channel over these answers."""
        return path_channel(frame, self.path(frame))

    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""
        return {$written}


'''

STARTER = """
[mechanisms.$flag]
title = "$title"
note = "$todo what happens, and whose chance each number is."
recipe = "$name"
numbers = '$toml'
text = "$todo a question"
answers = '$labels'
"""

SENTENCES = {
    "procedure": '$name = "$title\'s design"\n',
    "mechanism_source": '$name = "$todo what was drawn, with chance {$shown}"\n',
    "noncompliance_model": '$name = "${name}$todo"\n',
}
"""Its name, what is done with it and its source, by the tables in front of which they stand."""

EXAMPLE = """    NamedMechanism(
        recipe=$Name($python),
        typed="$flag:$typed",
        cited="$todo",
        frame=$frame,
    ),
"""

TWIN = '''

def test_${name}_has_the_chances_of_the_literature():
    """$todo the chances once more, from the text of the paper and not from the path."""
    mechanism = $Name($python)
    assert rows(mechanism, Frame($labels)) == ["$todo"]
'''

SECTION = """### $title

$todo Author (year). What is drawn, what each respondent reports, and what $listed is.

![$todo the picture in a sentence.](designs/$flag.svg)

"""

ENTRY = """
@article{${name}$todo,
  author  = {$todo},
  title   = {$todo},
  journal = {$todo},
  year    = {$todo}
}
"""

R_FUNCTION = """#' @rdname mechanisms
#' @export
rr_$name <- function($arguments, answers$default) {
  mechanism("$name", list($quoted), answers)
}

"""

FRAGMENT = (
    "$todo what `$name` asks, in survey files, in Python (`ak.mechanisms.$Name`) and from R.\n"
)


NEXT = """\
- Reports that are no answers: path_channel takes their names as its third argument, and
  src/askance/survey/specs.py has words for them.
- To compare it with others at equal protection: _FAMILIES of design/compare_mechanisms.py.
Then: make snapshot goldens, and make check."""


TOUCHED = (
    MECHANISMS,
    "src/askance/mechanisms/__init__.py",
    "src/askance/mechanisms/catalogue.py",
    STARTERS,
    METHODS,
    "tests/named_mechanisms.py",
    "tests/mechanisms/test_named_mechanisms.py",
    "docs/reference/survey-file.md",
    "docs/reference/command-line.md",
    "docs/glossary.md",
    "docs/how-to/choose-a-design.md",
    "docs/references.bib",
    "r/R/mechanisms.R",
    "r/man/mechanisms.Rd",
    "r/NAMESPACE",
    "r/tests/testthat/test-mechanisms.R",
)
"""The files that it writes into, beside the fragment in changes/ask."""


def insert(path: str, text: str, *, before: str) -> None:
    """Put a text in front of a line of a file, once."""
    file = ROOT / path
    source = file.read_text(encoding="utf-8")
    if source.count(before) != 1:
        sys.exit(f"{path}: the place {before!r} is not there once: mend tools/new_design.py")
    file.write_text(source.replace(before, text + before), encoding="utf-8")


def append(path: str, text: str) -> None:
    """Put a text at the end of a file."""
    with (ROOT / path).open("a", encoding="utf-8") as file:
        file.write(text)


def class_of(design: NewDesign) -> str:
    """Write the class, but for its mathematics."""
    fields = [f"    {name}: Fraction" for name in design.chances]
    fields += [f"    {name}: tuple[Fraction, ...]" for name in design.lists]
    described = [f"    {name} : probability\n        {MARK}." for name in design.chances]
    described += [f"    {name} : sequence of probability\n        {MARK}." for name in design.lists]
    readers = [(name, "chance") for name in design.chances]
    readers += [(name, "_read_shares") for name in design.lists]
    written = [f'"{name}": str(self.{name})' for name in design.chances]
    written += [
        f'"{name}": json.dumps([str(part) for part in self.{name}])' for name in design.lists
    ]
    return Template(CLASS).substitute(
        design.places(),
        described="\n".join(described),
        fields="\n".join(fields),
        signature=", ".join(f"{name}: object" for name in design.parameters),
        settings="\n".join(
            f'        object.__setattr__(self, "{name}", {read}({name}, "{design.name}.{name}"))'
            for name, read in readers
        ),
        guard=f'        _trait_answers(frame, "{design.name}")\n' if design.two else "",
        written=", ".join(written),
    )


def enrol_in_python(design: NewDesign) -> None:
    """Write the class, its exports, its entries and its tests."""
    places = design.places()

    def write(path: str, template: str, before: str, **more: str) -> None:
        insert(path, Template(template).substitute(places, **more), before=before)

    insert(MECHANISMS, class_of(design), before="\n\ndef _read_shares(")
    room = "src/askance/mechanisms/__init__.py"
    write(room, "        $Name as $Name,\n", "        OneSided as OneSided,\n")
    write(room, ", `$Name`", ".\n`respondent_path`")
    catalogue = "src/askance/mechanisms/catalogue.py"
    entry = '    "$name": (ParameterSet(($tuple), _named_mechanism("$Name")),),\n'
    write(catalogue, entry, '}\n"""Recipes for questions with named answers."""')
    append(STARTERS, Template(STARTER).substitute(places))
    example = design.parameters[0] + (":chance" if design.chances else ":each=chance")
    for table, sentence in SENTENCES.items():
        write(METHODS, sentence, f"\n[{table}]\n", shown=example)
    write("tests/named_mechanisms.py", "    $Name,\n", "    OneSided,\n")
    with (ROOT / "tests/named_mechanisms.py").open("r+", encoding="utf-8") as examples:
        source = examples.read().removesuffix(")\n")
        examples.seek(0)
        examples.write(source + Template(EXAMPLE).substitute(places) + ")\n")
    tests = "tests/mechanisms/test_named_mechanisms.py"
    write(tests, "    $Name,\n", "    OneSided,\n")
    append(tests, Template(TWIN).substitute(places))


def enrol_in_pages(design: NewDesign) -> None:
    """Write its rows, its section, its source and its fragment."""
    places = design.places()

    def write(path: str, template: str, before: str) -> None:
        insert(path, Template(template).substitute(places), before=before)

    keys = (ROOT / "docs/reference/survey-file.md").read_text(encoding="utf-8")
    row = f"| `$name` | $answers | $listed | {MARK} what is sent |\n"
    write("docs/reference/survey-file.md", row, "| `cuts` | a line |")
    for name in design.parameters:
        if f"\n| `{name}` |" not in keys.split("## Mechanisms by name")[1]:
            anchor = "\nA report that names no answer,"
            insert("docs/reference/survey-file.md", f"| `{name}` | {MARK} |\n", before=anchor)
    write("docs/reference/command-line.md", "| $title | `$flag:$typed` |\n", "| asked plainly |")
    glossary = "| $title's design | `ak.mechanisms.$Name` |\n"
    write("docs/glossary.md", glossary, "| two-group (two-sample) design |")
    write("docs/how-to/choose-a-design.md", SECTION, "## A coin in the world")
    write("docs/references.bib", ENTRY, "\n@article{christofides2003,")
    fragment = ROOT / "changes" / "ask" / f"{places['flag']}.added.md"
    fragment.write_text(Template(FRAGMENT).substitute(places), encoding="utf-8")


def enrol_in_r(design: NewDesign) -> None:
    """Write its function, its page of help and its test."""
    places = design.places()
    lists = [f"{name} = as.list({name})" for name in design.lists]
    quoted = ", ".join([*(f"{name} = {name}" for name in design.chances), *lists])
    call = f"rr_{design.key}({places['arguments']})"

    def write(path: str, template: str, before: str) -> None:
        insert(path, Template(template).substitute(places, quoted=quoted), before=before)

    source, page = "r/R/mechanisms.R", "r/man/mechanisms.Rd"
    write(source, f"#' | `{call}` | {MARK} what happens | the answers |\n", "#' | `rr_chances(")
    write(source, R_FUNCTION, "#' @rdname mechanisms\n#' @export\nrr_chances")
    write(page, "\\alias{rr_$name}\n", "\\alias{rr_chances}")
    write(page, "rr_$name($arguments, answers$default)\n\n", "rr_chances(matrix, means = NULL)")
    row = f"   \\code{{{call}}} \\tab {MARK} what happens \\tab the answers \\cr\n"
    write(page, row, "   \\code{rr_chances(matrix)}")
    for name in design.parameters:
        if f"{name}" not in re.findall(r"@param ([\w,]+)", (ROOT / source).read_text("utf-8")):
            write(source, f"#' @param {name} {MARK}.\n", "#' @param draws how many")
            write(page, f"\\item{{{name}}}{{{MARK}.}}\n\n", "\\item{draws}{")
    write("r/NAMESPACE", "export(rr_$name)\n", "export(rr_chances)")
    names = ROOT / "r/NAMESPACE"
    lines = names.read_text(encoding="utf-8").splitlines(keepends=True)
    names.write_text("".join(in_order(lines)), encoding="utf-8")
    values = design.values('"1/4"', 'c("1/2", "1/3", "1/6")', " = ")
    tests = "r/tests/testthat/test-mechanisms.R"
    write(tests, f"rr_$name({values}$given), ", "rr_chances(rbind(yes = c(often")


def in_order(lines: list[str]) -> list[str]:
    """Sort the exports of mechanisms, where they stand."""
    exports = sorted(line for line in lines if line.startswith("export(rr_"))
    return [exports.pop(0) if line.startswith("export(rr_") else line for line in lines]


def left_to_write() -> Iterator[str]:
    """List each place that is marked, in what was changed."""
    listed = ["git", "ls-files", "--modified", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout  # noqa: S603  our own
    for name in names.splitlines():
        lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
        yield from (
            f"{name}:{number}: {line.strip()}"
            for number, line in enumerate(lines, 1)
            if MARK in line
        )


def read(words: list[str]) -> NewDesign:
    """Read the name, the parameters and for how many answers it is."""
    name, parameters, answers = (*words, "", "", "")[:3]
    listed = parameters.split() or ["truth"]
    if not re.fullmatch("([A-Z][a-z0-9]*)+", name) or answers not in ("", "two", "several"):
        sys.exit('make new-design NAME=LiuChow PARAMETERS="truth shares:" ANSWERS=two|several')
    return NewDesign(
        name=name,
        chances=tuple(parameter for parameter in listed if not parameter.endswith(":")),
        lists=tuple(parameter.removesuffix(":") for parameter in listed if parameter.endswith(":")),
        two=answers != "several",
    )


def main(words: list[str]) -> None:
    """Write it all, put it in form, and say what is left."""
    design = read(words)
    if f"class {design.name}(" in (ROOT / MECHANISMS).read_text(encoding="utf-8"):
        sys.exit(f"{MECHANISMS} has a class {design.name} already")
    enrol_in_python(design)
    enrol_in_pages(design)
    enrol_in_r(design)
    ruff = str(Path(sys.executable).with_name("ruff"))
    for order in (["check", "--fix", "--quiet", "--select=I"], ["format", "--quiet"]):
        subprocess.run([ruff, *order, "src", "tests"], cwd=ROOT, check=True)  # noqa: S603  our own
    places = list(left_to_write())
    print("\n".join(places))
    print(f"{len(places)} places are left to write, above; what is left only to think of:")
    print(NEXT)


if __name__ == "__main__":
    main(sys.argv[1:])
