"""What type checkers see: mypy reads this file beside the sources, and pytest runs it."""

from collections.abc import Callable
from typing import Any, Protocol

import pyarrow  # type: ignore[import-untyped]
import pytest

import askance as ak


class Result(Protocol):
    """What any result offers to other programs."""

    def to_dict(self) -> dict[str, Any]: ...

    def to_frame(self, backend: str = "pandas") -> Any: ...

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


CHANNEL = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
TALLY = ak.Tally(CHANNEL, {"yes": 40, "no": 60})
RESULTS: list[Callable[[], Result]] = [
    lambda: TALLY,
    lambda: ak.estimate(TALLY),
    lambda: ak.npmle(ak.Ranges([0, 1, 2], [1, 3, 4])),
    lambda: ak.response_regression(["yes", "no"] * 18, [[0], [1], [2]] * 12, CHANNEL),
    lambda: ak.inference.estimate_domains({"a": TALLY}),
]


@pytest.mark.parametrize("make", RESULTS)
def test_a_type_checker_sees_how_results_leave(make: Callable[[], Result]) -> None:
    result: Result = make()
    assert isinstance(result.to_dict(), dict)
    columns: list[str] = result.to_frame("pyarrow").column_names
    assert pyarrow.RecordBatchReader.from_stream(result).schema.names == columns


def test_a_type_checker_sees_the_estimate_of_a_group() -> None:
    domains = ak.inference.estimate_domains({"a": TALLY})
    estimate: ak.inference.Estimate | None = domains["a"]
    assert {name: item for name, item in domains.items() if item is not None} == {"a": estimate}
    counted: ak.Tally = ak.channels.GroupedTally({"a": TALLY})["a"]
    assert counted == TALLY
