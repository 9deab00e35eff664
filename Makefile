# The commands of daily work. `make` alone lists them; .ci/run is what a change
# must pass.

SHELL       := bash
.SHELLFLAGS := -o pipefail -c

GO    ?= go
PKG   ?= ./...
COUNT ?= 200
ROUNDS ?= 200
BENCH ?= .
LONG  ?= 60s

GOLANGCI_LINT ?= $(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

DATADRIVEN := github.com/cockroachdb/datadriven
# The packages whose tests know the -rewrite flag.
GOLDEN ?= $(shell $(GO) list -f '{{range .TestImports}}{{println . $$.ImportPath}}{{end}}{{range .XTestImports}}{{println . $$.ImportPath}}{{end}}' ./... \
	| awk '$$1 == "$(DATADRIVEN)" { print $$2 }' | sort -u)

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: bench
bench: ## Run the benchmarks of PKG that match BENCH; into bin/bench.txt too
	@mkdir -p bin
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem $(PKG) | tee bin/bench.txt

.PHONY: ci
ci: ## Run everything a change must pass
	.ci/run

.PHONY: fmt
fmt: ## Format the sources
	$(GO) fmt ./...

.PHONY: golden
golden: ## Rewrite the golden files and show what changed; read every line of it
	@test -n "$(strip $(GOLDEN))" || { echo "no package has golden files"; exit 1; }
	$(GO) test -count=1 $(GOLDEN) -rewrite
	@git diff --stat -- '*/testdata/*'

.PHONY: invariants
invariants: ## Run the tests of PKG with the internal checks on
	$(GO) test -tags invariants $(PKG)

.PHONY: lint
lint: ## Run golangci-lint (the first time it is built, which takes minutes)
	$(GOLANGCI_LINT) run $(PKG)

.PHONY: race
race: ## Run the tests of PKG under the race detector, which turns the checks on too
	$(GO) test -race $(PKG)

.PHONY: soak
soak: ## Run the whole suite ROUNDS times on 1, 2 and 8 CPUs under the race detector, until it fails: make soak ROUNDS=20
	.ci/soak $(ROUNDS) $(PKG)

.PHONY: staticcheck
staticcheck: ## Run staticcheck over PKG
	$(GO) tool staticcheck $(PKG)

.PHONY: stress
stress: ## Run the tests of PKG COUNT times under the race detector: make stress PKG=./actors COUNT=50
	$(GO) test -race -tags invariants -count=$(COUNT) -failfast -timeout 0 $(PKG)

.PHONY: test
test: ## Run the tests of PKG
	$(GO) test $(PKG)

.PHONY: torture
torture: ## Mix every operation on every kind of queue for LONG under the race detector, and check the books
	$(GO) test -race -tags invariants -count=1 -timeout 0 ./tests/torture -torture $(LONG) -v

.PHONY: vet
vet: ## Run go vet over PKG
	$(GO) vet $(PKG)
