package cmwq_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/supervisor"
)

// What still runs when its queue is abandoned may fail when nobody is there: it is
// reported all the same, once.
func TestFailuresOfAnAbandonedQueueAreReported(t *testing.T) {
	for name, opt := range map[string]cmwq.QueueOption{
		"plain": cmwq.MaxActive(9), "supervised": cmwq.Supervise(supervisor.Retry(-1, supervisor.Constant(time.Minute))),
		"bounded": cmwq.Bounded(20, cmwq.Refuse), "reclaim": cmwq.MemReclaim(),
	} {
		t.Run(name, func(t *testing.T) {
			var failures []error
			withActors(t, func(t *testing.T, fam *family) {
				p := fam.parent(t, "user", nil)
				q := p.child(t, fam.System, "q", cmwq.Shutdown(0), opt)
				gate, open := plainGate()
				stays := func(ctx *cmwq.Context) error {
					ctx.Block(func() { _ = gate(ctx) })
					return errBroke
				}
				for range 2 {
					require.NoError(t, q.Queue(cmwq.NewWork(stays)))
					require.NoError(t, q.Go(stays))
				}
				require.NoError(t, q.Go(func(ctx *cmwq.Context) error { <-ctx.Done(); return errBroke }))
				synctest.Wait()
				p.stop()
				synctest.Wait()
				require.Nil(t, fam.Queue("user/q"))
				close(open)
				synctest.Wait()
				require.Len(t, failures, 5)
				for _, err := range failures {
					require.ErrorIs(t, err, errBroke)
				}
			}, told(&failures))
		})
	}
}
