package policy

import (
	"math"
	"time"
)

// Kind says how a pool manages concurrency.
type Kind uint8

const (
	// Managed pools keep one worker runnable for each CPU of their pod.
	Managed Kind = iota
	// PerCPU pools keep one worker runnable: the kernel's bound pools.
	PerCPU
	// Unbound pools do not manage concurrency: every item starts as soon as a
	// worker is idle or made.
	Unbound
	// BH pools run their items one after the other on a runner of their own, and
	// manage nothing: the kernel's softirq pools. Their items may not sleep.
	BH
	// Fixed pools have one worker, for ever, and manage nothing: what blocks it
	// blocks what waits for it.
	Fixed
)

func (k Kind) String() string {
	switch k {
	case Managed:
		return "managed"
	case PerCPU:
		return "percpu"
	case Unbound:
		return "unbound"
	case BH:
		return "bh"
	case Fixed:
		return "fixed"
	}
	return "kind?"
}

// Unlimited is the width of an unbound pool.
const Unlimited = math.MaxInt32

// Constants of the kernel's workqueue, with its values.
const (
	MaxActiveLimit   = 2048              // highest max_active
	MaxActiveDefault = 1024              // what 0 means
	IdleTimeout      = 300 * time.Second // a surplus worker idle for so long is culled
	IdleBusyRatio    = 4                 // busy workers for each idle one beyond two
	HogThreshold     = 10 * time.Millisecond
)

// Constants of this library, measured on the prototypes that its design cites.
const (
	LeaseTarget = 100 * time.Microsecond // how long a lease should run
	LeaseMax    = 256                    // items in a lease
	TickPeriod  = 100 * time.Microsecond // while work waits
	TailAge     = time.Millisecond       // unstarted rests of older leases are taken back
	StuckAge    = time.Millisecond       // on one item for so long: may be asleep

	ewmaAlpha = 0.125 // weight of one item in a share's smoothed item time

	expectMax   = 30                     // blocked workers to be expected at most
	expectDecay = 100 * time.Millisecond // time constant of that expectation

	ageTarget  = 5 * time.Millisecond   // waiting for longer is too long
	ageStep    = time.Millisecond       // one growth step a missed step
	ageBound   = 64                     // extra width at most
	ageDecay   = 100 * time.Millisecond // time constant of the extra width
	markMerge  = 500 * time.Microsecond // arrivals closer than this share a mark
	utilTau    = 10 * time.Millisecond  // smoothing of the pool's progress
	utilMin    = 0.5                    // CPUs a slot: less progress is too little
	utilClip   = 2 * time.Millisecond   // a lease counts as progress up to this
	utilSample = 50 * time.Microsecond  // shortest sampling interval

	createMax = 16 // workers asked of the manager at once
)
