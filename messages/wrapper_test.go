package messages_test

import (
	"errors"
	"reflect"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

// twice calls f twice.
//
//go:noinline
func twice(f messages.Func) messages.Func {
	return func(c *messages.Context) error {
		if q := messages.Inquired(c); q != nil {
			q.Calls = f
			return nil
		}
		if err := f(c); err != nil {
			return err
		}
		return f(c)
	}
}

// noted has told called if f will not be.
//
//go:noinline
func noted(f messages.Func, told func(error)) messages.Func {
	return func(c *messages.Context) error {
		if q := messages.Inquired(c); q != nil {
			q.Calls, q.Dropped = f, told
			return nil
		}
		return f(c)
	}
}

var (
	_ = messages.Wrapper(twice(nil))
	_ = messages.Wrapper(noted(nil, nil))
)

// What a wrapper calls is known, without calling it.
func TestCodeBehindWrappers(t *testing.T) {
	n := 0
	f := func(*messages.Context) error { n++; return nil }
	code := reflect.ValueOf(f).Pointer()
	require.Equal(t, code, messages.CodeOf(f))
	require.Equal(t, code, messages.CodeOf(twice(f)))
	require.Equal(t, code, messages.CodeOf(noted(twice(f), nil)))
	require.Equal(t, code, messages.CodeOf(twice(twice(f))))
	require.Contains(t, runtime.FuncForPC(messages.CodeOf(twice(f))).Name(), "TestCodeBehindWrappers")
	require.Zero(t, n)
	require.NoError(t, twice(twice(f))(messages.NewContext(nil)))
	require.Equal(t, 4, n)
	require.Zero(t, messages.CodeOf(nil))
}

// Whom it concerns is told, however deep within others the wrapper is that knows.
func TestWillNotRunReachesWrappersWithin(t *testing.T) {
	called, lost := 0, errors.New("lost")
	f := func(*messages.Context) error { called++; return nil }
	var told []error
	tell := func(err error) { told = append(told, err) }
	for _, g := range []messages.Func{noted(f, tell), twice(noted(f, tell)), noted(twice(f), tell)} {
		told = nil
		messages.WillNotRun(g, lost)
		require.Equal(t, []error{lost}, told)
	}
	told = nil
	messages.WillNotRun(noted(noted(f, tell), tell), lost)
	require.Len(t, told, 2)

	messages.WillNotRun(noted(f, nil), lost) // nobody is concerned
	messages.WillNotRun(twice(f), lost)
	messages.WillNotRun(f, lost)
	messages.WillNotRun(nil, lost)
	require.Len(t, told, 2)
	require.Zero(t, called)
}
