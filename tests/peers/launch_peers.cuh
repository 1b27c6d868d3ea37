// SPDX-License-Identifier: Apache-2.0
#pragma once

// The cost of launches in a bare program, with an empty kernel of one thread without arguments, as in
// gpu-benches' small kernels. All return median seconds.
namespace peers {

double launch_and_wait();  // by the host's clock
double queued_kernel();    // one of 500 on a stream, by events
double graph_kernel();     // one of 1000 in a graph, one after the other, by events

}  // namespace peers
