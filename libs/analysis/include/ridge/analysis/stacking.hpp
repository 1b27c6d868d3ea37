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

// The declaration of an optimization technique: when it applies and what it changes. Speedups are measured,
// not declared.
struct technique {
  std::string id{};  // "cuda_graphs"
  std::string description{};
  std::vector<std::string> needs{};     // properties that must hold: "static_shapes", "hopper"
  std::vector<std::string> provides{};  // properties that hold when it is used
  std::vector<std::string> breaks{};    // properties that no longer hold
  std::vector<std::string> phases{};    // phases of the time that it affects; empty: not declared
  std::string why{};                    // reason for needs and breaks
};

// The techniques in the program (libs/analysis/data/techniques.json), and those read from JSON called `name`;
// the error names the member.
[[nodiscard]] std::span<const technique> known_techniques();
[[nodiscard]] result<std::vector<technique>> parse_techniques(std::string_view text, std::string_view name);

// A measured gain of one technique on one phase: how many times faster the phase becomes.
struct gain {
  std::string technique{}, phase{};
  double ratio = 1;
  interval band{1, 1};
  double memory_bytes = 0;  // memory that it adds; negative: saves
};

// A measured gain of two techniques together on one phase.
struct interaction {
  std::string first{}, second{}, phase{};
  double ratio = 1;
};

// The shares of time without any technique, and the measured gains.
struct stacking_case {
  std::map<std::string, double>
      shares{};  // by phase; they add up to at most 1, and no technique affects the rest
  std::vector<gain> gains{};
  std::vector<interaction> measured{};
  std::vector<std::string> holds{};  // properties of the environment: "static_shapes"
};

// Reads a case from JSON. Names must be those of known techniques and phases, shares between 0 and 1 with a
// sum of at most 1, and ratios above 0. The error names the member.
[[nodiscard]] result<stacking_case> parse_stacking_case(std::string_view text, std::string_view name,
                                                        std::span<const technique> known);

// Where a verdict about a pair comes from.
enum class pair_basis : std::uint8_t { measured, derived, unknown, conflict };
// Its name in reports and JSON files.
[[nodiscard]] std::string_view name_of(pair_basis b);

// Whether two techniques can be combined, and why.
struct pair_verdict {
  std::string first{}, second{};
  pair_basis basis{pair_basis::unknown};
  std::string why{};
};

// Judges a pair: a conflict when one breaks a property that the other needs.
[[nodiscard]] pair_verdict judge_pair(const technique& a, const technique& b, const stacking_case& given);

// The combined effect of a set: time' = 1 - Σ share + Σ share / ratio (Amdahl's law), never a product of
// whole speedups. Two techniques on one phase have their measured interaction; without one, at least the
// better of the two and at most the product.
struct combination {
  std::vector<std::string> techniques{};
  double speedup = 1;  // lower bound: single techniques, measured pairs, the better of unmeasured pairs
  double speedup_at_most = 1;  // if unmeasured pairs multiply
  double memory_bytes = 0;
  std::vector<std::string> unmeasured{};  // "a + b on phase"
};
// The effect of this set. The techniques must be compatible and known to the case.
[[nodiscard]] combination combine(std::span<const std::string> chosen, const stacking_case& given);

// The compatible set with the greatest lower bound of the speedup, then the fewest techniques: an exact
// search by branch and bound over up to 64 techniques with gains. `memory_limit`: bytes that the set may add.
[[nodiscard]] combination best_stack(const stacking_case& given, std::span<const technique> known,
                                     std::optional<double> memory_limit = {});

}  // namespace ridge::analysis
