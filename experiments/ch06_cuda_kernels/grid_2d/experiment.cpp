// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>

#include <ridge/harness/experiment.hpp>
#include <ridge/host/team.hpp>

#include "grid_2d.hpp"

namespace ridge::experiments::ch06_grid_2d {
namespace {

void scale_rows(const workload& w, std::size_t begin, std::size_t end) {
  for (std::size_t row = begin; row < end; ++row) {
    const float* source = w.source.data() + row * w.columns;
    float* target = w.target.data() + row * w.columns;
    for (std::size_t column = 0; column < w.columns; ++column) target[column] = w.scale[row] * source[column];
  }
}

void column_loop(workload& w, call&) {
  for (std::size_t column = 0; column < w.columns; ++column) {
    for (std::size_t row = 0; row < w.rows; ++row) {
      const auto i = row * w.columns + column;
      w.target[i] = w.scale[row] * w.source[i];
    }
  }
}

void row_loop(workload& w, call&) { scale_rows(w, 0, w.rows); }

void rows_of_cores(workload& w, call& c) {
  c.team().parallel_for(w.rows, [&w](std::size_t begin, std::size_t end) { scale_rows(w, begin, end); });
}

// Why the gain over the loop over columns exceeds ten times.
constexpr auto one_element_per_line =
    "the baseline fetches a line of sixteen elements for each one, and a page for each, a row apart";

ladder<workload> cpu() {
  return {
      {.name = "column_loop",
       .is = role::baseline,
       .idea = "the inner loop walks down a column: a line for each element",
       .run = column_loop,
       .traffic_reason = "a column's lines may stay cached for the next column"},
      {.name = "row_loop",
       .idea = "the inner loop walks along a row, by vectors",
       .run = row_loop,
       .explanation = one_element_per_line},
      {.name = "rows_of_cores",
       .idea = "every core takes a share of the rows",
       .run = rows_of_cores,
       .explanation = one_element_per_line,
       .threads = all_cores},
  };
}

double expected(const workload& w, std::size_t i) { return w.scale[i / w.columns] * w.source[i]; }

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch06.grid_2d",
      .title = "A matrix by a grid of two dimensions",
      .question = "Which thread axis should walk along memory?",
      .answers = {"2d_kernel.cu", "K6.2", "B6.2"},
      .tags = {"memory", "access-pattern", "launch"},
      .axes = {on_cuda(values("rows", {1024, 64}, {0, 1, 17, 33}), {8192, 1024}),
               on_cuda(values("columns", {1024}, {0, 1, 4, 31, 36, 130}), {8192})},
      .make =
          [](const problem& p, memory& m) {
            const auto rows = p.count("rows"), columns = p.count("columns");
            return workload{rows, columns, m.in<float>(product(rows, columns), normal{}),
                            m.in<float>(rows, normal{}), m.out<float>(product(rows, columns))};
          },
      .work =
          [](const problem& p) {
            const auto rows = p.count("rows"), columns = p.count("columns");
            return work::streaming(reads<float>(rows, columns) + reads<float>(rows),
                                   writes<float>(rows, columns))
                .with_flop(p.real("rows") * p.real("columns"));
          },
      .oracle = each_element(&workload::target, expected),
      .element = expected,
      .within = exact(),
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch06_grid_2d
