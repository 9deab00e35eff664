// Package arch holds no code: its tests keep the house in order.
//
// Arrows between packages point one way ([CONTRIBUTING.md] draws them), the
// policy stays pure, the actors stay free of locks, files stay short and every
// package a user can import says what it is for. Each rule is a function over
// plain values (two import paths, an import graph, one parsed file), fed twice:
// with wrong inputs, to show that it can fail, and with this module.
//
// [CONTRIBUTING.md]: https://github.com/cmwq/cmwq/blob/main/CONTRIBUTING.md
package arch
