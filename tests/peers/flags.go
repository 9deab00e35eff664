package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/cmwq/cmwq/tests/peers/load"
	"github.com/cmwq/cmwq/tests/peers/run"
	"github.com/cmwq/cmwq/tests/peers/system"
)

type options struct {
	run.Options
	json, strict bool
	profile      *os.File
}

// parse reads the command line. If ok is false the command ends with the status.
func parse(args []string, stderr io.Writer) (o options, status int, ok bool) {
	flags := flag.NewFlagSet("peers", flag.ContinueOnError)
	flags.SetOutput(stderr)
	json := flags.Bool("json", false, "write one JSON object a line, for each workload and system, instead of Markdown")
	only := flags.String("only", "", "`workloads` or groups of them, separated by commas; all are\n"+strings.Join(groups(), ", "))
	systems := flags.String("systems", "", "a regular `expression`: only systems whose name it matches")
	quick := flags.Bool("quick", false, "one repetition of small sizes, for a look: under a minute")
	budget := flags.Duration("budget", 30*time.Minute, "`time` for repetitions of all workloads together; each cell is measured once at least")
	strict := flags.Bool("strict", false, "exit status 1 if a goal is missed or a system fails")
	profile := flags.String("cpuprofile", "", "write a CPU profile to a `file`")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return o, exitOK, false
		}
		return o, exitUsage, false
	}
	o.json, o.strict = *json, *strict
	o.Options = run.Options{
		Env:    load.Env{Limit: runtime.GOMAXPROCS(0), Timeout: time.Minute},
		Budget: *budget, Min: 5, Max: 25, Spread: 0.05, Progress: stderr,
	}
	if *quick {
		o.Env.Quick, o.Env.Timeout = true, 10*time.Second
		o.Min, o.Max = 1, 1
	}
	err := o.choose(*only, *systems)
	switch {
	case err != nil:
	case flags.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case *budget <= 0:
		err = fmt.Errorf("-budget %v: want a time above 0", *budget)
	case *profile != "":
		o.profile, err = os.Create(*profile)
	}
	if err != nil {
		return o, fail(stderr, err, exitUsage), false
	}
	return o, exitOK, true
}

func fail(stderr io.Writer, err error, status int) int {
	_, _ = fmt.Fprintf(stderr, "peers: %v\n", err)
	return status
}

// choose picks the workloads and the systems.
func (o *options) choose(only, systems string) error {
	var err error
	if o.Workloads, err = workloads(only); err != nil {
		return err
	}
	match, err := regexp.Compile(systems)
	if err != nil {
		return fmt.Errorf("-systems: %w", err)
	}
	for _, s := range system.All() {
		if match.MatchString(s.Name) {
			o.Systems = append(o.Systems, s)
		}
	}
	if len(o.Systems) == 0 {
		return fmt.Errorf("-systems %s: matches none of %s", systems, strings.Join(names(), ", "))
	}
	return nil
}

// workloads are those that are named: a workload, or else all of a group of that name.
func workloads(only string) (some []load.Workload, err error) {
	all := load.All()
	if only == "" {
		return all, nil
	}
	wanted := map[string]bool{}
	for name := range strings.SplitSeq(only, ",") {
		name = strings.ReplaceAll(strings.TrimSpace(name), "′", "'")
		found := slices.ContainsFunc(all, func(w load.Workload) bool { return w.ID == name })
		for _, w := range all {
			if w.ID == name || !found && w.Group == name {
				wanted[w.ID] = true
			}
		}
		if !slices.ContainsFunc(all, func(w load.Workload) bool { return w.ID == name || w.Group == name }) {
			return nil, fmt.Errorf("-only %s: no workload %q; there are %s", only, name, strings.Join(groups(), ", "))
		}
	}
	return slices.DeleteFunc(all, func(w load.Workload) bool { return !wanted[w.ID] }), nil
}

func groups() (all []string) {
	for _, w := range load.All() {
		if !slices.Contains(all, w.Group) {
			all = append(all, w.Group)
		}
		if w.ID != w.Group && !slices.Contains(all, w.ID) {
			all = append(all, w.ID)
		}
	}
	return all
}

func names() (all []string) {
	for _, s := range system.All() {
		all = append(all, s.Name)
	}
	return all
}
