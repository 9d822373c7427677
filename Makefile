# Two commands matter: `make demo` and `make test`. The rest is for people who change the code.

SHELL := bash
PYTHON ?= python3
export PYTHON
# Compiled files are kept: hundreds of processes in the tests import the package, some only it.
unexport PYTHONDONTWRITEBYTECODE
# The tests run beside each other: threads of one sum only wait for a processor that another has.
test check explore whole quick wide: export OMP_NUM_THREADS := 1

BIN := .venv/bin
PINS := pyproject.toml constraints.txt tools/setup.sh
HASHED := constraints-build.txt constraints-release.txt
QUICK := not wide and not browser and not postgres and not odds and not long and not faults
WORKERS := $(shell n=$$(getconf _NPROCESSORS_ONLN || echo 2); echo $$((n < 8 ? n + 1 : 9)))

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test check whole quick wide style types floors page docs vectors explore faults simulate swaps kit fuzz notebooks js r bench papers snapshot goldens constraints new-design changelog system release extras unaltered published clean

help:  ## List these targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: .venv/ready-for-run  ## Run a sensitive survey from end to end on real answers
	@$(BIN)/askance demo

test: .venv/ready-for-test style  ## Set up everything the tests need and run them all
	@$(MAKE) --no-print-directory --jobs=3 types floors whole

check: .venv/ready-for-test style  ## The quick part: tests under .15 s of processor time, laws on fewer cases; no browser, no database server, no odds
	@$(MAKE) --no-print-directory --jobs=3 types floors quick

# Beside each other: types are read by one processor, while tests wait for a server or a browser.
# Tests are stolen from whoever has most left: file by file all workers wait for browsers at once.
whole: .venv/ready-for-test .venv/compiled-for-test
	$(BIN)/pytest -n 3 --dist worksteal -m "not wide"

quick: .venv/ready-for-test .venv/compiled-for-test
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -q -m "$(QUICK)" --hypothesis-profile=quick

wide: .venv/ready-for-test  ## The tests that `make test` leaves out: its dearest odds, more of the page in Firefox, and Spark
	$(BIN)/pytest -n 2 --dist worksteal -m wide

style: .venv/ready-for-test  ## Lint and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	node_modules/.bin/eslint src/askance_collect/respond js

types: .venv/ready-for-test  ## The strict type checkers, of Python and of the respondent's page
	$(BIN)/mypy
	node_modules/.bin/tsc --project .

floors: .venv/ready-for-test  ## Who may import whom
	$(BIN)/lint-imports

page: .venv/ready-for-test  ## Build the parts of the respondent's page from its modules, its styles and the schema of forms, after each change of one
	node tools/form_shapes.mjs
	node tools/page_parts.mjs

docs: .venv/ready-for-test  ## Build the documentation as a site in out/site, which needs no server, and look at every page of it
	$(BIN)/python tools/build_site.py
	$(BIN)/python tools/check_site.py

vectors: .venv/ready-for-test  ## Compare a million cases between Python and JavaScript
	$(BIN)/python tests/vectors/million.py

explore: .venv/ready-for-test  ## Search for cases that no test knows, with fresh seeds, for MINUTES=60
	$(BIN)/python tools/explore.py $(MINUTES)

faults: .venv/ready-for-test  ## Break the collector's processes, power, disk and database, KILLS=100 CUTS=100
	KILLS=$(or $(KILLS),100) CUTS=$(or $(CUTS),100) $(BIN)/pytest -q --timeout=3000 \
		tests/faults tests/collect/test_integrity.py tests/collect/test_postgres.py

simulate: .venv/ready-for-test  ## Play a collector's histories from seeds, for MINUTES=60: crashes, power cuts, failing disks
	$(BIN)/python tools/simulate.py --minutes $(or $(MINUTES),60)

swaps: .venv/ready-for-test  ## Serve one person something else than the page, SWAPS=1000 times
	SWAPS=$(or $(SWAPS),1000) $(BIN)/pytest -q --timeout=3000 tests/browser/test_swaps.py tests/browser/test_pin.py

kit: .venv/ready-for-test  ## Boot the operator's and the issuer's units under systemd, run the container; root on Debian; REPORTS=1000000 with tokens
	$(BIN)/python tools/live_kit.py --reports $(or $(REPORTS),0) $(WHAT)

fuzz: .venv/ready-for-fuzz  ## Try ten million odd reports, forms, survey files and connections: CASES=…, MINUTES=…
	$(BIN)/python tools/fuzz.py run "$(CASES)" "$(MINUTES)"

notebooks: .venv/ready-for-test  ## Turn the explorer in a real JupyterLab and marimo, and sample the documentation's models by PyMC
	$(BIN)/python tools/live_notebooks.py

