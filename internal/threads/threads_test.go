//go:build linux

package threads

import (
	"os"
	"runtime"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
	"k8s.io/utils/cpuset"
)

// onThread runs f on a thread that ends with it: not on the main one, which never does.
func onThread(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		if ID() == os.Getpid() {
			defer runtime.UnlockOSThread()
			onThread(f)
			return
		}
		f()
	}()
	<-done
}

func TestBind(t *testing.T) {
	all, err := Bound(os.Getpid())
	require.NoError(t, err)
	onThread(func() {
		for _, cpu := range all.List() {
			require.NoError(t, Bind(Self, cpuset.New(cpu)))
			require.Equal(t, cpu, CPU())
			got, err := Bound(ID())
			require.NoError(t, err)
			require.Equal(t, cpuset.New(cpu), got)
		}
		require.NoError(t, Check(all))
		require.Error(t, Check(all.Union(cpuset.New(8191))))
		require.Error(t, Bind(Self, cpuset.New(8191)))
	})
	got, err := Bound(os.Getpid())
	require.NoError(t, err)
	require.Equal(t, all, got, "nobody else is bound")
}

func TestNice(t *testing.T) {
	onThread(func() {
		require.NoError(t, SetNice(Self, 7))
		got, err := GetNice(ID())
		require.NoError(t, err)
		require.Equal(t, 7, got)
	})
	got, err := GetNice(os.Getpid())
	require.NoError(t, err)
	require.Zero(t, got)
}

// burn holds the CPU until the thread has had it for d more.
func burn(d time.Duration) {
	for from := Clock(Self); Clock(Self)-from < d; {
	}
}

// The clock of a thread is exact and its own, also for who looks from outside.
func TestClock(t *testing.T) {
	ids, end := make(chan int), make(chan struct{})
	defer close(end)
	go func() {
		runtime.LockOSThread()
		burn(20 * time.Millisecond)
		ids <- ID()
		<-end
	}()
	id := <-ids
	require.GreaterOrEqual(t, Clock(id), 20*time.Millisecond)
	require.Zero(t, Clock(1), "another process's")
	require.Eventually(t, func() bool { return !Ready(id) }, 10*time.Second, time.Millisecond, "it sleeps")
	before := Clock(id)
	burn(time.Millisecond)
	require.Equal(t, before, Clock(id))
}

// Two threads that burn on one CPU wait for each other.
func TestWaits(t *testing.T) {
	if !schedstats() {
		t.Skip("this kernel does not count waits")
	}
	cpus, err := Bound(os.Getpid())
	require.NoError(t, err)
	one := cpuset.New(cpus.List()[0])
	ready, meet, found := make(chan int, 2), make(chan struct{}), make(chan [2]Look, 2)
	for range 2 {
		go onThread(func() {
			_ = Bind(Self, one)
			w := OpenWaits()
			defer w.Close()
			from := w.Read()
			ready <- ID()
			<-meet
			burn(100 * time.Millisecond)
			found <- [2]Look{from, w.Read()}
		})
	}
	id := <-ready
	<-ready
	close(meet)
	for range 2 {
		f := <-found
		require.Greater(t, f[1].Turns, f[0].Turns)
		require.Greater(t, f[1].Waited, f[0].Waited)
		require.True(t, f[1].Ready)
	}
	require.Eventually(t, func() bool { return LookAt(id) == Look{Ready: true} }, 10*time.Second, time.Millisecond, "it ends")
}

// schedstats says whether the kernel counts waits.
func schedstats() bool {
	line, _ := os.ReadFile("/proc/self/schedstat")
	return len(line) > 0 && string(line) != "0 0 0\n"
}

func TestLookAtWhatIsNotThere(t *testing.T) {
	require.Equal(t, Look{Ready: true}, LookAt(-1))
	require.Equal(t, Look{Ready: true}, Waits{-1}.Read())
	Waits{-1}.Close()
}

// A name in /proc may look like its end.
func TestNameOfAThread(t *testing.T) {
	onThread(func() {
		name, err := unix.BytePtrFromString("a) S (b) S 1")
		require.NoError(t, err)
		require.NoError(t, unix.Prctl(unix.PR_SET_NAME, uintptr(unsafe.Pointer(name)), 0, 0, 0))
		require.True(t, Ready(ID()))
	})
}
