package cmwq_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/supervisor"
)

// On each kind of queue the story of an item is the same, and so are its facts.
func TestStoryOfAnItem(t *testing.T) {
	for name, kind := range withBH() {
		t.Run(name, func(t *testing.T) {
			seen := newWitness()
			bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", kind)
				w := cmwq.NewWork(func(*cmwq.Context) error { time.Sleep(3 * time.Millisecond); return nil })
				at := time.Now()
				require.NoError(t, q.QueueOn(1, w))
				require.NoError(t, q.Flush(bg))
				require.Equal(t, "queue activate start end", seen.story(w))
				all := seen.of(w.ID())
				for _, e := range all {
					require.Equal(t, "q", e.Queue)
					require.Contains(t, e.FuncName(), "TestStoryOfAnItem")
					require.Equal(t, 1, e.N)
					require.Equal(t, 1, e.Attempt)
					require.NotEmpty(t, e.Pool)
					require.NoError(t, e.Err)
				}
				require.Equal(t, 1, all[0].CPU, "that it was queued on")
				require.Empty(t, all[0].Worker)
				require.Equal(t, at, all[0].At.Round(0).In(time.Local))
				require.NotEmpty(t, all[2].Worker)
				require.Equal(t, all[2].Worker, all[3].Worker)
				require.Equal(t, 3*time.Millisecond, all[3].Run)
				require.Equal(t, 3*time.Millisecond, all[3].At.Sub(all[2].At))
				require.NoError(t, q.Queue(w))
				require.Equal(t, -1, seen.of(w.ID())[4].CPU, "any")
			}, cmwq.WithObserver(seen), noGauges())
		})
	}
}

// An item beyond max_active is told to be queued at once, and to be active later.
func TestActivateIsToldWhenASlotIsFree(t *testing.T) {
	seen := newWitness()
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.MaxActive(1))
		sleep := func(ctx *cmwq.Context) error { return ctx.Sleep(5 * time.Millisecond) }
		first, second := cmwq.NewWork(sleep), cmwq.NewWork(sleep)
		require.NoError(t, q.Queue(first))
		synctest.Wait()
		require.NoError(t, q.Queue(second))
		synctest.Wait()
		require.Equal(t, "queue", seen.story(second))
		require.NoError(t, q.Flush(bg))
		require.Equal(t, "queue activate start sleep wake end", seen.story(second))
		all := seen.of(second.ID())
		require.Equal(t, 5*time.Millisecond, all[1].Wait)
		require.Equal(t, 5*time.Millisecond, all[2].Wait)
		require.Equal(t, 5*time.Millisecond, all[4].Run, "of the sleep")
	}, cmwq.WithObserver(seen), noGauges())
}

// What is armed is told to be queued when it is due; what is cancelled before has had no
// queue, and no pool.
func TestArmedWorkIsToldWhenItIsDue(t *testing.T) {
	seen := newWitness()
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		at := time.Now()
		w := cmwq.NewWork(nop)
		require.NoError(t, q.QueueAfter(time.Minute, w))
		synctest.Wait()
		require.Empty(t, seen.story(w))
		time.Sleep(time.Minute)
		require.NoError(t, w.Flush(bg))
		require.Equal(t, "queue activate start end", seen.story(w))
		require.WithinDuration(t, at.Add(time.Minute), seen.of(w.ID())[0].At, time.Microsecond)

		gone := cmwq.NewWork(nop)
		require.NoError(t, q.QueueAfter(time.Minute, gone))
		require.True(t, gone.Cancel())
		require.Equal(t, "cancel", seen.story(gone))
		require.Empty(t, seen.of(gone.ID())[0].Pool)
		require.ErrorIs(t, seen.of(gone.ID())[0].Err, cmwq.ErrCancelled)

		moved := cmwq.NewWork(nop)
		hold := newGate()
		one := queue(t, sys, "one", cmwq.Ordered())
		require.NoError(t, one.Queue(hold.Work))
		<-hold.entered
		require.NoError(t, one.Queue(moved))
		was, err := one.Modify(0, moved)
		require.NoError(t, err)
		require.True(t, was)
		hold.open <- struct{}{}
		require.NoError(t, one.Flush(bg))
		require.Equal(t, "queue cancel queue activate start end", seen.story(moved))
		require.NoError(t, seen.of(moved.ID())[1].Err, "it goes on")
	}, cmwq.WithObserver(seen), noGauges())
}

// Whatever an item ends with is told, once, behind its end.
func TestFailuresAreTold(t *testing.T) {
	boom := errors.New("boom")
	for name, f := range map[string]func(*cmwq.Context) error{
		"error":  func(*cmwq.Context) error { return boom },
		"panic":  func(*cmwq.Context) error { panic(boom) },
		"goexit": func(*cmwq.Context) error { runtime.Goexit(); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			seen := newWitness()
			bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q")
				w := cmwq.NewWork(f)
				require.NoError(t, q.Queue(w))
				require.NoError(t, q.Flush(bg))
				require.Equal(t, "queue activate start end fail", seen.story(w))
				end := seen.of(w.ID())[3]
				require.Error(t, end.Err)
				require.Equal(t, end.Err, seen.of(w.ID())[4].Err)

				require.NoError(t, q.Go(f)) // a closure's item is another each time
				require.NoError(t, q.Flush(bg))
				require.True(t, strings.HasSuffix(seen.kinds(ofItems), " queue activate start end fail"))
			}, cmwq.WithObserver(seen), noGauges())
		})
	}
}

