"""The forms that the vectors and the browser tests are made with."""

import json
from pathlib import Path

from askance_collect.wire import body_size, read_question, to_base64url


def wording(*texts):
    return dict(zip(("en", "de"), texts, strict=False))


def labels(*names):
    return [{"name": name.lower(), "label": {"en": name}} for name in names]


def reports(*pairs):
    return [{"name": name.lower(), "label": {"en": name}, "means": means} for name, means in pairs]


def form(questions, **parts):
    languages = parts.get("languages", ["en"])
    read = tuple(read_question(question, languages, "questions") for question in questions)
    blank = dict.fromkeys(languages, "")
    texts = {"title": blank, "consent": blank, "contact": blank}
    named = "sections skips ending review checklists look words quotas later images"
    named += " tablet tokens open pin saved apart seal evidence grids"
    newer = set(named.split()) & set(parts) or any(
        {"groups", "ticks", "count", "coin", "limit", "needed", "piped"} & set(question)
        for question in questions
    )
    version = "form-2" if newer else "form-1"
    fixed = {"askance": version, "collector": "", "about": {}, "size": body_size(read)}
    return texts | {"languages": languages} | fixed | parts | {"questions": questions}


def table(name, text, answers, columns, rows, blank=(0, 1)):
    return {
        "kind": "table",
        "name": name,
        "text": text,
        "answers": answers,
        "reports": columns,
        "table": {"total": sum(rows[0]), "rows": rows},
        "blank": list(blank),
        "about": {},
    }


def cuts(name, text, line, number, weights, *, typed=False, blank=(0, 1), ask="cells", **rules):
    return {
        "kind": "cuts",
        "name": name,
        "text": text,
        "line": line,
        "cuts": {"number": number, "weights": weights, "floor": None, "open": []} | rules,
        "ask": ask,
        "typed": typed,
        "blank": list(blank),
        "about": {},
    }


def floor(sizes, least, rule):
    return {"sizes": sizes, "least": least, "rule": rule}


def ring(name, text, line, weights, sizes, least, *, typed=False, blank=(0, 1)):
    return {
        "kind": "ring",
        "name": name,
        "text": text,
        "line": line,
        "ring": {"weights": weights, "sizes": sizes, "least": least},
        "ask": "cells",
        "typed": typed,
        "blank": list(blank),
        "about": {},
    }


def line(lower, step, ticks, unit):
    return {"lower": lower, "step": step, "ticks": ticks, "unit": unit}


def choice(name, text, answers):
    return {"kind": "choice", "name": name, "text": text, "answers": answers}


def kary(names, other, same):
    """Keep the answer with weight ``same``, each other one with weight ``other``."""
    columns = reports(*((name, [index]) for index, name in enumerate(names)))
    rows = [
        [same if index == column else other for column in range(len(names))]
        for index in range(len(names))
    ]
    return labels(*names), columns, rows


def marriage():
    """One language, one question of each protected kind, one plain one."""
    open_ended = reports(("Yes", [0]), ("No", [1]), ("Don’t know", [0, 1]))
    levels = ["Not at all", "A little", "Fairly", "Strongly"]
    return form(
        [
            choice(
                "children",
                wording("How many children do you have?"),
                labels("None", "One", "Two", "Three or more"),
            ),
            table(
                "any_affair",
                wording("Since you married, have you had an affair?"),
                labels("Yes", "No"),
                open_ended,
                [[6, 1, 3], [1, 6, 3]],
                (1, 20),
            ),
            table("religious", wording("How religious are you?"), *kary(levels, 175, 475)),
            cuts(
                "age",
                wording("How old are you?"),
                line("17", "1", 53, {"en": "years"}),
                1,
                [1] * 52,
            ),
        ],
        title=wording("Marriage and faith"),
        consent=wording(
            "We study how marriage and faith go together. The survey has four questions and takes "
            "three minutes.\n\nYour part is voluntary. For the sensitive questions, this page "
            "mixes in chance before anything leaves your device, so that nobody, we included, can "
            "learn your own answer. Only totals over many people are published."
        ),
        contact=wording("Study office, Example University, office@example.org"),
    )


def evening():
    """Two languages, a typed and an untyped number with several cuts, a plain number."""
    hours = {"en": "hours", "de": "Stunden"}
    euros = {"en": "euros", "de": "Euro"}
    pair = [
        {"name": "yes", "label": wording("Yes", "Ja")},
        {"name": "no", "label": wording("No", "Nein")},
    ]
    return form(
        [
            {
                "kind": "number",
                "name": "sleep",
                "text": wording("How long did you sleep?", "Wie lange haben Sie geschlafen?"),
                "line": line("0", "0.5", 48, hours),
            },
            cuts(
                "debt",
                wording("How much do you owe?", "Wie hoch sind Ihre Schulden?"),
                line("-1000", "1000", 21, euros),
                3,
                [*range(1, 11), *range(10, 0, -1)],
                blank=(1, 10),
            ),
            cuts(
                "income",
                wording("What do you earn in a month?", "Was verdienen Sie im Monat?"),
                line("0", "100", 100, euros),
                2,
                [1] * 99,
                typed=True,
            ),
            table(
                "vote",
                wording("Did you vote?", "Haben Sie gewählt?"),
                pair,
                [item | {"means": [index]} for index, item in enumerate(pair)],
                [[3, 1], [1, 3]],
                (1, 3),
            ),
        ],
        languages=["en", "de"],
        title=wording("Evening survey", "Abendumfrage"),
        consent=wording("Take part?", "Möchten Sie mitmachen?"),
        contact=wording("office@example.org", "office@example.org"),
    )


