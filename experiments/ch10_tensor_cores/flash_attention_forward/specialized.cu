// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <ridge/gpu/launch.cuh>
#include <ridge/kernels/attention_forward.cuh>

#include "maps.hpp"

namespace ridge::experiments::ch10_flash_attention_forward {
namespace {

using kernels::attention_order;
using kernels::attention_tile;

template <class Tile>
void launch(const workload& w, stream queue) {
  if (w.o.empty()) return;
  constexpr auto kernel = kernels::attention_by_roles<Tile>;
  const auto size = kernel_size(w, Tile::rows);
  const auto tiles = static_cast<unsigned>(size.query_tiles * size.heads);
  gpu::allow_dynamic_shared_memory(kernel, Tile::shared_bytes);
  gpu::launch(kernel, {std::min(gpu::multiprocessors(), tiles), Tile::threads, Tile::shared_bytes, queue},
              maps_of(w, Tile::keys), size);
}

// Three warpgroups: while one makes a softmax, the others keep the matrix units busy. Heads of 64 columns
// have half the products a score, so larger blocks save what each costs besides.
template <unsigned Width, bool Causal>
using in_turn = attention_tile<Width, 3, Width == 64 ? 192 : 128, Causal, attention_order::in_turn>;
template <unsigned Width, bool Causal>
using overlapped = attention_tile<Width, 2, Width == 64 ? 192 : 128, Causal, attention_order::overlapped>;

template <template <unsigned, bool> class Tile>
void launch_as(const workload& w, stream queue) {
  if (w.size.width == 64) {
    w.size.causal ? launch<Tile<64, true>>(w, queue) : launch<Tile<64, false>>(w, queue);
  } else {
    w.size.causal ? launch<Tile<128, true>>(w, queue) : launch<Tile<128, false>>(w, queue);
  }
}

}  // namespace

void launch_specialized(const workload& w, stream queue) { launch_as<in_turn>(w, queue); }
void launch_overlapped(const workload& w, stream queue) { launch_as<overlapped>(w, queue); }

}  // namespace ridge::experiments::ch10_flash_attention_forward
