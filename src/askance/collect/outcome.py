"""What became of a report that was handed to a store. The first under an id is the one kept."""

from collections.abc import Callable, Mapping, Sequence
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


def settle(
    batch: Sequence[Accepted],
    insert: Callable[[Mapping[bytes, str]], set[bytes]],
    look_up: Callable[[Sequence[bytes]], Mapping[bytes, str]],
) -> list[Outcome]:
    """Keep a batch and say what became of each report.

    Parameters
    ----------
    batch : sequence of Accepted
    insert : callable
        Keeps reports whose ids are not in the store, and gives those ids.
    look_up : callable
        Gives what the store holds under ids. An id without a report was turned away.

    >>> held = {b"a": "1"}
    >>> look_up = lambda ids: {id: held[id] for id in ids if id in held}
    >>> settle([Accepted(b"a", "1"), Accepted(b"b", "1")], lambda firsts: {b"b"}, look_up)
    [<Outcome.REPEATED: 'kept already, word for word'>, <Outcome.NEW: 'kept'>]
    """
    firsts = first_of_each(batch)
    unseen = set(insert(firsts))
    kept = {id: firsts[id] for id in unseen}
    if others := [id for id in firsts if id not in unseen]:
        kept |= look_up(others)
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
