// Command fixedworkers compares three fixed workers of a queue with three workers of a
// shared pool: empty items in batches of a hundred, as the proposal of fixed workers for
// io-wq was measured, and items of unequal length.
//
//	go run ./examples/fixedworkers                    10 million items a run, three runs
//	go run ./examples/fixedworkers -items 20000000    as published
//	go run ./examples/fixedworkers -json
//
// It ends with status 1 when a claim does not hold.
package main

import (
	"context"
	"io"

	"github.com/cmwq/cmwq/examples/internal/claims"
)

func main() { claims.Main(run) }

func run(ctx context.Context, args []string, out, log io.Writer) error {
	flags, asJSON := claims.Flags("fixedworkers", log)
	items := flags.Int("items", 10_000_000, "empty items a run, 20000000 as published; far fewer where items take time")
	runs := flags.Int("runs", 3, "runs of each, in turns; the median counts")
	if err := claims.Parse(flags, args); err != nil {
		return err
	}
	if *items < 100_000 || *runs < 1 {
		return claims.Usagef("-items is at least 100000, and -runs 1")
	}
	found, err := measure(ctx, *runs, loads(*items), contenders())
	if err != nil {
		return err
	}
	return claims.Finish(report(found, claims.ThisMachine()), out, *asJSON)
}
