package policy

import "time"

// A call that may block, and is declared, need not block: a read may find its
// page in memory. Telling the pool then starts another worker for nothing. So a
// share remembers how long its calls take, and as long as they are short a worker
// only marks where it is; the tick notices the one that blocks after all.
const (
	blockShort  = 50 * time.Microsecond // calls that take less need not be told
	BlockNotice = 50 * time.Microsecond // what the tick allows a call that was not told
	BlockTell   = 20 * time.Microsecond // a longer call tells when it is over: a tick may have noticed it
)

// TellsBlock says whether a worker should tell the pool that it is about to call
// something that may block, given how long such calls took; 0 is unknown.
func TellsBlock(smoothed time.Duration) bool { return smoothed == 0 || smoothed >= blockShort }

// SmoothBlock folds the time of a call into what TellsBlock is asked with. One
// call of a millisecond is enough to tell the next.
func SmoothBlock(smoothed, d time.Duration) time.Duration {
	if smoothed == 0 {
		return max(1, d)
	}
	return max(1, smoothed+(d-smoothed)/8)
}
