package observe

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cmwq/cmwq"
)

// rest is for how long a pause waits for what is active, before it answers.
const rest = 200 * time.Millisecond

// control changes a queue. A name that cannot stand in a path, like "..", is given as
// the parameter queue beside a "-" in the path.
func (h *handler) control(w http.ResponseWriter, r *http.Request, name, action string) {
	if err := h.mayChange(r); err != nil {
		err.write(w)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, 1<<10)
	if err := r.ParseForm(); err != nil {
		http.Error(w, "the form cannot be read", http.StatusBadRequest)
		return
	}
	if r.Form.Has("queue") && name == "-" {
		name = r.Form.Get("queue")
	}
	q, err := h.find(r, name)
	if err != nil {
		gone(w, err)
		return
	}
	if q == nil {
		http.Error(w, "there is no such queue", http.StatusNotFound)
		return
	}
	said, err := do(r, q, action)
	h.logger().Info("queue was changed by HTTP", "queue", shown(name), "action", action, "n", r.Form.Get("n"),
		"from", r.RemoteAddr, "err", err)
	if err != nil {
		http.Error(w, err.Error(), statusOf(err))
		return
	}
	plain(w)
	fmt.Fprintln(w, said)
}

// find gives the queue of a name, or of a key of the page; nil if there is none.
func (h *handler) find(r *http.Request, name string) (*cmwq.Queue, error) {
	if q := h.sys.Queue(name); q != nil || !strings.HasPrefix(name, hashed) {
		return q, nil
	}
	snap, err := h.sys.Snapshot(r.Context())
	if err != nil {
		return nil, err
	}
	return h.sys.Queue(nameOf(snap, name)), nil
}

func (h *handler) logger() *slog.Logger {
	if h.log != nil {
		return h.log
	}
	return slog.Default()
}

var errAction = errors.New("there is no such action: pause, resume, max_active")

var errNumber = errors.New("n must be a number above 0")

func do(r *http.Request, q *cmwq.Queue, action string) (string, error) {
	switch action {
	case "pause":
		ctx, cancel := context.WithTimeout(r.Context(), rest)
		defer cancel()
		err := q.Pause(ctx)
		if errors.Is(err, context.DeadlineExceeded) {
			return "paused; what is active goes on", nil
		}
		return "paused", err
	case "resume":
		return "resumed", q.Resume()
	case "max_active":
		n, err := strconv.Atoi(r.Form.Get("n"))
		if err != nil || n < 1 {
			return "", errNumber
		}
		return fmt.Sprintf("max_active is %d", n), q.SetMaxActive(n)
	}
	return "", errAction
}

func statusOf(err error) int {
	switch {
	case errors.Is(err, errAction):
		return http.StatusNotFound
	case errors.Is(err, errNumber):
		return http.StatusBadRequest
	case errors.Is(err, cmwq.ErrStopped), errors.Is(err, cmwq.ErrDestroyed):
		return http.StatusGone
	}
	return http.StatusConflict // it is not that kind of queue
}
