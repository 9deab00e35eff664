package torture

import (
	"time"

	"golang.org/x/time/rate"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/supervisor"
)

func init() { kinds = append(kinds, more...) }

// soon is a back-off that a round has time for.
var soon = supervisor.Exponential(20*time.Microsecond, 300*time.Microsecond)

// decided has another strategy for each way to fail.
var decided = supervisor.
	When(supervisor.As[*cmwq.PanicError](), supervisor.Retry(2, supervisor.Backoff{}).Then(supervisor.DeadLetter(8))).
	When(supervisor.Is(cmwq.ErrGoexit), supervisor.Retry(1, soon).Then(supervisor.Drop())).
	Else(supervisor.AtMost(10, time.Millisecond, supervisor.Retry(4, soon)).Then(supervisor.Ignore()))

// ends and escalates let some failures pass, and then it is the queue's turn.
var (
	ends      = supervisor.AtMost(4, 50*time.Millisecond, supervisor.Retry(1, soon)).Then(supervisor.StopQueue())
	escalates = supervisor.AtMost(4, 50*time.Millisecond, supervisor.Retry(1, soon)).Then(supervisor.Escalate())
)

// patient is how long a queue drains that must not be abandoned: items of its place
// are to run one at a time.
var patient = cmwq.Shutdown(-1)

// more kinds: with strategies, limits, and parents.
var more = []kind{
	{name: "again", fails: true, opts: options{supervise(supervisor.Retry(3, supervisor.Backoff{}))}},
	{name: "again ordered", top: 1, fails: true, opts: options{cmwq.Ordered(), supervise(supervisor.Retry(2, soon).Then(supervisor.Drop()))}},
	{name: "again percpu", perCPU: true, fails: true, opts: options{cmwq.PerCPU(), supervise(supervisor.Retry(2, soon).Then(supervisor.DeadLetter(8)))}},
	{name: "again rescued", fails: true, opts: options{cmwq.MemReclaim(), cmwq.MaxActive(4), supervise(decided)}},
	{name: "again fixed", fails: true, fixed: 2, opts: options{cmwq.MaxActive(4), supervise(supervisor.Retry(1, supervisor.Backoff{}))}},
	{name: "bh again", perCPU: true, top: 1, fails: true, opts: options{cmwq.BH(), supervise(supervisor.Retry(2, soon))}},
	{name: "decided", fails: true, opts: options{cmwq.Freezable(), supervise(decided)}},
	{name: "dead letters", fails: true, loses: true, opts: options{cmwq.Bounded(20, cmwq.Refuse), supervise(supervisor.DeadLetter(5))}},
	{name: "ends", fails: true, opts: options{supervise(ends), patient}},
	{name: "ends ordered", top: 1, fails: true, opts: options{cmwq.Ordered(), supervise(ends), patient}},
	{name: "escalates", fails: true, loses: true, opts: options{supervise(escalates), patient}},
	{name: "escalates percpu", perCPU: true, fails: true, loses: true, opts: options{cmwq.PerCPU(), supervise(escalates), patient}},

	{name: "bounded", opts: options{cmwq.Bounded(8, cmwq.Refuse), cmwq.MaxActive(4)}},
	{name: "bounded drops", loses: true, opts: options{cmwq.Bounded(8, cmwq.DropOldest), cmwq.MaxActive(2)}},
	{name: "bounded ordered", top: 1, opts: options{cmwq.Ordered(), cmwq.Bounded(4, cmwq.Refuse)}},
	{name: "bounded percpu drops", perCPU: true, loses: true, opts: options{cmwq.PerCPU(), cmwq.Bounded(6, cmwq.DropOldest)}},
	{name: "bh bounded", perCPU: true, top: 1, opts: options{cmwq.BH(), cmwq.Bounded(10, cmwq.Refuse)}},
	{name: "bounded again drops", fails: true, loses: true, opts: options{cmwq.Bounded(5, cmwq.DropOldest), supervise(supervisor.Retry(2, soon))}},
	{name: "bounded rescued", opts: options{cmwq.MemReclaim(), cmwq.Bounded(3, cmwq.Refuse), cmwq.MaxActive(1)}},

	{name: "rated", opts: options{cmwq.Rate(20000, 10), cmwq.Bounded(40, cmwq.Refuse)}},
	{name: "rated ordered", top: 1, loses: true, opts: options{cmwq.Rate(5000, 3), cmwq.Ordered(), cmwq.Bounded(20, cmwq.DropOldest)}},
	{name: "rated again", fails: true, opts: options{cmwq.Rate(20000, 5), cmwq.Bounded(40, cmwq.Refuse), supervise(supervisor.Retry(2, soon))}},

	{name: "timed", opts: options{cmwq.MaxWait(3 * time.Millisecond), cmwq.MaxRun(time.Millisecond)}},
	{name: "timed ordered", top: 1, opts: options{cmwq.Ordered(), cmwq.MaxWait(2 * time.Millisecond), cmwq.MaxRun(time.Millisecond)}},
	{name: "timed again", fails: true, opts: options{
		cmwq.MaxWait(3 * time.Millisecond), cmwq.MaxRun(500 * time.Microsecond), cmwq.MaxActive(3), supervise(supervisor.Retry(2, soon))}},
	{name: "timed bounded drops", loses: true, opts: options{cmwq.MaxWait(3 * time.Millisecond), cmwq.Bounded(6, cmwq.DropOldest), cmwq.MaxActive(1)}},

	{name: "child", child: true, loses: true, opts: options{cmwq.Shutdown(0)}},
	{name: "child that drains", child: true, opts: options{cmwq.Shutdown(-1), cmwq.MaxActive(3)}},
	{name: "child ordered", child: true, loses: true, opts: options{cmwq.Ordered(), cmwq.Shutdown(time.Millisecond)}},
	{name: "child percpu", child: true, loses: true, opts: options{cmwq.PerCPU(), cmwq.Shutdown(time.Millisecond), cmwq.MemReclaim()}},
	{name: "child that escalates", child: true, fails: true, loses: true, opts: options{supervise(escalates), cmwq.Shutdown(2 * time.Millisecond)}},
	{name: "child again", child: true, fails: true, loses: true, opts: options{supervise(decided), cmwq.Shutdown(0), cmwq.Freezable()}},
	{name: "child bounded", child: true, loses: true, opts: options{
		cmwq.Bounded(8, cmwq.DropOldest), cmwq.Rate(20000, 10), cmwq.Shutdown(time.Millisecond), cmwq.MaxActive(2)}},
	{name: "child rescued", child: true, loses: true, opts: options{cmwq.MemReclaim(), cmwq.MaxActive(1), cmwq.Shutdown(0)}},
}

// someRate is a rate that leaves no work behind for long.
func someRate(n int) rate.Limit { return rate.Limit(2000 + n) }
