# The commands of the README (`make report`, `make test`, `make docs`) and the developers' shortcuts. Each sets up what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: kernels report page wasm docs links test lint types bench wheel clean
.DEFAULT_GOAL := kernels
# Nothing here imports these, or few files of them, which Python compiles when they are.
UNREAD := tests|setuptools|pkg_resources|mypy|mypyc|jedi|parso|prompt_toolkit|wcwidth|pip|debugpy|fontTools|sqlalchemy|lexers|stats|signal|interpolate|integrate|ndimage
$(VENV)/.done: pyproject.toml requirements.lock
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --no-compile --upgrade pip
	$(BIN)/pip install --quiet --no-compile --constraint requirements.lock --editable '.[dev]'
	$(BIN)/python -m compileall -qq -j 0 -x '/($(UNREAD))/' src $(VENV)/lib || true  # as pip does, but on all cores
	touch $@

kernels: $(VENV)/.done  ## every kernel compiled ahead of its first use, on all cores
	$(BIN)/jumpnet compile

report: $(VENV)/.done  ## every table and figure of the papers, recomputed, as report/index.html
	$(BIN)/jumpnet paper --out report

page: $(VENV)/.done  ## the page of `jumpnet explore` from its sources in web/, into src/jumpnet/explore/page.html; needs Node
	npm --prefix web ci --no-audit --no-fund
	node web/build.mjs
	$(BIN)/python web/make.py

wasm: $(VENV)/.done  ## the simulator as WebAssembly for the page, web/kernels/kernels.wasm; needs PyPI's ziglang
	$(BIN)/pip install --quiet --requirement web/kernels/requirements.txt
	$(BIN)/python web/kernels/build.py

docs: $(VENV)/.done  ## the manual, as build/docs/index.html; any warning and any link that leads nowhere is an error
	$(BIN)/python -m sphinx -W --keep-going -q -b html -d build/doctrees docs build/docs

links: $(VENV)/.done  ## links of the manual to other sites, which need a network
	$(BIN)/python -m sphinx -W --keep-going -q -t unexecuted -b linkcheck -d build/doctrees-links docs build/links

# One BLAS thread for each worker, as the command itself asks for.
test: $(VENV)/.done  ## lint, types and every test tier
	$(BIN)/ruff check src tests tools web
	$(BIN)/ruff format --check src tests tools web
	@echo '$(BIN)/mypy beside $(BIN)/python -m pytest -n 2 --dist worksteal'
	@$(BIN)/mypy & types=$$!; OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist worksteal; tests=$$?; wait $$types && exit $$tests

lint: $(VENV)/.done
	$(BIN)/ruff format src tests tools web
	$(BIN)/ruff check --fix src tests tools web

types: $(VENV)/.done
	$(BIN)/mypy

bench: $(VENV)/.done
	$(BIN)/python -m benchmarks

LEVELS := $(if $(filter aarch64 arm64,$(shell uname -m)),generic,x86-64-v3 x86-64-v4)
wheel: $(VENV)/.done  ## a wheel for this platform, kernels compiled for its common processors, in dist/
	rm -rf src/jumpnet/kernels
	for level in $(LEVELS); do $(BIN)/jumpnet compile --for $$level --into src/jumpnet || \
	  { rm -rf src/jumpnet/kernels; exit 1; }; done
	$(BIN)/python -m hatchling build -t wheel; made=$$?; rm -rf src/jumpnet/kernels; exit $$made

clean:
	rm -rf report build dist docs/made .pytest_cache .mypy_cache .ruff_cache
