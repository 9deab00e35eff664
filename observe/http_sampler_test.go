package observe

import (
	"context"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// While nobody looks no snapshot is taken; and a minute later none is kept.
func TestNobodyLooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		taken := 0
		h := &handler{sampler: sampler{
			take: func(context.Context) (*cmwq.Snapshot, error) { taken++; return &cmwq.Snapshot{At: time.Now()}, nil },
			lock: make(chan struct{}, 1),
		}}
		look := func(d time.Duration) {
			ctx, cancel := context.WithTimeout(t.Context(), d)
			defer cancel()
			h.events(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, "GET", "/events", nil))
		}
		kept := func() bool {
			synctest.Wait()
			h.sampler.lock <- struct{}{}
			defer func() { <-h.sampler.lock }()
			return h.sampler.last != nil
		}
		look(9500 * time.Millisecond)
		require.Equal(t, 10, taken)
		time.Sleep(59 * time.Second)
		require.True(t, kept())
		look(400 * time.Millisecond) // somebody comes back: what was seen before is still known
		require.Equal(t, 11, taken)
		time.Sleep(2 * time.Second)
		require.True(t, kept())
		time.Sleep(time.Minute)
		require.False(t, kept())
		require.Equal(t, 11, taken)
		require.Zero(t, h.streams.n.Load())
	})
}

// However many look, at whatever they choose, they are shown the same samples.
func TestViewersShareSamples(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		taken := 0
		h := &handler{sampler: sampler{
			take: func(context.Context) (*cmwq.Snapshot, error) {
				taken++
				return &cmwq.Snapshot{At: time.Now()}, nil
			},
			lock: make(chan struct{}, 1),
		}}
		ctx, cancel := context.WithTimeout(t.Context(), 9500*time.Millisecond)
		defer cancel()
		var wg sync.WaitGroup
		shown := make([]int, 10)
		for i := range shown {
			wg.Go(func() {
				w := httptest.NewRecorder()
				h.events(w, httptest.NewRequestWithContext(ctx, "GET", "/events?q="+strconv.Itoa(i), nil))
				shown[i] = strings.Count(w.Body.String(), "event: frame")
			})
			time.Sleep(10 * time.Millisecond) // they do not come together
		}
		wg.Wait()
		require.Equal(t, 10, taken)
		for _, n := range shown {
			require.Equal(t, 10, n)
		}
		time.Sleep(2 * forgets)
	})
}
