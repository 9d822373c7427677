"""Write the vectors in src/askance_collect/wire/vectors: run again, and the bytes are the same."""

import hashlib
import hmac
import json
from base64 import b64decode, b64encode
from bisect import bisect_right
from fractions import Fraction
from itertools import accumulate, islice, product
from pathlib import Path
from unicodedata import category
from unicodedata import decimal as digit_of

from bad_documents import BAD_ANSWERS, BAD_BOUNDS, BAD_FORMS, BAD_FORMS_2, BAD_REPORTS
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from sample_forms import FORMS, FORMS_2, KEY, PROVING, SEALED, SPELT, SPELT_2, TEXTS, VARIANT

from askance.transparency import PublicLog, SigningKey, prove_entry, prove_growth
from askance_collect.exact import Line
from askance_collect.respond import (
    assigned_group,
    blind_with,
    draw,
    draw_bounds,
    encode,
    follow_skips,
    list_cells,
    place_in_group,
)
from askance_collect.wire import (
    CutsQuestion,
    Form,
    FreeText,
    Report,
    RingQuestion,
    TableQuestion,
    from_base64url,
    leaf_hash,
    solve_stamp,
    to_base64url,
    tree_head,
)

HOME = Path(__file__).parents[2] / "src/askance_collect/wire/vectors"
WORDS = 1 << 48
PART_COLUMNS = ["form", "question", "draws", "cells", "answer", "values"]
COLUMNS = ["form", "question", "words", "answer", "draws", "used", "value"]
LINE_COLUMNS = ["lower", "step", "ticks", "number", "cell", "tick"]
LINES_OF = [("17", "1", 53), ("-1000", "1000", 21), ("0", "0.5", 48), ("-1/3", "1/6", 7)]
WHOLE_LINES_OF = [("-1", "1", 41), ("-1", "5", 20), ("-12", "2", 6)]
CASES = 1500
LINES = 400
WHOLE_LINES = 60
BODIES = 60
PARTS = 20
CASES_2, BODIES_2, SMALL = 200, 10, 100
FEW_PAIRS = 60
PROOF_COLUMNS = ["form", "question", "proofs"]
EDGE_COLUMNS = ["form", "question", "positions", "cells"]
READING_COLUMNS = ["group", "decimal", "typed", "readings"]
PLACED, PLACED_COLUMNS = 20, ["form", "question", "draws", "group", "placed"]
SKIPS, SKIP_COLUMNS = 40, ["form", "answers", "encoded"]
TOKENS, TOKEN_COLUMNS = 4, ["prefix", "salt", "factor", "shown", "signed", "token"]
STAMPS, STAMP_COLUMNS = 6, ["challenge", "report", "work", "stamp"]
LOGGED = 8
GROUP_COLUMNS = ["form", "question", "draws", "group", "values"]


def stream(seed):
    """Give the 48-bit words of a SHA-256 counter stream."""
    count = 0
    while True:
        block = hashlib.sha256(f"{seed}:{count}".encode()).digest()
        yield from (int.from_bytes(block[index : index + 6], "big") for index in range(0, 30, 6))
        count += 1


def recorded(words):
    """Give a source of words, and the list of what it has given."""
    chosen = []

    def word():
        chosen.append(next(words))
        return chosen[-1]

    return word, chosen


def hexadecimal(words):
    return "".join(f"{word:012x}" for word in words)


def answers_to(question):
    if draw_bounds(question) and not isinstance(question, TableQuestion):
        return question.line.ticks
    return len(question.answers) if hasattr(question, "answers") else question.line.ticks + 1


def an_answer(question, words):
    if isinstance(question, FreeText):
        return TEXTS[0] if words() % 2 else None
    chosen = words() % (answers_to(question) + 1)
    return None if chosen == answers_to(question) else chosen


def draw_cases(forms, cases=CASES):
    dice = stream("which")
    requests = [
        (name, position) for name, form in forms.items() for position in range(len(form.questions))
    ]
    for case in range(cases):
        name, index = requests[case % len(requests)]
        question = forms[name].questions[index]
        answer = an_answer(question, lambda: next(dice))
        word, chosen = recorded(stream(f"case {case}"))
        draws = draw(question, word)
        yield [
            name,
            index,
            hexadecimal(chosen),
            answer,
            draws,
            len(chosen),
            encode(question, answer, draws),
        ]


def range_questions(forms):
    for name, form in forms.items():
        for index, question in enumerate(form.questions):
            if isinstance(question, CutsQuestion | RingQuestion):
                yield name, index, question


def part_cases(forms):
    """How draws part the line, and what is sent after each number of steps."""
    for name, index, question in range_questions(forms):
        for case in range(PARTS):
            draws = draw(question, recorded(stream(f"part {name} {index} {case}"))[0])
            answer = (5 * case + index) % question.line.ticks
            narrow = isinstance(question, CutsQuestion) and question.progressive
            steps = range(question.number + 1) if narrow else ()
            values = [encode(question, answer, draws, count) for count in steps]
            yield [name, index, draws, list_cells(question, draws), answer, values]


