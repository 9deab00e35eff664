package messages

import "reflect"

// wrappers are the functions that call another one for their user, by their code.
var wrappers = map[uintptr]bool{}

// Wrapper makes a kind of closure known that calls another function, by one of them:
// dumps and reports then name that function. Such a closure begins with Asked. It is
// made in one place, which the compiler must not inline; Wrapper is called by a
// variable of its package, before any item is queued.
func Wrapper(sample Func) uintptr {
	code := reflect.ValueOf(sample).Pointer()
	wrappers[code] = true
	return code
}

// asker is the Host of a Context that asks a wrapper what it calls.
type asker struct {
	Host
	f Func
}

// Asked says that the closure was called to say what it calls, which is f: then it
// returns.
func Asked(c *Context, f Func) bool {
	a, ok := c.host.(*asker)
	if ok {
		a.f = f
	}
	return ok
}

// CodeOf is the code of the function that f calls for its user: f's own, if it is no
// wrapper.
func CodeOf(f Func) uintptr {
	code := reflect.ValueOf(f).Pointer()
	for wrappers[code] {
		a := &asker{}
		_ = f(&Context{host: a})
		f = a.f
		code = reflect.ValueOf(f).Pointer()
	}
	return code
}
