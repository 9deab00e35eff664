package policy

import "slices"

// regain is what a worker on a CPU that has nothing to do brings about where others hold
// the CPUs.
func (sh *shell) regain() {
	sh.observe()
	from := slices.Clone(sh.p.Regain())
	for _, w := range slices.Backward(from) {
		sh.takeBack(sh.of(w))
	}
	sh.p.Emptied(from)
	sh.verify(false)
	sh.turn()
}
