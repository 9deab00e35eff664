package actors

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

// slowStart has a worker's execution get as far as until before whoever scheduled it
// goes on.
type slowStart struct{ until <-chan struct{} }

func (s slowStart) Schedule(fn func()) { go fn(); <-s.until }
func (slowStart) Throughput() int      { return 1 }

// Once: a flush queues an armed item at once; by the time it looks again that instance
// runs, and another is armed: it took that for the end of the one it waits for.
func TestFlushOfAnArmedItemThatIsArmedAgainAsItRuns(t *testing.T) {
	for name, kind := range map[string]Kind{"managed": Managed, "percpu": PerCPU, "unbound": Unbound, "ordered": Ordered} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, nil, func(t *testing.T, sys *System) {
				q := newTestQueue(t, sys, "q", QueueOptions{Kind: kind})
				armed, open := make(chan struct{}), make(chan struct{})
				var j *job
				arm := func() error { return q.QueueAfter(time.Hour, messages.AnyCPU, &j.it, j.f, false) }
				j = newJob(func(ctx *messages.Context) error {
					if j.ran.Load() > 1 {
						return nil
					}
					err := arm()
					close(armed)
					ctx.Block(func() { <-open })
					return err
				})
				require.NoError(t, arm())
				newJob(nil).on(t, q)
				synctest.Wait() // there are workers, and they rest
				for _, w := range q.table.Load().pick().pool.workers {
					if w != nil {
						w.box.dispatcher = slowStart{armed}
					}
				}
				flushed := make(chan error, 1)
				go func() { flushed <- Flush(t.Context(), &j.it) }()
				synctest.Wait()
				assert.EqualValues(t, 1, j.ran.Load())
				assert.Equal(t, messages.Pending|messages.Running|messages.Delayed, j.it.State()&(messages.Pending|messages.Running|messages.Delayed))
				assert.Empty(t, flushed, "the instance that it queued still runs")
				close(open)
				require.NoError(t, <-flushed)
				require.EqualValues(t, 1, j.ran.Load(), "the later instance is not its affair")
				require.True(t, Cancel(&j.it), "and waits for its time")
			})
		})
	}
}
