// Command peers measures cmwq beside what a user would take instead: worker pools,
// channels, goroutines, actors. README.md says how, and what is fair.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/pprof"
	"strings"
	"syscall"
	"time"

	"github.com/cmwq/cmwq/tests/peers/report"
	"github.com/cmwq/cmwq/tests/peers/run"
)

// Exit statuses.
const (
	exitOK    = 0
	exitGoal  = 1 // -strict: a goal is missed, or a cell has failed
	exitUsage = 2
)

func main() { os.Exit(command(os.Args[1:], report.Goals, os.Stdout, os.Stderr)) }

func command(args []string, goals []report.Goal, stdout, stderr io.Writer) int {
	o, status, ok := parse(args, stderr)
	if !ok {
		return status
	}
	if o.profile != nil {
		if err := pprof.StartCPUProfile(o.profile); err != nil {
			return fail(stderr, err, exitUsage)
		}
		defer func() {
			pprof.StopCPUProfile()
			_ = o.profile.Close()
		}()
	}
	machine := report.Machine{
		Go: runtime.Version(), OS: runtime.GOOS + "/" + runtime.GOARCH, CPU: cpuName(), Procs: runtime.GOMAXPROCS(0),
		Date: time.Now().UTC().Format("2006-01-02 15:04"), Args: strings.Join(args, " "), Quick: o.Env.Quick,
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	cells := run.Run(ctx, o.Options)
	stop() // a second interrupt ends the command
	var err error
	if o.json {
		err = report.JSON(stdout, machine, cells)
	} else {
		err = report.Markdown(stdout, machine, goals, cells)
	}
	if err != nil {
		return fail(stderr, err, exitGoal)
	}
	if o.strict && !allWell(goals, cells) {
		return exitGoal
	}
	return exitOK
}

func allWell(goals []report.Goal, cells []*run.Cell) bool {
	for _, c := range cells {
		if c.Err != nil {
			return false
		}
	}
	for _, v := range report.Judge(goals, cells) {
		if v.Measured && !v.Met {
			return false
		}
	}
	return true
}
