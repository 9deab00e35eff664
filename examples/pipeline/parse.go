package main

import (
	"bytes"
	"errors"
)

var errNoTitle = errors.New("the page has no title")

// parse takes the title and the number of words from a page.
func parse(body []byte) (page, error) {
	_, rest, ok := bytes.Cut(body, []byte("<title>"))
	title, text, end := bytes.Cut(rest, []byte("</title>"))
	if !ok || !end {
		return page{}, errNoTitle
	}
	return page{Title: string(title), Words: len(bytes.Fields(text))}, nil
}
