"""What both sides must refuse, each with what is wrong.

A bad form is a good one with one place changed (``at`` and ``put``, or ``drop``), or a ``text``. A
report may also have a text in its body swapped, or the members of an object turned round. A
``schema`` of false marks what a JSON schema cannot express.
"""

import json

from sample_forms import FORMS_2, in_language, nested, sealed


def spelt(document):
    return json.dumps(document, sort_keys=True, separators=(",", ":"))


def put(where, value, wrong, *, form="marriage", schema=True):
    numbers = [int(step) if step.isdigit() else step for step in where.split("/")]
    return {"form": form, "at": numbers, "put": value, "wrong": wrong, "schema": schema}


def drop(where, *, form="marriage"):
    numbers = [int(step) if step.isdigit() else step for step in where.split("/")]
    return {"form": form, "at": numbers, "drop": True, "wrong": "missing key", "schema": True}


def text(spelling, wrong):
    return {"text": spelling, "wrong": wrong, "schema": False}


TABLE, KARY, CUTS = "questions/1", "questions/2", "questions/3"

_TOP = [
    *(drop(key) for key in ("askance", "title", "consent", "contact", "languages", "collector")),
    drop("size"),
    drop("about"),
    drop("questions"),
    put("askance", "form-2", "another version"),
    put("title", {}, "no title", schema=False),
    put("title", {"en": 5}, "a text that is a number"),
    put("title", "Marriage", "one text without its language"),
    put("title", {"en": "Marriage\x1b[2K"}, "an escape for a terminal"),
    put("consent", {"en": "Yes\u202eoN"}, "a mark that turns the writing"),
    put("contact", {"en": "\ud83d"}, "half a character", schema=False),
    put("about", [], "a list about it"),
    put("contact", {"en": "a", "de": "b"}, "a language the form lacks", schema=False),
    put("languages", [], "no language"),
    put("languages", "en", "not a list"),
    put("languages", ["en", "en"], "the same language twice"),
    put("languages", ["en", "de"], "texts are missing", schema=False),
    put("languages", ["English"], "not a tag"),
    put("languages", [None], "not a text"),
    put("collector", None, "not a text"),
    put("collector", "ftp://example.org/", "not http"),
    put("collector", "https://example.org", "not a folder"),
    put("collector", "https://example.org/;img-src *", "a second policy"),
    put("collector", "https://a b/", "a space in the address"),
    put("collector", "https://me:you@example.org/", "a password in the address"),
    *(
        put("collector", f"https://{host}/", f"not a host: {host}", schema=False)
        for host in ("a.1", "1.2.3.256", "1.2.3.4.5", "08", "0x1.0xg.1", "4294967296", "1..2")
    ),
    put("collector", "https://[1::2::3]/", "not an address", schema=False),
    put("collector", "https://example.org:65536/", "no such port", schema=False),
    put("about", {"": nested(63)}, "too many levels", schema=False),
    put("size", 255, "another length", schema=False),
    put("size", 512, "a longer body than needed", schema=False),
    put("size", "256", "a length in words"),
    put("questions", [], "no question"),
    put("questions", {}, "not a list"),
    put("questions", [1], "a number as a question"),
]

_QUESTION = [
    *(drop(f"{TABLE}/{key}") for key in ("kind", "name", "text", "answers", "reports", "table")),
    *(drop(f"{TABLE}/{key}") for key in ("blank", "about")),
    *(drop(f"{CUTS}/{key}") for key in ("line", "cuts", "ask", "typed", "blank", "about", "text")),
    *(drop(f"{CUTS}/cuts/{key}") for key in ("number", "weights", "floor", "open")),
    put(f"{TABLE}/text/en", "Two\u2069 ends", "an isolate that is closed"),
    put(f"{TABLE}/answers/0/label/en", "Yes\x00", "a label with a control character"),
    put(f"{TABLE}/reports/0/name", "yes\x7f", "a name with a control character"),
    put(f"{CUTS}/line/unit/en", "years\u2028", "a unit that breaks the line"),
    put(f"{TABLE}/kind", "oracle", "an unknown kind"),
    put(f"{TABLE}/kind", "constructor", "an inherited name as a kind"),
    *(
        put(f"{position}/kind", [kind], f"a list as a kind: {kind}", form=form)
        for position, kind, form in (
            (TABLE, "table", "marriage"),
            (CUTS, "cuts", "marriage"),
            ("questions/7", "ring", "ranges"),
        )
    ),
    put(f"{TABLE}/name", "age", "the name of another question", schema=False),
    put(f"{TABLE}/name", "Age", "a capital letter"),
    put(f"{TABLE}/name", "", "an empty name"),
    put(f"{TABLE}/name", "a" * 41, "41 letters"),
    put(f"{TABLE}/name", "äge", "a letter outside a-z"),
    put(f"{TABLE}/name", "age\n", "a line break", schema=False),
    put(f"{TABLE}/name", 7, "a number as a name"),
    put(f"{TABLE}/text", {"en": None}, "no text"),
    put(f"{TABLE}/text", {"de": "Ja?"}, "another language", schema=False),
    put(f"{TABLE}/text", {"en": "Yes?", "de": "Ja?"}, "a language the form lacks", schema=False),
    put(f"{TABLE}/answers", [], "no answers"),
    put(f"{TABLE}/answers/0/name", "no", "two answers of one name", schema=False),
    put(f"{TABLE}/answers/0/name", 1, "a number as a name"),
    put(f"{TABLE}/answers/0/name", "", "an empty name"),
    put(f"{TABLE}/answers/0/label", "Yes", "a label without its language"),
    put("questions/0/answers", [{"name": "none", "label": {"en": "None"}}], "one answer only"),
    put("questions/0/answers/1", "one", "a text as an answer"),
]

_TABLE = [
    put(f"{TABLE}/table/total", 11, "rows with another sum", schema=False),
    put(f"{TABLE}/table/total", 0, "an empty table"),
    put(f"{TABLE}/table/total", "10", "a total in words"),
    put(f"{TABLE}/table/rows", [[6, 1, 3]], "a row too few", schema=False),
    put(f"{TABLE}/table/rows", [[6, 4], [4, 6]], "a column too few", schema=False),
    put(f"{TABLE}/table/rows", [[6, 1, 3], [7, 3]], "a short row", schema=False),
    put(f"{TABLE}/table/rows", [[11, -1, 0], [1, 6, 3]], "a negative chance"),
    put(f"{TABLE}/table/rows", [[6, 1, 3], [1, 6, True]], "true as a chance"),
    put(f"{TABLE}/table/rows", [[6, 1, 3], [1, 6, "3"]], "a chance in words"),
    put(f"{TABLE}/table/rows", [[6, 1, 3], [1, 6, 4]], "a row that sums to more", schema=False),
    put(
        f"{TABLE}/table", {"total": 2**48 + 1, "rows": [[2**48, 1, 0], [2**48, 1, 0]]}, "over 2^48"
    ),
    put(f"{TABLE}/table", {"total": True, "rows": [[1, 0, 0], [0, 1, 0]]}, "true as a total"),
    put(f"{TABLE}/reports/0/means", [], "a report that means nothing"),
    put(f"{TABLE}/reports/0/means", [2], "a meaning outside the answers", schema=False),
    put(f"{TABLE}/reports/0/means", [-1], "a negative meaning"),
    put(f"{TABLE}/reports/0/means", [0, 0], "an answer twice in a meaning"),
    put(f"{TABLE}/reports/2/means", [0, True], "true as a meaning"),
    put(f"{TABLE}/reports/0/means", "0", "a meaning in words"),
    put(f"{TABLE}/reports/0/name", "no", "two reports of one name", schema=False),
    put(f"{TABLE}/blank", [1, 1], "always blank", schema=False),
    put(f"{TABLE}/blank", [0, 0], "blank out of none"),
    put(f"{TABLE}/blank", [-1, 2], "a negative chance"),
    put(f"{TABLE}/blank", [1], "half a chance"),
    put(f"{TABLE}/blank", [0, 1, 2], "three numbers"),
    put(f"{TABLE}/blank", [False, 1], "false as a chance"),
    put(f"{TABLE}/blank", [0, 2**48 + 1], "over 2^48"),
    put(f"{TABLE}/blank", None, "nothing"),
    put(f"{KARY}/table/rows/3", None, "no row"),
]

