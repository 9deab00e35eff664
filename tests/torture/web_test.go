package torture

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	dto "github.com/prometheus/client_model/go"

	"github.com/cmwq/cmwq/observe"
	"github.com/cmwq/cmwq/observe/metrics"
)

// web is what looks at the system by HTTP.
type web struct {
	handler http.Handler
	numbers *scrapes
	token   string
	server  *httptest.Server // nil in a bubble, where the network is not
}

var tokenOfPage = regexp.MustCompile(`<meta name="token" content="([^"]+)">`)

func (w *world) serve() {
	w.numbers = &scrapes{Registry: prometheus.NewRegistry(), lacked: map[string]int{}}
	var opts []metrics.Option
	if w.seed%2 == 0 {
		opts = append(opts, metrics.GroupBy(metrics.Each), metrics.ClassicBuckets())
	}
	w.numbers.MustRegister(metrics.New(w.sys, append(opts, metrics.TimeLimit(atOnce))...))
	w.handler = observe.Handler(w.sys, observe.Controls(), observe.Stacks(), observe.HandlerLog(w.log),
		observe.Metrics(promhttp.HandlerFor(w.numbers, promhttp.HandlerOpts{})))
	_, page := w.request(bg, http.MethodGet, "/", "")
	if m := tokenOfPage.FindStringSubmatch(page); m != nil {
		w.token = m[1]
	} else {
		w.t.Errorf("a page without a token: %s", page)
	}
	if !w.virtual {
		w.server = httptest.NewServer(w.handler)
	}
}

func (w *world) closeWeb() {
	if w.server != nil {
		w.server.Close()
		w.server = nil
	}
	if code, body := w.request(bg, http.MethodGet, "/metrics", ""); code != http.StatusOK {
		w.t.Errorf("/metrics of a system that has stopped: %d %s", code, body)
	}
	if code, _ := w.request(bg, http.MethodGet, "/snapshot", ""); code != http.StatusGone {
		w.t.Errorf("/snapshot of a system that has stopped: %d", code)
	}
}

// request asks the handler itself, or a server of it.
func (w *world) request(ctx context.Context, method, path, query string) (int, string) {
	target := "http://127.0.0.1/cmwq" + path + query
	if w.server != nil {
		target = w.server.URL + "/cmwq" + path + query
	}
	r := httptest.NewRequestWithContext(ctx, method, target, http.NoBody)
	r.RemoteAddr = "127.0.0.1:1"
	r.Header.Set("X-Cmwq-Token", w.token)
	if w.server == nil {
		rec := httptest.NewRecorder()
		w.handler.ServeHTTP(rec, r)
		return rec.Code, rec.Body.String()
	}
	r.RequestURI = ""
	resp, err := w.server.Client().Do(r)
	if err != nil {
		if ctx.Err() == nil {
			w.t.Errorf("%s %s: %v", method, path, err)
		}
		return 0, ""
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	if err != nil && ctx.Err() == nil {
		w.t.Errorf("%s %s: %v", method, path, err)
	}
	return resp.StatusCode, string(b)
}

var pages = []string{
	"/", "/page.js", "/snapshot", "/dump", "/dump?sections", "/monitor", "/monitor?filter=percpu", "/where", "/metrics", "/stacks",
}

// webs are operations by HTTP.
var webs = []op{
	{"GET", 3, func(w *world, r *rand.Rand) {
		page := pages[r.IntN(len(pages))]
		w.look(page, r, func(ctx context.Context) error {
			code, body := w.request(ctx, http.MethodGet, page, "")
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if code != http.StatusOK {
				return fmt.Errorf("%d %s", code, body) //nolint:err113 // for the log
			}
			return nil
		})
	}},
	{"scrape", 2, func(w *world, _ *rand.Rand) {
		missing := w.numbers.missing()
		before, err := w.numbers.Gather()
		w.check("Gather", err)
		after, err := w.numbers.Gather()
		w.check("Gather", err)
		counters := map[string]float64{}
		each(before, func(name string, m *dto.Metric) { counters[name] = m.GetCounter().GetValue() })
		each(after, func(name string, m *dto.Metric) {
			if m.GetCounter().GetValue() < counters[name] && !w.numbers.forgot(queueOf(m), missing) {
				w.t.Errorf("a counter that falls, from %v: %s %v", counters[name], name, m)
			}
		})
	}},
	{"watch events", 1, func(w *world, r *rand.Rand) {
		ctx, cancel := context.WithTimeout(bg, micros(r, 20000))
		defer cancel()
		w.request(ctx, http.MethodGet, "/events", "?interval=250ms&q="+url.QueryEscape([]string{"", "bh", "child", "paused"}[r.IntN(4)]))
	}},
	{"pause by HTTP", 1, func(w *world, r *rand.Rand) {
		q := w.place(r).now.Load()
		path := "/queues/" + url.PathEscape(q.Name()) + "/pause"
		ctx, cancel := context.WithTimeout(bg, time.Minute)
		defer cancel()
		code, body := w.request(ctx, http.MethodPost, path, "")
		defer w.resume(q)
		switch code {
		case http.StatusOK, http.StatusGone, http.StatusNotFound: // its queue has ended
		case http.StatusConflict: // somebody has resumed
		default:
			w.t.Errorf("POST %s: %d %s", path, code, body)
		}
	}},
}

// each gives every counter with its labels.
func each(families []*dto.MetricFamily, f func(name string, m *dto.Metric)) {
	for _, x := range families {
		if x.GetType() != dto.MetricType_COUNTER {
			continue
		}
		for _, m := range x.Metric {
			f(x.GetName()+fmt.Sprint(m.GetLabel()), m)
		}
	}
}
