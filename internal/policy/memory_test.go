package policy

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMemoryShort(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		m     Memory
		short bool
	}{
		{"no limit", Memory{Live: 1 << 40}, false},
		{"below", Memory{Limit: 1000, Live: 949}, false},
		{"at the threshold", Memory{Limit: 1000, Live: 950}, true},
		{"beyond the limit", Memory{Limit: 1000, Live: 2000}, true},
		{"the machine stalls a little", Memory{Stalled: 19.9}, false},
		{"it thrashes", Memory{Stalled: 20}, true},
		{"nothing is known", Memory{}, false},
	} {
		require.Equal(t, c.short, MemoryShort(c.m) != "", c.name)
	}
}

func TestParseStalled(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{
		"some avg10=71.20 avg60=1.00 avg300=0.00 total=12345\nfull avg10=33.15 avg60=0.50 avg300=0.00 total=2345\n": 33.15,
		"full avg10=0.00 avg60=9.00 avg300=0.00 total=1":                                                            0,
		"some avg10=50.00 avg60=50.00 avg300=50.00 total=1\n":                                                       0, // an old kernel: no full line
		"full": 0, "full avg10=": 0, "full avg10=x": 0, "full avg10=-3": 0, "full avg10=NaN": 0, "full avg10=1e9": 0,
		"full avg60=90.0 avg10=90.0": 0, "": 0, "\n\n": 0,
	} {
		require.InDelta(t, want, ParseStalled(text), 0, "%q", text)
	}
}

func FuzzParseStalled(f *testing.F) {
	f.Add("full avg10=1.00 avg60=0.00")
	f.Fuzz(func(t *testing.T, text string) {
		v := ParseStalled(text)
		require.True(t, v >= 0 && v <= 100, "%q: %v", text, v)
	})
}
