package actors

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

// inPool is done in a pool's turn.
type inPool func(p *pool)

func (f inPool) read(p *pool)    { f(p) }
func (f inPool) refused(p *pool) {}

// A rescuer that comes back to a share with nothing left was not called by it: nothing is
// counted, and nobody is told that no items wait.
func TestARescuerThatComesBackForNothing(t *testing.T) {
	var told []messages.Event
	bubble(t, 1, func(o *Options) {
		o.Observers = append(o.Observers, &listener{kinds: messages.KindsOf(messages.EventMayday), to: &told})
	}, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: PerCPU, MemReclaim: true})
		synctest.Wait()
		s := q.table.Load().shares[0]
		s.pool.mb.post(&messages.NewControl(inPool(func(p *pool) {
			p.helped(&messages.Rescue{Share: s, Worker: q.rescuer.w, Again: true})
		})).Item)
		synctest.Wait()
		st, err := q.Stats(t.Context())
		require.NoError(t, err)
		require.Zero(t, st.Mayday)
		require.Empty(t, told)
	})
}

// listener keeps what it is told.
type listener struct {
	kinds messages.EventKinds
	to    *[]messages.Event
}

func (l *listener) Kinds() messages.EventKinds { return l.kinds }
func (l *listener) Observe(e messages.Event)   { *l.to = append(*l.to, e) }
