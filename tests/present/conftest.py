"""An invented analysis of every kind of question, made without drawing or fitting anything."""

import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from askance import check, load_survey, publish
from askance.analysis import Analysis, Finding
from askance.inference import (
    Convergence,
    Distribution,
    Estimate,
    GoodnessOfFit,
    LineEstimate,
    ShareEstimator,
)
from askance.present import render_analysis
from askance.privacy import Guarantee, Notion
from askance.survey import deployed
from askance_collect.wire import Form, body_size, read_question

sys.path.insert(0, str(Path(__file__).parent))

LEVELS = ("not at all", "mildly", "fairly", "strongly")
YES = "Of 100 people whose answer is yes, 60 send yes, 10 send no, 30 send don't know."
NO = "Of 100 people whose answer is no, 10 send yes, 60 send no, 30 send don't know."


def shares(labels, value, n, inflation=1.0, convergence=Convergence.CONVERGED):
    value = np.array(value, float)
    se = np.sqrt(value * (1 - value) / n) * inflation
    return Estimate(
        labels=tuple(labels),
        value=value,
        covariance=np.diag(se**2),
        lower=np.clip(value - 1.96 * se, 0, 1),
        upper=np.clip(value + 1.96 * se, 0, 1),
        level=0.95,
        reports=n,
        effective_sample_size=np.full(len(value), n / inflation**2),
        estimator=ShareEstimator.MAXIMUM_LIKELIHOOD,
        convergence=convergence,
        gap=3e-12,
        goodness_of_fit=GoodnessOfFit(),
    )


def line(n):
    ticks = np.arange(17, 71.0)
    cdf = 1 / (1 + np.exp(-(ticks - 28) / 4))
    cdf[0], cdf[-1] = 0, 1
    half = 1.96 * np.sqrt(cdf * (1 - cdf) / n) * 6
    distribution = Distribution(
        lower=ticks[:-1],
        upper=ticks[1:],
        mass=np.diff(cdf),
        n=n,
        gap=2e-11,
        method="isotonic regression",
        convergence=Convergence.EXACT,
    )
    return LineEstimate(
        unit="years",
        distribution=distribution,
        mean_low=28.6,
        mean_high=29.6,
        se=0.21,
        lower=28.2,
        upper=30.0,
        level=0.95,
        ticks=ticks,
        cdf=cdf,
        band_lower=np.maximum.accumulate(np.clip(cdf - half, 0, 1)),
        band_upper=np.maximum.accumulate(np.clip(cdf + half, 0, 1)),
        quantiles={0.1: (19.0, 20.0, 21.0), 0.5: (27.0, 28.0, 29.0), 0.9: (38.0, 39.0, 41.0)},
        coverage=np.concatenate([cdf[1:-1], 1 - cdf[1:-1]]),
        coverage_counts=np.concatenate([cdf[1:-1], 1 - cdf[1:-1]]) * n / 52,
        average_coverage=0.83,
        effective_sample_size=1502.0,
        reports=n,
        method="nonparametric maximum likelihood",
        goodness_of_fit=GoodnessOfFit(),
        convergence=Convergence.CONVERGED,
    )


def one(text):
    return {"en": text}


def labels(names):
    return [{"name": name, "label": one(name)} for name in names]


def tabled(name, text, answers, rows, total, means):
    reports = [{"name": n, "label": one(n), "means": list(m)} for n, m in means.items()]
    return {
        "kind": "table",
        "name": name,
        "text": one(text),
        "answers": labels(answers),
        "reports": reports,
        "table": {"total": total, "rows": rows},
        "blank": [1, 20],
        "about": {},
    }


