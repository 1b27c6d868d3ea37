# SPDX-License-Identifier: Apache-2.0
# Two commands matter: `make run` and `make test`. Each installs the packages that it needs and nothing else.

ARGS ?= ch01 --profile minimal
# What `make build` builds: everything; ONLY=ch07 builds the program and that chapter, ONLY=plan its commands, ONLY=postgresql that store.
ONLY ?=
# What `make dist` bundles: every chapter for every architecture, or e.g. CHAPTERS=ch07 ARCHS=90a.
CHAPTERS ?=
ARCHS ?=
# Where `make install` puts bin/, lib/, include/ and share/.
PREFIX ?= $(if $(filter 0,$(shell id -u)),/usr/local,$(HOME)/.local)
ridge := build/release/bin/ridge

.PHONY: help wheel run build install package test test-slow check coverage metrics results peaks trace-figures plan-figures dist format clean
.DEFAULT_GOAL := help

help:
	@echo "make run        install what is missing, build the program, run chapter 1 (ARGS='ch01 --profile minimal')"
	@echo "make build      build the program with every chapter and command (ONLY=ch07, ONLY=plan: one of them)"
	@echo "make install    what make build makes, with manual, completions and CMake package, into PREFIX ($(PREFIX))"
	@echo "make package    dist/*.deb, dist/*.tar.gz and dist/*.whl for Debian 12, Ubuntu 22.04 and later"
	@echo "make test       build what tests run, run every test but the slow ones and those that measure time"
	@echo "make test-slow  the slow ones: cheats, the judge, projects that use Ridge, accuracy of training steps"
	@echo "make check      format, layers, licences, sizes, tables of the READMEs, clang-tidy"
	@echo "make coverage   which chapters, techniques and backends the catalogue covers"
	@echo "make metrics    which experiments declare which metrics"
	@echo "make results    measure chapter 1, keep it in results/, rewrite the tables of the READMEs"
	@echo "make peaks      measure what this machine can do, keep it in results/, rewrite docs/guide/peaks.md"
	@echo "make trace-figures  how fast and how right traces are read; rewrite docs/design/trace/figures.md"
	@echo "make plan-figures   how right and how fast planning is; rewrite docs/design/plan/figures.md"
	@echo "make dist       a bundle that runs from any folder, with CUDA and tools/gpu-check where a toolkit is: dist/*.tar.gz (CHAPTERS=ch07 ARCHS=90a: less)"
	@echo "make wheel      the Python package with its libraries: dist/ridge-*.whl (docs/guide/python.md)"
	@echo "make format     lay out the sources with clang-format"
	@echo "make clean      remove build/ and dist/"
	@echo "Packages are in tools/packages.txt; the program is $(ridge) (try: $(ridge) --help)."

# Builds the program and the chapters that ARGS names, and nothing else.
run: build/.packages-run build/release/build.ninja
	@targets=$$(tools/build-targets $(ARGS)) && cmake --build --preset release --target $$targets -- --quiet
	@$(ridge) run $(ARGS)

# ninja finds out what is stale; the package check is repeated only when its table changed.
build: build/.packages-run build/release/build.ninja
	@cmake --build --preset release --target $(if $(ONLY),ridge $(foreach one,$(ONLY),$(if $(filter plan results serve trace,$(one)),commands_$(one),$(if $(filter postgresql,$(one)),stores_$(one),chapter_$(one)))),everything) -- --quiet

# The modules that are built are installed: `make install ONLY=ch01` puts chapter 1 there.
install: build
	@cmake --build --preset release --target development -- --quiet
	@cmake --install build/release --component program --prefix "$(PREFIX)" >/dev/null
	@cmake --install build/release --component development --prefix "$(PREFIX)" >/dev/null
	@echo "Installed $(PREFIX)/bin/ridge and what it needs."
	@case ":$$PATH:" in *":$(PREFIX)/bin:"*) ;; *) echo "Add to the file that your shell reads first: export PATH=\"$(PREFIX)/bin:\$$PATH\"" ;; esac

package: build/.packages-run build/.packages-test
	@CHAPTERS="$(CHAPTERS)" ARCHS="$(ARCHS)" tools/package

test: build/.packages-run build/.packages-test build/ci/build.ninja
	@cmake --build --preset ci
	@ctest --preset ci

test-slow: build/.packages-run build/.packages-test build/ci/build.ninja
	@cmake --build --preset ci-slow
	@ctest --preset ci-slow

check: build build/.packages-test build/.packages-check
	@tools/check

coverage metrics: build
	@$(ridge) $@

results: build
	@RIDGE=$(ridge) tools/keep-results

peaks: build
	@RIDGE=$(ridge) tools/keep-peaks

trace-figures: build/.packages-run build/.packages-test build/figures/build.ninja
	@tools/trace-figures build/figures

plan-figures: build/.packages-run build/.packages-test build/figures/build.ninja
	@tools/plan-figures build/figures

dist: build/.packages-run build/.packages-test
	@CHAPTERS="$(CHAPTERS)" ARCHS="$(ARCHS)" tools/dist

wheel: build/.packages-run build/release/build.ninja
	@cmake --build --preset release --target ridge_shared ridge_trace_shared -- --quiet
	@tools/wheel build/release/lib/libridge.so build/release/lib/libridge_trace.so dist

format: build/.packages-check
	@tools/check-format --fix

clean:
	rm -rf build dist

build/.packages-%: tools/packages.txt tools/install-packages
	@tools/install-packages $*
	@mkdir -p build && touch $@

build/%/build.ninja: CMakePresets.json
	@cmake --preset $*
	@touch $@
