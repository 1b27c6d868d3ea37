// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstddef>

#include <ridge/harness/experiment.hpp>

#include "launch_bounds_occupancy.hpp"

namespace ridge::experiments::ch06_launch_bounds_occupancy {
namespace {

// Where a system keeps element (r, c) of its lower triangle.
std::size_t place(std::size_t r, std::size_t c) { return r * (r + 1) / 2 + c; }

// Solves system i in double precision: A = L Lᵀ, L y = b, Lᵀ x = y.
void solve(workload& w, std::size_t i) {
  double l[triangle] = {}, y[order] = {};
  for (std::size_t r = 0; r < order; ++r) {
    y[r] = w.b[r * w.systems + i];
    for (std::size_t c = 0; c <= r; ++c) {
      double sum = w.a[place(r, c) * w.systems + i] + (r == c ? double{shift} : 0);
      for (std::size_t k = 0; k < c; ++k) sum -= l[place(r, k)] * l[place(c, k)];
      l[place(r, c)] = r == c ? std::sqrt(sum) : sum / l[place(c, c)];
      if (c < r) y[r] -= l[place(r, c)] * y[c];
    }
    y[r] /= l[place(r, r)];
  }
  for (std::size_t r = order; r-- > 0;) {
    for (std::size_t k = r + 1; k < order; ++k) y[r] -= l[place(k, r)] * y[k];
    y[r] /= l[place(r, r)];
    w.x[r * w.systems + i] = as_float(y[r]);
  }
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
      .oracle =
          [](workload& w) {
            for (std::size_t i = 0; i < w.systems; ++i) solve(w, i);
          },
      // Condition numbers are below 33; sums have 16 terms; rsqrtf is off by two units at most.
      .within = tolerance{.abs = 64 * 16 * 0x1p-24, .rel = 64 * 16 * 0x1p-24},
      .metrics = {time_per_call(), throughput("systems/s")},
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch06_launch_bounds_occupancy
