package topology

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var allScopes = []Scope{ScopeCPU, ScopeSMT, ScopeCacheShard, ScopeCache, ScopeNUMA, ScopeSystem}

func TestScopeNamesRoundTrip(t *testing.T) {
	for s := range numScopes {
		got, err := ParseScope(s.String())
		require.NoError(t, err)
		assert.Equal(t, s, got)
		assert.True(t, s.Valid())
	}
}

// The kernel once matched scope names by prefix, ignoring case, so that
// cache_shard selected cache. Names are exact here.
func TestParseScopeIsExact(t *testing.T) {
	for _, name := range []string{"", "c", "cach", "cache_", "cache_shards", "CPU", "Cache", " cpu", "cpu\n", "0", "Scope(9)"} {
		_, err := ParseScope(name)
		var scopeErr *ScopeError
		require.ErrorAs(t, err, &scopeErr, "%q", name)
		assert.Equal(t, name, scopeErr.Text)
		assert.ErrorContains(t, err, "cache_shard")
	}
}

func TestScopeOutOfRange(t *testing.T) {
	topo, err := Uniform(1, 1, 2, 1)
	require.NoError(t, err)
	for _, s := range []Scope{numScopes, 255} {
		assert.False(t, s.Valid())
		assert.Empty(t, topo.Pods(s))
		assert.Equal(t, -1, topo.PodOf(s, 0))
	}
	assert.Equal(t, "Scope(255)", Scope(255).String())
}
