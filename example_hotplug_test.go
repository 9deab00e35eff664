package cmwq_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/topology"
)

// fourCPUs starts a system of two memory nodes with two CPUs each.
func fourCPUs(opts ...cmwq.Option) *cmwq.System {
	machine, err := topology.Parse("numa:2 core:2")
	if err != nil {
		log.Fatal(err)
	}
	sys, err := cmwq.New(append(opts, cmwq.WithTopology(machine))...)
	if err != nil {
		log.Fatal(err)
	}
	return sys
}

// What waits for a CPU that goes down runs all the same, and so does what is queued
// for it later.
func ExampleSystem_SetOnline() {
	sys := fourCPUs()
	defer func() { _ = sys.Stop(context.Background()) }()
	q, err := sys.NewQueue("percpu", cmwq.PerCPU())
	if err != nil {
		log.Fatal(err)
	}
	if err := sys.SetOnline(context.Background(), cpuset.New(0, 1, 2)); err != nil {
		log.Fatal(err)
	}
	_ = q.QueueOn(3, cmwq.NewWork(func(*cmwq.Context) error { fmt.Println("done"); return nil }))
	_ = q.Flush(context.Background())
	fmt.Println(sys.SetOnline(context.Background(), cpuset.New()))
	// Output:
	// done
	// topology: no CPU left
}

// CPUs 0 and 1 are kept for something else.
func ExampleSystem_SetUnboundMask() {
	sys := fourCPUs()
	defer func() { _ = sys.Stop(context.Background()) }()
	fmt.Println(sys.SetUnboundMask(context.Background(), cpuset.New(2, 3)))
	fmt.Println(sys.SetUnboundMask(context.Background(), cpuset.New(64)))
	// Output:
	// <nil>
	// topology: no CPU left
}

// Queues that did not choose with Affinity get one pool for all CPUs.
func ExampleSystem_SetDefaultScope() {
	sys := fourCPUs()
	defer func() { _ = sys.Stop(context.Background()) }()
	scope, err := topology.ParseScope("system")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(sys.SetDefaultScope(context.Background(), scope))
	fmt.Println(errors.Is(sys.SetDefaultScope(context.Background(), topology.ScopeDefault), cmwq.ErrOption))
	// Output:
	// <nil>
	// true
}

// Two nodes may execute eight items each, although MaxActive is ten.
func ExampleMinActive() {
	sys := fourCPUs()
	defer func() { _ = sys.Stop(context.Background()) }()
	q, err := sys.NewQueue("fetch", cmwq.Unbound(), cmwq.MaxActive(10), cmwq.MinActive(8))
	if err != nil {
		log.Fatal(err)
	}
	started, end := make(chan bool), make(chan bool)
	for i := range 16 {
		_ = q.QueueOn(i%4, cmwq.NewWork(func(*cmwq.Context) error { started <- true; <-end; return nil }))
	}
	for range 16 {
		<-started
	}
	fmt.Println("16 at once")
	close(end)
	fmt.Println(q.SetMinActive(0)) // from now on MaxActive is exact
	// Output:
	// 16 at once
	// <nil>
}
