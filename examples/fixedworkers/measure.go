package main

import (
	"context"
	"errors"
	"slices"
	"time"
)

// Row is what one contender made of one load.
type Row struct {
	Load    string          `json:"load"`
	Workers string          `json:"workers"`
	Items   int             `json:"items"`
	Took    []time.Duration `json:"took_ns"` // each run
	Burn    time.Duration   `json:"burn_ns"` // CPU that the items take by themselves
	Rate    float64         `json:"per_second"`
}

// measure has all contenders run a load in turns, so that what else the machine does
// falls on all of them.
func measure(ctx context.Context, runs int, loads []load, cs []contender) ([]Row, error) {
	var rows []Row
	for _, l := range loads {
		of := make([]Row, len(cs))
		for range runs {
			for i, c := range cs {
				took, err := once(ctx, l, c)
				if err != nil {
					return nil, err
				}
				of[i].Took = append(of[i].Took, took)
			}
		}
		for i, c := range cs {
			r := &of[i]
			r.Load, r.Workers, r.Items = l.name, c.name, l.items/batchSize*batchSize
			r.Burn = l.burn * time.Duration(r.Items)
			r.Rate = float64(r.Items) / median(r.Took).Seconds()
		}
		rows = append(rows, of...)
	}
	return rows, nil
}

func once(ctx context.Context, l load, c contender) (took time.Duration, err error) {
	b := newBatch(l.do)
	queue, end, err := c.open(b)
	if err != nil {
		return 0, err
	}
	for range 3 { // workers are made, and how long items take is learnt
		if err = b.run(ctx, queue); err != nil {
			return 0, errors.Join(err, end())
		}
	}
	start := time.Now()
	for i := 0; i < l.items/batchSize && err == nil; i++ {
		err = b.run(ctx, queue)
	}
	took = time.Since(start)
	return took, errors.Join(err, end())
}

func median(ds []time.Duration) time.Duration {
	s := slices.Sorted(slices.Values(ds))
	return s[len(s)/2]
}
