package messages_test

import (
	"reflect"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

// An item is a cache line: the hot path pays for each line it touches.
func TestItemIsACacheLine(t *testing.T) {
	if strconv.IntSize != 64 {
		t.Skip("pointers are shorter here")
	}
	require.EqualValues(t, 64, reflect.TypeFor[messages.Item]().Size())
}

// What hangs on an item is found by type, and is nothing for most.
func TestWhatHangsOnAnItem(t *testing.T) {
	var it messages.Item
	require.Nil(t, it.Msg())
	require.Nil(t, it.Tries())
	require.False(t, it.Extended())

	it.Tried(nil)
	require.False(t, it.Extended(), "there was nothing to take off")

	tries := new(messages.Tries)
	it.Tried(tries)
	require.Same(t, tries, it.Tries())
	require.Nil(t, it.Msg())
	it.Tried(nil)
	require.Nil(t, it.Tries())
	require.True(t, it.Extended(), "it stays: a dump may look at it")

	require.Equal(t, "hello", messages.NewControl("hello").Item.Msg())
}