def rejections():
    """Bounds just above a half of all words, so that nearly every second word is thrown away."""
    half = (1 << 47) + 1
    third = (1 << 48) // 3 + 1
    yes_no = (labels("Yes", "No"), reports(("Yes", [0]), ("No", [1])))
    text = wording("A question?")
    small = line("0", "1/3", 4, {"en": ""})
    return form(
        [
            table("half", text, *yes_no, [[half - 1, 1], [0, half]], (half - 2, half)),
            table("third", text, *yes_no, [[third - 7, 7], [7, third - 7]], (5, third)),
            table("all", text, *yes_no, [[1 << 47, 1 << 47], [0, 1 << 48]], (0, 1 << 48)),
            cuts("many", text, small, 16, [half - 2, 0, 2], blank=(1, half)),
            cuts("pair", text, small, 2, [1, 1, 1]),
        ]
    )


def ranges():
    """Every way of asking for a range: floors, steps, exact answers, withheld cells, rings."""
    text, small = wording("A question?"), line("0", "1", 8, {"en": ""})
    age = line("17", "1", 53, {"en": "years"})
    hill, ones = [1, 3, 5, 7, 5, 3, 1], [1] * 8
    shut = [1, 1, 0, 0, 1, 1, 1, 0]
    return form(
        [
            cuts("steps", text, age, 4, [1] * 52, ask="narrow", floor=floor([1] * 53, 8, "skip")),
            cuts("free", text, small, 3, hill, ask="narrow", blank=(1, 8)),
            cuts("kept", text, small, 5, hill, floor=floor([0, 1, 2, 4, 4, 2, 1, 0], 3, "skip")),
            cuts("held", text, small, 2, hill, floor=floor(ones, 3, "withhold"), blank=(1, 4)),
            cuts("plainly", text, small, 2, hill, open=[[2, 4], [7, 8]]),
            cuts("some", text, small, 3, hill, open=[[2, 4], [7, 8]], floor=floor(shut, 2, "skip")),
            cuts(
                "less",
                text,
                small,
                3,
                hill,
                open=[[2, 4], [7, 8]],
                floor=floor(shut, 2, "withhold"),
            ),
            ring("age", text, age, [*range(26), *range(26, 0, -1)], [1] * 53, 12, blank=(1, 20)),
            ring("wide", text, small, [0, 3, 1, 0, 2, 1 << 20, 5], shut, 2),
            ring("many", text, line("0", "1", 3, {"en": ""}), [1 << 23, 3 << 23], [2, 1, 1], 1),
        ],
        title=wording("Ranges"),
    )


FORMS = {
    "marriage": marriage(),
    "evening": evening(),
    "rejections": rejections(),
    "ranges": ranges(),
}


def nested(levels, inner=0):
    """Put lists and objects in each other, so many levels deep."""
    for level in range(levels):
        inner = [inner] if level % 2 else {"deeper": inner}
    return inner


def spelt():
    """Keys that sort otherwise by the halves in which JavaScript holds characters, and depth."""
    signs = [
        "\ud83d",
        "\ude00",
        "\ud7ff",
        "\ue000",
        "\uffff",
        "😀",
        "😀a",
        "\U0010ffff",
        "__proto__",
    ]
    signs += ["", "a", "a\ue000", "a😀", "10", "9", "e\u0301", "é", "constructor"]
    return form(
        [choice("constructor", wording("Which?"), labels("None", "Some"))],
        about={"signs": {sign: index for index, sign in enumerate(signs)}, "deep": nested(62)},
        collector="https://[2001:db8::7]:65535/s/",
    )


def in_language(*tags):
    """Ask one question in these languages."""
    texts = dict.fromkeys(tags, "Yes?")
    answers = [{"name": name, "label": texts} for name in ("yes", "no")]
    return form([choice("q", texts, answers)], languages=list(tags))


def counted():
    """Whole numbers: given plainly, in ranges of one and of five, and in rings."""
    text = wording("How often?", "Wie oft?")
    times, old = {"en": "times", "de": "Mal"}, {"en": "years", "de": "Jahre"}
    entire = {"whole": True}
    return form(
        [
            {
                "kind": "number",
                "name": "plainly",
                "text": text,
                "line": line("-1", "1", 41, times) | entire,
            },
            cuts("typed", text, line("-1", "1", 9, times) | entire, 1, [1] * 8, typed=True),
            cuts("age", text, line("-1", "5", 20, old) | entire, 2, [1] * 19, ask="narrow"),
            ring("ring", text, line("-4", "1", 8, times) | entire, [1] * 7, [1] * 8, 2),
        ],
        languages=["en", "de"],
        title=wording("Counted", "Gezählt"),
        consent=wording("Take part?", "Möchten Sie mitmachen?"),
    )


SPELT = {
    "counted": counted(),
    "spelt": spelt(),
    "spoken": in_language("zh-Hant-TW", "es-419", "ca-valencia-x-easy"),
}
"""Forms in which nothing new is drawn: what matters is how they are spelt."""


