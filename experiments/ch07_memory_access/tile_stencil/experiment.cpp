// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <ridge/harness/experiment.hpp>

#include "tile_stencil.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "experiment.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch07_tile_stencil::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// One step of a row of n elements.
void step_row(const float* above, const float* row, const float* below, float* target, std::size_t n) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto element = [&](std::size_t i) {
    const float left = i == 0 ? 0 : row[i - 1], right = i + 1 == n ? 0 : row[i + 1];
    target[i] = centre * row[i] + neighbour * ((above[i] + below[i]) + (left + right));
  };
  const auto own = hn::Set(d, centre), others = hn::Set(d, neighbour);
  if (n != 0) element(0);
  std::size_t i = 1;
  for (; i + lanes < n; i += lanes) {
    const auto vertical = hn::Add(hn::LoadU(d, above + i), hn::LoadU(d, below + i));
    const auto horizontal = hn::Add(hn::LoadU(d, row + i - 1), hn::LoadU(d, row + i + 1));
    hn::StoreU(hn::MulAdd(own, hn::LoadU(d, row + i), hn::Mul(others, hn::Add(vertical, horizontal))), d,
               target + i);
  }
  for (; i < n; ++i) element(i);
}

}  // namespace ridge::experiments::ch07_tile_stencil::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch07_tile_stencil {
HWY_EXPORT(step_row);
namespace {

// One step of the whole grid, in the type of the sums.
template <class Number, class Source>
void step_all(const workload& w, const Source* before, Number* after) {
  const auto at = [&](std::size_t y, std::size_t x) {
    return y < w.rows && x < w.columns ? Number{before[y * w.columns + x]} : Number{0};
  };
  for (std::size_t y = 0; y < w.rows; ++y)
    for (std::size_t x = 0; x < w.columns; ++x)
      after[y * w.columns + x] =
          Number{centre} * at(y, x) +
          Number{neighbour} * ((at(y - 1, x) + at(y + 1, x)) + (at(y, x - 1) + at(y, x + 1)));
}

void oracle(workload& w) {
  std::vector<double> before(w.source.begin(), w.source.end()), after(before.size());
  for (int step = 0; step < steps; ++step) {
    step_all(w, before.data(), after.data());
    std::swap(before, after);
  }
  std::ranges::transform(before, w.target.begin(), as_float<double>);
}

// One element, from the square of elements that are at most `steps` away.
double element(const workload& w, std::size_t index) {
  constexpr std::size_t side = 2 * steps + 1;
  const std::size_t row = index / w.columns, column = index % w.columns;
  std::array<std::array<double, side>, side> before{}, after{};
  const auto inside = [&](std::size_t y, std::size_t x) {
    return row + y - steps < w.rows && column + x - steps < w.columns;
  };
  for (std::size_t y = 0; y < side; ++y)
    for (std::size_t x = 0; x < side; ++x)
      if (inside(y, x)) before[y][x] = w.source[(row + y - steps) * w.columns + column + x - steps];
  for (std::size_t edge = 1; edge <= steps; ++edge) {
    for (std::size_t y = edge; y < side - edge; ++y)
      for (std::size_t x = edge; x < side - edge; ++x)
        if (inside(y, x))
          after[y][x] =
              double{centre} * before[y][x] +
              double{neighbour} * (before[y - 1][x] + before[y + 1][x] + before[y][x - 1] + before[y][x + 1]);
    before = after;
  }
  return before[steps][steps];
}

// A row of zeros, and the rows that each of the steps between keeps.
constexpr std::size_t kept_rows = 3;
struct row_store {
  std::span<float> values;
  std::size_t columns;
  [[nodiscard]] float* zeros() const { return values.data(); }
  [[nodiscard]] float* row(std::size_t step, std::size_t y) const {
    return values.data() + (1 + (step - 1) * kept_rows + y % kept_rows) * columns;
  }
};

// Row y after so many steps.
float* row_after(const workload& w, const row_store& store, std::size_t step, std::size_t y) {
  if (y >= w.rows) return store.zeros();
  if (step == steps) return w.target.data() + y * w.columns;
  return step == 0 ? const_cast<float*>(w.source.data()) + y * w.columns : store.row(step, y);
}

auto naive(workload& shape, setup& s) {
  return [scratch = s.workspace<float>(shape.source.size())](workload& w, call&) {
    step_all(w, w.source.data(), scratch.data());
    step_all(w, scratch.data(), w.target.data());
    step_all(w, w.target.data(), scratch.data());
    step_all(w, scratch.data(), w.target.data());
  };
}

auto simd(workload& shape, setup& s) {
  const row_store zeros{s.workspace<float>(shape.columns), shape.columns};
  return [zeros, scratch = s.workspace<float>(shape.source.size())](workload& w, call&) {
    const auto pass = [&](const float* before, float* after) {
      const auto row = [&](std::size_t y) { return y < w.rows ? before + y * w.columns : zeros.zeros(); };
      for (std::size_t y = 0; y < w.rows; ++y)
        HWY_DYNAMIC_DISPATCH(step_row)(row(y - 1), row(y), row(y + 1), after + y * w.columns, w.columns);
    };
    pass(w.source.data(), scratch.data());
    pass(scratch.data(), w.target.data());
    pass(w.target.data(), scratch.data());
    pass(scratch.data(), w.target.data());
  };
}

// A row takes a step as soon as the row below it has taken the one before.
auto row_front(workload& shape, setup& s) {
  const std::size_t rows = 1 + (steps - 1) * kept_rows;
  const row_store store{s.workspace<float>(rows * shape.columns), shape.columns};
  return [store](workload& w, call&) {
    for (std::size_t front = 0; front < w.rows + steps - 1; ++front)
      for (std::size_t step = 1; step <= steps; ++step) {
        const std::size_t y = front - (step - 1);
        if (y >= w.rows) continue;
        HWY_DYNAMIC_DISPATCH(step_row)
        (row_after(w, store, step - 1, y - 1), row_after(w, store, step - 1, y),
         row_after(w, store, step - 1, y + 1), row_after(w, store, step, y), w.columns);
      }
  };
}

double traffic_of_passes(const problem& p) { return steps * 8 * p.real("rows") * p.real("columns"); }

ladder<workload> cpu() {
  return {
      {.name = "naive",
       .is = role::baseline,
       .idea = "four passes, an element at a time",
       .run = naive,
       .traffic = traffic_of_passes},
      {.name = "simd",
       .idea = "a vector of elements an instruction, still four passes",
       .run = simd,
       .traffic = traffic_of_passes,
       .explanation = "the baseline asks for every neighbour whether it lies in the grid"},
      {.name = "row_front",
       .idea = "one pass: a row takes all steps while its neighbours are cached",
       .run = row_front,
       .explanation = "the baseline asks for every neighbour whether it lies in the grid"},
  };
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch07.tile_stencil",
      .title = "Four steps of a five-point stencil",
      .question = "How far does tile reuse cut a stencil's traffic?",
      .answers = {"K7.3", "B7.3"},
      .tags = {"memory", "reuse", "shared-memory", "tma"},
      // A GPU's grid has at most 65535 blocks along y, each of eight rows.
      .axes = {between(on_cuda(values("rows", {1024}, {0, 1, 3, 64, 130, 257}), {16384, 8192}), 0, 65535 * 8),
               between(on_cuda(values("columns", {2048}, {0, 1, 4, 63, 120, 124, 260, 1001}), {16384}), 0,
                       1 << 20)},
      .make =
          [](const problem& p, memory& m) {
            const auto rows = p.count("rows"), columns = p.count("columns"), n = product(rows, columns);
            return workload{rows, columns, m.in<float>(n, normal{}), m.out<float>(n)};
          },
      .work =
          [](const problem& p) {
            const auto rows = p.count("rows"), columns = p.count("columns");
            return work::streaming(reads<float>(rows, columns), writes<float>(rows, columns))
                .with_flop(6.0 * steps * p.real("rows") * p.real("columns"));
          },
      .oracle = oracle,
      .element = element,
      // Each step rounds five times values that stay below 8.
      .within = tolerance{.abs = steps * 5 * 8 * 0x1p-24},
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch07_tile_stencil
#endif
