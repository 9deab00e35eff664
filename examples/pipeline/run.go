package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"go.etcd.io/bbolt"

	"github.com/cmwq/cmwq"
)

const pages = 100

// site serves pages of different lengths; one is missing and one has no title.
func site(w http.ResponseWriter, r *http.Request) {
	var n int
	if _, err := fmt.Sscanf(r.URL.Path, "/page/%d", &n); err != nil || n == 13 {
		http.NotFound(w, r)
		return
	}
	time.Sleep(time.Millisecond)
	if n != 42 {
		fmt.Fprintf(w, "<title>Page %d</title>", n)
	}
	fmt.Fprint(w, strings.Repeat("word ", n))
}

// stored tells the actor of a page.
type stored struct {
	url string
	err error
}

func run(out io.Writer, dir string) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: http.HandlerFunc(site)}
	go func() { _ = server.Serve(l) }() // until it is closed
	defer server.Close()
	defer http.DefaultClient.CloseIdleConnections()

	db, err := bbolt.Open(filepath.Join(dir, "pages.db"), 0o600, &bbolt.Options{Timeout: time.Second, NoSync: true})
	if err != nil {
		return err
	}
	defer db.Close()

	quiet := slog.New(slog.DiscardHandler)
	as := actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return quiet }))
	defer as.Shutdown()
	sys, err := cmwq.Start(as, cmwq.WithOnFailure(func(string, error) {})) // the clerk is told
	if err != nil {
		return err
	}
	type count struct{ good, bad int }
	counted := count{}
	clerk := as.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
		switch m := c.Message().(type) {
		case stored:
			if m.err != nil {
				counted.bad++
			} else {
				counted.good++
			}
		case string: // asks how many
			c.Respond(counted)
		}
	}))
	p, err := newPipeline(sys, db, func(url string, err error) { as.Root.Send(clerk, stored{url, err}) })
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for i := range pages {
		if err := p.add(ctx, fmt.Sprintf("http://%s/page/%d", l.Addr(), i)); err != nil {
			return err
		}
	}
	if err := p.flush(ctx); err != nil {
		return err
	}
	v, err := as.Root.RequestFuture(clerk, "how many", 10*time.Second).Result()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "the clerk was told of %d pages stored, %d not\n", v.(count).good, v.(count).bad)
	got, err := load(db)
	if err != nil {
		return err
	}
	words := 0
	for _, p := range got {
		words += p.Words
	}
	fmt.Fprintf(out, "the file has %d pages of %d words\n", len(got), words)
	return sys.Stop(ctx)
}

func main() {
	dir, err := os.MkdirTemp("", "pipeline")
	if err == nil {
		defer os.RemoveAll(dir)
		err = run(os.Stdout, dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}
