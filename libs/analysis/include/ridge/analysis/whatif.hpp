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

// Something that could be done: a measured variant, or a configuration that a model evaluated.
struct candidate {
  std::string name{};
  std::string basis{};                            // "measured", "modelled"
  std::map<std::string, std::string> settings{};  // "kv": "fp8", "tp": "2"
  std::map<std::string, double> values{};         // by constraint::key(), in the quantity's unit
};

// A candidate held against the constraints, in their order.
struct judged {
  std::size_t candidate = 0;     // place in the list that was given
  std::vector<double> excess{};  // of each constraint; NaN where the candidate does not know
  std::vector<std::size_t> violated{}, unknown{};
  std::optional<std::size_t> binding{};  // of a feasible one: the constraint with the least slack
  [[nodiscard]] bool feasible() const { return violated.empty() && unknown.empty(); }
};

// How far one constraint would have to move for something to fit.
struct relaxation {
  std::vector<std::size_t> constraints{};  // moved together
  std::vector<double> limits{};            // what each would have to be
  std::size_t opens = 0;                   // the candidate that then fits
  double effort = 0;                       // sum of the relative moves
};

// The fewest settings to change from where one stands.
struct change {
  std::size_t to = 0;                   // candidate
  std::vector<std::string> settings{};  // those that differ
};

struct whatif_answer {
  std::vector<judged> feasible{};  // best first by the objective
  std::vector<judged> rejected{};  // nearest first: fewest violated, then least excess
  std::vector<std::size_t>
      conflict{};  // a smallest set of constraints that nothing meets together; empty when something fits
  std::vector<relaxation> relaxations{};  // the least effort first; empty when something fits
  std::optional<change> nearest{};        // from the candidate one has, to the nearest that fits
};

struct objective {
  std::string key{"cost"};  // a constraint::key()
  bool least = true;
};

// Filters and explains; values are never made up: a candidate without a value that a constraint asks for is
// rejected as unknown. `from`: the candidate one has now.
[[nodiscard]] whatif_answer solve_whatif(std::span<const candidate> all, std::span<const constraint> limits,
                                         const objective& by, std::optional<std::size_t> from = {});

// For each numeric constraint of a feasible answer: how much the objective's best changes when the limit
// moves by a share.
struct sensitivity {
  std::size_t constraint = 0;
  double tighter = 0,
         looser = 0;  // best objective with the limit 10 % tighter or looser; NaN when nothing fits
};
[[nodiscard]] std::vector<sensitivity> sensitivities(std::span<const candidate> all,
                                                     std::span<const constraint> limits, const objective& by);

}  // namespace ridge::analysis
