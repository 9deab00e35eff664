// Package system has cmwq and its peers behind one interface, one file a peer, each
// set up as its documentation recommends.
package system

import "time"

// A System is one way to run tasks.
type System struct {
	Name  string
	Setup string // how it is set up, for the report
	Ours  bool

	Queues    bool // Submit takes any number of tasks without blocking
	Capacity  int  // or as many as this; 0 is none
	Single    bool // runs one task at a time, whatever the limit
	Unlimited bool // starts every task at once, whatever the limit

	Make    func(Setup) (Executor, error) // nil: it runs no tasks, it only has timers
	Results func(limit int) (Results, error)
	Timers  func() (Timers, error)
}

// Setup is what a workload asks for.
type Setup struct {
	Limit     int  // tasks that may be runnable at once; the size of a pool of fixed size
	Producers int  // how many there will be; 0 is 1
	CPUs      int  // that there are, if not those of the machine; 0 is those
	Hold      bool // a task that blocks keeps its place: no more than Limit have begun and not ended
}

// An Executor runs tasks. Its methods are for any goroutine.
type Executor interface {
	// Producer gives a function that submits task again each time it is called, for
	// one goroutine. What a system can prepare once, it prepares here.
	Producer(task func()) (submit func())
	// Submit submits the call body(i), in one closure of 24 bytes. It may block:
	// that is the system's back pressure.
	Submit(body func(i int), i int)
	// Close waits until everything that was submitted has run, and ends it.
	Close()
}

// A Sleeper can be told that a task sleeps.
type Sleeper interface {
	SubmitSleeping(body func(i int, sleep func(time.Duration)), i int)
}

// Results runs functions with a typed result.
type Results interface {
	// Producer gives a function that submits f again each time it is called, for one
	// goroutine.
	Producer(f func() int) (submit func() Result)
	Close()
}

// A Result is waited for.
type Result interface {
	Wait() (int, error)
}

// Timers call functions later. Their methods are for any goroutine.
type Timers interface {
	// Arm has body(i) called after d, in one closure of 24 bytes.
	Arm(d time.Duration, body func(i int), i int) Timer
	// Reset makes one due d from now, and Stop disarms it; both say whether it was
	// armed.
	Reset(t Timer, d time.Duration) bool
	Stop(t Timer) bool
	Close()
}

// A Timer is what Arm gave: nil where what is armed stays so.
type Timer any

// Many has n executors in one: queues of a system.
type Many interface {
	Queues(n int) ([]Executor, error)
}

// All gives every system, cmwq first.
func All() []System {
	return []System{
		cmwqItem(), cmwqClosure(), cmwqSubmit(),
		antsPool(), pondGo(), pondSubmit(), gammazero(), concPool(),
		errGroup(), weighted(),
		channel(0), channel(1024), channel(1 << 20),
		goFunc(),
		oneActor(), routerPool(),
		afterFunc(),
	}
}
