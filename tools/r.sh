#!/usr/bin/env bash
# Build the package in r/, check it with this checkout's program, and run the R of the documentation.
set -euo pipefail
cd "$(dirname "$0")/.."
export ASKANCE="$PWD/.venv/bin/askance" LC_ALL=C.UTF-8
page="$PWD/docs/how-to/for-r-users.md"
mkdir -p out
cd out
rm -rf askance.Rcheck askance_*.tar.gz
R CMD build ../r
R CMD check --no-manual askance_*.tar.gz
# Errors end the check by themselves; warnings and notes would pass.
if ! grep -qx 'Status: OK' askance.Rcheck/00check.log; then
    grep -A 12 -E '\.\.\. (WARNING|NOTE)' askance.Rcheck/00check.log
    exit 1
fi
R_LIBS="$PWD/askance.Rcheck" Rscript ../tools/r_page.R "$page"
