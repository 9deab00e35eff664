package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/cmwq/cmwq/observe/internal/reading"
)

// Of gives a collector of whatever takes snapshots.
func Of(source reading.Source, opts ...Option) prometheus.Collector {
	return newCollector(source, opts...)
}
