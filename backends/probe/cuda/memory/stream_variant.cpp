// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <fmt/format.h>

#include "memory/stream_kernels.cuh"

namespace ridge::backends::probe_cuda {

std::string name(const stream_variant& v) {
  constexpr std::array ways{"interleaved", "chunked"};
  const auto shape = fmt::format("{} {} x {} x {} B", v.access, v.threads, v.vectors, v.vector_bytes);
  if (v.order == walk::many) return fmt::format("{}, block per {}", shape, v.count);
  return fmt::format("{}, {} blocks/SM {}", shape, v.count, ways.at(v.order == walk::chunked));
}

}  // namespace ridge::backends::probe_cuda
