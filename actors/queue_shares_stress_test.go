package actors

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/messages"
)

// Row 17: nothing is lost or run twice while pools come and go: reusable items,
// closures, items that queue themselves while they run, on named CPUs and none.
func TestStressItemsWhilePoolsChange(t *testing.T) {
	for name, kind := range map[string]Kind{"managed": Managed, "unbound": Unbound, "ordered": Ordered} {
		t.Run(name, func(t *testing.T) {
			sys := running(t)
			q := newTestQueue(t, sys, "q", QueueOptions{Kind: kind, MaxActive: 1 + 15*int(kind&1)})
			var ran, want atomic.Int64
			changes := whileShaped(t, newShaper(t, sys, q), func() {
				var wg sync.WaitGroup
				for p := range 4 {
					wg.Go(func() {
						for i := range short.Rounds(3000) {
							var err error
							want.Add(1)
							switch {
							case i%16 == 0:
								want.Add(2)
								var twice messages.Item
								var inside atomic.Int32
								left := 2
								var f func(*messages.Context) error
								f = func(*messages.Context) error {
									if inside.Add(1) > 1 {
										t.Error("an item runs twice at once")
									}
									defer inside.Add(-1)
									ran.Add(1)
									if left--; left < 0 {
										return nil
									}
									err := q.Queue(&twice, f, true)
									runtime.Gosched()
									return err
								}
								err = q.Queue(&twice, f, false)
							case i%2 == 0:
								err = q.Go(func(*messages.Context) error { ran.Add(1); return nil }, false)
							case p == 0:
								err = q.QueueOn(i%4, &messages.Item{}, func(*messages.Context) error { ran.Add(1); return nil }, false)
							default:
								err = q.Queue(&messages.Item{}, func(*messages.Context) error { ran.Add(1); return nil }, false)
							}
							if err != nil {
								t.Error(err)
							}
						}
					})
				}
				wg.Wait()
			})
			require.NoError(t, q.Drain(context.Background()))
			require.Equal(t, want.Load(), ran.Load(), "after %d changes", changes)
			st, err := q.Stats(context.Background())
			require.NoError(t, err)
			require.Equal(t, want.Load(), st.Completed, "shares that went left their counters")
			require.Zero(t, st.Active+st.Inactive)
		})
	}
}

// Row 99: one at a time, and each producer's items in its order.
func TestStressOrderWhilePoolsChange(t *testing.T) {
	sys := running(t)
	q := newTestQueue(t, sys, "q", QueueOptions{Kind: Ordered})
	const producers, items = 3, 5000
	var inside atomic.Int32
	var next [producers]int // one item at a time: no lock
	changes := whileShaped(t, newShaper(t, sys, q), func() {
		var wg sync.WaitGroup
		for p := range producers {
			wg.Go(func() {
				for i := range items {
					f := func(*messages.Context) error {
						if inside.Add(1) > 1 {
							t.Error("two at once")
						}
						if next[p] != i {
							t.Errorf("item %d of producer %d ran when %d was next", i, p, next[p])
						}
						next[p]++
						if i%64 == 0 {
							runtime.Gosched()
						}
						inside.Add(-1)
						return nil
					}
					var err error
					if i%2 == 0 {
						err = q.QueueOn(i%4, &messages.Item{}, f, false)
					} else {
						err = q.Go(f, false)
					}
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
	})
	require.NoError(t, q.Flush(context.Background()))
	require.Equal(t, [producers]int{items, items, items}, next, "after %d changes", changes)
}

// Row 75: a flush finds what was queued before it wherever pools passed it on to,
// also an item that was queued while it ran.
func TestStressFlushWhilePoolsChange(t *testing.T) {
	for name, kind := range map[string]Kind{"managed": Managed, "unbound": Unbound, "ordered": Ordered} {
		t.Run(name, func(t *testing.T) {
			sys := running(t)
			q := newTestQueue(t, sys, "q", QueueOptions{Kind: kind, MaxActive: 4})
			whileShaped(t, newShaper(t, sys, q), func() {
				var wg sync.WaitGroup
				for range 3 {
					wg.Go(func() {
						for range short.Rounds(150) {
							var runs atomic.Int32
							var twice messages.Item
							entered, again := make(chan struct{}, 2), make(chan struct{})
							f := func(ctx *messages.Context) error {
								entered <- struct{}{}
								ctx.Block(func() { <-again })
								runs.Add(1)
								return nil
							}
							if err := q.Queue(&twice, f, false); err != nil {
								t.Error(err)
							}
							<-entered
							if err := q.Queue(&twice, f, false); err != nil {
								t.Error(err)
							}
							flushed := make(chan error, 1)
							go func() { flushed <- q.Flush(context.Background()) }()
							close(again)
							if err := <-flushed; err != nil {
								t.Error(err)
							}
							if n := runs.Load(); n != 2 {
								t.Errorf("a flush returned after %d of 2 runs", n)
							}
						}
					})
				}
				wg.Wait()
			})
		})
	}
}

// An item that is passed on is found by who cancels it or waits for it.
func TestStressCancelWhilePoolsChange(t *testing.T) {
	sys := running(t)
	q := newTestQueue(t, sys, "q", QueueOptions{MaxActive: 2})
	whileShaped(t, newShaper(t, sys, q), func() {
		var wg sync.WaitGroup
		for p := range 3 {
			wg.Go(func() {
				var it messages.Item
				var ran atomic.Int64
				f := func(*messages.Context) error { ran.Add(1); return nil }
				accepted, cancelled := int64(0), int64(0)
				for i := range short.Rounds(2000) {
					if err := q.QueueOn(i%4, &it, f, false); err == nil {
						accepted++
					} else if !errors.Is(err, messages.ErrPending) {
						t.Error(err)
					}
					switch (i + p) % 3 {
					case 0:
						if Cancel(&it) {
							cancelled++
						}
					case 1:
						was, err := CancelWait(context.Background(), &it)
						if err != nil {
							t.Error(err)
						}
						if was {
							cancelled++
						}
					case 2:
						if err := Flush(context.Background(), &it); err != nil {
							t.Error(err)
						}
					}
				}
				if err := Flush(context.Background(), &it); err != nil {
					t.Error(err)
				}
				if accepted != ran.Load()+cancelled {
					t.Errorf("%d accepted, %d ran, %d cancelled", accepted, ran.Load(), cancelled)
				}
			})
		}
		wg.Wait()
	})
}