def form(title="Marriage and faith", affair="Since you married, have you had an affair?"):
    yes_no = [[6, 1, 3], [1, 6, 3]], 10, {"yes": [0], "no": [1], "don't know": [0, 1]}
    age = {"lower": "17", "step": "1", "ticks": 53, "unit": one("years")}
    kary = [[4 if i == j else 2 for j in range(4)] for i in range(4)]
    line_parts = {"line": age, "text": one("How old are you?")}
    cut = {"number": 1, "weights": [1] * 52, "floor": None, "open": []}
    cuts = {"cuts": cut, "ask": "cells", "typed": False, "blank": [0, 1]}
    children = labels(["none", "one", "two", "three or more"])
    questions = [
        {
            "kind": "choice",
            "name": "children",
            "text": one("How many children?"),
            "answers": children,
        },
        tabled("affair", affair, ("yes", "no"), *yes_no),
        tabled(
            "religious",
            "How religious are you?",
            LEVELS,
            kary,
            10,
            {n: [i] for i, n in enumerate(LEVELS)},
        ),
        {"kind": "cuts", "name": "age", "about": {}, **line_parts, **cuts},
        {"kind": "number", "name": "plain_age", **line_parts},
        tabled("rare", "Have you ever been asked to leave?", ("yes", "no"), *yes_no),
    ]
    read = tuple(read_question(question, ["en"], "question") for question in questions)
    return Form.read(
        {
            "askance": "form-1",
            "title": one(title),
            "consent": one(""),
            "contact": one(""),
            "languages": ["en"],
            "collector": "",
            "size": body_size(read),
            "about": {},
            "questions": questions,
        }
    )


def finding(published, name, estimate, **inputs):
    question = published.question(name)
    deployed_question = deployed(question)
    facts = {
        "name": name,
        "text": question.text["en"],
        "kind": question.kind,
        "protected": question.kind in ("table", "cuts"),
        "blank": 0,
        "expected_blank": 0.0,
        "reports": estimate.reports,
        "estimate": estimate,
        "sentences": (),
        "guarantees": (),
        "truth": None,
        "suppressed": False,
        "report_kind": deployed_question.report_kind,
        "wording": deployed_question.wording,
    }
    return Finding(**facts | inputs)


def invented(rehearsal=True, **wording):
    published = form(**wording)

    def truth(**expected):
        return expected if rehearsal else None

    faith = dict(zip(LEVELS, (0.1604, 0.3563, 0.3806, 0.1027), strict=True))
    kary_words = tuple(
        f"Of 100 people whose answer is {level}, 40 send {level}." for level in LEVELS
    )
    findings = (
        finding(
            published,
            "children",
            shares(("none", "one", "two", "three or more"), (0.377, 0.196, 0.277, 0.15), 6366),
            truth=truth(none=0.3766, one=0.198, two=0.276),
        ),
        finding(
            published,
            "affair",
            shares(("yes", "no"), (0.3312, 0.6688), 6048, 1.95),
            truth=truth(yes=0.3225, no=0.6775),
            blank=318,
            expected_blank=318.3,
            sentences=(YES, NO),
            guarantees=(Guarantee(Notion.LOCAL, Fraction(6), ""),),
        ),
        finding(
            published,
            "religious",
            shares(LEVELS, (0.16, 0.356, 0.382, 0.102), 6366, 3.1),
            truth=truth(**faith),
            sentences=kary_words,
            guarantees=(Guarantee(Notion.LOCAL, Fraction(2), ""),),
        ),
        finding(
            published,
            "age",
            line(6366),
            truth=truth(mean=29.08, median=27.0),
            sentences=("The report is always true.",),
            guarantees=(Guarantee(Notion.FLATNESS, Fraction(1), ""),),
        ),
        finding(published, "plain_age", line(6366)),
        finding(
            published,
            "rare",
            shares(("yes", "no"), (0.05, 0.95), 31, 1.9),
            suppressed=True,
            truth=truth(yes=0.1234567, no=0.8765433),
            blank=2,
            expected_blank=1.7,
            sentences=(YES, NO),
        ),
    )
    return Analysis(
        form=published,
        reports=6366,
        command="askance estimate form.json reports.csv --page analysis.html",
        form_fingerprint=published.fingerprint,
        data_fingerprint="9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        findings=findings,
    )


@pytest.fixture
def invent():
    return invented


@pytest.fixture(scope="session")
def income():
    """What a report about each question of income.toml gives away, found once."""
    return check(publish(load_survey("examples/income.toml")))


@pytest.fixture(scope="session")
def analysis():
    return invented()


@pytest.fixture(scope="session")
def page(analysis):
    """The whole page, drawn once for all that only read it."""
    return render_analysis(analysis)
