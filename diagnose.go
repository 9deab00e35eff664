package cmwq

import (
	"context"

	"github.com/cmwq/cmwq/messages"
)

type (
	// Diagnosis says of every item in flight where it is.
	Diagnosis = messages.Diagnosis
	// Diagnosed is an item of a Diagnosis.
	Diagnosed = messages.Diagnosed
	// Where says whether an item runs or what it is blocked in, and at which line.
	Where = messages.Where
	// Frame is one call of a stack, in a Where.
	Frame = messages.Frame
)

// Diagnose says of every item in flight whether it runs or what it is blocked in (chan
// receive, select, sync.Mutex.Lock, IO wait, sleep, syscall...), and at which line of the
// user's code: not of the standard library's or this one's.
//
// That takes a goroutine profile of the process: some 5 µs for each of its goroutines, and
// the world is stopped twice, for about 20 µs. So that profiles take 1 % of one CPU at most,
// whoever wants them, the next one is taken when a hundred times as long has passed.
// Until then items are told to be where the last one saw them, which Looked dates, and
// those that began later have no Where. It may be asked as often as one likes, also at once
// by several; it needs no pool's CPU, so that it works while all hang.
//
// The error is the context's, or ErrStopped when the system is gone.
func (s *System) Diagnose(ctx context.Context) (*Diagnosis, error) { return s.sys.Diagnose(ctx) }
