// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <ridge/device/device.hpp>
#include <ridge/harness/arithmetic.hpp>
#include <ridge/harness/body.hpp>
#include <ridge/harness/code_facts.hpp>
#include <ridge/harness/needs.hpp>
#include <ridge/harness/problem.hpp>
#include <ridge/harness/work.hpp>
#include <ridge/harness/workload.hpp>
#include <ridge/model/names.hpp>

namespace ridge {

using model::role;

inline constexpr int all_cores = 0;         // .threads: one per physical core
inline constexpr int threads_of_axis = -1;  // .threads: the problem's axis "threads"

// One implementation of a workload on one backend.
template <class Workload>
struct variant {
  std::string name{};
  role is{role::optimized};
  std::string idea{};
  recipe<Workload> run{};
  ridge::needs needs{};
  // Untimed conversion of the inputs to what this variant wants; sees the data, runs again after each
  // re-keying.
  std::function<void(Workload&, setup&)> stage{};
  // Why a gain that the conversion would take away counts: printed, lowers the assurance.
  std::string stage_reason{};
  std::function<double(const problem&)>
      traffic{};                 // bytes moved by one call, where it differs from the work's
  std::string traffic_reason{};  // why it is less than the arrays hold, or much more than others state
  std::optional<tolerance_rule> within{};  // where the variant's type needs another than the experiment's
  std::string tolerance_reason{};          // why a tolerance looser than the arithmetic explains is right
  std::string explanation{};               // where a gain above ten times comes from
  int threads = 1;
  ridge::arithmetic arithmetic{ridge::arithmetic::fp32};
  // Where products of another type are multiplied instead, whose peak is then the ceiling: results are as
  // exact as `arithmetic` says all the same.
  std::optional<ridge::emulation> emulation{};
  device::placement placement{device::placement::ordinary};
  bool pedagogy = false;  // a baseline nobody would ship: never in a headline
  // How the object that lists this variant was compiled. Nobody states it: the compiler does.
  code_facts code = code_of_this_object(__builtin_FILE());
};

}  // namespace ridge
