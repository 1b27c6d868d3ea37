// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/harness/instruments.hpp>
#include <ridge/harness/plan.hpp>
#include <ridge/harness/session.hpp>
#include <ridge/model/run.hpp>

#include "sampling/family_arms.hpp"
#include "verify/fresh_rounds.hpp"
#include "verify/lone_rounds.hpp"
#include "verify/recheck.hpp"
#include "verify/untimed_pass.hpp"

namespace ridge::harness {

// Everything that is known about a family once its session is over.
struct family_evidence {
  const experiment::definition& definition;
  const problem& point;
  const instruments& equipment;
  const run_options& options;
  const family_arms& arms;
  const session_record& session;
  const fresh_rounds& fresh;
  const lone_rounds& alone;
  const recheck_result& rechecked;
  const std::vector<side_effects>& effects;        // by arm
  const std::vector<std::size_t>& measurement_of;  // index of the arm's measurement, by arm
  double array_bytes = 0;
  std::size_t verified_elements = 0;  // elements that verification compared
  double oracle_s = 0;                // least seconds of the oracle on one member; 0: not run
  std::vector<dtype> array_types{};   // of one member
  bool has_inouts = false;            // whether calls change arrays that are restored before each of them
  // Ceilings that calls exceeded, measured once more, by arm; the rate is 0 where that was not needed.
  std::vector<ceiling_reading> ceilings_again{};
};

// Fills the family's measurements, comparisons and checks from the evidence.
void summarise(model::family& f, const family_evidence& e);

}  // namespace ridge::harness
