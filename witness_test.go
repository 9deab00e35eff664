package cmwq_test

import (
	"slices"
	"strings"
	"sync"

	"github.com/cmwq/cmwq"
)

// witness is an observer that keeps what it is told.
type witness struct {
	mu    sync.Mutex
	all   []cmwq.Event
	names []string // of futures, of starts
	wants cmwq.EventKinds
}

func newWitness(kinds ...cmwq.EventKind) *witness {
	if len(kinds) == 0 {
		return &witness{wants: cmwq.AllEvents}
	}
	return &witness{wants: cmwq.KindsOf(kinds...)}
}

func (w *witness) Kinds() cmwq.EventKinds { return w.wants }

func (w *witness) Observe(e cmwq.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if id, ok := e.FutureID(); ok && e.Kind == cmwq.EventStart {
		w.names = append(w.names, id)
	}
	w.all = append(w.all, e)
}

func (w *witness) events() []cmwq.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.all)
}

// of gives what was told of an item, in the order of telling.
func (w *witness) of(id cmwq.ItemID) (events []cmwq.Event) {
	for _, e := range w.events() {
		if e.Item == id {
			events = append(events, e)
		}
	}
	return events
}

// kinds gives what was told of those that about chooses, in a line.
func (w *witness) kinds(about func(e *cmwq.Event) bool) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var words []string
	for i := range w.all {
		if about(&w.all[i]) {
			words = append(words, w.all[i].Kind.String())
		}
	}
	return strings.Join(words, " ")
}

func (w *witness) story(x *cmwq.Work) string {
	return w.kinds(func(e *cmwq.Event) bool { return e.Item == x.ID() })
}

func ofItems(e *cmwq.Event) bool { return e.Item != 0 }
