// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>

namespace ridge::plan_test {

// One measured operating point: clients that each have one request in progress.
struct silicon_row {
  std::string engine{}, version{}, model{}, gpu{}, format{}, kv_format{};
  std::int64_t input_tokens = 0, output_tokens = 0, clients = 0;
  int tensor = 1, expert = 1, data = 1;  // ranks; data-parallel ones share their experts
  double ttft_s = 0, tpot_s = 0;
  std::string source{};         // the file, which tells the harness that measured it
  bool random_lengths = false;  // true for the harness that names its files by date (InferenceMAX)

  [[nodiscard]] std::string configuration() const { return model + "|" + gpu + "|" + engine + "|" + source; }
  // Whether it belongs to the half of the configurations that is never fitted, by a hash of its name.
  [[nodiscard]] bool held_out() const;
};

struct silicon_rows {
  std::vector<silicon_row> rows{};
  std::int64_t left_out = 0;  // number of disaggregated rows
};

// serving/silicon/ttft_tpot.csv. The error names file and line.
[[nodiscard]] result<silicon_rows> read_silicon(const std::filesystem::path& file);

// RIDGE_DATA, or shared/data beside the repository.
[[nodiscard]] std::filesystem::path data_folder();

}  // namespace ridge::plan_test
