// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstddef>

#include <ridge/harness/experiment.hpp>

#include "launch_bounds_occupancy.hpp"

namespace ridge::experiments::ch06_launch_bounds_occupancy {
namespace {

// Where a system keeps element (r, c) of its lower triangle.
std::size_t place(std::size_t r, std::size_t c) { return r * (r + 1) / 2 + c; }

// Solves `Width` neighbouring systems from the i-th on, in step: A = L Lᵀ, L y = b, Lᵀ x = y. The loops over
// systems are the inner ones, which a compiler makes vectors of.
template <class Real, std::size_t Width>
void solve(workload& w, std::size_t i) {
  Real l[triangle][Width], y[order][Width];
  const auto each = [](auto&& f) {
    for (std::size_t j = 0; j < Width; ++j) f(j);
  };
  for (std::size_t r = 0; r < order; ++r) {
    each([&](std::size_t j) { y[r][j] = w.b[r * w.systems + i + j]; });
    for (std::size_t c = 0; c <= r; ++c) {
      auto& at = l[place(r, c)];
      each([&](std::size_t j) { at[j] = w.a[place(r, c) * w.systems + i + j] + (r == c ? Real{shift} : 0); });
      for (std::size_t k = 0; k < c; ++k)
        each([&](std::size_t j) { at[j] -= l[place(r, k)][j] * l[place(c, k)][j]; });
      if (r == c) {
        each([&](std::size_t j) { at[j] = 1 / std::sqrt(at[j]); });
      } else {
        each([&](std::size_t j) { at[j] *= l[place(c, c)][j]; });
        each([&](std::size_t j) { y[r][j] -= at[j] * y[c][j]; });
      }
    }
    each([&](std::size_t j) { y[r][j] *= l[place(r, r)][j]; });
  }
  for (std::size_t r = order; r-- > 0;) {
    for (std::size_t k = r + 1; k < order; ++k)
      each([&](std::size_t j) { y[r][j] -= l[place(k, r)][j] * y[k][j]; });
    each([&](std::size_t j) { y[r][j] *= l[place(r, r)][j]; });
    each([&](std::size_t j) { w.x[r * w.systems + i + j] = static_cast<float>(y[r][j]); });
  }
}

template <class Real, std::size_t Width>
void solve_all(workload& w) {
  std::size_t i = 0;
  for (; i + Width <= w.systems; i += Width) solve<Real, Width>(w, i);
  for (; i < w.systems; ++i) solve<Real, 1>(w, i);
}

template <std::size_t Width>
void in_step(workload& w, call&) {
  solve_all<float, Width>(w);
}

// On a CPU the question is how many systems at once repay the first-level cache that they no longer fit.
ladder<workload> cpu() {
  return {
      {.name = "one_by_one",
       .is = role::baseline,
       .idea = "one system after the other, by scalars",
       .run = in_step<1>},
      {.name = "in_step_16",
       .idea = "16 systems in step, in 10 KiB: a vector for each number",
       .run = in_step<16>},
      {.name = "in_step_128",
       .idea = "128 systems, in 78 KiB: more than a first-level cache",
       .run = in_step<128>},
  };
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch06.launch_bounds_occupancy",
      .title = "Small systems of equations, a thread each",
      .question = "Do more resident warps repay the register spills?",
      .answers = {"launch_bounds_example.cu", "occupancy_api.cu", "K6.5", "K8.2", "B6.5"},
      .tags = {"occupancy", "registers", "launch"},
      .axes = {on_cuda(values("systems", {1 << 12}, {0, 1, 31, 127, 128, 129, 1001}), {1 << 21, 1 << 16})},
      .make =
          [](const problem& p, memory& m) {
            const auto count = p.count("systems");
            return workload{count, m.in<float>(product(triangle, count), uniform{-1, 1}),
                            m.in<float>(product(order, count), normal{}),
                            m.out<float>(product(order, count))};
          },
      .work =
          [](const problem& p) {
            const auto count = p.count("systems");
            // Multiplications and additions of the factorization and of both substitutions.
            constexpr double flop = order * order * order / 3.0 + 2.0 * order * order;
            return work::streaming(reads<float>(triangle + order, count), writes<float>(order, count))
                .with_flop(flop * p.real("systems"))
                .with_items(p.real("systems"));
          },
      .oracle = solve_all<double, 16>,
      // Condition numbers are below 33; sums have 16 terms; rsqrtf is off by two units at most.
      .within = tolerance{.abs = 64 * 16 * 0x1p-24, .rel = 64 * 16 * 0x1p-24},
      .metrics = {time_per_call(), throughput("systems/s")},
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch06_launch_bounds_occupancy
