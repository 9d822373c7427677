"""The scripts beside the tests are run by hand and by the tests, not collected."""

collect_ignore = ["bad_documents.py", "make_vectors.py", "million.py", "sample_forms.py"]
