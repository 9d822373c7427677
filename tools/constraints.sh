#!/usr/bin/env bash
# Write constraints.txt from a fresh environment: everything in the fuzz extra (and so the test extra) and the build, pinned.
set -euo pipefail
cd "$(dirname "$0")/.."
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
"${PYTHON:-python3}" -m venv "$room/venv"
"$room/venv/bin/pip" install --quiet -e '.[fuzz]' hatchling editables
{
    echo '# Exact versions of all that the tests, the fuzzers and the build use, written by `make constraints`.'
    "$room/venv/bin/pip" freeze --exclude-editable --exclude askance | sort -f
} > constraints.txt
