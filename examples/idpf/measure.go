package main

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"time"

	"github.com/cmwq/cmwq"
)

// Row is what was found of one kind of queue beside one antagonist.
type Row struct {
	Antagonist string        `json:"antagonist"`
	Queue      string        `json:"queue"`
	Items      int           `json:"items"`
	Median     time.Duration `json:"p50_ns"`
	P99        time.Duration `json:"p99_ns"`
	Max        time.Duration `json:"max_ns"`
	Worst      time.Duration `json:"worst_round_ns"`    // the longest of all rounds
	Got        float64       `json:"got,omitempty"`     // of the CPU while a worker wanted it, 0 to 1, if bound
	Stop       time.Duration `json:"stop_the_world_ns"` // meanwhile: the longest of a few
}

// Skip is what could not be measured, and why.
type Skip struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

// Found is everything.
type Found struct {
	CPU   int     `json:"cpu"`
	Least float64 `json:"least_ratio"`
	Load  float64 `json:"load"` // average of the machine before, where it is known
	Rows  []Row   `json:"rows"`
	Skips []Skip  `json:"skipped,omitempty"`
}

// lab is where things are measured.
type lab struct {
	each        time.Duration
	cpu         int
	ratio       float64
	antagonists []string
	options     []cmwq.Option
}

func (l *lab) measure(ctx context.Context) (*Found, error) {
	f := &Found{CPU: l.cpu, Least: l.ratio, Load: load()}
	usable := f.try(ctx, l)
	for _, s := range setups() {
		if s.high && !slices.Contains(usable, nicest) {
			f.skip(s.name, errNoPriority)
			continue
		}
		for _, how := range usable {
			row, err := l.beside(ctx, how, s)
			if errors.Is(err, cmwq.ErrPinning) {
				f.skip(s.name, err)
				break
			}
			if err != nil {
				return nil, err
			}
			f.Rows = append(f.Rows, row)
		}
	}
	return f, ctx.Err()
}

// try gives the antagonists that there may be here.
func (f *Found) try(ctx context.Context, l *lab) (usable []string) {
	for _, how := range l.antagonists {
		a, err := begin(ctx, how, l.cpu, l.life())
		if err != nil {
			f.skip(how, err)
			continue
		}
		a.stop()
		usable = append(usable, how)
	}
	return usable
}

// errNoPriority: a queue of high priority would have none.
var errNoPriority = errors.New("threads of this process may have no priority above others")

func (f *Found) skip(what string, why error) {
	f.Skips = append(f.Skips, Skip{what, why.Error()})
}

// life is longer than any measurement should take.
func (l *lab) life() time.Duration { return 4*l.each + 2*time.Second }

// beside measures one queue beside an antagonist, in a system of its own.
func (l *lab) beside(ctx context.Context, how string, s setup) (row Row, err error) {
	opts := l.options
	if s.pinned {
		opts = append([]cmwq.Option{cmwq.WithPinning()}, opts...)
	}
	sys, err := cmwq.New(opts...)
	if err != nil {
		return row, err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		err = errors.Join(err, sys.Stop(ctx))
	}()
	q, err := sys.NewQueue("idpf", s.opts...)
	if err != nil {
		return row, err
	}
	u := &usage{}
	if err := l.one(q, u).wait(ctx); err != nil {
		return row, err // and there is a worker
	}
	a, err := begin(ctx, how, l.cpu, l.life())
	if err != nil {
		return row, err
	}
	defer a.stop() // before the system is
	row = Row{Antagonist: how, Queue: s.name}
	u.measure()
	for range rounds {
		waits, err := l.waits(ctx, q, u, s.once)
		if err != nil {
			return row, err
		}
		if row.take(waits); s.pinned || row.Max <= quiet {
			break
		}
	}
	if s.pinned {
		row.Got = u.got()
	}
	row.Stop, err = l.stops(ctx, q, u)
	return row, err
}

// take keeps the best round.
func (r *Row) take(waits []time.Duration) {
	slices.Sort(waits)
	at := func(p float64) time.Duration { return waits[int(p*float64(len(waits)-1))] }
	r.Worst = max(r.Worst, at(1))
	if r.Items == 0 || at(1) < r.Max {
		r.Items, r.Median, r.P99, r.Max = len(waits), at(.5), at(.99), at(1)
	}
}

// item is one that is queued.
type item struct {
	queued  time.Time
	started chan time.Duration // how long it waited
	err     error
}

func (i *item) wait(ctx context.Context) error {
	if i.err != nil {
		return i.err
	}
	select {
	case d := <-i.started:
		i.started <- d
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// one queues an item for the antagonist's CPU.
func (l *lab) one(q *cmwq.Queue, u *usage) *item {
	i := &item{queued: time.Now(), started: make(chan time.Duration, 1)}
	i.err = q.QueueOn(l.cpu, cmwq.NewWork(func(*cmwq.Context) error {
		d := time.Since(i.queued)
		i.started <- d
		u.item()
		for time.Since(i.queued) < d+takes {
		}
		return nil
	}))
	return i
}

// waits queues items for a while, and gives how long each waited.
func (l *lab) waits(ctx context.Context, q *cmwq.Queue, u *usage, once bool) ([]time.Duration, error) {
	var items []*item
	start := time.Now()
	for at := time.Duration(0); at < l.each; at += every {
		time.Sleep(time.Until(start.Add(at)))
		if n := len(items); n == 0 || !once || len(items[n-1].started) > 0 {
			items = append(items, l.one(q, u))
		}
	}
	waits := make([]time.Duration, len(items))
	for k, i := range items {
		if err := i.wait(ctx); err != nil {
			return nil, err
		}
		waits[k] = <-i.started
	}
	return waits, nil
}

// pause is long enough for a thread that had its CPU at last to have it no more.
const pause = 100 * time.Millisecond

// stops gives how long it takes to stop all goroutines while an item is about to start:
// what a collection of garbage does, and others.
func (l *lab) stops(ctx context.Context, q *cmwq.Queue, u *usage) (longest time.Duration, err error) {
	var m runtime.MemStats
	for range 2 {
		time.Sleep(pause)
		i := l.one(q, u)
		start := time.Now()
		runtime.ReadMemStats(&m)
		longest = max(longest, time.Since(start))
		if err := i.wait(ctx); err != nil {
			return 0, err
		}
	}
	return longest, nil
}