def grouped(questions, *sizes):
    """Let chance choose among so many groups, which have so many reports each."""
    named = [f"Group {index}" for index in range(1, len(sizes) + 1)]
    heads = [item | {"reports": size} for item, size in zip(labels(*named), sizes, strict=True)]
    return questions | {"groups": heads}


def by_chance():
    """Groups by chance: of unequal shares, of unequal reports, one of them asked directly."""
    text, yes_no = wording("A question?"), labels("Yes", "No")
    pair = ("1: Both or neither", [1]), ("1: Just one", [0])
    turned = ("2: Both or neither", [0]), ("2: Just one", [1])
    crosswise = [[2, 6, 3, 1], [6, 2, 1, 3]]
    several = reports(("1: Yes", [0]), ("1: No", [1]), ("2: Yes", [0]), ("2: ?", [0, 1]))
    last = reports(("2: No", [1]), ("3: Yes", [0]), ("3: No", [1]))
    big, rows = 1 << 46, [[3, 0, 2, 4, 0, 4, 1], [0, 3, 0, 1, 5, 1, 4]]
    return form(
        [
            choice("plain", text, yes_no),
            grouped(table("pairs", text, yes_no, reports(*pair, *turned), crosswise, (1, 9)), 2, 2),
            grouped(table("three", text, yes_no, several + last, rows), 2, 3, 2),
            grouped(
                table("large", text, yes_no, reports(*pair, *turned), [[big] * 4, [big] * 4]), 1, 3
            ),
        ],
        title=wording("Groups by chance"),
    )


def tossed(questions, text, answers, means, rows):
    """Let a coin in the world decide what is replied."""
    table = {"total": sum(rows[0]), "rows": rows}
    coin = {"text": text, "answers": answers, "means": means, "table": table, "about": {}}
    return questions | {"coin": coin}


def in_the_world():
    """Coins in the world: one of even replies to two answers, one of three replies to three."""
    text, wording_result = (
        wording("A question?", "Eine Frage?"),
        wording("a birthday", "ein Geburtstag"),
    )
    door = wording("a house number", "eine Hausnummer")
    names = [("Yes", "Ja"), ("No", "Nein"), ("?", "?")]
    three = [{"name": name, "label": wording(name, other)} for name, other in names]
    two, even = three[:2], [[1, 3], [3, 1]]
    return form(
        [
            tossed(choice("joint", text, two), wording_result, two, [[1], [0]], even),
            tossed(
                choice("three", text, three),
                door,
                three,
                [[0], [1, 2], [2]],
                [[2, 1, 0], [0, 2, 1], [1, 0, 2]],
            ),
        ],
        languages=["en", "de"],
        title=wording("A coin in the world", "Eine Münze in der Welt"),
        consent=wording("Take part?", "Möchten Sie mitmachen?"),
    )


def in_sections():
    """Sections: one in an order by chance, one as written, and a question before any of them."""
    text, yes_no = wording("A question?"), labels("Yes", "No")
    warner = table("noisy", text, yes_no, reports(("Yes", [0]), ("No", [1])), [[3, 1], [1, 3]])
    plain = [choice(f"plain_{index}", text, yes_no) for index in range(4)]
    mixed = {"at": 1, "title": wording("Mixed"), "text": wording("By chance."), "order": "random"}
    last = {"at": 4, "title": wording("Last"), "text": wording("")}
    questions = [*plain[:3], warner, plain[3]]
    return form(questions, title=wording("Sections"), sections=[mixed, last])


def sent_back():
    """One plain question with all that an ending can say."""
    ending = {
        "thanks": wording("Thank you for your time.", "Danke für Ihre Zeit."),
        "code": "C1A2B3",
        "url": "https://panel.example/done?cc=C1A2B3&who={pid}&of={study}",
        "full": {"code": "F9"},
        "screened": {
            "url": "https://panel.example/out?who={pid}",
            "thanks": wording("Bye.", "Bis bald."),
        },
    }
    answers = [
        {"name": name, "label": wording(name, other)}
        for name, other in (("Yes", "Ja"), ("No", "Nein"))
    ]
    return form(
        [choice("plain", wording("A question?", "Eine Frage?"), answers)],
        languages=["en", "de"],
        ending=ending,
    )


def framed():
    """One plain question that may stand in a frame."""
    answers = [{"name": name, "label": wording(name)} for name in ("yes", "no")]
    within = ["https://survey.example:8443", "https://[::1]", "http://127.0.0.1:5000"]
    return form([choice("plain", wording("A question?"), answers)], ending={"within": within})


KEYS = "question", "after", "answered", "send"


def of_one_trait(name, *questions):
    """Declare questions to be about one trait."""
    return {"traits": [{"name": name, "questions": list(questions), "guarantees": {}}]}


def with_skips():
    """Rules on a plain answer, and on a protected one: what is skipped sends all the same."""
    text, yes_no = wording("A question?"), labels("Yes", "No")
    columns, even = reports(("Yes", [0]), ("No", [1])), [[3, 1], [1, 3]]
    first, second = (table(name, text, yes_no, columns, even) for name in ("used", "often"))
    days = {"kind": "number", "name": "days", "text": text, "line": line("0", "1", 4, wording("d"))}
    questions = [choice("plain", text, yes_no), choice("more", text, yes_no), days, first, second]
    rules = [(1, 0, [1], None), (2, 1, [0, 1], None), (4, 3, [1], 1)]
    skips = [dict(zip(KEYS, rule, strict=True)) for rule in rules]
    about = of_one_trait("used", "used", "often")
    return form(questions, title=wording("Skips"), skips=skips, about=about)


