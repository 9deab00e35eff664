package messages

// What else a queue may be asked for by message; see Queue.
type (
	// DeadLetters asks for those that the queue has kept; *DeadLettersListed answers.
	DeadLetters struct{}
	// DeadLettersListed answers a DeadLetters, the oldest first.
	DeadLettersListed struct {
		Letters []DeadLetter
		Err     error
	}
	// Requeue queues dead letters anew, all of them if it names none; *Requeued answers.
	Requeue struct{ IDs []uint64 }
	// Requeued says how many were; those that were refused stay dead letters.
	Requeued struct {
		N   int
		Err error
	}
	// Discard forgets dead letters, all of them if it names none; *Discarded answers.
	Discard struct{ IDs []uint64 }
	// Discarded says how many there were.
	Discarded struct {
		N   int
		Err error
	}

	// SetRate changes how often items start; *RateSet answers.
	SetRate struct {
		PerSecond float64
		Burst     int
	}
	// RateSet answers a SetRate.
	RateSet struct{ Err error }
	// SetMinActive changes what each memory node may at least use; *MinActiveSet
	// answers.
	SetMinActive struct{ N int }
	// MinActiveSet answers a SetMinActive.
	MinActiveSet struct{ Err error }
	// Pause stops the queue; *Paused answers when nothing of it is active. What is sent
	// after it starts after Resume.
	Pause struct{}
	// Paused answers a Pause.
	Paused struct{ Err error }
	// Resume lets the queue go on; *Resumed answers.
	Resume struct{}
	// Resumed answers a Resume.
	Resumed struct{ Err error }
	// Fix gives the queue N fixed workers, each with a mailbox of Depth; with N 0 it has
	// none any more. *Fixed answers.
	Fix struct{ N, Depth int }
	// Fixed answers a Fix.
	Fixed struct{ Err error }
)

// Answer gives a *DeadLettersListed.
func (m *DeadLetters) Answer(err error) any { return &DeadLettersListed{nil, err} }

// Answer gives a *Requeued.
func (m *Requeue) Answer(err error) any { return &Requeued{0, err} }

// Answer gives a *Discarded.
func (m *Discard) Answer(err error) any { return &Discarded{0, err} }

// Answer gives a *RateSet.
func (m *SetRate) Answer(err error) any { return &RateSet{err} }

// Answer gives a *MinActiveSet.
func (m *SetMinActive) Answer(err error) any { return &MinActiveSet{err} }

// Answer gives a *Paused.
func (m *Pause) Answer(err error) any { return &Paused{err} }

// Answer gives a *Resumed.
func (m *Resume) Answer(err error) any { return &Resumed{err} }

// Answer gives a *Fixed.
func (m *Fix) Answer(err error) any { return &Fixed{err} }
