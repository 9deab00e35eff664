package actors

import (
	"errors"

	"github.com/cmwq/cmwq/messages"
)

// mayCreate says why a worker should not be made now. Memory pressure never
// keeps a pool without any worker: with none it could not even free memory.
func (m *manager) mayCreate(name string) error {
	sys := m.pool.sys
	if err := sys.fault("worker", name); err != nil {
		return err
	}
	if err := m.pool.pin.room(); err != nil {
		return createError("worker", name, err)
	}
	if len(m.pids) == 0 {
		return nil
	}
	if err := sys.memory.short(sys.now()); err != nil {
		return createError("worker", name, err)
	}
	return nil
}

// lacks notes how a creation went. The first failure of a row is logged; that a
// pool has all the workers it may have is none.
func (m *manager) lacks(err error) {
	if !m.lack && errors.Is(err, messages.ErrCreate) {
		m.pool.sys.log.Warn("a worker could not be made", "pool", m.pool.name, "workers", len(m.pids), "err", err)
	}
	m.lack = err != nil
}

// tryAgain tells a pool that waits after a failure that a worker has ended: its
// place, and its memory, are free.
func (m *manager) tryAgain() {
	if m.lack && !m.stopping {
		m.post(retryCreate{})
	}
}
