package messages

import "errors"

// ErrSystemQueue says that a system queue is used by everybody: who cannot know
// what is in it may not end it.
var ErrSystemQueue = errors.New("cmwq: a system queue cannot be drained or destroyed")
