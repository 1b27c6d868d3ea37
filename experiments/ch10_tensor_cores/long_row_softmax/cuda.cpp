// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/vendor/cudnn.hpp>

#include "long_row_softmax.hpp"

namespace ridge::experiments::ch10_long_row_softmax {
namespace {

// The body of a kernel whose clusters hold a row.
template <void (*Launch)(const workload&, stream)>
auto in_cluster(workload& w, setup&) {
  if (w.columns > most_columns) {
    throw unavailable(fmt::format("a cluster that holds {} columns", w.columns),
                      fmt::format("the registers of a cluster hold {}", most_columns));
  }
  return [](workload& own, call& c) { Launch(own, c.queue()); };
}

auto by_cudnn(workload& w, setup& s) {
  vendor::cudnn_softmax softmax(w.rows, w.columns, s.queue(), CUDA_R_32F);
  return [softmax = std::move(softmax)](workload& own, call&) {
    softmax.enqueue(own.source.data(), own.target.data());
  };
}

double two_reads_and_a_write(const problem& p) { return 12 * p.real("rows") * p.real("columns"); }

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "two_reads",
       .is = role::baseline,
       .idea = "a block goes over its row for the maximum and the sum, and again for the result",
       .run = enqueues(launch_two_reads),
       .traffic = two_reads_and_a_write},
      {.name = "cluster_of_8",
       .idea = "eight blocks hold the row in registers and exchange one pair of numbers each",
       .run = in_cluster<launch_cluster_of_8>,
       .needs = {.compute_capability = {9, 0}}},
      {.name = "cluster_of_16",
       .idea = "smaller blocks: two share a multiprocessor, and one reads while the other writes",
       .run = in_cluster<launch_cluster_of_16>,
       .needs = {.compute_capability = {9, 0}}},
      {.name = "cudnn",
       .is = role::comparator,
       .idea = "cudnnSoftmaxForward, accurate",
       .run = by_cudnn,
       .needs = {.library = "cudnn"}},
  };
}

}  // namespace ridge::experiments::ch10_long_row_softmax
