package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
)

// errgroup does what run does with goroutines: it differs in the scheduling
// only, and has a limit to tune.
func (j *job) errgroup(list source, limit int) error {
	var g errgroup.Group
	g.SetLimit(limit)
	for batch := range batches(list(always)) {
		j.find(batch)
		g.Go(func() error {
			l := j.lane()
			l.start(batch)
			for over := false; !over; {
				b := <-l.free
				l.fill(b)
				l.full <- b
				over = j.drain(l)
			}
			return nil
		})
	}
	return g.Wait()
}

// slow makes every read take 2 ms more.
func slow(open openFunc) openFunc {
	return func(path string) (io.ReadCloser, error) {
		f, err := open(path)
		return slowFile{f}, err
	}
}

type slowFile struct{ io.ReadCloser }

func (f slowFile) Read(p []byte) (int, error) {
	time.Sleep(2 * time.Millisecond)
	return f.ReadCloser.Read(p)
}

// BenchmarkTree hashes the sources of the Go distribution.
func BenchmarkTree(b *testing.B) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Fatal(err)
	}
	root := walk([]string{filepath.Join(strings.TrimSpace(string(goroot)), "src")})
	benchmarkTree(b, root, opener(nil))
	b.Run("slow", func(b *testing.B) { benchmarkTree(b, root, slow(opener(nil))) })
}

func benchmarkTree(b *testing.B, root source, open openFunc) {
	b.Helper()
	b.Run("cmwq", func(b *testing.B) {
		benchmarkJob(b, open, func(j *job) error { _, err := j.run(root); return err })
	})
	for _, limit := range []int{2, 4, 16, 64} {
		b.Run(fmt.Sprint("errgroup-", limit), func(b *testing.B) {
			benchmarkJob(b, open, func(j *job) error { return j.errgroup(root, limit) })
		})
	}
}

func benchmarkJob(b *testing.B, open openFunc, run func(j *job) error) {
	b.Helper()
	var j *job
	for b.Loop() {
		j = newJob(b.Context(), sha256.New, open)
		if err := run(j); err != nil {
			b.Fatal(err)
		}
		if n := int64(len(j.results())); n == 0 || n != j.tally.found.Load() {
			b.Fatalf("%d files of %d", n, j.tally.found.Load())
		}
	}
	b.SetBytes(j.tally.doneBytes.Load())
	b.ReportMetric(float64(j.lanes), "lanes")
}
