package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPace(t *testing.T) {
	const pieces = 10
	slow, fast := pieces*slowRead, pieces*slowRead-1

	p := newPace()
	first := p.limit()
	for range 1000 {
		for range slowShare {
			p.took(fast, pieces)
		}
		p.took(slow, pieces)
	}
	assert.Equal(t, first, p.limit(), "few slow reads change nothing")

	for p.limit() < maxReaders {
		before := p.limit()
		grown := 0
		for range 2 {
			if n, more := p.took(slow, pieces); more {
				assert.Equal(t, p.limit(), n)
				grown++
			}
		}
		assert.Equal(t, 1, grown)
		assert.Equal(t, min(2*before, maxReaders), p.limit())
	}
	for range 10 {
		_, more := p.took(slow, pieces)
		assert.False(t, more, "no more than the most")
	}
	assert.Equal(t, maxReaders, p.limit())
}
