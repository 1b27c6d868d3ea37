// SPDX-License-Identifier: Apache-2.0
#include "timing/issue_limits.hpp"

#include <algorithm>
#include <array>

namespace ridge::backends::probe_cuda {
namespace {

struct limit {
  std::string_view kind;
  double at_8_0, at_9_0;  // by compute capability; 0 where not known
};

constexpr std::array limits{
    limit{"fma.fp32", 128, 256},     limit{"fma.fp64", 64, 128},
    limit{"fma.fp16", 512, 512},     limit{"fma.bf16", 256, 512},
    limit{"imad.int32", 64, 64},     limit{"shift.int32", 64, 64},
    limit{"popc.int32", 16, 16},     limit{"sfu", 16, 16},
    limit{"shuffle", 32, 32},        limit{"mma.bf16", 2048, 4096},
    limit{"mma.fp16", 2048, 4096},   limit{"mma.fp16.fp16acc", 2048, 4096},
    limit{"mma.tf32", 1024, 2048},   limit{"mma.fp8", 0, 8192},
    limit{"mma.int8", 4096, 8192},   limit{"mma.fp64", 128, 256},
    limit{"shared.bytes", 128, 128}, limit{"l1.bytes", 128, 128},
};

}  // namespace

double operations_per_clock(std::string_view kind, int cc_major, int cc_minor) {
  const auto found = std::ranges::find(limits, kind, &limit::kind);
  if (found == limits.end() || cc_minor != 0) return 0;
  if (cc_major == 9) return found->at_9_0;
  return cc_major == 8 ? found->at_8_0 : 0;
}

void limit_issue(model::ceiling& row, std::string_view kind, const cudaDeviceProp& gpu) {
  row.issue_limit = operations_per_clock(kind, gpu.major, gpu.minor) * gpu.multiProcessorCount * row.clock_hz;
}

}  // namespace ridge::backends::probe_cuda
