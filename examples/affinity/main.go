// Command affinity hashes with each affinity scope, strict and not, on the machine that it
// runs on: many issuers and few, beside the published measurement of dm-crypt.
//
//	go run ./examples/affinity
//	go run ./examples/affinity -json
//
// Machines differ, so it judges what must hold on all of them: that each item is hashed
// once and rightly, in no more pools than the scope has pods; and that scopes which are the
// same CPUs here are equally fast. It ends with status 1 if a claim does not hold.
package main

import (
	"context"
	"io"
	"time"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/examples/internal/claims"
)

func main() { claims.Main(run) }

func run(ctx context.Context, args []string, out, log io.Writer) error {
	flags, asJSON := claims.Flags("affinity", log)
	each := flags.Duration("time", 50*time.Millisecond, "how long each is measured, in each round")
	rounds := flags.Int("rounds", 9, "rounds, in each of which all take turns; the median counts")
	if err := claims.Parse(flags, args); err != nil {
		return err
	}
	if *each < time.Millisecond || *rounds < 1 {
		return claims.Usagef("-time is at least 1ms, and -rounds 1")
	}
	found, err := measure(ctx, *each, *rounds)
	if err != nil {
		return err
	}
	return claims.Finish(report(found, claims.ThisMachine()), out, *asJSON)
}

// measure starts a system, and measures.
func measure(ctx context.Context, each time.Duration, rounds int, opts ...cmwq.Option) (*Found, error) {
	sys, err := cmwq.New(append([]cmwq.Option{cmwq.WithHogReport(0)}, opts...)...)
	if err != nil {
		return nil, err
	}
	l := &lab{sys: sys, each: each, rounds: rounds}
	found, err := l.measure(ctx)
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if e := sys.Stop(end); err == nil {
		err = e
	}
	return found, err
}
