// Package conformance holds no code: its tests keep docs/conformance.md honest.
// Every row of the kernel's behaviour and every field report must be there, and
// name tests that exist.
package conformance