def with_numbers_skipped():
    """Rules on numbers, plain and protected, and numbers that are sent for who skips them."""
    text, unit, yes_no = wording("How many?"), wording("times"), labels("Yes", "No")
    counted = line("-1", "1", 6, unit) | {"whole": True}
    law, sides = [1, 2, 1, 0, 1], [[4, 1, 1], [2, 3, 1]]
    reports_result = reports(("Yes", [0]), ("No", [1]), ("?", [0, 1]))
    questions = [
        {"kind": "number", "name": "plain", "text": text, "line": counted},
        {"kind": "number", "name": "more", "text": text, "line": line("0", "1/2", 4, unit)},
        cuts("typed", text, counted, 2, law, typed=True, blank=(1, 5)),
        cuts("steps", text, line("0", "5", 6, unit), 2, law, ask="narrow"),
        ring("ring", text, counted, law, [1] * 6, 2),
        table("noisy", text, yes_no, reports_result, sides),
        choice("last", text, yes_no),
    ]
    rules = [(1, 0, [1], 0), (2, 0, [1, 2], 0), (3, 1, [0, 4], 5), (4, 0, [6], 3)]
    rules += [(5, 2, [0, 1, 2], 1), (6, 0, [1, 2, 3], 1)]
    skips = [dict(zip(KEYS, rule, strict=True)) for rule in rules]
    sections = [
        {"at": 0, "title": wording("First"), "text": wording("")},
        {"at": 5, "title": wording("Mixed"), "text": wording(""), "order": "random"},
    ]
    about = of_one_trait("often", "typed", "noisy")
    title = wording("Numbers that are skipped")
    return form(questions, title=title, skips=skips, sections=sections, about=about)


def with_spans_skipped():
    """Rules on many numbers, of which only the first and the last are told."""
    text, yes_no = wording("How much?"), labels("Yes", "No")
    cents = line("0", "1/100", 1_000_000, wording("euros"))
    law = [1, 2, 1, 0, 1]
    questions = [
        {"kind": "number", "name": "income", "text": text, "line": cents},
        choice("poor", text, yes_no),
        cuts("typed", text, line("-1", "1", 6, wording("")) | {"whole": True}, 2, law, typed=True),
        table("noisy", text, yes_no, reports(("Yes", [0]), ("No", [1])), [[3, 1], [1, 3]]),
    ]
    rules = [(1, 0, {"from": 500_000, "to": 1_000_000}, 1), (2, 0, {"from": 0, "to": 300_000}, 0)]
    rules += [(3, 2, {"from": 2, "to": 5}, 1)]
    skips = [dict(zip(KEYS, rule, strict=True)) for rule in rules]
    about = of_one_trait("often", "typed", "noisy")
    return form(questions, title=wording("Spans"), skips=skips, about=about)


def to_tick():
    """Two lists of questions with two answers each, and one list whose sets are its answers."""
    text, ticks = wording("A question?"), labels("Yes", "No")
    columns = reports(("Yes", [0]), ("No", [1]))
    noisy = [
        table(f"noisy_{character}", text, ticks, columns, [[3, 1], [1, 3]], (1, 9))
        for character in "abc"
    ]
    plain = [choice(f"plain_{character}", text, ticks) for character in "ab"]
    sets = labels("None", "A", "B", "A + B")
    reports_result = reports(*((item["label"]["en"], [index]) for index, item in enumerate(sets)))
    rows = [[5 if index == to else 1 for to in range(4)] for index in range(4)]
    entire = table("whole", text, sets, reports_result, rows) | {"ticks": 2}
    skips = [{"question": number, "after": 0, "answered": [1], "send": 1} for number in (1, 2, 3)]
    lists = [
        {
            "at": index,
            "text": wording(f"Which of {len(names)}?"),
            "items": list(map(wording, names)),
            "none": none,
        }
        for index, names, none in ((1, "ABC", wording("None")), (4, "AB", wording("Neither")))
    ]
    begins = {"at": 4, "title": wording("Last"), "text": wording("")}
    return form(
        [choice("first", text, ticks), *noisy, *plain, entire],
        title=wording("Lists"),
        skips=skips,
        sections=[begins],
        checklists=lists,
    )


def in_own_words():
    """Texts of one line and of several, comments beside a choice and a number, a skipped one."""
    text, yes_no = wording("A question?"), labels("Yes", "No")
    days = {"kind": "number", "name": "days", "text": text, "line": line("0", "1", 4, wording("d"))}

    def words(name, limit, lines, **more):
        questions = {"kind": "text", "name": name, "text": text, "limit": limit, "lines": lines}
        return questions | more

    requests = [
        choice("plain", text, yes_no),
        words("plain_comment", 12, 4, beside=True),
        days,
        words("days_comment", 100, 1, beside=True),
        words("short", 12, 1),
        table("noisy", text, yes_no, reports(("Yes", [0]), ("No", [1])), [[3, 1], [1, 3]]),
        words("long", 2000, 20),
    ]
    skips = [
        {"question": number, "after": 0, "answered": [1], "send": None} for number in (2, 3, 4)
    ]
    return form(requests, title=wording("In their own words"), skips=skips)


