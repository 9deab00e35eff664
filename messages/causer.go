package messages

// Causer is an Ext.Msg of an item that may be told to end for a reason of its own: the
// cause of its context then, and what its Dropper is told; nil for ErrCancelled. It is
// called in a pool's turn, and must not wait.
type Causer interface{ Cause() error }
