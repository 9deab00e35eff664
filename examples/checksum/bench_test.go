package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
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
	bench := func(b *testing.B, open openFunc) {
		root := walk([]string{filepath.Join(runtime.GOROOT(), "src")})
		measure := func(b *testing.B, run func(j *job) error) {
			for b.Loop() {
				j := newJob(context.Background(), sha256.New, open)
				if err := run(j); err != nil {
					b.Fatal(err)
				}
				b.SetBytes(j.tally.doneBytes.Load())
				if n := int64(len(j.results())); n == 0 || n != j.tally.found.Load() {
					b.Fatalf("%d files of %d", n, j.tally.found.Load())
				}
			}
		}
		b.Run("cmwq", func(b *testing.B) {
			measure(b, func(j *job) error { _, err := j.run(root); return err })
		})
		for _, limit := range []int{2, 4, 16, 64} {
			b.Run(fmt.Sprint("errgroup-", limit), func(b *testing.B) {
				measure(b, func(j *job) error { return j.errgroup(root, limit) })
			})
		}
	}
	bench(b, opener(nil))
	b.Run("slow", func(b *testing.B) { bench(b, slow(opener(nil))) })
}
