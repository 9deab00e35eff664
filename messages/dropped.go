package messages

// Dropped is published on the actor system's event stream when a bounded queue has
// dropped an item that waited, to make room for a newer one: Err is ErrDropped.
type Dropped struct {
	Queue string
	Err   error
}
