package actors

import (
	"slices"
	"time"

	"github.com/cmwq/cmwq/internal/policy"
)

// Sleeping and Awake bracket a declared sleep. One inside the other is one.
func (w *worker) Sleeping() {
	if w.deep++; w.deep == 1 {
		w.since, w.block = w.pool.sys.now(), false
		w.sleeps()
	} else if !w.mute {
		return
	}
	w.speak()
	w.say(phaseSleeping)
}

// Blocking begins a call that may block. While such calls of this share are
// short the pool is not told: the tick looks.
func (w *worker) Blocking() {
	if w.deep++; w.deep > 1 {
		return
	}
	w.since, w.block = w.pool.sys.now(), true
	w.sleeps()
	if policy.TellsBlock(time.Duration(w.home.blocks.Load())) {
		w.say(phaseSleeping)
		return
	}
	w.mute = true
	w.blockAt.Store(int64(w.since))
}

// Awake ends a declared sleep, or a call. One that its item left open is over.
func (w *worker) Awake() {
	if w.deep == 0 {
		return
	}
	if w.deep--; w.deep > 0 {
		return
	}
	d := w.pool.sys.now() - w.since
	w.slept += d
	w.wakes(d)
	if w.block {
		old := time.Duration(w.home.blocks.Load())
		w.home.blocks.Store(int64(policy.SmoothBlock(old, d)))
	}
	quick := w.mute && d < policy.BlockTell
	w.speak()
	if !quick {
		w.say(phaseRunning)
	}
}

// speak ends the time in which a tick may find the worker blocking.
func (w *worker) speak() {
	if w.mute {
		w.mute = false
		w.blockAt.Store(0)
	}
}

// noticeBlocks takes the counted workers that block, and did not say so, for
// sleeping.
func (p *pool) noticeBlocks(now time.Duration) {
	for _, c := range slices.Backward(p.pol.Counted()) { // a worker that leaves is replaced by the last
		w := p.workers[c.ID]
		at := time.Duration(w.blockAt.Load())
		if at == 0 || now-at < policy.BlockNotice {
			continue
		}
		p.takeBack(w)
		p.pol.Blocks(&w.pol)
	}
}
