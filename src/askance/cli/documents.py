"""Reading what the verbs are given: a survey file or a published form, whichever it is."""

from pathlib import Path

from askance.errors import FormError
from askance.survey.load import load_survey
from askance.survey.publish import publish
from askance.wire.form import Form


def form_at(path: Path) -> Form:
    """Read a form, or publish a survey file on the spot.

    >>> form_at(Path("examples/affairs.toml")).questions[1].name
    'affair'
    """
    if path.suffix == ".json":
        try:
            return Form.read(path.read_bytes())
        except OSError as error:
            raise FormError(str(path), got=error.strerror, allowed="a readable file") from error
    return publish(load_survey(path))


def form_path(survey: Path) -> Path:
    """Say where the form of a survey file is written: beside it.

    >>> form_path(Path("a/affairs.toml")).name
    'affairs.form.json'
    """
    return survey if survey.suffix == ".json" else survey.with_suffix(".form.json")
