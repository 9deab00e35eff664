package cmwq_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cmwq/cmwq"
)

// A heartbeat: every run begins a multiple of the interval after the first.
func ExampleQueue_Every() {
	sys, q := example()
	defer sys.Stop(context.Background())
	beats := make(chan int)
	n := 0
	w := cmwq.NewWork(func(ctx *cmwq.Context) error {
		n++
		ctx.Block(func() { beats <- n })
		return nil
	})
	s, err := q.Every(cmwq.Interval(time.Millisecond), w, cmwq.FirstNow())
	fmt.Println(err)
	for range 3 {
		fmt.Println(<-beats)
	}
	go func() { // a run may wait for somebody to listen
		for range beats {
		}
	}()
	_, err = s.StopWait(context.Background())
	fmt.Println(err)
	close(beats)
	fmt.Println(errors.Is(s.Err(), cmwq.ErrCancelled), s.Stop())
	// Output:
	// <nil>
	// 1
	// 2
	// 3
	// <nil>
	// true false
}

// What the instants are at which nobody could run the item.
func ExampleCatchUp() {
	sys, q := example()
	defer sys.Stop(context.Background())
	// After a restart: the last run was three and a half hours ago.
	last := time.Now().Add(-210 * time.Minute)
	for _, policy := range []cmwq.CatchUpPolicy{cmwq.Skip, cmwq.Once, cmwq.All} {
		n := 0
		w := cmwq.NewWork(func(*cmwq.Context) error { n++; return nil })
		s, _ := q.Every(cmwq.Interval(time.Hour), w, cmwq.FirstAt(last.Add(time.Hour)), cmwq.CatchUp(policy))
		for st := s.Stats(); policy != cmwq.Skip && st.Runs+st.Missed < 3; st = s.Stats() {
			time.Sleep(time.Millisecond)
		}
		_ = w.Flush(context.Background())
		s.Stop()
		fmt.Println(n, "runs to make up for three missed")
	}
	// Output:
	// 0 runs to make up for three missed
	// 1 runs to make up for three missed
	// 3 runs to make up for three missed
}

func ExampleCron() {
	sys, q := example()
	defer sys.Stop(context.Background())
	report := cmwq.NewWork(func(*cmwq.Context) error { return nil })
	s, err := q.Every(cmwq.CronIn(time.UTC, "*/5 * * * *"), report, cmwq.Jitter(10*time.Second))
	fmt.Println(err, s.Stats().Next.UTC().Minute()%5)
	_, err = q.Every(cmwq.Cron("61 * * * *"), report)
	fmt.Println(errors.Is(err, cmwq.ErrSchedule))
	fmt.Println(cmwq.Cron("@every 90s"))
	// Output:
	// <nil> 0
	// true
	// every 1m30s
}

// weekends is a schedule of the caller's: midnight of each Saturday.
type weekends struct{}

func (weekends) Next(after time.Time) time.Time {
	y, m, d := after.Date()
	return time.Date(y, m, d+1+(int(time.Saturday)-int(after.Weekday())+6)%7, 0, 0, 0, 0, after.Location())
}

func ExampleOnSchedule() {
	sys, q := example()
	defer sys.Stop(context.Background())
	s, err := q.Every(cmwq.OnSchedule(weekends{}), cmwq.NewWork(func(*cmwq.Context) error { return nil }))
	fmt.Println(err, s.Stats().Next.Weekday())
	// Output: <nil> Saturday
}
