package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/short"
)

// listed is a source of files that exist only in memory.
func listed(files ...file) source {
	return func(func(func()) bool) iter.Seq[file] { return slices.Values(files) }
}

// sums runs a job over list and returns what became of each path.
func sums(t *testing.T, j *job, list source) map[string]*file {
	t.Helper()
	_, err := j.run(list)
	require.NoError(t, err)
	got := map[string]*file{}
	for _, f := range j.results() {
		got[f.path] = f
	}
	return got
}

func TestOrderIsKeptWhateverTheSizes(t *testing.T) {
	// All in one batch, as the source knows no sizes.
	contents := map[string]string{}
	var files []file
	for i, n := range []int{0, 1, bufferSize - 2, 1, bufferSize, 5*bufferSize + 7, 0, 3 * bufferSize, 2} {
		path := fmt.Sprint(i)
		var b strings.Builder
		for b.Len() < n {
			fmt.Fprintf(&b, "%s %d\n", path, b.Len())
		}
		contents[path] = b.String()[:n]
		files = append(files, file{path: path})
	}
	j := newJob(context.Background(), sha256.New, func(path string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(contents[path])), nil
	})
	got := sums(t, j, listed(files...))
	require.Len(t, got, len(contents))
	for path, content := range contents {
		assert.Equal(t, sha(content), fmt.Sprintf("%x", got[path].sum), path)
		assert.EqualValues(t, len(content), got[path].bytes)
	}
}

func TestReadErrorSpoilsOneFile(t *testing.T) {
	broken := errors.New("broken")
	closed := 0
	j := newJob(context.Background(), sha256.New, func(path string) (io.ReadCloser, error) {
		r := io.Reader(strings.NewReader(path))
		if path == "b" {
			zeros := io.LimitReader(zero{}, 2*bufferSize+1)
			r = io.MultiReader(zeros, errorReader{broken})
		}
		return closer{r, func() { closed++ }}, nil // one batch, one reader
	})
	got := sums(t, j, listed(file{path: "a"}, file{path: "b"}, file{path: "c"}))
	assert.Equal(t, sha("a"), fmt.Sprintf("%x", got["a"].sum))
	require.ErrorIs(t, got["b"].err, broken)
	assert.Nil(t, got["b"].sum)
	assert.Equal(t, sha("c"), fmt.Sprintf("%x", got["c"].sum))
	assert.Equal(t, 3, closed)
}

func TestMemoryIsBoundedByLanes(t *testing.T) {
	const n = 20 * ahead
	files := make([]file, n)
	for i := range files {
		files[i] = file{path: "f", size: bufferSize} // so each is a batch
	}
	j := newJob(context.Background(), sha256.New, func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("content")), nil
	})
	_, err := j.run(listed(files...))
	require.NoError(t, err)
	assert.Len(t, j.results(), n)
	assert.LessOrEqual(t, j.lanes, ahead)
	for _, l := range j.idle {
		assert.Len(t, l.free, laneBuffers, "a lane has all its buffers back")
	}
	assert.Len(t, j.idle, j.lanes, "all lanes are back")
}

func TestLargeSparseFile(t *testing.T) {
	size := int64(short.AtLeast(32<<20, 256<<20))
	makeTree(t, map[string]string{"sparse": ""})
	require.NoError(t, os.Truncate("sparse", size))
	h := sha256.New()
	_, err := io.CopyN(h, zero{}, size)
	require.NoError(t, err)

	j := newJob(context.Background(), sha256.New, opener(nil))
	got := sums(t, j, walk([]string{"."}))
	assert.Equal(t, h.Sum(nil), got["./sparse"].sum)
	assert.Equal(t, size, got["./sparse"].bytes)
	assert.Equal(t, 1, j.lanes, "one lane is all the memory it takes")
}

func TestLaneHashesOnlyWhatIsFull(t *testing.T) {
	content := bytes.Repeat([]byte("x"), bufferSize+1)
	open := func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil }
	l := newLane(sha256.New(), open, func() bool { return false })
	batch := []file{{path: "f"}}
	l.start(batch)
	assert.False(t, l.drain(), "nothing read yet")

	b := <-l.free
	l.fill(b)
	l.full <- b
	assert.False(t, l.drain())
	assert.EqualValues(t, bufferSize, l.bytes)

	b = <-l.free
	l.fill(b)
	l.full <- b
	assert.True(t, l.drain())
	assert.EqualValues(t, 1, l.bytes)
	assert.Equal(t, sha(string(content)), fmt.Sprintf("%x", batch[0].sum))
}

type zero struct{}

func (zero) Read(p []byte) (int, error) { clear(p); return len(p), nil }

type errorReader struct{ err error }

func (r errorReader) Read([]byte) (int, error) { return 0, r.err }

type closer struct {
	io.Reader
	close func()
}

func (c closer) Close() error { c.close(); return nil }