// A retry is another story, with another attempt.
func TestRetriesAreTold(t *testing.T) {
	seen := newWitness()
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Supervise(supervisor.Retry(2, supervisor.Exponential(time.Second, time.Second))))
		w := cmwq.NewWork(func(ctx *cmwq.Context) error {
			if ctx.Attempt() < 3 {
				return errors.New("not yet")
			}
			return nil
		})
		require.NoError(t, q.Queue(w))
		synctest.Wait()
		time.Sleep(time.Hour)
		require.Equal(t, "queue activate start end fail queue activate start end fail queue activate start end", seen.story(w))
		for i, e := range seen.of(w.ID()) {
			require.Equal(t, 1+i/5, e.Attempt)
		}
	}, cmwq.WithObserver(seen), noGauges())
}

// What is not accepted is not told.
func TestRefusalsAreNotTold(t *testing.T) {
	seen := newWitness()
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		w := cmwq.NewWork(nop)
		_, err := w.Disable(bg)
		require.NoError(t, err)
		require.ErrorIs(t, q.Queue(w), cmwq.ErrDisabled)
		require.NoError(t, q.Destroy(bg))
		require.ErrorIs(t, q.Go(nop), cmwq.ErrDestroyed)
		require.Empty(t, seen.kinds(ofItems))
	}, cmwq.WithObserver(seen), noGauges())
}

// What never runs is told to be cancelled, and why: dropped by the end of its queue, by a
// bound, or by its time.
func TestDropsAreTold(t *testing.T) {
	seen := newWitness()
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		w := cmwq.NewWork(nop)
		require.NoError(t, q.QueueAfter(time.Hour, w))
		require.NoError(t, q.Destroy(bg))
		require.Equal(t, "cancel", seen.story(w))
		require.ErrorIs(t, seen.of(w.ID())[0].Err, cmwq.ErrDestroyed)

		full, open := full(t, sys, 1, cmwq.DropOldest, cmwq.MaxActive(1))
		a, b := cmwq.NewWork(nop), cmwq.NewWork(nop)
		require.NoError(t, full.Queue(a))
		require.NoError(t, full.Queue(b))
		require.Equal(t, "queue cancel", seen.story(a))
		require.ErrorIs(t, seen.of(a.ID())[1].Err, cmwq.ErrDropped)
		require.True(t, b.Cancel())

		fut := cmwq.Submit(full.With(bg, cmwq.WaitAtMost(time.Second)), func(*cmwq.Context) (int, error) { return 1, nil })
		time.Sleep(2 * time.Second)
		require.Equal(t, "queue cancel fail", seen.kinds(func(e *cmwq.Event) bool { return e.Item == fut.ItemID() }))
		require.ErrorIs(t, seen.of(fut.ItemID())[2].Err, context.DeadlineExceeded)
		close(open)
	}, cmwq.WithObserver(seen), noGauges())
}

// A Future that has an ID is told with it, and what travels with an item is there at its
// start and end.
func TestWhoseItemItIs(t *testing.T) {
	seen := newWitness()
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		type key struct{}
		q, open := full(t, sys, 10, cmwq.Refuse)
		fut := cmwq.Submit(q.With(context.WithValue(bg, key{}, "v")), func(*cmwq.Context) (int, error) { return 1, nil })
		id := fut.ID().String()
		close(open)
		require.NoError(t, q.Flush(bg))
		require.Equal(t, []string{id}, seen.names)
		all := seen.of(fut.ItemID())
		require.Len(t, all, 4)
		for _, e := range all {
			require.Contains(t, e.FuncName(), "TestWhoseItemItIs")
			if e.Kind != cmwq.EventActivate {
				require.Equal(t, "v", e.Submitter.Value(key{}))
			} else {
				require.Nil(t, e.Submitter)
			}
		}
		e := all[3]
		e.Forget()
		require.Nil(t, e.Submitter)
		_, ok := e.FutureID()
		require.False(t, ok)
	}, cmwq.WithObserver(seen), noGauges())
}

func TestEventKinds(t *testing.T) {
	require.Equal(t, "queue,activate,start,end,fail,cancel,sleep,wake,kick,create,cull,mayday,rescue", cmwq.AllEvents.String())
	two := cmwq.KindsOf(cmwq.EventFail, cmwq.EventMayday)
	require.True(t, two.Has(cmwq.EventMayday))
	require.False(t, two.Has(cmwq.EventQueue))
	require.Equal(t, "event 77", cmwq.EventKind(77).String())
	var k cmwq.EventKind
	require.NoError(t, k.UnmarshalText([]byte("cull")))
	require.Equal(t, cmwq.EventCull, k)
	require.ErrorIs(t, k.UnmarshalText([]byte("cup")), cmwq.ErrOption)
	require.Equal(t, "0x2a", fmt.Sprint(cmwq.ItemID(42)))
	_, err := cmwq.New(cmwq.WithObserver(nil))
	require.ErrorIs(t, err, cmwq.ErrOption)
}
