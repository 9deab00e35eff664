package run

import "slices"

// A Summary is what the repetitions of a figure have in common.
type Summary struct {
	N      int     `json:"n"`
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
	Spread float64 `json:"spread"` // interquartile range by the median; 0 for fewer than 2 values, or a median of 0
}

// Summarize summarizes values, which stay as they are.
func Summarize(values []float64) Summary {
	if len(values) == 0 {
		return Summary{}
	}
	v := slices.Clone(values)
	slices.Sort(v)
	s := Summary{N: len(v), Median: quantile(v, .5), Min: v[0], Max: v[len(v)-1]}
	if s.Median != 0 {
		s.Spread = max((quantile(v, .75)-quantile(v, .25))/s.Median, 0)
	}
	return s
}

// quantile interpolates between sorted values.
func quantile(v []float64, q float64) float64 {
	at := q * float64(len(v)-1)
	i := int(at)
	if i+1 >= len(v) {
		return v[len(v)-1]
	}
	return v[i] + (at-float64(i))*(v[i+1]-v[i])
}
