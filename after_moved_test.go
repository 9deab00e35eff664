package cmwq_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// How work ends is not lost to those behind it when its queue gets other pools, or is
// abandoned, while it waits for its own run: with the pool that it goes to.
func TestAfterOnlyOKOfWorkThatIsPassedOn(t *testing.T) {
	for range short.AtLeast(5, 50) {
		bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
			q := queue(t, sys, "q", cmwq.Unbound())
			other := queue(t, sys, "other")
			gate, open := plainGate()
			runs := 0
			w := cmwq.NewWork(func(ctx *cmwq.Context) error {
				if runs++; runs == 1 {
					return gate(ctx)
				}
				return errBroke
			})
			require.NoError(t, q.Queue(w))
			synctest.Wait()
			require.NoError(t, q.Queue(w))
			before := cmwq.Submit(other.After(w).OnlyOK(), func(*cmwq.Context) (int, error) { return 0, nil })
			require.NoError(t, q.SetAttrs(bg, cmwq.Nice(5)))
			synctest.Wait()
			after := cmwq.Submit(other.After(w).OnlyOK(), func(*cmwq.Context) (int, error) { return 0, nil })
			synctest.Wait()
			close(open)
			for _, fut := range []*cmwq.Future[int]{before, after} {
				_, err := fut.Wait(bg)
				require.ErrorIs(t, err, cmwq.ErrDependency)
				require.ErrorIs(t, err, errBroke)
			}
		}, told(new([]error)))
	}
}
