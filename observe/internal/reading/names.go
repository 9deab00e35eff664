package reading

import (
	"strings"

	"github.com/cmwq/cmwq"
)

// Children is the name by which SumChildren tells of child queues.
const Children = "(children)"

// SumChildren tells of child queues as of one.
func SumChildren(q *cmwq.QueueSnapshot) string {
	if q.Child {
		return Children
	}
	return q.Name
}

// SumByParent tells of the children of an actor as of one, that actor's id and /*.
func SumByParent(q *cmwq.QueueSnapshot) string {
	if !q.Child {
		return q.Name
	}
	at := strings.LastIndexByte(q.Name, '/')
	if at < 0 {
		return Children
	}
	return q.Name[:at] + "/*"
}

// SumBySibling tells of the children that have the same name under different parents as
// of one, */ and that name.
func SumBySibling(q *cmwq.QueueSnapshot) string {
	if !q.Child {
		return q.Name
	}
	return "*/" + q.Name[strings.LastIndexByte(q.Name, '/')+1:]
}

// Each tells of every queue for itself.
func Each(q *cmwq.QueueSnapshot) string { return q.Name }
