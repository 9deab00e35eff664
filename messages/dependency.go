package messages

import (
	"errors"
	"fmt"
)

// Errors of work that is queued after other work.
var (
	ErrDependency = errors.New("cmwq: work that this was to be queued after did not end well")
	ErrCycle      = errors.New("cmwq: work cannot be queued after itself")
)

// DependencyError is why an item did not run: Err is what became of another that it
// was to be queued after.
type DependencyError struct{ Err error }

func (e *DependencyError) Error() string { return fmt.Sprintf("%v: %v", ErrDependency, e.Err) }

// Unwrap gives the reason.
func (e *DependencyError) Unwrap() error { return e.Err }

// Is makes it an ErrDependency.
func (e *DependencyError) Is(target error) bool { return target == ErrDependency }
