package main

import (
	"context"
	"fmt"
	"time"

	"github.com/cmwq/cmwq"
)

func main() {
	sys, _ := cmwq.New()
	q, _ := sys.NewQueue("greetings")
	q.Go(func(ctx *cmwq.Context) error { return ctx.Sleep(time.Second) }) // others run meanwhile
	q.Go(func(ctx *cmwq.Context) error { fmt.Println("hello"); return nil })
	sys.Stop(context.Background()) // waits for both
}
