package actors

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq/messages"
)

// Queues share options only if they are the same in everything.
func TestOptionsThatDifferAreNotShared(t *testing.T) {
	some := func() QueueOptions {
		d := time.Second
		o := QueueOptions{MaxActive: 3, Shutdown: &d}
		o.Attrs.CPUs = cpuset.New(1, 2)
		return o
	}
	var w wishes
	first := w.shared(some())
	require.Same(t, first, w.shared(some()))
	for i := range reflect.TypeFor[QueueOptions]().NumField() {
		o := some()
		f := reflect.ValueOf(&o).Elem().Field(i)
		switch name := reflect.TypeFor[QueueOptions]().Field(i).Name; name {
		case "Strategy":
			continue // no part of it
		case "Attrs":
			o.Attrs.CPUs = cpuset.New(1, 3)
		case "Limits":
			o.Limits.Run = 1
		case "Shutdown":
			d := time.Minute
			o.Shutdown = &d
		default:
			switch {
			case f.CanInt():
				f.SetInt(f.Int() + 1)
			case f.CanUint():
				f.SetUint(f.Uint() + 1)
			case f.CanFloat():
				f.SetFloat(1)
			default:
				f.SetBool(!f.Bool())
			}
		}
		got := w.shared(o)
		require.NotSame(t, first, got)
		require.Equal(t, o, *got)
	}
	for n := range 3 * mostWishes {
		w.shared(QueueOptions{MaxActive: n})
		require.LessOrEqual(t, len(w.known), mostWishes)
	}
}

// reports is a strategy that has a state.
type reports struct{ asked int }

func (s *reports) Decide(messages.Failure, time.Duration, *messages.Memory) messages.Action {
	s.asked++
	return messages.Action{Do: messages.Report}
}

// What a queue was made with is told of as it was, though queues share what they can.
func TestOptionsAreThoseAskedFor(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		one, other := &reports{}, &reports{}
		a := newTestQueue(t, sys, "a", QueueOptions{MaxActive: 5, Strategy: one})
		b := newTestQueue(t, sys, "b", QueueOptions{MaxActive: 5, Strategy: other})
		c := newTestQueue(t, sys, "c", QueueOptions{MaxActive: 5})
		require.Same(t, a.opts, c.opts)
		require.Equal(t, 5, b.Options().MaxActive)
		require.Same(t, one, a.Options().Strategy)
		require.Same(t, other, b.Options().Strategy)
		require.Nil(t, c.Options().Strategy)
	})
}
