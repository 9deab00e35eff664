package messages_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

func TestTimeoutError(t *testing.T) {
	own := errors.New("half done")
	for want, e := range map[string]messages.TimeoutError{
		`cmwq: work of queue "q" waited 2s, the limit is 1s`: {
			Phase: messages.PhaseWaiting, Queue: "q", Limit: time.Second, Took: 2 * time.Second},
		`cmwq: work of queue "q" ran 2s, until its submitter's deadline`: {
			Phase: messages.PhaseRunning, Queue: "q", Took: 2 * time.Second},
		`cmwq: work of queue "q" ran 3s, the limit is 1s: half done`: {
			Phase: messages.PhaseRunning, Queue: "q", Limit: time.Second, Took: 3 * time.Second, Err: own},
	} {
		require.Equal(t, want, e.Error())
		wrapped := fmt.Errorf("more: %w", &e)
		require.ErrorIs(t, wrapped, context.DeadlineExceeded)
		require.True(t, os.IsTimeout(&e))
		require.Equal(t, e.Err != nil, errors.Is(wrapped, own))
		require.NotErrorIs(t, wrapped, context.Canceled)
		require.Equal(t, "unknown", e.Func())
	}
	require.Equal(t, []string{"waiting", "running", "Phase(0)"}, []string{
		messages.PhaseWaiting.String(), messages.PhaseRunning.String(), messages.Phase(0).String()})
}