def with_quotas():
    """So many people of an answer to a plain question, before a protected one."""
    text, yes_no = wording("A question?"), labels("Yes", "No")
    noisy = table("noisy", text, yes_no, reports(("Yes", [0]), ("No", [1])), [[3, 1], [1, 3]])
    quotas = [{"question": 0, "answer": number, "most": 10 * number} for number in (0, 1)]
    questions = [choice("plain", text, yes_no), noisy]
    return form(questions, title=wording("Quotas"), quotas=quotas)


def in_rows():
    """A protected and a plain grid, a question between them, and rules that skip a whole one."""
    text, yes_no = wording("A question?"), labels("Yes", "No")
    columns = reports(("Yes", [0]), ("No", [1]))
    noisy = [table(f"noisy_{index}", text, yes_no, columns, [[3, 1], [1, 3]]) for index in range(2)]
    often = labels("never", "at times", "often")
    plain = [choice(f"plain_{index}", text, often) for index in range(3)]
    questions = [*noisy, choice("led", text, yes_no), *plain]
    skips = [
        {"question": number, "after": 2, "answered": [1], "send": None} for number in (3, 4, 5)
    ]
    grids = [
        {
            "at": position,
            "text": wording(replies),
            "items": [wording(f"Row {row}") for row in range(rows)],
        }
        for position, rows, replies in ((0, 2, "Which?"), (3, 3, "How often?"))
    ]
    return form(questions, title=wording("In rows"), grids=grids, skips=skips)


def to_go_on_with():
    """A plain and a protected question that can be gone on with for two weeks."""
    return form(with_quotas()["questions"], title=wording("Later"), later=14)


def carried():
    """An interviewer carries the page from one person to the next, who are thanked."""
    ending = {"thanks": wording("Thank you.")}
    return form(with_quotas()["questions"], title=wording("Carried"), tablet=True, ending=ending)


def pinned():
    """A browser keeps the page that it opened first."""
    return form(with_quotas()["questions"], title=wording("Pinned"), pin=True)


def saved():
    """Whoever saved the page, or got it by mail, may answer on it."""
    parts = {"title": wording("Saved"), "collector": "https://example.org/survey/", "saved": True}
    return form(with_quotas()["questions"], **parts)


def kept_apart():
    """Protected and plain answers are kept in two stores: rules join no two parts."""
    questions = [
        choice("plain", wording("P"), labels("A", "B")),
        table(
            "hidden",
            wording("H"),
            labels("A", "B"),
            reports(("A", [0]), ("B", [1])),
            [[3, 1], [1, 3]],
        ),
        choice("later", wording("L"), labels("A", "B")),
    ]
    rule = {"question": 2, "after": 0, "answered": [1], "send": None}
    return form(questions, title=wording("Apart"), apart=True, skips=[rule])


SEALED = json.loads((Path(__file__).parents[1] / "oracles/rfc9180.json").read_text("ascii"))


def sealed():
    """What leaves a frame is sealed for a study: for the receivers of RFC 9180's examples."""
    key = to_base64url(bytes.fromhex(SEALED["x25519"]["pkRm"] + SEALED["p256"]["pkRm"]))
    return form(with_quotas()["questions"], title=wording("Sealed"), seal=key)


def in_sealed_words():
    """Texts that the device encrypts, in a form that keeps its parts apart."""
    text, yes_no = wording("A question?"), labels("Yes", "No")

    def words(name, limit, lines, **more):
        questions = {"kind": "sealed", "name": name, "text": text, "limit": limit, "lines": lines}
        return questions | more

    questions = [
        choice("plain", text, yes_no),
        words("plain_comment", 12, 4, beside=True),
        table("noisy", text, yes_no, reports(("Yes", [0]), ("No", [1])), [[3, 1], [1, 3]]),
        words("short", 1, 1),
        words("long", 300, 20),
    ]
    return form(questions, title=wording("Locked"), seal=sealed()["seal"], apart=True)


KEY = json.loads((Path(__file__).parents[1] / "oracles/rfc9474.json").read_text("ascii"))
"""Keys and signatures that were printed."""

VARIANT = "RSABSSA-SHA384-PSS-Randomized"


def for_the_invited():
    """A plain and a protected question that need a token, under the key of RFC 9474."""
    modulus = int(KEY[VARIANT]["n"], 16)
    key = {"name": "everybody", "n": to_base64url(modulus.to_bytes(512, "big"))}
    tokens = {"issuer": "https://issuer.example/", "keys": [key]}
    return form(with_quotas()["questions"], title=wording("Invited"), tokens=tokens)


def for_a_crowd():
    """The same under two keys that say how many codes they have, one as few as it may."""
    modulus = int(KEY[VARIANT]["n"], 16)
    keys = [
        {"name": name, "n": to_base64url((modulus + more).to_bytes(512, "big")), "codes": codes}
        for name, more, codes in (("north", 0, 120), ("south", 2, 50))
    ]
    tokens = {"issuer": "https://issuer.example/", "keys": keys}
    questions, about = with_quotas()["questions"], {"minimum": 50}
    return form(questions, title=wording("Counted"), about=about, tokens=tokens)


