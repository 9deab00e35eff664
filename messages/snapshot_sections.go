package messages

import (
	"fmt"
	"io"
	"strings"
)

// WriteSections writes how the system is laid out, in the five sections of the kernel's
// wq_dump: scopes, pools, the pools of each queue by CPU, rescuers, and the limits of
// queues whose pools are not one a CPU. Busy or not, all are there.
//
// As there, ref is the number of queues' shares that use the pool, and S marks a queue
// whose workers never leave their pod. There is no default pool: a pod without a CPU
// that is up is served by a pool of all that may be used, which is one of the queue's.
func (s *Snapshot) WriteSections(w io.Writer) error {
	var b strings.Builder
	for _, write := range []func(*strings.Builder){s.scopes, s.pools, s.queuePools, s.rescuers, s.limits} {
		write(&b)
	}
	_, err := io.WriteString(w, strings.TrimSuffix(b.String(), "\n"))
	return err
}

func section(b *strings.Builder, title string) {
	fmt.Fprintf(b, "%s\n%s\n", title, strings.Repeat("=", len(title)))
}

func (s *Snapshot) scopes(b *strings.Builder) {
	section(b, "Affinity scopes")
	fmt.Fprintf(b, "unbound_cpus=%s online_cpus=%s\n\n", s.UnboundCPUs, s.OnlineCPUs)
	for _, sc := range s.Scopes {
		b.WriteString(sc.Name)
		if sc.Default {
			b.WriteString(" (default)")
		}
		fmt.Fprintf(b, "\n  nr_pods  %d\n  pod_cpus", len(sc.Pods))
		for i, p := range sc.Pods {
			fmt.Fprintf(b, " [%d]=%s", i, p.CPUs)
		}
		b.WriteString("\n  pod_node")
		for i, p := range sc.Pods {
			fmt.Fprintf(b, " [%d]=%d", i, p.Node)
		}
		b.WriteString("\n  cpu_pod ")
		for cpu, pod := range sc.CPUPod {
			if pod >= 0 {
				fmt.Fprintf(b, " [%d]=%d", cpu, pod)
			}
		}
		b.WriteString("\n\n")
	}
}

func (s *Snapshot) pools(b *strings.Builder) {
	section(b, "Worker pools")
	width := 0
	for i := range s.Pools {
		width = max(width, len(s.Pools[i].Name))
	}
	for i := range s.Pools {
		p := &s.Pools[i]
		fmt.Fprintf(b, "pool %-*s ref=%2d nice=%3d idle/workers=%3d/%3d %-7s", width, p.Name, p.Refs, p.Nice, len(p.Idle), p.Workers, p.Kind)
		switch {
		case p.CPU >= 0:
			fmt.Fprintf(b, " cpu=%d", p.CPU)
		case p.PodCPUs != "":
			fmt.Fprintf(b, " cpus=%s pod_cpus=%s", p.CPUs, p.PodCPUs)
		}
		if p.Strict {
			b.WriteString(" strict")
		}
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
}

func (s *Snapshot) queuePools(b *strings.Builder) {
	section(b, "Queue CPU -> pool")
	width := s.nameWidth()
	for i := range s.Queues {
		q := &s.Queues[i]
		kind := q.Kind
		if q.Strict {
			kind += ",S"
		}
		fmt.Fprintf(b, "%-*s %-9s", width, Clean(q.Name), kind)
		switch {
		case len(q.CPUPool) == 0 && len(q.Pools) == 1:
			fmt.Fprintf(b, " %s (all)", q.Pools[0])
		default:
			for _, at := range q.CPUPool {
				pool := "-"
				if int(at) < len(q.Pools) {
					pool = q.Pools[at]
				}
				fmt.Fprintf(b, " %4s", pool)
			}
		}
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
}

func (s *Snapshot) rescuers(b *strings.Builder) {
	section(b, "Rescuers")
	fmt.Fprintf(b, "unbound_cpus=%s\n", s.UnboundCPUs)
	width := s.nameWidth()
	for i := range s.Queues {
		if q := &s.Queues[i]; q.Rescuer != nil {
			fmt.Fprintf(b, "%-*s %s cpus=%s\n", width, Clean(q.Name), Clean(q.Rescuer.Worker), q.Rescuer.CPUs)
		}
	}
	b.WriteByte('\n')
}

func (s *Snapshot) limits(b *strings.Builder) {
	section(b, "Limits of queues that are not per-CPU")
	width := s.nameWidth()
	fmt.Fprintf(b, "%-*s %10s %10s  nr/max\n", width, "", "min_active", "max_active")
	for i := range s.Queues {
		q := &s.Queues[i]
		if q.Kind == "percpu" || q.Kind == "bh" {
			continue
		}
		fmt.Fprintf(b, "%-*s %10d %10d", width, Clean(q.Name), q.MinActive, q.Stats.MaxActive)
		for _, n := range q.Nodes {
			if n.Node >= 0 {
				fmt.Fprintf(b, "  node %d: %d/%d", n.Node, n.Active, n.Max)
			} else {
				fmt.Fprintf(b, "  several nodes: %d/%d", n.Active, n.Max)
			}
		}
		if len(q.Nodes) == 0 {
			fmt.Fprintf(b, "  all: %d/%d", q.Stats.Active, q.Stats.MaxActive)
		}
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
}

// nameWidth is what a column of queue names takes, within reason.
func (s *Snapshot) nameWidth() int {
	width := 8
	for i := range s.Queues {
		width = max(width, min(len(Clean(s.Queues[i].Name)), 32))
	}
	return width
}
