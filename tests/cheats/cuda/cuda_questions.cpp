// SPDX-License-Identifier: Apache-2.0
#include "cuda/cuda_questions.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <fstream>

namespace ridge::cheats::cuda {
namespace {

// Lanes side by side, so that the compiler uses vectors.
constexpr std::size_t lanes = 16;

void mix_lanes(const float* source, float* target, std::size_t count, int steps) {
  std::array<std::uint32_t, lanes> first{}, state{};
  for (std::size_t k = 0; k < count; ++k) first[k] = std::bit_cast<std::uint32_t>(source[k]);
  state = first;
  for (int i = 0; i < steps; ++i) {
    for (std::size_t k = 0; k < lanes; ++k) state[k] = mixing_step(state[k], first[k]);
  }
  for (std::size_t k = 0; k < count; ++k) target[k] = number_of(state[k]);
}

}  // namespace

experiment_of<arrays> pose_on_gpu(const std::string& id, const shape& stated, ladder_of<arrays> variants) {
  auto made = pose(id, stated, {});
  made.cpu = nullptr;
  made.cuda = variants;
  return made;
}

void affine_body(arrays& w, call& c) {
  launch_affine(w.source.data(), w.target.data(), w.source.size(), c.queue());
}
void root_body(arrays& w, call& c) {
  launch_roots(w.source.data(), w.target.data(), w.source.size(), root_steps, c.queue());
}

void mixed_answers(arrays& w, int steps) {
  for (std::size_t i = 0; i < w.source.size(); i += lanes)
    mix_lanes(&w.source[i], &w.target[i], std::min(lanes, w.source.size() - i), steps);
}
void root_chain_oracle(arrays& w) {
  std::ranges::transform(w.source, w.target.begin(), [](float x) {
    double y = 1;
    for (int k = 0; k < root_steps; ++k) y = 1 / std::sqrt(x + y);
    return static_cast<float>(y);
  });
}

shape root_chain_shape(double relative) {
  return {.elements = (1 << 16) + 5,
          .values = uniform{.lo = 0.5, .hi = 2},
          .answer = root_chain_oracle,
          .within = tolerance{.rel = relative}};
}

bool is_long_past_verification() {
  static int calls = 0;
  return ++calls > 30;
}

bool is_traced() {
  static const bool traced = [] {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
      if (line.find("libcupti") != std::string::npos) return true;
    }
    return false;
  }();
  return traced;
}

}  // namespace ridge::cheats::cuda