_CUTS = [
    put(f"{CUTS}/line/ticks", 54, "a weight too few", schema=False),
    put(f"{CUTS}/line/ticks", 1, "one step"),
    put(f"{CUTS}/line/ticks", 100_001, "too many steps"),
    put(f"{CUTS}/line/ticks", "53", "steps in words"),
    put(f"{CUTS}/line/lower", 17, "a number that is not written"),
    put(f"{CUTS}/line/lower", "1e3", "an exponent"),
    put(f"{CUTS}/line/lower", " 17", "a space"),
    put(f"{CUTS}/line/lower", "١٧", "digits of another script"),
    put(f"{CUTS}/line/lower", "", "nothing written"),
    put(f"{CUTS}/line/step", "0", "no step", schema=False),
    put(f"{CUTS}/line/step", "-1", "a step down", schema=False),
    put(f"{CUTS}/line/step", "1/0", "a step over nought", schema=False),
    put(f"{CUTS}/line/step", "1/00", "a step over nought", schema=False),
    put(f"{CUTS}/line/unit", "years", "a unit without its language"),
    put(f"{CUTS}/cuts/number", 0, "no cut"),
    put(f"{CUTS}/cuts/number", 17, "too many cuts"),
    put(f"{CUTS}/cuts/number", True, "true as a count"),
    put(f"{CUTS}/cuts/weights", [0] * 52, "no weight at all", schema=False),
    put(f"{CUTS}/cuts/weights", [1] * 51, "a weight too few", schema=False),
    put(f"{CUTS}/cuts/weights", [-1] + [1] * 51, "a negative weight"),
    put(f"{CUTS}/cuts/weights", [2**48] + [1] * 51, "weights over 2^48", schema=False),
    put(f"{CUTS}/cuts/weights", "1" * 52, "weights in words"),
    put(f"{CUTS}/typed", "false", "a word for a truth value"),
    put(f"{CUTS}/typed", 0, "a number for a truth value"),
    put(f"{CUTS}/typed", None, "nothing for a truth value"),
]

STEPS, KEPT, HELD, OPEN, SOME, RING, WIDE = (
    f"questions/{number}" for number in (0, 2, 3, 4, 5, 7, 8)
)

_RANGES = [
    item | {"form": "ranges"}
    for item in [
        *(drop(f"{KEPT}/cuts/floor/{key}") for key in ("sizes", "least", "rule")),
        *(drop(f"{RING}/{key}") for key in ("line", "ring", "ask", "typed", "blank", "about")),
        *(drop(f"{RING}/ring/{key}") for key in ("weights", "sizes", "least")),
        put(f"{STEPS}/ask", "steps", "an unknown way of asking"),
        put(f"{STEPS}/ask", None, "no way of asking"),
        put(f"{HELD}/ask", "narrow", "steps where ranges are withheld", schema=False),
        put(f"{KEPT}/cuts/floor/rule", "stop", "an unknown rule"),
        put(f"{KEPT}/cuts/floor/rule", ["skip"], "a list as a rule"),
        put(f"{KEPT}/cuts/floor/least", 0, "no least size"),
        put(f"{KEPT}/cuts/floor/least", 15, "more than all there is", schema=False),
        put(f"{KEPT}/cuts/floor/least", 8, "more than any cut leaves on both sides", schema=False),
        put(f"{KEPT}/cuts/floor/least", "3", "a size in words"),
        put(f"{KEPT}/cuts/floor/least", True, "true as a size"),
        put(f"{KEPT}/cuts/floor/sizes", [1] * 7, "a size too few", schema=False),
        put(f"{KEPT}/cuts/floor/sizes", [0] * 8, "no size at all", schema=False),
        put(f"{KEPT}/cuts/floor/sizes", [-1] + [1] * 7, "a negative size"),
        put(f"{KEPT}/cuts/floor/sizes", [2**48] + [1] * 7, "sizes over 2^48", schema=False),
        put(f"{KEPT}/cuts/floor/sizes", [True] + [1] * 7, "true as a size in the list"),
        put(f"{KEPT}/cuts/floor", [], "a list as a floor"),
        put(f"{HELD}/cuts/floor/least", 8, "a size that no cell keeps", schema=False),
        put(f"{OPEN}/cuts/open", None, "nothing for no range"),
        put(f"{OPEN}/cuts/open", {}, "an object for ranges"),
        put(f"{OPEN}/cuts/open", [[0, 8]], "the whole line", schema=False),
        put(f"{OPEN}/cuts/open", [[2, 4], [4, 6]], "ranges that touch", schema=False),
        put(f"{OPEN}/cuts/open", [[4, 6], [1, 2]], "ranges that descend", schema=False),
        put(f"{OPEN}/cuts/open", [[4, 4]], "an empty range", schema=False),
        put(f"{OPEN}/cuts/open", [[4, 9]], "a range past the end", schema=False),
        put(f"{OPEN}/cuts/open", [[-1, 4]], "a range before the start"),
        put(f"{OPEN}/cuts/open", [[4]], "half a range"),
        put(f"{OPEN}/cuts/open", [[1, 2, 3]], "three ends"),
        put(f"{OPEN}/cuts/open", [3], "a number for a range"),
        put(f"{OPEN}/cuts/open", [[False, 4]], "false as an end"),
        put(f"{SOME}/cuts/open", [[0, 4]], "sizes where answers are sent exactly", schema=False),
        put(f"{RING}/ask", "narrow", "a ring one step at a time"),
        put(f"{RING}/typed", None, "nothing for whether it is typed"),
        put(f"{RING}/ring/least", 27, "a ring of more than a half", schema=False),
        put(f"{RING}/ring/least", 0, "a ring without a least size"),
        put(f"{RING}/ring/weights", [0] * 52, "no weight in the ring", schema=False),
        put(f"{RING}/ring/weights", [1] * 51, "a weight too few in the ring", schema=False),
        put(f"{RING}/ring/weights", [1] * 51 + [True], "true as a weight"),
        put(f"{RING}/ring/weights", [2**30] * 52, "pairs over 2^48", schema=False),
        put(
            f"{RING}/ring/weights", [2**48] + [1] * 51, "weights of a ring over 2^48", schema=False
        ),
        put(f"{RING}/ring/sizes", [1] * 54, "a size too many", schema=False),
        put(
            f"{RING}/ring",
            {"weights": [1] * 53, "sizes": [1] * 54, "least": 12},
            "a ring of a longer line",
            schema=False,
        ),
        put(f"{WIDE}/ring/weights", [1, 0, 0, 0, 0, 0, 0], "one cut for a ring", schema=False),
    ]
]

PLAINLY, TYPED = "questions/0", "questions/1"

_COUNTED = [
    item | {"form": "counted"}
    for item in [
        put(f"{TYPED}/line/whole", False, "a line that says it is not of whole numbers"),
        put(f"{TYPED}/line/whole", 1, "a number for a truth value"),
        put(f"{TYPED}/line/whole", None, "nothing for whole"),
        put(f"{TYPED}/line/lower", "-1/2", "a half below whole numbers", schema=False),
        put(f"{TYPED}/line/step", "0.5", "half a step of whole numbers", schema=False),
        put(f"{PLAINLY}/line/step", "2", "whole numbers given in steps of 2", schema=False),
    ]
]

