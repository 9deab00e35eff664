package messages

// Answer gives a *Queued.
func (m *Queue) Answer(err error) any { return &Queued{m.Work, err} }

// Answer gives a *Queued.
func (m *QueueOn) Answer(err error) any { return &Queued{m.Work, err} }

// Answer gives a *Queued.
func (m *QueueAfter) Answer(err error) any { return &Queued{m.Work, err} }

// Answer gives a *Queued.
func (m *Go) Answer(err error) any { return &Queued{nil, err} }

// Answer gives a *Modified.
func (m *Modify) Answer(err error) any { return &Modified{m.Work, false, err} }

// Answer gives a *Cancelled.
func (m *Cancel) Answer(err error) any { return &Cancelled{m.Work, false, err} }

// Answer gives a *Cancelled.
func (m *CancelWait) Answer(err error) any { return &Cancelled{m.Work, false, err} }

// Answer gives a *Disabled.
func (m *Disable) Answer(err error) any { return &Disabled{m.Work, false, err} }

// Answer gives a *Enabled.
func (m *Enable) Answer(err error) any { return &Enabled{m.Work, 0, err} }

// Answer gives a *Flushed.
func (m *FlushWork) Answer(err error) any { return &Flushed{m.Work, err} }

// Answer gives a *Flushed.
func (m *Flush) Answer(err error) any { return &Flushed{nil, err} }

// Answer gives a *Drained.
func (m *Drain) Answer(err error) any { return &Drained{err} }

// Answer gives a *Destroyed.
func (m *Destroy) Answer(err error) any { return &Destroyed{err} }

// Answer gives a *MaxActiveSet.
func (m *SetMaxActive) Answer(err error) any { return &MaxActiveSet{err} }

// Answer gives a *AttrsSet.
func (m *SetAttrs) Answer(err error) any { return &AttrsSet{err} }

// Answer gives a *Inspected.
func (m *Inspect) Answer(err error) any { return &Inspected{Err: err} }
