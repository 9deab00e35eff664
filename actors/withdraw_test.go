package actors

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/messages"
)

// Who flushes an item that is cancelled meanwhile does not find it pending any
// more: what it queues then would be refused, and never run.
func TestAFlusherOfACancelledItemFindsItIdle(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{MaxActive: 1})
		held, open := newHeld()
		held.on(t, q)
		<-held.entered
		for range short.Rounds(2000) {
			j := newJob(nil).on(t, q)
			pending := make(chan bool, 4)
			for range cap(pending) {
				a := newAsk(askFlush, &j.it)
				require.Equal(t, waiting, a.send(j.it.State().Place()))
				go func() {
					if err := <-a.ended; err != nil {
						t.Error(err)
					}
					pending <- j.it.State()&messages.Pending != 0
				}()
			}
			require.True(t, Cancel(&j.it))
			for range cap(pending) {
				require.False(t, <-pending)
			}
		}
		close(open)
	})
}
