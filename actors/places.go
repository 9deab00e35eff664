package actors

import (
	"errors"
	"sync/atomic"

	"github.com/cmwq/cmwq/messages"
)

// A place is where a pending item can be: a pool or a delayer. An item's state
// names it by number, for the whole process, so that cancel and flush know whom
// to ask without any lock.
type place interface {
	mail() *mailbox
}

var errPlaces = errors.New("cmwq: too many pools in this process")

// places maps numbers to places. It is read on cancel and flush, and copied on
// write when a pool comes or goes. Number 0 is none.
var places registry

type registry struct{ table atomic.Pointer[[]place] }

func (r *registry) get(n messages.Place) place {
	t := r.table.Load()
	if t == nil || int(n) >= len(*t) {
		return nil
	}
	return (*t)[n]
}

// add gives p a number. Numbers of removed places are given out again.
func (r *registry) add(p place) (messages.Place, error) {
	for {
		old := r.table.Load()
		t := []place{nil}
		if old != nil {
			t = append(t[:0], *old...)
		}
		n := 1
		for n < len(t) && t[n] != nil && t[n] != freed {
			n++
		}
		if n == messages.MaxPlaces {
			return 0, errPlaces
		}
		if n == len(t) {
			t = append(t, nil)
		}
		t[n] = p
		if r.table.CompareAndSwap(old, &t) {
			return messages.Place(n), nil
		}
	}
}

// freed stands where a pool was that ended while its system goes on: an item
// that still names it is on its way elsewhere.
var freed place = freedPlace{}

type freedPlace struct{}

func (freedPlace) mail() *mailbox { return nil }

func (r *registry) free(n messages.Place) { r.put(n, freed) }

func (r *registry) remove(n messages.Place) { r.put(n, nil) }

func (r *registry) put(n messages.Place, p place) {
	for {
		old := r.table.Load()
		if old == nil || int(n) >= len(*old) || n == 0 {
			return
		}
		t := append([]place(nil), *old...)
		t[n] = p
		if r.table.CompareAndSwap(old, &t) {
			return
		}
	}
}
