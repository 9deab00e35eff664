package load

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/cmwq/cmwq/tests/peers/system"
)

// armed is the rest of workload f: what tasks cost that are armed and far from due.
func armed() Workload {
	return Workload{
		ID: "f.armed", Group: "f", Title: "100 000 armed tasks, due in an hour or two: memory, and what a cancel and a move take",
		Figures: []Figure{
			{"cancel", "ns", false}, {"re-arm", "ns", false}, {"bytes", "B allocated/timer", false},
			{"alive", "B/timer beside its closure", false},
		},
		Skip: func(s system.System) string {
			if s.Single {
				return "what is armed cannot be moved"
			}
			return hasTimers(s)
		},
		Run: func(env Env, s system.System) ([]float64, error) {
			e, err := s.Timers()
			if err != nil {
				return nil, err
			}
			defer e.Close()
			return move(e, env.pick(100_000, 20_000))
		},
	}
}

// move arms n tasks, moves each, and cancels each, all in another order.
func move(e system.Timers, n int) ([]float64, error) {
	r := rand.New(rand.NewPCG(9, 10))
	times := make([]time.Duration, n)
	for i := range times {
		times[i] = time.Hour + time.Duration(r.Int64N(int64(time.Hour)))
	}
	all := make([]system.Timer, n)
	body := func(int) {}
	var c cost
	before := inUse()
	c.start()
	for i := range all {
		all[i] = e.Arm(times[i], body, i)
	}
	c.stop()
	alive := (inUse()-before)/float64(n) - closureBytes
	each := func(f func(i int) bool) (ns float64, err error) {
		r.Shuffle(n, func(i, j int) { all[i], all[j] = all[j], all[i] })
		missed := 0
		began := time.Now()
		for i := range all {
			if !f(i) {
				missed++
			}
		}
		ns = float64(time.Since(began)) / float64(n)
		if missed > 0 {
			err = fmt.Errorf("%w: %d of %d were not armed", ErrLost, missed, n)
		}
		return ns, err
	}
	moved, err := each(func(i int) bool { return e.Reset(all[i], times[i]+time.Hour) })
	if err != nil {
		return nil, err
	}
	cancelled, err := each(func(i int) bool { return e.Stop(all[i]) })
	return []float64{cancelled, moved, float64(c.bytes) / float64(n), alive}, err
}
