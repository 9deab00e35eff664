package torture

import (
	"math/rand/v2"
	"time"

	"github.com/cmwq/cmwq"
)

// series lets an item come round for a while. What it was queued for is booked when the
// series has ended, by hand or with its queue.
func series(w *world, r *rand.Rand) {
	it := w.item(r)
	s, err := w.queue(it, r).Every(cmwq.Interval(50*time.Microsecond+micros(r, 500)), it.Work,
		cmwq.CatchUp(cmwq.CatchUpPolicy(r.IntN(3))), cmwq.Jitter(micros(r, 50)))
	if err != nil {
		w.check("Every", err, cmwq.ErrDraining)
		return
	}
	select {
	case <-s.Done(): // its queue has ended
	case <-time.After(micros(r, 3000)):
		if r.IntN(2) == 0 {
			s.Stop()
			break
		}
		was, err := s.StopWait(bg)
		it.cancel(was)
		w.check("StopWait", err)
	}
	<-s.Done()
	it.accepted.Add(s.Stats().Runs)
}
