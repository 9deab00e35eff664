package actors

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/policy"
)

// manualTimer fires when the test says so.
type manualTimer struct {
	gauges
	fire  func()
	armed int
	err   error
}

func (m *manualTimer) NewTimer(fire func(), _ func(func())) (Timer, error) {
	m.fire = fire
	return m, m.err
}
func (m *manualTimer) Arm(time.Duration) { m.armed++ }
func (m *manualTimer) Close() error      { return nil }

// ticked is a pool that counts its ticks, and may want the next one at once.
func tickedPool() (*pool, *owner) {
	p, o := &pool{}, &owner{}
	p.tick.Init(tickMsg{})
	p.mb.rest = func() int32 { return idle }
	o.during = func() { p.tick.Queued.Store(false) }
	p.mb.RegisterHandlers(o, &o.disp)
	return p, o
}

func TestEachPoolThatWaitsGetsATick(t *testing.T) {
	m := &manualTimer{}
	tick, err := newTicker(m, nil)
	require.NoError(t, err)
	a, ao := tickedPool()
	b, bo := tickedPool()
	_, co := tickedPool()
	tick.arm(a)
	tick.arm(b)
	require.Equal(t, 1, m.armed, "one timer for all, armed once")
	m.fire()
	require.Equal(t, []int{1, 1, 0}, []int{ao.turns, bo.turns, co.turns})
	m.fire()
	require.Equal(t, 1, ao.turns, "nobody waits: a late expiry finds nothing")
	require.Equal(t, 1, m.armed)
}

// A pool that still waits arms again inside its tick, while the ticker walks its
// list.
func TestArmingDuringATick(t *testing.T) {
	m := &manualTimer{}
	tick, err := newTicker(m, nil)
	require.NoError(t, err)
	var pools [3]*pool
	var owners [3]*owner
	for i := range pools {
		pools[i], owners[i] = tickedPool()
		owners[i].during = func() {
			pools[i].tick.Queued.Store(false)
			tick.arm(pools[i])
		}
		tick.arm(pools[i])
	}
	for n := range 10 {
		m.fire()
		for i, o := range owners {
			require.Equal(t, n+1, o.turns, "pool %d", i)
		}
		require.Equal(t, n+2, m.armed)
	}
}

// Warning 4: the expiry may come on another goroutine while a pool arms; nobody
// who armed is forgotten, and no node is listed twice.
func TestArmingBesideATickForgetsNobody(t *testing.T) {
	m := &manualTimer{}
	tick, err := newTicker(m, nil)
	require.NoError(t, err)
	stop := make(chan struct{})
	var firing, wg sync.WaitGroup
	firing.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				tick.fire()
				runtime.Gosched()
			}
		}
	})
	tick.timer = noTimer{}
	for range 3 {
		p, o := tickedPool()
		read := make(chan struct{}, 1)
		o.during = func() {
			p.tick.Queued.Store(false)
			read <- struct{}{}
		}
		wg.Go(func() {
			for range 2000 {
				tick.arm(p)
				<-read
			}
		})
	}
	wg.Wait()
	close(stop)
	firing.Wait()
}

type noTimer struct{}

func (noTimer) Arm(time.Duration) {}
func (noTimer) Close() error      { return nil }

// The real timers: they fire on time, may be armed from their own expiry, and
// leave no goroutine when they are closed.
func TestRealTimers(t *testing.T) {
	for name, src := range map[string]Source{"portable": PortableSource(), "default": DefaultSource()} {
		t.Run(name, func(t *testing.T) {
			disp := newDispatcher(4)
			fired := make(chan struct{})
			var timer Timer
			timer, err := src.NewTimer(func() { fired <- struct{}{} }, disp.Schedule)
			require.NoError(t, err)
			for range 20 {
				timer.Arm(policy.TickPeriod)
				<-fired
			}
			require.NoError(t, timer.Close())
			require.NoError(t, disp.close(t.Context()))
			require.True(t, src.Gauges().Valid)
		})
	}
}
