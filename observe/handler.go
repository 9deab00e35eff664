package observe

import (
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/cmwq/cmwq"
)

// handler is what Handler gives. Its fields do not change after that.
type handler struct {
	sys      *cmwq.System
	auth     func(*http.Request) error // nil: loopback only
	hosts    map[string]bool           // names that it may be reached by, beside localhost
	metrics  http.Handler              // nil: none
	log      *slog.Logger              // nil: the default one
	controls bool
	stacks   bool
	token    string // of the page; a request that changes something carries it
	sampler  sampler
	streams  streams
}

// Handler serves what operators look at, in the style of net/http/pprof. It may be
// mounted under any prefix that ends in a slash, with or without http.StripPrefix:
//
//	mux.Handle("/debug/cmwq/", observe.Handler(sys))
//
// Below the prefix there are
//
//	./          the live page, for people; it needs no other server
//	./snapshot  cmwq.Snapshot as JSON
//	./dump      its busy queues and pools as text, as System.Dump writes them; with
//	            ?sections how the system is laid out, as System.WriteSections does
//	./monitor   numbers of each queue as text, as System.WriteMonitor writes them; with
//	            ?filter=REGEXP of some, with ?interval=1s of the time from now on
//	./where     the items in flight, with what they are blocked in: see System.Diagnose
//	./events    what the page shows, as server-sent events: see below
//	./metrics   the handler of Metrics
//	./stacks    goroutines with their labels, with Stacks
//	./queues/{name}/pause, resume, max_active   POST, with Controls
//
// It reads only, and answers loopback addresses only, unless options say otherwise:
// requests from elsewhere, through a proxy, for a host name that is not localhost (DNS
// rebinding), or from pages of other origins are refused with 403 and one line that
// says why. A proxy is known by what it adds to the request, as Forwarded, X-Forwarded-For
// or Via: one on this machine that adds nothing looks as the machine does.
//
// Events are taken from one snapshot for all who look, at most once in their interval
// (?interval=, 250 ms to 1 min, one second if it is not given), and only while somebody
// looks. An event has the first rows by ?sort=, of the queues whose name, kind or flags
// have ?q= in them, and says how many it leaves out: about 20 kB, whatever the number of
// queues. Who does not read for five seconds is let go; there are at most 64 at once.
// The format of events is the page's, and may change.
//
// The handler is safe for concurrent use and has no goroutines of its own.
func Handler(sys *cmwq.System, opts ...HandlerOption) http.Handler {
	h := &handler{sys: sys, token: newToken()}
	h.sampler = sampler{take: sys.Snapshot, ask: sys.Diagnose, stuck: 5 * time.Second, lock: make(chan struct{}, 1)}
	for _, set := range opts {
		set(h)
	}
	return h
}

// ServeHTTP checks who asks, and goes by the last part of the path, so that the prefix
// does not matter.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	harden(w.Header())
	if err := h.admit(r); err != nil {
		err.write(w)
		return
	}
	path := r.URL.EscapedPath()
	if queue, action, ok := controlPath(path); ok && r.Method == http.MethodPost {
		h.control(w, r, queue, action)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
		return
	}
	if path == "" { // stripped of its prefix: relative links need the slash
		to := url.URL{Path: strings.SplitN(r.RequestURI, "?", 2)[0] + "/", RawQuery: r.URL.RawQuery}
		w.Header().Set("Location", to.String())
		w.WriteHeader(http.StatusMovedPermanently)
		return
	}
	switch last := path[strings.LastIndexByte(path, '/')+1:]; last {
	case "":
		h.page(w, r)
	case "snapshot":
		h.snapshot(w, r)
	case "dump":
		h.dump(w, r)
	case "monitor":
		h.monitor(w, r)
	case "where":
		h.whereabouts(w, r)
	case "events":
		h.events(w, r)
	case "metrics":
		h.serveMetrics(w, r)
	case "stacks":
		h.serveStacks(w, r)
	default:
		h.asset(w, r, last)
	}
}

// controlPath finds queues/{name}/{action} at the end of an escaped path.
func controlPath(path string) (queue, action string, ok bool) {
	parts := strings.Split(path, "/")
	n := len(parts)
	if n < 3 || parts[n-3] != "queues" || parts[n-1] == "" {
		return "", "", false
	}
	queue, err := url.PathUnescape(parts[n-2])
	return queue, parts[n-1], err == nil
}
