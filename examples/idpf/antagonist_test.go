//go:build linux

package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// starterEnv has TestStarter start an antagonist.
const starterEnv = "CMWQ_IDPF_STARTER"

// ends waits until there is no such process, or only what is left of it for its parent.
func ends(t *testing.T, pid int) {
	t.Helper()
	require.Eventually(t, func() bool {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		_, state, _ := strings.Cut(string(stat), ") ")
		return err != nil || strings.HasPrefix(state, "Z")
	}, 10*time.Second, time.Millisecond)
}

// One that leaves less than half a per cent has several threads, all of them on its CPU.
func TestAntagonistThreads(t *testing.T) {
	a, err := begin(t.Context(), nicest, 0, 10*time.Second)
	if err != nil {
		t.Skip(err)
	}
	defer a.stop()
	burning := func() (n int) {
		tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", a.cmd.Process.Pid))
		for _, name := range tasks {
			stat, _ := os.ReadFile(name)
			_, rest, _ := strings.Cut(string(stat), ") ")
			fields := strings.Fields(rest) // from the third on: state, and the 19th and 39th are nice and CPU
			if len(fields) > 36 && fields[16] == "-20" && fields[0] == "R" && fields[36] == "0" {
				n++
			}
		}
		return n
	}
	require.Eventually(t, func() bool { return burning() == burners(nicest) }, 5*time.Second, time.Millisecond)
}

// However an antagonist is left alone, it ends.
func TestAntagonistEnds(t *testing.T) {
	const long = 10 * time.Second
	t.Run("when it is told", func(t *testing.T) {
		a, err := begin(t.Context(), plain, 0, long)
		require.NoError(t, err)
		a.stop()
		ends(t, a.cmd.Process.Pid)
	})
	t.Run("with the context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		a, err := begin(ctx, plain, 0, long)
		require.NoError(t, err)
		cancel()
		<-a.done
		ends(t, a.cmd.Process.Pid)
	})
	t.Run("by itself", func(t *testing.T) {
		a, err := begin(t.Context(), plain, 0, 50*time.Millisecond)
		require.NoError(t, err)
		<-a.done
		require.True(t, a.cmd.ProcessState.Success())
	})
	t.Run("with who started it", func(t *testing.T) {
		starter := exec.Command(os.Args[0], "-test.run=^TestStarter$")
		starter.Env = append(os.Environ(), starterEnv+"=1")
		out, err := starter.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, starter.Start())
		line, err := bufio.NewReader(out).ReadString('\n')
		require.NoError(t, err)
		pid, err := strconv.Atoi(strings.TrimSpace(line))
		require.NoError(t, err)
		require.NoError(t, syscall.Kill(pid, 0), "it runs")
		require.NoError(t, starter.Process.Kill())
		ends(t, pid)
		_ = starter.Wait()
	})
}

// TestStarter is a process that starts an antagonist and waits to be killed.
func TestStarter(t *testing.T) {
	if os.Getenv(starterEnv) == "" {
		t.Skip("no starter")
	}
	a, err := begin(t.Context(), plain, 0, 10*time.Second)
	require.NoError(t, err)
	fmt.Println(a.cmd.Process.Pid)
	<-a.done
}
