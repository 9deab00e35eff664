package cmwq_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"regexp"

	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/topology"
)

// ran gives the CPU of the pool that ran an item which was queued on a CPU; -1 if the
// pool has several.
func ran(q *cmwq.Queue, on int) int {
	cpu, err := cmwq.SubmitOn(q, on, func(ctx *cmwq.Context) (int, error) { return ctx.CPU(), nil }).Wait(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	return cpu
}

// A per-CPU queue has a pool on each CPU; all others one for each group of CPUs.
func ExamplePerCPU() {
	sys := fourCPUs()
	defer sys.Stop(context.Background())
	for _, opts := range [][]cmwq.QueueOption{
		{cmwq.PerCPU()}, {cmwq.PerCPU(), cmwq.HighPri()}, {cmwq.PerCPU(), cmwq.CPUIntensive()},
		{cmwq.Unbound()}, {cmwq.MaxActive(64)},
		{cmwq.Unbound(), cmwq.Affinity(topology.ScopeCPU, false), cmwq.CPUs(cpuset.New(2, 3)), cmwq.Nice(5)},
	} {
		q, err := sys.NewQueue("q", opts...)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(ran(q, 2))
		_ = q.Destroy(context.Background())
		for sys.Queue("q") != nil { // the name is free a moment later
		}
	}
	_, err := sys.NewQueue("q", cmwq.PerCPU(), cmwq.Unbound())
	fmt.Println(err)
	// Output:
	// 2
	// 2
	// 2
	// -1
	// -1
	// -1
	// cmwq: option is not valid: PerCPU and Unbound exclude each other
}

// Where power is to be saved, items start where a CPU is awake: the same queue is
// unbound there, and per-CPU elsewhere.
func ExamplePowerEfficient() {
	for _, save := range []bool{false, true} {
		sys := fourCPUs(cmwq.WithPowerEfficient(save))
		q, err := sys.NewQueue("housekeeping", cmwq.PowerEfficient())
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(save, ran(q, 2), ran(sys.PowerEfficient(), 3), ran(sys.FreezablePowerEfficient(), 3))
		_ = sys.Stop(context.Background())
	}
	// Output:
	// false 2 3 3
	// true -1 -1 -1
}

// A machine that this one is not, with a pool for each core instead of each cache.
func ExampleWithScope() {
	machine, err := topology.Parse("llc:2 core:2 smt:2")
	if err != nil {
		log.Fatal(err)
	}
	sys, err := cmwq.New(cmwq.WithTopology(machine), cmwq.WithScope(topology.ScopeSMT), cmwq.WithMaxWorkers(100))
	if err != nil {
		log.Fatal(err)
	}
	defer sys.Stop(context.Background())
	fmt.Println(sys.Topology().NumCPU(), "CPUs")
	q, err := sys.NewQueue("q")
	if err != nil {
		log.Fatal(err)
	}
	pools := map[string]bool{}
	for cpu := range sys.Topology().NumCPU() {
		name, _ := cmwq.SubmitOn(q, cpu, func(ctx *cmwq.Context) (string, error) { return ctx.Worker(), nil }).Wait(context.Background())
		pools[regexp.MustCompile(`u\d+`).FindString(name)] = true
	}
	fmt.Println(len(pools), "pools")
	// Output:
	// 8 CPUs
	// 4 pools
}

// To find work that counts on running near its queuer: each item goes to another CPU.
func ExampleWithRoundRobin() {
	sys := fourCPUs(cmwq.WithRoundRobin(), silent())
	defer sys.Stop(context.Background())
	q, err := sys.NewQueue("q", cmwq.Affinity(topology.ScopeCPU, false))
	if err != nil {
		log.Fatal(err)
	}
	where := func() string {
		worker, _ := cmwq.Submit(q, func(ctx *cmwq.Context) (string, error) { return ctx.Worker(), nil }).Wait(context.Background())
		return regexp.MustCompile(`u\d+`).FindString(worker) // its pool
	}
	was, same := where(), 0
	for range 10 {
		now := where()
		if now == was {
			same++
		}
		was = now
	}
	fmt.Println(same, "times where the one before was")
	// Output: 0 times where the one before was
}

// A queue that takes part in freezes, and one that does not.
func ExampleFreezable() {
	sys, plain := example()
	defer sys.Stop(context.Background())
	held, err := sys.NewQueue("held", cmwq.Freezable())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(sys.Freeze(context.Background()), sys.Frozen())
	thawed := make(chan error)
	_ = held.Go(func(*cmwq.Context) error { thawed <- errors.New("after the thaw"); return nil })
	_ = plain.Go(func(*cmwq.Context) error { fmt.Println("in the frost"); return nil })
	_ = plain.Flush(context.Background())
	sys.Thaw()
	fmt.Println(<-thawed, sys.Frozen())
	// Output:
	// <nil> true
	// in the frost
	// after the thaw false
}
