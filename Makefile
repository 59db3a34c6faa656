# The commands everyone relies on. All but `play` and `test` are for people who change Muang.

VENV := .venv
BIN := $(VENV)/bin
# The newest Python that Muang supports; PYTHON=… chooses another
PYTHON ?= $(firstword $(foreach p,python3.14 python3.13 python3.12 python3.11 python3 python,$(shell \
	command -v $(p) >/dev/null 2>&1 && $(p) -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null && echo $(p))))
WORKERS ?= 2
ARGS ?=

.PHONY: play test lint check format clean

play: $(VENV)/.play  ## set up, start the page on SQLite, print its address
	$(BIN)/muang serve $(ARGS)

test: $(VENV)/.test $(VENV)/.warm  ## the whole test suite; what needs a browser, PostgreSQL, nginx or tmux runs where they are found
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile $(ARGS)

lint: $(VENV)/.test  ## ruff, mypy, tsc, layers
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/mypy
	@if command -v npm >/dev/null 2>&1; then \
		[ -x node_modules/.bin/tsc ] || npm install --no-save --no-audit --no-fund --loglevel=error; \
		echo "tsc --noEmit"; node_modules/.bin/tsc --noEmit; \
	elif [ "$$MUANG_REQUIRE" = all ]; then echo "tsc: there is no npm here, and MUANG_REQUIRE=all asks for it"; exit 1; \
	else echo "tsc: left out, there is no npm here"; fi
	$(BIN)/python -m pytest tests/test_layers.py -p no:cacheprovider

check:  ## lint and test with nothing skipped
	MUANG_REQUIRE=all $(MAKE) lint
	MUANG_REQUIRE=all $(MAKE) test

format: $(VENV)/.test  ## put the code into its form
	$(BIN)/ruff check --fix src tests benchmarks
	$(BIN)/ruff format src tests benchmarks

clean:
	rm -rf $(VENV) node_modules build dist

$(BIN)/python:
	@if [ -z "$(PYTHON)" ]; then echo "Muang needs Python 3.11 to 3.14 with venv; set PYTHON=… to one"; exit 1; fi
	$(PYTHON) -m venv $(VENV)

$(VENV)/.play: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.test: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test,dev]'
	@touch $@ $(VENV)/.play

# Kernels are compiled once for all test processes, not once in each
$(VENV)/.warm: $(shell find src/muang/games src/muang/search -name '*.py') | $(VENV)/.test
	$(BIN)/python -m muang.lab.warm
	@touch $@
