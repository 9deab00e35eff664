package main

import (
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
)

// A file is one thing to hash, and what became of it.
type file struct {
	path  string
	size  int64  // as the walk saw it, 0 if unknown
	bytes int64  // as they were read
	sum   []byte // nil until hashed
	err   error  // why there is no sum
	want  []byte // the sum a list expects
	index int    // the place in that list
}

// done reports whether nothing is left to do for f.
func (f *file) done() bool { return f.sum != nil || f.err != nil }

// A source lists files. It runs everything that waits for the disk inside
// block, so that whoever schedules it can let others work meanwhile, and gives
// up when block returns false.
type source func(block func(func()) bool) iter.Seq[file]

// dirEntries is how many entries of a directory are taken at a time.
const dirEntries = 256

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

// tree walks without recursion: one directory is open at a time however deep
// the tree.
func (w *walker) tree(root string) bool {
	for todo := []string{root}; len(todo) > 0; {
		d := directory{path: todo[len(todo)-1], subdirs: todo[:len(todo)-1]}
		for more := true; more; {
			goOn := w.block(func() { more = d.read() })
			for i := 0; goOn && i < len(d.files); i++ {
				goOn = w.yield(d.files[i])
			}
			if !goOn {
				d.close()
				return false
			}
		}
		todo = d.subdirs
	}
	return true
}

// A directory is read a part at a time.
type directory struct {
	path    string
	handle  *os.File
	files   []file   // what the last read found
	subdirs []string // what all reads found
}

// read takes the next entries and reports whether there may be more.
func (d *directory) read() (more bool) {
	d.files = d.files[:0]
	if d.handle == nil {
		var err error
		if d.handle, err = os.Open(d.path); err != nil {
			d.files = append(d.files, file{path: d.path, err: err})
			return false
		}
	}
	entries, err := d.handle.ReadDir(dirEntries)
	for _, e := range entries {
		d.add(e)
	}
	if err == nil {
		return true
	}
	d.close()
	if err != io.EOF {
		d.files = append(d.files, file{path: d.path, err: err})
	}
	return false
}

func (d *directory) add(e fs.DirEntry) {
	path := d.path + "/" + e.Name()
	if d.path[len(d.path)-1] == '/' {
		path = d.path + e.Name()
	}
	switch {
	case e.IsDir():
		d.subdirs = append(d.subdirs, path)
	case e.Type().IsRegular():
		f := file{path: path}
		if info, err := e.Info(); err == nil { // else let opening it tell
			f.size = info.Size()
		}
		d.files = append(d.files, f)
	}
}

func (d *directory) close() {
	if d.handle != nil {
		d.handle.Close()
		d.handle = nil
	}
}

// batchFiles is how many files make one read item at most.
const batchFiles = 32

// batches groups files so that a batch fits one buffer, or is one larger file:
// the cost of an item is then paid once for many small files.
func batches(files iter.Seq[file]) iter.Seq[[]file] {
	return func(yield func([]file) bool) {
		var batch []file
		var bytes int64
		for f := range files {
			if len(batch) == batchFiles || len(batch) > 0 && bytes+f.size >= bufferSize {
				if !yield(slices.Clone(batch)) {
					return
				}
				batch, bytes = batch[:0], 0
			}
			batch = append(batch, f)
			bytes += f.size
		}
		if len(batch) > 0 {
			yield(batch)
		}
	}
}