def edge_cases(forms):
    """Words on either side of where rejection begins: the last one taken, the first thrown away."""
    last = WORDS - 1
    for name, form in forms.items():
        for index, question in enumerate(form.questions):
            edges = [WORDS - WORDS % bound for bound in draw_bounds(question)]
            chosen = [edge - 1 for edge in edges]
            thrown = [
                w for edge in edges for w in ((edge, last) if edge <= last else ()) + (edge - 1,)
            ]
            for words in (chosen, thrown):
                draws = draw(question, recorded(iter(words))[0])
                value = encode(question, 0, draws)
                yield [name, index, hexadecimal(words), 0, draws, len(words), value]


def drawn_edges(forms):
    """Give what is drawn at every edge of the weights laid end to end, and beside it.

    Cuts and pairs are counted here one by one: neither half of the vectors has drawn them. Of a
    ring with many pairs the edges are those between pairs with another first tick.
    """
    for name, index, question in range_questions(forms):
        ring = isinstance(question, RingQuestion)
        draws, units = zip(*(pairs_of if ring else cuts_of)(question), strict=True)
        ends = list(accumulate(units))
        last = dict(zip((item[0] if ring else item for item in draws), ends, strict=True))
        rows = len(ends) > FEW_PAIRS and ring
        near = around([*last.values()] if rows else ends)
        yield [name, index, near, [draws[bisect_right(ends, position)] for position in near]]


def proof_cases(forms):
    """Name the records of each protected question that prove something, by enumeration."""
    for name, form in forms.items():
        for index, question in enumerate(form.questions):
            raw = form.document["questions"][index]
            if "table" in raw or "coin" in raw:
                yield [
                    name,
                    index,
                    [list(proof) for proof in proving_columns(raw.get("coin", raw))],
                ]
            elif isinstance(question, CutsQuestion | RingQuestion):
                kinds = dict.fromkeys(proving_cells(question), "ANSWER")
                kinds = dict.fromkeys(convicting_cells(question, raw), "NOT_INNOCENT") | kinds
                yield [name, index, sorted(map(list, kinds.items()))]


def proving_columns(judged):
    """Name the columns that prove the answer, a tick, or that it is not the innocent one."""
    rows, ticks = judged["table"]["rows"], judged.get("ticks", 0)
    senders = {
        column: {answer for answer, row in enumerate(rows) if row[column]}
        for column in range(len(rows[0]))
    }
    senders = {column: answers for column, answers in senders.items() if answers}
    if all(len(answers) == 1 for answers in senders.values()):
        return
    sets = [set(part["answers"]) for part in judged.get("sets", [])]
    if "count" in judged:
        half = len(rows) // 2
        sets = [set(range(half)), set(range(half, 2 * half))]
    names = [label["name"] for label in judged["answers"]]
    innocent = judged["about"].get("innocent")
    for column, answers in senders.items():
        if any(
            answers <= members for members in sets or [{position} for position in range(len(rows))]
        ):
            yield column, "ANSWER"
        elif any(len({answer >> item & 1 for answer in answers}) == 1 for item in range(ticks)):
            yield column, "PART"
        elif not sets and innocent in names and names.index(innocent) not in answers:
            yield column, "NOT_INNOCENT"


def convicting_cells(question, raw):
    """Name the ranges that chance can send and that do not hold the innocent number."""
    if (declared := raw["about"].get("innocent")) is None:
        return
    line, getattr_result = question.line, getattr(question, "open", ())
    exact = {step for above, upto in getattr_result for step in range(above, upto)}
    innocent = next(
        step for step in range(line.ticks) if line.value_at(step + 1) >= Fraction(declared)
    )
    for low, high in ranges_sent(question):
        inside = range(low, high) if low < high else (*range(high), *range(low, line.ticks))
        if (steps := set(inside) - exact) and innocent not in steps:
            yield low, high


def proving_cells(question):
    """Name the ranges that chance can send and that leave one whole number, its ends known."""
    line, getattr_result = question.line, getattr(question, "open", ())
    exact = {step for above, upto in getattr_result for step in range(above, upto)}
    for low, high in ranges_sent(question):
        inside = range(low, high) if low < high else (*range(high), *range(low, line.ticks))
        steps = [step for step in inside if step not in exact]
        numbers = [
            number
            for step in steps
            for number in range(int(line.value_at(step)) + 1, int(line.value_at(step + 1)) + 1)
        ]
        if not line.integer or len(numbers) != 1 or numbers[0] == line.upper:
            continue
        if numbers[0] > line.lower or line.lower == 0:
            yield low, high


