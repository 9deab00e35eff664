package cmwq_test

import (
	"net"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// here is the line of its caller, which says where it will be stuck: the line below.
type here struct{ line atomic.Int64 }

func (h *here) next() {
	_, _, line, _ := runtime.Caller(1)
	h.line.Store(int64(line) + 1)
}

func (h *here) at() int { return int(h.line.Load()) }

// stuck items are each blocked in something else, at the line that they tell; free lets
// them go.
func stuckItems(t *testing.T) (items map[string]func(ctx *cmwq.Context, h *here), free func()) {
	t.Helper()
	recv, send := make(chan int), make(chan int)
	var mu, once sync.Mutex
	var rw sync.RWMutex
	var wg sync.WaitGroup
	cond, open := sync.NewCond(&once), false
	var enough atomic.Bool
	mu.Lock()
	rw.Lock()
	wg.Add(1)
	a, b := net.Pipe()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	conn, err := net.Dial("tcp", ln.Addr().String())
	require.NoError(t, err)
	pr, pw, err := os.Pipe()
	require.NoError(t, err)
	items = map[string]func(*cmwq.Context, *here){
		"chan receive": func(_ *cmwq.Context, h *here) {
			h.next()
			<-recv
		},
		"chan send": func(_ *cmwq.Context, h *here) {
			h.next()
			send <- 1
		},
		"select": func(_ *cmwq.Context, h *here) {
			h.next()
			select {
			case <-recv:
			case send <- 1:
			}
		},
		"sync.Mutex.Lock": func(_ *cmwq.Context, h *here) {
			h.next()
			mu.Lock()
			defer mu.Unlock()
		},
		"sync.RWMutex.RLock": func(_ *cmwq.Context, h *here) {
			h.next()
			rw.RLock()
			defer rw.RUnlock()
		},
		"sync.WaitGroup.Wait": func(_ *cmwq.Context, h *here) {
			h.next()
			wg.Wait()
		},
		"sync.Cond.Wait": func(_ *cmwq.Context, h *here) {
			once.Lock()
			defer once.Unlock()
			for !open {
				h.next()
				cond.Wait()
			}
		},
		"IO wait": func(_ *cmwq.Context, h *here) {
			h.next()
			_, _ = conn.Read(make([]byte, 1))
		},
		"IO wait of a pipe": func(_ *cmwq.Context, h *here) {
			h.next()
			_, _ = pr.Read(make([]byte, 1))
		},
		"select of net.Pipe": func(_ *cmwq.Context, h *here) {
			h.next()
			_, _ = a.Read(make([]byte, 1))
		},
		"sleep": func(_ *cmwq.Context, h *here) {
			for !enough.Load() {
				h.next()
				time.Sleep(100 * time.Millisecond)
			}
		},
		"select of ctx.Sleep": func(ctx *cmwq.Context, h *here) {
			h.next()
			_ = ctx.Sleep(time.Hour)
		},
		"running": func(_ *cmwq.Context, h *here) {
			h.next()
			for !enough.Load() {
			}
		},
	}
	return items, sync.OnceFunc(func() {
		enough.Store(true)
		close(recv)
		for range 2 {
			select {
			case <-send:
			case <-time.After(10 * time.Millisecond):
			}
		}
		mu.Unlock()
		rw.Unlock()
		wg.Done()
		once.Lock()
		open = true
		once.Unlock()
		cond.Broadcast()
		for _, c := range []interface{ Close() error }{b, a, conn, ln, pw, pr} {
			_ = c.Close()
		}
	})
}
