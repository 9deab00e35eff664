package actors

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// An item that a pool refused because it ends names it for a moment still, while it is on
// a list of another: nobody but that other may take it off.
func TestAPoolThatEndsLeavesWhatItRefused(t *testing.T) {
	for name, end := range map[string]func(*pool){
		"ending": func(p *pool) { p.ending = true },
		"ended":  func(p *pool) { p.ended = true },
	} {
		t.Run(name, func(t *testing.T) {
			p := &pool{id: 3, pol: policy.NewPool(policy.Managed, 1, 1)}
			end(p)
			it := &messages.Item{List: messages.OnWorklist}
			require.True(t, it.Swap(0, messages.State(0).Queued(p.id)))
			for _, what := range []askKind{askCancel, askFlush, askStop, askGrab} {
				a := newAsk(what, it)
				p.answer(a)
				require.Equal(t, gone, a.hear())
			}
			require.Equal(t, messages.OnWorklist, it.List)
		})
	}
}
