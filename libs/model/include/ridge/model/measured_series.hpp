// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <ridge/model/comparison_row.hpp>

// Results across runs, as a store keeps them to be searched: flat, without samples and checks.
namespace ridge::model {

// The comparable unit: one problem of one experiment on one backend of one machine. Only what was measured in
// the same workload answers the same question. The work is that of the newest family.
struct workload {
  std::int64_t id = 0;  // of this store
  std::string machine{};
  std::string experiment{};
  std::string title{};
  std::string problem{};  // text(problem_point)
  problem_point axes{};
  model::backend backend{model::backend::cpu};
  model::goal goal{model::goal::speed};
  double flop = 0, bytes = 0, items = 0;  // of one call, by definition; bytes are read and written
  std::uint64_t families = 0;             // how often it was measured
};

// One metric of one variant of a workload, followed from run to run.
struct measured_series {
  std::int64_t id = 0;        // of this store
  std::int64_t workload = 0;  // its workload::id
  std::string variant{};
  model::role role{model::role::baseline};
  model::metric metric{};
  std::uint64_t points = 0;
};

// What one run saw of a measured_series. Values that were not seen are NaN or empty.
struct measured_point {
  std::int64_t series = 0;
  std::string run{};
  std::string started{};         // ISO 8601, UTC
  std::int64_t environment = 0;  // equal numbers: equal environments of this store
  double median = 0;             // in the unit of the metric
  ridge::interval ci{};          // 95 %
  std::uint64_t samples = 0;
  std::optional<double> memory_bytes{}, energy_j{};  // of one call; memory beside the arrays
  double array_bytes = 0;                            // arrays of the workload
  double flop = 0, bytes_moved = 0, items = 0;       // of one call
  std::optional<double> of_ceiling{};
  std::string
      ceiling{};  // the one that limits: "cuda.mma.bf16", "cpu.triad, 2 threads"; empty: none is known
  model::bound bound{model::bound::unknown};
  double max_abs_error = 0, max_rel_error = 0;
};

// The newest measurement of one metric of one variant.
struct latest_measurement {
  measured_series series{};
  measured_point point{};
};

// The newest family of a workload.
struct workload_result {
  model::workload workload{};
  std::string run{};
  std::string started{};
  std::int64_t environment = 0;
  std::vector<latest_measurement> measurements{};  // in the order of the ladder; refused variants are absent
  std::vector<comparison> comparisons{};           // without checks
};

// What a person said of a change of a series.
struct change_note {
  std::int64_t series = 0;
  std::string run{};     // the first run after the change
  std::string state{};   // "untriaged", "confirmed", "expected", "noise"
  std::string note{};    // free text
  std::string stated{};  // when: ISO 8601, UTC
};

}  // namespace ridge::model
