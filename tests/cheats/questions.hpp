// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include <ridge/harness/experiment.hpp>

#include "surroundings.hpp"

namespace ridge::cheats {

// What most questions are about: each result is a function of one source element, or of a row of them.
struct arrays {
  input<float> source{};
  output<float> target{};
};

using body = void (*)(arrays&, call&);

// The size, the data and the right answer of a question.
struct shape {
  std::size_t elements = 8192 + 5;  // of the source; no multiple of a vector
  std::size_t per_result = 1;       // source elements of one result
  distribution values{normal{}};
  void (*answer)(arrays&) = nullptr;
  tolerance_rule within{exact()};
};

// The experiment `cheats.<id>` on this shape.
[[nodiscard]] experiment_of<arrays> pose(const std::string& id, const shape& stated,
                                         ladder_of<arrays> variants);

[[nodiscard]] inline float affine_answer(float x) { return 2 * x + 1; }
// A recurrence of `Steps` steps, which no compiler may shorten.
template <int Steps>
[[nodiscard]] inline float series_answer(float x) {
  float y = x;
  for (int i = 0; i < Steps; ++i) y = 0.75F * y + 0.25F * x + 0.125F;
  return y;
}
[[nodiscard]] inline float root_answer(float x) { return 1.0F / std::sqrt(x); }
// The same within about 4e-4, as the processor estimates it.
[[nodiscard]] float estimated_root(float x);

inline constexpr int middling_steps = 8, costly_steps = 16;
inline constexpr std::size_t group = 64, row = 1024;

// The elements first .. last-1 of a question's answer.
void affine_part(arrays& w, std::size_t first, std::size_t last);
void costly_part(arrays& w, std::size_t first, std::size_t last);

// The honest bodies.
void affine(arrays& w, call& c);
void middling(arrays& w, call& c);
void costly(arrays& w, call& c);
void roots(arrays& w, call& c);
void estimated_roots(arrays& w, call& c);
void reversed_groups(arrays& w, call& c);
void row_sums(arrays& w, call& c);

// The answers that oracles give.
void affine_oracle(arrays& w);
void middling_oracle(arrays& w);
void costly_oracle(arrays& w);
void root_oracle(arrays& w);
void group_oracle(arrays& w);
void row_oracle(arrays& w);

template <auto Baseline, auto Candidate>
[[nodiscard]] ladder<arrays> pair_of() {
  remember_this_process();
  return {{.name = "baseline", .is = role::baseline, .run = Baseline},
          {.name = "candidate", .run = Candidate}};
}

// The same for a candidate that states more than its body.
template <auto Baseline>
[[nodiscard]] ladder<arrays> beside(variant<arrays> candidate) {
  remember_this_process();
  candidate.name = "candidate";
  return {{.name = "baseline", .is = role::baseline, .run = Baseline}, std::move(candidate)};
}

// A call takes some microseconds.
template <auto Candidate>
[[nodiscard]] experiment repeated(const std::string& id) {
  return pose(id, {.answer = affine_oracle}, pair_of<affine, Candidate>);
}
// A call takes a part of a microsecond, so that a sample makes several of them on each member.
template <auto Candidate>
[[nodiscard]] experiment brief(const std::string& id) {
  return pose(id, {.elements = 512 + 5, .answer = affine_oracle}, pair_of<affine, Candidate>);
}
template <auto Candidate>
[[nodiscard]] experiment brief_and_costly(const std::string& id) {
  return pose(id, {.elements = 32 + 5, .answer = costly_oracle}, pair_of<costly, Candidate>);
}
// A call takes some tens of microseconds; a sample makes a few.
template <auto Candidate>
[[nodiscard]] experiment a_few(const std::string& id) {
  return pose(id, {.answer = middling_oracle}, pair_of<middling, Candidate>);
}
// A sample is one call, or two.
template <auto Candidate>
[[nodiscard]] experiment single(const std::string& id) {
  return pose(id, {.answer = costly_oracle}, pair_of<costly, Candidate>);
}
// A call takes about a millisecond.
template <auto Candidate>
[[nodiscard]] experiment lengthy(const std::string& id) {
  return pose(id, {.elements = 65536 + 5, .answer = costly_oracle}, pair_of<costly, Candidate>);
}
// A call is bound by memory.
template <auto Candidate>
[[nodiscard]] experiment of_memory(const std::string& id) {
  return pose(id, {.elements = (1 << 17) + 5, .answer = affine_oracle}, pair_of<affine, Candidate>);
}
// Inverse square roots, compared within 1e-4 of each.
[[nodiscard]] shape root_shape();
template <auto Candidate>
[[nodiscard]] experiment within_tolerance(const std::string& id) {
  return pose(id, root_shape(), pair_of<roots, Candidate>);
}
// Groups of 64 elements are put into bit-reversed order; results are compared within a tolerance.
template <auto Candidate>
[[nodiscard]] experiment in_groups(const std::string& id) {
  return pose(id, {.elements = 65536, .answer = group_oracle, .within = tolerance{.rel = 1e-6}},
              pair_of<reversed_groups, Candidate>);
}
// Sums of 64 rows.
[[nodiscard]] shape row_shape();
template <auto Candidate>
[[nodiscard]] experiment in_rows(const std::string& id) {
  return pose(id, row_shape(), pair_of<row_sums, Candidate>);
}

}  // namespace ridge::cheats
