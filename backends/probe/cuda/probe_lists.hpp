// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/probe/prober.hpp>

#include "gpu_bench.hpp"

// Each adds the probes of one subject. The bench outlives them.
namespace ridge::backends::probe_cuda {

using probe_list = std::vector<probe::peak_probe>;

void add_memory_probes(probe_list& to, gpu_bench& on);
void add_arithmetic_probes(probe_list& to, gpu_bench& on);

}  // namespace ridge::backends::probe_cuda
