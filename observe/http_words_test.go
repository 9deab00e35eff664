package observe

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cmwq/cmwq"
)

// A name may not turn, hide or break the sentence that it stands in.
func TestShown(t *testing.T) {
	for name, want := range map[string]string{
		"mail":                    "mail",
		"Grüße, 世界 👋":             "Grüße, 世界 👋",
		"<script>'\"&</script>":   "<script>'\"&</script>", // it is text where it is shown
		"a\u202egnp.exe":          `a\u{202e}gnp.exe`,
		"a\u2066b\u2069c\u200e":   `a\u{2066}b\u{2069}c\u{200e}`,
		"line\nbreak\x00\u2028":   `line\u{a}break\u{0}\u{2028}`,
		"no\u00a0break\u200b":     `no\u{a0}break\u{200b}`,
		"\xff\xfe":                `\xff\xfe`,
		strings.Repeat("x", 64):   strings.Repeat("x", 64),
		strings.Repeat("x", 9999): strings.Repeat("x", 64) + "…",
	} {
		require.Equal(t, want, shown(name))
	}
}

func TestAgo(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0.0 ms", 1500 * time.Microsecond: "1.5 ms", 31 * time.Millisecond: "31 ms", 1540 * time.Millisecond: "1.5 s",
		31 * time.Second: "31 s", 119 * time.Second: "119 s", 5 * time.Minute: "5 min", 50 * time.Hour: "50 h",
	} {
		require.Equal(t, want, ago(d))
	}
}

// A key is short text, and leads back to its name.
func TestKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := string(rapid.SliceOfN(rapid.Byte(), 1, 400).Draw(t, "name"))
		snap := &cmwq.Snapshot{Queues: []cmwq.QueueSnapshot{{Name: "other"}, {Name: name}}}
		key := keyOf(name)
		require.True(t, utf8.ValidString(key))
		require.LessOrEqual(t, len(key), maxKey)
		require.Equal(t, name, nameOf(snap, key))
	})
	require.Equal(t, "mail", keyOf("mail"))
	long := strings.Repeat("é", 5000)
	require.NotEqual(t, keyOf(long), keyOf(long+"é"))
}
