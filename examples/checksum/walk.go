package main

import (
	"io"
	"io/fs"
	"iter"
	"os"
)

// walk lists the regular files in the trees under paths as find -H -type f
// does: links among paths are followed, links inside the trees are not, which
// is also why no loop of directories can catch it.
func walk(paths []string) source {
	return func(block func(func()) bool) iter.Seq[file] {
		return func(yield func(file) bool) {
			w := walker{block: block, yield: yield}
			for _, path := range paths {
				if !w.argument(path) {
					return
				}
			}
		}
	}
}

type walker struct {
	block func(func()) bool
	yield func(file) bool
}

func (w *walker) argument(path string) bool {
	if path == "-" {
		return w.yield(file{path: path})
	}
	var info fs.FileInfo
	var err error
	if !w.block(func() { info, err = os.Stat(path) }) {
		return false
	}
	switch {
	case err != nil:
		return w.yield(file{path: path, err: err})
	case info.IsDir():
		return w.tree(path)
	case info.Mode().IsRegular():
		return w.yield(file{path: path, size: info.Size()})
	default: // a device or a pipe that was asked for
		return w.yield(file{path: path})
	}
}

// tree lists a tree a part at a time.
func (w *walker) tree(root string) bool {
	t := tree{todo: []string{root}}
	defer t.close()
	for more := true; more; {
		goOn := w.block(func() { more = t.read() })
		for i := 0; goOn && i < len(t.files); i++ {
			goOn = w.yield(t.files[i])
		}
		if !goOn {
			return false
		}
	}
	return true
}

// A tree is walked without recursion: one directory is open at a time however
// deep the tree.
type tree struct {
	todo  []string // directories
	path  string   // the one that is open
	open  *os.File
	files []file // what the last read found
}

const (
	readEntries = 256 // of a directory, taken at a time
	readCalls   = 64  // of ReadDir, in one read
)

// read looks for the next few files and reports whether there may be more.
func (t *tree) read() (more bool) {
	t.files = t.files[:0]
	for range readCalls {
		if t.open == nil && !t.next() {
			return false
		}
		if len(t.files) >= batchFiles {
			break
		}
		t.entries()
	}
	return true
}

// next opens a directory and reports whether there was one left.
func (t *tree) next() bool {
	for n := len(t.todo); n > 0; n = len(t.todo) {
		t.path, t.todo = t.todo[n-1], t.todo[:n-1]
		var err error
		if t.open, err = os.Open(t.path); err == nil {
			return true
		}
		t.open = nil
		t.files = append(t.files, file{path: t.path, err: err})
	}
	return false
}

// entries takes some entries of the open directory.
func (t *tree) entries() {
	entries, err := t.open.ReadDir(readEntries)
	for _, e := range entries {
		t.add(e)
	}
	if err != nil {
		t.close()
	}
	if err != nil && err != io.EOF {
		t.files = append(t.files, file{path: t.path, err: err})
	}
}

func (t *tree) add(e fs.DirEntry) {
	path := t.path + "/" + e.Name()
	if t.path[len(t.path)-1] == '/' {
		path = t.path + e.Name()
	}
	switch {
	case e.IsDir():
		t.todo = append(t.todo, path)
	case e.Type().IsRegular():
		f := file{path: path}
		if info, err := os.Lstat(path); err == nil { // else let opening it tell
			f.size = info.Size()
		}
		t.files = append(t.files, f)
	}
}

func (t *tree) close() {
	if t.open != nil {
		t.open.Close()
		t.open = nil
	}
}
