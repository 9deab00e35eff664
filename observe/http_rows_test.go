package observe

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// many gives a sample of n queues, the i-th of which has i items waiting.
func many(n int) *sample {
	snap := &cmwq.Snapshot{At: time.Unix(1000, 0)}
	for i := range n {
		kind := []string{"managed", "ordered"}[i%2]
		q := cmwq.QueueSnapshot{Name: fmt.Sprintf("Q%05d", i), Kind: kind, Flags: []string{kind}, Shares: share(cmwq.ShareSnapshot{Inactive: i})}
		q.Stats.Total, q.Stats.Failed = int64(n-i), int64(i%7)
		snap.Queues = append(snap.Queues, q)
	}
	var none *sample
	s := none.next(snap)
	s.diagnose(nil, time.Hour)
	return s
}

func TestRows(t *testing.T) {
	s := many(1000)
	for query, want := range map[string]string{
		"":                       "Q00999 Q00998", // trouble first, then what waits
		"sort=name":              "Q00000 Q00001",
		"sort=name&dir=desc":     "Q00999 Q00998",
		"sort=total&dir=desc":    "Q00000 Q00001",
		"sort=waiting":           "Q00000 Q00001",
		"sort=failed&dir=desc":   "Q00006 Q00013",
		"sort=nonsense":          "Q00999 Q00998",
		"q=q0012&sort=name":      "Q00120 Q00121",
		"q=ORDERED&sort=name":    "Q00001 Q00003",
		"q=no+such+queue":        "",
		"q=managed&sort=waiting": "Q00000 Q00002",
	} {
		v, err := url.ParseQuery(query)
		require.NoError(t, err)
		q, _ := readQuery(v)
		rows, cut := s.rows(q)
		var got []string
		for _, r := range rows {
			got = append(got, r.Key)
		}
		require.Equal(t, want, strings.Join(got[:min(2, len(got))], " "), query)
		switch {
		case want == "":
			require.Zero(t, cut)
		case !strings.Contains(query, "q="):
			require.Equal(t, 900, cut, query)
		}
	}
}

func TestIntervals(t *testing.T) {
	for given, want := range map[string]time.Duration{
		"": time.Second, "1ns": 250 * time.Millisecond, "2s": 2 * time.Second, "1h": time.Minute, "-5s": 250 * time.Millisecond, "x": time.Second,
	} {
		_, got := readQuery(url.Values{"interval": {given}})
		require.Equal(t, want, got, given)
	}
}

// BenchmarkFrame is what an event of ten thousand queues costs, beside the snapshot.
func BenchmarkFrame(b *testing.B) {
	s := many(10_000)
	var was *sample
	for b.Loop() {
		n := was.next(s.snap)
		n.diagnose(was, time.Hour)
		b.SetBytes(int64(len(n.frame(query{sort: "level", desc: true}))))
		was = n
	}
}
