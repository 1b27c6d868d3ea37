// SPDX-License-Identifier: Apache-2.0
#pragma once

// What launches cost in a bare program, by an empty kernel of one thread without arguments, in the manner of
// gpu-benches' small kernels. Seconds, medians.
namespace peers {

double launch_and_wait();  // by the host's clock
double queued_kernel();    // one of 500 on a stream, by events
double graph_kernel();     // one of 1000 in a graph, one after the other, by events

}  // namespace peers
