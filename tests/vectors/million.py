"""Compare a million cases between Python and JavaScript: python tests/vectors/million.py [cases].

Both sides read the same SHA-256 counter stream, draw, encode, and digest one line for each case.
"""

import hashlib
import itertools
import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

from askance_collect.respond import draw, draw_bounds, encode
from askance_collect.wire import Form

ROOT = Path(__file__).parents[2]
CASES = 1_000_000


def stream():
    """Give 48-bit words, five from each digest of a counter."""
    for count in itertools.count():
        block = hashlib.sha256(f"million:{count}".encode()).digest()
        for index in range(0, 30, 6):
            yield int.from_bytes(block[index : index + 6], "big")


def python_side(cases):
    """Give the digest of so many cases, and how many words were thrown away."""
    raw = (ROOT / "src/askance_collect/wire/vectors/1/forms.json").read_text("ascii")
    questions = [
        question
        for item in json.loads(raw)["good"]
        for question in Form.read(item["form"]).questions
    ]
    plan = [
        (question, [*question.possible_answers, None], len(draw_bounds(question)))
        for question in questions
    ]
    digest, words, used, needed = hashlib.sha256(), stream(), 0, 0

    def word():
        nonlocal used
        used += 1
        return next(words)

    for question, answers, draws in itertools.islice(itertools.cycle(plan), cases):
        chosen = answers[next(words) % len(answers)]
        drawn_value = draw(question, word)
        needed += draws
        steps = (
            next(words) % (question.number + 1) if getattr(question, "progressive", False) else None
        )
        value = encode(question, chosen, drawn_value, steps)
        line = [list(drawn_value), list(value) if isinstance(value, tuple) else value]
        digest.update(json.dumps(line, separators=(",", ":")).encode())
    return {"cases": cases, "words": used, "rejected": used - needed, "sha256": digest.hexdigest()}


def javascript_side(cases):
    """Run the same in Node."""
    node = shutil.which("node")
    if not node:
        sys.exit("node is not installed: install Node.js 18 or later (Debian: nodejs)")
    script = ROOT / "tests/vectors/million.mjs"
    run = subprocess.run(
        [node, str(script), str(cases)], capture_output=True, text=True, check=True
    )
    return json.loads(run.stdout)


def main(cases=CASES):
    """Print both sides and fail if they differ."""
    results = {}
    for name, side in (("Python", python_side), ("JavaScript", javascript_side)):
        started = time.perf_counter()
        results[name] = side(cases)
        seconds = time.perf_counter() - started
        facts = "  ".join(f"{fact} {figure}" for fact, figure in results[name].items())
        sys.stdout.write(f"{name:<11}{seconds:6.1f} s  {facts}\n")
    if results["Python"] != results["JavaScript"]:
        sys.exit("the two encoders differ")
    sys.stdout.write("the two encoders agree\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else CASES)
