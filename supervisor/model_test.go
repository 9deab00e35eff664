package supervisor_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cmwq/cmwq/messages"
	"github.com/cmwq/cmwq/supervisor"
)

var errA, errB = errors.New("a"), errors.New("b")

// model is a strategy and what it should say, told the slow way: with every failure
// there ever was.
type model struct {
	strategy supervisor.Strategy
	says     func(f supervisor.Failure, now time.Duration) supervisor.Action
}

func leaf(t *rapid.T) model {
	a := []supervisor.Action{
		{Do: supervisor.DoReport}, {Do: supervisor.DoIgnore}, {Do: supervisor.DoDrop}, {Do: supervisor.DoStopQueue},
		{Do: supervisor.DoEscalate}, {Do: supervisor.DoDeadLetter, Limit: 7},
	}
	s := []supervisor.Strategy{
		supervisor.Report(), supervisor.Ignore(), supervisor.Drop(), supervisor.StopQueue(), supervisor.Escalate(), supervisor.DeadLetter(7),
	}
	i := rapid.IntRange(0, len(a)-1).Draw(t, "leaf")
	return model{s[i], func(supervisor.Failure, time.Duration) supervisor.Action { return a[i] }}
}

func anyModel(t *rapid.T, deep int) model {
	if deep == 0 {
		return leaf(t)
	}
	one, other := anyModel(t, deep-1), anyModel(t, deep-1)
	switch rapid.IntRange(0, 3).Draw(t, "what") {
	case 0:
		return leaf(t)
	case 1:
		most := rapid.IntRange(-1, 4).Draw(t, "max")
		base := time.Duration(rapid.IntRange(0, 5).Draw(t, "base"))
		return model{
			supervisor.Retry(most, supervisor.Exponential(base, 50*base).Exact()).Then(one.strategy),
			func(f supervisor.Failure, now time.Duration) supervisor.Action {
				var after *messages.RetryAfterError
				var never *messages.PermanentError
				switch {
				case errors.As(f.Err, &never) || errors.Is(f.Err, messages.ErrCancelled) || f.Final || most >= 0 && f.Attempt > most:
					return one.says(f, now)
				case errors.As(f.Err, &after):
					return supervisor.Action{Do: supervisor.DoRetry, After: after.After}
				}
				d := base
				for range f.Attempt - 1 {
					d = min(2*d, 50*base)
				}
				return supervisor.Action{Do: supervisor.DoRetry, After: d}
			},
		}
	case 2:
		return model{
			supervisor.When(supervisor.Is(errA), one.strategy).When(supervisor.Is(errA), other.strategy).Else(other.strategy),
			func(f supervisor.Failure, now time.Duration) supervisor.Action {
				if errors.Is(f.Err, errA) {
					return one.says(f, now)
				}
				return other.says(f, now)
			},
		}
	default:
		n := rapid.IntRange(0, 4).Draw(t, "n")
		period := time.Duration(rapid.IntRange(1, 20).Draw(t, "period"))
		var all []time.Duration
		return model{
			supervisor.AtMost(n, period, one.strategy).Then(other.strategy),
			func(f supervisor.Failure, now time.Duration) supervisor.Action {
				all = append(all, now)
				within := slices.DeleteFunc(slices.Clone(all), func(at time.Duration) bool { return now-at >= period })
				if len(within) > n {
					all = nil
					return other.says(f, now)
				}
				return one.says(f, now)
			},
		}
	}
}

func TestStrategiesAgreeWithTheModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := anyModel(t, 3)
		require.NoError(t, supervisor.Check(m.strategy))
		var memory supervisor.Memory
		now := time.Duration(0)
		for range rapid.IntRange(1, 60).Draw(t, "failures") {
			now += time.Duration(rapid.IntRange(0, 8).Draw(t, "later"))
			err := rapid.SampledFrom([]error{
				errA, errB, messages.ErrCancelled, &messages.PermanentError{Err: errA}, &messages.RetryAfterError{After: 3, Err: errB},
				fmt.Errorf("wrapped: %w", &messages.RetryAfterError{After: 0, Err: errA}),
			}).Draw(t, "error")
			f := supervisor.Failure{Err: err, Attempt: rapid.IntRange(1, 70).Draw(t, "attempt"), Final: rapid.IntRange(0, 4).Draw(t, "final") == 0}
			require.Equal(t, m.says(f, now), m.strategy.Decide(f, now, &memory))
		}
	})
}
