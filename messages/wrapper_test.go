package messages_test

import (
	"reflect"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

//go:noinline
func twice(f messages.Func) messages.Func {
	return func(c *messages.Context) error {
		if messages.Asked(c, f) {
			return nil
		}
		if err := f(c); err != nil {
			return err
		}
		return f(c)
	}
}

var _ = messages.Wrapper(twice(nil))

// What a wrapper calls is known, without calling it.
func TestCodeBehindWrappers(t *testing.T) {
	n := 0
	f := func(*messages.Context) error { n++; return nil }
	code := reflect.ValueOf(f).Pointer()
	require.Equal(t, code, messages.CodeOf(f))
	require.Equal(t, code, messages.CodeOf(twice(f)))
	require.Equal(t, code, messages.CodeOf(twice(twice(f))))
	require.Contains(t, runtime.FuncForPC(messages.CodeOf(twice(f))).Name(), "TestCodeBehindWrappers")
	require.Zero(t, n)
	require.NoError(t, twice(twice(f))(messages.NewContext(nil)))
	require.Equal(t, 4, n)
	require.Zero(t, messages.CodeOf(nil))
}
