// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <vector>

#include <ridge/base/element.hpp>
#include <ridge/harness/experiment.hpp>

#include "norm_backward.hpp"

namespace ridge::experiments::ch09_norm_backward {
namespace {

void oracle(workload& w) {
  std::vector<double> dweight(w.columns), dbias(w.columns);
  for (std::size_t r = 0; r < w.rows; ++r) {
    const double inverse = w.inverse[r], mean = w.layer ? w.mean[r] : 0,
                 count = static_cast<double>(w.columns);
    const auto at = [&](std::size_t i) { return r * w.columns + i; };
    const auto normal = [&](std::size_t i) { return (double{float{w.x[at(i)]}} - mean) * inverse; };
    double with_normal = 0, alone = 0;
    for (std::size_t i = 0; i < w.columns; ++i) {
      const double dy = float{w.dy[at(i)]}, g = dy * w.weight[i];
      with_normal += g * normal(i), alone += g;
      dweight[i] += dy * normal(i), dbias[i] += dy;
    }
    for (std::size_t i = 0; i < w.columns; ++i) {
      const double g = double{float{w.dy[at(i)]}} * w.weight[i];
      const double dx = inverse * (g - normal(i) * with_normal / count - (w.layer ? alone / count : 0));
      w.dx[at(i)] = bf16(as_float(dx));
    }
  }
  for (std::size_t i = 0; i < w.columns; ++i) w.dweight[i] = as_float(dweight[i]);
  for (std::size_t i = 0; i < w.dbias.size(); ++i) w.dbias[i] = as_float(dbias[i]);
}

// On a GPU: the shape of a model of 4096 columns for the RMS norm, a wide and short one for the layer norm.
bool other_shape(const problem& p) {
  const bool layer = p.text("norm") == "layer";
  const auto rows = p.integer("rows"), columns = p.integer("columns");
  return (rows == 16384 && (layer || columns != 4096)) || (columns == 12288 && !layer) ||
         (rows == 1024 && columns == 4096);
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch09.norm_backward",
      .title = "Backward pass of RMS and layer norms",
      .question = "Can a norm's backward pass read its inputs once?",
      .answers = {"B9.2"},
      .tags = {"fusion", "norm", "training", "memory"},
      .axes = {choice("norm", {"rms", "layer"}),
               on_cuda(values("rows", {512}, {0, 1, 67, 300}), {16384, 1024}),
               between(on_cuda(values("columns", {2048}, {1, 7, 8, 1000, 2056, 4104, 12'296}), {4096, 12288}),
                       1, 1 << 24)},
      .skip = other_shape,
      .make =
          [](const problem& p, memory& m) {
            const bool layer = p.text("norm") == "layer";
            const auto rows = p.count("rows"), columns = p.count("columns"), n = product(rows, columns);
            return workload{layer,
                            rows,
                            columns,
                            m.in<bf16>(n, normal{}),
                            m.in<bf16>(n, normal{}),
                            m.in<float>(columns, uniform{0.5, 1.5}),
                            m.in<float>(layer ? rows : 0, normal{0, 0.02}),
                            m.in<float>(rows, uniform{0.9, 1.1}),
                            m.out<bf16>(n),
                            m.out<float>(columns),
                            m.out<float>(layer ? columns : 0)};
          },
      .work =
          [](const problem& p) {
            const auto rows = p.count("rows"), columns = p.count("columns");
            const auto kinds = std::size_t{p.text("norm") == "layer" ? 2U : 1U};
            return work::streaming(
                       reads<bf16>(2 * rows, columns) + reads<float>(columns) + reads<float>(kinds * rows),
                       writes<bf16>(rows, columns) + writes<float>(kinds * columns))
                .with_items(p.real("rows"));
          },
      .oracle = oracle,
      // The rounding of dx to bf16, and of sums over rows and columns in fp32.
      .within =
          [](const problem& p) {
            const auto sums = accumulation(p.real("rows") + p.real("columns"), 0x1p-24, 4);
            return tolerance{.abs = sums.abs + 0x1p-10, .rel = 0x1p-7};
          },
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch09_norm_backward
