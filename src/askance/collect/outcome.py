"""What became of a report that was handed to a store. The first under an id is the one kept."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import final

from askance.collect.accept import Accepted


@final
class Outcome(Enum):
    """What became of a report."""

    NEW = "kept"
    REPEATED = "kept already, word for word"
    CONFLICTING = "another report has this id"
    CLOSED = "the survey takes no more reports"


def first_of_each(batch: Sequence[Accepted]) -> dict[bytes, str]:
    """Give the first report under each id, in the order of the ids.

    The order is the same for everybody, so that two writers cannot wait for each other in a ring,
    and it says nothing about who came first.

    >>> first_of_each([Accepted(b"b", "1"), Accepted(b"a", "2"), Accepted(b"b", "3")])
    {b'a': '2', b'b': '1'}
    """
    firsts: dict[bytes, str] = {}
    for one in batch:
        firsts.setdefault(one.id, one.answers)
    return dict(sorted(firsts.items()))


def judge(batch: Sequence[Accepted], fresh: set[bytes], kept: Mapping[bytes, str]) -> list[Outcome]:
    """Say what became of each report of a batch.

    Parameters
    ----------
    batch : sequence of Accepted
    fresh : set of bytes
        Ids that this batch brought in.
    kept : Mapping
        What the store holds under the ids of the batch. An id without a report was turned away.

    >>> judge([Accepted(b"a", "1"), Accepted(b"a", "1")], {b"a"}, {b"a": "1"})
    [<Outcome.NEW: 'kept'>, <Outcome.REPEATED: 'kept already, word for word'>]
    """
    unseen = set(fresh)
    outcomes = []
    for one in batch:
        if one.id not in kept:
            outcome = Outcome.CLOSED
        elif kept[one.id] != one.answers:
            outcome = Outcome.CONFLICTING
        else:
            outcome = Outcome.NEW if one.id in unseen else Outcome.REPEATED
        unseen.discard(one.id)
        outcomes.append(outcome)
    return outcomes
