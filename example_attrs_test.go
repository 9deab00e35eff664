package cmwq_test

import (
	"context"
	"fmt"
	"log"

	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/topology"
)

// Two CPUs are kept free of a live queue's work; what it had queued is done all
// the same.
func ExampleQueue_SetAttrs() {
	machine, err := topology.Parse("llc:2 core:2") // CPUs 0-1 and 2-3 share a cache
	if err != nil {
		log.Fatal(err)
	}
	sys, err := cmwq.New(cmwq.WithTopology(machine))
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = sys.Stop(context.Background()) }()
	q, err := sys.NewQueue("resize", cmwq.Affinity(topology.ScopeCache, false))
	if err != nil {
		log.Fatal(err)
	}
	done := make([]bool, 8)
	for i := range done {
		if i == 4 {
			if err := q.SetAttrs(context.Background(), cmwq.CPUs(cpuset.New(2, 3))); err != nil {
				log.Fatal(err)
			}
		}
		_ = q.Go(func(*cmwq.Context) error { done[i] = true; return nil })
	}
	_ = q.Flush(context.Background())
	fmt.Println(done)
	fmt.Println("CPUs", q.Attrs().CPUs, "by", q.Attrs().Scope)
	err = q.SetAttrs(context.Background(), cmwq.Nice(20))
	fmt.Println(err)
	// Output:
	// [true true true true true true true true]
	// CPUs 2-3 by cache
	// cmwq: option is not valid: Nice(20)
}
