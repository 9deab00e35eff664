package cmwq_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// WithOnFailure(nil) is the default: the failure is logged.
func TestNoOnFailureLogs(t *testing.T) {
	log := new(records)
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		require.NoError(t, q.Go(func(*cmwq.Context) error { return errors.New("it broke") }))
		require.NoError(t, q.Destroy(bg))
		require.Len(t, log.find("work failed"), 1)
	}, cmwq.WithOnFailure(nil), cmwq.WithLogger(log.logger()))
}
