package threads

import "time"

// Self stands for the calling thread where a thread is asked for.
const Self = 0

// Look is what the operating system says of a thread.
type Look struct {
	Ready  bool          // it has a CPU, or waits for one; otherwise it sleeps
	Waited time.Duration // it was ready all in all, and others had the CPU; a wait that goes on is not counted yet
	Turns  uint64        // how often it got a CPU
}
