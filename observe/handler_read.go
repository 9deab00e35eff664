package observe

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"runtime/pprof"
	"time"

	"github.com/cmwq/cmwq"
)

// patience is for how long a request waits for the pools to answer.
const patience = 10 * time.Second

// look takes a snapshot for one request. It has answered if that fails.
func (h *handler) look(w http.ResponseWriter, r *http.Request) (*cmwq.Snapshot, bool) {
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	snap, err := h.sys.Snapshot(ctx)
	if err != nil {
		gone(w, err)
		return nil, false
	}
	return snap, true
}

func gone(w http.ResponseWriter, err error) {
	if errors.Is(err, cmwq.ErrStopped) {
		http.Error(w, "the system has stopped", http.StatusGone)
		return
	}
	http.Error(w, "no answer: "+err.Error(), http.StatusServiceUnavailable)
}

func (h *handler) snapshot(w http.ResponseWriter, r *http.Request) {
	snap, ok := h.look(w, r)
	if !ok {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	enc := json.NewEncoder(w)
	if r.URL.Query().Has("pretty") {
		enc.SetIndent("", "  ")
	}
	_ = enc.Encode(snap) // who asked has gone
}

func (h *handler) dump(w http.ResponseWriter, r *http.Request) {
	snap, ok := h.look(w, r)
	if !ok {
		return
	}
	plain(w)
	_, _ = snap.WriteTo(w)
}

func (h *handler) serveMetrics(w http.ResponseWriter, r *http.Request) {
	if h.metrics == nil {
		http.Error(w, "there are no metrics; see observe.Metrics", http.StatusNotFound)
		return
	}
	h.metrics.ServeHTTP(w, r)
}

func (h *handler) serveStacks(w http.ResponseWriter, _ *http.Request) {
	if !h.stacks {
		http.Error(w, "stacks are not enabled; see observe.Stacks", http.StatusNotFound)
		return
	}
	plain(w)
	_ = pprof.Lookup("goroutine").WriteTo(w, 1)
}

func plain(w http.ResponseWriter) { w.Header().Set("Content-Type", "text/plain; charset=utf-8") }
