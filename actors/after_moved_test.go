package actors

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// toldOnce notes what it is told, as an item that waits for another would be.
type toldOnce struct {
	mu   sync.Mutex
	list []error
}

func (o *toldOnce) told(err, failure error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.list = append(o.list, errors.Join(err, failure))
}

func (o *toldOnce) all() []error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.list)
}

var errLate = errors.New("it failed late")

// Who waits for an item goes with it when it is passed on: nobody has to look for it
// again, who might come too late to see how it ended.
func TestWhoWaitsForAnItemGoesWithIt(t *testing.T) {
	bubble(t, 2, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: Unbound})
		open, runs := make(chan struct{}), 0
		it := new(messages.Item)
		f := func(*messages.Context) error {
			if runs++; runs == 1 {
				<-open
				return nil
			}
			return errLate
		}
		require.NoError(t, q.Queue(it, f, false))
		synctest.Wait()
		s := q.table.Load().at(it.State().Runner())
		require.NoError(t, q.SetAttrs(t.Context(), func(a *policy.Attrs) { a.Nice = 1 }))
		_, err := claim(it, s.pool.id, 0) // by a table of before
		require.NoError(t, err)
		require.True(t, it.Swap(it.State(), it.State().Queued(s.pool.id)))
		it.Func = f
		first, second := &toldOnce{}, &toldOnce{}
		require.True(t, s.pushWith(it, &s.Home, []waiter{first}))
		synctest.Wait()
		require.Equal(t, messages.OnPassing, it.List&^messages.Awaited)
		a := newAsk(askAfter, it)
		a.by = second
		require.Equal(t, waiting, a.send(it.State().Place()))
		close(open)
		synctest.Wait()
		require.Equal(t, []error{errLate}, joined(first.all()))
		require.Equal(t, []error{errLate}, joined(second.all()))
	})
}

// An item that comes with who waits for it, to a share that was taken out of its queue's
// table, is passed on with them; to one of a queue that was abandoned, it is dropped.
func TestWhoWaitsForAnItemArrivesLateWithIt(t *testing.T) {
	for name, end := range map[string]func(t *testing.T, sys *System, q *Queue) error{
		"passed on": func(t *testing.T, _ *System, q *Queue) error {
			require.NoError(t, q.SetAttrs(t.Context(), func(a *policy.Attrs) { a.Nice = 1 }))
			return errLate
		},
		"abandoned": func(_ *testing.T, sys *System, q *Queue) error {
			sys.as.Root.Stop(q.pid)
			<-q.gone.done()
			return messages.ErrAbandoned
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 2, nil, func(t *testing.T, sys *System) {
				q := newTestQueue(t, sys, "q", QueueOptions{Kind: Unbound, Shutdown: &atOnceGone})
				s := q.table.Load().shares[0]
				want := end(t, sys, q)
				it := &messages.Item{Func: func(*messages.Context) error { return errLate }}
				_, err := claim(it, s.pool.id, 0)
				require.NoError(t, err)
				w := &toldOnce{}
				require.True(t, s.pushWith(it, &s.Home, []waiter{w}))
				synctest.Wait()
				require.Zero(t, it.State()&messages.Pending)
				require.Equal(t, []error{want}, joined(w.all()))
			})
		})
	}
}

// joined takes the single errors out of their joins.
func joined(list []error) []error {
	for i, err := range list {
		if j, ok := err.(interface{ Unwrap() []error }); ok && len(j.Unwrap()) == 1 {
			list[i] = j.Unwrap()[0]
		}
	}
	return list
}
