package sim

import (
	"math/rand/v2"
)

// scheduler gives the machine's CPUs to tasks: one queue a pod and one for tasks
// that may run anywhere, first come, first served.
type scheduler struct {
	*machine
	rand    *rand.Rand
	model   *AffinityModel
	waiting [][]*task // by pod, and at last those of no pod
}

func newScheduler(m *machine, r *rand.Rand, a *Affinity) *scheduler {
	pods := 0
	for _, x := range m.cpus {
		pods = max(pods, x.pod+1)
	}
	return &scheduler{machine: m, rand: r, model: &a.Model, waiting: make([][]*task, pods+1)}
}

// ready gives a task an idle CPU where it may run, or has it wait for one.
func (s *scheduler) ready(t *task) {
	t.at = s.now
	if x := s.idle(t.pod); x != nil {
		s.run(x, t)
		return
	}
	if x := s.idle(-1); x != nil && t.mover && s.rand.Float64() < s.model.Migrate {
		t.pod = x.pod
		s.run(x, t)
		return
	}
	q := &s.waiting[len(s.waiting)-1]
	if t.pod >= 0 {
		q = &s.waiting[t.pod]
	}
	*q = append(*q, t)
	if t.steal {
		at := t.at
		s.after(s.model.Steal, func() {
			if x := s.idle(-1); x != nil && t.at == at && t.cpu == nil && s.remove(t) {
				s.run(x, t)
			}
		})
	}
}

// idle finds an idle CPU of a pod, on an idle core if there is one.
func (s *scheduler) idle(pod int) (found *hardCPU) {
	for _, x := range s.cpus {
		if x.task != nil || pod >= 0 && x.pod != pod {
			continue
		}
		if x.coreIdle() {
			return x
		}
		if found == nil {
			found = x
		}
	}
	return found
}

// waited says whether a task waits for a CPU of a pod.
func (s *scheduler) waited(pod int) bool {
	return len(s.waiting[pod]) > 0 || len(s.waiting[len(s.waiting)-1]) > 0
}

func (s *scheduler) remove(t *task) bool {
	q := s.waiting[t.pod]
	for i, x := range q {
		if x == t {
			s.waiting[t.pod] = append(q[:i], q[i+1:]...)
			return true
		}
	}
	return false
}

// run starts a task; one that has nothing to do leaves at once.
func (s *scheduler) run(x *hardCPU, t *task) {
	s.hold(x)
	t.cpu = x
	x.task = t // next may make other tasks ready
	work, ok := t.next()
	if !ok {
		s.leave(x)
		return
	}
	s.set(x, t, work, s.over)
}

// over asks a task for more when it has done its work.
func (s *scheduler) over(x *hardCPU) {
	t := x.task
	if work, ok := t.next(); ok {
		s.set(x, t, work, s.over)
		return
	}
	s.leave(x)
}

// leave takes a task off its CPU, which takes the next.
func (s *scheduler) leave(x *hardCPU) {
	t := x.task
	t.cpu, t.last = nil, x.pod
	s.set(x, nil, 0, s.over)
	if next := s.pick(x); next != nil {
		s.run(x, next)
	}
}

// pick takes the oldest task that may run on a CPU: of its pod or of none, else
// one of another pod that may be taken.
func (s *scheduler) pick(x *hardCPU) *task {
	own, all := &s.waiting[x.pod], &s.waiting[len(s.waiting)-1]
	switch {
	case len(*own) > 0 && (len(*all) == 0 || (*own)[0].at <= (*all)[0].at):
		return shift(own)
	case len(*all) > 0:
		return shift(all)
	}
	for p := range s.waiting[:len(s.waiting)-1] {
		for _, t := range s.waiting[p] {
			if t.steal && s.now-t.at >= s.model.Steal || t.mover && s.rand.Float64() < s.model.Migrate {
				s.remove(t)
				if t.mover {
					t.pod = x.pod
				}
				return t
			}
		}
	}
	return nil
}

func shift(q *[]*task) *task {
	t := (*q)[0]
	*q = (*q)[1:]
	return t
}
