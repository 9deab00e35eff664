// Command pipeline fetches pages over HTTP, parses them and stores what they say in a
// database file, in three queues that each have their own limit: what waits for the
// network, what needs the CPUs, and what is written one after the other.
//
// Each stage hands its result to the next, and waits for room there, so that no more is
// in memory than the queues allow. An actor hears of every page that is stored, and of
// every one that is not. It is a module of its own, so that nobody who imports cmwq gets
// the database.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"go.etcd.io/bbolt"

	"github.com/cmwq/cmwq"
)

// page is what a page says.
type page struct {
	Title string `json:"title"`
	Words int    `json:"words"`
}

var bucket = []byte("pages")

// pipeline is three queues, one behind the other.
type pipeline struct {
	fetches, parses, stores *cmwq.Queue

	db   *bbolt.DB
	told func(url string, err error) // once for each URL
}

func newPipeline(sys *cmwq.System, db *bbolt.DB, told func(string, error)) (*pipeline, error) {
	p := &pipeline{db: db, told: told}
	var errs [3]error
	p.fetches, errs[0] = sys.NewQueue("fetch", cmwq.MaxActive(16), cmwq.Bounded(64, cmwq.Refuse))
	p.parses, errs[1] = sys.NewQueue("parse", cmwq.Bounded(32, cmwq.Refuse))
	p.stores, errs[2] = sys.NewQueue("store", cmwq.Ordered(), cmwq.Bounded(32, cmwq.Refuse))
	return p, errors.Join(errs[:]...)
}

// add has a page fetched; it waits for room.
func (p *pipeline) add(ctx context.Context, url string) error {
	return p.fetches.GoContext(ctx, func(ctx *cmwq.Context) error {
		body, err := p.fetch(ctx, url)
		if err == nil {
			err = p.parses.GoContext(ctx, p.parse(url, body))
		}
		return p.failed(url, err)
	})
}

func (p *pipeline) fetch(ctx *cmwq.Context, url string) (body []byte, err error) {
	ctx.SetDesc("fetching %s", url)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	ctx.Block(func() {
		var resp *http.Response
		if resp, err = http.DefaultClient.Do(req); err != nil {
			return
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			err = fmt.Errorf("%s: %s", url, resp.Status)
			return
		}
		body, err = io.ReadAll(resp.Body)
	})
	return body, err
}

func (p *pipeline) parse(url string, body []byte) func(*cmwq.Context) error {
	return func(ctx *cmwq.Context) error {
		parsed, err := parse(body)
		if err == nil {
			err = p.stores.GoContext(ctx, p.store(url, parsed))
		}
		return p.failed(url, err)
	}
}

func (p *pipeline) store(url string, parsed page) func(*cmwq.Context) error {
	return func(ctx *cmwq.Context) error {
		value, err := json.Marshal(parsed)
		if err == nil {
			ctx.Block(func() { // the disk
				err = p.db.Update(func(tx *bbolt.Tx) error {
					b, err := tx.CreateBucketIfNotExists(bucket)
					if err != nil {
						return err
					}
					return b.Put([]byte(url), value)
				})
			})
		}
		if err == nil {
			p.told(url, nil)
		}
		return p.failed(url, err)
	}
}

// failed tells of a page that gets no further.
func (p *pipeline) failed(url string, err error) error {
	if err != nil {
		p.told(url, err)
	}
	return err
}

// flush waits for everything, stage by stage.
func (p *pipeline) flush(ctx context.Context) error {
	for _, q := range []*cmwq.Queue{p.fetches, p.parses, p.stores} {
		if err := q.Flush(ctx); err != nil {
			return err
		}
	}
	return nil
}

// load reads what was stored.
func load(db *bbolt.DB) (map[string]page, error) {
	pages := map[string]page{}
	return pages, db.View(func(tx *bbolt.Tx) error {
		b := tx.Bucket(bucket)
		if b == nil {
			return nil
		}
		return b.ForEach(func(url, value []byte) error {
			var p page
			if err := json.Unmarshal(value, &p); err != nil {
				return err
			}
			pages[string(url)] = p
			return nil
		})
	})
}
