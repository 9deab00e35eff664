package topology

import (
	"fmt"
	"slices"
)

// Scope says how far a pod reaches. The zero value is [ScopeDefault]. Scopes
// are plain values, safe for concurrent use.
type Scope uint8

const (
	// ScopeDefault leaves the choice to the library: it means ScopeCacheShard
	// wherever a topology is asked for pods.
	ScopeDefault Scope = iota
	// ScopeCPU is one pod a CPU.
	ScopeCPU
	// ScopeSMT is one pod a core: the hardware threads that share it.
	ScopeSMT
	// ScopeCache is one pod a last-level cache.
	ScopeCache
	// ScopeCacheShard is one pod a slice of a last-level cache: about eight
	// cores, so that a cache of many cores does not have one contended pool.
	ScopeCacheShard
	// ScopeNUMA is one pod a memory node.
	ScopeNUMA
	// ScopeSystem is one pod with every CPU.
	ScopeSystem

	numScopes
)

var scopeNames = [numScopes]string{
	ScopeDefault:    "default",
	ScopeCPU:        "cpu",
	ScopeSMT:        "smt",
	ScopeCache:      "cache",
	ScopeCacheShard: "cache_shard",
	ScopeNUMA:       "numa",
	ScopeSystem:     "system",
}

// ScopeError reports a text that names no scope.
type ScopeError struct {
	Text string // what was given
}

// Error says which text was refused and which names exist.
func (e *ScopeError) Error() string {
	return fmt.Sprintf("topology: unknown scope %.40q, want one of %v", e.Text, scopeNames)
}

// ParseScope returns the scope with exactly this name: "default", "cpu",
// "smt", "cache", "cache_shard", "numa" or "system". Case and spaces matter,
// and a prefix is not enough: "cache" is never "cache_shard". Any other text
// gives a [*ScopeError]. It allocates only to report an error.
func ParseScope(name string) (Scope, error) {
	if i := slices.Index(scopeNames[:], name); i >= 0 {
		return Scope(i), nil
	}
	return ScopeDefault, &ScopeError{Text: name}
}

// Valid reports whether s is one of the constants above.
func (s Scope) Valid() bool { return s < numScopes }

// String returns the name that [ParseScope] reads, or "Scope(n)" for a value
// that is no scope.
func (s Scope) String() string {
	if !s.Valid() {
		return fmt.Sprintf("Scope(%d)", uint8(s))
	}
	return scopeNames[s]
}
