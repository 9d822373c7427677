"""A list experiment in a survey file: two groups of people count the items of their list.

A device draws the group. The control group has the harmless items, the treatment group the same
ones and the sensitive item; each person says how many are true, and that number is sent.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.survey.specs import (
    FilePosition,
    Names,
    QuestionSpec,
    locate_errors,
    read_label,
    refuse_duplicates,
    word_label,
    write_wording,
)
from askance.survey.written_questions import (
    WrittenQuestion,
    refuse_too_fine,
    stack_channels,
    write_table_question,
)
from askance_collect.errors import SurveyError
from askance_collect.exact.ratio import chance

Document = dict[str, Any]

GROUPS = {"control": "A", "treatment": "B"}
"""The groups of a list experiment, and what people read that theirs is called."""

HOLDS = {"yes": "nameHolds", "no": "nameHoldsNot"}
"""The answers to the sensitive item, and the default labels that word them."""


def write_item_count(spec: QuestionSpec, names: Names, position: FilePosition) -> WrittenQuestion:
    """Write a list experiment: its lists, its two groups, and the answers behind a count.

    Of K harmless items these are how many of them are true, 0 to K, first where the sensitive one
    is not true, then where it is: Blair and Imai's (2012) types of respondents.
    """
    where, _ = position
    lists, share = _read_lists(spec, names, where), _read_treatment(spec, where)
    k = len(lists["items"]) + 1
    labels: list[Document] = [
        {"name": f"{holds}, {count}", "label": _in_each(str(count + extra), names)}
        for extra, holds in enumerate(reversed(HOLDS))
        for count in range(k)
    ]
    frame = Frame([label["name"] for label in labels])
    channels = [_counting_channel(frame, k, extra) for extra in range(len(GROUPS))]
    reports: list[Document] = [
        {
            "name": f"{group}: {count}",
            "label": _in_each(f"{letter}: {count}", names),
            "means": list(frame.positions(meaning)),
        }
        for (group, letter), channel in zip(GROUPS.items(), channels, strict=True)
        for count, meaning in enumerate(channel.meanings)
    ]
    channel = stack_channels(channels, [1 - share, share], [report["name"] for report in reports])
    refuse_too_fine(channel, f"{where}.treatment")
    heads = [
        {"name": group, "label": _in_each(letter, names), "reports": k + extra}
        for extra, (group, letter) in enumerate(GROUPS.items())
    ]
    parts = {"answers": labels, "groups": heads, "reports": reports, "count": lists}
    recipe = {"name": "item_count", "treatment": str(share)}
    return write_table_question(spec, parts, channel, recipe, where), channel, None


def _read_lists(spec: QuestionSpec, names: Names, where: str) -> Document:
    """Read the items of both lists, and the answers to the sensitive one."""
    items = []
    for i, item in enumerate(spec.items or ()):
        if isinstance(item, Mapping) and "image" in item:
            path = f"{where}.items[{i}].image"
            raise SurveyError(path, got="an image", allowed="items in words, to be counted")
        items.append(read_label(item, names, f"{where}.items[{i}]"))
    refuse_duplicates([item["name"] for item in items], f"{where}.items")
    assert spec.sensitive is not None
    sensitive = write_wording(spec.sensitive, tuple(names), f"{where}.sensitive")
    texts = [*(item["label"] for item in items), sensitive]
    _refuse_alike(texts, where)
    answers = [{"name": name, "label": word_label(names, key)} for name, key in HOLDS.items()]
    return {"items": texts[:-1], "sensitive": sensitive, "answers": answers}


def _refuse_alike(texts: Sequence[Mapping[str, str]], where: str) -> None:
    """Refuse an item that stands in a list twice, in any language; the sensitive one is last."""
    for tag in texts[0]:
        read = [" ".join(text[tag].split()).casefold() for text in texts]
        for i, text in enumerate(read):
            if text in read[:i]:
                is_sensitive = i == len(read) - 1
                raise SurveyError(
                    f"{where}.sensitive" if is_sensitive else f"{where}.items[{i}]",
                    got=f"{texts[i][tag]!r}, which is items[{read.index(text)}] too",
                    allowed="different items",
                    remedy="the control list has harmless items alone"
                    if is_sensitive
                    else "write each item once",
                )


def _read_treatment(spec: QuestionSpec, where: str) -> Fraction:
    """Read the share of people whose list has the sensitive item: half of them if left out."""
    path, written = f"{where}.treatment", spec.treatment
    share = locate_errors(path, lambda: chance("1/2" if written is None else written, "treatment"))
    if not 0 < share < 1:
        allowed = "the share of people whose list has the sensitive item, between 0 and 1"
        raise SurveyError(path, got=str(share), allowed=allowed)
    return share


def _in_each(text: str, names: Names) -> dict[str, str]:
    return dict.fromkeys(names, text)


def _counting_channel(frame: Frame, k: int, extra: int) -> Channel:
    """The channel of a group: for each type of respondent its own count, for certain.

    The control group counts the K items, the treatment group (``extra`` 1) one more.
    """
    counts = [count + holds * extra for holds in (0, 1) for count in range(k)]
    numbers = range(k + extra)
    reports = {
        str(count): [name for name, own in zip(frame.answers, counts, strict=True) if own == count]
        for count in numbers
    }
    rows = [[Fraction(int(own == count)) for count in numbers] for own in counts]
    return Channel(frame, reports, rows)
