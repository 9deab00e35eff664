//go:build !linux

package main

import (
	"fmt"
	"os"
	"os/exec"
)

func diesWithUs(*exec.Cmd) {}

func antagonistMain(string) {
	fmt.Println("processes cannot be bound to a CPU here")
	os.Exit(1)
}
