// Package threads does to operating system threads what the kernel does to its
// workers: binds them to CPUs, changes their priority, and reads their clocks. It is
// system calls and nothing else; what they are for is decided elsewhere.
//
// A thread that was bound or niced must never run anybody else's goroutine: who uses it
// has called runtime.LockOSThread, and lets the thread end with its goroutine.
package threads
