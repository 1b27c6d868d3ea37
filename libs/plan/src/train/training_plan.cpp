// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/train/training_plan.hpp>

#include <array>

#include <fmt/format.h>

namespace ridge::plan::train {

std::string_view name_of(recomputation r) {
  constexpr std::array<std::string_view, 3> names{"none", "selective", "full"};
  return names[static_cast<std::size_t>(r)];
}

std::string_view name_of(sharding s) {
  constexpr std::array<std::string_view, 4> names{"none", "optimizer", "gradients", "weights"};
  return names[static_cast<std::size_t>(s)];
}

std::string_view name_of(pipeline_schedule s) {
  return s == pipeline_schedule::dual_pipe ? "dualpipe" : "1f1b";
}

bool schedule_holds(const training_plan& plan, std::int64_t micro_batches) {
  const auto& l = plan.layout;
  if (plan.schedule == pipeline_schedule::dual_pipe)
    return l.virtual_pipeline == 1 && l.pipeline % 2 == 0 && micro_batches % 2 == 0 &&
           micro_batches >= 2 * std::int64_t{l.pipeline};
  return l.virtual_pipeline == 1 || micro_batches % l.pipeline == 0;
}

result<void> check_schedule(const training_plan& plan, std::int64_t micro_batches) {
  if (schedule_holds(plan, micro_batches)) return {};
  const auto& l = plan.layout;
  if (plan.schedule != pipeline_schedule::dual_pipe)
    return error{
        fmt::format("{} micro-batches do not divide by {} interleaved stages", micro_batches, l.pipeline),
        "give a global batch of a multiple of DP · micro-batch · PP"};
  if (l.virtual_pipeline > 1 || l.pipeline % 2 != 0)
    return error{fmt::format("DualPipe with {} stages of {} virtual ones", l.pipeline, l.virtual_pipeline),
                 "give an even number of stages and no virtual stages"};
  return error{fmt::format("DualPipe on {} stages with {} micro-batches", l.pipeline, micro_batches),
               fmt::format("give a global batch of an even multiple of DP · micro-batch, {} times or more",
                           2 * l.pipeline)};
}

// "TP 8, PP 4, DP 16, micro-batch 1, ZeRO 1, full recomputation"
std::string training_plan::text() const {
  auto out = fmt::format("{}, micro-batch {}", layout.text(), micro_batch);
  if (schedule == pipeline_schedule::dual_pipe) out += ", DualPipe";
  if (shard != sharding::none) out += fmt::format(", ZeRO {}", static_cast<int>(shard));
  if (recompute != recomputation::none) out += fmt::format(", {} recomputation", name_of(recompute));
  if (layout.tensor > 1 && !sequence_parallel) out += ", no sequence parallelism";
  return out;
}

}  // namespace ridge::plan::train
