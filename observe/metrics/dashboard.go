package metrics

import _ "embed"

//go:embed dashboard.json
var dashboard string

// Dashboard is a board for Grafana, in the JSON that it imports: what is stuck or fails
// comes first, then what waits and how long, what works, and the pools. It asks for a
// Prometheus that has native histograms. (observe/metrics/dashboard.json)
func Dashboard() string { return dashboard }
