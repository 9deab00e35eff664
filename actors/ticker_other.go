//go:build !linux

package actors

// DefaultSource gives the best source of the operating system.
func DefaultSource() Source { return timerSource{} }
