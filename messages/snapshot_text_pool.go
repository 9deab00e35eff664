package messages

import (
	"fmt"
	"strings"
	"time"
)

func (p *PoolSnapshot) write(b *strings.Builder) {
	fmt.Fprintf(b, "pool %s:", p.Name)
	p.where(b)
	b.WriteString(" " + p.Kind)
	if p.HighPri {
		b.WriteString(" highpri")
	}
	if p.Strict {
		b.WriteString(" strict")
	}
	fmt.Fprintf(b, ", running %d", p.Running)
	if p.Width > 0 {
		fmt.Fprintf(b, "/%d", p.Width)
	}
	fmt.Fprintf(b, ", workers %d, waiting %d", p.Workers, p.Waiting)
	if p.Waiting > 0 {
		fmt.Fprintf(b, ", hung %s", seconds(p.Hung))
	}
	if p.Wanted > 0 {
		fmt.Fprintf(b, ", manager makes %d", p.Wanted)
	}
	if len(p.Idle) > 0 {
		fmt.Fprintf(b, ", idle: %s", p.idle())
	}
	b.WriteByte('\n')
}

// idle names the workers that went idle last, and says how many others are.
func (p *PoolSnapshot) idle() string {
	const most = 16
	more := len(p.Idle) - most
	if more <= 0 {
		return strings.Join(p.Idle, " ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(p.Idle[more:], " "), more)
}

// write tells what was reported of a hog, and where it was seen.
func (h *Hog) write(b *strings.Builder, now time.Time) {
	fmt.Fprintf(b, "hog: %s of queue %s, %d times, the last that was reported %s ago", h.Func, Clean(h.Queue), h.Times, seconds(now.Sub(h.At)))
	if h.Where != nil {
		fmt.Fprintf(b, ", %s", h.Where)
	}
	fmt.Fprintf(b, "; %s\n", h.Advice)
}

// where tells a pool's CPUs, memory node and priority.
func (p *PoolSnapshot) where(b *strings.Builder) {
	if p.PodCPUs != "" {
		fmt.Fprintf(b, " cpus=%s", p.PodCPUs)
	}
	if p.PodCPUs != "" && p.Node >= 0 {
		fmt.Fprintf(b, " node=%d", p.Node)
	}
	if p.Kind != "bh" {
		fmt.Fprintf(b, " nice=%d", p.Nice)
	}
}
