"""A page for an ethics board or a data protection impact assessment: what a form does to people."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, final

from askance.analysis import Check, CheckedQuestion
from askance.present.board_facts import (
    AS_HOST,
    Actor,
    BoardFacts,
    assess_actors,
    board_facts,
    describe_actor,
    describe_worst,
)
from askance.present.board_risks import PART_FACTS, Part, attackers_of, parts_of, weaknesses_of
from askance.present.findings import count, list_figures, list_glosses, shorten
from askance.present.hazards import answer_hazards
from askance.present.page_sheet import render_template
from askance.survey.deployed import minimum_of
from askance.survey.report_preview import describe_number, format_number
from askance.survey.row_crowd import describe_crowd, warn_of_crowd
from askance_collect.arguments import checked
from askance_collect.lazy import release
from askance_collect.respond.page import render_page
from askance_collect.wire.canonical_json import fingerprint
from askance_collect.wire.form import Form
from askance_collect.wire.form_schema import in_first_language
from askance_collect.wire.parts import PARTING_CROWD
from askance_collect.wire.question import Choice, FreeText, Question, TableQuestion


@checked
def render_board(form: Form, check: Check) -> str:
    """Render what a form does to those who answer it, to attach to an application.

    For an ethics board or a data protection impact assessment. One side of A4 comes first: what is
    asked, what is sent, the report that tells most and in which population, who sees what, what
    happens to the data, whom to ask. The details follow, folded on a screen and open in print:
    question by question, what is stored, who could do what, what remains, the hazards of NIST SP
    800-226, and the hashes to compare. One HTML file without a script and without a request;
    finished in light, in dark and on A4. Equal forms give equal bytes.

    Parameters
    ----------
    form : Form
    check : Check
        By `askance.check`, of that form.

    Raises
    ------
    InputError
        If the check is of another form.
    MissingExtra
        If Jinja2 is not installed.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> page = render_board(form, ak.check(form))
    >>> page[:15], form.fingerprint in page, "<script" in page
    ('<!doctype html>', True, False)
    """
    facts, parts = board_facts(form, check), parts_of(form, check)
    return render_template(
        "board.html",
        sheet="board.css",
        title=check.title,
        language=form.languages[0],
        lead=_lead(form, check),
        facts=[*(fact for part, fact in PART_FACTS.items() if part in parts), *_crowd(form)],
        goes_to=facts.host,
        tokens=Part.TOKEN in parts,
        minimum=count(minimum_of(form)),
        apart=form.keeps_apart,
        crowd_to_part=PARTING_CROWD,
        related=Part.SEVERAL in parts,
        prints=_prints(form),
        hazards=answer_hazards(facts),
        **_summarise(facts, check),
        **_wording(form, check),
        **_judged(check),
        **_risks(parts),
    )


def _summarise(facts: BoardFacts, check: Check) -> dict[str, Any]:
    """First side of a board's page: what is sent, the most telling reports, who sees what."""
    by_protection: dict[str, list[str]] = {}
    for question in check.questions:
        by_protection.setdefault(question.protection, []).append(question.name)
    return {
        "sent": [
            (protection, names[:_MOST_NAMES], len(names[_MOST_NAMES:]))
            for protection, names in by_protection.items()
        ],
        "proving": facts.proving,
        "worst": [(worst.question.name, describe_worst(worst)) for worst in facts.worst],
        "worst_traits": [
            (", ".join(trait.questions), trait.risk) for trait in check.traits if trait.risk
        ],
        "narrowest": facts.narrowest_share,
        "crowd": describe_crowd(facts.crowd),
        "small_crowd": warn_of_crowd(facts.crowd),
        "actors": list(_list_actors(facts)),
    }


def _list_actors(facts: BoardFacts) -> Iterator[tuple[str, str, str, str]]:
    """List who sees what; what the host learns is written once, so that one side holds it."""
    host = ""
    for actor in assess_actors(facts):
        who, seen, whom, learnt = describe_actor(actor, facts)
        yield who, seen, whom, AS_HOST if learnt == host else learnt
        if actor.actor is Actor.HOST:
            host = learnt


_MOST_NAMES = 10
"""So many questions are named on the first side for one kind of protection."""


def _crowd(form: Form) -> Iterator[str]:
    """Describe the smallest group that a token can reveal, where reports need tokens."""
    if form.tokens is None:
        return
    if (smallest := form.tokens.smallest_key) is None or smallest.codes is None:
        yield "The form does not say how many codes there are: a token may identify one person."
        return
    yield (
        "A token reveals the group of its code, and nothing else. The form and the page say how "
        f"many codes each group has: the smallest, “{smallest.name}”, has {count(smallest.codes)}."
    )


