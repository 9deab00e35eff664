package policy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"
)

// The files under testdata/ledger are conversations with a queue's side: what it
// lends its shares, and what it hears of flushes.
func TestLedgerConversations(t *testing.T) {
	t.Parallel()
	datadriven.Walk(t, "testdata/ledger", func(t *testing.T, path string) {
		var l *Ledger
		var f *Flushes
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			n := func(i int) int { return integer(t, d.CmdArgs[i].Key) }
			var orders []Order
			switch d.Cmd {
			// ledger max=N shares=N: a new one.
			case "ledger":
				l = NewLedger(count(t, d, "max"), count(t, d, "shares"))

			// borrow SHARE N, returned SHARE N, max N: what happens to it.
			case "borrow":
				orders = l.Borrow(n(0), n(1))
			case "returned":
				orders = l.Returned(n(0), n(1))
			case "max":
				orders = l.SetMax(n(0))

			// flushes shares=N: a new one; close, empty SHARE EPOCH.
			case "flushes":
				f = NewFlushes(count(t, d, "shares"))
				return ""
			case "close":
				return fmt.Sprintf("wait for epoch %d\n", f.Close())
			case "empty":
				return fmt.Sprintf("%d complete\n", f.Empty(n(0), uint32(n(1))))

			default:
				require.Fail(t, "unknown command", "%s: %s", d.Pos, d.Cmd)
			}
			return answer(l, orders)
		})
	})
}

func answer(l *Ledger, orders []Order) string {
	var b strings.Builder
	for _, o := range orders {
		if o.Lend > 0 {
			fmt.Fprintf(&b, "lend %d to %d\n", o.Lend, o.Share)
		}
		if o.Recall > 0 {
			fmt.Fprintf(&b, "recall %d from %d\n", o.Recall, o.Share)
		}
	}
	b.WriteString("held")
	for i := range l.held {
		fmt.Fprintf(&b, " %d", l.Held(i))
		if l.asked[i] > 0 {
			fmt.Fprintf(&b, "-%d", l.asked[i])
		}
	}
	fmt.Fprintf(&b, ", free %d of %d\n", l.free, l.Max())
	return b.String()
}