def ranges_sent(question):
    """Walk through every range that cuts can leave, cut by cut, or list the pairs of a ring."""
    ticks = question.line.ticks
    if isinstance(question, RingQuestion):
        for (low, high), _ in pairs_of(question):
            yield from ((low, high), (high, low))
        return
    floor, ats = (
        question.floor,
        [index for index, weight in enumerate(question.weights, start=1) if weight],
    )
    skips = floor is not None and not question.withhold
    observed = last = {(0, ticks)}
    for _ in range(question.number):
        sides = {
            side
            for low, high in last
            for tick in ats
            if low < tick < high
            and not (
                skips
                and min(sum(floor.sizes[low:tick]), sum(floor.sizes[tick:high])) < floor.minimum
            )
            for side in ((low, tick), (tick, high))
        }
        last = sides - observed
        observed = observed | sides
    cells = {
        cell
        for cell in observed
        if not question.withhold or sum(floor.sizes[slice(*cell)]) >= floor.minimum
    }
    always = question.number and not skips and (0, ticks) in cells
    yield from cells - ({(0, ticks)} if always else set())


def floor_figures():
    """Give sizes with a floor, and how many of 100 people it keeps, in tenths rounded down."""
    for total in (1, 3, 7, 1000, 1001, 2**40 - 1):
        for tenth in (0, 1, 99, 333, 500, 999, 1000):
            for least in {total * tenth // 1000 + more for more in (-1, 0, 1)}:
                if 1 <= least <= total:
                    kept_first = next(
                        index for index in range(1000, -1, -1) if index * total <= 1000 * least
                    )
                    yield [total, least, kept_first]


def blank_figures():
    """Give chances of a blank, and the ratio that bounds what one tells, in hundredths, up."""
    for over, below in ((1, 5), (1, 3), (2, 7), (999, 1000), (1, 101), (2**40 - 1, 2**43)):
        yield [[over, below], -(-100 * below // over)]


def counts_of_people():
    """Give units of a total, and the two whole numbers of 100 people that they lie between."""
    for total in (1, 3, 7, 100, 101, 200, 1000, 2**40 - 1, 2**48):
        near = {total * hundredth // 100 for hundredth in (0, 1, 2, 33, 50, 98, 99, 100)}
        for units in sorted({item + more for item in near for more in (-1, 0, 1, 2)}):
            if 0 <= units <= total:
                yield [units, total, around_of_100(units, total)]


def around_of_100(units, total):
    """Find the last whole number of 100 people that is no more, and the first that is no less."""
    no_more = [people for people in range(101) if people * total <= 100 * units]
    no_less = [people for people in range(101) if people * total >= 100 * units]
    return [no_more[-1], no_less[0]]


def counts_of_dots():
    """Give a row of a table, and how many of 100 dots are of each report, and of one of them."""
    rows = [row for total in (1, 3, 7, 101) for row in product(range(total + 1), repeat=2)]
    rows = [(*row, total - sum(row)) for row in rows for total in (3, 7, 101) if sum(row) <= total]
    large = [(2**48 - rest, rest) for rest in (0, 1, 2**48 // 100, 2**48 // 100 + 1, 2**47)]
    for row in [*rows[::23], *large]:
        certain = [around_of_100(units, sum(row))[0] for units in row]
        yield [list(row), [*certain, 100 - sum(certain)]]


def people_inside():
    """Give sizes, a range of steps, and how many of 100 people are in it, rounded down."""
    for sizes in ([996, 3, 1], [1, 2, 4, 0, 93], [2**40, 1, 3], [1, 199], [3, 0, 4]):
        for above, up_to in product(range(len(sizes)), range(1, len(sizes) + 1)):
            inside = sum(sizes[above:up_to])
            if above < up_to and inside < sum(sizes):
                yield [sizes, [above, up_to], around_of_100(inside, sum(sizes))[0]]


def ruling_out():
    """Give small tables, and whether some report of theirs rules an answer out."""
    for rows in product(((3, 1, 0), (2, 1, 1), (1, 2, 1), (0, 4, 0)), repeat=2):
        columns = list(zip(*rows, strict=True))
        yield [list(rows), any(0 in column and any(column) for column in columns)]


def around(ends):
    """List the places beside each end: the last before, the first after, and one more."""
    near = {position for end in (0, *ends) for position in (end - 1, end, end + 1)}
    return sorted(position for position in near if 0 <= position < ends[-1])


def pairs_of(question):
    """List the pairs that can be drawn, with their units, by the first tick and then the other."""
    weights, floor = question.law.weights, question.law.floor
    ticks = range(1, len(weights) + 1)
    for low in ticks:
        for high in ticks[low:]:
            inside = sum(floor.sizes[low:high])
            units = weights[low - 1] * weights[high - 1]
            if units and inside >= floor.minimum and sum(floor.sizes) - inside >= floor.minimum:
                yield (low, high), units


def cuts_of(question):
    """List the first cuts that can be drawn, with their weights; none where the floor skips it."""
    for tick, weight in enumerate(question.weights, start=1):
        sides = question.line.ticks if question.floor is None else question.floor.sizes
        skipped = (
            question.floor is not None
            and not question.withhold
            and min(sum(sides[:tick]), sum(sides[tick:])) < question.floor.minimum
        )
        if weight:
            yield (None if skipped else tick), weight


CONVENTIONS = {
    "en": ",.",
    "de": ".,",
    "fr": "\u202f,",
    "hi": ",.",
    "ch": "\u2019.",
    "fa": "\u066c\u066b",
}
SCRIPTS = (
    "0123456789",
    *("".join(chr(zero + index) for index in range(10)) for zero in (0x660, 0x6F0, 0x966, 0xFF10)),
)
NUMBERS = ["0", "7", "45", "125", "999", "1000", "12345", "45000", "1250000", "123456789012345"]
DECIMALS = "", "5", "25", "125", "000", "500", "1250", "000001"
NO_NUMBERS = (
    *(
        "",
        " ",
        "-",
        "+",
        ".",
        ",",
        "one",
        "1e3",
        "1/2",
        "1..5",
        "1,,000",
        "4.5.0",
        "1,000.000.5",
        "1.",
        ".",
        "1000.",
        "5.e",
    ),
    *(
        "1 2",
        "10 00",
        "1.0000000",
        "12345678901234567",
        "--1",
        "1-",
        "50 \u20ac",
        "$50",
        "5-",
        "5 6",
        "- 5",
        "5\u20136",
        "5\u00b2",
        "\u00bd",
        "1\u00bd",
        "\u2460",
        "5\u2044",
        "0x10",
        "1_000",
        "0,125,000",
        "\u0661\u060c\u0665",
    ),
)


def reading_cases():
    """Numbers as they are typed, written in the marks of a language, and what each means."""
    for language, (group, decimal) in CONVENTIONS.items():
        for case, (number, decimals) in enumerate(product(NUMBERS, DECIMALS)):
            if len(number + decimals) > MOST_TYPED:
                continue
            sign, digits = ("", "-", "\u2212", "+")[case % 4], SCRIPTS[case % len(SCRIPTS)]
            meant = [f"{sign.replace(MINUS, '-').strip('+')}{number}.{decimals or 0}"]
            plain = f"{number}{decimal}{decimals}" if decimals else number
            clear = len(decimals) != 3 or len(number) > 3 or number == "0" or language == "fa"
            if not clear:
                meant.append(meant[0].replace(".", ""))
            written = [(plain, meant)]
            if len(number) > 3:
                tail = f"{decimal}{decimals}" if decimals else ""
                marks = {group, " ", "\u00a0", "\u202f", "'"} if case % 3 == 0 else {group}
                written += [(grouped(number, mark) + tail, meant) for mark in sorted(marks)]
            for typed, readings in written:
                native = typed.translate(dict(zip(map(ord, SCRIPTS[0]), digits, strict=True)))
                yield [
                    group,
                    decimal,
                    sign + native,
                    [str(Fraction(reading)) for reading in readings],
                ]
        for typed in NO_NUMBERS:
            yield [group, decimal, typed, []]
    yield from OTHER_READINGS


MOST_TYPED, MINUS = 15, "\u2212"
OTHER_READINGS = (
    # A decimal point is read where a comma is the rule, and the other way round it is not.
    [".", ",", "1.5", ["3/2"]],
    [",", ".", "1,5", []],
    # The language's own mark for thousands is one; another one before three digits is unclear.
    [".", ",", "1.000", ["1000"]],
    [",", ".", "1,000", ["1000"]],
    [",", ".", "1.000", ["1", "1000"]],
    [".", ",", "1,000", ["1", "1000"]],
    ["\u202f", ",", "1.000", ["1", "1000"]],
    ["\u202f", ",", "1,250", ["5/4", "1250"]],
    ["\u2019", ".", "1.250", ["5/4", "1250"]],
    ["\u066c", "\u066b", "1.250", ["5/4", "1250"]],
    ["\u066c", "\u066b", "1,250", ["1250"]],
    # Marks that mean one thing alone, wherever they stand.
    [",", ".", "1\u066b250", ["5/4"]],
    [".", ",", "1\u066c250", ["1250"]],
    [",", ".", "1 250.125", ["10001/8"]],
    [",", ".", "12,34,567.250", ["4938269/4"]],
    [",", ".", "0.125", ["1/8"]],
    [",", ".", "007", ["7"]],
    [",", ".", "-0", ["0"]],
    [",", ".", "\u200f\u0661\u0662\u200e", ["12"]],
    [",", ".", "\uff0d\uff11\uff0e\uff15", ["-3/2"]],
    # A point in front; strokes and apostrophes that a keyboard chose; digits of one script or two.
    [",", ".", ".5", ["1/2"]],
    [",", ".", "-.250", ["-1/4"]],
    [".", ",", ",5", ["1/2"]],
    [".", ",", ".5", ["1/2"]],
    [",", ".", ",5", []],
    [",", ".", "\u20135", ["-5"]],
    ["\u2019", ".", "1\u2018000", ["1000"]],
    ["\u00a0", ",", "1\u02bc000,5", ["2001/2"]],
    [",", ".", "-123456789012345", ["-123456789012345"]],
    [",", ".", "1\u0662\u0e53", ["123"]],
    [",", ".", "\U0001d7cf\U0001d7d0", ["12"]],
    ["\u066c", "\u066b", "\u0661\u066c\u0660\u0660\u0660\u066b\u0665", ["2001/2"]],
    # Two marks cannot both be for thousands; what no language writes is not guessed.
    [",", ".", "1.000,5", []],
    [".", ",", "1,000.5", []],
    ["\u202f", ",", "1.234.567", []],
    [".", ",", "1.234.567", ["1234567"]],
    ["\u2019", ".", "1,000", []],
)


TYPED_LINES = {
    "whole": {"lower": "-1", "step": "1", "ticks": 501, "whole": True},
    "units": {"lower": "0", "step": "1", "ticks": 500},
    "halves": {"lower": "0", "step": "0.5", "ticks": 48},
    "thousandths": {"lower": "0", "step": "0.001", "ticks": 10000},
    "cents": {"lower": "0", "step": "0.01", "ticks": 1000000},
}
ON_LINES = (
    # Three decimals could be thousands, whichever of the two numbers the line has a place for.
    *((line, "1.000", ["1", "1000"]) for line in ("whole", "units", "halves", "cents")),
    ("whole", "-0.000", ["0"]),
    ("units", "2.500", []),
    ("units", "600", []),
    ("units", "12.0", ["12"]),
    ("halves", "1.500", ["3/2", "1500"]),
    ("halves", "12.000", ["12", "12000"]),
    ("halves", "7.250", []),
    ("halves", ".5", ["1/2"]),
    ("halves", "0.500", ["1/2"]),
    ("cents", "1.250", ["5/4", "1250"]),
    ("cents", "1.255", ["251/200", "1255"]),
    ("cents", "1.2500", ["5/4"]),
    ("cents", "12.250", ["49/4", "12250"]),
    # Where a line goes by thousandths, people write three decimals.
    ("thousandths", "1.000", ["1"]),
    ("thousandths", "1.255", ["251/200"]),
    ("thousandths", "10.001", []),
)


def on_line_cases():
    """What numbers mean on a line, in the decimal mark of each language."""
    for language, (group, decimal) in CONVENTIONS.items():
        for line, typed, numbers in ON_LINES:
            clear = language == "fa" and len(numbers) > 1
            own = [] if typed == "1.255" else numbers[:1]
            yield [line, group, decimal, typed.replace(".", decimal), own if clear else numbers]


def ascii_cases():
    """The digits of every script, and what else there is in ASCII of what people type."""
    for zero in map(chr, range(0x110000)):
        if category(zero) == "Nd" and digit_of(zero) == 0:
            yield ["".join(chr(ord(zero) + step) for step in range(10)), SCRIPTS[0]]
    yield from (
        ["\u200f\u0661\u0662\u200e", "12"],
        ["\uff21\u2013\uff11\u3000\u2212\u00a02", "A-1 - 2"],
        ["5\u00b2 1\u00bd \u2460", "5? 1? ?"],
        ["soft\u00adly", "softly"],
    )


def grouped(number, mark):
    """Write a whole number in groups of three."""
    return f"{int(number):,}".replace(",", mark)


def group_cases(forms):
    """Which group every place below the total belongs to, or the places about each group's end."""
    for name, form in forms.items():
        for index, question in enumerate(form.questions):
            if not isinstance(question, TableQuestion) or not question.groups:
                continue
            total = question.table.total
            ends = accumulate(
                group_question.table.total for group_question in question.group_questions
            )
            near = {
                0,
                *(location for end in ends for location in (end - 1, end) if location < total),
            }
            for position in range(total) if total < SMALL else sorted(near):
                draws = (question.blank[0], position)
                answers = range(2 if question.item_count is None else len(question.answers))
                values = [encode(question, answer, draws) for answer in answers]
                yield [name, index, draws, assigned_group(question, draws), values]


def body_cases(forms, bodies=BODIES):
    dice = stream("bodies")
    for case in range(bodies):
        name = list(forms)[case % len(forms)]
        form = forms[name]
        word, chosen = recorded(stream(f"body {case}"))
        drawn_values = [draw(question, word) for question in form.questions]
        answers = [an_answer(question, lambda: next(dice)) for question in form.questions]
        identifier = hashlib.sha256(f"id {case}".encode()).hexdigest()[:32]
        values = {
            question.name: encode(question, answer, draws)
            for question, answer, draws in zip(form.questions, answers, drawn_values, strict=True)
        }
        body = Report(form.fingerprint, identifier, values).body(form.size)
        yield {
            "form": name,
            "id": identifier,
            "words": hexadecimal(chosen),
            "answers": answers,
            "values": list(values.values()),
            "body": body.decode().rstrip(),
            "sha256": hashlib.sha256(body).hexdigest(),
        }


def text_cases(form):
    """Which texts each question has room for."""
    ats = [index for index, question in enumerate(form.questions) if isinstance(question, FreeText)]
    return [[index, text, form.questions[index].allows(text)] for text in TEXTS for index in ats]


def text_bodies(form):
    for case, text in enumerate(TEXTS):
        values = {
            question.name: text
            if isinstance(question, FreeText) and question.allows(text)
            else None
            for question in form.questions
        }
        body = Report(form.fingerprint, f"{case:032x}", values).body(form.size)
        yield [f"{case:032x}", list(values.values()), hashlib.sha256(body).hexdigest()]


def _expand(secret, suite, label, info, length):
    labelled = length.to_bytes(2, "big") + b"HPKE-v1" + suite + label + info
    return hmac.digest(secret, labelled + b"\1", "sha256")[:length]


def _extract(salt, suite, label, content):
    return hmac.digest(salt, b"HPKE-v1" + suite + label + content, "sha256")


def _encrypted(kem, public, info, content):
    """HPKE by RFC 9180, sections 4 and 5, with the sender's key of its example."""
    example = {name: bytes.fromhex(value) for name, value in SEALED[kem].items() if name != "name"}
    number, secret = (b"\0\x20" if kem == "x25519" else b"\0\x10"), example["skEm"]
    if kem == "x25519":
        own = X25519PrivateKey.from_private_bytes(secret)
        shared = own.exchange(X25519PublicKey.from_public_bytes(public))
    else:
        curve = ec.SECP256R1()
        own = ec.derive_private_key(int.from_bytes(secret, "big"), curve)
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(curve, public)
        shared = own.exchange(ec.ECDH(), theirs)
    prk = _extract(b"", b"KEM" + number, b"eae_prk", shared)
    drawn = _expand(prk, b"KEM" + number, b"shared_secret", example["enc"] + public, 32)
    suite = b"HPKE" + number + b"\0\1\0\1"
    context = b"\0" + b"".join(
        _extract(b"", suite, label, part)
        for label, part in ((b"psk_id_hash", b""), (b"info_hash", info))
    )
    prk = _extract(drawn, suite, b"secret", b"")
    key, nonce = (
        _expand(prk, suite, label, context, size)
        for label, size in ((b"key", 16), (b"base_nonce", 12))
    )
    return example["enc"] + AESGCM(key).encrypt(nonce, content, b"")


def sealed_texts(form):
    """Of each text that fits its envelope by either curve, and envelopes that no device makes."""
    keys = from_base64url(form.seal_key)
    publics = {"x25519": keys[:32], "p256": keys[32:]}
    cases = []
    for index, question in enumerate(form.questions):
        if isinstance(question, FreeText):
            info = f"askance-text-1\0{form.fingerprint}\0{question.name}".encode()
            for text in filter(question.allows_plaintext, [*TEXTS[:2], "é"]):
                padded = text.encode().ljust(3 * question.limit)
                for kem, public in publics.items():
                    raw = _encrypted(kem, public, info, padded)
                    cases.append([index, kem, text, f"askance-text-1.{kem}.{to_base64url(raw)}"])
    index, _, _, good = cases[0]
    head, data = good.rsplit(".", 1)
    other = [data[:-1], data + "A", data[:-1] + "+", data + "=", "", f"{data} "]
    wrong = [f"{head}.{spelt}" for spelt in other]
    wrong += [data, f"askance-seal-1.x25519.{data}", f"askance-text-1.p256.{data}", "Tea", 0, True]
    return {"cases": cases, "impossible": [[index, value] for value in wrong]}


def line_cases():
    dice = stream("lines")
    for case in range(LINES):
        lower, step, ticks = LINES_OF[case % len(LINES_OF)]
        line = Line(lower, Fraction(lower) + ticks * Fraction(step), step)
        tenths = next(dice) % (10 * (ticks + 4)) - 20
        number = line.lower + Fraction(tenths, 10) * line.step
        number = Fraction(round(number * 1000), 1000)
        steps = (number - line.lower) / line.step
        tick = int(steps) if steps.denominator == 1 and 0 <= steps <= ticks else None
        yield [
            lower,
            step,
            ticks,
            f"{number.numerator}/{number.denominator}",
            line.cell(number),
            tick,
        ]


def whole_line_cases():
    """Numbers on lines of whole ones: those that are none have no step, and no tick."""
    dice = stream("whole lines")
    for case in range(WHOLE_LINES):
        lower, step, ticks = WHOLE_LINES_OF[case % len(WHOLE_LINES_OF)]
        upper = int(lower) + ticks * int(step)
        line = Line(int(lower) + 1, upper, step, integer=True)
        halves = next(dice) % (2 * (upper - int(lower)) + 12) - 6
        number = int(lower) + Fraction(halves, 2)
        steps = (number - line.value_at(0)) / line.step
        on_tick = steps.denominator == 1 == number.denominator and 1 <= steps <= ticks
        written = f"{number.numerator}/{number.denominator}"
        step_of = line.cell(number) if number.denominator == 1 else None
        yield [lower, step, ticks, written, step_of, int(steps) if on_tick else None]


def invited_cases(forms):
    """Give draws, the group that an invitation names, and where they are then."""
    for name, form in forms.items():
        for index, question in enumerate(form.questions):
            for case in range(PLACED if question.kind == "table" and question.invited else 0):
                draws = draw(question, recorded(stream(f"invited {name} {index} {case}"))[0])
                names = [item.name for item in question.groups]
                group = (*names, "Group", "")[case % (len(names) + 2)]
                yield [
                    name,
                    index,
                    list(draws),
                    group,
                    list(place_in_group(question, draws, group)),
                ]


def skip_cases(forms):
    """Give people's answers to forms with skips, and what each question then encodes."""
    dice = stream("skips")
    for name, form in forms.items():
        questions = form.questions
        for _ in range(SKIPS if form.skips else 0):
            answers = [an_answer(question, lambda: next(dice)) for question in questions]
            entire = [question.kind == "number" and question.line.integer for question in questions]
            ones = [
                1 if counted and answer == 0 else answer
                for answer, counted in zip(answers, entire, strict=True)
            ]
            names = [question.name for question in questions]
            yield [
                name,
                ones,
                [*follow_skips(form, dict(zip(names, ones, strict=True))).values()],
            ]


def token_cases(form):
    """Give what is drawn for a token, what is shown of it, its signature, and the token."""
    printed = {name: int(KEY[VARIANT][name], 16) for name in "nd"}
    for case in range(TOKENS):
        dice = stream(f"token {case}")
        drawn_text = b"".join(word.to_bytes(6, "big") for word in islice(dice, 100))
        prefix, salt, factor = drawn_text[:32], drawn_text[32:80], drawn_text[80:592]
        number = int.from_bytes(factor, "big") % printed["n"]
        blind = blind_with(form, 0, prefix, salt, number)
        raised = pow(int.from_bytes(blind.message, "big"), printed["d"], printed["n"])
        signature = raised.to_bytes(512, "big")
        result = prefix, salt, number.to_bytes(512, "big"), blind.message, signature
        yield [*map(to_base64url, result), blind.token(signature).text]


def stamp_cases(form):
    """Give challenges, reports and the stamps that were worked out for them."""
    for case in range(STAMPS):
        dice = stream(f"stamp {case}")
        challenge = b"".join(word.to_bytes(6, "big") for word in islice(dice, 3))[:16]
        report = Report(form.fingerprint, f"{next(dice):032x}", {"noisy": case % 2, "plain": 0})
        body, work = report.body(form.size), 8 + case % 4
        yield challenge.hex(), body.decode("ascii"), work, solve_stamp(challenge, body, work)


def write(name, document):
    lines = ",\n".join(
        f'"{key}":[\n'
        + ",\n".join(json.dumps(item, separators=(",", ":")) for item in value)
        + "\n]"
        for key, value in document.items()
    )
    (HOME / name).write_text(f"{{\n{lines}\n}}\n", encoding="ascii")


def chance_cases():
    """Bytes, how often over, and at which of them the first alarm is: −1 for none.

    Worked out anew from the standard's words, from all the bytes so far at each of them.
    """
    text = b"".join(hashlib.sha256(bytes([index])).digest() for index in range(64))
    some = bytes(index for index in text if index)
    spaced = b"".join(bytes([0]) + some[25 * index : 25 * index + 25] for index in range(40))
    stuck = [b"\0", b"\xff", bytes(range(6)), bytes(range(25)), bytes(range(26)), bytes(range(27))]
    late = [some[:number] + bytes(6) for number in (1, 511, 512, 1024)]
    for item in [*stuck, bytes(range(256)), text, spaced, *late, some[:9] + bytes(5) + some]:
        times = -(-1100 // len(item))
        yield [item.hex(), times, first_alarm(item * times)]


def first_alarm(draws):
    for index in range(len(draws)):
        row = draws[max(0, index - 5) : index + 1]
        window = draws[index - index % 512 : index + 1]
        if (len(row) == 6 and len(set(row)) == 1) or window.count(window[0]) >= 20:
            return index
    return -1


def first():
    write("chance.json", {"columns": ["bytes", "times", "alarm"], "cases": list(chance_cases())})
    (HOME / "1").mkdir(parents=True, exist_ok=True)
    forms = {name: Form.read(document) for name, document in FORMS.items()}
    spelt = {name: Form.read(document) for name, document in SPELT.items()}
    write("1/forms.json", {"good": good(forms | spelt), "bad": BAD_FORMS})
    write("1/draws.json", {"columns": COLUMNS, "cases": [*draw_cases(forms), *edge_cases(forms)]})
    write("1/bodies.json", {"cases": list(body_cases(forms))})
    write("1/parts.json", {"columns": PART_COLUMNS, "cases": list(part_cases(forms))})
    write(
        "1/lines.json",
        {
            "columns": LINE_COLUMNS,
            "cases": list(line_cases()),
            "whole": list(whole_line_cases()),
        },
    )
    edges = {"columns": EDGE_COLUMNS, "cases": list(drawn_edges(forms))}
    write("1/edges.json", edges)
    refused = {"answers": BAD_ANSWERS, "bounds": BAD_BOUNDS, "reports": BAD_REPORTS}
    write("1/refused.json", refused)


def second():
    (HOME / "2").mkdir(parents=True, exist_ok=True)
    forms = {name: Form.read(document) for name, document in FORMS_2.items()}
    draws = [*draw_cases(forms, CASES_2), *edge_cases(forms)]
    spelt = {name: Form.read(document) for name, document in SPELT_2.items()}
    write("2/forms.json", {"good": good(forms | spelt), "bad": BAD_FORMS_2})
    write("2/draws.json", {"columns": COLUMNS, "cases": draws})
    write("2/bodies.json", {"cases": list(body_cases(forms, BODIES_2))})
    invited = list(invited_cases(forms | spelt))
    write("2/invited.json", {"columns": PLACED_COLUMNS, "cases": invited})
    skips = list(skip_cases(forms | spelt))
    write("2/skips.json", {"columns": SKIP_COLUMNS, "cases": skips})
    words = spelt["texts"]
    write("2/texts.json", {"cases": text_cases(words), "bodies": list(text_bodies(words))})
    write("2/sealed.json", sealed_texts(spelt["sealed texts"]))
    tokens = {"columns": TOKEN_COLUMNS, "cases": list(token_cases(forms["tokens"]))}
    write("2/tokens.json", tokens)
    write("2/stamps.json", {"columns": STAMP_COLUMNS, "cases": list(stamp_cases(spelt["open"]))})
    drawn = forms | {"lists to count": spelt["lists to count"]}
    write("2/groups.json", {"columns": GROUP_COLUMNS, "cases": list(group_cases(drawn))})


def third():
    """Proofs of a log, signed with a key that everybody has: right ones, and one wrong for each."""
    entries = [f"report {hashlib.sha256(b'%d' % index).hexdigest()}" for index in range(LOGGED)]
    key = SigningKey("example.org/vectors", bytes(range(32)))
    logs = [log_of(entries[:size], key) for size in range(LOGGED + 1)]
    heads = [log.notes[-1] for log in logs]
    about = {"key": [key.verifier.text], "columns": ["entry or first", "proof", "holds"]}
    proofs = {
        "included": list(included_cases(logs, key.verifier)),
        "grown": list(grown_cases(logs, key.verifier)),
    }
    write("log.json", about | {"entries": entries, "heads": heads} | proofs)


def log_of(entries, key):
    root = b64encode(tree_head([leaf_hash(entry.encode()) for entry in entries])).decode()
    note = key.signed(f"{key.name}\n{len(entries)}\n{root}\n")
    return PublicLog("", tuple(entries), (note,), 0)


def included_cases(logs, key):
    for log in logs:
        for turn, entry in enumerate(log.entries):
            proof = prove_entry(log, entry, key)
            yield [entry, proof, True]
            yield [entry, wrong(proof, turn + len(log.entries)), False]


def grown_cases(logs, key):
    for log in logs:
        for earlier in logs[: len(log.entries) + 1]:
            first = len(earlier.entries)
            proof = prove_growth(log, earlier.checkpoint(key), key)
            yield [first, proof, True]
            yield [first, wrong(proof, first + len(log.entries)), False]


def wrong(proof, turn):
    """Spoil a proof in turn: its number, one hash less, another one, one more."""
    result, _, note = proof.partition("\n\n")
    *about, number = [line for line in result.split("\n") if " " in line or "@" in line]
    path = result.split("\n")[len(about) + 1 :]
    word, value = number.split(" ")
    if turn % 4 == 0:
        number = f"{word} {int(value) + 1}"
    elif turn % 4 == 1 and path:
        path = path[:-1]
    elif turn % 4 == 2 and path:
        first = b64decode(path[0])
        path[0] = b64encode(bytes([first[0] ^ 1]) + first[1:]).decode()
    else:
        path.append(b64encode(bytes(32)).decode())
    return "\n".join([*about, number, *path, "", note])


def good(forms):
    return [
        {"name": name, "fingerprint": form.fingerprint, "form": form.document}
        for name, form in forms.items()
    ]


def main():
    first()
    second()
    third()
    documents = FORMS | SPELT | FORMS_2 | SPELT_2 | PROVING
    expected = {name: Form.read(document) for name, document in documents.items()}
    spelt = [{"name": name, "form": document} for name, document in PROVING.items()]
    proofs = {"columns": PROOF_COLUMNS, "cases": list(proof_cases(expected)), "forms": spelt}
    write("proofs.json", proofs)
    figures = {"floors": list(floor_figures()), "blanks": list(blank_figures())}
    figures |= {"people": list(counts_of_people()), "dots": list(counts_of_dots())}
    figures |= {"ranges": list(people_inside()), "tables": list(ruling_out())}
    write("figures.json", figures)
    readings = {"columns": READING_COLUMNS, "cases": list(reading_cases())}
    readings |= {"lines": list(TYPED_LINES.items()), "on_lines": list(on_line_cases())}
    readings |= {"ascii": list(ascii_cases())}
    write("readings.json", readings)


if __name__ == "__main__":
    main()
