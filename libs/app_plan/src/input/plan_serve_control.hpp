// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/base/result.hpp>

#include "input/plan_serve_options.hpp"

namespace ridge::app_plan {

// What acts on a service while it runs, as its options say it; an empty text changes nothing. Errors name the
// option and how to write it.

// Reads --autoscale LEAST:MOST[:TARGET[:WARM-UP[:DELAY[:INTERVAL]]]].
[[nodiscard]] result<void> take_autoscaler(const std::string& text,
                                           plan::serve::autoscaler_settings& settings);
// Reads --failures MTBF[:RECOVERY].
[[nodiscard]] result<void> take_failures(const std::string& text, plan::serve::failure_settings& settings);
// Reads --reject-ttft and --token-bucket.
[[nodiscard]] result<void> take_admission(const service_choice& c, plan::serve::admission_settings& settings);

}  // namespace ridge::app_plan
