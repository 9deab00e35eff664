package cmwq_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// Modify gives a pending item the function that its Work has now: one that is armed,
// armed without the key or with it, or queued.
func TestModifyTakesThePresentFunction(t *testing.T) {
	type after func(time.Duration, *cmwq.Work) error
	type modify func(time.Duration, *cmwq.Work) (bool, error)
	for name, way := range map[string]func(q *cmwq.Queue) (after, modify){
		"armed": func(q *cmwq.Queue) (after, modify) { return q.QueueAfter, q.Modify },
		"queued": func(q *cmwq.Queue) (after, modify) {
			return func(_ time.Duration, w *cmwq.Work) error { return q.Queue(w) }, q.Modify
		},
		"armed for a CPU": func(q *cmwq.Queue) (after, modify) {
			return q.QueueAfter, func(d time.Duration, w *cmwq.Work) (bool, error) { return q.ModifyOn(0, d, w) }
		},
		"armed without a key": func(q *cmwq.Queue) (after, modify) { return q.QueueAfter, q.Keyed("k").Modify },
		"armed with the key":  func(q *cmwq.Queue) (after, modify) { k := q.Keyed("k"); return k.QueueAfter, k.Modify },
	} {
		for _, d := range []time.Duration{0, time.Minute} {
			t.Run(name+" "+d.String(), func(t *testing.T) {
				bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
					q := queue(t, sys, "q", cmwq.PerCPU(), cmwq.MaxActive(1))
					hold := newGate()
					require.NoError(t, q.Queue(hold.Work))
					<-hold.entered
					var ran []string
					says := func(what string) func(*cmwq.Context) error {
						return func(*cmwq.Context) error { ran = append(ran, what); return nil }
					}
					w := cmwq.NewWork(says("old"))
					after, modify := way(q)
					require.NoError(t, after(time.Hour, w))
					w.Func = says("new")
					was, err := modify(d, w)
					require.NoError(t, err)
					require.True(t, was)
					hold.open <- struct{}{}
					time.Sleep(2 * time.Minute)
					require.NoError(t, q.Flush(bg))
					require.Equal(t, []string{"new"}, ran, "once, and that")
				})
			})
		}
	}
}
