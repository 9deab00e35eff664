package actors

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

func TestRecentHogs(t *testing.T) {
	var r recent
	require.Empty(t, r.hogs())
	computes := &messages.Where{State: messages.OnCPU, Line: 1, Stack: []messages.Frame{{Func: "main.f"}}}
	r.add(messages.Hog{Queue: "a", Func: "f", Times: 1, Where: computes, Advice: messages.HogAdvice})
	r.add(messages.Hog{Queue: "a", Func: "g", Times: 1, Advice: messages.UnseenAdvice})
	r.add(messages.Hog{Queue: "b", Func: "f", Times: 2, Advice: messages.UnseenAdvice})
	before := r.hogs()

	r.add(messages.Hog{Queue: "a", Func: "f", Times: 4, Advice: messages.UnseenAdvice})
	all := r.hogs()
	require.Len(t, all, 3)
	require.Equal(t, messages.Hog{
		Queue: "a", Func: "f", Times: 4, Where: &messages.Where{State: messages.OnCPU, Line: 1}, Advice: messages.HogAdvice,
	}, all[0], "unseen this time, it is where it was")
	require.Nil(t, all[1].Where)
	require.Equal(t, "b", before[0].Queue, "what was given does not change")
	require.NotEmpty(t, computes.Stack, "nor what was reported")

	for i := range 100 {
		r.add(messages.Hog{Queue: fmt.Sprint(i), Func: "f"})
	}
	require.Len(t, r.hogs(), mostHogs)
	require.Equal(t, "99", r.hogs()[0].Queue)
	require.Equal(t, "84", r.hogs()[15].Queue)
}
