package cli_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/cli"
)

// terminal makes a pseudo-terminal of 80 by 24: who looks at it, and who is in it.
func terminal(t *testing.T) (user, inside *os.File) {
	t.Helper()
	user, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	fd := int(user.Fd())
	require.NoError(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	require.NoError(t, err)
	require.NoError(t, unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80}))
	inside, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	return user, inside
}

var coloured = regexp.MustCompile(`\x1b\[([0-9;]*;)?[349][0-7](;[0-9;]*)?m`)

// The whole command on a terminal: it shows the queues, takes a key, and leaves the
// terminal as it was.
func TestTopOnATerminal(t *testing.T) {
	for _, noColor := range []string{"", "yes"} {
		t.Run("NO_COLOR="+noColor, func(t *testing.T) {
			t.Setenv("NO_COLOR", noColor)
			t.Setenv("TERM", "xterm-256color")
			t.Setenv("CMWQ_ADDR", "")
			user, inside := terminal(t)
			srv := program(t)
			ended := make(chan int, 1)
			var stderr bytes.Buffer
			go func() {
				ended <- cli.Main(t.Context(), []string{"top", "--addr", srv.URL, "--interval", "100ms"}, inside, inside, &stderr)
				inside.Close()
			}()
			var seen bytes.Buffer
			until := func(want string) {
				buf := make([]byte, 4096)
				for !strings.Contains(ansi.Strip(seen.String()), want) {
					n, err := user.Read(buf)
					require.NoError(t, err, "waiting for %q: %q", want, seen.String())
					seen.Write(buf[:n])
				}
			}
			until("pool 0 is stuck")
			until("crypt")
			_, err := user.WriteString("?")
			require.NoError(t, err)
			until("The columns")
			_, err = user.WriteString("s")
			require.NoError(t, err)
			until("goroutine profile")
			_, err = user.WriteString("q")
			require.NoError(t, err)
			rest, _ := io.ReadAll(user) // ends with an error when nobody is left in it
			seen.Write(rest)
			require.Zero(t, <-ended, stderr.String())
			require.NoError(t, user.Close())
			require.Contains(t, seen.String(), "\x1b[?1049l", "the other screen is left")
			require.Equal(t, noColor == "", coloured.Match(seen.Bytes()), "what is stuck is red, if that is wanted")
		})
	}
}
