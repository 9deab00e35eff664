package cmwq_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/supervisor"
)

// parent is the supervisor strategy of the system: it notes what it was asked about.
func parent(directive actor.Directive, reasons *[]any) cmwq.Option {
	return cmwq.WithSupervision(actor.NewOneForOneStrategy(5, time.Hour, func(reason any) actor.Directive {
		*reasons = append(*reasons, reason)
		return directive
	}))
}

// Whatever waits goes on, and so does who waits for it: after Resume and after Restart.
// Only Restart forgets the failures that were counted.
func TestEscalate(t *testing.T) {
	for name, tt := range map[string]struct {
		directive actor.Directive
		want      int // of 6 failures: two that are counted are ignored
	}{
		"resume":  {actor.ResumeDirective, 4},
		"restart": {actor.RestartDirective, 2},
	} {
		t.Run(name, func(t *testing.T) {
			var reasons []any
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", cmwq.Ordered(), cmwq.MemReclaim(), cmwq.Supervise(forgetful{}))
				g := newGate()
				for i := range 6 {
					if i == 3 {
						require.NoError(t, q.Queue(g.Work))
						require.NoError(t, q.QueueAfter(time.Minute, cmwq.NewWork(func(*cmwq.Context) error { return nil })))
					}
					require.NoError(t, q.Go(func(*cmwq.Context) error { return errBroke }))
					if i < 3 {
						synctest.Wait()
					}
				}
				flushed := make(chan error, 1)
				go func() { flushed <- q.Flush(bg) }()
				<-g.entered
				g.open <- struct{}{}
				require.NoError(t, <-flushed)
				synctest.Wait()
				require.Len(t, reasons, tt.want)
				var e *cmwq.EscalatedError
				require.ErrorAs(t, reasons[0].(error), &e)
				require.ErrorIs(t, e, errBroke)
				require.Equal(t, "q", e.Queue)
				time.Sleep(time.Hour)
				st := stats(t, q)
				require.EqualValues(t, 8, st.Total)
				require.EqualValues(t, 6, st.Failed)
				require.NoError(t, q.Destroy(bg))
			}, parent(tt.directive, &reasons), told(new([]error)))
		})
	}
}

// forgetful escalates the third failure that it remembers, and each after that.
type forgetful struct{}

func (f forgetful) Decide(_ supervisor.Failure, _ time.Duration, m *supervisor.Memory) supervisor.Action {
	n := m.Of(f, func() any { return new(int) }).(*int)
	if *n++; *n < 3 {
		return supervisor.Action{Do: supervisor.DoIgnore}
	}
	return supervisor.Action{Do: supervisor.DoEscalate}
}
