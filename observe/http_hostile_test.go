package observe

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// sampling gives a sampler of snapshots that f makes.
func sampling(f func() *cmwq.Snapshot) *sampler {
	return &sampler{
		take:  func(context.Context) (*cmwq.Snapshot, error) { return f(), nil },
		ask:   func(context.Context) (*cmwq.Diagnosis, error) { return &cmwq.Diagnosis{}, nil },
		stuck: time.Second, lock: make(chan struct{}, 1),
	}
}

// Who asks for something else each time does not fill the memory with answers.
func TestFramesAreBounded(t *testing.T) {
	s := sampling(func() *cmwq.Snapshot { return &cmwq.Snapshot{At: time.Now()} })
	for i := range 10 * maxViewers {
		q, _ := readQuery(url.Values{"q": {fmt.Sprint(i)}, "queue": {strings.Repeat("x", 1<<16)}})
		_, err := s.frame(t.Context(), q, time.Hour)
		require.NoError(t, err)
	}
	require.LessOrEqual(t, len(s.last.frames), 2*maxViewers)
	kept := 0
	for q := range s.last.frames {
		kept += len(q.queue) + len(q.search)
	}
	require.LessOrEqual(t, kept, 1<<20, "bytes of what was asked for")
}

// A queue that was abandoned with an item that runs still is there beside its successor
// of the same name. Neither is taken for the other.
func TestSamplesOfTwoOfAName(t *testing.T) {
	at := time.Now()
	snap := func(after time.Duration, totals ...int64) *cmwq.Snapshot {
		s := &cmwq.Snapshot{At: at.Add(after)}
		for _, n := range totals {
			s.Queues = append(s.Queues, cmwq.QueueSnapshot{Name: "q", Stats: cmwq.Stats{Total: n}})
		}
		return s
	}
	for name, old := range map[string]int64{"longer": 1000, "shorter": 3} {
		t.Run(name, func(t *testing.T) {
			var s *sample
			s = s.next(snap(0, old, 10))
			s = s.next(snap(time.Second, old, 17))
			require.Zero(t, s.tracks[0].rate, "the old one")
			require.InDelta(t, 7, s.tracks[1].rate, 1e-9, "the new one")
		})
	}
}
