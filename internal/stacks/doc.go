// Package stacks says where goroutines are: it reads a goroutine profile, finds those
// that are asked for by their labels, and tells from the stack of each whether it runs
// or what it is blocked in, and at which line of the user's own code.
//
//   - profile.go reads the text of a profile
//   - where.go finds the line, and state.go what the goroutine is doing there
//   - whose.go knows the user's functions from the standard library's and ours
package stacks
