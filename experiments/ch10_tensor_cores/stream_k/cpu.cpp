// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <cstddef>

#include <ridge/cpu/sgemm.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/host/team.hpp>

#include "stream_k.hpp"

namespace ridge::experiments::ch10_stream_k {
namespace {

// A tile takes a thread a millisecond or so: few enough that the last round is ragged.
constexpr std::int64_t tile = 128;

std::int64_t tiles_along(std::int64_t extent) { return (extent + tile - 1) / tile; }

// One thread's operands of a tile in fp32, b transposed, and its product.
struct scratch {
  std::span<float> a{}, b{}, c{}, panels{};
};

class tiles {
 public:
  tiles(const workload& w, setup& s) {
    for (int i = 0; i < s.threads(); ++i)
      own_.push_back({s.workspace<float>(as_count(tile * w.k)), s.workspace<float>(as_count(tile * w.k)),
                      s.workspace<float>(as_count(tile * tile)),
                      s.workspace<float>(cpu::sgemm_workspace(tile, tile, w.k))});
  }

  [[nodiscard]] static std::int64_t count(const workload& w) { return tiles_along(w.m) * tiles_along(w.n); }

  // Makes tile `index` on the thread of this rank.
  void make(workload& w, std::int64_t index, int rank) const {
    const auto& own = own_[static_cast<std::size_t>(rank)];
    const auto row = index / tiles_along(w.n) * tile, column = index % tiles_along(w.n) * tile;
    const auto rows = std::min(tile, w.m - row), columns = std::min(tile, w.n - column);
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t p = 0; p < w.k; ++p)
        own.a[as_count(i * w.k + p)] = float{w.a[as_count((row + i) * w.pitch + p)]};
    for (std::int64_t j = 0; j < columns; ++j)
      for (std::int64_t p = 0; p < w.k; ++p)
        own.b[as_count(p * tile + j)] = float{w.b[as_count((column + j) * w.pitch + p)]};
    cpu::sgemm(rows, columns, w.k, own.a.data(), w.k, own.b.data(), tile, own.c.data(), tile, own.panels);
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j)
        w.c[as_count((row + i) * w.n + column + j)] = bf16(own.c[as_count(i * tile + j)]);
  }

 private:
  std::vector<scratch> own_{};
};

auto static_tiles(const workload& shape, setup& s) {
  return [own = tiles(shape, s)](workload& w, call& c) {
    c.team().run([&](int rank, int ranks) {
      const auto count = tiles::count(w);
      for (auto i = count * rank / ranks; i < count * (rank + 1) / ranks; ++i) own.make(w, i, rank);
    });
  };
}

auto dynamic_tiles(const workload& shape, setup& s) {
  return [own = tiles(shape, s)](workload& w, call& c) {
    std::atomic<std::int64_t> next = 0;
    c.team().run([&](int rank, int) {
      for (auto i = next.fetch_add(1); i < tiles::count(w); i = next.fetch_add(1)) own.make(w, i, rank);
    });
  };
}

}  // namespace

ladder<workload> cpu() {
  return {
      {.name = "static_tiles",
       .is = role::baseline,
       .idea = "each thread gets as many tiles as the others, one after the other",
       .run = static_tiles,
       .threads = all_cores,
       .arithmetic = arithmetic::bf16},
      {.name = "dynamic_tiles",
       .idea = "whichever thread is free takes the next tile",
       .run = dynamic_tiles,
       .threads = all_cores,
       .arithmetic = arithmetic::bf16},
  };
}

}  // namespace ridge::experiments::ch10_stream_k