_TEXT = [
    *(
        text(spelt(in_language(tag)), f"a language that no browser writes: {tag}")
        for tag in ("en-1", "en-a", "en-GB-US", "en-latn-cyrl", "de-u", "en-x", "sl-rozaj-rozaj")
    ),
    text("", "empty"),
    text("null", "nothing"),
    text("[]", "a list"),
    text('"form-1"', "a text"),
    text('{"askance":"form-1"', "cut off"),
    text('{"askance":"form-1","askance":"form-1"}', "a key twice"),
    text('{"about":0.5,"askance":"form-1"}', "a fraction"),
    text('{"about":1e2,"askance":"form-1"}', "an exponent"),
    text('{"about":9007199254740993,"askance":"form-1"}', "an integer beyond 2^53"),
    text('{"about":NaN,"askance":"form-1"}', "not a number"),
    text("\u0000\u0001binary", "binary junk"),
    text("[", "nested too deep") | {"times": 300_000},
]

BAD_FORMS = [*_TOP, *_QUESTION, *_TABLE, *_CUTS, *_RANGES, *_COUNTED, *_TEXT]

BAD_ANSWERS = [
    {"form": form, "question": index, "answer": answer, "wrong": wrong}
    for form, index, past in (
        ("marriage", 0, 4),
        ("marriage", 1, 2),
        ("marriage", 3, 53),
        ("evening", 0, 49),
        ("evening", 1, 21),
        ("ranges", 0, 53),
        ("ranges", 4, 8),
        ("ranges", 7, 53),
    )
    for answer, wrong in (
        (past, "one past the last"),
        (-1, "negative"),
        (0.5, "between two"),
        ("0", "a text"),
        (True, "a truth value"),
        ([0], "a list"),
        (2**53, "far outside"),
    )
]
BAD_ANSWERS += [
    {"form": "counted", "question": 0, "answer": answer, "wrong": wrong}
    for answer, wrong in ((0, "the tick before the first whole number"), (42, "one past the last"))
]

PAIRS = "questions/1"

BAD_FORMS_2 = [
    item | {"form": "groups"}
    for item in [
        put("askance", "form-1", "a version without words for groups", schema=False),
        put("askance", "form-3", "a version of later"),
        put(f"{PAIRS}/groups", None, "nothing for no groups"),
        put(f"{PAIRS}/groups", [], "no group"),
        put(f"{PAIRS}/groups", {}, "an object for groups"),
        put(f"{PAIRS}/groups/0", "Group 1", "a name for a group"),
        put(f"{PAIRS}/groups/0/name", "group 2", "two groups of one name", schema=False),
        put(f"{PAIRS}/groups/0/name", "", "a group without a name"),
        put(f"{PAIRS}/groups/0/label", {"de": "Eins"}, "another language", schema=False),
        put(f"{PAIRS}/groups/0/label/en", "1\u202e", "a mark that turns the writing"),
        put(f"{PAIRS}/groups/0/reports", 1, "a report of no group", schema=False),
        put(f"{PAIRS}/groups/0/reports", 3, "more reports than there are", schema=False),
        put(f"{PAIRS}/groups/0/reports", 0, "a group without reports"),
        put(f"{PAIRS}/groups/0/reports", True, "true as a number of reports"),
        put(f"{PAIRS}/groups/0/reports", "2", "a number in words"),
        drop(f"{PAIRS}/groups/0/reports"),
        drop(f"{PAIRS}/groups/0/name"),
        drop(f"{PAIRS}/groups/0/label"),
        put(f"{PAIRS}/table/rows/0", [3, 6, 2, 1], "a share that the answer changes", schema=False),
        put(f"{PAIRS}/table/rows", [[6, 6, 0, 0], [5, 7, 0, 0]], "a group of nobody", schema=False),
    ]
]

JOINT = "questions/0"

BAD_FORMS_2 += [
    item | {"form": "coins"}
    for item in [
        put("askance", "form-1", "a version without words for coins", schema=False),
        *(drop(f"{JOINT}/coin/{key}") for key in ("text", "answers", "means", "table", "about")),
        put(f"{JOINT}/coin", None, "nothing for no coin"),
        put(f"{JOINT}/coin", "birthday", "a text for a coin"),
        put(f"{JOINT}/coin/text", "a birthday", "whose coin in no language"),
        put(f"{JOINT}/coin/text", {"en": "a birthday"}, "a language is missing", schema=False),
        put(f"{JOINT}/coin/text/en", "a\u202e", "a coin that turns the writing"),
        put(f"{JOINT}/coin/answers/1/name", "Yes", "two answers of one name", schema=False),
        put(f"{JOINT}/coin/answers", [], "no answers behind replies"),
        put(f"{JOINT}/coin/means", [[1]], "a reply without a meaning", schema=False),
        put(f"{JOINT}/coin/means", [[1], [0], [0]], "a meaning of no reply", schema=False),
        put(f"{JOINT}/coin/means", [[1], [2]], "a meaning that is no answer", schema=False),
        put(f"{JOINT}/coin/means", [[1], []], "a reply that means nothing"),
        put(f"{JOINT}/coin/means", "10", "meanings in words"),
        put(f"{JOINT}/coin/table/total", 5, "replies with another sum", schema=False),
        put(f"{JOINT}/coin/table/rows", [[1, 3]], "an answer that replies nothing", schema=False),
        put(f"{JOINT}/coin/table/rows", [[4], [4]], "a reply too few", schema=False),
        put(f"{JOINT}/coin/table/rows/0", [1, True, 2], "true as the chance of a reply"),
    ]
]

BAD_FORMS_2 += [
    item | {"form": "sections"}
    for item in [
        put("askance", "form-1", "a version without words for sections", schema=False),
        put("sections", None, "nothing for no sections"),
        put("sections", [], "no section"),
        put("sections", {}, "an object for sections"),
        put("sections/0", "Mixed", "a title for a section"),
        put("sections/0", None, "nothing for a section"),
        *(drop(f"sections/0/{key}") for key in ("at", "title", "text")),
        put("sections/0/at", -1, "a section before all questions"),
        put("sections/0/at", True, "true as a position"),
        put("sections/0/at", "1", "a position in words"),
        put("sections/0/at", 4, "two sections at one question", schema=False),
        put("sections/1/at", 0, "sections that go back", schema=False),
        put("sections/1/at", 5, "a section behind all questions", schema=False),
        put("sections/0/title", "Mixed", "a title in no language"),
        put("sections/0/text/en", "a\u202e", "a section that turns the writing"),
        put("sections/0/title", {"de": "x"}, "a title in another language", schema=False),
        put("sections/0/order", "as written", "an order that goes without saying"),
        put("sections/0/order", None, "nothing for an order"),
    ]
]

