"""Examples show data that their channel can have sent, unless they are about misfit."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest
from _pytest.doctest import DoctestItem

ABOUT_MISFIT = ("misfit", "goodness_of_fit(", "overidentification_test(")

Recorder = Callable[[], AbstractContextManager[list[str]]]


@contextmanager
def recorded_misfits() -> Iterator[list[str]]:
    """List the reports that are doubted wherever something is estimated in here."""
    from askance.inference import GoodnessOfFit

    found: list[str] = []
    plain: Any = GoodnessOfFit.__init__

    def recorded(self: GoodnessOfFit, **given: Any) -> None:
        plain(self, **given)
        found.extend(self.misfit)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GoodnessOfFit, "__init__", recorded)
        yield found


@pytest.fixture(scope="session")
def misfits() -> Recorder:
    """Record, in a with statement, the reports that are doubted."""
    return recorded_misfits


@pytest.fixture(autouse=True)
def fitting_data(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a doctest whose reports are doubted, where its text does not speak of that."""
    text = (request.node.dtest.docstring or "") if isinstance(request.node, DoctestItem) else None
    if text is None or any(word in text for word in ABOUT_MISFIT):
        yield
        return
    with recorded_misfits() as found:
        yield
    assert found == []
