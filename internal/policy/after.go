package policy

// After is an item that waits for others to end.
type After struct {
	left   int  // of the others
	onlyOK bool // I: it is not to run if one did not end well
	failed bool
}

// NewAfter waits for n others. onlyOK says that it is to be skipped as soon as one of
// them did not end well.
func NewAfter(n int, onlyOK bool) After { return After{left: n, onlyOK: onlyOK} }

// Ended says that one of the others has ended.
func (a *After) Ended(well bool) {
	a.left--
	a.failed = a.failed || !well
}

// Skip says whether the item is not to run: whoever else it waits for does not matter.
func (a *After) Skip() bool { return a.onlyOK && a.failed }

// Ready says whether it waits for nobody any more, and may run.
func (a *After) Ready() bool { return a.left <= 0 && !a.Skip() }
