package sim

import "time"

// thread is what CPUs run. Its owner gives it CPU time to burn; when that is
// burnt, or there is none, it is asked for more while it holds the CPU.
type thread struct {
	left time.Duration
	next func() // burns more, or leaves the CPU
	cpu  *cpu
}

type cpu struct {
	th    *thread
	gen   uint64        // of its thread's stay; timers of an earlier one are void
	since time.Duration // burning since
	slice time.Duration // the thread's stay began
	armed bool          // the end of the slice is
}

// cpus share one run queue, first come, first served.
type cpus struct {
	*clock
	quantum time.Duration
	cpu     []*cpu
	runq    []*thread
}

func newCPUs(c *clock, n int, quantum time.Duration) *cpus {
	s := &cpus{clock: c, quantum: quantum}
	for range n {
		s.cpu = append(s.cpu, new(cpu))
	}
	return s
}

// running and runnable are what the scheduler's gauges read.
func (s *cpus) running() (n int) {
	for _, c := range s.cpu {
		if c.th != nil {
			n++
		}
	}
	return n
}

func (s *cpus) runnable() int { return len(s.runq) }

// ready puts a thread behind those that wait for a CPU.
func (s *cpus) ready(th *thread) {
	s.runq = append(s.runq, th)
	s.call()
}

// burn gives the thread on a CPU so much to do.
func (s *cpus) burn(th *thread, d time.Duration) {
	th.left = d
	s.resume(th.cpu)
	s.endSlices()
}

// leave takes a thread off its CPU.
func (s *cpus) leave(th *thread) {
	c := th.cpu
	th.cpu, c.th = nil, nil
	c.gen++
	s.call()
}

// call has the scheduler look when what is going on now is over.
func (s *cpus) call() { s.soon = s.schedule }

func (s *cpus) schedule() {
	for _, c := range s.cpu {
		for c.th == nil && len(s.runq) > 0 {
			th := s.runq[0]
			s.runq = s.runq[1:]
			c.th, th.cpu = th, c
			c.slice, c.armed = s.now, false
			s.resume(c)
		}
	}
	s.endSlices()
}

// resume burns what the thread has left, or asks it.
func (s *cpus) resume(c *cpu) {
	th, gen := c.th, c.gen
	if th.left <= 0 {
		th.next()
		return
	}
	c.since = s.now
	s.after(th.left, func() {
		if c.gen == gen && c.th == th {
			th.left = 0
			th.next()
		}
	})
}

// endSlices sees to it that a thread gives way when its quantum is over and
// another one waits: at once if it has been over for long.
func (s *cpus) endSlices() {
	if s.quantum == 0 || len(s.runq) == 0 {
		return
	}
	for _, c := range s.cpu {
		if c.th != nil && !c.armed {
			c.armed = true
			gen := c.gen
			s.after(max(0, c.slice+s.quantum-s.now), func() { s.preempt(c, gen) })
		}
	}
}

func (s *cpus) preempt(c *cpu, gen uint64) {
	if c.gen != gen {
		return
	}
	c.armed = false
	th := c.th
	left := th.left - (s.now - c.since)
	if len(s.runq) == 0 || left <= 0 {
		return
	}
	th.left = left
	s.leave(th)
	s.ready(th)
}
