package actors

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/short"
)

// Whoever is first to answer or to sleep, the asker hears what was said, also with an ask
// that was used before.
func TestAskIsHeard(t *testing.T) {
	var said sync.WaitGroup
	for i := range short.Rounds(20_000) {
		a := borrowAsk(askCancel, nil)
		v := verdict(i % 5)
		if i%2 == 0 {
			a.tell(v)
		} else {
			said.Go(func() { a.tell(v) })
		}
		require.Equal(t, v, a.hear())
		said.Wait()
		a.giveBack()
	}
}
