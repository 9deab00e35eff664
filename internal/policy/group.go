package policy

// Group counts the members of a group: those that may go on, and those that are held
// because so many do already. The zero Group has no limit.
//
// Invariant: while one more may go on nobody is held.
type Group struct {
	limited bool
	limit   int
	active  int
	held    int
}

// Join counts a member in, and says whether it may go on; else it is held.
func (g *Group) Join() (goes bool) {
	if g.free() {
		g.active++
		return true
	}
	g.held++
	return false
}

// Left counts out a member: one that went on, or one that is held no more.
func (g *Group) Left(held bool) {
	if held {
		g.held--
	} else {
		g.active--
	}
}

// Next says whether the member that is held longest may go on now, and counts it so.
func (g *Group) Next() bool {
	if g.held == 0 || !g.free() {
		return false
	}
	g.held--
	g.active++
	return true
}

// SetLimit changes how many may go on at a time; a negative number is no limit. Next
// is to be asked then.
func (g *Group) SetLimit(n int) { g.limited, g.limit = n >= 0, n }

// Members is how many there are.
func (g *Group) Members() int { return g.active + g.held }

func (g *Group) free() bool { return !g.limited || g.active < g.limit }
