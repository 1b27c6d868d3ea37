// SPDX-License-Identifier: Apache-2.0
#if defined(__x86_64__)

#include "memory/memory_kernels.hpp"
#include "memory/memory_loops.hpp"

namespace ridge::backends::probe_host {
namespace {

RIDGE_MEMORY_LOOPS("ymm", 32)

}  // namespace

constinit const memory_kernels avx2_memory_kernels{"avx2",    "fma",  triads,    triads_nt, copies,
                                                   copies_nt, writes, writes_nt, reads,     load,
                                                   update,    add,    add_both};

}  // namespace ridge::backends::probe_host

#endif