def for_everybody():
    """The same where each report costs work, and few come from one place."""
    cost = {"work": 8, "rate": 30}
    return form(with_quotas()["questions"], title=wording("Open to all"), open=cost)


def with_evidence():
    """A teach-back in two groups, one of which reads an explanation; then a sensitive question."""
    means = ("Right", [2]), ("Other", [0, 1, 3])
    columns = reports(*((f"{group}: {name}", own) for group in ("1", "2") for name, own in means))
    rows = [[3, 1, 3, 1] if right else [1, 3, 1, 3] for right in (False, False, True, False)]
    quiz = table("quiz", wording("What is sent?"), labels(*"ABCD"), columns, rows)
    noisy = reports(("Yes", [0]), ("No", [1]))
    requests = table("asked", wording("And?"), labels("Yes", "No"), noisy, [[3, 1], [1, 3]])
    groups = [{"first": "card"}, {"first": "picture", "text": wording("Imagine a coin.")}]
    evidence = {"question": 0, "groups": groups}
    questions = [grouped(quiz, 2, 2), requests]
    return form(questions, title=wording("Evidence"), evidence=evidence)


FORMS_2 = {
    "groups": by_chance(),
    "coins": in_the_world(),
    "sections": in_sections(),
    "skips": with_skips(),
    "lists": to_tick(),
    "quotas": with_quotas(),
    "later": to_go_on_with(),
    "tokens": for_the_invited(),
    "evidence": with_evidence(),
}
"""Forms of the second version."""


def shown():
    """What is sent may be untrue, and everybody is shown it."""
    columns = reports(("Yes", [0]), ("No", [1]))
    questions = [
        table("noisy", wording("A question?"), labels("Yes", "No"), columns, [[3, 1], [1, 3]])
    ]
    return form(questions, title=wording("Shown"), review="open")


def of_unknown_share():
    """Replies that tell the shares of sets of answers: pairs, by two rules in the world."""
    text, unit = wording("Which?"), [("yes", "yes"), ("yes", "no"), ("no", "yes"), ("no", "no")]
    pairs, replies = labels(*map(", ".join, unit)), labels("1: yes", "1: no", "2: yes", "2: no")
    means = [[0, 1, 2], [1, 2, 3]] * 2
    rows = [[3, 0, 3, 0], [2, 1, 1, 2], [1, 2, 2, 1], [0, 3, 0, 3]]
    sets = [{"name": name, "label": wording(name)} for name in ("yes", "no")]
    tossed_result = tossed(choice("two", text, replies), wording("a die"), pairs, means, rows)
    tossed_result["coin"]["sets"] = [sets[0] | {"answers": [0, 1]}, sets[1] | {"answers": [2, 3]}]
    return form([tossed_result], title=wording("An unknown share"))


DOT = "data:image/svg+xml;base64,PHN2Zy8+"
"""An image, as small as it can be."""


def looked():
    """The study's own colours, and its logo."""
    logo = {"image": DOT, "alt": wording("A dot", "Ein Punkt")}
    answers = [{"name": word, "label": wording(word, word)} for word in ("1", "2")]
    questions = [choice("plain", wording("A question?", "Eine Frage?"), answers)]
    colours = {"light": "#7a1fa2", "dark": "#d59be8"}
    look = {"colours": colours, "logo": logo}
    return form(questions, languages=["en", "de"], title=wording("Look", "Aussehen"), look=look)


def with_images():
    """Images beside a question, its answers, its replies, a number, and the items of both lists."""
    dot = {"image": DOT, "alt": wording("A dot")}
    webp = "data:image/webp;base64,UklGRgwAAABXRUJQVlA4TA=="
    lists = to_tick()
    whole_first = next(
        index for index, question in enumerate(lists["questions"]) if question.get("ticks")
    )
    first = lists["checklists"][0]["at"]
    more = [
        choice("plain", wording("Which?"), labels("One", "Two", "Three")),
        {"kind": "number", "name": "many", "text": wording("How many?")}
        | {"line": line("0", "1", 4, wording("days"))},
    ]
    count = len(lists["questions"])
    images = [
        dot
        | {"at": [{"question": count}, {"question": count, "answer": 2}, {"question": count + 1}]},
        {"image": webp, "alt": wording("Another"), "at": [{"question": count, "answer": 0}]},
        dot | {"at": [{"question": first, "answer": 1}, {"question": whole_first, "answer": 0}]},
        dot | {"at": [{"question": first}]},
    ]
    remaining = {key: lists[key] for key in ("sections", "checklists")}
    return form(
        [*lists["questions"], *more],
        title=wording("Images"),
        about=lists["about"],
        images=images,
        **remaining,
    )


def long_numbers():
    """Plain numbers on lines of more ticks than form-1 has words for, beside a short one."""
    unit = wording("euros")
    lines = {
        "income": line("-1", "1", 10_000_001, unit) | {"whole": True},
        "spent": line("0", "0.01", 10**12, unit),
        "born": line("1899", "1", 121, wording("")) | {"whole": True},
    }
    text = wording("How much?")
    questions = [
        {"kind": "number", "name": n, "text": text, "line": value} for n, value in lines.items()
    ]
    return form(questions, askance="form-2", title=wording("Long lines"))


