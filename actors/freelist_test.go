package actors

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/messages"
)

func (f *freelist) kept() (n int) {
	for it := f.head.Load(); it != nil; it = it.Next {
		n++
	}
	return n
}

func chainOf(n int) *chain {
	c := &chain{}
	for range n {
		c.add(&messages.Item{Kind: messages.KindCall})
	}
	return c
}

func TestFreelistKeepsSoManyAndNoMore(t *testing.T) {
	var f freelist
	for range 100 {
		c := chainOf(256)
		f.give(c)
		require.Equal(t, chain{}, *c, "a chain that was given is empty")
		require.LessOrEqual(t, f.kept(), freeMax)
	}
	require.Equal(t, freeMax, f.kept())
	f.give(&chain{})
	require.Equal(t, freeMax, f.kept())
}

func TestFreelistMakesWhatItHasNot(t *testing.T) {
	var f freelist
	for range 3 * largeItems * smallSlabs {
		it := f.get()
		require.Equal(t, messages.KindCall, it.Kind)
		require.Nil(t, it.Next)
		require.Nil(t, it.Func)
	}
}

// A pop from a shared stack has the ABA problem; here a producer takes all there
// is. Items that are out are out once, whoever gives and gets: each is marked by
// its holder without any lock, so the race detector sees a second one.
func TestFreelistGivesNoItemTwice(t *testing.T) { givesNoItemTwice(t, short.AtLeast(100, 500), 40) }

// So must lists that become spares, and are taken by whoever comes.
func TestFreelistGivesNoSpareItemTwice(t *testing.T) {
	givesNoItemTwice(t, short.AtLeast(10, 40), freeMax+100)
}

func givesNoItemTwice(t *testing.T, times, items int) {
	var f freelist
	var wg sync.WaitGroup
	pass := make(chan []*messages.Item, 8)
	for range 3 {
		wg.Go(func() {
			for range times {
				var out []*messages.Item
				for range items {
					it := f.get()
					if it.When != 0 {
						t.Error("an item is out twice")
					}
					it.When = 1
					out = append(out, it)
				}
				pass <- out
			}
		})
	}
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			for out := range pass {
				var used chain
				for _, it := range out {
					if it.When != 1 {
						t.Error("an item came back that nobody has")
					}
					it.When = 0
					used.add(it)
				}
				f.give(&used)
			}
		})
	}
	wg.Wait()
	close(pass)
	workers.Wait()
	require.LessOrEqual(t, f.kept(), freeMax+2*items+1000, "about bounded: the count may miss what is given beside a get")
}
