package claims

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strings"
)

// Machine is where the numbers come from.
type Machine struct {
	CPU   string `json:"cpu"`
	CPUs  int    `json:"cpus"`
	Procs int    `json:"gomaxprocs"`
	Go    string `json:"go"`
}

// ThisMachine describes the machine and the process as they are now.
func ThisMachine() Machine {
	return Machine{CPU: cpuName(), CPUs: runtime.NumCPU(), Procs: runtime.GOMAXPROCS(0), Go: runtime.Version()}
}

func (m Machine) String() string {
	return fmt.Sprintf("%s, %d CPUs, GOMAXPROCS %d, %s", m.CPU, m.CPUs, m.Procs, m.Go)
}

// cpuName is what the machine says of its CPUs.
func cpuName() string {
	f, err := os.Open("/proc/cpuinfo")
	if err == nil {
		defer func() { _ = f.Close() }()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			if name, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
				return strings.TrimSpace(value)
			}
		}
	}
	return runtime.GOOS + "/" + runtime.GOARCH
}
