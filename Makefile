# The commands of the project; each does its own set-up. `make` alone names them.
.PHONY: help run test lint gen e2e bench faults screenshots

help:        ## name the commands
	@sed -n 's/^\([a-z0-9]*\): *## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

run:         ## start everything with demo data; CASES=n for more of it, PORT=n for another port
	@scripts/run

test:        ## check everything: formatting, lints, Rust, console, browser
	@scripts/test

lint:        ## formatting, lints, structure, licences
	@scripts/lint

gen:         ## make the generated files anew: .sqlx, api/openapi.json, the console's types
	@scripts/gen

e2e:         ## browser tests on the real product; ARGS="-g import" for some of them
	@scripts/e2e $(ARGS)

screenshots: ## pictures of each page in both themes into docs/screenshots
	@scripts/e2e --config playwright.screenshots.config.ts

bench:       ## measure; writes bench/RESULTS.md
	@scripts/build && scripts/with-services --durable cargo run --release -p bench -- $(ARGS)

faults:      ## kill, cut and judge real processes; ARGS="B1 B7" for some of it, --short, --seed=N, --tasks=N, --old=FOLDER
	@env -u DATABASE_URL -u REDIS_URL scripts/faults $(ARGS)
