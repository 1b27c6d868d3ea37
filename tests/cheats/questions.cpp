// SPDX-License-Identifier: Apache-2.0
#include "questions.hpp"

#include <algorithm>
#include <numeric>
#if defined(__x86_64__)
#include <xmmintrin.h>
#else
#include <bit>
#include <cstdint>
#endif

namespace ridge::cheats {
namespace {

template <class F>
void each(arrays& w, F answer) {
  std::ranges::transform(w.source, w.target.begin(), answer);
}

// The place of a group's element when the six bits of its index are read backwards.
std::size_t reversed_bits(std::size_t index) {
  std::size_t reversed = 0;
  for (int bit = 0; bit < 6; ++bit) {
    reversed = reversed << 1 | (index & 1);
    index >>= 1;
  }
  return reversed;
}

void reverse_all_groups(arrays& w) {
  const auto whole = w.source.size() / group * group;
  for (std::size_t i = 0; i < whole; ++i)
    w.target[i] = w.source[i / group * group + reversed_bits(i % group)];
}

}  // namespace

experiment_of<arrays> pose(const std::string& id, const shape& stated, ladder_of<arrays> variants) {
  return {
      .id = "cheats." + id,
      .title = id,
      .question = "Is this refused?",
      .axes = {values("elements", {static_cast<std::int64_t>(stated.elements)})},
      .make =
          [stated](const problem& p, memory& m) {
            const auto n = p.count("elements");
            return arrays{m.in<float>(n, stated.values), m.out<float>(n / stated.per_result)};
          },
      .work =
          [stated](const problem& p) {
            const double n = p.real("elements");
            return work{.flop = 2 * n,
                        .bytes_read = 4 * n,
                        .bytes_written = 4 * n / static_cast<double>(stated.per_result),
                        .items = n};
          },
      .oracle = stated.answer,
      .within = stated.within,
      .cpu = variants,
  };
}

float estimated_root(float x) {
#if defined(__x86_64__)
  return _mm_cvtss_f32(_mm_rsqrt_ss(_mm_set_ss(x)));
#else
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(root_answer(x)) & 0xFFFFF000u);
#endif
}

void affine_part(arrays& w, std::size_t first, std::size_t last) {
  for (auto i = first; i < last; ++i) w.target[i] = affine_answer(w.source[i]);
}
void costly_part(arrays& w, std::size_t first, std::size_t last) {
  for (auto i = first; i < last; ++i) w.target[i] = series_answer<costly_steps>(w.source[i]);
}

void affine(arrays& w, call&) { affine_part(w, 0, w.source.size()); }
void middling(arrays& w, call&) { each(w, series_answer<middling_steps>); }
void costly(arrays& w, call&) { costly_part(w, 0, w.source.size()); }
void roots(arrays& w, call&) { each(w, root_answer); }
void estimated_roots(arrays& w, call&) { each(w, estimated_root); }
void reversed_groups(arrays& w, call&) { reverse_all_groups(w); }
void row_sums(arrays& w, call&) { row_oracle(w); }

void affine_oracle(arrays& w) { each(w, affine_answer); }
void middling_oracle(arrays& w) { each(w, series_answer<middling_steps>); }
void costly_oracle(arrays& w) { each(w, series_answer<costly_steps>); }
void root_oracle(arrays& w) {
  each(w, [](float x) { return static_cast<float>(1 / std::sqrt(static_cast<double>(x))); });
}
void group_oracle(arrays& w) { reverse_all_groups(w); }
void row_oracle(arrays& w) {
  for (std::size_t r = 0; r < w.target.size(); ++r) {
    const auto terms = w.source.subspan(r * row, row);
    w.target[r] = static_cast<float>(std::accumulate(terms.begin(), terms.end(), 0.0));
  }
}

shape root_shape() {
  return {.elements = 65536 + 5,
          .values = uniform{.lo = 0.5, .hi = 2},
          .answer = root_oracle,
          .within = tolerance{.rel = 1e-4}};
}
shape row_shape() {
  return {.elements = 64 * row, .per_result = row, .answer = row_oracle, .within = [](const problem&) {
            return accumulation(row, 0x1p-24);
          }};
}

}  // namespace ridge::cheats
