package cmwq_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// Every field of a snapshot's JSON is documented.
func TestSnapshotFieldsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("docs/observe.md")
	require.NoError(t, err)
	seen := map[reflect.Type]bool{}
	var look func(ty reflect.Type)
	look = func(ty reflect.Type) {
		switch ty.Kind() {
		case reflect.Pointer, reflect.Slice:
			look(ty.Elem())
		case reflect.Struct:
			if seen[ty] || ty.PkgPath() == "time" {
				return
			}
			seen[ty] = true
			for f := range ty.Fields() {
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				if name == "-" {
					continue
				}
				if !f.Anonymous {
					require.NotEmpty(t, name, "%v.%s has no name of its own in JSON", ty, f.Name)
					require.Contains(t, string(text), "`"+name+"`", "%v.%s", ty, f.Name)
				}
				look(f.Type)
			}
		default:
		}
	}
	look(reflect.TypeFor[cmwq.Snapshot]())
	require.Greater(t, len(seen), 10)
}
