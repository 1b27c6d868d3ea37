// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include <ridge/plan/train/plan_models.hpp>
#include <ridge/plan/train/search_space.hpp>

namespace ridge::plan::train {

// What the best plan minimizes.
enum class objective : std::uint8_t { time, cost, memory };

// Its name in reports, options and JSON files.
[[nodiscard]] std::string_view name_of(objective o);

// A search for the best plans of a job on so many GPUs.
struct search_request {
  training_job job{};
  std::vector<std::int64_t> gpus{};  // every count is searched; plans may leave GPUs idle
  double memory_bytes = 0;           // memory available per rank
  search_space space{};
  train::objective objective{train::objective::time};
  std::size_t top = 10;
  int threads = 0;                  // 0: one per core
  double dollars_per_gpu_hour = 0;  // 0: unknown; cost then counts GPU-hours
};

// A plan that fits, with its time and memory.
struct scored_plan {
  training_plan plan{};
  std::uint8_t precision = 0;  // index into the models given to search()
  std::int64_t gpus = 0;       // GPUs paid for; the plan uses plan.layout.gpus() of them
  double step_s = 0;
  double memory_bytes = 0;
  bool operator==(const scored_plan&) const = default;
};

// Why plans were rejected. `memory` counts evaluated plans; the others count what was excluded before:
// divisions of the model (TP, PP, CP), or plans that were never formed.
enum class rejection : std::uint8_t {
  memory,  // evaluated plans that need more memory than a rank has
  gpus,    // divisions that need more GPUs than there are
  batch,  // divisions and micro-batches for which no number of data ranks divides the batch and uses the GPUs
  schedule,  // plans: interleaving needs micro-batches in multiples of the pipeline
  experts,   // plans: expert ranks do not divide the GPUs of a stage
};
constexpr std::size_t rejection_kinds = 5;

// Its name in reports, options and JSON files.
[[nodiscard]] std::string_view name_of(rejection r);

// The plans found, and counts of all plans searched.
struct search_result {
  std::vector<scored_plan> best{};   // best first, at most `top`; one plan per layout and micro-batch
  std::vector<scored_plan> front{};  // Pareto-optimal plans in step time, memory and GPUs; cost follows
                                     // from time and GPUs and adds no plan
  std::int64_t evaluated = 0;        // plans whose memory was computed, and time where it fits
  std::int64_t timed = 0;            // of these, those that fit: their time was computed as well
  std::int64_t rejected[rejection_kinds]{};  // indexed by rejection
  double least_memory_bytes = 0;             // least of all evaluated plans
  training_plan least_memory{};
  std::uint8_t least_memory_precision = 0;  // its index, as in scored_plan
  double wall_s = 0;
  int threads = 1;
  bool stopped = false;  // ended early by the caller; the result holds what was finished
};

// Called now and then with the share that is done, by one thread at a time. Returning false stops the search.
using search_progress = std::function<bool(double share)>;

// Evaluates every plan of the space. The result does not depend on the number of threads: parts are merged by
// a total order (objective, time, memory, GPUs, then the numbers of the plan).
[[nodiscard]] search_result search(const search_request& request, const search_axes& axes,
                                   std::span<const plan_models* const> precisions,
                                   const search_progress& progress = {});

// The value that the objective minimizes: seconds per step, dollars (or GPU-seconds) per step, or bytes.
[[nodiscard]] double score(const scored_plan& p, const search_request& request);

}  // namespace ridge::plan::train
