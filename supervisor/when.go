package supervisor

import (
	"errors"
	"slices"
	"time"
)

// When asks s about failures whose error match accepts: Is, As, or any function, which
// must not block. Others are reported; see Decider.When and Decider.Else.
func When(match func(error) bool, s Strategy) *Decider {
	return (&Decider{otherwise: Report()}).When(match, s)
}

// Is matches errors as errors.Is does.
func Is(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

// As matches errors as errors.As does: As[*cmwq.PanicError]().
func As[T error]() func(error) bool {
	return func(err error) bool {
		_, ok := errors.AsType[T](err)
		return ok
	}
}

// Decider chooses a strategy by the error. It is immutable.
type Decider struct {
	cases     []choice
	otherwise Strategy
}

type choice struct {
	match func(error) bool
	then  Strategy
}

// When adds a case, which is looked at after those before it.
func (d *Decider) When(match func(error) bool, s Strategy) *Decider {
	cases := append(slices.Clip(d.cases), choice{match, s})
	return &Decider{cases: cases, otherwise: d.otherwise}
}

// Else asks s about all other failures.
func (d *Decider) Else(s Strategy) *Decider { return &Decider{cases: d.cases, otherwise: s} }

// Decide follows messages.Strategy.
func (d *Decider) Decide(f Failure, now time.Duration, m *Memory) Action {
	for _, c := range d.cases {
		if c.match(f.Err) {
			return c.then.Decide(f, now, m)
		}
	}
	return d.otherwise.Decide(f, now, m)
}

// Err says what is wrong with the strategies it chooses from.
func (d *Decider) Err() error {
	errs := []error{Check(d.otherwise)}
	for _, c := range d.cases {
		errs = append(errs, Check(c.then))
		if c.match == nil {
			errs = append(errs, Check(nil))
		}
	}
	return errors.Join(errs...)
}
