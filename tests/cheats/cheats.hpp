// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <ridge/harness/experiment.hpp>

namespace ridge::cheats {

// target[i] = 2 source[i] + 1. The number of elements is no multiple of a vector, and a call takes some tens
// of microseconds.
struct workload {
  input<float> source{};
  output<float> target{};
};

[[nodiscard]] inline float answer(float x) { return 2 * x + 1; }
void honest(workload& w, call&);

// What a harness needs in order to see the cheat: the outputs of one call, the calls that it times, or an eye
// on what a call does besides its outputs.
enum class shows : unsigned char { in_one_call, over_calls, by_watching };

// An experiment of two variants: the honest baseline and `cheat`, which must be refused. `reasons`: words of
// which the refusal says at least one.
struct cheat {
  ridge::experiment experiment;
  cheats::shows shows{cheats::shows::in_one_call};
  std::vector<std::string> reasons{};
};

[[nodiscard]] std::vector<cheat> wrong_outputs();
[[nodiscard]] std::vector<cheat> stale_outputs();
[[nodiscard]] std::vector<cheat> side_effects();
[[nodiscard]] std::vector<cheat> evasions();
[[nodiscard]] std::vector<cheat> all();

// Experiment `cheats.<name>`, exact, with an oracle.
[[nodiscard]] experiment_of<workload> question(const std::string& name, ladder_of<workload> variants);

template <auto Run>
[[nodiscard]] ladder<workload> honest_and() {
  return {{.name = "honest", .is = role::baseline, .run = honest}, {.name = "cheat", .run = Run}};
}

// `Run` is the cheat's body, or the function that prepares it.
template <auto Run>
[[nodiscard]] cheat cheat_by(const std::string& name, cheats::shows shows, std::vector<std::string> reasons) {
  return {question(name, honest_and<Run>), shows, std::move(reasons)};
}

}  // namespace ridge::cheats
