# make help lists the targets. All paths are relative, so the folder's own name may hold spaces.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo demo-sampling test lint format unit bench fuzz docs-figures wheel system clean

SHELL := /bin/bash
PYTHON := .venv/bin/python
READY := .venv/.ready
OUT := out

help: ## What can be made.
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed -E 's/^([a-z-]+):.*## (.*)/  make \1|\2/' | column -t -s '|' 2>/dev/null || grep '##' Makefile

demo: $(READY) ## Find the state machine of the bundled walk, show it, let it walk on for 20 s, audit, say what to open.
	@rm -rf $(OUT)/walk.partial
	@$(PYTHON) -m reenact capture walk --to 2.0 --budget 30 -o $(OUT)/walk
	@$(PYTHON) -m reenact show $(OUT)/walk --svg $(OUT)/walk.svg
	@$(PYTHON) -m reenact audit $(OUT)/walk
	@$(PYTHON) -m reenact replay $(OUT)/walk --seconds 20 -o $(OUT)/walk-on
	@$(PYTHON) -m reenact audit $(OUT)/walk-on
	@echo
	@echo "Open $(OUT)/walk/report.html and $(OUT)/walk-on/report.html in a browser,"
	@echo "or run: .venv/bin/reenact view $(OUT)/walk $(OUT)/walk-on"

demo-sampling: $(READY) ## Find the open-loop control of the bundled cartwheel, audit it, say what to open.
	@rm -rf $(OUT)/cartwheel.partial
	@$(PYTHON) -m reenact capture cartwheel --method sampling -o $(OUT)/cartwheel
	@$(PYTHON) -m reenact audit $(OUT)/cartwheel
	@echo
	@echo "Open $(OUT)/cartwheel/report.html in a browser, or run: .venv/bin/reenact view $(OUT)/cartwheel"

test: lint unit ## Everything a change must pass: lint, types, import layers, all tests.

lint: $(READY) ## Style, types, and imports that point upstream only.
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy
	.venv/bin/lint-imports --no-logo

unit: $(READY) system ## The tests alone.
	$(PYTHON) -m pytest -rs --durations=10 --numprocesses=auto --maxprocesses=4 --dist=loadfile --no-loadscope-reorder

format: $(READY) ## Format the code and mend what can be mended.
	$(PYTHON) -m ruff check --fix .
	$(PYTHON) -m ruff format .

bench: $(READY) ## The figures of the documentation, as tables and as JSON in out/bench.
	@mkdir -p $(OUT)/bench
	$(PYTHON) -m reenact bench loop --json $(OUT)/bench/loop.json
	$(PYTHON) -m reenact bench fit --json $(OUT)/bench/fit.json
	$(PYTHON) -m reenact bench grf --json $(OUT)/bench/grf.json
	$(PYTHON) -m reenact bench silhouette --json $(OUT)/bench/silhouette.json
	$(PYTHON) -m reenact bench cluster --json $(OUT)/bench/cluster.json
	$(PYTHON) -m reenact bench sampling --quick --json $(OUT)/bench/sampling_quick.json
	$(PYTHON) -m reenact bench states --quick --json $(OUT)/bench/states_quick.json

fuzz: $(READY) ## 10,000 broken files per format into every reader; takes a while.
	$(PYTHON) tools/fuzz_formats.py

docs-figures: $(READY) ## The pictures of the documentation, made by the tool itself.
	$(PYTHON) tools/make_figures.py

wheel: $(READY) ## A wheel in dist/.
	$(PYTHON) -m pip wheel --quiet --no-deps --wheel-dir dist .

clean: ## Remove what was made, the environment included.
	rm -rf .venv $(OUT) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

# The environment, made once and again when the requirements change.
$(READY): pyproject.toml constraints.txt
	@tools/make_environment.sh

# What tests of rendering and of the browser page need beyond Python; without it those tests are skipped and say so.
system:
	@tools/install_system_packages.sh
