package cmwq_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/supervisor"
)

// unruly is a queue whose items fail in every way, while others cancel, flush, move,
// drain and escalate. What it counts must add up.
type unruly struct {
	t                             *testing.T
	q                             *cmwq.Queue
	accepted, cancelled, executed atomic.Int64
	done, failures, grown         atomic.Int64
}

func (u *unruly) body(ctx *cmwq.Context) error {
	u.executed.Add(1)
	u.grown.Add(int64(ctx.Attempt() - 1))
	if (ctx.Attempt() > 1) != (ctx.LastError() != nil) {
		u.t.Error("an attempt without an error, or the reverse")
	}
	switch rand.IntN(8) {
	case 0:
		panic(errBroke)
	case 1:
		runtime.Goexit()
	case 2:
		return errBroke
	case 3:
		return cmwq.RetryAfter(time.Duration(rand.IntN(50))*time.Microsecond, errBroke)
	case 4:
		return cmwq.Permanent(errBroke)
	case 5:
		_ = ctx.Sleep(time.Duration(rand.IntN(20)) * time.Microsecond)
	}
	u.done.Add(1)
	return nil
}

func (u *unruly) accept(err error) {
	if err == nil {
		u.accepted.Add(1)
	}
	u.expect(err, cmwq.ErrPending, cmwq.ErrDraining, cmwq.ErrDisabled, cmwq.ErrDestroyed)
}

// expect fails the test for an error that is none of these.
func (u *unruly) expect(err error, these ...error) {
	if err != nil && !slices.ContainsFunc(these, func(e error) bool { return errors.Is(err, e) }) {
		u.t.Error(err)
	}
}

// took counts an instance that the caller took off.
func (u *unruly) took(was bool) {
	if was {
		u.cancelled.Add(1)
	}
}

func (u *unruly) act(w *cmwq.Work, keys []*cmwq.Keyed, futs *[]*cmwq.Future[int]) {
	switch rand.IntN(16) {
	case 0, 1, 2:
		u.accept(u.q.Queue(w))
	case 3:
		u.accept(keys[rand.IntN(len(keys))].Queue(w))
	case 4:
		u.accept(u.q.Go(u.body))
	case 5:
		u.accept(keys[rand.IntN(len(keys))].Go(u.body))
	case 6:
		u.accept(u.q.QueueAfter(time.Duration(rand.IntN(100))*time.Microsecond, w))
	case 7:
		u.took(w.Cancel())
	case 8:
		was, err := w.CancelWait(bg)
		u.expect(err)
		u.took(was)
	case 9:
		u.expect(w.Flush(bg))
	case 10:
		was, err := u.q.Modify(time.Duration(rand.IntN(50))*time.Microsecond, w)
		u.took(was)
		u.accept(err)
	case 11:
		*futs = append(*futs, cmwq.Submit(u.q, func(ctx *cmwq.Context) (int, error) { return 1, u.body(ctx) }))
	case 12:
		if len(*futs) > 0 && (*futs)[0].Cancel() {
			u.cancelled.Add(1)
		}
	case 13:
		n, _ := u.q.Requeue()
		u.accepted.Add(int64(n))
	case 14:
		if rand.IntN(20) == 0 {
			u.expect(u.q.Drain(bg), cmwq.ErrDestroyed)
		}
	case 15:
		u.expect(u.q.Flush(bg), cmwq.ErrDestroyed)
	}
}

func (u *unruly) run(rounds int) {
	keys := []*cmwq.Keyed{u.q.Keyed(1), u.q.Keyed(2)}
	var futs []*cmwq.Future[int]
	w := cmwq.NewWork(u.body)
	for range rounds {
		u.act(w, keys, &futs)
	}
	for _, f := range futs {
		_, err := f.Wait(bg) // whatever happened to it: it ends
		//nolint:errorlint // one that was dropped later wraps the same error
		if err != cmwq.ErrDraining && err != cmwq.ErrDestroyed {
			u.accepted.Add(1)
		}
	}
}

func TestFailingWorkAddsUp(t *testing.T) {
	rounds := short.AtLeast(50, 300)
	kinds := map[string]cmwq.QueueOption{"managed": cmwq.MaxActive(8), "percpu": cmwq.PerCPU(), "ordered": cmwq.Ordered(), "unbound": cmwq.Unbound()}
	for name, kind := range kinds {
		for _, early := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/destroyed early=%v", name, early), func(t *testing.T) {
				u := &unruly{t: t}
				restart := actor.NewOneForOneStrategy(1<<30, time.Second, actor.DefaultDecider)
				sys := start(t, silent(), cmwq.WithSupervision(restart),
					cmwq.WithOnFailure(func(string, error) { u.failures.Add(1) }))
				s := supervisor.When(supervisor.As[*cmwq.PanicError](), supervisor.Retry(3, supervisor.Backoff{}).Then(supervisor.DeadLetter(16))).
					When(supervisor.Is(cmwq.ErrGoexit), supervisor.Retry(2, supervisor.Exponential(20*time.Microsecond, 50*time.Microsecond)).Then(supervisor.Escalate())).
					Else(supervisor.AtMost(10, time.Millisecond, supervisor.Retry(5, supervisor.Constant(10*time.Microsecond)).Then(supervisor.Drop())).Then(supervisor.Ignore()))
				u.q = queue(t, sys, "q", kind, cmwq.Supervise(s))
				var all sync.WaitGroup
				var busy atomic.Int32
				for range 4 {
					busy.Add(1)
					all.Go(func() {
						u.run(rounds)
						busy.Add(-1)
					})
				}
				if early {
					for u.executed.Load() < int64(rounds) && busy.Load() > 0 {
						runtime.Gosched()
					}
					require.NoError(t, u.q.Destroy(bg))
				}
				all.Wait()
				if !early {
					require.NoError(t, u.q.Destroy(bg))
				}
				waitGone(sys, "q")
				u.check()
			})
		}
	}
}

// check is the law: every execution is counted once, and so is every acceptance. What was
// accepted while the queue ended may run a little later than that.
func (u *unruly) check() {
	var st cmwq.Stats
	for begun := time.Now(); ; runtime.Gosched() {
		var err error
		st, err = u.q.Stats(bg)
		require.NoError(u.t, err)
		if u.accepted.Load()+st.Retried == st.Total+u.cancelled.Load()+st.Dropped && st.Total == u.done.Load()+st.Failed+st.Retried ||
			time.Since(begun) > 10*time.Second {
			break
		}
	}
	require.Equal(u.t, u.executed.Load(), st.Total)
	require.Equal(u.t, st.Total, u.done.Load()+st.Failed+st.Retried, "%+v", st)
	require.Equal(u.t, u.accepted.Load()+st.Retried, st.Total+u.cancelled.Load()+st.Dropped, "cancelled %d: %+v", u.cancelled.Load(), st)
	require.NotZero(u.t, u.grown.Load())
}
