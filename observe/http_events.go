package observe

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

const (
	maxViewers = 64
	forgets    = time.Minute     // so long after the last viewer has gone
	slow       = 5 * time.Second // a viewer that does not read for so long is let go
)

// streams are the viewers that there are.
type streams struct {
	n       atomic.Int32
	left    atomic.Int64 // how often the last one has gone
	servers sync.Map     // *http.Server: a channel that is closed when it shuts down
}

// events sends an event at once, and then one in each interval. All viewers' intervals
// begin together, so that they share samples.
func (h *handler) events(w http.ResponseWriter, r *http.Request) {
	q, interval := readQuery(r.URL.Query())
	if h.streams.n.Add(1) > maxViewers {
		h.streams.n.Add(-1)
		http.Error(w, "there are 64 viewers already", http.StatusServiceUnavailable)
		return
	}
	defer h.leave()
	w.Header().Set("Content-Type", "text/event-stream")
	if r.Method == http.MethodHead {
		return
	}
	out := &stream{w: w, ctl: http.NewResponseController(w)}
	shutdown := h.streams.shutdown(r)
	// Data that a moment ago somebody else was shown does for the first event.
	for age := min(interval/2, time.Second/2); ; age = interval / 4 {
		b, err := h.next(r.Context(), q, age)
		if err != nil {
			out.send("gone", []byte(err.Error())) // it has lost its system; the page tries again
			return
		}
		if !out.send("frame", b) {
			return
		}
		now := time.Now()
		timer := time.NewTimer(now.Truncate(interval).Add(interval).Sub(now))
		select {
		case <-timer.C:
		case <-r.Context().Done():
			timer.Stop()
			return
		case <-shutdown:
			timer.Stop()
			return
		}
	}
}

// leave counts a viewer out. When for a while there is none what the last one saw goes.
func (h *handler) leave() {
	if h.streams.n.Add(-1) > 0 {
		return
	}
	left := h.streams.left.Add(1)
	time.AfterFunc(forgets, func() {
		if h.streams.n.Load() == 0 && h.streams.left.Load() == left {
			h.sampler.forget()
		}
	})
}

func (h *handler) next(ctx context.Context, q query, age time.Duration) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return h.sampler.frame(ctx, q, age)
}

// stream writes server-sent events to one viewer.
type stream struct {
	w   http.ResponseWriter
	ctl *http.ResponseController
}

// send says whether the viewer took it in time. The data has no line breaks.
func (s *stream) send(event string, data []byte) bool {
	_ = s.ctl.SetWriteDeadline(time.Now().Add(slow)) // not all writers can
	for _, part := range [][]byte{[]byte("event: " + event + "\ndata: "), data, []byte("\n\n")} {
		if _, err := s.w.Write(part); err != nil {
			return false
		}
	}
	return s.ctl.Flush() == nil
}

// shutdown gives a channel that is closed when the request's server shuts down: it would
// wait for streams else.
func (s *streams) shutdown(r *http.Request) <-chan struct{} {
	srv, ok := r.Context().Value(http.ServerContextKey).(*http.Server)
	if !ok {
		return nil
	}
	c := make(chan struct{})
	if first, loaded := s.servers.LoadOrStore(srv, c); loaded {
		return first.(chan struct{})
	}
	srv.RegisterOnShutdown(func() { close(c) })
	return c
}
