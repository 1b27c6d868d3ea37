// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include <ridge/gpu/launch.cuh>

#include "pack.cuh"

namespace ridge::experiments::ch09_w4a16_gemm {
namespace {

template <format F>
void pack(const workload& w, unsigned block, std::span<std::byte> target, stream queue) {
  const stored_weights stored{w.codes.data(), w.scales.data(), {w.rows, w.terms, block}};
  gpu::launch(pack_weights<F>, {gpu::blocks_for(target.size() / 4, pack_threads), pack_threads, 0, queue},
              stored, reinterpret_cast<std::uint32_t*>(target.data()));
}

}  // namespace

std::size_t packed_bytes(const workload& w, unsigned block) {
  return packed_tiles{w.rows, w.terms, block}.bytes(w.coding);
}

void launch_pack(const workload& w, unsigned block, std::span<std::byte> target, stream queue) {
  if (target.empty()) return;
  switch (w.coding) {
    case format::int4:
      return pack<format::int4>(w, block, target, queue);
    case format::nvfp4:
      return pack<format::nvfp4>(w, block, target, queue);
    case format::mxfp4:
      return pack<format::mxfp4>(w, block, target, queue);
  }
}

}  // namespace ridge::experiments::ch09_w4a16_gemm
