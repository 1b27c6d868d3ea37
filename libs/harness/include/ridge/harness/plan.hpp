// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/harness/axis_override.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/harness/profile.hpp>
#include <ridge/harness/protocol.hpp>
#include <ridge/model/names.hpp>

namespace ridge::harness {

// A variant that is not run, since it was seen to fail: what `model::measurement` keeps of it.
struct refused_variant {
  std::string name{};
  std::string why{};
  model::failure_kind failure{model::failure_kind::wrong_output};
  std::string signal{};  // "SIGSEGV"; empty where no signal ended it
  std::string stage{};   // "verification", "timing"; empty where it is not known
};

// What becomes of the comparisons of variants that were compiled without optimization or with a sanitizer.
enum class unoptimized_code : std::uint8_t {
  invalid,
  judged  // a check warns: for tests of the harness, whose figures nobody reads
};

struct run_options {
  harness::profile profile{};
  harness::protocol protocol{};
  std::vector<axis_override> axes{};
  std::vector<std::string> variants{};  // globs; empty: all. The baseline always takes part
  std::optional<model::backend> backend{};
  double suite_budget_s = 0;  // 0: none; else the families share it
  bool memory_pass = true;    // off only in tests of the harness
  bool lone_pass = true;      // times each variant in a process of its own; off only in tests of the harness
  bool audit_pass = true;
  bool edges_only = false;  // verification leaves out the problem that a run would measure
  unoptimized_code unoptimized{unoptimized_code::invalid};
  // A variant whose code runs for so many seconds without coming to an end is refused; more where its calls
  // are known to take long. While it is timed `timed_stall_limit_s` holds instead, since its time is known
  // then.
  double stall_limit_s = 60;
  double timed_stall_limit_s = 15;
  double call_limit_s = 0;  // above 0: one call of any variant may take so long, whatever is known of it
  // The reading of monotonic_seconds() at which the run has to have come to its end; a family that began is
  // given 0.3 s more to end its present round.
  double deadline_s = std::numeric_limits<double>::infinity();
  std::vector<refused_variant> refused{};
  // Asked ten times a second while a family is measured in a child. Once it says yes, the session ends after
  // its present round, and the child is killed where it has not ended 1.5 s later.
  std::function<bool()> stop_requested{};
};

// One problem of one experiment on one backend, to be measured as a family.
struct planned_family {
  ridge::experiment experiment;
  ridge::problem problem;
  model::backend backend{model::backend::cpu};
};

// Whether a family on this backend has the variant: it is the baseline, or one of those that were chosen.
[[nodiscard]] bool takes_part(const variant_facts& variant, model::backend backend,
                              const run_options& options);

// The families a run of these experiments would measure, in order. An override naming an axis that none of
// the experiments has, or a value of a kind that none of these axes takes, is an error; the values of other
// experiments' kinds are left out.
[[nodiscard]] result<std::vector<planned_family>> plan(const std::vector<experiment>& experiments,
                                                       const run_options& options);

// The families that are verified without being timed, in order: every edge size, and the first problem that a
// run would measure, each once. An overridden axis has the values of its override alone, instead of its edges
// too. The errors of `plan`.
[[nodiscard]] result<std::vector<planned_family>> plan_verification(
    const std::vector<experiment>& experiments, const run_options& options);

// The edge sizes of one experiment on one backend, in order, without what its axes' overrides ask for.
[[nodiscard]] std::vector<planned_family> plan_edges(const experiment& source, model::backend backend);

}  // namespace ridge::harness
