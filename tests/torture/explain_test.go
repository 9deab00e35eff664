package torture

// explain tells what is missing of whom, when the books do not add up.
func (w *world) explain() {
	w.t.Logf("futures %d, others %d, requeued %d", w.futures.missing(), w.others.missing(), w.requeued.Load())
	for _, it := range w.items {
		if n := it.missing(); n != 0 {
			at := "no place"
			if it.at != nil {
				at = kinds[it.at.kind].name
			}
			w.t.Logf("item %d of %s: %d", it.id, at, n)
		}
	}
	for _, x := range w.tolls {
		if n := x.missing(); n != 0 {
			w.t.Logf("toll on %s: %d; heard %v", x.m.name, n, w.heard[x.id])
		}
	}
	for _, g := range w.gangs {
		if n := g.missing(); n != 0 {
			w.t.Logf("gang on %s: %d", g.m.name, n)
		}
	}
	for _, f := range w.results {
		if f.calls.Load() == 0 {
			_, err := f.Wait(bg)
			w.t.Logf("result on %s, not called: %v", f.m.name, err)
		}
	}
	for _, q := range w.queues {
		st, _ := q.Stats(bg)
		m := w.meter(q)
		if n := m.functions.missing(); n+st.Retried+st.WaitedOut+st.Dropped+m.left.Load() != 0 {
			w.t.Logf("%s: functions %d, left %d, retried %d, waited out %d, dropped %d", m.name, n, m.left.Load(), st.Retried, st.WaitedOut, st.Dropped)
		}
	}
}
