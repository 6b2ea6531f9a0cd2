# make run           the app for yourself: it prints its address, and a real shared task is open
# make serve         the app for everyone who reaches ADDRESS:PORT (127.0.0.1:8501), with nothing of this machine
# make test          everything: tests, docs, lint, types
# make quick         lint, types, and the tests of data and significance that take no time: under a minute
# make audit         known vulnerabilities of the locked requirements; `make lock` locks newer ones
# make test-versions the tests with every supported Python that is here
# make test-oldest   the fast tests with the oldest releases inside the ranges of requirements.txt
# make wheel         the sdist and the wheel of a release, in dist/
# make image         the container of `make serve`, from that wheel
# make tagged        whether TAG is the tag of this version
# make docs          the pages in docs/ as a website in site/
# make site          the real tasks that come with the package as static pages in public/
# make validate      what nlpsig promises and what was measured, as a TSV
# make bench-screen  how long a person waits for each page, as a TSV
# make bench-growth  how seconds grow with resamples, sentences, systems and files, as a TSV
# make bench-parsers UAS of each kind of parser on the treebanks in NLPSIG_REAL_DATA, as a TSV
# make gallery       the packs of real tasks, from the statistics in NLPSIG_REAL_DATA
# make experiments   the packs of the page Laboratory, from the corpora in NLPSIG_REAL_DATA: trains for hours
# make atlas         the atlas of real gains, from those packs
# make soak          a server under load, with faults and damaged files, as a TSV; fails if a promise is broken
# make mutants       the share of small faults in the code that tests detect, as a TSV
PYTHON ?= python3
ADDRESS ?= 127.0.0.1
PORT ?= 8501
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
# Bytecode of what is installed, by all cores: pip compiles one file at a time. A file of no use to Python stops nothing.
COMPILE := -$(BIN)/python -m compileall -qq -j 0 .venv/lib
LOCK := .venv/tools/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-header \
	--no-annotate
PARSING := tests/laboratory/grammars tests/laboratory/parsers tests/laboratory/confidence/test_resampled.py
TRANSLATION := tests/laboratory/aligners tests/laboratory/translators tests/data/metrics/test_dependency.py \
	tests/significance/paired_tests/test_bootstrap_t.py
KERNELS := $(PARSING) $(TRANSLATION)

# Figures and numbers of other wings may differ in the last digit; files of the project itself are not about releases.
OLDEST := tests/base tests/data tests/significance tests/studies tests/output

.PHONY: run serve image wheel tagged test quick test-versions test-oldest audit lock lint rewritten docs site
.PHONY: kernels kernels-parsing kernels-translation install bench bench-screen bench-growth bench-parsers
.PHONY: validate soak mutants format samples gallery experiments atlas clean

# For one person: the app may open folders below the home, so it listens on the loopback address alone and asks browsers
# for the token in the address that it prints. Uploads and edits are kept.
run: export NLPSIG_FOLDERS ?= $(HOME)
run: export NLPSIG_WORKSPACE ?= $(HOME)/.local/share/nlpsig
run: .venv/app
	$(BIN)/python -m nlpsig_core app --headless

# For anyone: no folders, nothing is kept, lower limits. NLPSIG_HOSTS lists the names by which browsers reach the server.
serve: .venv/app
	$(BIN)/python -m nlpsig_core app --public --address $(ADDRESS) --port $(PORT)

install: .venv/app

test: export PYTHONDONTWRITEBYTECODE :=
test: .venv/dev
	$(MAKE) --jobs=2 --output-sync=target lint kernels rewritten
	$(BIN)/python -m pytest $(KERNELS:%=--ignore %) -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder

quick: lint
	$(BIN)/python -m pytest tests/data tests/significance -m 'not browser and not slow' -n auto --dist loadfile

# The tests with Python 3.11 to 3.14, as far as they are found here; `make test-versions TESTS=tests/data/metrics` runs some.
test-versions: .venv/dev
	$(BIN)/python -m tests.versions $(TESTS)

# They are not all released for the newest Python: this is for Python 3.11.
test-oldest: .venv/oldest
	NUMBA_CACHE_DIR=$(CURDIR)/$</kernels $</bin/python -m pytest $(OLDEST) -m 'not browser and not slow' -n auto --dist loadfile

# The wheel is built from the sdist.
wheel: .venv/tools
	rm -rf dist
	.venv/tools/bin/uv build --quiet --out-dir dist

tagged:
	grep -qx '__version__ = "$(TAG:v%=%)"' nlpsig_core/base/version.py

