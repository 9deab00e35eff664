package torture

import (
	"errors"
	"math/rand/v2"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"github.com/cmwq/cmwq"
)

// pipes are operations whose results an actor is told.
var pipes = []op{{"Piped", 10, func(w *world, r *rand.Rand) {
	q := w.place(r).now.Load()
	p := cmwq.Piped(q, w.ear)
	if r.IntN(4) == 0 {
		it := w.items[len(w.items)-1-r.IntN(numFree)]
		w.accept(&it.account, "Pipe.Queue", p.Queue(it.Work))
		return
	}
	x, do := &toll{m: w.meter(q)}, w.body(r)
	id, err := p.GoID(func(ctx *cmwq.Context) error {
		x.call(ctx)
		return do(ctx)
	})
	w.accept(&x.account, "Pipe.Go", err)
	x.id = id
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tolls = append(w.tolls, x)
}}}

// toll is a function of which an actor is told.
type toll struct {
	account
	m  *meter
	id uuid.UUID
}

// pipe has the ear be told of a result.
func (w *world) pipe(f *result) {
	w.promised.Store(f.ID(), f)
	f.piped++
	cmwq.PipeTo(w.as.Root, f.Future, w.ear)
}

// listen is the ear's Receive.
func (w *world) listen(c actor.Context) {
	switch m := c.Message().(type) {
	case *cmwq.Result[uint64]:
		x, ok := w.promised.Load(m.ID)
		if !ok {
			w.t.Errorf("told of a result that nobody has: %+v", m)
			return
		}
		f := x.(*result)
		f.told.Add(1)
		if got, err := f.Wait(bg); got != m.Value || !errors.Is(err, m.Err) {
			w.t.Errorf("told %d, %v; it is %d, %v", m.Value, m.Err, got, err)
		}
	case *cmwq.Done:
		w.heard[m.ID] = append(w.heard[m.ID], m)
	case uint64:
		c.Respond(m)
	}
}

// hear waits until the ear has heard everything.
func (w *world) hear() {
	if n, ok := asked[uint64](w, w.ear, uint64(1)); !ok || n != 1 {
		w.t.Error("the ear is gone")
	}
}

// toldAll checks that it heard of each execution once, and of each that was dropped.
func (w *world) toldAll() (missing int64) {
	for _, x := range w.tolls {
		n, least := int64(len(w.heard[x.id])), x.calls.Load()
		if x.accepted.Load() > 0 {
			least = max(1, least)
		}
		if n < least || n > least && !x.m.kind.fails {
			w.t.Errorf("told %d times of %d executions of %s: %v", n, x.calls.Load(), x.m.name, w.heard[x.id])
		}
		missing += x.missing()
	}
	return missing
}
