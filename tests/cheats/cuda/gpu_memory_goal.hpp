// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "cuda/cuda_questions.hpp"

namespace ridge::cheats::cuda {

// Answers by way of the workspace, all of which it writes.
inline void through_memory(arrays& w, call& c, std::span<float> workspace) {
  launch_through(w.source.data(), workspace.data(), workspace.size(), w.target.data(), w.source.size(),
                 c.queue());
}

[[nodiscard]] inline auto in_a_large_gpu_workspace(arrays&, setup& s) {
  return [memory = s.workspace<float>(static_elements)](arrays& w, call& c) { through_memory(w, c, memory); };
}

// Which variant needs the least memory of the device? The baseline works in 32 MiB.
template <auto Candidate>
[[nodiscard]] experiment least_gpu_memory(const std::string& id) {
  auto stated = pose_on_gpu(id, {.elements = (1 << 16) + 5, .answer = affine_oracle},
                            pair_of<in_a_large_gpu_workspace, Candidate>);
  stated.metrics = {peak_memory()};
  return stated;
}

}  // namespace ridge::cheats::cuda
