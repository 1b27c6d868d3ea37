// SPDX-License-Identifier: Apache-2.0
#include "fragments.cuh"

#include <algorithm>
#include <optional>

#include <ridge/base/expects.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/gpu/kernel_launch.hpp>
#include <ridge/gpu/launch.hpp>
#include <ridge/gpu/tensor_map.hpp>

namespace ridge::experiments::ch09_w4a16_gemm {
namespace {

constexpr unsigned depth = 2, most_cluster_blocks = 4;
constexpr std::size_t most_activations = 128 * 1024;

// So many tiles a block of rows that every multiprocessor has one block, as far as its warps suffice: a
// cluster of two, and two parts of the terms where a block is alone.
packed_tiles tiles_of(const workload& w) {
  const auto tiles = blocks_of(blocks_of(w.rows, tile_rows), gpu::multiprocessors());
  return {w.rows, w.terms, static_cast<unsigned>(std::min<std::size_t>(tiles, most_warps / 2))};
}

// A cluster as small as the activations of its blocks allow; nothing where they have too many terms for any.
template <unsigned Tokens>
std::optional<fragment_plan> plan_of(const workload& w) {
  fragment_plan plan{.tiles = tiles_of(w), .tokens = static_cast<unsigned>(w.tokens)};
  constexpr auto most_slice =
      std::min<std::size_t>(groups_a_chunk * most_chunks, most_activations / (Tokens * group_bytes));
  const auto groups = plan.tiles.groups(), slice = blocks_of(groups, blocks_of(groups, most_slice));
  const auto blocks = blocks_of(groups, slice);
  if (blocks > most_cluster_blocks) return std::nullopt;
  plan.slice = static_cast<unsigned>(slice), plan.cluster_blocks = static_cast<unsigned>(blocks);
  plan.parts = std::max(1U, most_warps / plan.row_tiles());
  return plan;
}

template <format F, unsigned Tokens>
void multiply(const workload& w, const fragment_plan& plan, stream queue) {
  const auto kernel = multiply_fragments<F, Tokens, depth>;
  gpu::allow_dynamic_shared_memory(reinterpret_cast<const void*>(kernel), plan.shared_bytes(Tokens));
  const auto map = gpu::make_tensor_map({.data = w.a.data(),
                                         .type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
                                         .rows = w.tokens,
                                         .columns = w.terms,
                                         .row_bytes = w.terms * 2,
                                         .box_rows = Tokens,
                                         .box_columns = 64,
                                         .swizzle = CU_TENSOR_MAP_SWIZZLE_128B});
  const auto clusters = gpu::blocks_for(plan.tiles.row_blocks(), plan.cluster_blocks);
  const dim3 blocks(clusters * plan.cluster_blocks, gpu::blocks_for(plan.tokens, Tokens));
  gpu::kernel_launch launch(blocks, 32 * std::min(plan.jobs(), most_warps), queue, plan.shared_bytes(Tokens));
  if (plan.cluster_blocks > 1) launch.cluster(plan.cluster_blocks);
  gpu::check(cudaLaunchKernelEx(launch.config(), kernel, map, plan,
                                reinterpret_cast<const char*>(w.fragments.packed.data()),
                                reinterpret_cast<std::uint16_t*>(w.c.data())),
             "launch of multiply_fragments");
}

template <unsigned Tokens>
void multiply(const workload& w, stream queue) {
  const auto plan = plan_of<Tokens>(w);
  expects(plan.has_value(), "launch_fragments: fits_fragments(w)");
  switch (w.coding) {
    case format::int4:
      return multiply<format::int4, Tokens>(w, *plan, queue);
    case format::nvfp4:
      return multiply<format::nvfp4, Tokens>(w, *plan, queue);
    case format::mxfp4:
      return multiply<format::mxfp4, Tokens>(w, *plan, queue);
  }
}

}  // namespace

bool fits_fragments(const workload& w) {
  return w.c.empty() || (w.tokens <= 8 ? plan_of<8>(w) : plan_of<16>(w)).has_value();
}

unsigned fragment_block(const workload& w) { return w.rows == 0 ? 1 : tiles_of(w).block; }

void launch_fragments(const workload& w, stream queue) {
  if (w.c.empty()) return;
  w.tokens <= 8 ? multiply<8>(w, queue) : multiply<16>(w, queue);
}

}  // namespace ridge::experiments::ch09_w4a16_gemm
