package actors

import (
	"runtime"
	"time"
)

// backoff waits for somebody who is between two steps: a moment.
type backoff int

func (b *backoff) pause() {
	if *b++; *b < 100 {
		runtime.Gosched()
		return
	}
	time.Sleep(50 * time.Microsecond)
}
