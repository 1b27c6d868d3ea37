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

enum class objective : std::uint8_t { time, cost, memory };

[[nodiscard]] std::string_view name_of(objective o);

// A question: the best plans of a job on so many GPUs.
struct search_request {
  training_job job{};
  std::vector<std::int64_t> gpus{};  // every count is searched; plans may leave GPUs idle
  double memory_bytes = 0;           // what a rank may need
  search_space space{};
  objective by{objective::time};
  std::size_t top = 10;
  int threads = 0;                  // 0: one a core
  double dollars_per_gpu_hour = 0;  // 0: unknown; cost then counts GPU-hours
};

// A plan that fits, with what it takes.
struct scored_plan {
  training_plan plan{};
  std::uint8_t precision = 0;  // index of the models asked
  std::int64_t gpus = 0;       // that are paid for; plan.layout.gpus() of them work
  double step_s = 0;
  double memory_bytes = 0;
  bool operator==(const scored_plan&) const = default;
};

// Why plans were not among the answers. Only `memory` counts plans that were evaluated; the others count what
// was left out before: cuts of the model (TP, PP, CP), or plans that were never formed.
enum class rejection : std::uint8_t {
  memory,    // evaluated; needs more than a rank may
  gpus,      // cuts that need more GPUs than there are
  batch,     // cuts with a micro-batch for which no number of data ranks divides the batch and uses the GPUs
  schedule,  // plans: interleaving needs micro-batches in multiples of the pipeline
  experts,   // plans: expert ranks do not divide the GPUs of a stage
};
constexpr std::size_t rejection_kinds = 5;

[[nodiscard]] std::string_view name_of(rejection r);

struct search_result {
  std::vector<scored_plan>
      best{};  // by the objective, at most `top`; of each layout and micro-batch the best
  std::vector<scored_plan> front{};  // no other is better in step time, memory or GPUs and as good in the
                                     // rest; cost follows from time and GPUs, so it adds nothing to them
  std::int64_t evaluated = 0;        // plans whose memory was computed, and time where it fits
  std::int64_t timed = 0;            // of these, those that fit: their time was computed as well
  std::int64_t rejected[rejection_kinds]{};  // by rejection
  double least_memory_bytes = 0;             // of all evaluated: what at least is needed where nothing fits
  training_plan least_memory{};
  double wall_s = 0;
  int threads = 1;
  bool stopped = false;  // by its caller: what was finished until then
};

// Told now and then how much is done, from one thread at a time; false stops the search.
using search_progress = std::function<bool(double share)>;

// Evaluates every plan of the space. The answer is the same for any number of threads: parts are merged by a
// total order (objective, time, memory, GPUs, then the plan's numbers).
[[nodiscard]] search_result search(const search_request& request, const search_axes& axes,
                                   std::span<const plan_models* const> precisions,
                                   const search_progress& progress = {});

// What the objective counts: seconds, dollars (or GPU-seconds) a step, bytes.
[[nodiscard]] double score(const scored_plan& p, const search_request& request);

}  // namespace ridge::plan::train
