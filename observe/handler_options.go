package observe

import (
	"log/slog"
	"net/http"
	"strings"
	"time"
)

// HandlerOption changes what a Handler serves, and to whom.
type HandlerOption func(*handler)

// AllowRemote answers other machines, and proxies, too. auth is asked about every
// request then, those of loopback addresses included: nil lets it pass, any other error
// is answered with 403, a *ChallengeError with 401 and its challenge. What it says is not
// told to who asks. It must be safe for concurrent use; a nil auth panics.
//
// Use it behind TLS: what an auth hook checks travels with each request. Names that the
// handler is reached by need Hosts.
func AllowRemote(auth func(*http.Request) error) HandlerOption {
	if auth == nil {
		panic("observe: AllowRemote needs a function that says who may look")
	}
	return func(h *handler) { h.auth = auth }
}

// Hosts are names that the handler is reached by, without a port. Addresses and
// localhost need none; other names are refused, since a page elsewhere may have its own
// name point here (DNS rebinding).
func Hosts(names ...string) HandlerOption {
	return func(h *handler) {
		if h.hosts == nil {
			h.hosts = map[string]bool{}
		}
		for _, n := range names {
			h.hosts[strings.ToLower(strings.TrimSuffix(n, "."))] = true
		}
	}
}

// Controls lets who may look pause and resume queues and set their max_active, by buttons
// of the page and by
//
//	POST ./queues/{name}/pause
//	POST ./queues/{name}/resume
//	POST ./queues/{name}/max_active   n=16
//
// Requests need the page's token in the header X-Cmwq-Token, which is new with each
// Handler, and must not come from another origin. Each is logged, see HandlerLog.
func Controls() HandlerOption { return func(h *handler) { h.controls = true } }

// Stacks serves the goroutine profile, with labels, at ./stacks. It names functions and
// lines of the whole program, and stops it for a moment: about 1 ms for 1000 goroutines.
func Stacks() HandlerOption { return func(h *handler) { h.stacks = true } }

// Metrics serves m at ./metrics, for instance a handler of package promhttp.
func Metrics(m http.Handler) HandlerOption { return func(h *handler) { h.metrics = m } }

// StuckAfter is for how long nothing may have started where work waits before the page
// says so: 5 s if it is not given. The watchdog of the system has a time of its own, see
// cmwq.WithWatchdog.
func StuckAfter(d time.Duration) HandlerOption { return func(h *handler) { h.sampler.stuck = d } }

// HandlerLog is where changes by Controls are told: slog.Default() if it is not given.
func HandlerLog(l *slog.Logger) HandlerOption { return func(h *handler) { h.log = l } }

// ChallengeError is what an auth hook returns to have a browser ask for a password:
// Challenge is the value of WWW-Authenticate, such as `Basic realm="cmwq"`.
type ChallengeError struct{ Challenge string }

func (e *ChallengeError) Error() string { return "observe: not authenticated" }
