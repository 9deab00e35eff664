package arch

import (
	"bytes"
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// maxLines is the wall; 50 to 170 lines is where a file should live.
const maxLines = 300

// lengthProblem says whether a file written by hand is too long, or "".
func lengthProblem(rel string, file *ast.File, src []byte) string {
	lines := bytes.Count(src, []byte("\n"))
	if lines <= maxLines || ast.IsGenerated(file) {
		return ""
	}
	return fmt.Sprintf("%s has %d lines, the limit is %d: one thought a file", rel, lines, maxLines)
}

// commentProblem says whether a package that users can import lacks its
// comment, or "". The files are all of the package but its tests.
func commentProblem(path string, files []*ast.File) string {
	layer, ours := layerOf(path)
	internal := slices.Contains(strings.Split(path, "/"), "internal")
	if !ours || internal || layer == "tests" || len(files) == 0 || files[0].Name.Name == "main" {
		return ""
	}
	want := "Package " + files[0].Name.Name + " "
	for _, f := range files {
		if strings.HasPrefix(f.Doc.Text(), want) {
			return ""
		}
	}
	return fmt.Sprintf("%s has no package comment that begins with %q", path, want)
}
