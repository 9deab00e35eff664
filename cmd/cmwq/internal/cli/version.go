package cli

import "runtime/debug"

const library = "github.com/cmwq/cmwq"

// version is the command's, or "devel" when it was built from a working tree, and
// with which version of the library it was built if that is another one.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	own := info.Main.Version
	if own == "" || own == "(devel)" {
		own = "devel"
	}
	for _, d := range info.Deps {
		if d.Path == library && d.Replace == nil && d.Version != own {
			return own + ", library " + d.Version
		}
	}
	return own
}
