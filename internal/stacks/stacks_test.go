package stacks

import (
	"context"
	"fmt"
	"os/exec"
	"reflect"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

// What modules may be called is decided by the go command, so this list may grow.
func TestStdKnowsTheStandardLibrary(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "std").Output()
	require.NoError(t, err)
	for pkg := range strings.Lines(string(out)) {
		first, _, _ := strings.Cut(strings.TrimSpace(pkg), "/")
		require.True(t, std[first], first)
	}
}

func TestWhose(t *testing.T) {
	for name, want := range map[string]whose{
		"runtime.gopark":                                         runtimes,
		"internal/runtime/maps.(*Map).Get":                       runtimes,
		"runtime/debug.Stack":                                    library,
		"net/http.(*conn).serve":                                 library,
		"vendor/golang.org/x/net/http2.f":                        library,
		"main.main":                                              users,
		"app/jobs.(*Thumbnailer).Run":                            users,
		"gopkg.in/yaml%2ev3.f":                                   users,
		"k8s.io/utils/cpuset.CPUSet.List":                        users,
		"github.com/cmwq/cmwq.(*Queue).Flush":                    ours,
		"github.com/cmwq/cmwq/actors.(*worker).run":              ours,
		"github.com/cmwq/cmwq/messages.(*Context).Sleep":         ours,
		"github.com/cmwq/cmwq/internal/policy.f":                 ours,
		"github.com/cmwq/cmwq/examples/checksum.f":               users,
		"github.com/cmwq/cmwq_test.TestX.func1":                  users,
		"github.com/cmwq/cmwqx.f":                                users,
		"github.com/cmwq/cmwq/messagesx.f":                       users,
		"main.f[go.shape.struct { net/http.x int }]":             users,
		"github.com/asynkron/protoactor-go/actor.(*Future).Pipe": ours,
	} {
		require.Equal(t, want, whoseIs(&runtime.Frame{Function: name, File: "/x/y.go"}), name)
	}
	require.Equal(t, users, whoseIs(&runtime.Frame{Function: "github.com/cmwq/cmwq/actors.TestX", File: "/x/y_test.go"}))
}

// stack gives frames by their functions, innermost first; their lines are 1, 2...
func stack(functions ...string) (frames []runtime.Frame) {
	for i, f := range functions {
		frames = append(frames, runtime.Frame{Function: f, File: "/src/x.go", Line: i + 1})
	}
	return frames
}

const run = "github.com/cmwq/cmwq/actors.(*worker).run"

func TestWhere(t *testing.T) {
	for want, functions := range map[string]string{
		"running in main.spin at /src/x.go:1 in ":                                                     "",
		"running in main.spin at /src/x.go:1":                                                         "main.spin main.item",
		"running in main.spin at /src/x.go:3":                                                         "runtime.asyncPreempt2 runtime.asyncPreempt main.spin main.item",
		"running in main.spin at /src/x.go:2":                                                         "runtime.mallocgc main.spin main.item",
		"running in encoding/json.Marshal at /src/x.go:5 in main.save":                                "runtime.asyncPreempt encoding/json.f encoding/json.g encoding/json.Marshal main.save main.item",
		"blocked in chan receive at /src/x.go:4 in main.f":                                            "runtime.gopark runtime.chanrecv runtime.chanrecv1 main.f",
		"blocked in chan send at /src/x.go:4 in main.f":                                               "runtime.gopark runtime.chansend runtime.chansend1 main.f",
		"blocked in select at /src/x.go:3 in main.f":                                                  "runtime.gopark runtime.selectgo main.f",
		"blocked in select (no cases) at /src/x.go:3 in main.f":                                       "runtime.gopark runtime.block main.f",
		"blocked in sleep at /src/x.go:3 in main.f":                                                   "runtime.gopark time.Sleep main.f",
		"blocked in sync.Mutex.Lock at /src/x.go:7 in main.f":                                         "runtime.gopark runtime.semacquire1 internal/sync.runtime_SemacquireMutex internal/sync.(*Mutex).lockSlow internal/sync.(*Mutex).Lock sync.(*Mutex).Lock main.f",
		"blocked in sync.Mutex.Lock (sync.(*Once).Do) at /src/x.go:6 in main.f":                       "runtime.gopark runtime.semacquire1 internal/sync.(*Mutex).Lock sync.(*Once).doSlow sync.(*Once).Do main.f",
		"blocked in sync.WaitGroup.Wait at /src/x.go:5 in main.f":                                     "runtime.gopark runtime.semacquire1 sync.runtime_SemacquireWaitGroup sync.(*WaitGroup).Wait main.f",
		"blocked in IO wait (net.(*conn).Read) at /src/x.go:6 in main.f":                              "runtime.gopark runtime.netpollblock internal/poll.runtime_pollWait internal/poll.(*FD).Read net.(*conn).Read main.f",
		"blocked in select (net/http.(*Client).Do) at /src/x.go:5 in main.f":                          "runtime.gopark runtime.selectgo net/http.(*persistConn).roundTrip net/http.(*Client).Do main.f",
		"blocked in select (github.com/cmwq/cmwq/messages.(*Context).Sleep) at /src/x.go:4 in main.f": "runtime.gopark runtime.selectgo github.com/cmwq/cmwq/messages.(*Context).Sleep main.f",
		"blocked in syscall (syscall.Read) at /src/x.go:3 in main.f":                                  "syscall.Syscall syscall.Read main.f",
		"blocked in syscall (golang.org/x/sys/unix.Syscall6) at /src/x.go:2 in main.f":                "golang.org/x/sys/unix.Syscall6 main.f",
		"blocked in cgo call at /src/x.go:2 in main.f":                                                "runtime.cgocall main.f",
		"blocked in waiting at /src/x.go:3 in main.f":                                                 "runtime.gopark runtime.newthing main.f",
		"blocked in GC assist wait at /src/x.go:5 in main.f":                                          "runtime.gopark runtime.gcParkAssist runtime.gcAssistAlloc runtime.mallocgc main.f",
		"blocked in select at /src/x.go:3 in github.com/cmwq/cmwq/actors.(*x).wait":                   "runtime.gopark runtime.selectgo github.com/cmwq/cmwq/actors.(*x).wait",
	} {
		frames := stack(strings.Fields(functions + " " + run + " main.notThis runtime.goexit")...)
		if functions == "" {
			require.Equal(t, &messages.Where{State: messages.OnCPU}, Where(frames, run))
			continue
		}
		require.Equal(t, want, Where(frames, run).String(), functions)
	}
}

