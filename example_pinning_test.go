//go:build linux

package cmwq_test

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/cmwq/cmwq"
)

// Items of a per-CPU queue run on their CPU and on no other.
func ExampleWithPinning() {
	sys, err := cmwq.New(cmwq.WithPinning())
	if errors.Is(err, cmwq.ErrPinning) {
		fmt.Println("not here:", err) // not on Linux, or not on these CPUs
		return
	}
	defer sys.Stop(context.Background())
	q, _ := sys.NewQueue("counters", cmwq.PerCPU())

	err = sys.OnEachCPU(context.Background(), func(*cmwq.Context) error { return nil }) // the system queues', too
	cpu := sys.Topology().CPUs().List()[0]
	only, _ := cmwq.SubmitOn(q, cpu, func(*cmwq.Context) (bool, error) {
		var may unix.CPUSet
		err := unix.SchedGetaffinity(0, &may) // of this thread
		return may.Count() == 1 && may.IsSet(cpu), err
	}).Wait(context.Background())
	fmt.Println("only there:", only, err)
	// Output:
	// only there: true <nil>
}
