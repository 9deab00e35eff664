package messages

import "context"

// Look is CodeOf, and gives the values that travel with f, nil if it has none.
func Look(f Func) (code uintptr, values context.Context) {
	q, code := inquire(f)
	for q != nil {
		if values == nil {
			values = q.Values //nolint:fatcontext // it is taken from the outermost, and does not grow
		}
		q, code = inquire(q.Calls)
	}
	return code, values
}
