package messages

import "reflect"

// dropHost is the Host of a Context with which a function is told that it is dropped.
type dropHost struct {
	Host
	err error
}

// told are the functions that want to know: closures made at these places.
var told = map[uintptr]bool{}

// TellDropped has closures of one place, of which sample is one, told that they are
// dropped. It is for package variables.
func TellDropped(sample Func) uintptr {
	code := reflect.ValueOf(sample).Pointer()
	told[code] = true
	return code
}

// Dropping says to such a closure that it is called because it will not be, and why.
func Dropping(c *Context) error {
	if h, ok := c.host.(*dropHost); ok {
		return h.err
	}
	return nil
}

// WillNotRun tells f, if it wants to know, that it was accepted and will not be called.
func WillNotRun(f Func, err error) {
	if f != nil && told[reflect.ValueOf(f).Pointer()] {
		_ = f(&Context{host: &dropHost{err: err}})
	}
}
