package stacks

import (
	"runtime"
	"slices"

	"github.com/cmwq/cmwq/messages"
)

// depth is how many calls of a stack are told.
const depth = 48

// Where says where a goroutine is. outer names the function of ours that called the
// user's code: what is outside of it is left out.
func Where(frames []runtime.Frame, outer string) *messages.Where {
	if i := slices.IndexFunc(frames, func(f runtime.Frame) bool { return f.Function == outer }); i >= 0 {
		frames = frames[:i]
	}
	w := &messages.Where{State: state(frames)}
	at := slices.IndexFunc(frames, func(f runtime.Frame) bool { return whoseIs(&f) == users })
	if at < 0 { // the library's or ours alone: as far in as is of interest
		at = max(0, slices.IndexFunc(frames, func(f runtime.Frame) bool { return whoseIs(&f) != runtimes }))
	}
	if at == len(frames) {
		return w
	}
	f := &frames[at]
	w.Func, w.File, w.Line = f.Function, f.File, f.Line
	if at > 0 && whoseIs(&frames[at-1]) != runtimes {
		w.Call = frames[at-1].Function
	}
	for len(frames) > at+1 && whoseIs(&frames[len(frames)-1]) == ours {
		frames = frames[:len(frames)-1]
	}
	for i := range frames {
		if len(w.Stack) == depth {
			break
		}
		if f := &frames[i]; whoseIs(f) != runtimes {
			w.Stack = append(w.Stack, messages.Frame{Func: f.Function, File: f.File, Line: f.Line})
		}
	}
	return w
}

// Within says whether a function is on the stack.
func Within(frames []runtime.Frame, function string) bool {
	return slices.ContainsFunc(frames, func(f runtime.Frame) bool { return f.Function == function })
}

// Whole says whether the stack goes back to the goroutine's beginning: of very deep
// ones the profile has the inner part.
func Whole(frames []runtime.Frame) bool {
	return len(frames) > 0 && frames[len(frames)-1].Function == "runtime.goexit"
}
