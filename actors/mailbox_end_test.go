package actors

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

func TestASealedMailboxRefuses(t *testing.T) {
	o := newOwner()
	o.box.status.Store(busy)
	all := items(3)
	for _, it := range all {
		o.box.queue(it)
	}
	var got []*messages.Item
	for it := o.box.seal(); it != nil; it = it.Next {
		got = append(got, it)
	}
	require.Equal(t, all, got)
	require.False(t, o.box.queue(items(1)[0]))
	ran, ok := o.box.post(&messages.NewControl(0).Item)
	require.False(t, ran)
	require.False(t, ok)
	require.Nil(t, o.box.seal(), "a second seal gives nothing back")
	require.Nil(t, o.box.take())
}

// Sealing beside pushers: each item is refused, or given back, or was read by a
// turn; none twice, none lost (protoactor loses what its own mailboxes hold).
func TestSealGivesBackEveryItemOnce(t *testing.T) {
	const pushers, each = 4, 200
	for range 50 {
		o := newOwner()
		o.box.status.Store(busy)
		all := items(pushers * each)
		var refused atomic.Int64
		var wg sync.WaitGroup
		begin := make(chan struct{})
		for p := range pushers {
			wg.Go(func() {
				<-begin
				for _, it := range all[p*each : (p+1)*each] {
					if !o.box.queue(it) {
						refused.Add(1)
						it.Epoch++
					}
				}
			})
		}
		close(begin)
		for range 4 {
			for it := o.box.take(); it != nil; it = it.Next {
				it.Epoch++
			}
			runtime.Gosched()
		}
		for it := o.box.seal(); it != nil; it = it.Next {
			it.Epoch++
		}
		wg.Wait()
		for i, it := range all {
			require.EqualValues(t, 1, it.Epoch, "item %d, %d refused", i, refused.Load())
		}
	}
}

// Warning 3: the node's next is read before its owner may push it again. Two
// nodes are posted again and again the moment they are unlisted; the list never
// becomes a ring, and none is lost.
func TestANodePostedAgainAtOnceMakesNoRing(t *testing.T) {
	const rounds = 5000
	var m mailbox
	m.rest = func() int32 { return idle }
	disp := newDispatcher(4)
	defer func() { require.NoError(t, disp.close(t.Context())) }()
	o := &reposts{}
	m.RegisterHandlers(o, disp)
	var wg sync.WaitGroup
	for range 2 {
		c := messages.NewControl(nil)
		c.Ext.Msg = c
		seen := &atomic.Int64{}
		o.count.Store(c, seen)
		wg.Go(func() {
			for i := int64(1); i <= rounds; i++ {
				m.postOnce(c)
				for seen.Load() < i { // it was read, and is unlisted: at once again
					runtime.Gosched()
				}
			}
		})
	}
	wg.Wait()
}

// reposts reads as a pool does: next first, then the bit.
type reposts struct {
	count sync.Map // of each node: how often it was read
}

func (o *reposts) InvokeSystemMessage(any)  {}
func (o *reposts) EscalateFailure(_, _ any) {}

func (o *reposts) InvokeUserMessage(msg any) {
	for it := msg.(*batch).first; it != nil; {
		next := it.Next
		it.Next, it.Prev = nil, nil
		c := it.Msg().(*messages.Control)
		n, _ := o.count.Load(c)
		c.Queued.Store(false)
		n.(*atomic.Int64).Add(1)
		it = next
	}
}

func TestSystemMessagesComeFirstAndInOrder(t *testing.T) {
	for _, state := range []int32{idle, quiet, wake} {
		o := newOwner()
		o.state = state
		o.box.status.Store(busy)
		o.box.queue(items(1)[0])
		for i := range 3 {
			o.box.PostSystemMessage(i)
		}
		o.box.turn(inlineTurns)
		require.Equal(t, []any{0, 1, 2}, o.system)
		o.box.PostSystemMessage(3)
		require.Len(t, o.system, 4, "one that comes at rest runs a turn")
	}
}

func TestAResumedMailboxReadsWhatItKept(t *testing.T) {
	o := newOwner()
	o.box.status.Store(busy)
	all := items(3)
	for _, it := range all {
		o.box.queue(it)
	}
	o.box.PostSystemMessage(&actor.SuspendMailbox{})
	o.box.run()
	require.Zero(t, o.turns, "a suspended actor gets nothing")
	o.box.PostSystemMessage(&actor.ResumeMailbox{})
	o.box.turn(inlineTurns)
	require.Equal(t, all, o.got)
}
