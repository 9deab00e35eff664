package actors

// poolMessage is a message to a pool that says itself what is to be done, in the pool's
// turn.
type poolMessage interface{ read(p *pool) }

// refusable is one that must be answered by a pool that has stopped, too.
type refusable interface{ refused(p *pool) }

func (m *evict) read(p *pool)      { p.evict(m) }
func (m *evict) refused(*pool)     { m.done <- nothing }
func (m *abort) read(p *pool)      { p.abort(m.item) }
func (m *arrival) read(p *pool)    { p.onArrival(m) }
func (m *arrival) refused(p *pool) { p.refuseArrival(m) }

func (m *unwait) read(p *pool) { p.unwait(m) }