image: wheel
	docker build -f deploy/Dockerfile -t nlpsig .

# Known vulnerabilities of the locked requirements; ends with error 3 where their database cannot be reached.
audit: .venv/tools
	$(BIN)/python -m deploy.audit .venv/tools/bin/pip-audit

# The newest releases inside the ranges that the app needs, for Python 3.11 and newer, with their hashes.
lock: .venv/tools
	$(LOCK) pyproject.toml --extra app -o deploy/requirements.lock
	echo setuptools | $(LOCK) - -o deploy/build.lock

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Tests before all others: kernels that many tests use are compiled once, not by each process. The two targets share few
# kernels, so that they run at the same time.
kernels: kernels-parsing kernels-translation

kernels-parsing: .venv/dev
	$(BIN)/python -m pytest $(PARSING)

kernels-translation: .venv/dev
	$(BIN)/python -m pytest $(TRANSLATION)

# Bytecode of all tests, with their assertions as pytest rewrites them: made once, not by each process.
rewritten: .venv/dev
	$(BIN)/python -m pytest --collect-only -qq > /dev/null

docs: .venv/dev
	$(BIN)/python -m mkdocs build --strict

# All pairs of the real tasks: those of a campaign take minutes.
site: .venv/app
	$(BIN)/python -m nlpsig_core site $(filter-out resampled-%,$(basename $(notdir $(wildcard sample_data/*.nlpsig)))) -o public

bench: .venv/app
	$(BIN)/python -m benchmarks.run

bench-growth: .venv/app
	$(BIN)/python -m benchmarks.growth

# Seconds until something is seen in headless Chromium, as a TSV; NLPSIG_REAL_DATA adds the pages of a real task.
bench-screen: .venv/dev
	$(BIN)/python -m benchmarks.screen

# Three parsers of each treebank: ten minutes of one core.
bench-parsers: .venv/app
	$(BIN)/python -m benchmarks.treebanks $(NLPSIG_REAL_DATA)/lab.treebanks

# NLPSIG_REAL_DATA, a folder of real tasks, adds translations.
validate: .venv/app
	$(BIN)/python -m benchmarks.validate

# Fifty sessions at once, tasks without end, faults of the machine and twenty thousand damaged inputs: 20 minutes.
soak: .venv/dev
	$(BIN)/python -m soak

# A sample of mutants of each module, in about half an hour on two cores.
mutants: .venv/mutants
	$(BIN)/python -m benchmarks.mutants

format: .venv/dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

samples: .venv/app
	$(BIN)/python -m nlpsig_core.laboratory.synthesis sample_data

# All packs, to be read by `nlpsig atlas build`; those that come with the package go to sample_data as well.
gallery: .venv/app
	$(BIN)/python -m gallery packs

experiments: .venv/app
	$(BIN)/python -m gallery experiments --train

# All pairs of all packs at a million resamples: about half an hour on two cores. An interrupted run resumes.
atlas: gallery
	$(BIN)/python -m nlpsig_core atlas build packs/*.nlpsig -o atlas
	cp atlas/atlas.npz sample_data/atlas.npz

clean:
	rm -rf .venv site public dist

.venv/bin/python:
	$(PYTHON) -m venv .venv || { rm -rf .venv; apt-get update && apt-get install -y python3-venv && $(PYTHON) -m venv .venv; }

.venv/app: requirements.txt pyproject.toml | .venv/bin/python
	$(PIP) -r requirements.txt
	$(PIP) --no-deps --editable .
	$(COMPILE)
	touch $@

.venv/dev: .venv/app tests/requirements.txt tests/chromium.sh
	$(PIP) -r tests/requirements.txt
	$(COMPILE)
	sh tests/chromium.sh
	touch $@

.venv/oldest: requirements.txt tests/requirements.txt | .venv/tools
	.venv/tools/bin/uv venv --quiet --clear --python $(BIN)/python $@
	.venv/tools/bin/uv pip install --quiet --python $@/bin/python --resolution lowest-direct -r tests/requirements.txt

# Tools that share nothing with the app.
.venv/tools: | .venv/bin/python
	$(PYTHON) -m venv $@
	$@/bin/python -m pip install --quiet --disable-pip-version-check 'uv>=0.9,<1' 'pip-audit>=2.9,<3' || { rm -rf $@; false; }

.venv/mutants: .venv/dev benchmarks/requirements-mutants.txt
	$(PIP) -r benchmarks/requirements-mutants.txt
	$(COMPILE)
	touch $@