BAD_FORMS_2 += [
    item | {"form": "skips"}
    for item in [
        put("askance", "form-1", "a version without words for skips", schema=False),
        put("skips", None, "nothing for no skips"),
        put("skips", [], "no rule"),
        put("skips/0", None, "nothing for a rule"),
        put("skips/0", "more", "a name for a rule"),
        *(drop(f"skips/0/{key}") for key in ("question", "after", "answered", "send")),
        put("skips/0/question", 5, "a question that there is not", schema=False),
        put("skips/0/question", True, "true as a position of a question"),
        put("skips/0/after", 1, "a question that skips itself", schema=False),
        put("skips/0/after", 3, "a rule on a later question", schema=False),
        put("skips/1/question", 1, "two rules for one question", schema=False),
        put("skips/0/answered", [], "a rule on no answer"),
        put("skips/0/answered", [2], "a rule on an answer that there is not", schema=False),
        put("skips/0/answered", [1, 1], "an answer twice"),
        put("skips/0/answered", 1, "an answer in no list"),
        put("skips/0/answered", "1", "answers in words"),
        put("skips/0/send", 2, "an answer to send that there is not", schema=False),
        put("skips/0/send", "No", "an answer to send by its name"),
        put("skips/1/send", 5, "a number to send that there is not", schema=False),
        put("skips/2/send", None, "a protected question left blank", schema=False),
        put("questions/1/coin", {}, "a coin that is skipped"),
        put(
            "skips",
            [{"question": 4, "after": 0, "answered": [1], "send": None}],
            "a protected question left blank after a plain one",
            schema=False,
        ),
    ]
]
OWN, ALONE = (
    {"name": "used", "questions": ["used", "often"]},
    {"name": "it", "questions": ["often"]},
)
MIXED = {"at": 0, "title": {"en": ""}, "text": {"en": ""}, "order": "random"}

BAD_FORMS_2 += [
    item | {"form": "skips", "schema": False}
    for item in [
        put("about", {}, "a rule from one protected question to another of no trait"),
        put("about/traits", [], "no trait that both are of"),
        put("about/traits", None, "nothing for traits"),
        put("about/traits", {"used": ["used", "often"]}, "traits in no list"),
        put("about/traits/0", {"name": "used"}, "a trait without questions"),
        put("about/traits/0/questions", "used, often", "questions of a trait in words"),
        put("about/traits/0/questions", ["used", "days"], "a question of another trait"),
        put("about/traits", [OWN, ALONE], "a question of two traits"),
        put("about/traits", [OWN, OWN], "two questions of two traits"),
        put("sections", [MIXED], "a rule within an order by chance"),
        put("questions/4/table/rows/1", [0, 4], "a report by which one was asked for certain"),
    ]
]
BAD_FORMS_2 += [
    item | {"form": "skipped numbers", "schema": False}
    for item in [
        put("skips/0/answered", [0], "no whole number to be skipped by"),
        put("skips/0/answered", [7], "a number above the line"),
        put("skips/0/send", 5, "a number to send above the line"),
        put("skips/1/answered", ["1"], "a number in words"),
        put("skips/1/send", 6, "a step to send that there is not"),
        put("skips/2/send", None, "a range left blank"),
        put("skips/3/send", -1, "a step to send below the line"),
        put("skips/3/after", 2, "a range after a protected number"),
        put("skips/4/answered", [6], "a step that there is not"),
        put("skips/4/after", 3, "a rule on a number that the device does not know"),
        put("questions/2/typed", False, "a rule on a number that is no longer typed"),
        put("skips/5/after", 2, "a plain question after a protected number"),
        put("skips/5/after", 4, "a plain question after a ring"),
        put("sections/1/at", 2, "a rule on a number that may be asked later"),
        put("about", {}, "a number and what follows from it, of no trait"),
        put("questions/5/table/rows/1", [2, 4, 0], "a report by which one was asked for certain"),
    ]
]
BAD_FORMS_2 += [
    item | {"form": "skipped spans"}
    for item in [
        put("skips/0/answered", {"from": 5, "to": 4}, "a span of nothing", schema=False),
        put("skips/0/answered", {"from": 0, "to": 1_000_001}, "a span off the line", schema=False),
        put("skips/0/answered", {"from": -1, "to": 4}, "a span below the line"),
        put("skips/2/answered", {"from": 2, "to": 6}, "a span beyond the steps", schema=False),
        put("skips/0/answered", {"from": 0}, "a span without an end"),
        put("skips/0/answered", {"from": 0, "to": 4, "step": 2}, "a span in steps"),
        put("skips/0/answered", {"from": True, "to": 4}, "a span from true"),
        put("skips/0/answered", {"from": "0", "to": "4"}, "a span in words"),
        put("skips/0/answered", {}, "an empty span"),
    ]
]
BAD_FORMS_2 += [
    put(f"questions/1/coin/text/{tag}", text, f"one coin for two questions: {tag}", form="coins")
    | {"schema": False}
    for tag, text in (("en", " A  Birthday"), ("de", "ein geburtstag"))
]
BAD_FORMS_2 += [
    item | {"form": "lists"}
    for item in [
        put("askance", "form-1", "a version without words for lists", schema=False),
        put("checklists", None, "nothing for no lists"),
        put("checklists", [], "no list"),
        put("checklists/0", None, "nothing for a list"),
        put("checklists/0", "Which?", "a text for a list"),
        *(drop(f"checklists/0/{key}") for key in ("at", "text", "items", "none")),
        put("checklists/0/at", 7, "a question that there is not", schema=False),
        put("checklists/0/at", "1", "a question in words"),
        put("checklists/0/at", True, "true as a position"),
        put("checklists/0/at", 0, "a question that is drawn in another way", schema=False),
        put("checklists/0/at", 2, "a list that a section parts", schema=False),
        put("checklists/1/at", 5, "a question of more than two answers", schema=False),
        put("checklists/1/at", 6, "more items than there are questions", schema=False),
        put("checklists/1/at", 3, "a question of two lists", schema=False),
        put("checklists/0/items", [{"en": "A"}], "one item"),
        put("checklists/0/items", {"en": "A", "de": "B"}, "items in no list"),
        put("checklists/0/items/1", {"de": "B"}, "an item in another language", schema=False),
        put("checklists/0/items/1", "B", "an item without its language"),
        put("checklists/0/none", "None", "nothing, without its language"),
        put("checklists/0/text", {"en": 3}, "a number for what is asked"),
        put(
            "questions/2/table/rows", [[2, 2], [1, 3]], "items drawn by other chances", schema=False
        ),
        put("questions/2/blank", [1, 8], "items blank by other chances", schema=False),
        put("questions/2/answers/0/label/en", "Si", "items of other answers", schema=False),
        put("questions/5/kind", "number", "an item that is a number"),
        put("skips/1/send", 0, "items that are skipped to another answer", schema=False),
        put("skips/0/question", 0, "an item that is not skipped as others are", schema=False),
        put("skips/2/after", 2, "an item that is skipped by another", schema=False),
        put("questions/6/ticks", 1, "one tick"),
        put("questions/6/ticks", 3, "ticks whose sets are no answers", schema=False),
        put("questions/6/ticks", 7, "more ticks than a list has"),
        put("questions/6/ticks", None, "nothing for no ticks"),
        put("questions/6/ticks", "2", "ticks in words"),
        put("questions/6/ticks", True, "true for ticks"),
        put("questions/0/ticks", 2, "ticks of a plain question"),
        put(
            "questions/6/groups",
            [{"name": name, "label": {"en": name}, "reports": 2} for name in ("a", "b")],
            "ticks in groups",
            schema=False,
        ),
    ]
]

COUNTED = "questions/1/count"