js: .venv/ready-for-test  ## Build the npm package in js/ and test it, in Chromium and in Firefox
	$(BIN)/python tools/js.py
	cd js && PATH="$(CURDIR)/node_modules/.bin:$$PATH" npm test
	firefox=$$(command -v firefox-esr || command -v firefox) && cd js && FIREFOX=$$firefox node --test test/*.test.mjs

r: .venv/ready-for-r  ## Check the R package in r/ with R CMD check, its tests, and the R of the documentation
	tools/r.sh

bench: .venv/ready-for-test  ## Run every benchmark
	@set -e; for script in benchmarks/*/*.py; do echo "== $$script"; $(BIN)/python "$$script"; done

papers: .venv/ready-for-test  ## Make every figure and table of the three papers anew in out/papers; FULL=1 at the printed sizes, LIFE=… with the table of life expectancies
	OMP_NUM_THREADS=1 $(BIN)/python papers $(if $(FULL),--full) $(if $(LIFE),--data "$(LIFE)")

snapshot: .venv/ready-for-test  ## Write down the public names, draw rooms and designs, list comparisons after a wanted change
	$(BIN)/python tools/public_api.py
	$(BIN)/python tools/rooms.py
	$(BIN)/python tools/designs.py
	$(BIN)/python tools/print_figures.py
	$(BIN)/python tools/notebook.py
	$(BIN)/python tools/gallery.py
	$(BIN)/python tools/checked_against.py
	$(BIN)/python tools/request_tables.py

goldens: .venv/ready-for-test  ## Write down results and outputs after a change that was meant to move them
	$(BIN)/python tests/goldens/test_goldens.py

constraints:  ## Pin today's versions of everything
	tools/constraints.sh

new-design: .venv/ready-for-test  ## Write every enrolment of a new design but its mathematics: NAME=LiuChow PARAMETERS="truth shares:" ANSWERS=several
	$(BIN)/python tools/new_design.py "$(NAME)" "$(PARAMETERS)" "$(ANSWERS)"

changelog: .venv/ready-for-run  ## Assemble changes/*.md into CHANGELOG.md: make changelog VERSION=0.2.0
	$(BIN)/python tools/changelog.py $(VERSION)

system:  ## Install what the tests need of the system, as root on Debian and Ubuntu
	@tools/setup.sh system

release: .venv/ready-for-release  ## Build what is released twice, compare, and list what it installs, in dist/
	$(BIN)/python tools/release.py

extras: .venv/ready-for-release  ## Install each extra of the wheel in dist/ alone, on every Python here, and try it
	$(BIN)/python tools/extras.py dist/askance-*.whl dist/askance_collector-*.whl

unaltered:  ## Hold dist/ to SUMS, the SHA-256 of its SHA256SUMS: no file changed, none missing, none more
	cd dist && echo "$${SUMS:?the SHA-256 of dist/SHA256SUMS, as the build said it}  SHA256SUMS" | sha256sum --check --strict -
	cd dist && sha256sum --check --strict SHA256SUMS && diff <(cut -c 67- SHA256SUMS) <(LC_ALL=C ls -A --ignore=SHA256SUMS)

published: .venv-publish/ready  ## Sign dist/ and send it to the package indexes, from a workflow that they trust
	.venv-publish/bin/python -m pypi_attestations sign dist/*.whl dist/*.tar.gz
	.venv-publish/bin/python -m uv publish --trusted-publishing always dist/*.whl dist/*.tar.gz dist/*.attestation
	npm publish --provenance --access public ./dist/askance-*.tgz

clean:  ## Remove what the other targets made
	rm -rf .venv .venv-publish node_modules build dist out .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/ready-for-run: $(PINS)
	@tools/setup.sh run

.venv/ready-for-test: $(PINS) $(wildcard package-lock.json)
	@tools/setup.sh test

# Once, beside the first reading of types: else three workers compile every test at the same time.
.venv/compiled-for-test: .venv/ready-for-test
	@$(BIN)/pytest --collect-only -q >/dev/null 2>&1 || true
	@touch $@

.venv/ready-for-fuzz: $(PINS) $(wildcard package-lock.json)
	@tools/setup.sh fuzz

.venv/ready-for-release: $(PINS) $(HASHED) $(wildcard package-lock.json)
	@tools/setup.sh release

.venv/ready-for-r: $(PINS)
	@tools/setup.sh r

# By hash alone, and nothing of the project: whoever may publish runs what publishes.
.venv-publish/ready: constraints-publish.txt
	$(PYTHON) -m venv --clear .venv-publish
	.venv-publish/bin/python -m pip install --quiet --no-deps --only-binary=:all: --require-hashes -r $<
	@touch $@
