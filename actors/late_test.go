package actors

import (
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/topology"
)

// late queues an item as a Queue does that passed the check of the flags just
// before they were set.
func (j *job) late(t *testing.T, q *Queue, share int) *job {
	t.Helper()
	s := q.table.Load().shares[share]
	_, err := claim(&j.it, s.pool.id, 0)
	require.NoError(t, err)
	j.it.Func = j.f
	require.True(t, s.push(&j.it))
	return j
}

// Once: an item that came after its queue's end put the share on its pool's list
// for ever, and waited for ever if the share's slots were lent to others.
func TestAnItemThatComesAfterTheQueueEndedRuns(t *testing.T) {
	for _, limit := range []int{1, 2, 0} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			two := func(o *Options) {
				topo, err := topology.Parse("llc:2 core:2")
				require.NoError(t, err)
				o.Topology = topo
			}
			bubble(t, 1, two, func(t *testing.T, sys *System) {
				newTestQueue(t, sys, "other", QueueOptions{}) // keeps the pools
				q := newTestQueue(t, sys, "q", QueueOptions{MaxActive: limit})
				first := newJob(nil).late(t, q, 0)
				require.NoError(t, q.Destroy(t.Context()))
				require.EqualValues(t, 1, first.ran.Load())
				var jobs []*job
				for i := range 6 {
					jobs = append(jobs, newJob(nil).late(t, q, i%2))
				}
				for _, j := range jobs {
					require.NoError(t, Flush(t.Context(), &j.it))
					require.EqualValues(t, 1, j.ran.Load())
				}
				cancelled, open := newHeld()
				cancelled.late(t, q, 0)
				<-cancelled.entered
				waits := newJob(nil).late(t, q, 0)
				require.Len(t, q.table.Load().shares[0].pool.shares, 1)
				Cancel(&waits.it)
				close(open)
				require.NoError(t, Flush(t.Context(), &cancelled.it))
				synctest.Wait()
				for _, s := range q.table.Load().shares {
					require.Empty(t, s.pool.shares, "the share is gone with its last item")
				}
			})
		})
	}
}
