package actors

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

type fakePlace struct{ mb mailbox }

func (p *fakePlace) mail() *mailbox { return &p.mb }

func TestPlacesAreGivenOutAgain(t *testing.T) {
	var r registry
	require.Nil(t, r.get(0))
	require.Nil(t, r.get(7))
	r.remove(3) // of nobody: nothing happens
	a, b, c := &fakePlace{}, &fakePlace{}, &fakePlace{}
	for i, p := range []place{a, b} {
		n, err := r.add(p)
		require.NoError(t, err)
		require.Equal(t, messages.Place(i+1), n, "number 0 is none")
	}
	r.remove(1)
	require.Nil(t, r.get(1))
	require.Same(t, b, r.get(2))
	n, err := r.add(c)
	require.NoError(t, err)
	require.Equal(t, messages.Place(1), n)
	require.Same(t, c, r.get(1))
	r.remove(0)
	require.Nil(t, r.get(0))
}

func TestPlacesHaveAnEnd(t *testing.T) {
	var r registry
	full := make([]place, messages.MaxPlaces)
	for i := range full[1:] {
		full[i+1] = &fakePlace{}
	}
	r.table.Store(&full)
	_, err := r.add(&fakePlace{})
	require.ErrorIs(t, err, errPlaces)
	r.remove(messages.MaxPlaces - 1)
	n, err := r.add(&fakePlace{})
	require.NoError(t, err)
	require.Equal(t, messages.Place(messages.MaxPlaces-1), n, "the number fits the field of the state word")
}

func TestPlacesComeAndGoAtOnce(t *testing.T) {
	var r registry
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 500 {
				p := &fakePlace{}
				n, err := r.add(p)
				if err != nil || r.get(n) != place(p) {
					t.Error("a number of two places at once")
					return
				}
				r.remove(n)
			}
		})
	}
	wg.Wait()
	require.LessOrEqual(t, len(*r.table.Load()), 5, "numbers are used again")
	for i := range *r.table.Load() {
		require.Nil(t, r.get(messages.Place(i)))
	}
}
