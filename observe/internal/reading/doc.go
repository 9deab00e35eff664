// Package reading turns snapshots into the numbers that metrics export, whatever they are
// exported to: queues are summed as the user says, counters never fall, and each metric is
// named and explained once.
package reading
