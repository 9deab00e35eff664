package run

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// others watches how much of the machine other programs use.
type others struct {
	busy, self time.Duration
	at         time.Time
	ok         bool
}

func watchOthers() others {
	busy, ok := machineTime()
	return others{busy, ownTime(), time.Now(), ok}
}

// Of a stretch too short for the kernel's clock only gross disturbance can be seen.
const (
	noise      = 0.06
	noiseShort = 0.25
	shortRun   = 100 * time.Millisecond
)

func (o others) disturbed() bool {
	now := watchOthers()
	wall := now.at.Sub(o.at)
	if !o.ok || !now.ok || wall <= 0 {
		return false
	}
	share := float64((now.busy-o.busy)-(now.self-o.self)) / float64(wall) / float64(cpus)
	if wall < shortRun {
		return share > noiseShort
	}
	return share > noise
}

// cpus is how many /proc/stat adds up.
var cpus = func() int {
	b, _ := os.ReadFile("/proc/stat")
	return max(strings.Count(string(b), "\ncpu"), 1)
}()

// machineTime is how long the CPUs of the machine were busy since it was started.
func machineTime() (busy time.Duration, ok bool) {
	b, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, false
	}
	line, _, _ := strings.Cut(string(b), "\n")
	fields := strings.Fields(line)
	for i, f := range fields {
		if i == 0 || i == 4 || i == 5 || i > 8 { // the word cpu; idle; iowait; guests, which user has
			continue
		}
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0, false
		}
		busy += time.Duration(n) * time.Second / 100
	}
	return busy, len(fields) > 8
}

func ownTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
