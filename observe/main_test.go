package observe_test

import (
	"testing"

	"go.uber.org/goleak"

	_ "github.com/cmwq/cmwq/internal/short"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
