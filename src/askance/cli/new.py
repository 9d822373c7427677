"""Write an example survey file to start from."""

from pathlib import Path

import click

from askance.cli.documents import FILE, save

EXAMPLE = '''\
# A survey for askance. Try:   askance check {name}

askance = "survey-1"
title = "My survey"
languages = ["en"]
contact = "Questions? Write to you@example.org"
consent = """
We study how common some things are, not what any one person does. \\
Taking part is your choice. You can leave any question out."""

# Asked plainly: no mechanism.
[[question]]
name = "region"
text = "Where do you live?"
answers = ["town", "country"]

# Truth with chance 3/5, an untrue answer with 1/10, "don't know" otherwise.
[[question]]
name = "cheated"
text = "Have you ever cheated in an exam?"
answers = ["yes", "no"]
mechanism = {{ name = "abstain", truth = "3/5", lie = "1/10" }}

# As truthful as a privacy loss of 1.0 allows.
[[question]]
name = "party"
text = "Which party would you vote for?"
answers = ["left", "centre", "right", "none"]
mechanism = {{ name = "kary", epsilon = 1.0 }}

# A random number t is drawn; what is sent is whether the answer is above it.
[[question]]
name = "income"
text = "What is your income in a month?"
line = {{ lower = 0, upper = 10000, step = 250, unit = "euros" }}
mechanism = {{ name = "cuts", number = 1 }}
'''


@click.command()
@click.argument("path", type=FILE)
def new(path: Path) -> None:
    """Write an example survey to PATH."""
    save(path, EXAMPLE.format(name=path.name), new=True)
    click.echo(f"{path} is ready. Next: askance check {path}")
