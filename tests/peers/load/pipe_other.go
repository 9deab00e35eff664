//go:build !unix

package load

import "time"

// pipeBlock has no pipe to read here.
func pipeBlock(d time.Duration) { time.Sleep(d) }
