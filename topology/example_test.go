package topology_test

import (
	"errors"
	"fmt"

	"github.com/cmwq/cmwq/topology"
)

func Example() {
	// Two sockets, each with a cache of 12 cores of two threads.
	topo, err := topology.Parse("numa:2 core:12 smt:2")
	if err != nil {
		panic(err)
	}
	for _, pod := range topo.Pods(topology.ScopeCacheShard) {
		fmt.Printf("node %d: CPUs %v\n", pod.Node, pod.CPUs)
	}
	fmt.Println("CPU 30 is in shard", topo.PodOf(topology.ScopeCacheShard, 30))
	// Output:
	// node 0: CPUs 0-11
	// node 0: CPUs 12-23
	// node 1: CPUs 24-35
	// node 1: CPUs 36-47
	// CPU 30 is in shard 2
}

func ExampleParse() {
	for _, text := range []string{
		"core:8",
		"core:3,8 smt:2",
		"core:12 | core:4",
		"node0=0-3,8-11 node1=4-7,12-15 smt=0-7+8-15",
		"core:3,x",
	} {
		topo, err := topology.Parse(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%d CPUs: %v\n", topo.NumCPU(), topo)
	}
	// Output:
	// 8 CPUs: numa:1 llc:1 core:8 smt:1
	// 22 CPUs: numa:1 llc:2 core:3,8 smt:2
	// 16 CPUs: numa:1 llc:1 core:12 smt:1 | numa:1 llc:1 core:4 smt:1
	// 16 CPUs: node0=0-3,8-11 node1=4-7,12-15 smt=0-7+8-15
	// topology: want a number at offset 7 of "core:3,x"
}

func ExampleParseScope() {
	scope, _ := topology.ParseScope("cache_shard")
	fmt.Println(scope)

	_, err := topology.ParseScope("cache_sh")
	var unknown *topology.ScopeError
	fmt.Println(errors.As(err, &unknown), err)
	// Output:
	// cache_shard
	// true topology: unknown scope "cache_sh", want one of [default cpu smt cache cache_shard numa system]
}

func ExampleTopology_Restrict() {
	topo, _ := topology.Uniform(2, 1, 4, 1)
	fmt.Println(topo.Restrict(6))
	// Output:
	// numa:1 llc:1 core:4 smt:1 | numa:1 llc:1 core:2 smt:1
}
