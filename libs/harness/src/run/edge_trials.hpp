// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>

#include <ridge/harness/edge_record.hpp>
#include <ridge/harness/instruments.hpp>
#include <ridge/harness/plan.hpp>
#include <ridge/model/run.hpp>

namespace ridge::harness {

// Tries the variants of a run at the edge sizes of their experiments, each build of a variant once: what the
// record of the instruments knows is not tried again. Libraries are left out: they may take seconds to plan a
// size, and are verified at the one that is measured. Does nothing without a record. References both.
class edge_trials {
 public:
  edge_trials(const instruments& equipment, const run_options& options);

  // Tries what is not known of the variants of the family's experiment on its backend, until `deadline_s`, a
  // reading of monotonic_seconds(). Adds those that failed to `refused`, with the size.
  void try_before(const planned_family& family, double deadline_s, std::vector<refused_variant>& refused);

  // Adds the check "edges" to each comparison of the family. It lowers the assurance to 1 where one of the
  // two variants was not tried.
  void add_to(model::family& measured, const planned_family& family) const;

 private:
  // What is known of an experiment's variants on one backend.
  struct knowledge {
    std::size_t sizes = 0;  // that the experiment has
    std::map<std::string, edge_finding> found{};
    std::set<std::string> libraries{};  // variants that are not tried
    std::string untried{};              // why the others were not tried
    bool lacked_time = false;           // that is why: they may be tried yet
  };
  void learn(const planned_family& family, double deadline_s, knowledge& known);
  [[nodiscard]] model::check check_of(const model::comparison& c, const knowledge& known) const;

  const instruments& equipment_;
  const run_options& options_;
  std::map<std::string, knowledge> known_{};  // by backend and experiment
};

}  // namespace ridge::harness
