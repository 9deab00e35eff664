package cmwq_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/actors"
)

// Every combination of options, and whether it makes a queue (kernel: the checks
// of alloc_workqueue). A refusal names what does not go together, and leaves the
// name free.
func TestOptionsMatrix(t *testing.T) {
	sys := start(t, silent())
	options := []struct {
		name string
		opt  cmwq.QueueOption
	}{
		{"PerCPU", cmwq.PerCPU()}, {"Unbound", cmwq.Unbound()}, {"Ordered", cmwq.Ordered()}, {"BH", cmwq.BH()},
		{"HighPri", cmwq.HighPri()}, {"CPUIntensive", cmwq.CPUIntensive()}, {"MaxActive", cmwq.MaxActive(2)},
		{"MemReclaim", cmwq.MemReclaim()}, {"Freezable", cmwq.Freezable()},
	}
	for mask := range 1 << len(options) {
		var said []string
		var opts []cmwq.QueueOption
		set := map[string]bool{}
		for i, o := range options {
			if mask&(1<<i) != 0 {
				said, opts, set[o.name] = append(said, o.name), append(opts, o.opt), true
			}
		}
		refused := refusals(set)
		name := "q"
		if refused == nil {
			name = strings.Join(append(said, "q"), " ")
		}
		for _, order := range [][]cmwq.QueueOption{opts, reversed(opts)} {
			q, err := sys.NewQueue(name, order...)
			if refused == nil {
				require.NoError(t, err, said)
				require.NoError(t, q.Go(func(*cmwq.Context) error { return nil }))
				require.NoError(t, q.Flush(bg))
				require.NoError(t, q.Destroy(bg))
				waitGone(sys, name)
				continue
			}
			require.ErrorIs(t, err, cmwq.ErrOption, said)
			for _, r := range refused {
				require.ErrorContains(t, err, r, said)
			}
			require.Nil(t, sys.Queue(name))
		}
	}
}

// refusals are the names of the options that exclude each other, nil if none do.
func refusals(set map[string]bool) []string {
	var kinds []string
	for _, k := range []string{"PerCPU", "Unbound", "Ordered", "BH"} {
		if set[k] && (k != "PerCPU" || !set["BH"]) { // a BH queue is per CPU
			kinds = append(kinds, k)
		}
	}
	switch {
	case len(kinds) > 1:
		return kinds
	case set["BH"] && set["CPUIntensive"]:
		return []string{"BH", "CPUIntensive"}
	case set["BH"] && set["MaxActive"]:
		return []string{"BH", "MaxActive"}
	case set["BH"] && set["MemReclaim"]:
		return []string{"BH", "MemReclaim"}
	case set["BH"] && set["Freezable"]:
		return []string{"BH", "Freezable"}
	case set["Ordered"] && set["MaxActive"]:
		return []string{"ordered", "MaxActive"}
	}
	return nil
}

func reversed(s []cmwq.QueueOption) []cmwq.QueueOption {
	var r []cmwq.QueueOption
	for i := range s {
		r = append(r, s[len(s)-1-i])
	}
	return r
}

// What is said twice is said once, and what was not said is not refused.
func TestOptionsSaidTwice(t *testing.T) {
	sys := start(t, silent())
	queue(t, sys, "percpu", cmwq.PerCPU(), cmwq.PerCPU())
	queue(t, sys, "bh", cmwq.BH(), cmwq.PerCPU(), cmwq.BH(), cmwq.MaxActive(0))
	queue(t, sys, "ordered", cmwq.Ordered(), cmwq.MaxActive(1))
}

// An ordered or BH queue keeps its limit, and its owner is told, twice.
func TestSetMaxActiveOfFixedLimits(t *testing.T) {
	log := &records{}
	sys := start(t, func(o *actors.Options) error { o.Logger = log.logger(); return nil })
	for opt, want := range map[error]cmwq.QueueOption{cmwq.ErrOrdered: cmwq.Ordered(), cmwq.ErrBH: cmwq.BH()} {
		q := queue(t, sys, opt.Error(), want)
		before, err := q.Stats(bg)
		require.NoError(t, err)
		require.ErrorIs(t, q.SetMaxActive(8), opt)
		after, err := q.Stats(bg)
		require.NoError(t, err)
		require.Equal(t, before.MaxActive, after.MaxActive)
		got := log.find("max_active is not to be changed")
		require.Equal(t, q.Name(), got[len(got)-1]["queue"])
		require.Equal(t, "8", got[len(got)-1]["asked"])
	}
}
