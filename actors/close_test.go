package actors

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
	"github.com/cmwq/cmwq/topology"
)

// turnList links control messages and items as a turn gets them.
func turnList(nodes ...*messages.Item) *messages.Item {
	for i, n := range nodes[1:] {
		nodes[i].Next, n.Prev = n, nodes[i]
	}
	return nodes[0]
}

// A pool is closed in the middle of a turn: what stands before and behind the message
// in the turn's own list, and what came to the mailbox since, is read and runs; what
// comes after is refused. The turn is run by hand, with the mailbox held, so that each
// item is where it should be.
func TestClosingAPoolReadsWhatCameLast(t *testing.T) {
	for name, leased := range map[string]bool{"idle": false, "with a lease out": true} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, nil, func(t *testing.T, sys *System) {
				q := newTestQueue(t, sys, "q", quiet1)
				s := q.table.Load().shares[0]
				p := s.pool
				held, open := newHeld()
				if leased {
					held.on(t, q)
					<-held.entered
				} else {
					close(open)
					require.NoError(t, q.Flush(t.Context()))
				}
				synctest.Wait()
				var jobs []*job
				for range 4 {
					j := newJob(nil)
					_, err := claim(&j.it, p.id, 0)
					require.NoError(t, err)
					j.it.Func, j.it.Home = j.f, &s.Home
					jobs = append(jobs, j)
				}
				done := make(chan struct{})
				require.True(t, p.mb.status.CompareAndSwap(idle, busy) || p.mb.status.CompareAndSwap(wake, busy) || p.mb.status.CompareAndSwap(quiet, busy))
				require.True(t, p.mb.queue(&jobs[2].it), "it comes while the turn reads its list")
				require.True(t, p.mb.queue(&jobs[3].it))
				p.turn(turnList(&jobs[0].it, &messages.NewControl(&closeItems{done}).Item, &jobs[1].it))
				late := newJob(nil)
				require.ErrorIs(t, q.Queue(&late.it, late.f, false), messages.ErrStopped)
				require.Zero(t, late.it.State()&messages.Pending)
				p.mb.turn(1 << 30) // as the mailbox goes on
				if leased {
					select {
					case <-done:
						t.Error("closed, and an item runs")
					default:
					}
					close(open)
				}
				<-done
				for i, j := range jobs {
					require.EqualValues(t, 1, j.ran.Load(), "job %d", i)
					require.Zero(t, j.it.State()&(messages.Pending|messages.Running))
				}
			})
		})
	}
}

// R37: the cost of a flush is a message a pool, however many items are queued.
func TestAFlushIsOneMessageAPool(t *testing.T) {
	four := func(o *Options) {
		topo, err := topology.Parse("llc:4 core:2")
		require.NoError(t, err)
		o.Topology = topo
	}
	bubble(t, 1, four, func(t *testing.T, sys *System) {
		q, other := newTestQueue(t, sys, "q", QueueOptions{}), newTestQueue(t, sys, "other", QueueOptions{})
		require.Len(t, q.table.Load().shares, 4)
		held, open := newHeld()
		require.NoError(t, q.QueueOn(0, &held.it, held.f, false))
		<-held.entered
		for cpu := range 8 {
			for range 50 {
				j := newJob(nil)
				require.NoError(t, other.QueueOn(cpu, &j.it, j.f, false))
			}
		}
		require.NoError(t, other.Flush(t.Context()))
		synctest.Wait()
		before := make([]uint64, len(q.table.Load().shares))
		for i, s := range q.table.Load().shares {
			require.Same(t, s.pool, other.table.Load().shares[i].pool, "queues share pools")
			before[i] = s.pool.turns
		}
		flushed := make(chan error, 3)
		for range 3 {
			go func() { flushed <- q.Flush(t.Context()) }()
			synctest.Wait()
		}
		for i, s := range q.table.Load().shares {
			require.LessOrEqual(t, s.pool.turns-before[i], uint64(3), "a flush is at most one turn of each pool")
			require.Equal(t, uint32(3), s.pol.Epoch.Now())
			require.Zero(t, other.table.Load().shares[i].pol.Epoch.Now()-1, "and none of another queue's affair")
		}
		close(open)
		for range 3 {
			require.NoError(t, <-flushed)
		}
	})
}
