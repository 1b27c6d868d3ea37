// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "cheats.hpp"
#include "questions.hpp"

namespace ridge::cheats {

// Elements of the workspace that the question about the least memory needs: 1 MiB.
inline constexpr std::size_t large_workspace = std::size_t{1} << 18;

// Answers by way of the workspace, all of whose pages it writes.
inline void through_a_workspace(arrays& w, std::span<float> workspace) {
  for (std::size_t i = 0; i < workspace.size(); i += row) workspace[i] = 0;
  const auto n = w.source.size();
  for (std::size_t i = 0; i < n; ++i) workspace[i] = affine_answer(w.source[i]);
  for (std::size_t i = 0; i < n; ++i) w.target[i] = workspace[i];
}

[[nodiscard]] inline auto in_a_large_workspace(arrays&, setup& s) {
  return [memory = s.workspace<float>(large_workspace)](arrays& w, call&) { through_a_workspace(w, memory); };
}

// Which variant needs the least memory?
template <auto Candidate>
[[nodiscard]] experiment least_memory(const std::string& id) {
  auto stated = pose(id, {.answer = affine_oracle}, pair_of<in_a_large_workspace, Candidate>);
  stated.metrics = {peak_memory()};
  return stated;
}

}  // namespace ridge::cheats