BAD_FORMS_2 += [
    item | {"form": "lists to count"}
    for item in [
        put("askance", "form-1", "a version without words for lists", schema=False),
        put(COUNTED, None, "nothing for no list"),
        put(COUNTED, [], "a list of nothing"),
        *(drop(f"{COUNTED}/{key}") for key in ("items", "sensitive", "answers")),
        put(f"{COUNTED}/items", [], "no items"),
        put(f"{COUNTED}/items", ["I drink tea.", "I run."], "items in no language"),
        put(f"{COUNTED}/items", [{"en": "I drink tea."}], "a single item"),
        put(f"{COUNTED}/items", [{"en": "Tea"}] * 3, "an item too many", schema=False),
        put(f"{COUNTED}/items", [{"en": "Tea"}] * 21, "items that nobody counts"),
        put(f"{COUNTED}/items/0", {"de": "Tee"}, "another language", schema=False),
        put(f"{COUNTED}/sensitive", "I cheated.", "an item in no language"),
        put(f"{COUNTED}/sensitive/en", "1\u202e", "a mark that turns the writing"),
        put(f"{COUNTED}/answers", [{"name": "a", "label": {"en": "a"}}], "a single answer"),
        put(
            f"{COUNTED}/answers",
            [{"name": name, "label": {"en": name}} for name in "abc"],
            "three answers to an item",
            schema=False,
        ),
        put("questions/1/table/rows/0", [0, 2, 0, 1, 0, 0, 0], "another number", schema=False),
        put("questions/1/table/rows/1", [1, 1, 0, 0, 1, 0, 0], "a number by chance", schema=False),
        put("questions/1/table/rows/5", [0, 0, 2, 0, 0, 1, 0], "an item left out", schema=False),
        put("questions/0/count", None, "a list of what is asked plainly"),
        drop("questions/1/groups"),
        put(
            "skips",
            [{"question": 2, "after": 1, "answered": [0], "send": None}],
            "a rule on what nobody knows",
            schema=False,
        ),
    ]
]

BAD_FORMS_2 += [
    put("questions/0/needed", value, f"no word for what is needed: {value}", form="needed")
    for value in (False, None, 1, "yes")
]
BAD_FORMS_2 += [
    item | {"form": "pipes"}
    for item in [
        put("questions/2/piped", False, "no word for what is piped"),
        put("questions/0/piped", True, "a text without blanks", schema=False),
        put("questions/4/text/en", "{noisy|it}?", "a blank for what is protected", schema=False),
        put("questions/4/text/en", "{later|it}?", "a blank for no question", schema=False),
        put("questions/2/text/en", "{last|it}?", "a blank for a later question", schema=False),
        put("questions/2/text/en", "{words|it}?", "a blank for the question itself", schema=False),
        put("sections", [MIXED], "a blank within an order by chance", schema=False),
    ]
]
BAD_FORMS_2 += [
    item | {"form": "texts"}
    for item in [
        put("askance", "form-1", "a version without words for texts", schema=False),
        *(drop(f"questions/1/{key}") for key in ("limit", "lines")),
        put("questions/1/limit", 0, "a text of nothing"),
        put("questions/1/limit", 2001, "a text longer than any"),
        put("questions/1/limit", True, "true as a limit"),
        put("questions/1/limit", "12", "a limit in words"),
        put("questions/1/lines", 0, "a place without a line"),
        put("questions/1/lines", 21, "a place of too many lines"),
        put("questions/1/lines", None, "nothing for lines"),
        put("questions/1/beside", False, "a comment beside nothing"),
        put("questions/4/beside", True, "a comment beside a comment", schema=False),
        put("questions/6/beside", True, "a comment that tells what is hidden", schema=False),
        put("questions/5/beside", True, "a protected question beside another"),
        put("questions/0/beside", True, "a comment beside no question"),
        put("skips/2/send", 0, "a text to send by a number", schema=False),
        put("skips/2/send", "Yes", "a text to send for others"),
        put("skips/2/after", 1, "a rule on a text", schema=False),
    ]
]

BAD_FORMS_2 += [
    item | {"form": "evidence"}
    for item in [
        put("askance", "form-1", "a version without words for evidence", schema=False),
        put("evidence", None, "nothing for no evidence"),
        put("evidence", [], "evidence in a list"),
        *(drop(f"evidence/{key}") for key in ("question", "groups")),
        put("evidence/question", 1, "a question without groups", schema=False),
        put("evidence/question", 2, "a question that there is not", schema=False),
        put("evidence/question", True, "true as a position"),
        put("evidence/question", "quiz", "a question by its name"),
        put("evidence/groups", [], "no group"),
        put("evidence/groups", {}, "an object for groups"),
        put("evidence/groups", [{"first": "card"}], "fewer groups than chance makes", schema=False),
        put("evidence/groups/0", None, "nothing for a group"),
        put("evidence/groups/0", "card", "a screen for a group"),
        drop("evidence/groups/0/first"),
        put("evidence/groups/0/first", "quiz", "a screen that there is not"),
        put("evidence/groups/0/first", None, "nothing for a screen"),
        put("evidence/groups/1/text", None, "nothing for an explanation"),
        put("evidence/groups/1/text", "Imagine", "an explanation in no language"),
        put("evidence/groups/1/text", {"de": "Denken"}, "another language", schema=False),
        put("evidence/groups/1/text/en", "1\u202e", "a mark that turns the writing"),
    ]
]

