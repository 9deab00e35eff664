package linearizability

import (
	"fmt"

	"github.com/anishathalye/porcupine"

	"github.com/cmwq/cmwq"
)

// kind of a step.
type kind uint8

const (
	accept   kind = iota // Queue or QueueAfter returned nil
	pending              // it returned ErrPending
	disabled             // it returned ErrDisabled
	replace              // Modify took the pending instance, and holds another
	drop                 // that it cannot queue: the item is disabled
	cancel               // Cancel returned yes
	raise                // Disable and CancelWait: the depth goes up,
	take                 // the pending instance is taken off, if there is one,
	settled              // and nothing runs;
	lower                // CancelWait: the depth goes down again
	enable               // Enable returned left, and no error
	look                 // Flush sees what to wait for,
	flushed              // and that has ended
	begin                // an execution
	end                  // ends
	busy                 // Busy returned what it did
)

var names = [...]string{"accept", "pending", "disabled", "replace", "drop", "cancel", "raise", "take", "settled", "lower", "enable",
	"look", "flushed", "begin", "end", "busy"}

// step is something that happened to the item at one moment.
type step struct {
	kind kind
	op   int // the operation that it belongs to, where there are several
	yes  bool
	left int
	busy cmwq.Busy
}

func (s step) String() string {
	return fmt.Sprintf("%s op=%d yes=%v left=%d busy=%v", names[s.kind], s.op, s.yes, s.left, s.busy)
}

const maxOps = 48

// state is all that a sequential item is. Instances are numbered as they are
// accepted; one is over when it has ended or was cancelled.
type state struct {
	pending, running bool
	depth            int
	last             uint8         // instance accepted last; pending, if any is
	runs             uint8         // instance that runs
	raised, taken    uint64        // operations that got so far
	waits            [maxOps]uint8 // instance that a flush waits for
}

func (s *state) over(n uint8) bool {
	return (!s.pending || n != s.last) && (!s.running || n != s.runs)
}

// next says whether a step is possible, and does it.
func (s *state) next(st step) bool {
	bit := uint64(1) << st.op
	switch st.kind {
	case accept:
		ok := !s.pending && s.depth == 0
		s.pending = true
		s.last++
		return ok
	case pending:
		return s.pending
	case disabled:
		return !s.pending && s.depth > 0
	case replace:
		s.last++
		s.raised |= bit
		return s.pending
	case drop:
		ok := s.pending && s.depth > 0 && s.raised&bit != 0
		s.pending = false
		return ok
	case cancel:
		ok := s.pending == st.yes
		s.pending = false
		return ok
	case raise:
		s.depth++
		s.raised |= bit
		return true
	case take:
		ok := s.pending && s.raised&bit != 0
		s.pending = false
		s.taken |= bit
		return ok
	case settled:
		ok := !s.pending && !s.running && s.raised&bit != 0 && (s.taken&bit != 0) == st.yes
		s.taken |= bit // nothing of it is left but to lower
		return ok
	case lower:
		ok := s.taken&bit != 0 && s.raised&bit != 0
		s.raised &^= bit
		s.depth--
		return ok
	case enable:
		s.depth--
		return s.depth >= 0 && s.depth == st.left
	case look:
		switch {
		case s.pending:
			s.waits[st.op] = s.last
		case s.running:
			s.waits[st.op] = s.runs
		}
		s.raised |= bit
		return true
	case flushed:
		n := s.waits[st.op]
		s.waits[st.op] = 0
		return s.raised&bit != 0 && (n == 0 || s.over(n))
	case begin:
		ok := s.pending && !s.running
		s.pending, s.running, s.runs = false, true, s.last
		return ok
	case end:
		ok := s.running
		s.running = false
		return ok
	case busy:
		return st.busy == cmwq.Busy{Pending: s.pending, Running: s.running, Disabled: s.depth > 0}
	}
	panic("no such step")
}

var model = porcupine.Model{
	Init: func() any { return state{} },
	Step: func(from, input, _ any) (bool, any) {
		s := from.(state)
		ok := s.next(input.(step))
		return ok, s
	},
	DescribeOperation: func(input, _ any) string { return input.(step).String() },
}
