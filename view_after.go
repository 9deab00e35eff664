package cmwq

// After gives a view of the queue as that of Queue.After has it, for the same submitter.
// WaitAtMost counts from the call: the wait for other work is a part of it.
func (v *View) After(deps ...Dependency) *After {
	a := v.q.After(deps...)
	a.wrap = v.wrap
	return a
}

// After gives a view of the key, as that of the View.
func (v *KeyedView) After(deps ...Dependency) *After {
	a := v.k.After(deps...)
	a.wrap = v.wrap
	return a
}
