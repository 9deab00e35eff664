package observe_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/observe"
)

// The page is at http://localhost:6070/debug/cmwq/ for a browser on this machine, and what
// it shows is there as text and JSON, too.
func ExampleHandler() {
	sys, err := cmwq.New()
	if err != nil {
		panic(err)
	}
	defer sys.Stop(context.Background())
	q, _ := sys.NewQueue("mail", cmwq.Ordered())
	open := make(chan struct{})
	defer close(open)
	begun := make(chan struct{})
	_ = q.Go(func(ctx *cmwq.Context) error { ctx.SetDesc("to ann"); close(begun); <-open; return nil })
	_ = q.Go(func(*cmwq.Context) error { return nil })
	<-begun

	mux := http.NewServeMux()
	mux.Handle("/debug/cmwq/", observe.Handler(sys))
	srv := httptest.NewServer(mux) // in a program: http.ListenAndServe("localhost:6070", mux)
	defer srv.Close()
	resp, err := http.Get(srv.URL + "/debug/cmwq/monitor")
	if err != nil {
		panic(err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	fmt.Printf("%s\n", regexp.MustCompile(`mail +\d+ +\d+`).Find(text))
	// Output:
	// mail                              1       1
}

// For other machines: who asks is asked who it is, and the names of this one are known.
func ExampleAllowRemote() {
	sys, err := cmwq.New()
	if err != nil {
		panic(err)
	}
	defer sys.Stop(context.Background())
	h := observe.Handler(sys,
		observe.Hosts("ops.example.com"),
		observe.AllowRemote(func(r *http.Request) error {
			switch _, password, ok := r.BasicAuth(); {
			case !ok:
				return &observe.ChallengeError{Challenge: `Basic realm="cmwq"`}
			case password != os.Getenv("OPS_PASSWORD"): // subtle.ConstantTimeCompare, in a program
				return errors.New("wrong password")
			}
			return nil
		}))
	ask := func(host string, auth bool) {
		r := httptest.NewRequest(http.MethodGet, "http://"+host+"/dump", nil)
		r.RemoteAddr = "192.0.2.7:50000"
		if auth {
			r.SetBasicAuth("op", os.Getenv("OPS_PASSWORD"))
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		fmt.Println(host, w.Code)
	}
	ask("ops.example.com", true)
	ask("ops.example.com", false)
	ask("evil.example.com", true)
	// Output:
	// ops.example.com 200
	// ops.example.com 401
	// evil.example.com 403
}
