"""The drivers beside the tests are run by `make fuzz` and by the tests, not collected."""

collect_ignore = ["changes.py", "forms.py", "reports.py", "connections.py", "surveys.py"]
