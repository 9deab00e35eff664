package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"syscall"
)

// Mount is the line a program needs to be seen.
const Mount = `http.Handle("/debug/cmwq/", observe.Handler(sys))`

// Listen is the line a program needs that serves no HTTP yet.
const Listen = `go http.ListenAndServe("127.0.0.1:6070", nil)`

var errNoTime = errors.New("it has no time stamp")

// AddrError reports an address that is none.
type AddrError struct{ Addr string }

// Error shows what an address looks like.
func (e *AddrError) Error() string {
	return fmt.Sprintf("%q is no address: want a URL such as %s, or host:port", e.Addr, DefaultAddr)
}

// UnreachableError reports that nothing answers.
type UnreachableError struct {
	Addr string
	Err  error
}

// Error says what to put into the program.
func (e *UnreachableError) Error() string {
	switch {
	case errors.Is(e.Err, syscall.ECONNREFUSED):
		return fmt.Sprintf("nothing listens at %s\n\nThe program must serve the handler (import net/http and %s):\n\n\t%s\n\t%s\n\n"+
			"If it does so elsewhere, say where with --addr or $CMWQ_ADDR.", e.Addr, observePackage, Mount, Listen)
	case isTimeout(e.Err):
		return fmt.Sprintf("%s did not answer within %v: the program, or the network, is stuck", e.Addr, timeout)
	}
	return fmt.Sprintf("cannot reach %s: %v", e.Addr, e.Err)
}

// Unwrap is the network's own error.
func (e *UnreachableError) Unwrap() error { return e.Err }

const observePackage = "github.com/cmwq/cmwq/observe"

func isTimeout(err error) bool {
	var n net.Error
	return errors.As(err, &n) && n.Timeout()
}

func (c *Client) unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return &UnreachableError{Addr: c.Addr(), Err: err}
}

// StatusError reports an answer that is a refusal.
type StatusError struct {
	URL  string
	What string // snapshot, dump, stacks
	Code int
	Says string // the first line of the answer
}

// Error says what the refusal means.
func (e *StatusError) Error() string {
	said := ""
	if e.Says != "" {
		said = ": " + e.Says
	}
	hint := ""
	switch {
	case e.Code == http.StatusNotFound && e.What == "stacks":
		hint = "\n\nA handler shows stacks only if the program asks for that: observe.Handler(sys, observe.Stacks())"
	case e.Code == http.StatusForbidden:
		hint = "\n\nA handler answers requests of its own machine only, unless the program gives it\n" +
			"observe.AllowRemote and, for names, observe.Hosts. Or forward its port:\n\n\tssh -L 6070:127.0.0.1:6070 HOST"
	case e.Code == http.StatusUnauthorized:
		hint = "\n\nIt wants to know who asks. Set $CMWQ_ADDR to http://NAME:PASSWORD@HOST:PORT/debug/cmwq/"
	case e.Code == http.StatusNotFound && e.What == "where":
		hint = "\n\nEither no handler of cmwq is under that path, or it is of an older version."
	case e.Code == http.StatusNotFound:
		hint = "\n\nSomething listens there, and it has no handler of cmwq under that path. Mount it:\n\n\t" + Mount
	case e.Code == http.StatusGone:
		hint = "\n\nThe program runs, and has stopped its queues."
	}
	return fmt.Sprintf("%s: %d %s%s%s", e.URL, e.Code, http.StatusText(e.Code), said, hint)
}

// ProtocolError reports an answer that is not a handler's, or not one that this
// version knows.
type ProtocolError struct {
	URL     string
	Type    string // content type, if that is what is wrong
	Version string // of the library that answers, if it says so
	Err     error
}

// Error says who probably answered.
func (e *ProtocolError) Error() string {
	switch {
	case e.Version != "":
		return fmt.Sprintf("%s is of cmwq %s, which this command cannot read: %v\n\nInstall the command of that version.", e.URL, e.Version, e.Err)
	case e.Err != nil:
		return fmt.Sprintf("%s is no snapshot of cmwq that this command can read: %v", e.URL, e.Err)
	}
	return fmt.Sprintf("what answers at %s is not cmwq's handler, or of another version: it sends %q", e.URL, e.Type)
}

// Unwrap is the decoder's error.
func (e *ProtocolError) Unwrap() error { return e.Err }

func (c *Client) badJSON(body []byte, err error) error {
	var v struct {
		Version string `json:"version"`
	}
	_ = json.Unmarshal(body, &v) // it may well say none
	return &ProtocolError{URL: c.url("snapshot"), Type: "application/json", Version: Clean(v.Version), Err: err}
}

func firstLine(body []byte) string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(body)), "\n")
	if len(line) > 200 || strings.HasPrefix(line, "<") {
		return ""
	}
	return Clean(line)
}
