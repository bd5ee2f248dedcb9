# The two commands of the README (`make report`, `make test`) and the developers' shortcuts. Each sets up what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: report test lint types bench clean
$(VENV)/.done: pyproject.toml requirements.lock
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet --constraint requirements.lock --editable '.[dev]'
	touch $@

report: $(VENV)/.done  ## every table and figure of the papers, recomputed, as report/index.html
	$(BIN)/jumpnet paper --out report

test: $(VENV)/.done  ## lint, types and every test tier
	$(BIN)/ruff check src tests
	$(BIN)/ruff format --check src tests
	$(BIN)/mypy
	$(BIN)/python -m pytest -n 2

lint: $(VENV)/.done
	$(BIN)/ruff format src tests
	$(BIN)/ruff check --fix src tests

types: $(VENV)/.done
	$(BIN)/mypy

bench: $(VENV)/.done
	$(BIN)/python -m benchmarks

clean:
	rm -rf report build dist .pytest_cache .mypy_cache .ruff_cache