BAD_FORMS_2 += [
    item | {"form": "quotas"}
    for item in [
        put("askance", "form-1", "a version without words for quotas", schema=False),
        put("quotas", None, "nothing for no quotas"),
        put("quotas", [], "no quota"),
        put("quotas", {"question": 0, "answer": 0, "most": 1}, "a quota in no list"),
        put("quotas/0", None, "nothing for a quota"),
        put("quotas/0", "plain", "a name for a quota"),
        *(drop(f"quotas/0/{key}") for key in ("question", "answer", "most")),
        put("quotas/0/question", 1, "a quota on a protected answer", schema=False),
        put("quotas/0/question", 2, "a question that there is not", schema=False),
        put("quotas/0/question", True, "true as a position"),
        put("quotas/0/answer", 2, "an answer that there is not", schema=False),
        put("quotas/0/answer", 1, "two quotas on one answer", schema=False),
        put("quotas/0/answer", "Yes", "an answer by its name"),
        put("quotas/0/most", -1, "less than nobody"),
        put("quotas/0/most", 1_000_000_001, "more people than there are"),
        put("quotas/0/most", "10", "people in words"),
        put("quotas/0/most", True, "true for people"),
    ]
]
BAD_FORMS_2 += [
    item | {"form": "later"}
    for item in [
        put("askance", "form-1", "a version without words for going on later", schema=False),
        put("later", None, "nothing for days"),
        put("later", True, "true for days"),
        put("later", 0, "no day"),
        put("later", -1, "less than a day"),
        put("later", 91, "more days than a device keeps anything"),
        put("later", "14", "days in words"),
        put("later", [14], "a list of days"),
    ]
]
BAD_FORMS_2 += [
    item | {"form": "tablet"}
    for item in [
        put("tablet", None, "nothing for a tablet"),
        put("tablet", False, "false for no tablet"),
        put("tablet", 1, "a number for a tablet"),
        put("tablet", "true", "a word for a tablet"),
        put("later", 14, "going on later on a tablet", schema=False),
        put("quotas", [{"question": 0, "answer": 0, "most": 1}], "a quota there", schema=False),
        put("ending/url", "https://panel.example/", "a way back from a tablet", schema=False),
        put("ending/within", ["https://panel.example"], "a frame on a tablet", schema=False),
        put("tokens", FORMS_2["tokens"]["tokens"], "tokens on a tablet", schema=False),
    ]
]
BAD_FORMS_2 += [
    item | {"form": "pinned"}
    for item in [
        put("pin", None, "nothing for a pin"),
        put("pin", False, "false for no pin"),
        put("pin", 1, "a number for a pin"),
        put("tablet", True, "a pin on a tablet", schema=False),
        put("ending", {"within": ["https://panel.example"]}, "a pin in a frame", schema=False),
    ]
]
BAD_FORMS_2 += [
    item | {"form": "saved"}
    for item in [
        put("saved", None, "nothing for saved pages"),
        put("saved", False, "false for no saved pages"),
        put("saved", 1, "a number for saved pages"),
        put("collector", "", "saved pages that know no collector", schema=False),
        put("askance", "form-1", "a version without words for saved pages", schema=False),
    ]
]
BAD_FORMS_2 += [
    item | {"form": "apart"}
    for item in [
        put("apart", None, "nothing for parts"),
        put("apart", False, "false for parts"),
        put("apart", 1, "a number for parts"),
        put("skips/0/question", 1, "a protected question by a plain one", schema=False),
        put("skips/0/after", 1, "a plain question by a protected one", schema=False),
        put("tablet", True, "a tablet that keeps both parts", schema=False),
        put("seal", sealed()["seal"], "a frame that hands over both parts", schema=False),
        put("about/attention", {"plain": "A"}, "a check across parts", schema=False),
        put("askance", "form-1", "a version without words for parts", schema=False),
    ]
]
SEAL = sealed()["seal"]
BAD_FORMS_2 += [
    item | {"form": "sealed"}
    for item in [
        put("seal", None, "nothing for a key to seal for"),
        put("seal", "", "an empty key"),
        put("seal", SEAL[:-1], "a key that is cut off"),
        put("seal", SEAL[:-1] + "B", "a key that is spelt otherwise"),
        put("seal", SEAL[:43] + "F" + SEAL[44:], "a key of P-256 that is no whole point"),
        put("seal", [SEAL], "a list of keys"),
    ]
]
BAD_FORMS_2 += [
    item | {"form": "sealed texts"}
    for item in [
        drop("seal") | {"schema": False},
        *(drop(f"questions/3/{key}") for key in ("limit", "lines")),
        put("questions/3/limit", 0, "a sealed text of nothing"),
        put("questions/3/limit", 2001, "a sealed text longer than any"),
        put("questions/3/beside", True, "a sealed comment beside a protected one", schema=False),
        put("questions/4/kind", "text", "sizes of a text that is not sealed", schema=False),
        put("questions/3/kind", "Sealed", "another kind"),
        put("evidence", None, "nothing for evidence"),
        put("askance", "form-1", "a version without words for sealed texts", schema=False),
    ]
]
MODULUS = FORMS_2["tokens"]["tokens"]["keys"][0]["n"]
BAD_FORMS_2 += [
    item | {"form": "tokens"}
    for item in [
        put("askance", "form-1", "a version without words for tokens", schema=False),
        put("tokens", None, "nothing for tokens"),
        put("tokens/more", 1, "something more of tokens"),
        put("tokens/issuer", "", "no issuer"),
        put("tokens/issuer", "http://issuer.example/", "an issuer that others can change"),
        put("tokens/issuer", "https://issuer.example", "an issuer without a folder"),
        put("tokens/issuer", "https://1.2.3.256/", "an issuer that is no host", schema=False),
        put("tokens/issuer", ["https://issuer.example/"], "a list for an issuer"),
        put("tokens/keys", [], "no key"),
        put("tokens/keys", {}, "keys that are no list"),
        put("tokens/keys/0", "key", "a text for a key"),
        put("tokens/keys/0/e", "AQAB", "something more of a key"),
        put("tokens/keys/0/name", "Everybody", "a name in capitals"),
        put("tokens/keys/0/name", 5, "a number for a name"),
        put("tokens/keys/0/n", 5, "a number for a modulus"),
        put("tokens/keys/0/n", MODULUS[:-4], "a modulus of another length", schema=False),
        put("tokens/keys/0/n", f"{MODULUS}=", "a modulus with padding"),
        put("tokens/keys/0/n", f"B{MODULUS[1:]}", "a modulus of fewer bits", schema=False),
        put("tokens/keys/0/n", f"{MODULUS[:-1]}/", "a modulus in other letters"),
        put(
            "tokens/keys",
            [{"name": name, "n": MODULUS} for name in "ab"],
            "a key twice",
            schema=False,
        ),
        put("tokens/keys/0/codes", 1, "a key that names one person"),
        put("collector", "https://issuer.example/", "the collector as issuer", schema=False),
    ]
]
BAD_FORMS_2 += [
    item | {"form": "crowd"}
    for item in [
        put("tokens/keys/1/codes", 49, "a key of fewer than the minimum", schema=False),
        put("tokens/keys/1/n", f"g{339 * 'A'}AQ", "a shorter key than the first", schema=False),
        put("about/minimum", 51, "a minimum that a key has not", schema=False),
        put("about/minimum", "50", "a text for a minimum of codes", schema=False),
        put("about/minimum", None, "nothing for a minimum of codes", schema=False),
        put("about/minimum", True, "true for a minimum of codes", schema=False),
        put("tokens/keys/0/codes", 0, "a key of no code"),
        put("tokens/keys/0/codes", -120, "fewer codes than none"),
        put("tokens/keys/0/codes", 1_000_000_001, "more codes than people"),
        put("tokens/keys/0/codes", "120", "a text for codes"),
        put("tokens/keys/0/codes", True, "true for codes"),
        put("tokens/keys/0/codes", None, "nothing for codes"),
        put("tokens/keys/0/codes", [120], "a list for codes"),
        put("tokens/keys/0/name", "NA", "a group in capitals"),
        put("tokens/keys/0/name", "n\u00f6rd", "a group in other letters"),
        put("tokens/keys/0/name", "south", "two groups of one name", schema=False),
        drop("tokens/keys/1/codes") | {"wrong": "a key of two uncounted", "schema": False},
    ]
]
BAD_FORMS_2 += [
    item | {"form": "open"}
    for item in [
        put("askance", "form-1", "a version without words for what a report costs", schema=False),
        put("open", None, "nothing for what a report costs"),
        put("open", {}, "a report that costs nothing"),
        put("open", [], "a list for what a report costs"),
        put("open/more", 1, "something more of what a report costs"),
        put("open/work", 7, "too little work"),
        put("open/work", 25, "too much work"),
        put("open/work", "8", "a text for work"),
        put("open/work", True, "true for work"),
        put("open/rate", 0, "no report from anywhere"),
        put("open/rate", 1_000_001, "more reports than any neighbourhood sends"),
        put("open/rate", None, "nothing for a rate"),
        put("tokens", FORMS_2["tokens"]["tokens"], "tokens that cost work", schema=False),
        put("tablet", True, "work on a tablet", schema=False),
    ]
]
STRAY = [{"name": str(number), "label": {"en": str(number)}, "reports": 2} for number in (1, 2)]

BAD_FORMS += [
    put("questions/0/groups", STRAY, "groups of what is asked plainly"),
    put(f"{TABLE}/coin", {}, "a coin where this page draws"),
    put(f"{CUTS}/groups", None, "no groups of a number"),
]

BAD_FORMS_2 += [
    put("questions/0/groups", STRAY, "groups of another question", form="coins"),
    put(f"{PAIRS}/coin", {}, "a coin beside groups", form="groups"),
    put("questions/2/coin", None, "no coin of a table", form="groups"),
]

WITHIN = [
    ([], "nobody around", True),
    ("https://a.example", "one origin outside a list", True),
    (["https://a.example", "https://a.example"], "an origin twice", True),
    ([f"https://a{index}.example" for index in range(11)], "too many origins", True),
    (["https://a.example/"], "an address for an origin", True),
    (["http://a.example"], "an origin that others can change", True),
    (["*"], "everybody around", True),
    (["https://a.example:65536"], "no such port of an origin", False),
    (["https://1.2.3.256"], "an origin that is no host", False),
    ([5], "a number as an origin", True),
    (None, "nothing for no origins", True),
]
BAD_FORMS_2 += [
    put("ending/within", inputs, why, form="within", **({} if result else {"schema": False}))
    for inputs, why, result in WITHIN
]

