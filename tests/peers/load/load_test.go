package load_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/tests/peers/load"
	"github.com/cmwq/cmwq/tests/peers/system"
)

// tiny is small enough for the race detector.
var tiny = load.Env{Limit: 2, Quick: true, Divide: 20, Timeout: 20 * time.Second}

// Each workload gives all its figures for cmwq and for one peer.
func TestWorkloads(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range load.All() {
		t.Run(w.ID, func(t *testing.T) {
			require.False(t, seen[w.ID], "two of that name")
			seen[w.ID] = true
			require.NotEmpty(t, w.Title)
			ran := 0
			for _, s := range system.All() {
				switch s.Name {
				case "cmwq item", "cmwq Submit", "go func", "time.AfterFunc", "pond/v2 Go":
				default:
					continue
				}
				if w.Skip(s) != "" {
					continue
				}
				v, err := w.Run(tiny, s)
				require.NoError(t, err, s.Name)
				require.Len(t, v, len(w.Figures), s.Name)
				ran++
			}
			require.Positive(t, ran)
		})
	}
}

// A system that forgets every tenth task, or runs it twice, has failed.
func TestWorkloadsCountTasks(t *testing.T) {
	for name, times := range map[string]int{"forgets": 0, "repeats": 2} {
		bad := system.System{Name: name, Queues: true, Make: func(system.Setup) (system.Executor, error) {
			return &careless{times: times}, nil
		}}
		env := tiny
		env.Timeout = 50 * time.Millisecond
		for _, w := range load.All() {
			switch w.Group {
			case "a", "c", "d", "b", "fair", "load", "gc":
				_, err := w.Run(env, bad)
				require.ErrorIs(t, err, load.ErrLost, "%s %s", w.ID, name)
			}
		}
	}
}

// careless runs tasks at once, but not all of them once.
type careless struct {
	times int
	n     atomic.Int64
}

func (c *careless) run(task func()) {
	if c.n.Add(1)%10 != 5 {
		task()
		return
	}
	for range c.times {
		task()
	}
}

func (c *careless) Producer(task func()) func()  { return func() { c.run(task) } }
func (c *careless) Submit(body func(int), i int) { c.run(func() { body(i) }) }
func (c *careless) Close()                       {}
