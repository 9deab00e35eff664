package main

import (
	"time"

	"github.com/cmwq/cmwq"
)

// setup is one way to have a hog and an item behind it.
type setup struct {
	name   string
	system []cmwq.Option
	hog    []cmwq.QueueOption
	other  bool                // the second item has a plain per-CPU queue of its own
	each   time.Duration       // after that much burning the hog does pause
	pause  func(*cmwq.Context) // nil: it never does anything but burn
	idle   bool                // nothing else runs in the process
	waits  bool                // expected: the second item waits for the end of the hog
}

// ruleOff is the state of the report: kernels had no automatic rule then.
func ruleOff() []cmwq.Option { return []cmwq.Option{cmwq.WithHogThreshold(0)} }

func perCPU(more ...cmwq.QueueOption) []cmwq.QueueOption {
	return append([]cmwq.QueueOption{cmwq.PerCPU()}, more...)
}

func yields(ctx *cmwq.Context) { ctx.Yield() }

func sleeps(ctx *cmwq.Context) { _ = ctx.Sleep(time.Millisecond) }

// setups are all of them: what was reported, what does not help, and what does.
func setups() []setup {
	return []setup{
		{name: "rule off", system: ruleOff(), hog: perCPU(), waits: true},
		{name: "rule off, the hog yields", system: ruleOff(), hog: perCPU(), each: 100 * time.Microsecond, pause: yields, waits: true},
		{name: "rule off, a second plain queue", system: ruleOff(), hog: perCPU(), other: true, waits: true},
		{name: "rule off, the hog sleeps 1 ms every 5", system: ruleOff(), hog: perCPU(), each: 5 * time.Millisecond, pause: sleeps},
		{name: "rule off, an idle CPU beside", system: ruleOff(), hog: perCPU(), idle: true},
		{name: "CPUIntensive queue, rule off", system: ruleOff(), hog: perCPU(cmwq.CPUIntensive()), other: true},
		{name: "unbound queue, rule off", system: ruleOff(), hog: []cmwq.QueueOption{cmwq.Unbound()}, other: true},
		{name: "managed queue, rule off", system: ruleOff()},
		{name: "automatic rule", hog: perCPU()},
	}
}

// jobs are those of them that the whole job is run with.
func jobs() []setup {
	var few []setup
	for _, s := range setups() {
		switch s.name {
		case "rule off", "rule off, the hog yields", "automatic rule", "CPUIntensive queue, rule off", "unbound queue, rule off":
			few = append(few, s)
		}
	}
	return few
}
