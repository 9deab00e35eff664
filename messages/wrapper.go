package messages

import (
	"context"
	"reflect"
	"time"
)

// A wrapper is a closure that an item calls in place of its user's function. The
// function is all that an item has anew with each queueing, so what belongs to one
// queueing travels as a closure around it: a view's values, the actor that a result is
// sent to. Others must be able to look inside: dumps name the user's function, and
// who drops an item tells whom it concerns. A closure cannot be looked into, so it is
// asked: by a call with an Inquiry for a Host. Which closures understand that is known by
// their code. The way round it, a field for a second object, would cost every item.

// Inquiry is what a wrapper is asked. It answers by setting the fields, and returns.
type Inquiry struct {
	Host
	Calls   Func        // what it calls for its user
	Dropped func(error) // is told that it will not be called; nil if nobody needs to know

	Values context.Context // what travels with it; nil: nothing

	Came time.Duration // not 0: the item is queued anew, and comes to its queue then
	Anew Func          // what it calls in that case; nil for the same wrapper
}

// Inquired gives the Inquiry for which the closure was called, nil if it is to do its
// work. Every wrapper begins with it.
func Inquired(c *Context) *Inquiry {
	q, _ := c.host.(*Inquiry)
	return q
}

// wrappers are the closures that may be asked, by their code.
var wrappers = map[uintptr]bool{}

// Wrapper makes a kind of wrapper known by one of them, and gives their code. They are
// made in one place, which the compiler must not inline; Wrapper is called by a variable
// of its package, before any item is queued.
func Wrapper(sample Func) uintptr {
	code := reflect.ValueOf(sample).Pointer()
	wrappers[code] = true
	return code
}

// inquire asks f, if it is a wrapper; code is that of f.
func inquire(f Func) (q *Inquiry, code uintptr) {
	code = reflect.ValueOf(f).Pointer()
	if !wrappers[code] {
		return nil, code
	}
	q = new(Inquiry)
	_ = f(&Context{host: q})
	return q, code
}

// CodeOf is the code of the function that f calls for its user: f's own, if it is no
// wrapper.
func CodeOf(f Func) uintptr {
	q, code := inquire(f)
	for q != nil {
		q, code = inquire(q.Calls)
	}
	return code
}

// Anew gives what an item calls that called f, and is queued once more: it comes to its
// queue at an instant, which is not 0.
func Anew(f Func, came time.Duration) Func {
	if !wrappers[reflect.ValueOf(f).Pointer()] {
		return f
	}
	q := &Inquiry{Came: came}
	if _ = f(&Context{host: q}); q.Anew != nil {
		return q.Anew
	}
	return f
}

// WillNotRun tells whom it concerns that f was accepted and will not be called, and why.
func WillNotRun(f Func, err error) {
	for q, _ := inquire(f); q != nil; q, _ = inquire(q.Calls) {
		if q.Dropped != nil {
			q.Dropped(err)
		}
	}
}
