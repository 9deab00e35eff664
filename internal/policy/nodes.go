package policy

import (
	"maps"
	"slices"
)

// NoNode is where a pool is whose CPUs are not all of one memory node.
const NoNode = -1

// NodeLimit is the part of max_active that one memory node has: that of its CPUs in
// all CPUs, rounded up, but at least min and at most max. With no CPU anywhere it is
// min. What is in no node may use all of max.
//
// Follows the kernel's wq_update_node_max_active.
func NodeLimit(most, least, node, cpus, total int) int {
	switch {
	case node == NoNode:
		return most
	case total == 0:
		return min(least, most)
	}
	return min(most, max(least, (most*cpus+total-1)/total))
}

// Nodes are a queue's slots: one ledger for all its shares, which never exceed
// max_active together; or, if a least number for each memory node was asked for, one
// ledger a node, as in the kernel, which together may exceed it.
type Nodes struct {
	most, least int             // Q: max_active and min_active; least 0: one ledger for all
	cpus        map[int]int     // Q: CPUs of each node that may be used
	ledgers     map[int]*Ledger // Q: by node; of NoNode if there is one for all
	node        []int           // Q: of each share
	orders      []Order
}

// NewNodes gives slots for shares numbered from 0, of which each is in a node.
// Nobody needs be told what they hold at first: see Held. The map is kept, and must not
// change.
func NewNodes(most, least int, cpus map[int]int, shares []int) *Nodes {
	n := &Nodes{most: most, least: min(least, most), cpus: cpus, ledgers: map[int]*Ledger{}, node: shares}
	for i := range shares {
		n.of(i).know(i, lends)
	}
	n.apply()
	return n
}

// of gives the ledger of a share.
func (n *Nodes) of(share int) *Ledger {
	node := n.node[share]
	if n.least == 0 {
		node = NoNode
	}
	l := n.ledgers[node]
	if l == nil {
		limit := n.limit(node)
		l = &Ledger{max: limit, free: limit}
		n.ledgers[node] = l
	}
	return l
}

func (n *Nodes) limit(node int) int { return n.Division().Of(node) }

// Division is how max_active is divided now.
func (n *Nodes) Division() Division { return Division{n.most, n.least, n.cpus} }

// Division says how a queue's max_active is divided. It does not change.
type Division struct {
	most, least int         // I:
	cpus        map[int]int // I: of each node
}

// Divided says whether each node has a part of its own.
func (d Division) Divided() bool { return d.least > 0 }

// Of is how many slots the shares of a node have, or those of all if they share them.
func (d Division) Of(node int) int {
	total := 0
	for _, c := range d.cpus {
		total += c
	}
	if !d.Divided() {
		node = NoNode
	}
	return NodeLimit(d.most, d.least, node, d.cpus[node], total)
}

// All is how many slots all the queue's shares have together.
func (d Division) All() int {
	if !d.Divided() {
		return d.most
	}
	all := 0
	for node := range d.cpus {
		all += d.Of(node)
	}
	return all
}

// apply gives each ledger its limit, and collects what follows.
func (n *Nodes) apply() []Order {
	n.orders = n.orders[:0]
	for _, node := range slices.Sorted(maps.Keys(n.ledgers)) {
		n.orders = append(n.orders, n.ledgers[node].SetMax(n.limit(node))...)
	}
	return n.orders
}

// SetMax changes max_active, and lowers min_active to it.
func (n *Nodes) SetMax(most int) []Order {
	n.most = most
	if n.least > 0 {
		n.least = max(1, min(n.least, most))
	}
	return n.apply()
}

// SetMin changes min_active, at most max_active. 0 has one limit for all nodes.
func (n *Nodes) SetMin(least int) []Order {
	was := n.least
	n.least = min(least, n.most)
	if (was == 0) == (n.least == 0) {
		return n.apply()
	}
	old := n.ledgers
	n.ledgers = map[int]*Ledger{}
	for _, l := range old {
		for i, r := range l.role {
			if r != absent {
				n.of(i).adopt(l, i)
			}
		}
	}
	return n.apply()
}

// SetCPUs tells how many CPUs of each node may be used. The map must not change.
func (n *Nodes) SetCPUs(cpus map[int]int) []Order {
	n.cpus = cpus
	return n.apply()
}

// Add, Unplug, Retire, Remove, Borrow, Returned and Held are those of the share's
// ledger.
func (n *Nodes) Add(share, node int, plug bool) []Order {
	for len(n.node) <= share {
		n.node = append(n.node, NoNode)
	}
	n.node[share] = node
	return n.of(share).Add(share, plug)
}

// Outside is Ledger.Outside.
func (n *Nodes) Outside(share int) {
	for len(n.node) <= share {
		n.node = append(n.node, NoNode)
	}
	n.node[share] = NoNode
	n.of(share).Outside(share)
}

// Unplug is Ledger.Unplug.
func (n *Nodes) Unplug(share int) []Order { return n.of(share).Unplug(share) }

// Retire is Ledger.Retire.
func (n *Nodes) Retire(share int) { n.of(share).Retire(share) }

// Remove is Ledger.Remove.
func (n *Nodes) Remove(share int) []Order { return n.of(share).Remove(share) }

// Borrow is Ledger.Borrow.
func (n *Nodes) Borrow(share, k int) []Order { return n.of(share).Borrow(share, k) }

// Returned is Ledger.Returned.
func (n *Nodes) Returned(share, k int) []Order { return n.of(share).Returned(share, k) }

// Held is the number of slots that a share holds.
func (n *Nodes) Held(share int) int { return n.of(share).Held(share) }

// adopt takes a share over from another ledger, with all that is known of it.
func (l *Ledger) adopt(from *Ledger, share int) {
	l.know(share, from.role[share])
	l.held[share], l.asked[share], l.busy[share] = from.held[share], from.asked[share], from.busy[share]
	l.wants[share], l.heard[share], l.seen[share] = from.wants[share], from.heard[share], from.seen[share]
	l.free -= l.held[share]
	if l.wants[share] > 0 && l.role[share] != plugged {
		l.queue = append(l.queue, share)
	}
}
