package actors

// When other pools serve a queue its keys go to other shares, and each share is of
// one generation: a key never comes back to a share that it has left. What was pushed
// before the table was replaced runs in the old share; a share to which a key is new
// asks the older ones for what they have of it, and holds the key's items until each
// has said that it has none. The question comes after the table was replaced, as
// retirement does, and means it for keys: what an older share reads later is passed on.
type (
	keyAsk struct {
		share *share    // I: the older one
		chain *keyChain // I: of the newer one
	}
	keyFree struct{ chain *keyChain }
)

// askOlder has a new chain wait for older items of its key. Older shares that are
// not in the table any more are empty. Newer ones may be there: they ask this one.
func (p *pool) askOlder(c *keyChain) {
	n := 0
	for _, o := range c.share.queue.table.Load().old {
		switch m := (&keyAsk{o, c}); {
		case o.born >= c.share.born || o.room != nil: // fixed workers have no keys
		case o.pool == p:
			if !p.leaveKey(m) {
				n++
			}
		case o.queue.post(o, m) || !o.pool.ended:
			n++ // or the system stops, and this pool will drop what is held
		}
	}
	c.pol.Await(n)
}

// leaveKey says whether the share has nothing of the key, nor gets anything; else the
// asker will be told.
func (p *pool) leaveKey(m *keyAsk) bool {
	m.share.gets().keys.left = true
	c := m.share.has().keys.chains[m.chain.key]
	if c != nil {
		c.tell = append(c.tell, m)
	}
	return c == nil
}

func (p *pool) onKeyAsk(m *keyAsk) {
	if p.leaveKey(m) {
		m.reply()
	}
}

func (m *keyAsk) reply() { m.share.queue.post(m.chain.share, &keyFree{m.chain}) }

// ended tells newer shares that the key has nothing here.
func (c *keyChain) ended() {
	for _, m := range c.tell {
		m.reply()
	}
	c.tell = nil
}

// onKeyFree lists what was held for older items, when the last have ended.
func (p *pool) onKeyFree(c *keyChain) {
	if c.pol.Ended() && c.share.has().keys.chains[c.key] == c { // else all were cancelled meanwhile
		p.follow(c)
	}
}