BAD_FORMS_2 += [
    item | {"form": "grids"}
    for item in [
        put("askance", "form-1", "a version without words for grids", schema=False),
        put("grids", None, "nothing for no grids"),
        put("grids", [], "no grid"),
        put("grids/0", "noisy", "a name for a grid"),
        *(drop(f"grids/0/{key}") for key in ("at", "text", "items")),
        put("grids/0/items", [{"en": "One"}], "one row"),
        put("grids/0/items/0", "One", "a row without its language"),
        put("grids/0/at", 1, "rows with other answers", schema=False),
        put("grids/1/at", 4, "rows beyond the last question", schema=False),
        put("grids/1/at", 1, "a question of two grids", schema=False),
        put("grids/0/at", "noisy_0", "a row by its name"),
        put("questions/1/blank", [1, 4], "rows that are blank by other chances", schema=False),
        put("questions/4/needed", True, "one row that needs an answer", schema=False),
        put("skips/2/answered", [0], "rows that are skipped by other answers", schema=False),
        put(
            "sections", [{"at": 1, "title": {"en": ""}, "text": {"en": ""}}], "in two", schema=False
        ),
    ]
]

BACK = "https://panel.example/done"

BAD_FORMS_2 += [
    item | {"form": "ending"}
    for item in [
        put("askance", "form-1", "a version without words for endings", schema=False),
        put("ending", None, "nothing for no ending"),
        put("ending", {}, "an ending that says nothing"),
        put("ending", [], "a list for an ending"),
        put("ending/logo", "a", "something else at the end"),
        put("ending/thanks", "Thanks", "one text without its language"),
        put("ending/thanks", {"en": "Thanks"}, "a language is missing", schema=False),
        put("ending/thanks/en", "Thanks\u202e", "thanks that turn the writing"),
        put("ending/code", "", "an empty code"),
        put("ending/code", "C1 A2", "a space in a code"),
        put("ending/code", "C" * 101, "a code that is too long"),
        put("ending/code", 12, "a number as a code"),
        put("ending/code", "Ä1", "a letter that is not ASCII"),
        put("ending/url", "http://panel.example/done", "a way back that can be read"),
        put("ending/url", "javascript:alert(1)//https://a/", "a script as a way back"),
        put("ending/url", "https://panel.example", "no folder"),
        put("ending/url", "https://{pid}.example/done", "a host that is a blank"),
        put("ending/url", f"{BACK}#{{pid}}", "a name behind the sign for names"),
        put("ending/url", f"{BACK}?who={{}}", "a blank without a name"),
        put("ending/url", f"{BACK}?who={{pid", "a blank without an end"),
        put("ending/url", f"{BACK}?who={{{'p' * 41}}}", "a name that is too long"),
        put("ending/url", f"{BACK}?who=\u00e9", "a letter that is not ASCII"),
        put("ending/url", "https://me:you@panel.example/", "a password in the address"),
        put("ending/url", f"{BACK}?{'a' * 1000}", "an address that is too long"),
        put("ending/url", f"{BACK}\n", "a line break", schema=False),
        put("ending/url", 5, "a number as an address"),
        put("ending/url", "https://1.2.3.256/", "not a host", schema=False),
        put("ending/url", "https://panel.example:65536/", "no such port", schema=False),
        put("ending/full", {}, "nothing for a group that is full"),
        put("ending/full", None, "no screen of a group that is full"),
        put("ending/full/within", ["https://panel.example"], "a frame for a group that is full"),
        put("ending/full/code", "F 1", "a space in the code of a group that is full"),
        put("ending/screened/url", "http://panel.example/out", "a way out that can be read"),
        put("ending/screened/url", "https://1.2.3.256/", "no host of a way out", schema=False),
        put("ending/screened/thanks", {"en": "Thanks"}, "a language less", schema=False),
        put("ending/late", {"code": "L1"}, "an outcome that there is not"),
    ]
]

BAD_FORMS_2 += [
    item | {"form": "shown"}
    for item in [
        put("askance", "form-1", "a version without words for a review", schema=False),
        put("review", None, "nothing for a review"),
        put("review", "on request", "a review that goes without saying"),
        put("review", "Open", "a review in capitals"),
        put("review", True, "true for a review"),
        put("review", ["open"], "a list for a review"),
    ]
]

PNG = "data:image/png;base64,iVBORw0KGgo"

BAD_FORMS_2 += [
    item | {"form": "look"}
    for item in [
        put("askance", "form-1", "a version without words for a look", schema=False),
        put("look", None, "nothing for a look"),
        put("look", {}, "a look without anything"),
        put("look", [], "a list for a look"),
        put("look/font", "serif", "something else of a look"),
        put("look/colours", "#7a1fa2", "one colour for both themes"),
        drop("look/colours/dark"),
        put("look/colours/print", "#000000", "a theme that is none"),
        put("look/colours/light", "#7A1FA2", "a colour in capitals"),
        put("look/colours/light", "red", "a colour by its name"),
        put("look/colours/light", "#7a1fa2}", "a colour that ends the style"),
        put("look/colours/light", 0, "a number for a colour"),
        put("look/logo", PNG, "a logo without a text in its place"),
        drop("look/logo/alt"),
        drop("look/logo/image"),
        put("look/logo/alt", {"en": "A dot"}, "a language is missing", schema=False),
        put("look/logo/alt/en", " ", "a blank in place of a logo", schema=False),
        put("look/logo/href", "https://example.org/", "something else of a logo"),
        put("look/logo/image", "https://example.org/logo.png", "a logo that would be loaded"),
        put("look/logo/image", f"{PNG}=\n", "a line break", schema=False),
        put("look/logo/image", "data:text/html;base64,PHN2Zy8+", "a page for a logo"),
        put("look/logo/image", "data:image/gif;base64,R0lGODlh", "a logo of another kind"),
        put("look/logo/image", "data:image/png;base64,PHN2Zy8+", "an SVG that says it is a PNG"),
        put("look/logo/image", "data:image/jpeg;base64,iVBORw0KGgo=", "a PNG that says JPEG"),
        put("look/logo/image", "data:image/svg+xml;base64,PHN2Zy8", "cut base 64", schema=False),
        put("look/logo/image", "data:image/svg+xml;base64,", "no image at all"),
        put("look/logo/image", "data:image/svg+xml,<svg/>", "not in base 64"),
        put("look/logo/image", 5, "a number for an image"),
    ]
]

BAD_FORMS_2 += [
    item | {"form": "images"}
    for item in [
        put("images", None, "nothing for no images"),
        put("images", [], "no image"),
        put("images", {"image": PNG, "alt": {"en": "A dot"}, "at": [{"question": 0}]}, "no list"),
        put("images/0", None, "nothing for an image"),
        *(drop(f"images/0/{key}") for key in ("image", "alt", "at")),
        put("images/0/href", "https://example.org/", "something else of an image"),
        put("images/0/image", "https://example.org/dot.png", "an image that would be loaded"),
        put("images/0/image", "data:image/gif;base64,R0lGODlh", "an image of another kind"),
        put("images/1/image", "data:image/webp;base64,UklGRgwAAABBVkkgVlA4TA==", "a film"),
        put("images/1/image", "data:image/webp;base64,iVBORw0KGgo=", "a PNG that says WebP"),
        put("images/0/alt", "A dot", "one text for all languages"),
        put("images/0/alt/en", "", "nothing in place of an image", schema=False),
        put("images/0/alt/en", "A\u202edot", "a text that turns the writing"),
        put("images/0/at", [], "an image without a place"),
        put("images/0/at", {"question": 0}, "a place in no list"),
        put("images/0/at/0", None, "nothing for a place"),
        put("images/0/at/0", 7, "a place by its number alone"),
        drop("images/0/at/0/question"),
        put("images/0/at/0/question", 9, "a question that there is not", schema=False),
        put("images/0/at/0/question", "plain", "a question by its name"),
        put("images/0/at/0/question", True, "true as a position"),
        put("images/0/at/0/question", 2, "an item's own question, without a screen", schema=False),
        put("images/0/at/0/side", "left", "something else of a place"),
        put("images/0/at/1/answer", 3, "an answer that there is not", schema=False),
        put("images/0/at/1/answer", None, "nothing for an answer"),
        put("images/0/at/1/answer", "Three", "an answer by its name"),
        put("images/0/at/2/answer", 0, "an answer of a number", schema=False),
        put("images/2/at/0/answer", 3, "an item that there is not", schema=False),
        put("images/2/at/1/answer", 2, "a set that is no item", schema=False),
        put("images/1/at/0/answer", 2, "two images in one place", schema=False),
        put("images/0/at/1", {"question": 7}, "two places alike"),
    ]
]

