package load

import (
	"runtime"
	"time"

	"github.com/cmwq/cmwq/tests/peers/system"
)

// millions is ten million queued tasks, drained while a producer goes on.
func millions() []Workload {
	const n = 10_000_000
	return []Workload{{
		ID: "e10M", Group: "e10M", Title: "10 000 000 tasks queued behind blocked ones, then drained beside a producer that goes on",
		Figures: []Figure{{"memory", "GB, closures included", false}, {"pause", "ms, the producer's longest Submit", false}, {"queue", "ns/task", false}, {"drain", "ns/task", false}, {"beside", "B/task beside its closure", false}},
		Skip: func(s system.System) string {
			if s.Unlimited {
				return "it has no backlog: 10 000 000 goroutines are 26 GB"
			}
			return holds(s, n)
		},
		Run: func(env Env, s system.System) ([]float64, error) { return drainBeside(env, s, env.pick(n, 200_000)) },
	}}
}

// every is how often the producer submits meanwhile.
const every = 20 * time.Microsecond

func drainBeside(env Env, s system.System, n int) ([]float64, error) {
	b, err := fill(env, s, n, true)
	if err != nil {
		return nil, err
	}
	const most = 1_000_000 // tasks that the producer adds
	added, ran := 0, newTally(most)
	body := func(int) { ran.one() }
	began := time.Now()
	close(b.gate)
	var longest time.Duration
	deadline := began.Add(env.Timeout)
drain:
	for added < most && time.Now().Before(deadline) {
		select {
		case <-b.t.done:
			break drain
		default:
		}
		at := time.Now()
		b.e.Submit(body, added)
		took := time.Since(at)
		longest = max(longest, took)
		added++
		for time.Since(at) < every {
			runtime.Gosched()
		}
	}
	if err := b.t.wait(env.Timeout); err != nil {
		return nil, err
	}
	drain := float64(time.Since(began)) / float64(n)
	b.e.Close()
	if err := b.t.once(); err != nil {
		return nil, err
	}
	if int(most-ran.left.Load()) != added {
		return nil, ErrLost
	}
	return []float64{(b.bytes + closureBytes) * float64(n) / 1e9, float64(longest) / 1e6, b.queue, drain, b.bytes}, nil
}
