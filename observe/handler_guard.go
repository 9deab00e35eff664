package observe

import (
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// refusal is an answer to a request that is not served.
type refusal struct {
	status    int
	why       string
	challenge string // WWW-Authenticate
}

func (e *refusal) write(w http.ResponseWriter) {
	if e.challenge != "" {
		w.Header().Set("WWW-Authenticate", e.challenge)
	}
	http.Error(w, e.why, e.status)
}

func forbidden(why string) *refusal { return &refusal{status: http.StatusForbidden, why: why} }

// harden has browsers keep the page to itself: nothing inline, nothing from elsewhere,
// in no frame, in no cache.
func harden(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; "+
		"img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// admit says whether a request is answered.
func (h *handler) admit(r *http.Request) *refusal {
	if h.auth == nil {
		if !local(r) {
			return forbidden("only loopback addresses are answered; see observe.AllowRemote")
		}
		// Empty ones count: a proxy may add its own behind one that the client has sent.
		for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via"} {
			if len(r.Header.Values(name)) > 0 {
				return forbidden("the request came through a proxy; see observe.AllowRemote")
			}
		}
	}
	if !h.knows(r.Host) {
		return forbidden("the host name is not known here; see observe.Hosts")
	}
	if foreign(r) {
		return forbidden("the request came from a page of another origin")
	}
	if h.auth == nil {
		return nil
	}
	if err := h.auth(r); err != nil {
		if c := (*ChallengeError)(nil); errors.As(err, &c) {
			return &refusal{http.StatusUnauthorized, "not authenticated", c.Challenge}
		}
		return forbidden("not allowed")
	}
	return nil
}

// local says whether a request came from this machine.
func local(r *http.Request) bool {
	if a, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok && a.Network() == "unix" {
		return true
	}
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && from.Addr().Unmap().IsLoopback()
}

// knows says whether a Host header is one by which the handler is reached. An address
// needs no name service that could lie.
func (h *handler) knows(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || h.hosts[host]
}

// foreign says whether a browser made the request for a page of another origin. A link
// that somebody follows is none.
func foreign(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return false
	}
	return r.Header.Get("Sec-Fetch-Mode") != "navigate" || r.Method != http.MethodGet
}

// mayChange says whether a request may change something.
func (h *handler) mayChange(r *http.Request) *refusal {
	if !h.controls {
		return forbidden("controls are not enabled; see observe.Controls")
	}
	if err := http.NewCrossOriginProtection().Check(r); err != nil {
		return forbidden("the request came from a page of another origin")
	}
	if subtle.ConstantTimeCompare([]byte(r.Header.Get("X-Cmwq-Token")), []byte(h.token)) != 1 {
		return forbidden("the token is missing, or of another run of the program: load the page again")
	}
	return nil
}

// newToken gives 128 random bits.
func newToken() string { return rand.Text() }
