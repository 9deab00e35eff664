package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCheckOwnOutput(t *testing.T) {
	makeTree(t, odd)
	sums := checksum(t, "", "odd").stdout
	got := checksum(t, sums, "-check", "-")
	assert.Equal(t, exitOK, got.status)
	assert.Empty(t, got.messages())
	assert.Equal(t, len(odd), strings.Count(got.stdout, ": OK\n"))
	assert.Contains(t, got.stdout, "\\odd/new\\nline: OK\n")
	assert.Contains(t, got.stdout, "odd/back\\slash: OK\n")
}

func TestCheck(t *testing.T) {
	a, b := sha("1"), sha("2")
	tests := map[string]struct {
		list     string
		status   int
		stdout   string
		messages string
	}{
		"all right, in the order of the list": {
			b + "  b\n" + a + " *a\n\n# comment\n" + strings.ToUpper(a) + "  a\r\n",
			exitOK, "b: OK\na: OK\na: OK\n", "",
		},
		"tags": {
			"SHA256 (a) = " + a + "\nSHA256(b)= " + b + "\n",
			exitOK, "a: OK\nb: OK\n", "",
		},
		"one space": {a + " a\n" + b + " b", exitOK, "a: OK\nb: OK\n", ""},
		"styles do not mix": {
			a + "  a\n" + b + " b\n", exitOK, "a: OK\n",
			"checksum: WARNING: 1 line is improperly formatted\n",
		},
		"different": {
			b + "  a\n" + a + "  b\n" + a + "  a\n", exitFailed, "a: FAILED\nb: FAILED\na: OK\n",
			"checksum: WARNING: 2 computed checksums did NOT match\n",
		},
		"missing": {
			a + "  no such\n" + a + "  a\n", exitFailed, "no such: FAILED open or read\na: OK\n",
			"checksum: 'no such': No such file or directory\n" +
				"checksum: WARNING: 1 listed file could not be read\n",
		},
		"missing with an odd name": {
			"\\" + a + "  n\\n\\\\\n", exitFailed, "\\n\\n\\\\: FAILED open or read\n",
			"checksum: 'n'$'\\n''\\': No such file or directory\n" +
				"checksum: WARNING: 1 listed file could not be read\n",
		},
		"directory": {
			a + "  d\n", exitFailed, "d: FAILED open or read\n",
			"checksum: d: Is a directory\nchecksum: WARNING: 1 listed file could not be read\n",
		},
		"malformed": {
			a + "  a\njunk\n" + a[1:] + "  a\n0" + a + "  a\n" + a + "  \n\\" + a + "  \\q\n" + a + "  -\n" +
				"SHA512 (a) = " + a + "\n",
			exitOK, "a: OK\n", "checksum: WARNING: 7 lines are improperly formatted\n",
		},
		"nothing but malformed": {
			"junk\n", exitFailed, "",
			"checksum: 'standard input': no properly formatted checksum lines found\n",
		},
		"empty": {
			"", exitFailed, "",
			"checksum: 'standard input': no properly formatted checksum lines found\n",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			makeTree(t, map[string]string{"a": "1", "b": "2"})
			require.NoError(t, os.Mkdir("d", 0o777))
			got := checksum(t, test.list, "-check", "-")
			assert.Equal(t, test.status, got.status)
			assert.Equal(t, test.stdout, got.stdout)
			assert.Equal(t, test.messages, got.messages())
		})
	}
}

func TestCheckFile(t *testing.T) {
	makeTree(t, map[string]string{"a": "1", "list": sha("1") + "  a\n" + sha("in") + "  -\n"})
	got := checksum(t, "in", "-check", "list")
	assert.Equal(t, exitOK, got.status)
	assert.Equal(t, "a: OK\n-: OK\n", got.stdout)

	got = checksum(t, "", "-check", "no list")
	assert.Equal(t, exitFailed, got.status)
	assert.Equal(t, "checksum: 'no list': No such file or directory\n", got.stderr)

	got = checksum(t, "", "-check", ".")
	assert.Equal(t, exitFailed, got.status)
	assert.Equal(t, "checksum: .: Is a directory\n", got.messages())
}
