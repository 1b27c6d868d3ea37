// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <ridge/base/result.hpp>
#include <ridge/plan/kernels/step_timer.hpp>

namespace ridge::plan::kernels {

// How far predictions lay from a log.
struct calibration_error {
  double ttft_median = 0, tpot_median = 0, latency_median = 0;  // of |predicted / measured - 1|
  std::int64_t requests = 0;
};

// What was fitted to a log, where it came from and how good it is.
struct calibration_profile {
  std::string model{}, gpu{}, engine{}, layout{}, log{};
  std::string created{};  // date
  engine_overheads overheads{};
  kernel_scaling scaling{};
  calibration_error before{}, after{}, holdout_before{}, holdout_after{};
};

[[nodiscard]] std::string profile_json(const calibration_profile& p);  // schema ridge.plan.profile/1
// The error names the file and the member.
[[nodiscard]] result<calibration_profile> parse_profile(std::string_view text, std::string_view name);
[[nodiscard]] result<calibration_profile> load_profile(const std::filesystem::path& file);
// What a profile says, put into a request.
void apply(const calibration_profile& p, step_request& to);

}  // namespace ridge::plan::kernels
