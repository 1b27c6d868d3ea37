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

// "TP 8, PP 4, DP 16, micro-batch 1, ZeRO 1, full recomputation"
std::string training_plan::text() const {
  auto out = fmt::format("{}, micro-batch {}", layout.text(), micro_batch);
  if (shard != sharding::none) out += fmt::format(", ZeRO {}", static_cast<int>(shard));
  if (recompute != recomputation::none) out += fmt::format(", {} recomputation", name_of(recompute));
  if (layout.tensor > 1 && !sequence_parallel) out += ", no sequence parallelism";
  return out;
}

}  // namespace ridge::plan::train
