// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/interval.hpp>
#include <ridge/base/result.hpp>

namespace ridge::analysis {

// What is declared of a technique: when it applies, what it changes. No speedup stands here: those are
// measured.
struct technique {
  std::string id{};  // "cuda_graphs"
  std::string what{};
  std::vector<std::string> needs{};     // what must hold: "static_shapes", "hopper"
  std::vector<std::string> provides{};  // what holds once it is used
  std::vector<std::string> breaks{};    // what then no longer holds
  std::vector<std::string> phases{};    // which parts of the time it acts on; empty: not declared
  std::string why{};                    // of needs and breaks
};

// The techniques inside the program (libs/analysis/data/techniques.json).
[[nodiscard]] std::span<const technique> known_techniques();
[[nodiscard]] result<std::vector<technique>> parse_techniques(std::string_view text, std::string_view name);

// A measured gain of one technique on one phase: how many times faster the phase becomes.
struct gain {
  std::string technique{}, phase{};
  double ratio = 1;
  interval band{1, 1};
  double memory_bytes = 0;  // what it adds (or, below zero, saves)
};

// A measured gain of two together on a phase.
struct interaction {
  std::string first{}, second{}, phase{};
  double ratio = 1;
};

// Where the time goes without any technique, and what was measured.
struct stacking_case {
  std::map<std::string, double> shares{};  // of phases; they sum to at most one, the rest is out of reach
  std::vector<gain> gains{};
  std::vector<interaction> measured{};
  std::vector<std::string> holds{};  // what the environment provides: "static_shapes"
};

// The names in a case must be those of techniques and phases; shares between 0 and 1, sums to at most 1,
// ratios above zero. The error names the member.
[[nodiscard]] result<stacking_case> parse_stacking_case(std::string_view text, std::string_view name,
                                                        std::span<const technique> known);

enum class pair_basis : std::uint8_t { measured, derived, unknown, conflict };
[[nodiscard]] std::string_view name_of(pair_basis b);

struct pair_verdict {
  std::string first{}, second{};
  pair_basis basis{pair_basis::unknown};
  std::string why{};
};

// Whether two techniques can be combined: a conflict when one breaks what the other needs.
[[nodiscard]] pair_verdict judge_pair(const technique& a, const technique& b, const stacking_case& given);

// The combined effect of a set: time' = 1 - Σ share + Σ share / ratio (Amdahl), never a product of whole
// speedups. Two techniques on one phase: their measured interaction; without one the better of the two at
// least, the product at most.
struct combination {
  std::vector<std::string> techniques{};
  double speedup =
      1;  // the sure part: phases with one technique, measured pairs, the better of unmeasured ones
  double speedup_at_most = 1;  // if unmeasured pairs multiply
  double memory_bytes = 0;
  std::vector<std::string> unmeasured{};  // "a + b on phase"
};
[[nodiscard]] combination combine(std::span<const std::string> chosen, const stacking_case& given);

// The compatible set with the greatest sure speedup (then the fewest techniques), exactly: branch and bound,
// up to 64 techniques with gains. `memory_limit`: bytes that may be added in all.
[[nodiscard]] combination best_stack(const stacking_case& given, std::span<const technique> known,
                                     std::optional<double> memory_limit = {});

}  // namespace ridge::analysis
