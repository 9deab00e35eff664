package observe

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/cmwq/cmwq"
)

// maxKey is the longest name that is its own key, in bytes.
const maxKey = 256

const hashed = "sha256:"

// keyOf is what the page calls a queue by: its name, or a hash of one that is long or is
// no text.
func keyOf(name string) string {
	if len(name) <= maxKey && utf8.ValidString(name) {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return hashed + hex.EncodeToString(sum[:16])
}

// nameOf finds the name that a key is of, in a snapshot.
func nameOf(snap *cmwq.Snapshot, key string) string {
	if !strings.HasPrefix(key, hashed) {
		return key
	}
	for i := range snap.Queues {
		if name := snap.Queues[i].Name; keyOf(name) == key {
			return name
		}
	}
	return key
}