def _wording(form: Form, check: Check) -> dict[str, Any]:
    """What people read: before, at each question, at the end."""
    document, tag, ending = form.document, form.languages[0], form.ending
    sections = {
        section["at"]: (section["title"][tag], section["text"][tag])
        for section in document.get("sections", ())
    }
    pairs = zip(form.questions, check.questions, strict=True)
    return {
        "consent": document["consent"][tag].strip().splitlines(),
        "contact": document["contact"][tag].strip(),
        "thanks": in_first_language(ending.thanks) if ending is not None and ending.thanks else "",
        "asked": [
            _describe_question(*pair, sections.get(index)) for index, pair in enumerate(pairs)
        ],
    }


def _judged(check: Check) -> dict[str, Any]:
    """What holds of several questions, and what the figures mean."""
    return {
        "traits": [
            (trait.name, ", ".join(trait.questions), list_figures(trait.guarantees), trait.risk)
            for trait in check.traits
        ],
        "warnings": check.warnings,
        "glosses": [(label, gloss[:1].upper() + gloss[1:]) for label, gloss in list_glosses(check)],
    }


def _risks(parts: frozenset[Part]) -> dict[str, Any]:
    """Who could do what, each with the numbers of what remains."""
    weaknesses = weaknesses_of(parts)
    numbers = {weakness.anchor: number for number, weakness in enumerate(weaknesses, 1)}
    return {
        "left": weaknesses,
        "attackers": [
            (
                attacker.name,
                attacker.who,
                attacker.access,
                [(numbers[anchor], anchor) for anchor in attacker.remaining],
            )
            for attacker in attackers_of(parts)
        ],
    }


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _BoardQuestion:
    """One question as the page shows it.

    ``section`` is the title and the text above it, if a section begins with it; ``sentences`` what
    is sent, ``learnt`` what a report looks like and tells, ``figures`` its guarantees, ``risks``
    what reports prove and tell of a population, ``accepted`` why the survey accepts a proof.
    """

    name: str
    text: str
    section: tuple[str, str] | None
    offered: tuple[str, ...]
    kind: str
    sentences: tuple[str, ...]
    protection: str
    learnt: tuple[str, ...]
    figures: tuple[tuple[str, str, str], ...]
    risks: tuple[str, ...]
    accepted: str


def _describe_question(
    question: Question, checked_question: CheckedQuestion, section: tuple[str, str] | None
) -> _BoardQuestion:
    preview = checked_question.preview
    return _BoardQuestion(
        name=checked_question.name,
        text=checked_question.text,
        section=section,
        offered=_offered(question),
        kind=_kind(question),
        sentences=tuple(shorten(checked_question, _MOST_SENT)),
        protection=checked_question.protection,
        learnt=() if preview is None else (*preview.sentences, *preview.learnt),
        figures=list_figures(checked_question.guarantees),
        risks=tuple(filter(None, (*checked_question.risks, checked_question.worst_case))),
        accepted=checked_question.accepted,
    )


def _offered(question: Question) -> tuple[str, ...]:
    """List the answers that a person may pick, in the first language of the form."""
    if isinstance(question, Choice | TableQuestion):
        return tuple(in_first_language(answer.wording) for answer in question.answers)
    return ()


def _kind(question: Question) -> str:
    """Say what a person gives where there is no list of answers."""
    if isinstance(question, Choice | TableQuestion):
        return ""
    if isinstance(question, FreeText):
        sealed = ", encrypted on the device" if question.is_sealed else ""
        return f"A text of at most {count(question.limit)} characters{sealed}"
    line = question.line
    span = f"{format_number(line.lower)} to {format_number(line.upper)} {{}}"
    ends = describe_number(question, line.upper, span.format)
    return f"A number, {ends}, in steps of {format_number(line.step)}"


def _lead(form: Form, check: Check) -> str:
    """Say in a sentence how many questions are protected, and how many are not."""
    texts = [question for question in form.questions if isinstance(question, FreeText)]
    sealed = sum(question.is_sealed for question in texts)
    protected = sum(bool(question.guarantees) for question in check.questions)
    plain = len(check.questions) - protected - len(texts)
    total = count(len(check.questions))
    parts = [
        (protected, "protected before anything leaves the respondent's device"),
        (plain, "asked directly and stored as answered"),
        (len(texts) - sealed, "answered in free text and stored as written"),
        (sealed, "answered in free text and encrypted on their device"),
    ]
    several = "question" if len(check.questions) == 1 else "questions"
    if protected == len(check.questions) > 1:
        return f"This survey asks {total} {several}, all {parts[0][1]}."
    clauses = [f"{count(n)} {'is' if n == 1 else 'are'} {how}" for n, how in parts if n]
    return f"This survey asks {total} {several}: {'; '.join(clauses)}."


def _prints(form: Form) -> Iterator[tuple[str, str]]:
    page = render_page(form)
    yield "Form, SHA-256", form.fingerprint
    yield "Respondent's page, SHA-256", page.sha256
    if form.seal_key is not None:
        yield "Seal key, SHA-256", fingerprint(form.seal_key.encode("ascii"))
    yield "Askance, version", release()


_MOST_SENT = 12
"""So many answers have what is sent for each written out."""
