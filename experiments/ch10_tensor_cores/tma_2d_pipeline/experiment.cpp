// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstddef>

#include <ridge/harness/experiment.hpp>

#include "tma_2d_pipeline.hpp"

namespace ridge::experiments::ch10_tma_2d_pipeline {
namespace {

float magnitude(const workload& w, std::size_t y, std::size_t x) {
  return std::abs(w.matrix[y * w.pitch + x]);
}

float row_maximum(const workload& w, std::size_t index) {
  const std::size_t y = index % w.rows, left = index / w.rows * side;
  float most = 0;
  for (std::size_t x = left; x < std::min(left + side, w.columns); ++x)
    most = std::max(most, magnitude(w, y, x));
  return most;
}

float column_maximum(const workload& w, std::size_t index) {
  const std::size_t x = index % w.columns, top = index / w.columns * side;
  float most = 0;
  for (std::size_t y = top; y < std::min(top + side, w.rows); ++y) most = std::max(most, magnitude(w, y, x));
  return most;
}

std::size_t pitch_of(std::size_t columns) { return (columns + 3) / 4 * 4; }

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch10.tma_2d_pipeline",
      .title = "Tiles that arrive while others are worked on",
      .question = "How many stages hide a tile's load latency?",
      .answers = {"tma_2d_pipeline_blackwell.cu", "K10.5", "B10.1"},
      .tags = {"memory", "latency", "async-copy", "tma", "pipelining"},
      .axes =
          {on_cuda(values("rows", {4096}, {0, 1, 63, 64, 65, 200}), {16384, 4096}),
           // On the CPU no power of two, whose rows would fall into the same sets of the first-level cache.
           on_cuda(values("columns", {4032}, {0, 1, 5, 63, 64, 65, 190, 260}), {8192})},
      .make =
          [](const problem& p, memory& m) {
            const auto rows = p.count("rows"), columns = p.count("columns"), pitch = pitch_of(columns);
            return workload{rows,
                            columns,
                            pitch,
                            m.in<float>(product(rows, pitch), normal{}),
                            m.out<float>(product(tiles_along(columns), rows)),
                            m.out<float>(product(tiles_along(rows), columns))};
          },
      .work =
          [](const problem& p) {
            const auto rows = p.count("rows"), columns = p.count("columns");
            return work::streaming(
                reads<float>(rows, pitch_of(columns)),
                writes<float>(tiles_along(columns), rows) + writes<float>(tiles_along(rows), columns));
          },
      .oracle =
          [](workload& w) {
            for (std::size_t i = 0; i < w.row_maxima.size(); ++i) w.row_maxima[i] = row_maximum(w, i);
            for (std::size_t i = 0; i < w.column_maxima.size(); ++i)
              w.column_maxima[i] = column_maximum(w, i);
          },
      .element = row_maximum,
      .within = exact(),
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch10_tma_2d_pipeline
