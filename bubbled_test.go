package cmwq_test

import (
	"bytes"
	"runtime"
)

// bubbled is how many goroutines there are in bubbles. NumGoroutine counts one of the
// garbage collector's, too, while it runs what the program left it to.
func bubbled() int {
	b := make([]byte, 1<<20)
	return bytes.Count(b[:runtime.Stack(b, true)], []byte("synctest bubble "))
}
