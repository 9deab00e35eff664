package torture

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// offices are queues that run actors.
var offices = []options{
	nil, {cmwq.MaxActive(1)}, {cmwq.Bounded(2, cmwq.Refuse)}, {cmwq.Bounded(1, cmwq.DropOldest)},
	{cmwq.Freezable(), cmwq.PerCPU()}, {cmwq.MaxWait(time.Millisecond)},
}

// hand is an actor that runs as items of a queue.
type hand struct {
	w             *world
	q             *cmwq.Queue
	pid           *actor.PID
	sent, handled atomic.Int64
	in            atomic.Int32
}

func (w *world) hire() {
	for i, opts := range offices {
		q, err := w.sys.NewQueue(fmt.Sprint("office ", i), opts...)
		if err != nil {
			w.t.Error(err)
			return
		}
		for j := range 3 {
			h := &hand{w: w, q: q}
			on := cmwq.OnQueue(q)
			if j == 0 {
				on = actor.WithDispatcher(cmwq.Dispatcher(q, cmwq.Throughput(2)))
			}
			h.pid = w.as.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return h }, on, actor.WithGuardian(w.again)))
			w.hands = append(w.hands, h)
		}
	}
}

// job is what it is to do.
type job struct{ do int }

// Receive makes it an actor.
func (h *hand) Receive(c actor.Context) {
	if h.in.Add(1) != 1 {
		h.w.t.Error("an actor runs twice at once")
	}
	defer h.in.Add(-1)
	m, ok := c.Message().(job)
	if !ok {
		return
	}
	h.handled.Add(1)
	ctx, ok := cmwq.FromActor(c)
	switch m.do {
	case 0:
		if ok {
			_ = ctx.Sleep(50 * time.Microsecond)
		}
	case 1:
		time.Sleep(50 * time.Microsecond)
	case 2:
		panic(errTorture)
	case 3:
		runtime.Gosched()
	case 4:
		if ok {
			_, err := cmwq.Request[uint64](ctx, h.w.echo, uint64(1))
			h.w.check("Request", err, append(slices.Clone(endOfWaits), cmwq.ErrStopped)...)
		}
	}
}

// jobs are messages to actors that run as items, and what happens to their queues.
var jobs = []op{
	{"send", 20, func(w *world, r *rand.Rand) {
		h := w.hands[r.IntN(len(w.hands))]
		for range 1 + r.IntN(10) {
			h.sent.Add(1)
			w.as.Root.Send(h.pid, job{r.IntN(40)})
		}
	}},
	{"change an office", 3, func(w *world, r *rand.Rand) {
		ctx, cancel := hurry(r)
		defer cancel()
		q := w.hands[r.IntN(len(w.hands))].q
		switch r.IntN(5) {
		case 0:
			w.check("SetAttrs", q.SetAttrs(ctx, w.attrs(r)...), cmwq.ErrPerCPU, cmwq.ErrCreate)
		case 1:
			w.check("SetMaxActive", q.SetMaxActive(1+r.IntN(5)))
		case 2:
			w.check("Drain", q.Drain(ctx))
		case 3:
			w.check("Flush", q.Flush(ctx))
		default:
			if r.IntN(30) == 0 {
				w.check("Destroy", q.Destroy(ctx))
			}
		}
	}},
}

// retire ends them: no message was lost, whatever became of their queues.
func (w *world) retire() {
	for _, h := range w.hands {
		require.NoError(w.t, w.as.Root.PoisonFuture(h.pid).Wait())
		assert.Equal(w.t, h.sent.Load(), h.handled.Load(), "messages to an actor on %s", h.q.Name())
	}
}
