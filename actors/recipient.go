package actors

// recipient is who waits for an answer of a queue's actor: a caller on a channel, which
// must have room for one value, or an actor for a message.
type recipient struct {
	done chan<- error
	tell func(error)
}

func (w recipient) nobody() bool { return w.done == nil && w.tell == nil }

func (w recipient) answer(err error) {
	reply(w.done, err)
	if w.tell != nil {
		w.tell(err)
	}
}