func TestWhereTellsTheStack(t *testing.T) {
	w := Where(stack("runtime.gopark", "runtime.netpollblock", "internal/poll.runtime_pollWait", "net.(*conn).Read",
		"main.read", "bufio.(*Reader).fill", "main.item", "github.com/cmwq/cmwq.Submit[...].func1", run, "runtime.goexit"), run)
	var got []string
	for _, f := range w.Stack {
		got = append(got, fmt.Sprint(f.Func, " ", f.Line))
	}
	require.Equal(t, []string{"internal/poll.runtime_pollWait 3", "net.(*conn).Read 4", "main.read 5", "bufio.(*Reader).fill 6", "main.item 7"}, got)
	require.Equal(t, "net.(*conn).Read", w.Call)
	require.Equal(t, 5, w.Line)
	deep := make([]string, 10*depth)
	for i := range deep {
		deep[i] = "main.down"
	}
	require.Len(t, Where(stack(deep...), run).Stack, depth)
}

const text = `goroutine profile: total 7
3 @ 0x1 0x2 0x3
# labels: {"kworker":"a \"b\" {\n}", "q":"x"}
#	0x1	runtime.f+0x1	/x.go:3

2 @ 0x4
#	0x4	main.g+0x1	/x.go:4

1 @ 0x5
# labels: {}
1 @ 0x6 0x7
# labels: {"kworker":"c"}`

// The text comes in pieces that end anywhere.
func TestReadAProfile(t *testing.T) {
	var seen []map[string]string
	groups, err := Read(iotest.OneByteReader(strings.NewReader(text)), func(g *Group) bool {
		seen = append(seen, g.Labels)
		return g.Labels["kworker"] != ""
	})
	require.NoError(t, err)
	require.Equal(t, []Group{
		{3, map[string]string{"kworker": "a \"b\" {\n}", "q": "x"}, []uintptr{1, 2, 3}},
		{1, map[string]string{"kworker": "c"}, []uintptr{6, 7}},
	}, groups)
	require.Len(t, seen, 4)
	require.Nil(t, seen[1])
	for _, bad := range []string{"", "goroutine profile: total 0\n", "1 @\n# labels: {\"a\n\n", "1 @ zz\n", "x", "# labels: {\"a\":1}\n"} {
		_, err := Read(strings.NewReader(bad), func(*Group) bool { return true })
		require.NoError(t, err, bad)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(text)
	f.Fuzz(func(t *testing.T, text string) {
		whole, _ := Read(strings.NewReader(text), func(*Group) bool { return true })
		pieces, _ := Read(iotest.OneByteReader(strings.NewReader(text)), func(*Group) bool { return true })
		require.Equal(t, whole, pieces)
	})
}

// A goroutine is found by its label, and no other is kept.
func TestProfileFindsALabelledGoroutine(t *testing.T) {
	open, there := make(chan struct{}), make(chan struct{})
	defer close(open)
	for i := range 20 {
		go pprof.Do(t.Context(), pprof.Labels("number", fmt.Sprint(i)), func(context.Context) {
			there <- struct{}{}
			<-open
		})
		<-there
	}
	groups, err := Profile(func(g *Group) bool { return g.Labels["number"] == "7" })
	require.NoError(t, err)
	require.Len(t, groups, 1)
	require.Equal(t, 1, groups[0].N)
	frames := groups[0].Frames()
	require.True(t, Whole(frames))
	require.True(t, Within(frames, "runtime/pprof.Do"))
	require.True(t, groups[0].Calls(reflect.ValueOf(pprof.Do).Pointer()))
	require.False(t, groups[0].Calls(reflect.ValueOf(pprof.Lookup).Pointer()))
	require.Contains(t, Where(frames, "runtime/pprof.Do").Func, "TestProfileFindsALabelledGoroutine")
}
