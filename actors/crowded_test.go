package actors

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

// lateSource is a source whose ticks come late: CPUs are held by others.
type lateSource struct {
	Source
	by time.Duration
}

func (s lateSource) NewTimer(fire func(), run func(func())) (Timer, error) {
	t, err := s.Source.NewTimer(fire, run)
	return lateTimer{t, s.by}, err
}

type lateTimer struct {
	Timer
	by time.Duration
}

func (t lateTimer) Arm(d time.Duration) { t.Timer.Arm(d + t.by) }

func poolOf(q *Queue) *pool { return q.table.Load().shares[0].pool }

func TestAPoolLearnsFromALateTickThatOthersHoldTheCPUs(t *testing.T) {
	for by, held := range map[time.Duration]bool{0: false, 3 * time.Millisecond: false, 10 * time.Millisecond: true} {
		bubble(t, 1, func(o *Options) { o.Source = lateSource{o.Source, by} }, func(t *testing.T, sys *System) {
			q := newTestQueue(t, sys, "q", QueueOptions{})
			gate := make(chan struct{})
			for range 2 { // the second waits, so that there is a tick
				require.NoError(t, q.Go(func(*messages.Context) error { <-gate; return nil }, false))
			}
			time.Sleep(12 * time.Millisecond)
			synctest.Wait()
			c := &poolOf(q).crowd
			require.Equal(t, held, c.held(sys.now()), "ticks late by %v", by)
			close(gate)
			require.NoError(t, q.Flush(t.Context()))
			time.Sleep(2 * time.Second)
			require.False(t, c.held(sys.now()), "not for ever")
		})
	}
}

// What was leased to a worker that waits for a CPU is run by one that has a CPU and would
// be idle, if others hold the CPUs; and by nobody else if not.
func TestAWorkerOnACPUDoesWhatWaitsForOne(t *testing.T) {
	for _, held := range []bool{false, true} {
		bubble(t, 2, nil, func(t *testing.T, sys *System) {
			q := newTestQueue(t, sys, "q", QueueOptions{})
			p := poolOf(q)
			gate, entered := make(chan struct{}), make(chan struct{})
			run := func() { // it holds the worker that will have a CPU
				require.NoError(t, q.Go(func(*messages.Context) error { entered <- struct{}{}; <-gate; return nil }, false))
				<-entered
			}
			run()
			synctest.Wait()
			var slow []*worker
			for _, w := range p.workers {
				if w != nil && w.share == nil {
					w.box.running.Store(true) // it will wait for a CPU when it gets something
					slow = append(slow, w)
				}
			}
			require.NotEmpty(t, slow)
			ran := 0
			it := messages.Item{}
			require.NoError(t, q.Queue(&it, func(*messages.Context) error { ran++; return nil }, false))
			synctest.Wait()
			require.Zero(t, ran)
			if held {
				p.crowd.noYield.Store(int64(sys.now() + time.Hour))
			}
			gate <- struct{}{}
			synctest.Wait()
			require.Equal(t, held, ran == 1)
			for _, w := range slow {
				go w.box.run() // at last
			}
			require.NoError(t, q.Flush(t.Context()))
			require.Equal(t, 1, ran)
			for range 100 {
				require.NoError(t, q.Go(func(*messages.Context) error { return nil }, false))
			}
			require.NoError(t, q.Flush(t.Context()))
			st, err := q.Stats(t.Context())
			require.NoError(t, err)
			require.EqualValues(t, 102, st.Completed)
			synctest.Wait()
			require.Zero(t, p.pol.Running())
		})
	}
}

// So does one that was made, as a pool keeps one idle.
func TestANewWorkerIsOnACPU(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{})
		p := poolOf(q)
		synctest.Wait()
		w := p.workers[0]
		w.box.running.Store(true) // it waits for a CPU
		p.crowd.noYield.Store(int64(sys.now() + time.Hour))
		j := newJob(nil).on(t, q)
		synctest.Wait()
		require.Zero(t, j.it.State()&messages.Pending, "it ran")
		go w.box.run()
		require.NoError(t, q.Flush(t.Context()))
		synctest.Wait()
		require.Equal(t, p.pol.Workers(), p.pol.Idle())
	})
}
