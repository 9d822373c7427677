import csv
import io

import pytest

from askance.present.spreadsheet import COLUMNS, to_csv


@pytest.fixture
def rows(analysis):
    return list(csv.DictReader(io.StringIO(to_csv(analysis))))


def test_every_estimate_has_a_row_and_nothing_withheld_has(rows):
    assert len(rows) == 4 + 2 + 4 + 4 + 4
    assert "rare" not in {row["question"] for row in rows}
    assert tuple(rows[0]) == COLUMNS


def test_figures_keep_their_precision(rows, analysis):
    yes = rows[4]
    estimate = analysis.findings[1].estimate
    assert float(yes["estimate_low"]) == pytest.approx(estimate.value[0], rel=1e-11)
    assert float(yes["standard_error"]) == pytest.approx(estimate.se[0], rel=1e-11)
    assert (yes["truth"], yes["reports"], yes["level"]) == ("0.3225", "6048", "0.95")


def test_bounds_differ_where_the_mean_is_only_bounded(rows):
    mean = next(row for row in rows if row["label"] == "mean")
    assert (mean["unit"], mean["estimate_low"], mean["estimate_high"]) == ("years", "28.6", "29.6")
    assert not next(row for row in rows if row["label"] == "median")["plain_answers"]