def in_its_own_words():
    """Words that the page has none of: a text, one with blanks, one by plurals, several, cases."""
    replies = {
        "leave": "Nu weg",
        "step": "Vraag {at} van {of}",
        "send": {"one": "{count} stuurt {said}", "other": "{count} sturen {said}"},
        "practiceAnswers": ["Thee", "Koffie"],
        "stoppedHint": {"changed": "Niet invullen.", "unsafe": "", "chance": "", "homeless": ""},
    }
    questions = [
        choice(
            "plain",
            {"nl": "Een vraag?"},
            [{"name": word, "label": {"nl": word}} for word in ("ja", "nee")],
        )
    ]
    words = {"nl": {"checked": True, "words": replies}}
    return form(questions, languages=["nl"], title={"nl": "Woorden"}, words=words)


def with_needed():
    """Questions that nobody may leave out: named, typed, narrowed, protected, and a text."""
    text, yes_no = wording("A question?"), labels("Yes", "No")
    unit = wording("times")
    days = {"kind": "number", "name": "days", "text": text, "line": line("0", "1", 4, unit)}
    steps = cuts("steps", text, line("0", "1", 6, unit), 2, [1] * 5, ask="narrow")
    words = {"kind": "text", "name": "words", "text": text, "limit": 40, "lines": 1}
    noisy = table("noisy", text, yes_no, reports(("Yes", [0]), ("No", [1])), [[3, 1], [1, 3]])
    questions = [choice("plain", text, yes_no), days, noisy, steps, words]
    free = choice("free", text, yes_no)
    return form(
        [*(question | {"needed": True} for question in questions), free], title=wording("Needed")
    )


def by_invitation():
    """Groups of one share each, among which invitations choose: two of them, and three."""
    text, yes_no = wording("A question?"), labels("Yes", "No")
    pair = ("1: Yes", [0]), ("1: No", [1]), ("2: Yes", [0]), ("2: No", [1])
    wide = reports(*pair, ("3: Yes", [0]), ("3: ?", [0, 1]), ("3: No", [1]))
    two, three = [[5, 1, 4, 2], [1, 5, 2, 4]], [[5, 1, 4, 2, 2, 3, 1], [1, 5, 2, 4, 0, 1, 5]]
    questions = [
        grouped(table("two", text, yes_no, reports(*pair), two, (1, 9)), 2, 2),
        grouped(table("three", text, yes_no, wide, three), 2, 2, 3),
    ]
    invited = [question | {"assigned": "invitation"} for question in questions]
    return form(invited, title=wording("Groups by invitation"))


def with_pipes():
    """Texts that take up what was answered before: a choice, a number and a text."""
    yes_no = labels("Yes", "No")
    days = {"kind": "number", "name": "days", "text": wording("How many?")}
    words = {"kind": "text", "name": "words", "text": wording("{days|Some}, in a word?")}
    columns = reports(("Yes", [0]), ("No", [1]))
    last = wording("{words|It} of {first|them} on {days|some days}")
    questions = [
        choice("first", wording("Which?"), yes_no),
        days | {"line": line("0", "1", 4, wording("days"))},
        words | {"limit": 9, "lines": 1, "piped": True},
        table("noisy", wording("Used?"), yes_no, columns, [[3, 1], [1, 3]]),
        choice("last", last, yes_no) | {"piped": True},
    ]
    return form(questions, title=wording("Pipes"))


def in_lists():
    """A list experiment in which one person in three counts the sensitive item too."""
    text, yes_no = wording("How many are true of you?"), labels("Yes", "No")
    types = labels(*(f"{holds}, {count}" for holds in ("No", "Yes") for count in range(3)))
    sent = [(f"A: {count}", [count, 3 + count]) for count in range(3)]
    sent += [("B: 0", [0]), ("B: 1", [1, 3]), ("B: 2", [2, 4]), ("B: 3", [5])]
    rows = [
        [2 * (column == count) + (column == 3 + count + holds) for column in range(7)]
        for holds in (0, 1)
        for count in range(3)
    ]
    counted = grouped(table("counted", text, types, reports(*sent), rows, (1, 9)), 3, 4)
    items = [wording("I drink tea."), wording("I run.")]
    count = {"items": items, "sensitive": wording("I cheated."), "answers": yes_no}
    plain = [choice(name, text, yes_no) for name in ("plain", "after")]
    questions = [plain[0], counted | {"count": count}, plain[1]]
    return form(questions, title=wording("A list experiment"))


SPELT_2 = {
    "lists to count": in_lists(),
    "open": for_everybody(),
    "crowd": for_a_crowd(),
    "pipes": with_pipes(),
    "needed": with_needed(),
    "invited": by_invitation(),
    "unknown share": of_unknown_share(),
    "words": in_its_own_words(),
    "ending": sent_back(),
    "grids": in_rows(),
    "within": framed(),
    "shown": shown(),
    "look": looked(),
    "images": with_images(),
    "long lines": long_numbers(),
    "skipped numbers": with_numbers_skipped(),
    "texts": in_own_words(),
    "tablet": carried(),
    "pinned": pinned(),
    "saved": saved(),
    "apart": kept_apart(),
    "sealed": sealed(),
    "sealed texts": in_sealed_words(),
    "skipped spans": with_spans_skipped(),
}
"""Forms of it in which nothing new is drawn."""


