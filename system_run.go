package cmwq

import (
	"context"
	"errors"
	"fmt"
)

// CPUError says on which logical CPU a function of OnEachCPU failed.
type CPUError struct {
	CPU int
	Err error
}

func (e *CPUError) Error() string { return fmt.Sprintf("cmwq: on CPU %d: %v", e.CPU, e.Err) }

// Unwrap gives the error of the function.
func (e *CPUError) Unwrap() error { return e.Err }

// SubmitOn is Submit for the pool of a logical CPU. ErrCPU if there is no such CPU.
func SubmitOn[T any](q *Queue, cpu int, f func(*Context) (T, error)) *Future[T] {
	return submit(f, func(w *Work) error { return q.QueueOn(cpu, w) })
}

// RunOn calls f as an item of the Default queue on a logical CPU, waits for it, and
// returns what it returned: its error, *PanicError, ErrGoexit; ErrCPU if there is
// no such CPU. When ctx ends first it returns context.Cause(ctx), and f is
// cancelled if it has not started. With a result: SubmitOn(sys.Default(), cpu, f).
//
// It waits behind what runs on that CPU; an item that holds the CPU must not wait
// for the caller. (kernel: work_on_cpu)
func (s *System) RunOn(ctx context.Context, cpu int, f func(*Context) error) error {
	return runOn(s.Default(), cpu, f).wait(ctx)
}

// OnEachCPU calls f on every logical CPU, as items of the Default queue, and waits
// for all of them. What they return is joined, each as a *CPUError. When ctx ends
// first, calls that have not started are cancelled, and context.Cause(ctx) is the
// error of each that was not waited for. A topology may have many CPUs: it costs
// an item for each. (kernel: schedule_on_each_cpu)
func (s *System) OnEachCPU(ctx context.Context, f func(*Context) error) error {
	q, cpus := s.Default(), s.Topology().CPUs().List()
	runs := make([]cpuRun, len(cpus))
	for i, cpu := range cpus {
		runs[i] = runOn(q, cpu, f)
	}
	var errs []error
	for i, cpu := range cpus {
		if err := runs[i].wait(ctx); err != nil {
			errs = append(errs, &CPUError{CPU: cpu, Err: err})
		}
	}
	return errors.Join(errs...)
}

// cpuRun is a call on a CPU.
type cpuRun struct{ *Future[struct{}] }

func runOn(q *Queue, cpu int, f func(*Context) error) cpuRun {
	if f == nil {
		return cpuRun{SubmitOn[struct{}](q, cpu, nil)}
	}
	return cpuRun{SubmitOn(q, cpu, func(ctx *Context) (struct{}, error) { return struct{}{}, f(ctx) })}
}

// wait waits for the call; if ctx ends first it will not start any more.
func (r cpuRun) wait(ctx context.Context) error {
	_, err := r.Wait(ctx)
	if ctx.Err() != nil {
		r.Cancel()
	}
	return err
}
