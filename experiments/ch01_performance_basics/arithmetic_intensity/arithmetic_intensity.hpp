// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch01_arithmetic_intensity {

// f(x) = scale x + shift: a multiplication and an addition, each rounded.
struct operation {
  float scale = 1, shift = 0;
  [[nodiscard]] constexpr float operator()(float x) const { return scale * x + shift; }
};
inline constexpr std::array<operation, 4> chain{
    {{0.75F, 0.5F}, {-1.25F, 1.0F}, {0.625F, -0.25F}, {1.5F, 2.0F}}};

// target = f4(f3(f2(f1(source)))) element by element.
struct workload {
  input<float> source{};
  output<float> target{};
};

[[gnu::weak]] ladder<workload> cuda();

// In passes.cpp: each makes one pass over n elements with vectors as wide as this CPU has them. `source` may
// equal `target`. They apply operation `index` of the chain, operations `index` and `index + 1`, and the
// whole chain.
void apply_one(std::size_t index, const float* source, float* target, std::size_t n);
void apply_two(std::size_t index, const float* source, float* target, std::size_t n);
void apply_all(const float* source, float* target, std::size_t n);
// Applies the whole chain, with stores that go around the caches: their lines are not read first.
void apply_all_streaming(const float* source, float* target, std::size_t n);

// In kernels.cu: passes over device memory that apply operations of the chain to every element of `source`,
// each rounded as on the host, enqueued on `queue`. `source` holds as many elements as `target` and may be
// `target`; without elements nothing is enqueued. This one applies operation `index`, one element per thread.
void launch_by_one(std::size_t index, const float* source, output<float> target, stream queue);
// Applies operation `index`, four elements per thread.
void launch_unrolled(std::size_t index, const float* source, output<float> target, stream queue);
// These load 16 bytes at a time, four times per thread. They apply operation `index`; operations `index`,
// which is 0 or 2, and `index` + 1; and the whole chain.
void launch_by_vectors(std::size_t index, const float* source, output<float> target, stream queue);
void launch_two_by_vectors(std::size_t index, const float* source, output<float> target, stream queue);
void launch_all_by_vectors(const workload& w, stream queue);
// Applies the whole chain by cub::DeviceTransform.
void launch_cub_transform(const workload& w, stream queue);

}  // namespace ridge::experiments::ch01_arithmetic_intensity
