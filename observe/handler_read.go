package observe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
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
	if r.URL.Query().Has("sections") {
		_ = snap.WriteSections(w)
		return
	}
	_, _ = snap.WriteTo(w)
}

// monitor writes numbers since the queues were made, or of an interval that begins now.
func (h *handler) monitor(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	var filters []*regexp.Regexp
	for _, f := range query["filter"] {
		re, err := regexp.Compile(f)
		if err != nil {
			http.Error(w, "filter: "+err.Error(), http.StatusBadRequest)
			return
		}
		filters = append(filters, re)
	}
	var before *cmwq.Snapshot
	if query.Has("interval") {
		d, err := time.ParseDuration(query.Get("interval"))
		if err != nil || d <= 0 || d > time.Minute {
			http.Error(w, "interval: a duration of at most a minute, such as 1s", http.StatusBadRequest)
			return
		}
		var ok bool
		if before, ok = h.look(w, r); !ok || !pass(r.Context(), d) {
			return
		}
	}
	snap, ok := h.look(w, r)
	if !ok {
		return
	}
	plain(w)
	_ = snap.WriteMonitor(w, before, filters...)
}

// pass says whether so much time has passed before ctx ended.
func pass(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

func (h *handler) whereabouts(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	d, err := h.sys.Diagnose(ctx)
	if err != nil {
		gone(w, err)
		return
	}
	if r.URL.Query().Has("json") {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(d)
		return
	}
	plain(w)
	if len(d.Items) == 0 {
		fmt.Fprintln(w, "nothing is in flight")
	}
	for i := range d.Items {
		fmt.Fprintln(w, d.Items[i].String())
	}
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
