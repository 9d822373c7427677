from dataclasses import replace

from askance.present.findings import worded


def reworded(finding, words):
    return replace(finding, wording=dict(zip(("yes", "no"), words, strict=True)))


def test_answers_are_named_as_the_form_words_them(analysis):
    finding = worded(reworded(analysis.findings[1], ("Yes, I have", "No, never")))
    assert finding.estimate.labels == ("Yes, I have", "No, never")
    assert finding.truth == {"Yes, I have": 0.3225, "No, never": 0.6775}


def test_names_stay_where_two_wordings_are_equal(analysis):
    assert worded(reworded(analysis.findings[1], ("same", "same"))).estimate.labels == ("yes", "no")


def test_numbers_and_foreign_labels_stay(analysis):
    assert worded(analysis.findings[3]) is analysis.findings[3]
    finding = analysis.findings[1]
    other = replace(finding, estimate=replace(finding.estimate, labels=("once", "twice")))
    assert worded(other).estimate.labels == ("once", "twice")
