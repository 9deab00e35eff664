package cmwq_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/topology"
)

// system gives a system on a machine of two nodes with two CPUs each.
func system() *cmwq.System {
	topo, err := topology.Parse("numa:2 core:2")
	if err != nil {
		panic(err)
	}
	sys, err := cmwq.New(cmwq.WithTopology(topo), silent())
	if err != nil {
		panic(err)
	}
	return sys
}

// Work that needs no limit and no flush of its own needs no queue of its own.
func ExampleSystem_Default() {
	sys := system()
	defer sys.Stop(context.Background())
	w := cmwq.NewWork(func(*cmwq.Context) error { fmt.Println("ran"); return nil })
	_ = sys.Default().Queue(w)
	_ = w.Flush(context.Background())
	fmt.Println(sys.Default().Destroy(context.Background()))
	// Output:
	// ran
	// cmwq: a system queue is everybody's: it cannot be changed, drained or destroyed
}

func ExampleSystem_HighPri() {
	sys := system()
	defer sys.Stop(context.Background())
	for _, q := range []*cmwq.Queue{sys.Default(), sys.HighPri(), sys.Long(), sys.Unbound(), sys.UnboundLong(), sys.Managed(), sys.Freezable(), sys.BH(), sys.BHHighPri()} {
		fmt.Println(q.Name())
	}
	// Output:
	// events
	// events_highpri
	// events_long
	// events_unbound
	// events_dfl_long
	// events_managed
	// events_freezable
	// events_bh
	// events_bh_highpri
}

func ExampleSystem_OnEachCPU() {
	sys := system()
	defer sys.Stop(context.Background())
	var calls atomic.Int32
	err := sys.OnEachCPU(context.Background(), func(ctx *cmwq.Context) error {
		calls.Add(1)
		if ctx.CPU() == 3 {
			return errors.New("no cache to drop")
		}
		return nil
	})
	fmt.Println(calls.Load(), err)
	var on *cmwq.CPUError
	fmt.Println(errors.As(err, &on), on.CPU)
	// Output:
	// 4 cmwq: on CPU 3: no cache to drop
	// true 3
}

func ExampleSystem_RunOn() {
	sys := system()
	defer sys.Stop(context.Background())
	fmt.Println(sys.RunOn(context.Background(), 2, func(ctx *cmwq.Context) error {
		fmt.Println("on CPU", ctx.CPU())
		return nil
	}))
	fmt.Println(errors.Is(sys.RunOn(context.Background(), 9, func(*cmwq.Context) error { return nil }), cmwq.ErrCPU))
	// Output:
	// on CPU 2
	// <nil>
	// true
}

func ExampleSubmitOn() {
	sys := system()
	defer sys.Stop(context.Background())
	fut := cmwq.SubmitOn(sys.Default(), 1, func(ctx *cmwq.Context) (string, error) { return ctx.Worker(), nil })
	name, err := fut.Wait(context.Background())
	fmt.Println(strings.HasPrefix(name, "kworker/1:"), err)
	// Output: true <nil>
}

func ExampleQueue_QueueNode() {
	sys := system()
	defer sys.Stop(context.Background())
	q, _ := sys.NewQueue("near memory")
	w := cmwq.NewWork(func(ctx *cmwq.Context) error { fmt.Println("ran"); return nil })
	err := q.QueueNode(1, w)
	_ = q.Flush(context.Background())
	fmt.Println(err)
	// Output:
	// ran
	// <nil>
}

func ExampleQueue_QueueAfterOn() {
	sys := system()
	defer sys.Stop(context.Background())
	w := cmwq.NewWork(func(ctx *cmwq.Context) error { fmt.Println("on CPU", ctx.CPU()); return nil })
	fmt.Println(sys.Default().QueueAfterOn(1, time.Hour, w), w.Pending())
	fmt.Println(sys.Default().ModifyOn(3, time.Millisecond, w))
	_ = w.Flush(context.Background())
	fmt.Println(w.Pending())
	// Output:
	// <nil> true
	// true <nil>
	// on CPU 3
	// false
}

func ExampleQueue_Congested() {
	sys := system()
	defer sys.Stop(context.Background())
	q, _ := sys.NewQueue("writes", cmwq.PerCPU(), cmwq.MaxActive(1))
	started, hold := make(chan struct{}), make(chan struct{})
	_ = q.QueueOn(0, cmwq.NewWork(func(ctx *cmwq.Context) error {
		close(started)
		_, err := cmwq.Await(ctx, hold)
		return err
	}))
	<-started
	fmt.Println(q.Congested(0))
	w := cmwq.NewWork(func(*cmwq.Context) error { return nil })
	_ = q.QueueOn(0, w)
	_, _ = q.Stats(context.Background()) // the pool has seen it
	fmt.Println(q.Congested(0), "one waits; elsewhere:", q.Congested(1))
	close(hold)
	_ = w.Flush(context.Background())
	fmt.Println(q.Congested(0))
	// Output:
	// false
	// true one waits; elsewhere: false
	// false
}
