// Package client asks a running program's handler what its queues do, and says in
// plain words what is wrong when it does not answer.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/cmwq/cmwq/messages"
)

// DefaultAddr is where a program that follows the handler's examples listens.
const DefaultAddr = "http://127.0.0.1:6070/debug/cmwq/"

const (
	timeout = 10 * time.Second // for one answer
	most    = 256 << 20        // bytes of one answer; 10 000 busy queues are about ten million
)

// Client asks one handler. It is safe for concurrent use.
type Client struct {
	base *url.URL
	http *http.Client
}

// New makes a client of the handler at an address: a URL, or host:port and, if the
// program mounts it elsewhere than the examples do, a path.
func New(addr string) (*Client, error) {
	if addr == "" {
		addr = DefaultAddr
	}
	full := addr
	if !strings.Contains(full, "://") {
		full = "http://" + full
	}
	u, err := url.Parse(full)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, &AddrError{Addr: addr}
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/debug/cmwq/"
	}
	if !strings.HasSuffix(u.Path, "/") {
		u.Path += "/"
	}
	u.RawQuery, u.Fragment = "", ""
	// One program's answers do not lead elsewhere, and no proxy is asked for it.
	direct := &http.Transport{Proxy: nil, MaxIdleConns: 1, IdleConnTimeout: time.Minute}
	stays := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Client{u, &http.Client{Transport: direct, Timeout: timeout, CheckRedirect: stays}}, nil
}

// Addr is the handler's address, without what is secret in it.
func (c *Client) Addr() string { return c.base.Redacted() }

// Snapshot asks what the queues and pools do.
func (c *Client) Snapshot(ctx context.Context) (*messages.Snapshot, error) {
	body, err := c.Raw(ctx)
	if err != nil {
		return nil, err
	}
	var s messages.Snapshot
	if err := json.Unmarshal(body, &s); err != nil {
		return nil, c.badJSON(body, err)
	}
	if s.At.IsZero() {
		return nil, c.badJSON(body, errNoTime)
	}
	return &s, nil
}

// Raw is the snapshot's JSON as it was sent, with what this version does not know.
func (c *Client) Raw(ctx context.Context) ([]byte, error) {
	return c.raw(ctx, "snapshot", nil)
}

// RawWhere is Where's JSON as it was sent.
func (c *Client) RawWhere(ctx context.Context) ([]byte, error) {
	return c.raw(ctx, "where", url.Values{"json": {"1"}})
}

func (c *Client) raw(ctx context.Context, what string, q url.Values) ([]byte, error) {
	body, kind, err := c.get(ctx, what, q)
	if err != nil {
		return nil, err
	}
	if kind != "application/json" || !json.Valid(body) {
		return nil, &ProtocolError{URL: c.url(what), Type: kind}
	}
	return bytes.TrimSpace(body), nil
}

// Dump is the program's own dump of what is busy, or all five sections of it.
func (c *Client) Dump(ctx context.Context, sections bool) (string, error) {
	q := url.Values{}
	if sections {
		q.Set("sections", "1")
	}
	return c.text(ctx, "dump", q)
}

// Where says of every item in flight where it is, with its stack.
func (c *Client) Where(ctx context.Context) (*messages.Diagnosis, error) {
	body, err := c.RawWhere(ctx)
	if err != nil {
		return nil, err
	}
	var d messages.Diagnosis
	if err := json.Unmarshal(body, &d); err != nil {
		return nil, &ProtocolError{URL: c.url("where"), Type: "application/json", Err: err}
	}
	return &d, nil
}

// WhereText is Where for people, a line an item.
func (c *Client) WhereText(ctx context.Context) (string, error) { return c.text(ctx, "where", nil) }

// Stacks is the program's goroutine profile, if the handler shows it.
func (c *Client) Stacks(ctx context.Context) (string, error) { return c.text(ctx, "stacks", nil) }

func (c *Client) text(ctx context.Context, what string, q url.Values) (string, error) {
	body, kind, err := c.get(ctx, what, q)
	if err == nil && kind != "text/plain" {
		err = &ProtocolError{URL: c.url(what), Type: kind}
	}
	return Clean(string(body)), err
}

func (c *Client) url(what string) string { return c.base.JoinPath(what).Redacted() }

func (c *Client) get(ctx context.Context, what string, q url.Values) (body []byte, kind string, err error) {
	u := c.base.JoinPath(what)
	u.RawQuery = q.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), http.NoBody)
	if err != nil {
		return nil, "", err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, "", c.unreachable(ctx, err)
	}
	defer resp.Body.Close()
	body, err = io.ReadAll(io.LimitReader(resp.Body, most+1))
	switch {
	case err != nil:
		return nil, "", c.unreachable(ctx, err)
	case resp.StatusCode != http.StatusOK:
		return nil, "", &StatusError{URL: u.Redacted(), What: what, Code: resp.StatusCode, Says: firstLine(body)}
	case len(body) > most:
		return nil, "", fmt.Errorf("%s answers with more than %d MB", u.Redacted(), most>>20)
	}
	kind, _, _ = mime.ParseMediaType(resp.Header.Get("Content-Type"))
	return body, kind, nil
}
