package actors

import (
	"errors"
	"math"
	"os"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/cmwq/cmwq/internal/policy"
)

// pressure says whether memory is so short that no worker should be made. All
// managers of a system ask the one; it looks at most every pressureAge.
type pressure struct {
	read func() policy.Memory // I: nil: nobody looks
	mu   sync.Mutex           // held for a look, about 50 µs: who comes meanwhile needs what it says
	at   time.Duration        // mu: time of the last look, 0 before the first
	why  error                // mu: what it said; nil: memory is to be had
}

const pressureAge = 100 * time.Millisecond

// psiFile is Linux's pressure stall information; elsewhere it does not exist.
const psiFile = "/proc/pressure/memory"

// short gives why no worker should be made, nil if one may.
func (m *pressure) short(now time.Duration) error {
	if m.read == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.at == 0 || now-m.at >= pressureAge {
		m.at, m.why = now, nil
		if why := policy.MemoryShort(m.read()); why != "" {
			m.why = errors.New(why)
		}
	}
	return m.why
}

// readMemory asks the runtime and, on Linux, the kernel: about 50 µs.
func readMemory() policy.Memory {
	m := processMemory()
	if text, err := os.ReadFile(psiFile); err == nil {
		m.Stalled = policy.ParseStalled(string(text))
	}
	return m
}

// processMemory is the Go memory limit, and what of the memory that it counts is
// not to be freed.
func processMemory() (m policy.Memory) {
	s := [...]metrics.Sample{
		{Name: "/gc/gomemlimit:bytes"},
		{Name: "/gc/heap/live:bytes"},
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/unused:bytes"},
		{Name: "/memory/classes/heap/free:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
	}
	metrics.Read(s[:])
	for _, x := range s {
		if x.Value.Kind() != metrics.KindUint64 {
			return m
		}
	}
	limit := s[0].Value.Uint64()
	if limit == 0 || limit >= math.MaxInt64 {
		return m
	}
	rest := s[2].Value.Uint64()
	for _, heap := range s[3:] {
		rest -= min(rest, heap.Value.Uint64())
	}
	return policy.Memory{Limit: limit, Live: s[1].Value.Uint64() + rest}
}
