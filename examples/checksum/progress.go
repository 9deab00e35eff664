package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

const (
	barEvery  = 100 * time.Millisecond
	lineEvery = 2 * time.Second
)

// A progress shows a tally from time to time until it is stopped.
type progress struct {
	quit chan struct{}
	over sync.WaitGroup
	once sync.Once
}

// startProgress shows t as a bar if stderr is a terminal, else in plain lines.
func startProgress(stderr io.Writer, t *tally) *progress {
	every, show, end := lineEvery, plainLines(stderr, t, time.Now()), func() {}
	if f, ok := stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		every = barEvery
		show, end = bar(stderr, t)
	}
	p := &progress{quit: make(chan struct{})}
	p.over.Go(func() {
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for {
			select {
			case now := <-ticker.C:
				show(now)
			case <-p.quit:
				end()
				return
			}
		}
	})
	return p
}

// stop ends the display and leaves stderr to others.
func (p *progress) stop() {
	p.once.Do(func() { close(p.quit) })
	p.over.Wait()
}

// plainLines returns a function that writes one line about t.
func plainLines(stderr io.Writer, t *tally, start time.Time) (show func(now time.Time)) {
	return func(now time.Time) {
		done, total := t.doneBytes.Load(), t.foundBytes.Load()
		rate := float64(done) / now.Sub(start).Seconds()
		left := "unknown"
		if done > 0 {
			left = time.Duration(float64(max(total-done, 0)) / rate * float64(time.Second)).Round(time.Second).String()
		}
		fmt.Fprintf(stderr, "checksum: %s, %s of %s, %s/s, %s left\n",
			fileCount(t), size(done), size(total), size(int64(rate)), left)
	}
}

// bar returns functions that draw t as a bar, and take the bar away.
func bar(stderr io.Writer, t *tally) (show func(time.Time), end func()) {
	b := progressbar.NewOptions64(1,
		progressbar.OptionSetWriter(stderr),
		progressbar.OptionShowBytes(true),
		progressbar.OptionUseIECUnits(true),
		progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetWidth(20),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionUseANSICodes(true),
	)
	b.StartWithoutRender()
	show = func(time.Time) {
		done, total := t.doneBytes.Load(), t.foundBytes.Load()
		if done == 0 {
			return
		}
		// A bar that has been full is over, so it may be that only at the end.
		b.ChangeMax64(max(total, done) + 1)
		_ = b.Set64(done) // a terminal that is gone is no reason to stop
		b.Describe(fileCount(t))
	}
	return show, func() { _ = b.Finish() }
}

func fileCount(t *tally) string {
	more := ""
	if !t.listed.Load() {
		more = "+"
	}
	return fmt.Sprintf("%d/%d%s files", t.done.Load(), t.found.Load(), more)
}

// size returns n bytes in units of 1024.
func size(n int64) string {
	f, unit := float64(n), 0
	for f >= 1024 && unit < 5 {
		f /= 1024
		unit++
	}
	if unit == 0 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %ciB", f, "KMGTP"[unit-1])
}
