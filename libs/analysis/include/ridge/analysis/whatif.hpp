// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ridge/analysis/constraint.hpp>

namespace ridge::analysis {

// A possible choice: a measured variant, or a configuration evaluated by a model.
struct candidate {
  std::string name{};
  std::string basis{};                            // "measured", "modelled"
  std::map<std::string, std::string> settings{};  // "kv": "fp8", "tp": "2"
  std::map<std::string, double> values{};         // by constraint::key(), in the unit of the quantity
};

// A candidate judged by the constraints, in their order.
struct judged {
  std::size_t candidate = 0;     // index into the list of candidates
  std::vector<double> excess{};  // per constraint; NaN when the candidate has no value
  std::vector<std::size_t> violated{}, unknown{};
  std::optional<std::size_t> binding{};  // when feasible: the constraint with the least slack
  // Whether it meets all constraints and has all their values.
  [[nodiscard]] bool feasible() const { return violated.empty() && unknown.empty(); }
};

// Limits that would have to move so that a candidate fits.
struct relaxation {
  std::vector<std::size_t> constraints{};  // constraints to relax together
  std::vector<double> limits{};            // the limit that each needs
  std::size_t opens = 0;                   // index of the candidate that then fits
  double effort = 0;                       // sum of the relative changes
};

// The fewest settings to change from the current candidate.
struct change {
  std::size_t target = 0;               // index of the candidate to change to
  std::vector<std::string> settings{};  // settings that differ
};

// The answer to a what-if question.
struct whatif_answer {
  std::vector<judged> feasible{};  // best first by the objective
  std::vector<judged> rejected{};  // nearest first: fewest violated, then least excess
  std::vector<std::size_t>
      conflict{};  // a smallest set of constraints that no candidate meets together; empty when one fits
  std::vector<relaxation> relaxations{};  // least effort first; empty when a candidate fits
  std::optional<change> nearest{};        // from the current candidate to the nearest that fits
};

// The value to optimize.
struct objective {
  std::string key{"cost"};  // a constraint::key()
  bool least = true;
};

// Finds the candidates that meet all limits and explains why others do not. A candidate without a value that
// a constraint needs is rejected as unknown. `current`: index of the candidate in use.
[[nodiscard]] whatif_answer solve_whatif(std::span<const candidate> all, std::span<const constraint> limits,
                                         const objective& goal, std::optional<std::size_t> current = {});

// The change of the best objective value when the limit of one constraint moves.
struct sensitivity {
  std::size_t constraint = 0;
  double tighter = 0,
         looser = 0;  // best value with a limit 10 % tighter or looser; NaN when none fits
};
// One entry for each constraint.
[[nodiscard]] std::vector<sensitivity> sensitivities(std::span<const candidate> all,
                                                     std::span<const constraint> limits,
                                                     const objective& goal);

}  // namespace ridge::analysis
