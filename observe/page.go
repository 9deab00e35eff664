package observe

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// The page is plain files: no build step, and nothing from elsewhere.
//
//go:embed page
var pageFiles embed.FS

var pageTemplate = template.Must(template.ParseFS(pageFiles, "page/page.html"))

// assets are the page's other files, by name.
var assets = map[string]string{
	".css": "text/css; charset=utf-8",
	".js":  "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
}

func (h *handler) page(w http.ResponseWriter, _ *http.Request) {
	about := struct {
		Program         string
		PID             int
		Token           string
		Metrics, Stacks bool
	}{Program: filepath.Base(os.Args[0]), PID: os.Getpid(), Metrics: h.metrics != nil, Stacks: h.stacks}
	if h.controls {
		about.Token = h.token
	}
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, about); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = b.WriteTo(w)
}

func (h *handler) asset(w http.ResponseWriter, _ *http.Request, name string) {
	kind, ok := assets[filepath.Ext(name)]
	if !ok || strings.ContainsAny(name, `/\`) {
		http.Error(w, "there is nothing of that name", http.StatusNotFound)
		return
	}
	b, err := pageFiles.ReadFile("page/" + name)
	if err != nil {
		http.Error(w, "there is nothing of that name", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(b)
}
