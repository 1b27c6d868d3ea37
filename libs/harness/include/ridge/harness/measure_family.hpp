// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/instruments.hpp>
#include <ridge/harness/plan.hpp>
#include <ridge/harness/session.hpp>
#include <ridge/model/run.hpp>

namespace ridge::harness {

// Verifies, then measures one family. A variant that is wrong, skipped or crashes is recorded, never timed;
// the family is complete whatever happens to its variants. Throws only when the machine or a file fails the
// harness itself.
[[nodiscard]] model::family measure_family(const planned_family& family, const instruments& equipment,
                                           const run_options& options, const session_watch& watch = {});

// The same in a child process, so that nothing a variant does to its process reaches this one. A variant that
// ends the process, or does not end, is refused with the reason, and the others are measured without it;
// processes that it left are ended. What bodies write to the standard output is discarded.
[[nodiscard]] model::family measure_family_in_child(const planned_family& family,
                                                    const instruments& equipment, run_options options,
                                                    const session_watch& watch = {});

// Verifies each variant of the family and times nothing.
[[nodiscard]] model::family verify_family(const planned_family& family, const instruments& equipment,
                                          const run_options& options);

// Does what verify_family does, and records a failure of the harness itself as that of the family.
[[nodiscard]] model::family verify_or_record(const planned_family& family, const instruments& equipment,
                                             const run_options& options);

}  // namespace ridge::harness
