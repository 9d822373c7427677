from dataclasses import replace

from askance.present.findings import worded
from askance.wire import Form


def reworded(form, words):
    document = {**form.document, "questions": [dict(one) for one in form.document["questions"]]}
    answers = document["questions"][1]["answers"]
    document["questions"][1]["answers"] = [
        {**answer, "label": {"en": word}} for answer, word in zip(answers, words, strict=True)
    ]
    return Form.read(document)


def test_answers_are_named_as_the_form_words_them(analysis):
    form = reworded(analysis.form, ("Yes, I have", "No, never"))
    finding = worded(analysis.findings[1], form)
    assert finding.estimate.labels == ("Yes, I have", "No, never")
    assert finding.truth == {"Yes, I have": 0.3225, "No, never": 0.6775}


def test_names_stay_where_two_wordings_are_equal(analysis):
    form = reworded(analysis.form, ("same", "same"))
    assert worded(analysis.findings[1], form).estimate.labels == ("yes", "no")


def test_numbers_and_foreign_labels_stay(analysis):
    assert worded(analysis.findings[3], analysis.form) is analysis.findings[3]
    finding = analysis.findings[1]
    other = replace(finding, estimate=replace(finding.estimate, labels=("once", "twice")))
    assert worded(other, analysis.form).estimate.labels == ("once", "twice")
