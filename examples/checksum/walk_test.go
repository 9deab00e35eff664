package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// always runs f on the spot: a source need not be scheduled.
func always(f func()) bool { f(); return true }

func TestLinks(t *testing.T) {
	makeTree(t, map[string]string{"d/f": "1", "target/g": "2"})
	for link, to := range map[string]string{
		"d/loop":    "../d",       // inside a tree: not followed
		"d/link":    "f",          // nor this
		"d/nowhere": "missing",    // so this is no error
		"dirlink":   "d",          // as an argument: followed
		"filelink":  "target/g",   // followed
		"dangling":  "not there",  // an error
		"circle":    "circle",     // an error
		"target/up": "../dirlink", // not followed
	} {
		require.NoError(t, os.Symlink(to, link))
	}
	got := checksum(t, "", "dirlink", "filelink", "target/", "dangling", "circle")
	assert.Equal(t, exitFailed, got.status)
	assert.Equal(t, line("dirlink/f", "1")+line("filelink", "2")+line("target/g", "2"), got.stdout)
	assert.Equal(t, "checksum: circle: Too many levels of symbolic links\n"+
		"checksum: dangling: No such file or directory\n", got.messages())
}

func TestUnreadableFilesDoNotStopTheRest(t *testing.T) {
	makeTree(t, map[string]string{"d/a": "1", "d/gone": "2", "d/locked": "3", "d/z": "4"})
	open := func(path string) (io.ReadCloser, error) {
		switch path {
		case "d/gone":
			return nil, &fs.PathError{Op: "open", Path: path, Err: syscall.ENOENT}
		case "d/locked":
			return nil, &fs.PathError{Op: "open", Path: path, Err: syscall.EACCES}
		}
		return os.Open(path)
	}
	j := newJob(context.Background(), sha256.New, open)
	lines, err := j.run(walk([]string{"d", "missing"}))
	require.NoError(t, err)

	var stdout, stderr strings.Builder
	status := reportSums(&stdout, &stderr, j, &config{algo: algorithms[0]}, lines, nil)
	assert.Equal(t, exitFailed, status)
	assert.Equal(t, line("d/a", "1")+line("d/z", "4"), stdout.String())
	assert.Equal(t, "checksum: d/gone: No such file or directory\n"+
		"checksum: d/locked: Permission denied\n"+
		"checksum: missing: No such file or directory\n", outcome{stderr: stderr.String()}.messages())
}

func TestVanishedDirectory(t *testing.T) {
	files := map[string]string{"d/sub/f": ""}
	for i := range batchFiles { // enough that sub is looked at later
		files[fmt.Sprint("d/", i)] = ""
	}
	makeTree(t, files)
	var got []file
	for f := range walk([]string{"d"})(always) {
		require.NoError(t, os.RemoveAll("d/sub"))
		got = append(got, f)
	}
	require.Len(t, got, batchFiles+1)
	assert.Equal(t, "d/sub", got[batchFiles].path)
	assert.ErrorIs(t, got[batchFiles].err, fs.ErrNotExist)
}

func TestVanishedFileIsLeftToOpen(t *testing.T) {
	makeTree(t, map[string]string{"d/f": "1"})
	d, err := os.Open("d")
	require.NoError(t, err)
	w := tree{path: "d", open: d}
	entries, err := d.ReadDir(-1)
	require.NoError(t, err)
	require.NoError(t, os.Remove("d/f"))
	w.add(entries[0])
	w.close()
	assert.Equal(t, []file{{path: "d/f"}}, w.files)
}

func TestWalkStopsWhenTold(t *testing.T) {
	makeTree(t, map[string]string{"a/b": "1"})
	calls := 0
	twice := func(f func()) bool {
		f()
		calls++
		return calls < 2
	}
	for f := range walk([]string{"."})(twice) {
		t.Errorf("found %s", f.path)
	}
	assert.Equal(t, 2, calls)
}

func TestBatches(t *testing.T) {
	sizes := func(sizes ...int64) iter.Seq[file] {
		return func(yield func(file) bool) {
			for _, s := range sizes {
				if !yield(file{size: s}) {
					return
				}
			}
		}
	}
	tests := map[string]struct {
		files iter.Seq[file]
		want  []int
	}{
		"none":             {sizes(), nil},
		"small together":   {sizes(1, 2, 3), []int{3}},
		"large alone":      {sizes(1, bufferSize, 1, 1), []int{1, 1, 2}},
		"as much as fits":  {sizes(bufferSize/2, bufferSize/2-1, 1), []int{2, 1}},
		"no more than few": {sizes(make([]int64, 2*batchFiles+1)...), []int{batchFiles, batchFiles, 1}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var got []int
			for batch := range batches(test.files) {
				got = append(got, len(batch))
			}
			assert.Equal(t, test.want, got)
		})
	}
}
