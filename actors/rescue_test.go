package actors

import (
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

var errFault = errors.New("injected")

// famine makes no worker while it is set, and counts what it refused.
type famine struct {
	on      atomic.Bool
	refused atomic.Int32
}

func (f *famine) set(o *Options) {
	o.CreateFault = func(what, _ string) error {
		if what == "worker" && f.on.Load() {
			f.refused.Add(1)
			return errFault
		}
		return nil
	}
}

// starve has the only worker of a one-CPU system sleep in an item, and begins a
// famine. The channel ends the item.
func starve(t *testing.T, sys *System, f *famine) (wake chan struct{}) {
	t.Helper()
	q := newTestQueue(t, sys, "sleeper", QueueOptions{Kind: PerCPU})
	synctest.Wait()
	f.on.Store(true)
	j, open := newHeld()
	j.on(t, q)
	<-j.entered
	synctest.Wait()
	return open
}

// Conformance 59: a rescuer passes by each of n foreign items once, however many
// times it comes and whatever its own m items do.
func TestScanIsLinear(t *testing.T) {
	const n, m = 1500, 300
	for _, sleeps := range []bool{false, true} {
		f := &famine{}
		bubble(t, 1, f.set, func(t *testing.T, sys *System) {
			wake := starve(t, sys, f)
			plain := newTestQueue(t, sys, "plain", QueueOptions{Kind: PerCPU, MaxActive: 2048})
			q := newTestQueue(t, sys, "q", QueueOptions{Kind: PerCPU, MaxActive: 2048, MemReclaim: true})
			var ran atomic.Int32
			own := 0
			for i := range n + m {
				if i%6 == 5 {
					own++
					require.NoError(t, q.Go(func(ctx *messages.Context) error {
						if sleeps {
							_ = ctx.Sleep(time.Microsecond)
						}
						ran.Add(1)
						return nil
					}, false))
					continue
				}
				require.NoError(t, plain.Go(func(*messages.Context) error { return nil }, false))
			}
			require.NoError(t, q.Flush(t.Context()))
			require.EqualValues(t, own, ran.Load())
			s := q.table.Load().shares[0]
			if !sleeps {
				require.LessOrEqual(t, s.has().scanned, int64(n+m))
			} else { // one that sleeps gives up to 16 back, which are looked at again
				require.LessOrEqual(t, s.has().scanned, int64(n+policy.RescueBatch*m))
			}
			f.on.Store(false)
			require.NoError(t, plain.Flush(t.Context()))
			require.False(t, s.has().scanning, "no cursor is left behind")
			require.Nil(t, s.has().cursor)
			close(wake)
		})
	}
}

// The cursor's item may leave the worklist by every way there is, and items of the
// share may come back in front of it.
func TestCursorSurvivesItsItem(t *testing.T) {
	f := &famine{}
	bubble(t, 1, f.set, func(t *testing.T, sys *System) {
		wake := starve(t, sys, f)
		plain := newTestQueue(t, sys, "plain", QueueOptions{Kind: PerCPU})
		other := newTestQueue(t, sys, "other", QueueOptions{Kind: PerCPU, MemReclaim: true})
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: PerCPU, MemReclaim: true})
		p := q.table.Load().shares[0].pool
		foreign := []*job{newJob(nil), newJob(nil), newJob(nil)}
		held, open := newHeld()
		otherHeld, otherOpen := newHeld()
		foreign[0].on(t, plain)
		otherHeld.on(t, other)
		foreign[1].on(t, plain)
		held.on(t, q)
		foreign[2].on(t, plain)
		rest := []*job{newJob(nil), newJob(nil)}
		rest[0].on(t, q)
		rest[1].on(t, other)
		time.Sleep(11 * time.Millisecond)
		synctest.Wait() // both rescuers sleep in their first item
		require.EqualValues(t, 1, held.ran.Load())
		require.EqualValues(t, 1, otherHeld.ran.Load())
		require.Len(t, p.rescue.scans, 2)
		require.Same(t, &foreign[2].it, q.table.Load().shares[0].has().cursor)
		require.True(t, Cancel(&foreign[2].it))
		synctest.Wait()
		require.Same(t, &foreign[1].it, q.table.Load().shares[0].has().cursor, "the cursor goes to the item before")
		require.True(t, Cancel(&foreign[1].it))
		require.True(t, Cancel(&foreign[0].it))
		synctest.Wait()
		require.Nil(t, q.table.Load().shares[0].has().cursor, "or to the head")
		close(open)
		close(otherOpen)
		require.NoError(t, q.Flush(t.Context()))
		require.NoError(t, other.Flush(t.Context()))
		require.EqualValues(t, 1, rest[0].ran.Load())
		require.EqualValues(t, 1, rest[1].ran.Load())
		f.on.Store(false)
		close(wake)
	})
}
