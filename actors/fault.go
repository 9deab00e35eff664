package actors

import (
	"fmt"

	"github.com/cmwq/cmwq/messages"
)

// fault asks the options whether something may be made: "worker", "rescuer",
// "pool" or "queue", and its name.
func (s *System) fault(what, name string) error {
	if f := s.opts.CreateFault; f != nil {
		if err := f(what, name); err != nil {
			return createError(what, name, err)
		}
	}
	return nil
}

func createError(what, name string, why error) error {
	return fmt.Errorf("%w: %s %s: %w", messages.ErrCreate, what, name, why)
}
