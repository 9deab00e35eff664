// Package page holds no code: its tests look at the live page of package observe with a
// real Chromium, which they need. Without one they are skipped.
//
// It is a module of its own, so that nobody who uses the library meets the browser's
// protocol.
package page
