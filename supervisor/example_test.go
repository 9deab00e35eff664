package supervisor_test

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/cmwq/cmwq/supervisor"
)

// decide says what a strategy makes of failures of one item, one after the other.
func decide(s supervisor.Strategy, errs ...error) {
	var m supervisor.Memory
	for i, err := range errs {
		a := s.Decide(supervisor.Failure{Err: err, Attempt: i + 1}, time.Duration(i)*time.Second, &m)
		fmt.Println(i+1, name(a.Do), a.After)
	}
}

func name(do any) string {
	return map[any]string{
		supervisor.DoReport: "report", supervisor.DoRetry: "retry", supervisor.DoIgnore: "ignore",
		supervisor.DoDeadLetter: "dead letter", supervisor.DoDrop: "drop", supervisor.DoEscalate: "escalate", supervisor.DoStopQueue: "stop",
	}[do]
}

var errTemporary = errors.New("temporary")

func ExampleRetry() {
	s := supervisor.Retry(3, supervisor.Exponential(time.Second, 3*time.Second).Exact()).
		Then(supervisor.DeadLetter(100))
	decide(s, errTemporary, errTemporary, errTemporary, errTemporary)
	// Output:
	// 1 retry 1s
	// 2 retry 2s
	// 3 retry 3s
	// 4 dead letter 0s
}

func ExampleWhen() {
	s := supervisor.When(supervisor.Is(io.EOF), supervisor.Ignore()).
		When(func(err error) bool { return errors.Is(err, errTemporary) }, supervisor.Retry(-1, supervisor.Constant(time.Second))).
		Else(supervisor.Drop())
	decide(s, errTemporary, io.EOF, errors.New("another"))
	// Output:
	// 1 retry 1s
	// 2 ignore 0s
	// 3 drop 0s
}

func ExampleAtMost() {
	s := supervisor.AtMost(2, time.Minute, supervisor.Retry(-1, supervisor.Backoff{})).
		Then(supervisor.StopQueue())
	decide(s, errTemporary, errTemporary, errTemporary, errTemporary)
	// Output:
	// 1 retry 0s
	// 2 retry 0s
	// 3 stop 0s
	// 4 retry 0s
}

func ExampleBackoff_Seed() {
	b := supervisor.Exponential(time.Second, time.Minute).Seed(1)
	decide(supervisor.Retry(3, b), errTemporary, errTemporary, errTemporary)
	// Output:
	// 1 retry 598.260949ms
	// 2 retry 178.223556ms
	// 3 retry 2.86142578s
}
