"""Who could do what to those who answer a form, and what remains: only what concerns that form.

The short form of `docs/explanation/threats.md` and `docs/explanation/weaknesses.md`. Each attacker
and each weakness there has its row here; a test compares.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import final

from askance.analysis import Check
from askance.privacy.guarantee import Notion
from askance_collect.wire.answer_question import Choice, TableQuestion
from askance_collect.wire.form import Form, may_be_untrue
from askance_collect.wire.question import CutsQuestion, RingQuestion
from askance_collect.wire.text_question import FreeText


@final
class Part(Enum):
    """What a form may have that brings a risk with it."""

    PLAIN = "answers that are kept as given"
    TEXT = "texts"
    PROTECTED = "protected answers"
    UNTRUE = "what is sent may be untrue"
    RANGE = "numbers as ranges"
    STEP = "ranges that are narrowed step by step"
    BLANK = "protected answers that a person may leave blank"
    COIN = "a coin in the world"
    SEVERAL = "several protected answers"
    QUOTA = "quotas"
    LATER = "going on later"
    TABLET = "a tablet"
    TOKEN = "tokens"  # noqa: S105  no password
    OPEN = "no tokens: the link is open"
    AROUND = "another page around it"
    SEALED = "reports sealed for the study's key"
    INSIDE = "another page around it, or around a question whose reports are sealed"
    INVITED = "links that choose how people are asked"
    BACK = "a way back to who sent people"


@final
@dataclass(frozen=True, slots=True)
class Weakness:
    """What is not held.

    Attributes
    ----------
    anchor : str
        Its heading in `docs/explanation/weaknesses.md`, as links name it.
    title, sentence : str
    part : Part, optional
        What a form must have for it to apply; None where it applies to all.
    """

    anchor: str
    title: str
    sentence: str
    part: Part | None = None


@final
@dataclass(frozen=True, slots=True)
class Attacker:
    """Somebody who could harm those who answer.

    Attributes
    ----------
    name : str
        The heading in `docs/explanation/threats.md`.
    who, access : str
        Who that is and what they see; what stands in their way.
    remaining : tuple of str
        The weaknesses that remain, by their anchors.
    part : Part, optional
        As of a weakness.
    """

    name: str
    who: str
    access: str
    remaining: tuple[str, ...]
    part: Part | None = None


def parts_of(form: Form, check: Check) -> frozenset[Part]:
    """Find what of a form brings a risk with it.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> sorted(part.name for part in parts_of(form, ak.check(form)))
    ['BLANK', 'OPEN', 'PLAIN', 'PROTECTED', 'RANGE', 'SEVERAL', 'UNTRUE']
    """
    return frozenset(_parts(form, check))


def _parts(form: Form, check: Check) -> Iterator[Part]:
    protected = [question for question in check.questions if question.guarantees]
    questions, needed = form.questions, form.needed
    ranges = [
        question for question in questions if isinstance(question, CutsQuestion | RingQuestion)
    ]
    within = form.ending is not None and bool(form.ending.within)
    has_part = {
        Part.PLAIN: len(protected) < len(check.questions)
        or any(question.open for question in ranges),
        Part.TEXT: any(isinstance(question, FreeText) for question in questions),
        Part.PROTECTED: bool(protected),
        Part.UNTRUE: may_be_untrue(questions),
        Part.RANGE: bool(ranges) or _broad(check),
        Part.STEP: any(question.narrow for question in ranges),
        Part.BLANK: any(question.name not in needed for question in protected),
        Part.COIN: any(
            isinstance(question, Choice) and question.coin is not None for question in questions
        ),
        Part.SEVERAL: len(protected) > 1,
        Part.QUOTA: bool(form.quotas),
        Part.LATER: form.later is not None,
        Part.TABLET: form.tablet,
        Part.TOKEN: form.tokens is not None,
        Part.OPEN: form.tokens is None,
        Part.AROUND: within,
        Part.SEALED: form.seal is not None,
        Part.INSIDE: within or form.seal is not None,
        Part.BACK: form.ending is not None and form.ending.url is not None,
        Part.INVITED: any(
            isinstance(question, TableQuestion) and question.invited for question in questions
        ),
    }
    return (part for part, is_there in has_part.items() if is_there)


def _broad(check: Check) -> bool:
    return any(
        guarantee.notion is Notion.COVERAGE
        for question in check.questions
        for guarantee in question.guarantees
    )


def attackers_of(parts: frozenset[Part]) -> tuple[Attacker, ...]:
    """List those who could harm people under a form that has these parts, with what remains.

    >>> any("row" in " ".join(attacker.remaining) for attacker in attackers_of(frozenset()))
    False
    >>> "An interviewer" in [attacker.name for attacker in attackers_of(frozenset({Part.TABLET}))]
    True
    """
    applies = {weakness.anchor for weakness in weaknesses_of(parts)}
    return tuple(
        Attacker(
            attacker.name,
            attacker.who,
            attacker.access,
            tuple(anchor for anchor in attacker.remaining if anchor in applies),
        )
        for attacker in ATTACKERS
        if attacker.part is None or attacker.part in parts
    )


def weaknesses_of(parts: frozenset[Part]) -> tuple[Weakness, ...]:
    """List what remains under a form that has these parts.

    >>> len(weaknesses_of(frozenset())) < len(weaknesses_of(frozenset(Part))) == len(WEAKNESSES)
    True
    """
    return tuple(
        weakness for weakness in WEAKNESSES if weakness.part is None or weakness.part in parts
    )


WEAKNESSES = (
    Weakness(
        "that-you-took-part-is-visible",
        "That somebody took part is visible",
        "Internet provider, employer and host see that a device spoke to the collector, and when. "
        "The browser's history keeps the address.",
    ),
    Weakness(
        "timing",
        "Timing",
        "A changed collector could note when each report arrives, and compare that with a list of "
        "who was invited when. The collector as published notes no time.",
    ),
    Weakness(
        "a-link-of-your-own",
        "A link made for one person",
        "Whoever serves the page sees that such an address was opened, and when. Nothing of it is "
        "sent with the report.",
    ),
    Weakness(
        "a-code-and-a-token-at-one-time",
        "A code and a token, at one time",
        "Whoever runs both the issuer and the collector, or has both keep a log, may join a code "
        "and a report by the time and the address. Have two bodies run them.",
        Part.TOKEN,
    ),
    Weakness(
        "a-crowd-that-is-stated",
        "A crowd that is stated",
        "The form says how many codes each group has, and the page tells people. That so many "
        "people got one nobody else can see: an issuer who gives a group's code to one person, and "
        "keeps the others, knows whose report it is.",
        Part.TOKEN,
    ),
    Weakness(
        "a-code-in-other-hands",
        "A code in other hands",
        "Whoever holds a code can use it. An issuer who makes codes for itself can add reports.",
        Part.TOKEN,
    ),
    Weakness(
        "being-kept-out",
        "Being kept out",
        "A network, a host or an operator can keep people from sending. The page then says that "
        "nothing was acknowledged.",
    ),
    Weakness(
        "someone-behind-you",
        "Somebody behind the respondent",
        "Who looks over a shoulder, a browser extension, a keyboard that learns or a recorded "
        "screen sees the answer before it is protected.",
    ),
    Weakness(
        "a-device-that-others-use",
        "A device that others use",
        "Until its tab is closed, a browser keeps what was drawn, then what is sent; a plain "
        "answer is what is sent.",
    ),
    Weakness(
        "a-visit-that-is-put-away",
        "A visit that is put away",
        "Who goes on later leaves an encrypted file on the device, and beside it legibly that this "
        "survey was begun. Nobody has to, and the page says so.",
        Part.LATER,
    ),
    Weakness(
        "dice-and-banknotes",
        "Dice and banknotes",
        "If people are asked on paper, by telephone or in messages, who sees the throw or hears "
        "the digits has the draw, and who throws can throw again.",
        Part.PROTECTED,
    ),
    Weakness(
        "reports-that-wait-on-a-tablet",
        "Reports that wait on a tablet",
        "Until they are sent, reports lie on the device unsealed: who reads it reads what the "
        "collector would, plain answers included.",
        Part.TABLET,
    ),
    Weakness(
        "being-watched-while-answering",
        "Being watched while answering",
        "Who stands beside a respondent sees the answer itself. No method helps against that.",
    ),
    Weakness(
        "the-operator-serves-the-page",
        "The operator serves the page",
        "A changed page could send answers. The page is one file with one SHA-256, the same for "
        "everybody, which anybody can compare; a swap for one person, once, may go unseen.",
    ),
    Weakness(
        "the-page-around-a-question",
        "The page around the survey",
        "Pages that may have this one in a frame see that somebody takes part, and when a visit is "
        "over. Where one question is asked inside another page, that page could ask by itself, and "
        "drop or repeat what it is handed, also where it is sealed.",
        Part.INSIDE,
    ),
    Weakness(
        "a-form-that-promises-nothing",
        "Words that promise more than the figures",
        "The words of questions are the author's. What protects is in the figures of this "
        "document, which are computed from the form.",
    ),
    Weakness(
        "the-same-question-twice",
        "The same question twice",
        "Two reports on one trait give away more than one. What the survey declares as one trait "
        "is added up here; what other surveys asked the same people is not.",
        Part.PROTECTED,
    ),
    Weakness(
        "a-coin-that-stays",
        "A coin that stays",
        "A birthday is the same in every survey, and some people know it. Who does reads the "
        "answer.",
        Part.COIN,
    ),
    Weakness(
        "answering-again",
        "Answering again",
        "Nothing stops one person from answering on two devices.",
        Part.OPEN,
    ),
    Weakness(
        "shopping-for-a-record",
        "Trying until a report suits",
        "A person who opens the page again and again, and sends only what agrees with the answer, "
        "gives that answer away.",
        Part.UNTRUE,
    ),
    Weakness(
        "leaving-a-record-blank-after-seeing-it",
        "A report that is withheld after it was seen",
        "A person who sends only reports that agree with the answer gives that answer away.",
        Part.UNTRUE,
    ),
    Weakness(
        "storage-that-is-absent-or-cleared",
        "Storage that is absent or cleared",
        "Where the browser keeps nothing for the tab, a reload draws again.",
        Part.PROTECTED,
    ),
    Weakness(
        "ranges-that-are-shown-first",
        "Ranges that are shown first",
        "A person sees what each answer would send, and can pick another.",
        Part.RANGE,
    ),
    Weakness(
        "reports-in-your-name",
        "Reports in somebody's name",
        "A program can send what it likes. Nothing tells such a report from an honest one.",
    ),
    Weakness(
        "cutting-again",
        "Ranges that are drawn again",
        "Of one number, ranges that were drawn on several devices overlap in a narrower one.",
        Part.RANGE,
    ),
    Weakness(
        "stopping-early",
        "Stopping early",
        "Where a range is narrowed step by step, a person who lets the answer decide when to stop "
        "tells something by stopping.",
        Part.STEP,
    ),
    Weakness(
        "a-blank-that-tells",
        "A blank that tells",
        "Sending nothing can tell something: where narrow ranges are withheld, by no more than the "
        "figure given with the question; where chance leaves nothing blank, that somebody would "
        "not answer.",
        Part.BLANK,
    ),
    Weakness(
        "false-reports",
        "False reports",
        "A program can send invented reports, and protection lends each of them weight. How far "
        "they move a figure stands beside each estimate.",
        Part.OPEN,
    ),
    Weakness(
        "a-row-is-a-fingerprint",
        "A row is a fingerprint",
        "All of a person's reports stand in one row. Plain answers in it (age, place, profession) "
        "can single somebody out; who does so learns each protected report, and no more about its "
        "answer than one report tells.",
        Part.PLAIN,
    ),
    Weakness(
        "a-quota-that-fills",
        "A quota that fills",
        "Who watches one person's connection, and asks before and after which quotas are full, may "
        "learn that person's plain answer.",
        Part.QUOTA,
    ),
    Weakness(
        "in-peoples-own-words",
        "In people's own words",
        "A text can name its writer, and tell what chance hides in the same report.",
        Part.TEXT,
    ),
    Weakness(
        "answers-that-go-together",
        "Answers that go together",
        "Related questions that are not declared as one trait protect less than each alone, by at "
        "most the sum.",
        Part.SEVERAL,
    ),
    Weakness(
        "small-groups",
        "Small groups",
        "An estimate for a handful of people can read as an accusation. The minimum of the survey "
        "holds it back.",
    ),
    Weakness(
        "being-kept-busy",
        "Being kept busy",
        "More requests than the machine can carry keep people out. What was acknowledged is kept.",
    ),
    Weakness(
        "the-address-while-a-request-lasts",
        "The network address while a request lasts",
        "The collector's process knows it, as every server must, and does not keep it. Logs of "
        "proxies and hosts in front of it have to be switched off by whoever runs them.",
    ),
    Weakness(
        "the-batch",
        "The order of arrival, until the end",
        "While the survey runs, the database keeps in which order groups of reports came. Closing "
        "it removes that; copies that were made before keep it.",
    ),
    Weakness(
        "damage-and-alteration",
        "Damage and alteration",
        "Whoever can write to the store can add reports, which shows nowhere; what is changed or "
        "removed shows in a published list of receipts.",
    ),
    Weakness(
        "roots-other-commands",
        "An administrator's other commands",
        "Askance's own commands on a store give up an administrator's rights first. A copy or an "
        "editor does not: whoever may write to the store's folder, as somebody who broke into the "
        "collector may, can lead it to other files by a link.",
    ),
    Weakness(
        "a-damaged-log",
        "A damaged log",
        "A disk that fails or lies can lose the last reports; only their receipts show it.",
    ),
    Weakness(
        "deletion",
        "Deletion",
        "A report is found by the number on its receipt and by nothing else. Who kept none cannot "
        "withdraw, and who gets hold of a receipt can. Backups keep what was withdrawn later.",
    ),
    Weakness(
        "lies-beyond-the-design",
        "Untruthful answers",
        "Somebody who answers untruthfully is not noticed. That bends figures, and harms nobody "
        "else.",
    ),
    Weakness(
        "refusals",
        "Refusals",
        "Questions left blank by choice are not left so at random, which no method mends.",
    ),
    Weakness(
        "what-intervals-assume",
        "What intervals assume",
        "That respondents are a sample of the population, and the form was used as published.",
    ),
)
"""In the order of `docs/explanation/weaknesses.md`."""

ATTACKERS = (
    Attacker(
        "The network",
        "An internet provider or an employer: sees addresses, times and sizes, and can stop what "
        "passes.",
        "Of a protected answer only the report leaves the device. Every message has one size, and "
        "is encrypted on its way (TLS).",
        (
            "timing",
            "that-you-took-part-is-visible",
            "being-kept-out",
            "the-operator-serves-the-page",
        ),
    ),
    Attacker(
        "The host",
        "Who runs the machine or the database: sees memory, disks and logs.",
        "Only reports arrive. The store has neither addresses nor times.",
        (
            "a-row-is-a-fingerprint",
            "in-peoples-own-words",
            "a-quota-that-fills",
            "the-address-while-a-request-lasts",
            "the-batch",
            "that-you-took-part-is-visible",
            "reports-that-wait-on-a-tablet",
            "damage-and-alteration",
            "a-damaged-log",
            "being-kept-out",
            "roots-other-commands",
            "the-operator-serves-the-page",
        ),
    ),
    Attacker(
        "The operator",
        "Who wrote the form, serves the page and runs the collector, and could change them.",
        "The page computes what it tells people from the numbers that it draws with. Its SHA-256 "
        "is the same for everybody; a changed script or question does not run under it.",
        (
            "the-operator-serves-the-page",
            "a-form-that-promises-nothing",
            "the-same-question-twice",
            "a-coin-that-stays",
            "storage-that-is-absent-or-cleared",
            "timing",
            "a-code-and-a-token-at-one-time",
            "the-address-while-a-request-lasts",
            "reports-that-wait-on-a-tablet",
            "damage-and-alteration",
            "being-kept-out",
        ),
    ),
    Attacker(
        "The analyst",
        "Who gets the reports, in an order that means nothing.",
        "One report tells what is said here and no more. Too small groups are held back.",
        (
            "a-row-is-a-fingerprint",
            "in-peoples-own-words",
            "answers-that-go-together",
            "the-same-question-twice",
            "a-coin-that-stays",
            "leaving-a-record-blank-after-seeing-it",
            "stopping-early",
            "a-blank-that-tells",
            "small-groups",
            "lies-beyond-the-design",
            "refusals",
            "what-intervals-assume",
        ),
    ),
    Attacker(
        "The issuer of invitations",
        "Who invites people, or makes their codes: knows who was invited.",
        "No report holds anything of a code, or of the address at which the page was opened.",
        (
            "a-row-is-a-fingerprint",
            "a-link-of-your-own",
            "a-code-and-a-token-at-one-time",
            "a-crowd-that-is-stated",
            "timing",
            "a-quota-that-fills",
            "answering-again",
            "a-code-in-other-hands",
            "false-reports",
            "what-intervals-assume",
            "the-operator-serves-the-page",
        ),
    ),
    Attacker(
        "A coercer",
        "A spouse, an employer or an official who demands to see.",
        "Afterwards the device holds no answer, and the receipt proves no more than the report. "
        "“Leave now” empties the page.",
        (
            "being-watched-while-answering",
            "someone-behind-you",
            "a-visit-that-is-put-away",
            "that-you-took-part-is-visible",
            "a-device-that-others-use",
            "lies-beyond-the-design",
            "shopping-for-a-record",
            "deletion",
        ),
    ),
    Attacker(
        "A thief of a backup",
        "Who holds a copy of the store, and nothing else.",
        "It holds reports under random numbers, and no protected answer.",
        ("a-row-is-a-fingerprint", "deletion", "the-batch"),
    ),
    Attacker(
        "Another respondent, or a program",
        "Who has the link, and answers twice or a thousand times.",
        "The collector hands out the page and nothing else. Reports that nobody drew are doubted.",
        (
            "small-groups",
            "false-reports",
            "answering-again",
            "shopping-for-a-record",
            "leaving-a-record-blank-after-seeing-it",
            "ranges-that-are-shown-first",
            "reports-in-your-name",
            "cutting-again",
            "a-code-in-other-hands",
            "being-kept-busy",
        ),
    ),
    Attacker(
        "The next person at the device",
        "Who uses the browser afterwards.",
        "Answers are in the page's memory alone. No cookie is set.",
        (
            "a-device-that-others-use",
            "someone-behind-you",
            "a-visit-that-is-put-away",
            "reports-that-wait-on-a-tablet",
            "that-you-took-part-is-visible",
            "answering-again",
        ),
    ),
    Attacker(
        "An interviewer",
        "Who hands the tablet over and gets it back.",
        "Nothing of a visit is kept but its report, and no screen shows it again.",
        (
            "reports-that-wait-on-a-tablet",
            "being-watched-while-answering",
            "dice-and-banknotes",
            "that-you-took-part-is-visible",
            "reports-in-your-name",
            "the-operator-serves-the-page",
        ),
        Part.TABLET,
    ),
    Attacker(
        "A page around the question",
        "Who writes the page that has this survey in a frame.",
        "It hears when a visit is over and whether a report arrived, and not which.",
        (
            "the-page-around-a-question",
            "that-you-took-part-is-visible",
            "reports-in-your-name",
            "being-kept-out",
        ),
        Part.INSIDE,
    ),
    Attacker(
        "A browser extension",
        "A program that may read and change pages, or records the screen.",
        "Nothing: a page has no defence against it.",
        (
            "someone-behind-you",
            "that-you-took-part-is-visible",
            "a-device-that-others-use",
            "reports-in-your-name",
            "being-kept-out",
        ),
    ),
)
"""In the order of `docs/explanation/threats.md`."""
