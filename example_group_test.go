package cmwq_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cmwq/cmwq"
)

// Results come in the order of submission, whoever is done first.
func ExampleGroup() {
	sys, q := example()
	defer sys.Stop(context.Background())
	g := cmwq.NewGroup[int](context.Background(), q)
	for i := range 4 {
		g.Submit(func(ctx *cmwq.Context) (int, error) {
			return i * i, ctx.Sleep(time.Duration(4-i) * time.Millisecond)
		})
	}
	for square, err := range g.Results() {
		fmt.Println(square, err)
	}
	fmt.Println(g.Wait(context.Background()))
	// Output:
	// 0 <nil>
	// 1 <nil>
	// 4 <nil>
	// 9 <nil>
	// <nil>
}

// The first error ends the group: what runs is cancelled, what waits does not begin.
func ExampleGroup_Wait() {
	sys, _ := example()
	defer sys.Stop(context.Background())
	q, _ := sys.NewQueue("checks", cmwq.Unbound(), cmwq.MaxActive(2))
	g := cmwq.NewGroup[string](context.Background(), q)
	begun := make(chan struct{})
	slow := g.Submit(func(ctx *cmwq.Context) (string, error) {
		close(begun)
		<-ctx.Done()
		return "", context.Cause(ctx)
	})
	g.Go(func(ctx *cmwq.Context) error {
		_, _ = cmwq.Await(ctx, begun)
		return errors.New("no such user")
	})
	fmt.Println(g.Wait(context.Background()))
	_, err := slow.Wait(context.Background())
	fmt.Println("slow:", err)
	_, err = g.Submit(func(*cmwq.Context) (string, error) { return "", nil }).Wait(context.Background())
	fmt.Println("late:", err)
	// Unordered output:
	// no such user
	// slow: no such user
	// late: cmwq: work was cancelled: no such user
}

// At most two of a group are queued or run at a time; nobody waits to submit.
func ExampleGroup_SetLimit() {
	sys, q := example()
	defer sys.Stop(context.Background())
	g := cmwq.NewGroup[int](context.Background(), q)
	g.SetLimit(2)
	for i := range 100 {
		g.Submit(func(*cmwq.Context) (int, error) { return i, nil })
	}
	sum := 0
	for v := range g.Results() {
		sum += v
	}
	fmt.Println(sum, g.Wait(context.Background()))
	// Output: 4950 <nil>
}
