//go:build !linux

package threads

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"k8s.io/utils/cpuset"
)

// Check says that nothing of this is to be had here.
func Check(cpuset.CPUSet) error {
	return fmt.Errorf("threads of %s cannot be bound: %w", runtime.GOOS, errors.ErrUnsupported)
}

// ID is not known.
func ID() int { return Self }

// Main is not known.
func Main() bool { return false }

// Bind does nothing.
func Bind(int, cpuset.CPUSet) error { return errors.ErrUnsupported }

// Bound knows nothing.
func Bound(int) (cpuset.CPUSet, error) { return cpuset.CPUSet{}, errors.ErrUnsupported }

// CPU is not known.
func CPU() int { return -1 }

// SetNice does nothing.
func SetNice(int, int) error { return errors.ErrUnsupported }

// GetNice knows nothing.
func GetNice(int) (int, error) { return 0, errors.ErrUnsupported }

// Clock is not known.
func Clock(int) time.Duration { return 0 }

// Waits reads nothing.
type Waits struct{}

// OpenWaits opens nothing.
func OpenWaits() Waits { return Waits{} }

// Close does nothing.
func (Waits) Close() {}

// Read knows nothing.
func (Waits) Read() Look { return Look{Ready: true} }

// LookAt knows nothing.
func LookAt(int) Look { return Look{Ready: true} }

// Ready is not known.
func Ready(int) bool { return true }
