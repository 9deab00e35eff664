// Checksum hashes every regular file of real trees and prints what sha256sum
// would: it is the main job of the cmwq library, two queues of one system.
//
// Reading waits for the disk, so its items say so with Context.Block and the
// pool starts the next one meanwhile; hashing is plain CPU work, and the pool
// runs as much of it at once as there are processors. Neither queue has a
// worker count to tune.
//
//	checksum [-algo sha256|sha512] [-json] PATH...
//	checksum [-algo sha256|sha512] -check FILE
//
// Links given as arguments are followed, links inside a tree are not. The exit
// status is 0, or 1 when a file could not be read or failed its check, 2 for
// wrong usage and 130 after Ctrl-C.
package main

import (
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"errors"
	"flag"
	"fmt"
	"hash"
	"io"
	"os"
	"os/signal"
)

// Exit statuses.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second Ctrl-C kills at once
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// An algorithm is one hash by the name it has in lists.
type algorithm struct {
	name string // as in -algo
	tag  string // as in "SHA256 (path) = ..."
	size int
	new  func() hash.Hash
}

var algorithms = []algorithm{
	{"sha256", "SHA256", sha256.Size, sha256.New},
	{"sha512", "SHA512", sha512.Size, sha512.New},
}

// config is what the command line asked for.
type config struct {
	algo  algorithm
	check string
	json  bool
	paths []string
}

// run is the program; main only adds the process around it.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	cfg, status := parse(args, stderr)
	if cfg == nil {
		return status
	}
	j := newJob(ctx, cfg.algo.new, opener(stdin))
	bar := startProgress(stderr, &j.tally)
	defer bar.stop()

	if cfg.check != "" {
		list, err := openList(cfg.check, stdin, cfg.algo)
		if err != nil {
			complain(stderr, cfg.check, err)
			return exitFailed
		}
		defer list.file.Close()
		lines, err := j.run(list.files)
		bar.stop()
		return reportCheck(stdout, stderr, j, list, lines, err)
	}
	lines, err := j.run(walk(cfg.paths))
	bar.stop()
	return reportSums(stdout, stderr, j, cfg, lines, err)
}

// parse reads the command line; a nil config comes with the exit status.
func parse(args []string, stderr io.Writer) (*config, int) {
	var cfg config
	fs := flag.NewFlagSet("checksum", flag.ContinueOnError)
	fs.SetOutput(stderr)
	algo := fs.String("algo", "sha256", "hash with `NAME`: sha256 or sha512")
	fs.StringVar(&cfg.check, "check", "", "verify the list in `FILE` (- is standard input)")
	fs.BoolVar(&cfg.json, "json", false, "print one JSON object a file")
	fs.Usage = func() {
		fmt.Fprintln(stderr, "usage: checksum [-algo sha256|sha512] [-json] PATH...")
		fmt.Fprintln(stderr, "       checksum [-algo sha256|sha512] -check FILE")
		fs.PrintDefaults()
	}
	wrong := func(format string, a ...any) (*config, int) {
		fmt.Fprintf(stderr, "checksum: "+format+"\n", a...)
		fs.Usage()
		return nil, exitUsage
	}
	if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil, exitOK
	} else if err != nil {
		return nil, exitUsage
	}
	cfg.paths = fs.Args()
	for _, a := range algorithms {
		if a.name == *algo {
			cfg.algo = a
		}
	}
	switch {
	case cfg.algo.new == nil:
		return wrong("unknown algorithm %s", quote(*algo))
	case cfg.check != "" && (cfg.json || len(cfg.paths) > 0):
		return wrong("-check takes neither -json nor paths")
	case cfg.check == "" && len(cfg.paths) == 0:
		return wrong("no path given")
	}
	return &cfg, exitOK
}
