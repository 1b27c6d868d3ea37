// SPDX-License-Identifier: Apache-2.0
#pragma once

// The cost of launches in a bare program: medians, in seconds, for an empty kernel of one thread without
// arguments, in the manner of gpu-benches' small kernels.
namespace peers {

double launch_and_wait();  // launch and synchronization, by the host's clock
double queued_kernel();    // one of 500 kernels on a stream, by events
double graph_kernel();     // one of 1000 successive kernels in a graph, by events

}  // namespace peers
