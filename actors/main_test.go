package actors

import (
	"testing"

	"go.uber.org/goleak"

	_ "github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/messages"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// dispatches is a dispatcher that runs nothing by itself.
type dispatches struct{ fns []func() }

func (d *dispatches) Schedule(fn func()) { d.fns = append(d.fns, fn) }
func (d *dispatches) Throughput() int    { return 1 }

// run runs what was scheduled, and what that schedules.
func (d *dispatches) run() (n int) {
	for len(d.fns) > 0 {
		fn := d.fns[0]
		d.fns = d.fns[1:]
		fn()
		n++
	}
	return n
}

// owner stands for the actor behind a mailbox: it keeps what each turn brought.
type owner struct {
	box    mailbox
	disp   dispatches
	state  int32 // to rest in
	turns  int
	got    []*messages.Item
	system []any
	during func() // called in each turn, after the batch was read
}

func newOwner() *owner {
	o := &owner{}
	o.box.rest = func() int32 { return o.state }
	o.box.RegisterHandlers(o, &o.disp)
	return o
}

func (o *owner) InvokeSystemMessage(msg any)  { o.system = append(o.system, msg) }
func (o *owner) EscalateFailure(_ any, _ any) {}

func (o *owner) InvokeUserMessage(msg any) {
	o.turns++
	for it := msg.(*batch).first; it != nil; it = it.Next {
		o.got = append(o.got, it)
	}
	if o.during != nil {
		o.during()
	}
}

// items gives n of them, numbered by When.
func items(n int) []*messages.Item {
	s := make([]*messages.Item, n)
	for i := range s {
		s[i] = &messages.Item{When: int64(i)}
	}
	return s
}
