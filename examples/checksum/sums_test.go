package main

import (
	"bytes"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// odd has a file for each way in which a name can be trouble.
var odd = map[string]string{
	"odd/plain":           "p",
	"odd/empty":           "",
	"odd/new\nline":       "n",
	"odd/back\\slash":     "b",
	"odd/both\\n\n":       "bn",
	"odd/carriage\rturn":  "c",
	"odd/ spaces ":        "s",
	"odd/-dash":           "d",
	"odd/*star":           "*",
	"odd/not utf-8 \xff":  "x",
	"odd/ünïcode":         "u",
	"odd/<&>.html":        "h",
	"odd/sub/sub/sub/far": strings.Repeat("far", bufferSize),
}

// line is what sha256sum prints for a file of the odd tree.
func line(path, content string) string {
	escaped := strings.NewReplacer("\\", "\\\\", "\n", "\\n", "\r", "\\r").Replace(path)
	if escaped != path {
		return "\\" + sha(content) + "  " + escaped + "\n"
	}
	return sha(content) + "  " + path + "\n"
}

func TestSumsAreThoseOfSha256sum(t *testing.T) {
	makeTree(t, odd)
	paths := make([]string, 0, len(odd))
	for path := range odd {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	var want strings.Builder
	for _, path := range paths {
		want.WriteString(line(path, odd[path]))
	}

	got := checksum(t, "", "odd")
	assert.Equal(t, exitOK, got.status)
	assert.Empty(t, got.messages())
	assert.Equal(t, want.String(), got.stdout)

	// Where there is a sha256sum, it must agree in both directions.
	if _, err := exec.LookPath("sha256sum"); err == nil {
		out, err := exec.Command("sha256sum", append([]string{"--"}, paths...)...).Output()
		require.NoError(t, err)
		assert.Equal(t, string(out), got.stdout)

		check := exec.Command("sha256sum", "--strict", "-c")
		check.Stdin = strings.NewReader(got.stdout)
		out, err = check.CombinedOutput()
		assert.NoError(t, err, "%s", out)
		assert.Equal(t, len(odd), bytes.Count(out, []byte(": OK\n")))
	}
}

func TestSHA512(t *testing.T) {
	makeTree(t, map[string]string{"a": "1"})
	got := checksum(t, "", "-algo", "sha512", "a")
	sum := sha512.Sum512([]byte("1"))
	assert.Equal(t, hex.EncodeToString(sum[:])+"  a\n", got.stdout)
	assert.Equal(t, exitOK, got.status)
}

func TestStandardInput(t *testing.T) {
	got := checksum(t, "content", "-")
	assert.Equal(t, sha("content")+"  -\n", got.stdout)
	assert.Equal(t, exitOK, got.status)
}

func TestJSON(t *testing.T) {
	makeTree(t, odd)
	got := checksum(t, "", "-json", "missing", "odd")
	assert.Equal(t, exitFailed, got.status)
	assert.Equal(t, "checksum: missing: No such file or directory\n", got.messages())

	seen := map[string]string{}
	for text := range strings.Lines(got.stdout) {
		var object struct {
			Path, Algo, Sum, Error string
			PathBytes              []byte `json:"path_bytes"`
			Bytes                  *int
		}
		require.NoError(t, json.Unmarshal([]byte(text), &object))
		assert.Equal(t, "sha256", object.Algo)
		if object.Path == "missing" {
			assert.Equal(t, "No such file or directory", object.Error)
			assert.Nil(t, object.Bytes)
			continue
		}
		if object.PathBytes != nil {
			object.Path = string(object.PathBytes)
		}
		require.NotNil(t, object.Bytes)
		assert.Len(t, odd[object.Path], *object.Bytes)
		seen[object.Path] = object.Sum
	}
	require.Len(t, seen, len(odd))
	for path, content := range odd {
		assert.Equal(t, sha(content), seen[path], "%q", path)
	}
}

func TestQuote(t *testing.T) {
	for path, want := range map[string]string{
		"plain":   "plain",
		"":        "''",
		"a b":     "'a b'",
		"a:b":     "'a:b'",
		"x#~":     "x#~",
		"#x":      "'#x'",
		"{":       "'{'",
		"{a}":     "{a}",
		"a'b c":   `"a'b c"`,
		"it's $x": `'it'\''s $x'`,
		"n\nl":    `'n'$'\n''l'`,
		"a'\nb":   `'a'\'''$'\n''b'`,
		"\x1b[31": `''$'\033''[31'`,
		"x\xffy":  `'x'$'\377''y'`,
		"é]%":     "é]%",
		"a\\b":    `'a\b'`,
	} {
		assert.Equal(t, want, quote(path), "%q", path)
	}
}

func TestEmptyDirectory(t *testing.T) {
	makeTree(t, nil)
	require.NoError(t, os.Mkdir("empty", 0o777))
	got := checksum(t, "", "empty")
	assert.Equal(t, exitOK, got.status)
	assert.Empty(t, got.stdout)
	assert.Empty(t, got.messages())
}
