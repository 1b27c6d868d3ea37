// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <ridge/harness/instruments.hpp>
#include <ridge/harness/plan.hpp>
#include <ridge/host/process_state.hpp>
#include <ridge/model/run.hpp>

#include "plan/affinity_plan.hpp"
#include "sampling/rings.hpp"
#include "verify/guarded_arrays.hpp"

namespace ridge::harness {

// One family on its way from its frame to its verdicts. Each stage leaves `result` complete as far as it got.
struct family_state {
  // The frame of the family. Keeps references to all three. Bug: equipment without a device.
  family_state(const planned_family& family, const instruments& all_equipment,
               const run_options& all_options);

  const planned_family& planned;
  const experiment::definition& definition;
  const instruments& equipment;
  const run_options& options;
  std::vector<std::size_t> variants{};  // index of the variant in the definition, by measurement
  model::family result;
  affinity_plan places{};
  rings members{};
  guarded_arrays guarded;    // for what is run before anything is timed
  double array_bytes = 0;    // of one member
  double oracle_s = 0;       // least seconds of the oracle on one member; 0 where it was not run
  std::size_t compared = 0;  // elements that verification compared with the oracle's, of one variant
  host::process_state at_start = host::read_process_state();  // before any variant of it has run
  std::vector<double> kept_bytes{};  // memory of a GPU that is gone since it was verified, by measurement
};

// How long a call of a variant may take while it is not timed.
[[nodiscard]] double untimed_limit_s(const run_options& options);

// Whether nothing has skipped or refused the variant so far.
[[nodiscard]] bool can_be_timed(const model::measurement& m);

}  // namespace ridge::harness
