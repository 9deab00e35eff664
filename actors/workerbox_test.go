package actors

import (
	"runtime"
	"testing"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

// worked stands for the worker behind a workerbox.
type worked struct {
	box  workerbox
	disp dispatches
	got  []any
	run  func(msg any)
}

func newWorked() *worked {
	w := &worked{}
	w.box.RegisterHandlers(w, &w.disp)
	return w
}

func (w *worked) InvokeSystemMessage(msg any) { w.got = append(w.got, msg) }
func (w *worked) EscalateFailure(_, _ any)    {}

func (w *worked) InvokeUserMessage(msg any) {
	w.got = append(w.got, msg)
	if w.run != nil {
		w.run(msg)
	}
}

func TestWorkerboxIsScheduledOnceForALease(t *testing.T) {
	w := newWorked()
	l := &messages.Lease{}
	w.box.PostUserMessage(l)
	w.box.PostSystemMessage(1)
	w.box.PostUserMessage("no lease: none of a worker's business")
	require.Len(t, w.disp.fns, 1)
	require.Equal(t, 1, w.disp.run())
	require.Equal(t, []any{1, l}, w.got, "system messages come first")
	w.box.PostUserMessage(l)
	require.Equal(t, 1, w.disp.run(), "it can be scheduled again")
	require.Len(t, w.got, 3)
}

// A lease that is granted while the worker reports the one before, by the turn
// that it runs itself: nothing is scheduled, and it goes on.
func TestWorkerboxGoesOnWithALeaseGrantedMeanwhile(t *testing.T) {
	w := newWorked()
	first, second := &messages.Lease{}, &messages.Lease{Seq: 2}
	w.run = func(msg any) {
		if msg == first {
			w.box.PostUserMessage(second)
		}
	}
	w.box.PostUserMessage(first)
	require.Equal(t, 1, w.disp.run())
	require.Equal(t, []any{first, second}, w.got)
}

func TestWorkerboxKeepsTheLeaseOfASuspendedWorker(t *testing.T) {
	w := newWorked()
	l := &messages.Lease{}
	w.box.PostSystemMessage(&actor.SuspendMailbox{})
	w.box.PostUserMessage(l)
	w.disp.run()
	require.Empty(t, w.got)
	w.box.PostSystemMessage(2)
	w.disp.run()
	require.Equal(t, []any{2}, w.got, "system messages are heard all the same")
	w.box.PostSystemMessage(&actor.ResumeMailbox{})
	w.disp.run()
	require.Equal(t, []any{2, l}, w.got)
}

// Goexit in an item unwinds the mailbox's loop while it counts as running; run
// again by the dispatcher, it finds the lease that was granted meanwhile.
func TestWorkerboxGoesOnAfterGoexit(t *testing.T) {
	disp := newDispatcher(1)
	w := newWorked()
	done := make(chan struct{})
	first, second := &messages.Lease{}, &messages.Lease{Seq: 2}
	w.run = func(msg any) {
		if msg == second {
			close(done)
			return
		}
		defer w.box.PostUserMessage(second)
		runtime.Goexit()
	}
	w.box.RegisterHandlers(w, disp)
	w.box.PostUserMessage(first)
	<-done
	require.Equal(t, []any{first, second}, w.got)
	require.NoError(t, disp.close(t.Context()))
}
