package policy

// WhenFull says what a bounded queue does with an item for which it has no room.
type WhenFull uint8

const (
	// Refuse does not accept it: the caller is told.
	Refuse WhenFull = iota
	// DropOldest accepts it in the place of the item that waits longest, which is
	// reported.
	DropOldest
)

// Valid says whether w is one of them.
func (w WhenFull) Valid() bool { return w <= DropOldest }

// Oldest keeps the one of several that arrived first.
type Oldest[T any] struct {
	it  T
	at  int64
	any bool
}

// See offers one that arrived as the at-th.
func (o *Oldest[T]) See(it T, at int64) {
	if !o.any || at < o.at {
		*o = Oldest[T]{it, at, true}
	}
}

// Get gives it; ok is false if none was offered.
func (o *Oldest[T]) Get() (it T, ok bool) { return o.it, o.any }
