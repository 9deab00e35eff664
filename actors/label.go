package actors

import (
	"context"
	"runtime/pprof"
	"strconv"
	"sync/atomic"
)

// Labels of a worker's goroutine. Goroutines that an item starts inherit them.
const (
	labelSystem = "cmwq"      // number of the system in the process
	labelWorker = "kworker"   // name of the worker
	labelQueue  = "workqueue" // name of the queue, if that is asked for
)

// systems numbers the systems of the process, for labels.
var systems atomic.Uint64

func nextSystem() string { return strconv.FormatUint(systems.Add(1), 10) }

// goroutineLabel marks the goroutine that runs a worker, so that a profile finds it.
// The dispatcher sets it when a goroutine comes to another worker: a lease costs
// nothing.
type goroutineLabel struct {
	worker context.Context // I: with the labels
	queues bool            // I: the queue is a label, too

	by  map[*Queue]*queueLabels     // W: labels of queues that it worked for
	now atomic.Pointer[queueLabels] // A: written by W: what the goroutine has, if queues
}

type queueLabels struct {
	context.Context
	queue *Queue
}

// labelledQueues is how many queues a worker keeps the labels of.
const labelledQueues = 64

func newGoroutineLabel(system, worker string, queues bool) *goroutineLabel {
	return &goroutineLabel{
		worker: pprof.WithLabels(context.Background(), pprof.Labels(labelSystem, system, labelWorker, worker)),
		queues: queues,
	}
}

// label gives the label of a worker's goroutines.
func (s *System) label(worker string) *goroutineLabel {
	return newGoroutineLabel(s.lookout.number, worker, s.opts.ProfileLabels)
}

// set labels the goroutine that it is called on.
func (l *goroutineLabel) set() {
	if l.queues {
		l.now.Store(nil) // it had another goroutine, perhaps
	}
	pprof.SetGoroutineLabels(l.worker)
}

// unlabel takes a goroutine's labels away.
func unlabel() { pprof.SetGoroutineLabels(context.Background()) }

// of labels it with the queue of a lease, too.
func (l *goroutineLabel) of(q *Queue) {
	if c := l.now.Load(); c != nil && c.queue == q {
		return
	}
	ctx := l.by[q]
	if ctx == nil {
		if l.by == nil || len(l.by) == labelledQueues {
			l.by = map[*Queue]*queueLabels{}
		}
		ctx = &queueLabels{pprof.WithLabels(l.worker, pprof.Labels(labelQueue, q.name)), q}
		l.by[q] = ctx
	}
	l.now.Store(ctx)
	pprof.SetGoroutineLabels(ctx)
}

// Label is what pprof finds in an item's context: pprof.Do gives the goroutine back what
// its context has.
func (w *worker) Label(key any) any {
	l := w.box.label
	if l == nil {
		return nil
	}
	if c := l.now.Load(); c != nil {
		return c.Value(key)
	}
	return l.worker.Value(key)
}
