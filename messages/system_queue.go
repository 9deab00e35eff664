package messages

import "errors"

// ErrSystemQueue says that a system queue is used by everybody: who cannot know
// what is in it may not end it, nor change how it serves the others.
var ErrSystemQueue = errors.New("cmwq: a system queue is everybody's: it cannot be changed, drained or destroyed")
