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

// Errors of simulated requests against those of a log: medians of |simulated / measured - 1|.
struct calibration_error {
  double ttft_median = 0, tpot_median = 0, latency_median = 0;
  std::int64_t requests = 0;
};

// Parameters fitted to a log, with their origin and their errors.
struct calibration_profile {
  std::string model{}, gpu{}, layout{}, weight_format{}, kv_format{};
  std::string log{};      // name of the file
  std::string created{};  // a date
  engine_overheads overheads{};
  kernel_scaling scaling{};
  // Errors before and after the fit, on the earlier requests that were fitted and on the later, held-out
  // ones.
  calibration_error before{}, after{}, holdout_before{}, holdout_after{};
  std::int64_t simulations = 0;
};

// Fits the host's seconds per step and per request, the shares of bandwidth and FLOP, and (with several GPUs)
// the latency of collectives to a log: a bounded simplex search over simulations of the engine. Logarithms of
// the errors are capped, so that a tenth of odd requests does not change the result. The latest 30 % of the
// requests are held out. The error says what the log lacks.
[[nodiscard]] result<calibration_profile> calibrate(const serve::engine_log& log, const step_request& request,
                                                    const kernel_times& kernels);
// The fitted parameters and errors as figures.
[[nodiscard]] derivation explain_calibration(const calibration_profile& p);

// Reads the result file of `vllm bench serve --save-result --save-detailed`: input_lens, output_lens, ttfts,
// itls, start_times. The error names what is missing.
[[nodiscard]] result<serve::engine_log> parse_bench_log(std::string_view text, std::string_view name);

// Writes a profile as JSON (schema ridge.plan.profile/1).
[[nodiscard]] std::string profile_json(const calibration_profile& p);
// Reads a profile from text called `name`, or from a file. The error names the file and the member.
[[nodiscard]] result<calibration_profile> parse_profile(std::string_view text, std::string_view name);
[[nodiscard]] result<calibration_profile> load_profile(const std::filesystem::path& file);
// Puts the overheads and factors of a profile into a request.
void apply(const calibration_profile& p, step_request& request);

// How the deployment of a profile differs from the one that a request describes, its engine's name in
// `request.engine`: "model A instead of B; ...". Empty where it is the same. Data-parallel engines that share
// nothing are one deployment, whatever their number; a name that the profile does not hold is not compared.
[[nodiscard]] std::string differences(const calibration_profile& p, const step_request& request);

}  // namespace ridge::plan::kernels
