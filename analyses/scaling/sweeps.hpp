// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include <ridge/model/measured_series.hpp>

namespace ridge::analyses::scaling {

// The newest result of one size in a sweep.
struct sized_result {
  double size = 0;
  const model::workload_result* seen = nullptr;
};

// Workloads of one experiment, machine and backend that differ in one axis of numbers alone.
struct sweep {
  std::string axis{};
  std::string title{};                  // the experiment and the values of its other axes
  std::vector<sized_result> results{};  // by size, each once; at least two
};

// Returns the sweeps among these results, which must outlive them: by the order of the results, then by axis.
[[nodiscard]] std::vector<sweep> sweeps_of(std::span<const model::workload_result> all);

// One metric of a variant over the sizes of a sweep; a result that lacks the variant is left out.
struct swept_variant {
  const model::measured_series* series = nullptr;  // of the least size
  struct point {
    double size = 0;
    const model::workload_result* seen = nullptr;
    const model::latest_measurement* measured = nullptr;
  };
  std::vector<point> points{};
};

// Returns the deciding metric of every variant of a sweep, in the order of the ladder.
[[nodiscard]] std::vector<swept_variant> variants_of(const sweep& swept);

}  // namespace ridge::analyses::scaling
