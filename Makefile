# Each target sets up what it needs: a virtual environment in .venv, nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q

.PHONY: help demo test check bench docs clean
.DEFAULT_GOAL := help

help:
	@echo "make demo   shows the incidents: gates that are green, and what epm says of them"
	@echo "make test   runs the tests"
	@echo "make check  runs ruff, mypy, the import contracts and our own pre-commit hooks"
	@echo "make bench  times the product beside its peers"
	@echo "make docs   writes the generated pages anew"

# pip >= 25.1 knows dependency groups.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 2; }
	@echo "setting up $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) install --upgrade 'pip>=25.1'

$(VENV)/.base: $(BIN)/python pyproject.toml
	@$(PIP) install --editable .
	@touch $@

$(VENV)/.test: $(VENV)/.base
	@$(PIP) install --group test
	@touch $@

$(VENV)/.dev: $(VENV)/.test
	@$(PIP) install --group dev
	@touch $@

$(VENV)/.bench: $(VENV)/.test
	@$(PIP) install --group bench
	@touch $@

demo: $(VENV)/.base
	@$(BIN)/python examples/demo.py

test: $(VENV)/.dev
	@$(BIN)/python -m pytest -n 2 $(ARGS)

check: $(VENV)/.dev
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/pre-commit run --all-files --show-diff-on-failure

bench: $(VENV)/.bench
	@$(BIN)/python benchmarks/run.py $(ARGS)

docs: $(VENV)/.base
	@$(BIN)/python docs/generate.py

clean:
	rm -rf $(VENV) .venvs dist
