// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>

#include <ridge/harness/experiment.hpp>

#include "bank_conflicts.hpp"

namespace ridge::experiments::ch06_bank_conflicts {
namespace {

// Floats between rows of the scratch tile: 4 KiB, the distance of lines that share a set of a first-level
// cache of 64 sets; one line more; none between rows.
constexpr std::size_t aliasing = 1024, padding = aliasing + 16;

// Writes a tile's rows `stride` floats apart and reads them by columns.
void transpose(const float* source, float* scratch, float* target, std::size_t stride) {
  for (std::size_t r = 0; r < side; ++r) std::copy_n(source + r * side, side, scratch + r * stride);
  for (std::size_t c = 0; c < side; ++c) {
    for (std::size_t r = 0; r < side; ++r) target[c * side + r] = scratch[r * stride + c];
  }
}

// Transposes every tile `passes` times by way of rows that lie `stride` floats apart.
auto through_rows(std::size_t stride) {
  return [stride](const workload&, setup& s) {
    return [stride, scratch = s.workspace<float>(side * stride)](workload& w, call&) {
      for (std::size_t first = 0; first < w.source.size(); first += tile_elements) {
        const float* from = w.source.data() + first;
        float* result = w.target.data() + first;
        transpose(from, scratch.data(), result, stride);
        for (std::size_t pass = 1; pass < w.passes; ++pass) transpose(result, scratch.data(), result, stride);
      }
    };
  };
}

ladder<workload> cpu() {
  return {
      {.name = "aliased",
       .is = role::baseline,
       .idea = "rows are 4 KiB apart: all lines of a column share one set of the cache",
       .run = through_rows(aliasing)},
      {.name = "padded",
       .idea = "a line more between rows: each lies in a set of its own",
       .run = through_rows(padding)},
      {.name = "dense",
       .idea = "nothing between rows: the tile is 64 lines in a row",
       .run = through_rows(side)},
  };
}

double expected(const workload& w, std::size_t i) {
  const auto first = i / tile_elements * tile_elements, row = i / side % side, column = i % side;
  return w.source[w.passes % 2 == 0 ? i : first + column * side + row];
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch06.bank_conflicts",
      .title = "Tiles written by rows and read by columns",
      .question = "What does a 32-way shared-memory conflict cost?",
      .answers = {"B6.4", "B7.3"},
      .tags = {"shared-memory", "access-pattern"},
      .axes = {on_cuda(values("passes", {15, 1}, {3}), {15, 1}),
               on_cuda(values("tiles", {1024}, {0, 1, 2, 3, 5, 31}), {1 << 16})},
      .make =
          [](const problem& p, memory& m) {
            const auto n = product(p.count("tiles"), tile_elements);
            return workload{p.count("passes"), m.in<float>(n, normal{}), m.out<float>(n)};
          },
      .work =
          [](const problem& p) {
            const auto tiles = p.count("tiles");
            return work::streaming(reads<float>(tiles, tile_elements), writes<float>(tiles, tile_elements));
          },
      .oracle = each_element(&workload::target, expected),
      .element = expected,
      .within = exact(),
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch06_bank_conflicts
