"""The analyst's page shows the image of a question, and none of its answers."""

import base64

import askance as ak
from askance.present import render_analysis
from askance.survey import parse_survey, publish

SVG = base64.b64encode(b'<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>').decode()
SURVEY = f"""
askance = "survey-1"
title = "Tea"
consent = "Say it or leave."
minimum = 1
[[question]]
name = "tea"
text = "Do you drink tea?"
image = {{ file = "data:image/svg+xml;base64,{SVG}", alt = "a <cup> & saucer" }}
answers = [
    "yes",
    {{ name = "no", image = {{ file = "data:image/svg+xml;base64,{SVG}", alt = "none" }} }},
]
"""


def test_an_image_stands_beside_its_estimate():
    form = publish(parse_survey(SURVEY.encode()))
    page = render_analysis(ak.analyse(form, ak.engines.Counts(30, {"tea": {0: 20, 1: 10}})))
    assert page.count("<img") == 1
    assert 'alt="a &lt;cup&gt; &amp; saucer"' in page
    assert page.index('<article id="q1"') < page.index("<img")
    assert page.count(SVG) == 1
