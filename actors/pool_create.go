package actors

import (
	"time"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// retryCreate ends the wait after a creation that failed: the time is up, or
// there is a reason to try again.
type retryCreate struct{}

// createFailed waits before the manager is asked again. Until then the request
// counts as outstanding, as the kernel's manager role while its holder sleeps.
func (p *pool) createFailed() {
	p.rescue.cooling = time.AfterFunc(policy.CreateCooldown, func() { p.mb.post(&messages.NewControl(retryCreate{}).Item) })
}

// retry lets the end of the turn ask again, if the pool still wants a worker then.
func (p *pool) retry() {
	if p.rescue.cooling != nil {
		p.rescue.cooling.Stop()
		p.rescue.cooling = nil
		p.pol.CreateFailed()
	}
}

// rescueControl handles the messages about creation and rescue.
func (p *pool) rescueControl(msg any) {
	switch m := msg.(type) {
	case *messages.CreateFailed:
		p.createFailed()
	case retryCreate:
		p.retry()
	case maydayMsg:
		p.callForHelp()
	case *messages.Rescue:
		p.helped(m)
	case *leaving:
		p.rescuerLeft(m)
	}
}
