package cmwq_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// Every item is found, on the line where it is, and says what it waits for.
func TestDiagnoseSaysWhereEveryItemIs(t *testing.T) {
	sys := start(t)
	q := queue(t, sys, "stuck", cmwq.Unbound())
	items, free := stuckItems(t)
	defer free()
	lines := map[string]*here{}
	entered := make(chan struct{}, len(items))
	var sleeper *cmwq.Work
	for name, f := range items {
		h := &here{}
		lines[name] = h
		w := cmwq.NewWork(func(ctx *cmwq.Context) error {
			ctx.SetDesc("%s", name)
			entered <- struct{}{}
			f(ctx, h)
			return nil
		})
		if name == "select of ctx.Sleep" {
			sleeper = w
		}
		require.NoError(t, q.Queue(w))
	}
	for range items {
		<-entered
	}
	var d *cmwq.Diagnosis
	require.Eventually(t, func() bool { // until all of them have got to their line
		var err error
		d, err = sys.Diagnose(t.Context())
		require.NoError(t, err)
		if len(d.Items) != len(items) {
			return false
		}
		for _, x := range d.Items {
			if x.Where == nil || x.Where.Blocked() == (x.Desc == "running") {
				return false
			}
			if at := lines[x.Desc].at(); x.Desc == "running" && x.Where.Line != at && x.Where.Line != at+1 {
				return false // it is on its way to the loop, which has a line or two
			}
		}
		return true
	}, 20*time.Second, 20*time.Millisecond)
	for _, x := range d.Items {
		w := x.Where
		require.Equal(t, "stuck_test.go", filepath.Base(w.File), x.Desc)
		if x.Desc == "running" {
			require.Equal(t, "running", w.State)
			require.InDelta(t, lines[x.Desc].at(), w.Line, 1)
		} else {
			require.Equal(t, lines[x.Desc].at(), w.Line, "%s: %s", x.Desc, w)
			state, _, _ := strings.Cut(x.Desc, " of ")
			require.Equal(t, state, w.State, "%s: %s", x.Desc, w)
		}
		require.Contains(t, w.Func, "cmwq_test.stuckItems.func")
		require.NotEmpty(t, w.Stack)
		require.Contains(t, w.Stack[len(w.Stack)-1].Func, "TestDiagnoseSaysWhereEveryItemIs")
		require.Equal(t, "stuck", x.Queue)
	}
	free()
	_, err := sleeper.CancelWait(bg)
	require.NoError(t, err)
	require.NoError(t, q.Flush(bg))
	require.NoError(t, sys.Stop(bg))
	_, err = sys.Diagnose(bg)
	require.ErrorIs(t, err, cmwq.ErrStopped)
}

// whereOf gives what a diagnosis says of each item, by its description.
func whereOf(t *testing.T, sys *cmwq.System) map[string]*cmwq.Where {
	t.Helper()
	d, err := sys.Diagnose(bg)
	require.NoError(t, err)
	where := map[string]*cmwq.Where{}
	for _, x := range d.Items {
		where[x.Desc] = x.Where
	}
	return where
}

// What an item started, the labels that it sets, a stack that is too deep for a profile,
// and workers of the same name in another system do not get in the way.
func TestDiagnoseIsNotMistaken(t *testing.T) {
	sys, other := start(t), start(t)
	open := make(chan struct{})
	defer close(open)
	entered := make(chan struct{}, 10)
	wait := func() { entered <- struct{}{}; <-open }
	var deep func(n int) int
	deep = func(n int) int {
		if n == 0 {
			wait()
			return 0
		}
		return deep(n-1) + 1
	}
	run := func(q *cmwq.Queue, desc string, f func(ctx *cmwq.Context)) {
		require.NoError(t, q.Go(func(ctx *cmwq.Context) error { ctx.SetDesc("%s", desc); f(ctx); return nil }))
		<-entered
	}
	q := queue(t, sys, "q", cmwq.Unbound())
	run(q, "child", func(*cmwq.Context) {
		go wait()
		select {
		case <-open:
		case <-make(chan int):
		}
	})
	run(q, "deep", func(*cmwq.Context) { deep(500) })
	run(q, "labels that end", func(ctx *cmwq.Context) {
		pprof.Do(ctx, pprof.Labels("a", "b"), func(context.Context) {})
		wait()
	})
	run(q, "labels", func(ctx *cmwq.Context) { pprof.Do(ctx, pprof.Labels("a", "b"), func(context.Context) { wait() }) })
	run(q, "no labels", func(*cmwq.Context) {
		pprof.Do(bg, pprof.Labels("a", "b"), func(context.Context) { wait() })
	})
	run(queue(t, other, "q", cmwq.Unbound()), "other", func(*cmwq.Context) { entered <- struct{}{}; <-open })

	var where map[string]*cmwq.Where
	require.Eventually(t, func() bool {
		where = whereOf(t, sys)
		for _, w := range where {
			if w == nil || !w.Blocked() {
				return false
			}
		}
		return len(where) == 5
	}, 20*time.Second, 20*time.Millisecond, "%v", where)
	require.Equal(t, "select", where["child"].State)
	for _, desc := range []string{"deep", "labels", "labels that end", "no labels"} {
		require.Equal(t, "chan receive", where[desc].State, desc)
		require.Contains(t, where[desc].Func, "TestDiagnoseIsNotMistaken.func", desc)
	}
	require.Contains(t, whereOf(t, other), "other")
	require.Len(t, whereOf(t, other), 1)
}

// The page and other programs read it.
func TestDiagnosisAsJSON(t *testing.T) {
	d := cmwq.Diagnosis{Items: []cmwq.Diagnosed{{Queue: "q", Pool: "0", Where: &cmwq.Where{State: "select", Func: "main.f", File: "f.go", Line: 3}}}}
	d.Items[0].Worker = "kworker/0:1"
	b, err := json.Marshal(d)
	require.NoError(t, err)
	require.Contains(t, string(b), `"worker":"kworker/0:1"`)
	require.Contains(t, string(b), `"where":{"state":"select","func":"main.f","file":"f.go","line":3}`)
}
