package actors

import (
	"fmt"
	"strings"
	"time"

	"github.com/cmwq/cmwq/messages"
)

// A queue remembers one of its failures of late, for who asks what failed.
const (
	failureEvery = 100 * time.Millisecond // a text is made of one in so long
	failureText  = 200                    // bytes of it, at most
)

type lastFailure struct {
	messages.LastFailure
	at time.Duration // on the system's clock
}

// remember keeps what a failure says, in a turn of the queue's actor.
func (q *Queue) remember(m *messages.Failed) {
	now := q.sys.now()
	r := q.gets()
	if last := r.failure.Load(); last != nil && now-last.at < failureEvery {
		return
	}
	r.failure.Store(&lastFailure{messages.LastFailure{At: time.Now(), Worker: m.Worker, Error: errorText(m.Err)}, now})
}

// lastFailure is what is remembered, or nil.
func (q *Queue) lastFailure() *messages.LastFailure {
	if last := q.has().failure.Load(); last != nil {
		return &last.LastFailure
	}
	return nil
}

// errorText is the beginning of what an error says. It is a user's, and may panic.
func errorText(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("%T: its Error method panicked", err)
		}
	}()
	text = err.Error()
	if len(text) > failureText {
		const more = "..."
		text = text[:failureText-len(more)] + more
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
