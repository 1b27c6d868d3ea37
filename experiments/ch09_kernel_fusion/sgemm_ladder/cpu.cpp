// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <span>

#include <ridge/cpu/sgemm.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/host/team.hpp>
#include <ridge/vendor/openblas.hpp>

#include "sgemm_ladder.hpp"

namespace ridge::experiments::ch09_sgemm_ladder {
namespace {

void naive(workload& w, call&) {
  for (std::int64_t i = 0; i < w.m; ++i) {
    for (std::int64_t j = 0; j < w.n; ++j) {
      float sum = 0;
      for (std::int64_t t = 0; t < w.k; ++t) sum += w.a[as_count(i * w.k + t)] * w.b[as_count(t * w.n + j)];
      w.c[as_count(i * w.n + j)] = sum;
    }
  }
}

// 64 terms of 256 columns of b, 64 KiB, stay in a second-level cache while all rows of a pass.
constexpr std::int64_t block_terms = 64, block_columns = 256;

// Adds `count` elements of b times `factor` to those of c: the loop that the compiler turns into vectors.
void add_row(const float* __restrict b, float factor, float* __restrict c, std::int64_t count) {
  for (std::int64_t j = 0; j < count; ++j) c[j] += factor * b[j];
}

void blocked(workload& w, call&) {
  std::ranges::fill(w.c, 0.0F);
  for (std::int64_t column = 0; column < w.n; column += block_columns) {
    const auto columns = std::min(block_columns, w.n - column);
    for (std::int64_t from = 0; from < w.k; from += block_terms) {
      const auto end = std::min(from + block_terms, w.k);
      for (std::int64_t i = 0; i < w.m; ++i)
        for (auto t = from; t < end; ++t)
          add_row(w.b.data() + t * w.n + column, w.a[as_count(i * w.k + t)], w.c.data() + i * w.n + column,
                  columns);
    }
  }
}

auto packed(const workload& shape, setup& s) {
  return [scratch = s.workspace<float>(cpu::sgemm_workspace(shape.m, shape.n, shape.k))](workload& w, call&) {
    cpu::sgemm(w.m, w.n, w.k, w.a.data(), w.k, w.b.data(), w.n, w.c.data(), w.n, scratch);
  };
}

auto all_threads(const workload& shape, setup& s) {
  const auto scratch = s.workspace<float>(cpu::sgemm_workspace(shape.m, shape.n, shape.k, s.threads()));
  return [scratch](workload& w, call& c) {
    cpu::sgemm(c.team(), w.m, w.n, w.k, w.a.data(), w.k, w.b.data(), w.n, w.c.data(), w.n, scratch);
  };
}

// The library's product of rows [begin, end).
void multiply_rows(workload& w, std::int64_t begin, std::int64_t end) {
  if (begin == end) return;
  const auto rows = as_int(as_count(end - begin)), n = as_int(as_count(w.n)), k = as_int(as_count(w.k));
  cblas_sgemm(vendor::cblas_row_major, vendor::cblas_no_trans, vendor::cblas_no_trans, rows, n, k, 1,
              w.a.data() + begin * w.k, k, w.b.data(), n, 0, w.c.data() + begin * w.n, n);
}

void openblas(workload& w, call&) { multiply_rows(w, 0, w.m); }

void openblas_all_cores(workload& w, call& c) {
  c.team().run([&](int rank, int ranks) { multiply_rows(w, w.m * rank / ranks, w.m * (rank + 1) / ranks); });
}

// Why gains over the plain loops exceed ten times.
constexpr auto walks_columns =
    "the baseline walks down columns of b, a cache line and often a page for each product, and adds one "
    "product "
    "at a time to one sum";

}  // namespace

ladder<workload> cpu() {
  return {
      {.name = "naive",
       .is = role::baseline,
       .idea = "three loops, a sum at a time",
       .run = naive,
       .pedagogy = true},
      {.name = "blocked",
       .idea = "blocks of b stay in a cache, and vectors run along its rows",
       .run = blocked,
       .explanation = walks_columns},
      {.name = "packed",
       .idea = "operands packed in the order of use; a tile of sums in vector registers",
       .run = packed,
       .explanation = walks_columns},
      {.name = "threads",
       .idea = "all cores share the packed b",
       .run = all_threads,
       .explanation = walks_columns,
       .threads = all_cores},
      {.name = "openblas",
       .is = role::comparator,
       .idea = "cblas_sgemm on one thread, with the library's widest kernels for this CPU",
       .run = openblas,
       .needs = {.library = "openblas"}},
      {.name = "openblas_all_cores",
       .is = role::comparator,
       .idea = "the same on every core, rows dealt out evenly",
       .run = openblas_all_cores,
       .needs = {.library = "openblas"},
       .threads = all_cores},
  };
}

}  // namespace ridge::experiments::ch09_sgemm_ladder
