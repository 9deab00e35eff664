package cli_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/cli"
)

// Each file has command lines, each with a program of its own; what they print, and their
// exit status if it is not 0. ADDR stands for where the program is.
func TestSessions(t *testing.T) {
	t.Setenv("CMWQ_ADDR", "")
	datadriven.Walk(t, "testdata/sessions", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd != "cmwq" {
				d.Fatalf(t, "unknown command %q", d.Cmd)
			}
			return session(t, program(t).URL, d.Input)
		})
	})
}

// session runs a command line: words between blanks, or between quotes. What follows
// the first line is its input.
func session(t *testing.T, addr, text string) string {
	t.Helper()
	line, input, _ := strings.Cut(text, "\n")
	host := strings.TrimPrefix(addr, "http://")
	args := words(strings.ReplaceAll(line, "ADDR", host))
	var out, stderr bytes.Buffer
	code := cli.Main(t.Context(), args, strings.NewReader(input), &out, &stderr)
	s := out.String()
	for l := range strings.Lines(stderr.String()) {
		s += "stderr: " + l
	}
	if code != 0 {
		s += fmt.Sprintf("exit %d\n", code)
	}
	return strings.ReplaceAll(s, host, "ADDR")
}

func words(line string) (ws []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			ws = append(ws, part)
			continue
		}
		ws = append(ws, strings.Fields(part)...)
	}
	return ws
}
