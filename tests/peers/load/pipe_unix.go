//go:build unix

package load

import (
	"syscall"
	"time"
)

// pipeBlock blocks for d in a system call that the runtime does not know to be slow.
func pipeBlock(d time.Duration) {
	var fd [2]int
	if err := syscall.Pipe(fd[:]); err != nil {
		panic(err)
	}
	time.AfterFunc(d, func() { _, _ = syscall.Write(fd[1], []byte{1}) })
	var b [1]byte
	_, _ = syscall.Read(fd[0], b[:])
	_ = syscall.Close(fd[0])
	_ = syscall.Close(fd[1])
}