def proving():
    """Questions that can send a record of one answer only, and their likes that cannot."""
    drinks = line("-1", "1", 6, wording("drinks")) | {"whole": True}
    ages = drinks | {"lower": "17"}
    pairs = drinks | {"step": "2"}
    parts = line("0", "1", 6, wording("drinks"))
    answers, yn = labels("Yes", "No"), wording("?")
    even, open_at = [1] * 6, [[1, 3]]
    floor_result = floor([1, 1, 1, 1, 1, 1], 4, "withhold")
    three = reports(("AB", [0, 1]), ("AC", [0, 2]), ("BC", [1, 2]))
    pairs_of_three = [[1, 1, 0], [1, 0, 1], [0, 1, 1]]
    boxes = labels("None", "A", "B", "A + B")
    of_boxes = reports(("No B", [0, 1]), ("No A", [0, 2]), ("Some", [1, 2, 3]))

    def none_harms(innocent):
        return {"about": {"innocent": innocent}}

    def told(name, rows, names=("Yes", "No")):
        return table(
            name,
            yn,
            answers,
            reports(*((item, [min(index, 1)]) for index, item in enumerate(names))),
            rows,
        )

    def cut(name, on, number, weights, **rules):
        return cuts(name, yn, on, number, weights, **rules)

    questions = [
        told("silent", [[3, 0, 1], [0, 3, 1]], ("Yes", "No", "Silent")),
        told("one_sided", [[6, 0], [1, 5]]),
        told("both_ways", [[5, 1], [1, 5]]),
        told("bare", [[1, 0], [0, 1]]),
        cut("lowest", drinks, 1, [1, 0, 0, 0, 0]),
        cut("adult", ages, 1, [1, 0, 0, 0, 0]),
        cut("one_cut", drinks, 1, [0, 1, 1, 1, 1]),
        cut("two_cuts", ages, 2, [0, 1, 1, 0, 0]),
        cut("apart", drinks, 2, [0, 1, 0, 1, 0]),
        cut("highest", ages, 2, [0, 0, 0, 0, 1]),
        cut("by_two", pairs, 3, [1, 1, 1, 1, 1]),
        cut("in_parts", parts, 3, [1, 1, 1, 1, 1]),
        cut("kept_wide", drinks, 3, [1, 1, 1, 1, 1], floor=floor(even, 2, "skip")),
        cut(
            "kept_by_people", drinks, 2, [1, 1, 1, 1, 1], floor=floor([2, 1, 3, 1, 1, 2], 3, "skip")
        ),
        cut("kept_at_end", ages, 2, [1, 1, 1, 1, 1], floor=floor([1, 2, 3, 0, 1, 2], 3, "skip")),
        cut("withheld", drinks, 2, [1, 1, 1, 1, 1], floor=floor(even, 2, "withhold")),
        cut(
            "withheld_in_part",
            ages,
            2,
            [1, 1, 1, 1, 1],
            floor=floor([1, 1, 2, 1, 1, 1], 2, "withhold"),
        ),
        cut("beside_exact", ages, 2, [0, 1, 0, 1, 0], open=open_at),
        cut("next_to_exact", drinks, 1, [0, 0, 1, 0, 0], open=open_at),
        ring("pair", yn, ages, [1, 1, 1, 1, 1], even, 1),
        ring("wide_pair", yn, ages, [1, 1, 1, 1, 1], even, 2),
        ring("uneven_pair", yn, ages, [1, 0, 1, 1, 0], [1, 1, 1, 2, 1, 1], 2),
        cut("convicts", parts, 1, [1, 1, 1, 1, 1]) | none_harms("0"),
        cut("convicts_of_more", drinks, 2, [0, 1, 0, 1, 0]) | none_harms("2"),
        cut("convicts_beside_exact", parts, 1, [0, 1, 0, 0, 1], open=open_at) | none_harms("2"),
        cut("never_convicts", parts, 1, [1, 0, 0, 0, 0], floor=floor_result) | none_harms("6"),
        ring("convicts_around", yn, parts, [1, 1, 1, 1, 1], even, 2) | none_harms("3"),
        table("not_that", yn, labels("A", "B", "C"), three, pairs_of_three) | none_harms("a"),
        table("ticked", yn, boxes, of_boxes, [[1, 1, 0], [1, 0, 1], [0, 1, 1], [0, 0, 2]])
        | {"ticks": 2},
        tossed(choice("tossed", yn, answers), yn, answers, [[0, 1], [1]], [[3, 0], [1, 2]]),
    ]
    return form(questions)


PROVING = {"proving": proving()}

TEXTS = [
    "Tea",
    "Rühreier 🍳",
    "twelve signs",
    "thirteen sign",
    "🍳🍳🍳🍳🍳🍳",
    "🍳🍳🍳🍳🍳🍳.",
    "<b>&amp;</b>",
    '\\"{}\\u0000',
    "שלום",
    "e\u0301 é",
    "two\nlines",
    "two\r\nlines",
    "two\u2028lines",
    "a\ttab",
    "",
    " ",
    " before",
    "behind\n",
    "no\u00a0break",
    "\u00a0",
    "turned\u202e",
    "half \ud83d",
    "\x1b[2K",
    "x" * 100,
    "ä" * 2000,
    "ä" * 2001,
    None,
    0,
    True,
    ["Tea"],
    {"text": "Tea"},
]
"""What might be given for a text, and what is none."""
