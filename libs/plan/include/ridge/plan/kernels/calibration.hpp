// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <ridge/base/result.hpp>
#include <ridge/plan/figure.hpp>
#include <ridge/plan/kernels/step_timer.hpp>
#include <ridge/plan/serve/engine_log.hpp>

namespace ridge::plan::kernels {

// How far simulated requests lie from those of a log: medians of |simulated / measured - 1|.
struct calibration_error {
  double ttft_median = 0, tpot_median = 0, latency_median = 0;
  std::int64_t requests = 0;
};

// What was fitted to a log, where it came from and how good it is.
struct calibration_profile {
  std::string model{}, gpu{}, layout{}, weight_format{}, kv_format{};
  std::string log{};      // the file, or what stands for it
  std::string created{};  // a date
  engine_overheads overheads{};
  kernel_scaling scaling{};
  // On the earlier requests, to which it was fitted, and on the later ones, which were held out.
  calibration_error before{}, after{}, holdout_before{}, holdout_after{};
  std::int64_t simulations = 0;
};

// Fits the host's seconds a step and a request, the shares of bandwidth and FLOP, and (with several GPUs) the
// latency of collectives to a log, between bounds, by simplex search around runs of the engine's twin.
// Robust: by medians and capped logarithms, so that a tenth of odd requests changes nothing. The later 30 %
// of the requests by time are held out. The error says what the log lacks.
[[nodiscard]] result<calibration_profile> calibrate(const serve::engine_log& log, const step_request& of,
                                                    const kernel_times& kernels);
[[nodiscard]] derivation explain_calibration(const calibration_profile& p);

// The result file of `vllm bench serve --save-result --save-detailed`: input_lens, output_lens, ttfts, itls,
// start_times. The error names what is missing.
[[nodiscard]] result<serve::engine_log> parse_bench_log(std::string_view text, std::string_view name);

[[nodiscard]] std::string profile_json(const calibration_profile& p);  // schema ridge.plan.profile/1
// The error names the file and the member.
[[nodiscard]] result<calibration_profile> parse_profile(std::string_view text, std::string_view name);
[[nodiscard]] result<calibration_profile> load_profile(const std::filesystem::path& file);
// What a profile says, put into a request.
void apply(const calibration_profile& p, step_request& to);

}  // namespace ridge::plan::kernels