BAD_FORMS_2 += [
    item | {"form": "words"}
    for item in [
        put("askance", "form-1", "a version that brings no words", schema=False),
        put("words", None, "nothing for words"),
        put("words", {}, "words in no language"),
        put("words", [], "a list for words"),
        put(
            "words/de",
            {"checked": True, "words": {"leave": "Weg"}},
            "another language",
            schema=False,
        ),
        put("words/nl", {"leave": "Weg"}, "words without their table"),
        put("words/nl", None, "nothing for a language"),
        drop("words/nl/checked"),
        drop("words/nl/words"),
        put("words/nl/checked", "true", "a text for true"),
        put("words/nl/name", "Nederlands", "something else of words"),
        put("words/nl/words", {}, "no words"),
        put("words/nl/words", ["Weg"], "words without their keys"),
        put("words/nl/words/leave", 5, "a number for a word"),
        put("words/nl/words/leave", None, "nothing for a word"),
        put("words/nl/words/leave", "Weg\u202e", "a word that turns the writing"),
        put("words/nl/words/leave", [], "no sentence of several"),
        put("words/nl/words/leave", {}, "no sentence for any case"),
        put("words/nl/words/leave", [["Weg"]], "a list of lists"),
        put("words/nl/words/send/one", ["a"], "several for one plural"),
        put("words/nl/words/send/one", "a\u0007", "a plural that rings"),
        put("words/nl/words/le_ave", "Weg", "a key that no word has"),
    ]
]

BAD_BOUNDS = [0, -1, 1.5, 2**48 + 1, "10", None, True, []]


def report(code, wrong, **changes):
    return {"code": code, "wrong": wrong} | changes


def value(question, inputs, wrong, *, schema=False):
    return report("impossible", wrong, at=["answers", question], put=inputs, schema=schema)


BAD_REPORTS = [
    report("size", "one byte short", cut=1),
    report("size", "one byte long", text=" " * 513),
    report("size", "empty", text=""),
    report("not-json", "spaces only", text=" "),
    report("not-json", "cut off", text='{"answers":{"age":null'),
    report("not-json", "a key twice", text='{"id":"0","id":"0"}'),
    report("not-json", "not ASCII", text='{"é":1}'),
    report("not-json", "binary junk", text="\u0000\u0001\u007f"),
    report("not-json", "nested too deep", text="[", times=200),
    report("shape", "a list", text="[]"),
    report("shape", "a number", text="1"),
    report("shape", "a key too many", at=["language"], put="en", schema=True),
    report("shape", "a key too few", at=["id"], drop=True, schema=True),
    report("shape", "answers as a list", at=["answers"], put=[], schema=True),
    report("wrong-form", "another fingerprint", at=["form"], put="0" * 64, schema=False),
    report("wrong-form", "no fingerprint", at=["form"], put=None, schema=True),
    report("id", "a short id", at=["id"], put="0" * 31, schema=True),
    report("id", "capital letters", at=["id"], put="A" * 32, schema=True),
    report("id", "a number as an id", at=["id"], put=0, schema=True),
    report("questions", "a question left out", at=["answers", "age"], drop=True, schema=False),
    report("questions", "a question too many", at=["answers", "name"], put=None, schema=False),
    value("children", 4, "one past the last answer"),
    value("children", -1, "negative", schema=True),
    value("children", "none", "a name for its index"),
    value("children", False, "a truth value", schema=True),
    value("children", [0, 1], "a range for a name"),
    value("any_affair", 3, "one past the last column"),
    value("any_affair", 1.0, "a fraction"),
    value("age", 30, "the number itself"),
    value("age", [0, 53], "the whole line"),
    value("age", [12, 14], "two ends where one cut is drawn"),
    value("age", [12, 12], "nothing between"),
    value("age", [12, 54], "past the end"),
    value("age", [12], "half a range", schema=True),
    value("age", [0, "12"], "an end in words", schema=True),
    value("age", {"lower": 0}, "an object", schema=True),
    report("not-canonical", "a space between", swap=['":', '": ']),
    report("not-canonical", "a space in front", swap=["{", " {"]),
    report("not-canonical", "a line end behind", swap=["} ", "}\n"]),
    report("not-canonical", "a letter escaped", swap=["age", "\\u0061ge"]),
    report("not-canonical", "a sign at nothing", swap=['"children":null', '"children":-0']),
    report("not-canonical", "answers in another order", at=["answers"], turned=True),
    report("not-canonical", "parts in another order", at=[], turned=True),
]

BAD_FORMS_2 += [
    put("collector", url, f"a way back to the collector: {url}", form="ending", schema=False)
    for url in ("https://panel.example/s/", "http://panel.example.:8000/")
]
SETS = "questions/0/coin/sets"

BAD_FORMS_2 += [
    item | {"form": "unknown share"}
    for item in [
        put(SETS, None, "nothing for no sets"),
        put(SETS, [], "no set"),
        put(f"{SETS}/0", "yes", "a name for a set"),
        *(drop(f"{SETS}/0/{key}") for key in ("name", "label", "answers")),
        put(f"{SETS}/0/name", "no", "two sets of one name", schema=False),
        put(f"{SETS}/0/label/en", "a\u202e", "a set that turns the writing"),
        put(f"{SETS}/0/answers", [], "a set of nothing"),
        put(f"{SETS}/0/answers", [0], "an answer in no set", schema=False),
        put(f"{SETS}/0/answers", [0, 2], "an answer in two sets", schema=False),
        put(f"{SETS}/0/answers", [0, 1, 1], "an answer twice in a set"),
        put(f"{SETS}/0/answers", [0, 4], "an answer that there is not", schema=False),
        put(f"{SETS}/0/answers", [0, True], "true as a position"),
        put(f"{SETS}/0/answers", "01", "positions in words"),
    ]
]

BAD_FORMS_2 += [
    item | {"form": "long lines"}
    for item in [
        put("askance", "form-1", "a version without words for long lines", schema=False),
        put("questions/1/line/ticks", 10**12 + 1, "a line beyond the longest"),
        put("questions/1/line/ticks", "1000000000000", "ticks in words"),
        put("questions/0/line/step", "2", "long whole numbers in steps of 2", schema=False),
        put("questions/0/line/lower", "-1/2", "a half below long whole numbers", schema=False),
        put("skips", [], "no rule on a long line"),
    ]
]

INVITED = "questions/0/assigned"

BAD_FORMS_2 += [
    put(INVITED, None, "nothing for who assigns groups", form="invited"),
    put(INVITED, "chance", "groups by chance in so many words", form="invited"),
    put(INVITED, True, "an invitation in no word", form="invited"),
    put(f"{PAIRS}/assigned", "invitation", "groups of unequal shares", form="groups", schema=False),
    put(
        "questions/3/assigned",
        "invitation",
        "invited to no group",
        form="skips",
        schema=False,
    ),
    put("questions/0/assigned", "invitation", "an invitation to what is plain", form="skips"),
]
